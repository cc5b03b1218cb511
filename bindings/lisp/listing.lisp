;;;; listing.lisp - one directory, with metadata.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer)

(defstruct (row (:copier nil))
  "An entry of a directory. ROW-NAME is a native string, ROW-STAT a STAT whose kind and inode are
always there, ROW-TARGET where a link points, ROW-USER-NAME and ROW-GROUP-NAME the names of owners;
NIL where not requested. ROW-ERROR is the kernel's number if the metadata could not be read,
ROW-TARGET-ERROR if the target could not."
  (name "" :read-only t) (stat nil :read-only t) (target nil :read-only t)
  (user-name nil :read-only t) (group-name nil :read-only t)
  (error nil :read-only t) (target-error nil :read-only t))

(defmethod print-object ((row row) stream)
  (print-unreadable-object (row stream :type t)
    (format stream "~S ~S" (stat-kind (row-stat row)) (row-name row))))

(defparameter *orders*
  #(:name :none :version :extension :size :modified :accessed :changed :created)
  "FEWER_BY_NAME and the like.")

(defun read-row (block rows word)
  (flet ((text (at)
           (let ((start (word rows (+ word at)))
                 (length (word rows (+ word at 1))))
             (when (plusp length)
               (block-name block start (+ start length)))))
         (number (at)
           (let ((number (signed (word rows (+ word at)) 32)))
             (unless (zerop number) number))))
    (make-row :stat (read-stat rows word)
              :name (text 30) :target (text 32) :user-name (text 34) :group-name (text 36)
              :error (number 38) :target-error (number 39))))

(defun list-rows (list)
  (let ((collected '()))
    (with-zeroed (batch list-batch)
      (loop
        (with-errors (slot ".")
          (fewer-list-next (mem-ref list :pointer) batch slot))
        (when (null-pointer-p (field batch list-batch bytes))
          (return (nreverse collected)))
        (let* ((count (field batch list-batch rows-count))
               (block (fetch-block (field batch list-batch bytes)
                                   (field batch list-batch bytes-length)))
               (rows (fetch-words (field batch list-batch rows) (* +row-words+ count))))
          (dotimes (i count)
            (push (read-row block rows (* i +row-words+)) collected)))))))

(defun list-entries (path &key (hidden t) dots (fields t) follow links ask-kinds (order :name)
                            reverse directories-first owners (threads 0))
  "The entries of the directory PATH as a list of ROWs.

  :FIELDS   as for STAT-FILE; NIL requests nothing, so that no entry costs a call
  :HIDDEN   names that begin with a dot, too; NIL leaves them out. :DOTS `.` and `..`, too
  :FOLLOW   the metadata of a link are those of its target
  :LINKS    reads the targets of links
  :ASK-KINDS  finds out the kind of an entry where the directory does not say it
  :ORDER    :NAME :NONE :VERSION :EXTENSION :SIZE :MODIFIED :ACCESSED :CHANGED :CREATED; :REVERSE;
            :DIRECTORIES-FIRST
  :OWNERS   names of users and groups
  :THREADS N  the most threads to use

Price: openat, getdents64 for each 256 KiB and for the end, close; one statx an entry if fields are
requested; one readlinkat a link if :LINKS."
  (with-path (bytes length path native)
    (with-zeroed (options list-options)
      (setf (field options list-options flags)
            (flags 1 (not hidden) 2 dots 4 follow 8 links 16 ask-kinds 32 reverse 
                   64 directories-first)
            (field options list-options fields) (fields-mask fields)
            (field options list-options order) (or (position order *orders*)
                                                   (complain "~S is no order." order))
            (field options list-options threads) threads)
      (flet ((rows (owners)
               (setf (field options list-options owners) owners)
               (with-handle (list
                             (with-errors (slot native)
                               (fewer-list-open (current-handle) bytes length options
                                                (struct-size list-options) list slot))
                             fewer-list-close)
                 (list-rows list))))
        (if owners
            (with-owners (handle) (rows handle))
            (rows (null-pointer)))))))
