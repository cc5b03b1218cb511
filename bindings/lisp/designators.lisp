;;;; designators.lisp - pathnames as values: nothing here asks the kernel, but for the directory
;;;; that it is in.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; The names from here on are osicat's, and they do what osicat's do; README.md lists the
;;;; differences.

(in-package #:fewer)

(defun current-directory ()
  "The directory that the process is in, or the scope, as a pathname. SETF sets
*DEFAULT-PATHNAME-DEFAULTS* and leaves the process where it is: other threads are there too.
Price: 1 to 3 calls."
  (native-pathname (scope-path) :as-directory t))

(defun (setf current-directory) (pathspec)
  (setf *default-pathname-defaults*
        (native-pathname (physical-directory (native-namestring pathspec)) :as-directory t)))

(defun absolute-pathname-p (pathspec)
  "True if PATHSPEC is absolute. Price: none."
  (eq :absolute (first (pathname-directory pathspec))))

(defun relative-pathname-p (pathspec)
  "True if PATHSPEC is not absolute. Price: none."
  (not (absolute-pathname-p pathspec)))

(defun absolute-pathname (pathspec &optional (default *default-pathname-defaults*))
  "PATHSPEC itself if it is absolute; else what it means in the directory DEFAULT, and if that is
relative too, in the current one. Price: none, or that of CURRENT-DIRECTORY."
  (if (absolute-pathname-p pathspec)
      pathspec
      (let ((merged (merge-pathnames pathspec (pathname-directory-pathname default))))
        (if (absolute-pathname-p merged)
            merged
            (merge-pathnames merged (current-directory))))))

(defun absolute-directory (pathspec)
  "The directory that PATHSPEC means here and now, as an absolute pathname."
  (let ((directory (pathname-as-directory pathspec)))
    (if *scope*
        (merge-pathnames directory (current-directory))
        (absolute-pathname directory))))

(defun unmerge-pathnames (pathspec &optional (default *default-pathname-defaults*))
  "PATHSPEC without the leading directories that it shares with DEFAULT. Price: none."
  (let* ((directory (pathname-directory pathspec))
         (mismatch (mismatch directory (pathname-directory default) :test #'equal)))
    (if (eql mismatch 0)
        (pathname pathspec)
        (make-pathname :directory (when mismatch
                                    (cons :relative (subseq directory mismatch)))
                       :defaults pathspec))))

(defun presentp (component)
  (not (member component '(nil :unspecific))))

(defun directory-pathname-p (pathspec)
  "PATHSPEC if it has neither name nor type, so that it stands for a directory; else NIL. Price:
none."
  (and (not (presentp (pathname-name pathspec)))
       (not (presentp (pathname-type pathspec)))
       pathspec))

(defun tame-pathname (pathspec)
  (let ((pathname (pathname pathspec)))
    (when (wild-pathname-p pathname)
      (complain "Pathname is wild: ~S." pathname))
    pathname))

(defun pathname-as-directory (pathspec)
  "PATHSPEC in the form that stands for a directory: name and type become its last component. Price:
none."
  (let* ((pathname (tame-pathname pathspec))
         (type (pathname-type pathname)))
    (if (directory-pathname-p pathname)
        pathname
        (make-pathname :directory (append (or (pathname-directory pathname) '(:relative))
                                          (list (format nil "~A~:[~;.~:*~A~]"
                                                        (pathname-name pathname)
                                                        (and (presentp type) type))))
                       :name nil :type nil :version nil :defaults pathname))))

(defun pathname-as-file (pathspec)
  "PATHSPEC in the form that stands for a file: the last component becomes name and type. Price:
none."
  (let* ((pathname (tame-pathname pathspec))
         (directory (pathname-directory pathname))
         (last (first (last directory))))
    (if (and (directory-pathname-p pathname) (stringp last))
        (multiple-value-bind (name type) (split-name last)
          (make-pathname :directory (butlast directory) :name name :type type
                         :defaults pathname))
        pathname)))

(defun pathname-directory-pathname (pathspec)
  "The directory that PATHSPEC lies in. Price: none."
  (make-pathname :name nil :type nil :defaults (pathname pathspec)))
