;;;; library.lisp - finds libfewer.so (fewer.dll) and opens it, again when an image starts.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; Places, in this order: the file that FEWER_LIBRARY names; target/release of the source tree
;;;; that this file lies in; on Windows the folder of fewer.asd; wherever the loader looks.

(in-package #:fewer)

#+big-endian (error "fewer reads the library's tables as little-endian machines have them.")

(defparameter *built-library*
  (asdf:system-relative-pathname
   "fewer" (format nil "../../target/release/~A" (library-file *windows-p*)))
  "Where cargo puts the library.")

(defparameter *library-beside* (asdf:system-relative-pathname "fewer" (library-file *windows-p*))
  "Where it may be put beside the system's definition.")

(defun library-candidates ()
  (flet ((there (pathname)
           (let ((file (probe-file pathname)))
             (and file (uiop:native-namestring file)))))
    (candidates (uiop:getenv "FEWER_LIBRARY") (there *built-library*) (there *library-beside*)
                *windows-p*)))

(defun open-library ()
  "Opens the first of the candidates that can be opened."
  (let ((failures '()))
    (dolist (candidate (library-candidates))
      (eval `(cffi:define-foreign-library libfewer (t ,candidate)))
      (handler-case (return-from open-library (cffi:load-foreign-library 'libfewer))
        (error (failure) (push (format nil "~A: ~A" candidate failure) failures))))
    (error "~A cannot be loaded. Build it with `cargo libfewer`, ~
            or let FEWER_LIBRARY name it.~{~%~A~}"
           (library-file *windows-p*) (reverse failures))))

(defun close-library ()
  (cffi:close-foreign-library 'libfewer))

;;; An image that starts may find the library elsewhere. SBCL would open all that was open, from
;;; where it was, before the program can say where it is now; so it is closed before the image is
;;; saved.
#+sbcl (pushnew 'close-library sb-ext:*save-hooks*)
#+sbcl (pushnew 'load-library sb-ext:*init-hooks*)
#-sbcl (uiop:register-image-restore-hook 'load-library nil)

(open-library)
