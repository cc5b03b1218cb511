;;;; scope.lisp - a working directory as a value.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer)

(defstruct (scope (:constructor make-scope (handle argument)) (:copier nil))
  "A directory that relative paths are taken from, held open."
  (handle nil)
  (argument "" :type string :read-only t))

(defmethod print-object ((scope scope) stream)
  (print-unreadable-object (scope stream :type t)
    (format stream "~S~:[ closed~;~]" (scope-argument scope) (scope-handle scope))))

(defvar *scope* nil
  "The scope that relative paths are taken from; NIL outside of WITH-SCOPE.")

(defun open-scope-handle (scope)
  (or (scope-handle scope)
      (complain "The scope ~S is closed." (scope-argument scope))))

(defun relative-to-defaults (path)
  "A native path with the directory of *DEFAULT-PATHNAME-DEFAULTS* in front, if it is relative and
no scope is there to take it from."
  (if (or *scope* (absolute-path-p path))
      path
      (let ((above (defaults-directory)))
        (if above (concatenate 'string above path) path))))

(defun defaults-directory ()
  "The directory of *DEFAULT-PATHNAME-DEFAULTS* as a native path that ends in a slash, or NIL."
  (when (pathname-directory *default-pathname-defaults*)
    (native-namestring (make-pathname :name nil :type nil :version nil
                                      :defaults *default-pathname-defaults*))))

(defun current-handle ()
  "The scope that a call is made in; no pointer at all is the directory of the process."
  (if *scope* (open-scope-handle *scope*) (null-pointer)))

(defmacro with-path ((pointer length path &optional (native (gensym "PATH"))) &body body)
  "PATH, a designator, as bytes in foreign memory, to be taken from CURRENT-HANDLE. NATIVE is the
string that was passed."
  `(let ((,native (relative-to-defaults (native-path ,path))))
     (with-octets-at (,pointer ,length (name-octets ,native))
       ,@body)))

(defun enter-scope (path &key logical)
  "A scope for the directory PATH, to be closed with CLOSE-SCOPE; WITH-SCOPE does that by itself.
LOGICAL: `..` takes the last name off the path, as a shell's cd has it.
Price: one openat now, one close later."
  (with-path (bytes length path native)
    (with-foreign-object (entered :pointer)
      (setf (mem-ref entered :pointer) (null-pointer))
      (let ((scope (make-scope nil native)))
        (with-errors (slot native)
          (if logical
              (fewer-scope-enter-logical (current-handle) bytes length entered slot)
              (fewer-scope-enter (current-handle) bytes length entered slot)))
        (setf (scope-handle scope) (mem-ref entered :pointer))
        scope))))

(defun close-scope (scope)
  "Closes a scope; doing so twice does nothing. Price: one close, if it was the last handle."
  (let ((handle (shiftf (scope-handle scope) nil)))
    (when handle (fewer-scope-close handle)))
  nil)

(defmacro with-scope ((path &key (variable (gensym "SCOPE")) logical) &body body)
  "Evaluates BODY with relative paths taken from the directory PATH. The process and other threads
stay where they are. VARIABLE names a variable for the scope.
Price: one openat and one close.

    (with-scope (\"/usr/share/doc\") (list-entries \"bash\"))"
  `(let ((,variable nil))
     (unwind-protect
          (let ((*scope* (setf ,variable (enter-scope ,path :logical ,logical))))
            ,@body)
       (when ,variable (close-scope ,variable)))))

(defun read-sized (call native)
  "A native string that CALL writes into a buffer: a function of the buffer, its capacity, the place
for the length, and that for an error."
  (let ((capacity 4097))
    (loop
      (with-foreign-object (needed :unsigned-long)
        (setf (mem-ref needed :unsigned-long) 0)
        (with-foreign-object (buffer :uint8 capacity)
          (with-foreign-object (slot :pointer)
            (setf (mem-ref slot :pointer) (null-pointer))
            (let ((status (funcall call buffer capacity needed slot))
                  (length (mem-ref needed :unsigned-long)))
              (when (zerop status)
                (return (fetch-name buffer length)))
              (let ((condition (take-error status slot native)))
                (when (< length capacity)
                  (error condition))))))
        (setf capacity (1+ (mem-ref needed :unsigned-long)))))))

(defun scope-path (&key (scope *scope*) physical)
  "The path of a scope, or of the process's directory, as a native string: the words that led there,
or without links as the kernel has it (PHYSICAL).
Price: none for the scope of an absolute path, else 1 to 3 calls; PHYSICAL one readlinkat."
  (let ((handle (if scope (open-scope-handle scope) (null-pointer))))
    (read-sized (lambda (buffer capacity needed slot)
                  (if physical
                      (fewer-scope-physical handle buffer capacity needed slot)
                      (fewer-scope-logical handle buffer capacity needed slot)))
                ".")))
