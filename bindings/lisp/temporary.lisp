;;;; temporary.lisp - files without a name.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer)

(defvar *temporary-directory*
  (let ((folder (uiop:getenv "TMPDIR")))
    (native-pathname (if (and folder (plusp (length folder))) folder "/tmp") :as-directory t))
  "Where temporary files are made: what TMPDIR says, or /tmp.")

(defconstant +eexist+ 17 "File exists, on every Linux.")

(defun random-name ()
  (let ((state (load-time-value (make-random-state t)))
        (letters "abcdefghijklmnopqrstuvwxyz0123456789"))
    (coerce (loop repeat 12 collect (char letters (random 36 state))) 'string)))

(defun create-file (path)
  "Makes the file PATH, which must not be there, for its owner alone, and closes it."
  (with-foreign-object (descriptor :int)
    (call-at-path (lambda (scope bytes length slot)
                   (fewer-scope-create scope bytes length #o600 descriptor slot))
                 path)
    (cffi:foreign-funcall "close" :int (mem-ref descriptor :int) :int)))

(defun create-temporary (template)
  "Makes a file whose name is TEMPLATE, a native path, and something random; returns its path."
  (loop
    (let ((path (concatenate 'string template (random-name))))
      (handler-case (progn (create-file path) (return path))
        (file-system-error (condition)
          (unless (eql +eexist+ (error-number condition))
            (error condition)))))))

(defun open-temporary-file (&key (pathspec *temporary-directory*) (element-type 'character)
                              (external-format :default))
  "A stream for input and output to a new file, whose name is removed already. Something random is
put behind the name PATHSPEC, which lies in *TEMPORARY-DIRECTORY* unless it says another. The second
value is NIL. Price: two openat, a close and an unlinkat."
  (let* ((template (native-namestring (merge-pathnames pathspec *temporary-directory*)))
         (path (create-temporary template)))
    (unwind-protect
         (values (open (native-pathname path) :direction :io :if-exists :overwrite
                                              :element-type element-type
                                              :external-format external-format)
                 nil)
      (call-at-path #'fewer-scope-remove-file path))))

(defmacro with-temporary-file ((stream &key (pathspec '*temporary-directory*)
                                         (element-type ''character) (external-format :default))
                               &body body)
  "Evaluates BODY with STREAM connected to a temporary file, as OPEN-TEMPORARY-FILE makes it, which
is closed in the end."
  `(with-open-stream (,stream (open-temporary-file :pathspec ,pathspec
                                                   :element-type ,element-type
                                                   :external-format ,external-format))
     ,@body))
