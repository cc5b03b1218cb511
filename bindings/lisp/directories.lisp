;;;; directories.lisp - directories entry by entry, as osicat goes through them.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer)

(defun child-pathnames (directory)
  "The entries of DIRECTORY, an absolute pathname, as relative pathnames; those that are
directories or links to one as directories."
  (let ((children '()))
    (walk (native-namestring directory)
          :min-depth 1 :max-depth 1 :targets t
          :function (lambda (entry)
                      (push (native-pathname
                             (entry-name entry)
                             :as-directory (or (eq :directory (entry-kind entry))
                                               (eq :directory (entry-target entry))))
                            children)))
    (nreverse children)))

(defun call-with-directory-iterator (pathspec function)
  (let* ((directory (absolute-directory pathspec))
         (children (child-pathnames directory))
         (*scope* nil)
         (*default-pathname-defaults* directory))
    (funcall function (lambda () (pop children)))))

(defmacro with-directory-iterator ((iterator pathspec) &body body)
  "Evaluates BODY with *DEFAULT-PATHNAME-DEFAULTS* bound to the directory PATHSPEC and (ITERATOR)
answering its entries one by one, as pathnames relative to it, in no order; NIL when there are no
more. A link to a directory looks like a directory.
Price: openat, getdents64 and close; one statx for a link."
  (let ((next (gensym "NEXT")))
    `(call-with-directory-iterator
      ,pathspec
      (lambda (,next)
        (macrolet ((,iterator () '(funcall ,next)))
          ,@body)))))

(defun mapdir (function pathspec)
  "What FUNCTION returns for each entry of the directory PATHSPEC, as a list. Entries and price are
those of WITH-DIRECTORY-ITERATOR."
  (with-directory-iterator (next pathspec)
    (loop for entry = (next)
          while entry collect (funcall function entry))))

(defun list-directory (pathspec &key bare-pathnames)
  "The entries of the directory PATHSPEC as pathnames in it; with BARE-PATHNAMES relative to it.
Price: as WITH-DIRECTORY-ITERATOR."
  (let ((directory (pathname-as-directory pathspec)))
    (mapdir (lambda (entry)
              (if bare-pathnames entry (merge-pathnames entry directory)))
            directory)))

(defun walk-directory (dirname function &key directories (if-does-not-exist :error)
                                          (test (constantly t)))
  "Calls FUNCTION with each file in the directory DIRNAME and below, relative to the directory that
it lies in, to which *DEFAULT-PATHNAME-DEFAULTS* is bound, if TEST is true of it. DIRECTORIES: with
directories too, before what they hold (:BREADTH-FIRST, and what TEST says no to is not entered) or
behind it (:DEPTH-FIRST). Returns T; NIL if there is no DIRNAME and IF-DOES-NOT-EXIST is :IGNORE.
Price: per directory as WITH-DIRECTORY-ITERATOR. WALK and MAP-WALK are cheaper."
  (labels ((visit (name)
             (when (funcall test name)
               (funcall function name)
               t))
           (enter (name)
             (cond ((not (directory-pathname-p name)) (visit name))
                   ((null directories) (mapdir #'enter name))
                   ((eq directories :breadth-first)
                    (when (visit name) (mapdir #'enter name)))
                   (t
                    (mapdir #'enter name)
                    (visit name)))))
    (let ((directory (pathname-as-directory dirname)))
      (unless (member if-does-not-exist '(:error :ignore))
        (complain "IF-DOES-NOT-EXIST is :ERROR or :IGNORE, not ~S." if-does-not-exist))
      (when (or (eq if-does-not-exist :error)
                (file-kind directory :follow-symlinks t))
        (enter directory)
        t))))
