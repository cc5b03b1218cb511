;;;; directories.lisp - what osicat has, with what it answers.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer/tests)

(def-suite directories :in fewer)
(in-suite directories)

(defun names (pathnames)
  (sorted (mapcar #'native-namestring pathnames)))

(test kinds
  (with-place "mkdir d; touch f; ln -s f l; ln -s nowhere b; mkfifo p"
    (is (eq :directory (file-kind (at "d"))))
    (is (eq :directory (file-kind (at "d/"))))
    (is (eq :regular-file (file-kind (at "f"))))
    (is (eq :symbolic-link (file-kind (at "l"))))
    (is (eq :regular-file (file-kind (at "l") :follow-symlinks t)))
    (is (equal '(:symbolic-link :broken)
               (multiple-value-list (file-kind (at "b") :follow-symlinks t))))
    (is (eq :pipe (file-kind (at "p"))))
    (is (eq :character-device (file-kind "/dev/null")))
    (is (null (file-kind (at "none"))))
    (is (null (file-kind (at "none") :follow-symlinks t)))
    (signals error (file-kind (at "f/x")))
    (signals error (file-kind (make-pathname :name :wild :defaults (place-pathname))))))

(test what-exists
  (with-place "mkdir d; touch f; ln -s f l; ln -s nowhere b"
    (is (equal (list (truename (at "f")) :regular-file)
               (multiple-value-list (file-exists-p (at "l")))))
    (is (equal (truename (at "d/")) (directory-exists-p (at "d"))))
    (is (equal (truename (at "f")) (regular-file-exists-p (at "f"))))
    (is (null (regular-file-exists-p (at "d"))))
    (is (null (directory-exists-p (at "f"))))
    (is (null (file-exists-p (at "none"))))
    (is (null (file-exists-p (at "f") :directory)))
    (is-true (good-symlink-exists-p (at "l")))
    (is-false (good-symlink-exists-p (at "b")))
    (is-false (good-symlink-exists-p (at "f")))))

(test links
  (with-place "touch f; mkdir d"
    (make-link (at "l") :target (at "f"))
    (is (equal (at "f") (native-namestring (read-link (at "l")))))
    (is (eq :symbolic-link (file-kind (at "l"))))
    (make-link (at "r") :target "../x/y")
    (is (equal (pathname "../x/y") (read-link (at "r"))))
    (make-link (at "e") :target (at "d/"))
    (is (equal (at "d/") (native-namestring (read-link (at "e")))))
    (is (equal (pathname (at "h")) (make-link (at "h") :target (at "f") :hard t)))
    (is (equal "2" (sh "stat -c %h '~A'" (at "f"))))
    (make-link (at "i") :target "f" :hard t)
    (is (equal "3" (sh "stat -c %h '~A'" (at "f"))))
    (signals error (make-link (at "l") :target (at "f")))
    (signals error (make-link (at "n")))
    (signals error (make-link (at "n") :target (at "none") :hard t))
    (signals error (read-link (at "f")))
    (let ((long (concatenate 'string "/" (make-string 200 :initial-element #\a))))
      (make-link (at "long") :target long)
      (is (equal (sh "readlink '~A'" (at "long")) (native-namestring (read-link (at "long"))))))))

(test permissions
  (with-place "touch f; chmod 4751 f; ln -s f l"
    (is (equal '(:user-read :user-write :user-exec :group-read :group-exec :other-exec :set-user-id)
               (file-permissions (at "f"))))
    (is (equal (file-permissions (at "f")) (file-permissions (at "l"))))
    (setf (file-permissions (at "f")) '(:user-read :other-read :sticky))
    (is (equal "1404" (sh "stat -c %a '~A'" (at "f"))))
    (push :user-exec (file-permissions (at "f")))
    (is (equal "1504" (sh "stat -c %a '~A'" (at "f"))))
    (signals error (setf (file-permissions (at "f")) '(:nonsense)))
    (signals error (file-permissions (at "none")))))

(test removing
  (with-place "mkdir -p d/e t/u k; touch f t/u/g t/h k/keep; ln -s ../../k t/u/l; ln -s f s"
    (signals error (delete-directory (at "t")))
    (signals error (unlink (at "d")))
    (is-true (delete-directory (at "d/e/")))
    (is-true (unlink (at "s")))
    (is (eq :regular-file (file-kind (at "f"))))
    (is-true (delete-directory-and-files (at "t/")))
    (is (null (file-kind (at "t"))))
    (is (eq :regular-file (file-kind (at "k/keep"))))
    (signals error (delete-directory-and-files (at "none")))
    (is (null (delete-directory-and-files (at "none") :if-does-not-exist :ignore)))
    (signals error (delete-directory-and-files (at "none") :if-does-not-exist :nonsense))))

(test directories-entry-by-entry
  (with-place "mkdir -p sub.d; touch file1 file2.txt .h sub.d/x; ln -s sub.d l; ln -s nowhere b"
    (is (equal '(".h" "b" "file1" "file2.txt" "l/" "sub.d/") (names (mapdir #'identity *place*))))
    (is (equal '("file1" "file2")
               (sorted (remove-if-not (lambda (name) (and name (search "file" name)))
                                      (mapdir #'pathname-name *place*)))))
    (is (every (lambda (directory) (equal directory (pathname-directory (place-pathname))))
               (mapdir (lambda (entry)
                         (pathname-directory (merge-pathnames (make-pathname
                                                               :name (pathname-name entry)))))
                       *place*)))
    (is (equal (names (list-directory *place* :bare-pathnames t))
               (names (mapdir #'identity *place*))))
    (is (equal (sorted (mapcar #'at '(".h" "b" "file1" "file2.txt" "l/" "sub.d/")))
               (names (list-directory *place*))))
    (with-directory-iterator (next *place*)
      (is (= 6 (loop while (next) count t)))
      (is (null (next))))
    (signals error (mapdir #'identity (at "none")))
    (signals error (list-directory (at "file1")))))

(test directories-walked
  (with-place "mkdir -p a/b; touch f a/g a/b/h"
    (flet ((walked (&rest options)
             (let ((seen '()))
               (apply #'walk-directory *place*
                      (lambda (entry)
                        (push (native-namestring (merge-pathnames entry)) seen))
                      options)
               (nreverse seen))))
      (is (equal (sorted (mapcar #'at '("f" "a/g" "a/b/h"))) (sorted (walked))))
      (let ((deep (walked :directories :depth-first)))
        (is (= 6 (length deep)))
        (is (< (position (at "a/b/h") deep :test #'string=)
               (position (at "a/b/") deep :test #'string=))))
      (let ((broad (walked :directories :breadth-first
                           :test (lambda (entry) (not (equal "b" (car (last (pathname-directory
                                                                             entry)))))))))
        (is (equal (sorted (list *place* (at "f") (at "a/") (at "a/g"))) (sorted broad))))
      (is (null (walk-directory (at "none") #'identity :if-does-not-exist :ignore)))
      (signals error (walk-directory (at "none") #'identity)))))

(test pathnames-as-values
  (is-true (absolute-pathname-p "/a/b"))
  (is-true (relative-pathname-p "a/b"))
  (is (equal (namestring #p"/a/b") (namestring (absolute-pathname "b" #p"/a/"))))
  (is (equal (pathname "/a/b/c.d/") (pathname-as-directory "/a/b/c.d")))
  (is (equal (pathname "x/") (pathname-as-directory "x")))
  (is (equal (namestring #p"/a/b/c.d") (namestring (pathname-as-file "/a/b/c.d/"))))
  (is (equal (namestring #p"/a/b/") (namestring (pathname-directory-pathname "/a/b/c.d"))))
  (is (equal (namestring #p"c/d.e") (namestring (unmerge-pathnames "/a/b/c/d.e" #p"/a/b/"))))
  (is-true (directory-pathname-p "/a/b/"))
  (is-false (directory-pathname-p "/a/b"))
  (is (equal "/a/b.c" (native-namestring "/a/b.c")))
  (signals error (pathname-as-directory (make-pathname :name :wild))))

(test temporary-files
  (with-place ":"
    (let ((*temporary-directory* (place-pathname)))
      (with-temporary-file (stream)
        (print 'foo stream)
        (file-position stream 0)
        (is (eq 'foo (let ((*package* (find-package '#:fewer/tests))) (read stream))))
        (is (equal "0" (sh "ls '~A' | wc -l" *place*))))
      (with-temporary-file (stream :element-type '(unsigned-byte 8))
        (write-byte 200 stream)
        (file-position stream 0)
        (is (= 200 (read-byte stream)))))
    (let ((*temporary-directory* (pathname (at "none/"))))
      (signals file-error (open-temporary-file)))))

(test users
  (is (equal "root" (cdr (assoc :name (user-info 0)))))
  (is (= 0 (cdr (assoc :user-id (user-info "root")))))
  (is (equal (sh "awk -F: '$1 == \"root\" { print $6 }' /etc/passwd")
             (cdr (assoc :home (user-info "root")))))
  (is (null (user-info "definitely_not_a_user!"))))

(test where-one-is
  (is (equal (format nil "~A/" (process-directory)) (native-namestring (current-directory))))
  (with-place "mkdir a; touch a/f"
    (with-scope ((at "a"))
      (is (equal (at "a/") (native-namestring (current-directory))))
      (is (equal '("f") (names (list-directory "." :bare-pathnames t)))))
    (let ((before (process-directory)) (*default-pathname-defaults* *default-pathname-defaults*))
      (setf (current-directory) (at "a/"))
      (is (eq :regular-file (file-kind "f")))
      (is (equal before (process-directory))))))
