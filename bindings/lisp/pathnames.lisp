;;;; pathnames.lisp - names of one directory after the other to pathnames, in bulk.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; What a pathname costs is what its parts cost. All files of a directory share the list of its
;;;; components; on SBCL they are copies of one pathname, with the name and the type put in, which
;;;; spares the table that MAKE-PATHNAME looks each one up in.

(in-package #:fewer)

(defun made-template (directory)
  "What TEMPLATE is where pathnames cannot be copied."
  (make-native-pathname directory "name" "type"))

;;; SBCL. Which words of memory a pathname consists of is found out from an example. If that looks
;;; other than expected, or a pathname that is made so is not EQUAL to what MAKE-PATHNAME makes, the
;;; slow way is taken.

#+sbcl
(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun internal (name)
    (find-symbol name "SB-KERNEL"))
  (when (and (internal "%MAKE-INSTANCE") (internal "%INSTANCE-WRAPPER")
             (internal "%INSTANCE-REF") (internal "%INSTANCE-LENGTH")
             (find-symbol "PATHNAME-SXHASH" "SB-IMPL"))
    (pushnew 'pathnames-can-be-copied *features*)))

#+(and sbcl #.(cl:if (cl:member 'fewer::pathnames-can-be-copied cl:*features*) '(and) '(or)))
(progn
  (defun slot-of (part pathname)
    "The word of PATHNAME that holds PART."
    (loop for i from sb-vm:instance-data-start below (sb-kernel:%instance-length pathname)
          when (eq part (sb-kernel:%instance-ref pathname i)) return i))

  (defparameter *example* (made-template '(:absolute "directory")))
  (defparameter *name-slot* (or (slot-of (pathname-name *example*) *example*) 0))
  (defparameter *type-slot* (or (slot-of (pathname-type *example*) *example*) 0))
  (defparameter *directory-slot*
    (or (loop for i from sb-vm:instance-data-start below (sb-kernel:%instance-length *example*)
              for part = (sb-kernel:%instance-ref *example* i)
              when (and (consp part) (eq (car part) (pathname-directory *example*))
                        (integerp (cdr part)))
                return i)
        0)
    "The word that holds the directory and its hash.")
  (declaim (type (unsigned-byte 8) *name-slot* *type-slot* *directory-slot*))

  (declaim (inline copy-pathname))
  (defun copy-pathname (template name type)
    "A pathname like TEMPLATE but for name and type."
    (declare (optimize speed (safety 0)))
    (let ((copy (sb-kernel:%make-instance 7)))
      (setf (sb-kernel:%instance-wrapper copy) (sb-kernel:%instance-wrapper template))
      (loop for i of-type fixnum from sb-vm:instance-data-start below 7
            do (setf (sb-kernel:%instance-ref copy i) (sb-kernel:%instance-ref template i)))
      (setf (sb-kernel:%instance-ref copy *name-slot*) name
            (sb-kernel:%instance-ref copy *type-slot*) type)
      (sb-ext:truly-the pathname copy)))

  (defun copy-template (directory)
    "What TEMPLATE makes, which is looked up nowhere."
    (let ((copy (copy-pathname *example* "name" "type")))
      (setf (sb-kernel:%instance-ref copy *directory-slot*)
            (cons directory (funcall 'sb-impl::pathname-sxhash directory)))
      copy))

  (defun copies-are-pathnames-p ()
    (and (= 7 (sb-kernel:%instance-length *example*))
         (plusp *name-slot*) (plusp *type-slot*) (plusp *directory-slot*)
         (fboundp 'sb-impl::pathname-sxhash)
         (let* ((directory (list :absolute "x" "y.z"))
                (made (make-pathname :directory directory :name "a.b" :type "c"
                                     :defaults *example*))
                (copy (copy-pathname (copy-template directory) "a.b" "c")))
           (and (equal made copy) (= (sxhash made) (sxhash copy))
                (string= (namestring made) (namestring copy))
                (not (equal copy *example*))))))

  (defparameter *copies-are-pathnames* (copies-are-pathnames-p)
    "Whether the quick way is taken."))

(defun template (directory)
  "A pathname that the files of DIRECTORY, a fresh list, are made after."
  #+(and sbcl #.(cl:if (cl:member 'fewer::pathnames-can-be-copied cl:*features*) '(and) '(or)))
  (when (and *copies-are-pathnames* (null *device*))
    (return-from template (copy-template directory)))
  (made-template directory))

(declaim (inline child-pathname))
(defun child-pathname (template name type)
  "The pathname of a file with that name and type, beside TEMPLATE."
  #+(and sbcl #.(cl:if (cl:member 'fewer::pathnames-can-be-copied cl:*features*) '(and) '(or)))
  (when *copies-are-pathnames*
    (return-from child-pathname (copy-pathname template name type)))
  (make-pathname :name name :type type :defaults template))

(defun block-dot (block start end)
  "Where the dot is that divides name and type in a block; NIL if there is none."
  (declare (type block-of-bytes block) (type index start end) (optimize speed (safety 0)))
  (loop for i of-type index from (1- end) above start
        when (= 46 (block-byte block i)) return i))

(declaim (inline block-pathname))
(defun block-pathname (template block start end)
  "The pathname of the file whose name is in a block."
  (let ((dot (block-dot block start end)))
    (if dot
        (child-pathname template (block-name block start dot) (block-name block (1+ dot) end))
        (child-pathname template (block-name block start end) nil))))
