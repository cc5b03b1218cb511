;;;; changes.lisp - making and removing links, files and directories.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer)

(defun call-at-path (call path)
  "Calls CALL with the scope, the bytes of PATH, their number and the place for an error."
  (with-path (bytes length path native)
    (with-errors (slot native)
      (funcall call (current-handle) bytes length slot))))

(defun make-link (link &key target hard)
  "Makes LINK, which points to TARGET as it is written, or is one more name of that file if HARD.
Returns the pathname of the link. A relative TARGET is relative to the link.
Price: one symlinkat; one linkat."
  (unless target
    (complain "A link needs a target."))
  (let* ((link (pathname link))
         (target (if (stringp target) target (native-namestring target)))
         (written (if (and hard (not (absolute-path-p target)))
                      (concatenate 'string
                                   (native-namestring (pathname-directory-pathname link))
                                   target)
                      target)))
    (with-octets-at (to to-length (name-octets (if hard (relative-to-defaults written) written)))
      (call-at-path (lambda (scope bytes length slot)
                     (if hard
                         (fewer-scope-make-hard-link scope bytes length to to-length slot)
                         (fewer-scope-make-symlink scope bytes length to to-length slot)))
                   (native-namestring link)))
    (if *scope* link (absolute-pathname link))))

(defun unlink (pathspec)
  "Removes the name PATHSPEC, which is no directory; of a link, the link. Returns T. Price: one
unlinkat."
  (call-at-path #'fewer-scope-remove-file (native-namestring pathspec))
  t)

(defun delete-directory (pathspec)
  "Removes the empty directory PATHSPEC. Returns T. Price: one unlinkat."
  (call-at-path #'fewer-scope-remove-directory (bare-directory pathspec))
  t)

(defun bare-directory (pathspec)
  "The native path of a directory without a slash at its end, so that a link is a link."
  (let ((path (native-namestring pathspec)))
    (if (string= path "/") path (string-right-trim "/" path))))

(defun delete-directory-and-files (dirname &key (if-does-not-exist :error))
  "Removes the directory DIRNAME and all that is below; links are removed and never followed.
The root directory is refused by whatever name it is reached (EBUSY).
Returns T; NIL if there is none and IF-DOES-NOT-EXIST is :IGNORE.
Price: two statx; for each directory openat, getdents64, close and unlinkat; for everything else
one unlinkat."
  (unless (member if-does-not-exist '(:error :ignore))
    (complain "IF-DOES-NOT-EXIST is :ERROR or :IGNORE, not ~S." if-does-not-exist))
  (handler-case (call-at-path #'fewer-scope-remove-tree (bare-directory dirname))
    (file-system-error (condition)
      (if (and (eq if-does-not-exist :ignore) (eql +enoent+ (error-number condition)))
          (return-from delete-directory-and-files nil)
          (error condition))))
  t)
