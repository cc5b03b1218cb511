;;;; library.lisp - finds libfewer.so and opens it, and does so again when an image starts.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; Three places, in this order: the file that FEWER_LIBRARY names; target/release of the source
;;;; tree that this file lies in; wherever the loader looks.

(in-package #:fewer)

#+big-endian (error "fewer reads the library's tables as little-endian machines have them.")

(defparameter *built-library*
  (asdf:system-relative-pathname "fewer" "../../target/release/libfewer.so")
  "Where cargo puts the library.")

(defun library-candidates ()
  (let ((path (uiop:getenv "FEWER_LIBRARY")))
    (cond ((and path (plusp (length path)))
           (list path))
          ((probe-file *built-library*)
           (list (uiop:native-namestring (truename *built-library*)) "libfewer.so"))
          (t
           (list "libfewer.so")))))

(defun open-library ()
  "Opens the first of the candidates that can be opened."
  (let ((failures '()))
    (dolist (candidate (library-candidates))
      (eval `(cffi:define-foreign-library libfewer (t ,candidate)))
      (handler-case (return-from open-library (cffi:load-foreign-library 'libfewer))
        (error (failure) (push (format nil "~A: ~A" candidate failure) failures))))
    (error "libfewer.so cannot be loaded. Build it with `cargo libfewer`, ~
            or let FEWER_LIBRARY name it.~{~%~A~}"
           (reverse failures))))

(defun close-library ()
  (cffi:close-foreign-library 'libfewer))

;;; An image that starts may find the library elsewhere. SBCL would open all that was open, from
;;; where it was, before the program can say where it is now; so it is closed before the image is
;;; saved.
#+sbcl (pushnew 'close-library sb-ext:*save-hooks*)
#+sbcl (pushnew 'load-library sb-ext:*init-hooks*)
#-sbcl (uiop:register-image-restore-hook 'load-library nil)

(open-library)
