;;;; names.lisp - names of files: the kernel's bytes, strings, pathnames.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; A name becomes the string that the Lisp's own pathnames have for it, so that OPEN finds it.
;;;; That is UTF-8; but ECL has names byte by byte, a character for each. A byte that is no UTF-8
;;;; becomes a character U+DC80 to U+DCFF, and the same byte again on the way back, so no name is
;;;; lost; such a name is understood by this library alone, as the Lisp itself has no string for it.
;;;; On Windows all that is no UTF-8 in a name is halves of surrogate pairs, which are characters.

(in-package #:fewer)

(declaim (inline block-name))
(defun block-name (block start end)
  "A name out of a block as a string."
  (declare (type block-of-bytes block) (type index start end))
  #+ecl (subseq block start end)
  #-ecl (cond ((ascii-block-p block start end) (block-ascii block start end))
              (*windows-p* (joined-surrogates (decode-utf8 block start end :escape)))
              (t (decode-utf8 block start end :escape))))

(defun name-octets (name)
  "The kernel's bytes for a name or path that is a string."
  (declare (type string name))
  (if (every (lambda (char) (< (char-code char) #+ecl 256 #-ecl 128)) name)
      (map 'octets #'char-code name)
      (encode-utf8 name)))

(defun fetch-name (pointer length)
  "A name at a foreign address as a string."
  (block-name (fetch-block pointer length) 0 length))

(defun fetch-text (pointer)
  "UTF-8 that ends with a NUL, such as a message, as a string."
  (let* ((length (loop for i from 0
                       when (zerop (mem-ref pointer :uint8 i)) return i))
         (block (fetch-block pointer length)))
    (if (ascii-block-p block 0 length)
        (block-ascii block 0 length)
        (decode-utf8 block 0 length (code-char #xFFFD)))))

;;; Pathnames.

(declaim (ftype function complain))     ; errors.lisp

(defun native-namestring (pathspec)
  "The name that the kernel has for PATHSPEC, as a string: nothing in it is escaped. Signals a
SYSTEM-ERROR for a wild pathname. Price: none."
  (let ((pathname (translate-logical-pathname (pathname pathspec))))
    (when (wild-pathname-p pathname)
      (complain "Pathname is wild: ~S." pathname))
    (cffi-sys:native-namestring pathname)))

(defun native-path (path)
  "What a designator of a path is to the kernel: a string is that already."
  (etypecase path
    (string path)
    (pathname (native-namestring path))))

(defun absolute-path-p (path)
  (native-absolute-p path *windows-p*))

(defun split-name (name)
  "Name and type of the pathname that a file of this name has: the last dot divides them, unless it
is the first character."
  (let ((dot (position #\. name :from-end t)))
    (if (and dot (plusp dot))
        (values (subseq name 0 dot) (subseq name (1+ dot)))
        (values name nil))))

(defparameter *host* (pathname-host (truename "/"))
  "The host of pathnames that are none of a logical host.")

(defvar *device* #+abcl :unspecific #-abcl nil
  "The device of the pathnames that are made: on Windows that of the path that they lie below.")

(defun make-native-pathname (directory name type)
  "A pathname of these parts whose other parts are those that DIRECTORY and PROBE-FILE give."
  (make-pathname :host *host* :device *device*
                 :directory directory :name name :type type
                 :version (progn name #+ecl (and name :newest) #+clisp :newest
                                 #-(or ecl clisp) nil)))

(defun native-pathname (path &key as-directory)
  "The pathname that stands for a native PATH: nothing in it is wild."
  (multiple-value-bind (device directory last) (native-parts path as-directory *windows-p*)
    (let ((*device* (or device *device*)))
      (multiple-value-bind (name type) (if last (split-name last) (values nil nil))
        (make-native-pathname directory name type)))))

(defun directory-words (path)
  "The components of the directory that a native PATH names."
  (rest (nth-value 1 (native-parts path t *windows-p*))))
