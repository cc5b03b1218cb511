;; Compiles the snippets in the folder of the first argument: all of each, as a function. Warnings
;; are failures.
;; A new ASDF is compiled when it is first needed, and says so; only complaints are to be printed.
(let ((*standard-output* (make-broadcast-stream)))
  (mapc #'require '(:asdf :sb-posix :sb-bsd-sockets)))

(defpackage :snippets (:use :common-lisp) (:shadow #:block))
(in-package :snippets)

;; What programs have of their own.
(defmacro define-own (&rest names)
  `(progn ,@(loop for name in names
                  collect `(defun ,name (&rest what) (declare (ignore what)) nil))))
(define-own enter found missing handle save search-for update work)

(defparameter *names*
  '(path directory folder name names places item items line lines from to number size uid state
    show-attributes host socket in out fd octets))

(defun forms (file)
  (with-open-file (stream file)
    (let ((*package* (find-package :snippets)))
      (loop for form = (read stream nil stream) until (eq form stream) collect form))))

;; What the compiler does not like; functions that are not there are known at the end of the unit.
(defun complaints (file)
  (let ((found '()) (*error-output* (make-broadcast-stream)))
    (handler-bind ((warning (lambda (it) (push (princ-to-string it) found) (muffle-warning it))))
      (handler-case
          (with-compilation-unit (:override t)
            (compile nil `(lambda ,*names* (declare (ignorable ,@*names*)) ,@(forms file))))
        (error (it) (push (princ-to-string it) found))))
    found))

(let ((failed nil))
  (dolist (file (directory (format nil "~a/*.*" (second sb-ext:*posix-argv*))))
    (let ((found (complaints file)))
      (when found
        (setf failed t)
        (format t "~a: ~{~a~^; ~}~%" (file-namestring file) found))))
  (sb-ext:exit :code (if failed 1 0)))
