;;;; errors.lisp - what went wrong: conditions with the kernel's number and the path, and restarts.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer)

(define-condition system-error (error)
  ((code :initarg :code :initform nil :reader system-error-code
         :documentation "The kernel's number, or NIL.")
   (message :initarg :message :initform "" :reader system-error-message
            :documentation "The message for people."))
  (:report (lambda (condition stream)
             (write-string (system-error-message condition) stream)))
  (:documentation "All errors of this library are of this class."))

(define-condition file-system-error (system-error file-error)
  ((path :initarg :path :reader error-path
         :documentation "The path in question, as a native string.")
   (action :initarg :action :initform :unknown-error :reader error-action
           :documentation "What was being done, as a keyword: :OPEN-DIRECTORY, as the
FEWER_ACTION_... of include/fewer.h; else :UNKNOWN-ERROR."))
  (:documentation
   "A call that the kernel refused. ERROR-NUMBER is its number, ERROR-PATH the path, ERROR-MESSAGE
the sentence \"cannot open directory 'x': Permission denied\". It is a FILE-ERROR as well."))

(defun error-number (condition)
  "The kernel's number (errno), or NIL."
  (system-error-code condition))

(defgeneric system-error-identifier (condition)
  (:documentation "What was being done, as osicat has it: the ERROR-ACTION; else :UNKNOWN-ERROR.")
  (:method ((condition system-error)) :unknown-error)
  (:method ((condition file-system-error)) (error-action condition)))

(defun error-message (condition)
  "The message for people: \"cannot open directory 'x': Permission denied\"."
  (system-error-message condition))

(define-condition decoding-error (file-system-error)
  ((line :initarg :line :reader decoding-error-line
         :documentation "The number of the line, from 1.")
   (offset :initarg :offset :reader decoding-error-offset
           :documentation "Bytes of the input before the first bad one.")
   (column :initarg :column :reader decoding-error-column
           :documentation "Bytes of the line before it."))
  (:documentation "A line that is not UTF-8, or not of base characters where these are wanted."))

(defun complain (control &rest arguments)
  (error 'system-error :message (apply #'format nil control arguments)))

(defun take-error (status slot path)
  "The condition for the number that a call returned and the error that it left in SLOT, which is
freed."
  (let ((error (mem-ref slot :pointer)))
    (if (null-pointer-p error)
        (make-condition 'file-system-error
                        :code status :path path :pathname (safe-pathname path)
                        :message (format nil "'~A': error ~D" path status))
        (unwind-protect
             (with-foreign-object (length :unsigned-long)
               (let* ((bytes (fewer-error-path error length))
                      (path (fetch-name bytes (mem-ref length :unsigned-long))))
                 (make-condition 'file-system-error
                                 :code (fewer-error-number error)
                                 :message (fetch-text (fewer-error-message error))
                                 :action (action-of (fewer-error-action error))
                                 :path path :pathname (safe-pathname path))))
          (setf (mem-ref slot :pointer) (null-pointer))
          (fewer-error-free error)))))

(defun safe-pathname (path)
  "The pathname of a native PATH; NIL if this Lisp cannot have one."
  (ignore-errors (native-pathname path)))

(defmacro with-errors ((slot path) call)
  "Evaluates CALL, whose last argument is SLOT; signals the error that it leaves there. PATH is what
the error is about where the library does not say."
  (let ((status (gensym "STATUS")))
    `(with-foreign-object (,slot :pointer)
       (setf (mem-ref ,slot :pointer) (null-pointer))
       (let ((,status ,call))
         (unless (zerop ,status)
           (error (take-error ,status ,slot ,path)))))))

(defmacro with-handle ((place open close) &body body)
  "PLACE is memory for a handle, which OPEN fills. The handle is closed whatever becomes of BODY; no
interrupt finds it open and unknown."
  `(with-foreign-object (,place :pointer)
     (setf (mem-ref ,place :pointer) (null-pointer))
     (unwind-protect (progn ,open ,@body)
       (,close (mem-ref ,place :pointer)))))

(defun skip-entry (&optional condition)
  "Goes on behind the entry that could not be looked at: the restart of this name."
  (let ((restart (find-restart 'skip-entry condition)))
    (when restart (invoke-restart restart))))

(defun stop-walk (&optional condition)
  "Ends the walk, which returns what it has: the restart of this name."
  (let ((restart (find-restart 'stop-walk condition)))
    (when restart (invoke-restart restart))))
