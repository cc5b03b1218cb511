;;;; against-osicat.lisp - the same questions to osicat and to this library. SBCL alone, as osicat
;;;; needs a C compiler.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer/tests)

(def-suite against-osicat :in fewer)
(in-suite against-osicat)

(defun outcome (package name arguments)
  "What a function returns, or :ERROR."
  (handler-case (multiple-value-list (apply (find-symbol (string name) package) arguments))
    (error () :error)))

(defmacro same (name &rest arguments)
  `(let ((arguments (list ,@arguments)))
     (is (equalp (outcome '#:osicat ',name arguments) (outcome '#:fewer ',name arguments))
         "~S ~S: ~S, not ~S" ',name arguments (outcome '#:fewer ',name arguments)
         (outcome '#:osicat ',name arguments))))

(defparameter *zoo*
  "mkdir -p d/e d.x t; touch f a.b a.b.c .h d/g d/e/i t/k; ln -s f l; ln -s d m; ln -s nowhere b;
   ln -s loop loop; mkfifo p; chmod 6751 f; chmod 1777 t; ln -s ../not-here/y.z up")

(defparameter *animals*
  '("f" "a.b" "a.b.c" ".h" "d" "d/" "d.x" "d.x/" "l" "m" "m/" "b" "p" "loop" "up" "none" "none/"
    "f/x" "d/g" "d/e/" "t/"))

(test questions
  (with-place *zoo*
    (dolist (name *animals*)
      (let ((path (at name)))
        (same file-kind path)
        (same file-kind (pathname path))
        (same file-kind path :follow-symlinks t)
        (same file-exists-p path)
        (same file-exists-p path :directory)
        (same file-exists-p path :symbolic-link)
        (same regular-file-exists-p path)
        (same directory-exists-p path)
        (same read-link path)
        (same file-permissions path)))))

(test questions-from-the-defaults
  (with-place *zoo*
    (let ((*default-pathname-defaults* (place-pathname)))
      (dolist (name *animals*)
        (same file-kind name)
        (same directory-exists-p name)
        (same regular-file-exists-p name)
        (same read-link name)))))

(test pathnames
  (dolist (path '("a" "a.b" "a/" "/a" "/a/b.c" "/a/b/" "/a/b.c/d.e.f" "" "/" "a/b/c" "../a" ".a"))
    (same absolute-pathname-p path)
    (same relative-pathname-p path)
    (same directory-pathname-p path)
    (same pathname-as-directory path)
    (same pathname-directory-pathname path)
    (same absolute-pathname path #p"/x/y/z.w")
    (same native-namestring (pathname path))
    (when (and (pathname-directory path) (rest (pathname-directory path)))
      (same pathname-as-file path)))
  (loop for (path default) in '(("/a/b/c" "/a/b/") ("/a/b/c" "/a/") ("/a/b/" "/a/b/")
                                ("a/b/c" "a/") ("a" "b"))
        do (same unmerge-pathnames path (pathname default))))

(test directories-entry-by-entry-as-osicat
  (with-place *zoo*
    (sh "rm '~A'" (at "loop"))         ; which osicat ends at
    (flet ((listed (package)
             (sorted (mapcar #'namestring
                             (funcall (find-symbol "LIST-DIRECTORY" package) *place*))))
           (bare (package)
             (sorted (mapcar #'namestring
                             (funcall (find-symbol "LIST-DIRECTORY" package) *place*
                                      :bare-pathnames t))))
           (walked (package directories)
             (let ((seen '()))
               (funcall (find-symbol "WALK-DIRECTORY" package) *place*
                        (lambda (entry)
                          (push (namestring (merge-pathnames entry)) seen))
                        :directories directories)
               (sorted seen))))
      (is (equal (listed '#:osicat) (listed '#:fewer)))
      (is (equal (bare '#:osicat) (bare '#:fewer)))
      (dolist (directories '(nil :depth-first :breadth-first))
        (is (equal (walked '#:osicat directories) (walked '#:fewer directories)))))))

(test changes
  "Each in a place of its own; then the places must look the same."
  (flet ((changed (package)
           (with-place *zoo*
             (flet ((call (name &rest arguments) (outcome package name arguments)))
               (list (call 'make-link (at "n1") :target "f")
                     (call 'make-link (at "n2") :target (at "f") :hard t)
                     (call 'make-link (at "n3") :target "../x")
                     (call 'make-link (at "f") :target "x")
                     (call 'make-link (at "n4") :target (at "none") :hard t)
                     (call 'unlink (at "l"))
                     (call 'unlink (at "d"))
                     (call 'unlink (at "none"))
                     (call 'delete-directory (at "d/"))
                     (call 'delete-directory (at "d.x/"))
                     (call 'delete-directory-and-files (at "d/"))
                     (call 'delete-directory-and-files (at "none/") :if-does-not-exist :ignore)
                     (sh "cd '~A' && find . -printf '%p %y %m %l\\n' | sort" *place*))))))
    (flet ((without-place (results)
             (mapcar (lambda (result)
                       (cond ((stringp result) result)
                             ((eq result :error) :error)
                             ((pathnamep (first result)) (file-namestring (first result)))
                             (t (and (first result) t))))
                     results)))
      (is (equal (without-place (changed '#:osicat)) (without-place (changed '#:fewer)))))))

(test user
  (is (equal (sort (mapcar #'princ-to-string (osicat:user-info 0)) #'string<)
             (sort (mapcar #'princ-to-string (user-info 0)) #'string<)))
  (same user-info "definitely_not_a_user!"))
