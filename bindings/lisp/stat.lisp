;;;; stat.lisp - metadata.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer)

(defstruct (stat (:copier nil))
  "The metadata of a file. Fields that were not requested are 0, times NIL. A time is
seconds since 1970-01-01T00:00:00Z, and nanoseconds after that second: (SECONDS . NANOSECONDS). A
device is (MAJOR . MINOR)."
  (kind :unknown) (permissions 0) (size 0) (allocated 0) (inode 0) (device nil) (links 0)
  (user 0) (group 0) (special nil) (accessed nil) (modified nil) (changed nil) (created nil))

(defparameter *fields*
  #(:kind :permissions :owner :size :links :inode :allocated :accessed :modified :changed :created)
  "The fields that can be requested, by FEWER_FIELD_KIND and the like.")

(defun fields-mask (fields)
  (if (eq fields t)
      (1- (ash 1 (length *fields*)))
      (mask fields *fields* "field")))

(defun signed (number bits)
  (if (logbitp (1- bits) number) (- number (ash 1 bits)) number))

(defun read-time (table word)
  (when (= 1 (word table (+ word 3)))
    (cons (signed (long-word table word) 64) (word table (+ word 2)))))

(defun read-stat (table word)
  "The fewer_stat that begins at a word of a table."
  (let ((bits (word table (+ word 29))))
    (make-stat :inode (long-word table word)
               :size (long-word table (+ word 2))
               :allocated (long-word table (+ word 4))
               :device (cons (word table (+ word 6)) (word table (+ word 7)))
               :accessed (read-time table (+ word 8))
               :modified (read-time table (+ word 12))
               :changed (read-time table (+ word 16))
               :created (read-time table (+ word 20))
               :links (word table (+ word 24))
               :user (word table (+ word 25))
               :group (word table (+ word 26))
               :special (cons (word table (+ word 27)) (word table (+ word 28)))
               :permissions (ldb (byte 16 0) bits)
               :kind (svref *kinds* (ldb (byte 8 16) bits)))))

(defun stat-file (path &key follow (fields t))
  "The metadata of PATH, as a STAT; of what a link leads to with FOLLOW. FIELDS is a list of :KIND,
:PERMISSIONS, :OWNER, :SIZE, :LINKS, :INODE, :ALLOCATED, :ACCESSED, :MODIFIED, :CHANGED, :CREATED;
the kernel may answer cheaper for fewer.
Price: one statx."
  (with-path (bytes length path native)
    (with-foreign-object (stat :uint32 +stat-words+)
      (with-errors (slot native)
        (fewer-scope-stat (current-handle) bytes length (fields-mask fields) (if follow 1 0)
                          stat slot))
      (read-stat (fetch-words stat +stat-words+) 0))))

;;; Owners.

(defmacro with-owners ((variable) &body body)
  `(let ((,variable (fewer-owners-open)))
     (unwind-protect (progn ,@body)
       (fewer-owners-close ,variable))))

(defun owner-name (ask number)
  (with-owners (owners)
    (with-foreign-object (needed :unsigned-long)
      (with-foreign-object (buffer :uint8 1024)
        (when (zerop (funcall ask owners number buffer 1024 needed))
          (fetch-name buffer (mem-ref needed :unsigned-long)))))))

(defun user-name (number)
  "The name of a user, or NIL. Price: one read each of nsswitch.conf and passwd; for a number that
they lack what the machine's name services cost. LIST-ENTRIES asks once for all."
  (owner-name #'fewer-owners-user number))

(defun group-name (number)
  "The name of a group, or NIL. Price: as USER-NAME, with the file group."
  (owner-name #'fewer-owners-group number))

;;; What it has cost.

(defun calls ()
  "How often each system call was made through the library by all threads so far, as a list of
(NAME . COUNT), the most frequent first. Price: none."
  (let* ((size (struct-size call-count))
         (capacity (fewer-calls (null-pointer) 0)))
    (with-foreign-object (rows :uint8 (* size (max capacity 1)))
      (loop for i below (min capacity (fewer-calls rows capacity))
            for row = (cffi:inc-pointer rows (* i size))
            collect (cons (fetch-text row) (field row call-count count))))))
