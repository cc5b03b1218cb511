;;;; snapshot.lisp - what a walk found, kept; and what has changed since.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer)

(defstruct (snapshot (:constructor wrap-snapshot (handle)) (:copier nil))
  "The directories below some paths, and the names in each; in memory until CLOSE-SNAPSHOT."
  (handle nil))

(defmethod print-object ((snapshot snapshot) stream)
  (print-unreadable-object (snapshot stream :type t)
    (if (snapshot-handle snapshot)
        (format stream "~D entries" (snapshot-entries snapshot))
        (write-string "closed" stream))))

(defun snapshot-pointer (snapshot)
  (or (snapshot-handle snapshot)
      (complain "The snapshot is closed.")))

(defmacro taking-snapshot ((place) &body body)
  "The snapshot that BODY puts into PLACE."
  `(with-foreign-object (,place :pointer)
     (setf (mem-ref ,place :pointer) (null-pointer))
     (let ((snapshot (wrap-snapshot nil)))
       ,@body
       (setf (snapshot-handle snapshot) (mem-ref ,place :pointer))
       snapshot)))

(defun drain-walk (walk)
  "Goes through a walk for the sake of what is recorded."
  (block walking
    (flet ((stop () (return-from walking nil)))
      (do-batches (walk block entries count failures failures-count) #'stop))))

(defun recorded (walk)
  "The snapshot of a walk, which is gone through."
  (drain-walk walk)
  (taking-snapshot (place)
    (with-errors (slot ".")
      (fewer-walk-snapshot walk place slot))))

(defun make-snapshot (roots &rest options
                      &key stat since exclude max-depth (hidden t) gitignore one-file-system
                        ignore-case full-path (threads 0) (max-threads 0))
  "Walks over the trees at ROOTS, a path or a list of paths, and keeps what was found: names, kinds
and inodes; with STAT also size, permissions and times of each entry. All names of a directory that
is entered are in it. With SINCE what did not change is taken from that snapshot. The other options
are those of WALK that say which directories are entered; CHANGES has them again. An entry that
cannot be looked at is an error with the restarts SKIP-ENTRY and STOP-WALK.
Price: one statx a directory besides the walk; with STAT one an entry."
  (declare (ignore since exclude max-depth hidden gitignore one-file-system ignore-case full-path
                   threads max-threads))
  (apply #'call-with-walk #'recorded roots :record (if stat :stat :names)
         (uiop:remove-plist-key :stat options)))

(defun read-snapshot (path)
  "The snapshot in a file, which the command and the other languages may have written.
Price: openat, statx, one read for the first 64 KiB and one for the rest, close."
  (let ((native (from-here path)))
    (with-octets-at (bytes length (name-octets native))
      (taking-snapshot (place)
        (with-errors (slot native)
          (fewer-snapshot-read bytes length place slot))))))

(defun write-snapshot (snapshot path)
  "Writes a snapshot to a file, which is the old one until the new one is whole and on the disk.
Price: about a dozen calls, two fdatasync among them."
  (let ((native (from-here path)))
    (with-octets-at (bytes length (name-octets native))
      (with-errors (slot native)
        (fewer-snapshot-write (snapshot-pointer snapshot) bytes length slot))))
  nil)

(defun from-here (path)
  "A path as the process finds it: the library takes the files of snapshots from there."
  (let ((native (relative-to-defaults (native-path path))))
    (if (and *scope* (not (absolute-path-p native)))
        (concatenate 'string (string-right-trim "/" (scope-path :physical t)) "/" native)
        native)))

(defun close-snapshot (snapshot)
  "Frees the memory of a snapshot; doing so twice does nothing. Price: none."
  (let ((handle (shiftf (snapshot-handle snapshot) nil)))
    (when handle (fewer-snapshot-close handle)))
  nil)

(defmacro with-snapshot ((variable snapshot) &body body)
  "Evaluates BODY with VARIABLE a snapshot, which is closed then.

    (with-snapshot (before (read-snapshot \"src.snapshot\")) (changes before))"
  `(let ((,variable nil))
     (unwind-protect (progn (setf ,variable ,snapshot) ,@body)
       (when ,variable (close-snapshot ,variable)))))

(defmacro snapshot-fact (snapshot slot)
  `(with-zeroed (facts snapshot-facts)
     (with-errors (slot ".")
       (fewer-snapshot-facts-of (snapshot-pointer ,snapshot) facts slot))
     (field facts snapshot-facts ,slot)))

(defun snapshot-entries (snapshot)
  "How many entries there are in all directories, without the roots. Price: none."
  (snapshot-fact snapshot entries))

(defun snapshot-directories (snapshot)
  "How many directories were found. Price: none."
  (snapshot-fact snapshot directories))

(defun snapshot-bytes (snapshot)
  "How many bytes its file has. Price: none."
  (snapshot-fact snapshot bytes))

(defun snapshot-has-stat-p (snapshot)
  "Whether it has size, permissions and times of each entry. Price: none."
  (= 1 (snapshot-fact snapshot has-stat)))

(defun snapshot-now (snapshot &key (threads 0))
  "What is there now where SNAPSHOT was made, with the options that it was made with: another one.
Price: one statx a directory, and 6 calls more for one that changed; of a snapshot with metadata
also one statx an entry."
  (let ((above (and (not *scope*) (defaults-directory))))
    (if above
        (with-scope (above) (snapshot-now snapshot :threads threads))
        (with-handle (walk
                      (with-errors (slot ".")
                        (fewer-snapshot-walk (snapshot-pointer snapshot) (current-handle) threads
                                             walk slot))
                      fewer-walk-close)
          (recorded (mem-ref walk :pointer))))))

;;; Changes.

(defstruct (change (:constructor make-change (change path from kind)) (:copier nil))
  "A difference between two snapshots. CHANGE-CHANGE is :REMOVED, :RENAMED, :ADDED or :CHANGED,
CHANGE-PATH the path now or, if it is gone, before; CHANGE-FROM the path before of what was renamed,
else NIL; CHANGE-KIND what it is, or was."
  (change :changed :read-only t) (path "" :read-only t) (from nil :read-only t)
  (kind :unknown :read-only t))

(defmethod print-object ((change change) stream)
  (print-unreadable-object (change stream :type t)
    (format stream "~S ~@[~S to ~]~S" (change-change change) (change-from change)
            (change-path change))))

(defun read-change (block table word)
  (flet ((text (at)
           (let ((start (word table (+ word at))) (length (word table (+ word at 1))))
             (when (plusp length) (block-name block start (+ start length))))))
    (make-change (svref *changes* (word table (+ word 4))) (or (text 0) "") (text 2)
                 (svref *kinds* (logand 7 (word table (+ word 5)))))))

(defun changes-between (before after)
  (let ((collected '()))
    (with-handle (changes
                  (with-errors (slot ".")
                    (fewer-changes-open (snapshot-pointer before) (snapshot-pointer after)
                                        changes slot))
                  fewer-changes-close)
      (with-zeroed (batch change-batch)
        (loop
          (with-errors (slot ".")
            (fewer-changes-next (mem-ref changes :pointer) batch slot))
          (when (null-pointer-p (field batch change-batch bytes))
            (return (nreverse collected)))
          (let* ((count (field batch change-batch changes-count))
                 (block (fetch-block (field batch change-batch bytes)
                                     (field batch change-batch bytes-length)))
                 (table (fetch-words (field batch change-batch changes)
                                     (* +change-words+ count))))
            (dotimes (i count)
              (push (read-change block table (* i +change-words+)) collected))))))))

(defun changes (before &optional after)
  "What is different in the snapshot AFTER, or now where BEFORE was made, as a list of CHANGEs in
the order of their paths. The new tree follows from the old one by them: first what was removed
goes, then what was renamed gets its new path, then comes what was added.
Price: none for another snapshot; else that of SNAPSHOT-NOW."
  (if after
      (changes-between before after)
      (with-snapshot (now (snapshot-now before))
        (changes-between before now))))
