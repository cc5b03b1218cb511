;;;; questions.lisp - what a file is, and whether it is there.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer)

(defconstant +enoent+ 2 "No such file or directory, on every Linux.")

(defparameter *file-kinds*
  '(:file :regular-file :symlink :symbolic-link :fifo :pipe :block :block-device
    :char :character-device)
  "Kinds that osicat has other words for.")

(defun file-kind (pathspec &key follow-symlinks)
  "What PATHSPEC is: :REGULAR-FILE, :DIRECTORY, :SYMBOLIC-LINK, :PIPE, :SOCKET, :CHARACTER-DEVICE or
:BLOCK-DEVICE; NIL if there is nothing. With FOLLOW-SYMLINKS what it leads to; for a link that leads
nowhere the values are :SYMBOLIC-LINK and :BROKEN.
Price: one statx; two if FOLLOW-SYMLINKS finds nothing."
  (let ((path (native-namestring pathspec)))
    (flet ((kind (follow)
             (handler-case (stat-kind (stat-file path :follow follow :fields '(:kind)))
               (file-system-error (condition)
                 (unless (eql +enoent+ (error-number condition))
                   (error condition))))))
      (let ((kind (kind follow-symlinks)))
        (cond (kind (getf *file-kinds* kind kind))
              ((and follow-symlinks (kind nil)) (values :symbolic-link :broken)))))))

(defun true-pathname (pathspec kind)
  (let ((absolute (if *scope*
                      (merge-pathnames pathspec (current-directory))
                      (absolute-pathname pathspec))))
    (truename (if (eq kind :directory) (pathname-as-directory absolute) absolute))))

(defun file-exists-p (pathspec &optional file-kind)
  "If PATHSPEC is there, and of FILE-KIND where that is given, its truename and kind; else NIL.
Links are followed unless FILE-KIND is :SYMBOLIC-LINK.
Price: that of FILE-KIND, and that of TRUENAME."
  (let ((kind (file-kind pathspec :follow-symlinks (not (eq file-kind :symbolic-link)))))
    (when (and kind (or (null file-kind) (eq kind file-kind)))
      (values (true-pathname pathspec kind) kind))))

(defun regular-file-exists-p (pathspec)
  "The truename of PATHSPEC if it is a regular file, or leads to one; else NIL. Price: as
FILE-EXISTS-P."
  (values (file-exists-p pathspec :regular-file)))

(defun directory-exists-p (pathspec)
  "The truename of PATHSPEC if it is a directory, or leads to one; else NIL. Price: as
FILE-EXISTS-P."
  (values (file-exists-p pathspec :directory)))

(defun good-symlink-exists-p (pathspec)
  "True if PATHSPEC is a link that leads somewhere. Price: two statx."
  (and (eq :symbolic-link (file-kind pathspec))
       (not (nth-value 1 (file-kind pathspec :follow-symlinks t)))))

(defun read-link (pathspec)
  "Where the link PATHSPEC points, as a pathname: as it is written there, so a relative one is
relative to the link. Price: one readlinkat."
  (target-pathname (read-target (native-namestring pathspec))))

(defun read-target (path)
  "Where the link PATH points, as a native string."
  (with-path (bytes length path native)
    (read-sized (lambda (buffer capacity needed slot)
                  (fewer-scope-read-link (current-handle) bytes length buffer capacity needed
                                         slot))
                native)))

(defun target-pathname (target)
  (if (find-if (lambda (char) (find char "*?[\\~")) target)
      (native-pathname target)
      (pathname target)))

(defparameter *permissions*
  '(:user-read #o400 :user-write #o200 :user-exec #o100
    :group-read #o40 :group-write #o20 :group-exec #o10
    :other-read #o4 :other-write #o2 :other-exec #o1
    :set-user-id #o4000 :set-group-id #o2000 :sticky #o1000))

(defun file-permissions (pathspec)
  "The permissions of PATHSPEC, links followed: of :USER-READ :USER-WRITE :USER-EXEC :GROUP-READ
:GROUP-WRITE :GROUP-EXEC :OTHER-READ :OTHER-WRITE :OTHER-EXEC :SET-USER-ID :SET-GROUP-ID :STICKY a
list of those that it has. SETF sets them.
Price: one statx; one fchmodat to set them."
  (let ((bits (stat-permissions (stat-file (native-namestring pathspec)
                                           :follow t :fields '(:permissions)))))
    (loop for (name bit) on *permissions* by #'cddr
          when (logtest bit bits) collect name)))

(defun (setf file-permissions) (permissions pathspec)
  (let ((bits (loop for permission in permissions
                    sum (or (getf *permissions* permission)
                            (complain "~S is no permission." permission))
                      into sum
                    finally (return sum))))
    (with-path (bytes length (native-namestring pathspec) native)
      (with-errors (slot native)
        (fewer-scope-set-permissions (current-handle) bytes length bits slot)))
    permissions))

(defun user-info (id)
  "What passwd has for a user, by name or number: an alist of :NAME, :USER-ID, :GROUP-ID, :GECOS,
:HOME and :SHELL; of a user that is not in that file :NAME and :USER-ID; NIL if there is none.
Price: openat, a read and close; for a user that is not in the file what the machine's name services
cost."
  (or (do-lines (line "/etc/passwd" :element-type 'character)
        (let ((fields (uiop:split-string line :separator ":")))
          (when (and (= 7 (length fields))
                     (equal (princ-to-string id) (nth (if (stringp id) 0 2) fields)))
            (return (pairlis '(:shell :home :gecos :group-id :user-id :name)
                             (destructuring-bind (name word user group gecos home shell) fields
                               (declare (ignore word))
                               (list shell home gecos (parse-integer group)
                                     (parse-integer user) name)))))))
      (let* ((number (if (stringp id) (user-number id) id))
             (name (if (stringp id) (and number id) (user-name id))))
        (when name
          (list (cons :name name) (cons :user-id number))))))

(defun user-number (name)
  "The number of the user of that name, or NIL."
  (with-owners (owners)
    (with-octets-at (bytes length (name-octets name))
      (with-foreign-object (user :uint32)
        (when (zerop (fewer-owners-user-number owners bytes length user))
          (mem-ref user :uint32))))))
