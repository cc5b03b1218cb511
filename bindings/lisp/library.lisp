;;;; library.lisp - finds libfewer.so, loads it, and finds it again when an image starts.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; Three places, in this order: the file that FEWER_LIBRARY names; target/release of the source
;;;; tree that this file lies in; wherever the loader looks.

(in-package #:fewer)

#+big-endian (error "fewer reads the library's tables as little-endian machines have them.")

(defconstant +abi-version+ 1
  "The FEWER_ABI_VERSION that foreign.lisp was written for.")

(defvar *library* nil
  "What CFFI calls the library that is loaded.")

(defparameter *built-library*
  (asdf:system-relative-pathname "fewer" "../../target/release/libfewer.so")
  "Where cargo puts the library.")

(defun library-candidates ()
  (let ((told (uiop:getenv "FEWER_LIBRARY")))
    (cond ((and told (plusp (length told)))
           (list (uiop:parse-native-namestring told)))
          ((probe-file *built-library*)
           (list (truename *built-library*) "libfewer.so"))
          (t
           (list "libfewer.so")))))

(defun load-library ()
  "Loads libfewer.so and returns its version. It is done when the system is loaded and when an image
starts; do it again to change over to another file."
  (when *library*
    (cffi:close-foreign-library (shiftf *library* nil)))
  (let ((failures '()))
    (dolist (candidate (library-candidates))
      (handler-case (setf *library* (cffi:load-foreign-library candidate))
        (error (failure) (push (format nil "~A: ~A" candidate failure) failures)))
      (when *library*
        (check-abi-version)
        (return-from load-library (library-version))))
    (error "libfewer.so cannot be loaded. Build it with `cargo build --release -p fewer-c-abi`, ~
            or let FEWER_LIBRARY name it.~{~%~A~}"
           (reverse failures))))

(defun check-abi-version ()
  (let ((found (cffi:foreign-funcall "fewer_abi_version" :unsigned-int)))
    (unless (= found +abi-version+)
      (error "libfewer.so has version ~D of its interface; this is for version ~D."
             found +abi-version+))))

(defun library-version ()
  "The version of libfewer.so, as a string. Price: none."
  (cffi:foreign-funcall "fewer_version" :string))

(defun forget-library ()
  (setf *library* nil))

;;; An image that starts may find the library elsewhere. SBCL would open all that was open, from
;;; where it was, before anybody can say where it is now; so it is closed before the image is saved.
#+sbcl (pushnew 'close-library sb-ext:*save-hooks*)
#+sbcl (pushnew 'load-library sb-ext:*init-hooks*)
#+sbcl (defun close-library ()
         (cffi:close-foreign-library (shiftf *library* nil)))
#-sbcl (uiop:register-image-dump-hook 'forget-library)
#-sbcl (uiop:register-image-restore-hook 'load-library nil)

(load-library)
