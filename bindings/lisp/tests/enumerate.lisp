;;;; enumerate.lisp - files of a tree, against what (directory ...) gives.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer/tests)

(def-suite enumerate :in fewer)
(in-suite enumerate)

(defun directory-p (pathname)
  (and (null (pathname-name pathname)) (null (pathname-type pathname))))

(defun usual (directory)
  "The recursion that people write."
  (append (remove-if #'directory-p (directory (merge-pathnames "*.*" directory)))
          (mapcan #'usual (usual-subdirectories directory))))

(defun usual-truenames (directory)
  "On ABCL DIRECTORY does not answer truenames."
  #-abcl (usual directory)
  #+abcl (mapcar #'truename (usual directory)))

(defun usual-subdirectories (directory)
  "On ABCL (directory \"d/*/\") gives what is in the subdirectories."
  #-abcl (directory (merge-pathnames "*/" directory))
  #+abcl (remove-if-not #'directory-p (directory (merge-pathnames "*.*" directory)
                                                 :resolve-symlinks t)))

(defun place-pathname ()
  (pathname *place*))

(defmacro same-as-usual (commands)
  `(with-place ,commands
     (let ((usual (usual-truenames (place-pathname)))
           (ours (enumerate-files (place-pathname))))
       (is (plusp (length ours)))
       (is (null (set-difference usual ours :test #'equal)))
       (is (null (set-difference ours usual :test #'equal)))
       (is (equal (remove-duplicates ours :test #'equal) ours)))))

(test plain-trees
  (same-as-usual "mkdir -p a/b/c a.d/e; touch f a/g.txt a/b/h.tar.gz a/b/c/i a.d/e/j.k"))

(test names-with-dots
  (same-as-usual "mkdir .hid; touch .x .x.y a..b a.b.c x. .hid/f 'sp ace' tild~ UPPER.Case"))

#-abcl
(test names-with-wild-characters
  (same-as-usual "touch 'st*r.q' 'q?.r' 'a[b].c' 'back\\s.t' '~home'; mkdir 'w[x]y'"))

(test letters-beyond-ascii
  #-ecl (same-as-usual "touch \"$(printf '\\303\\251.txt')\"; mkdir \"$(printf '\\344\\270\\255')\"
                        touch \"$(printf '\\344\\270\\255/x')\"")
  #+ecl (same-as-usual "touch \"$(printf '\\303\\251.txt')\""))

(test links-to-files
  (same-as-usual "mkdir a b; touch a/f; ln -s ../a/f b/l; ln -s a/f m; ln -s m n"))

(test links-to-directories
  (same-as-usual "mkdir -p a/b o/p; touch a/f a/b/g o/p/q; ln -s ../o/p a/l; ln -s ../o a/m"))

#+(or sbcl ecl)
(test links-that-lead-nowhere
  (same-as-usual "touch f; ln -s nowhere broken; ln -s loop loop; mkfifo p"))

(test links-in-circles-end
  (with-place "mkdir -p a/b; touch a/b/f; ln -s .. a/b/up; ln -s . a/self"
    (is (= 1 (length (enumerate-files *place*))))))

(test directories-too
  (with-place "mkdir -p a/b; touch a/f"
    (is (equal (sorted (list (at "a/") (at "a/b/") (at "a/f")))
               (sorted (mapcar #'native-namestring (enumerate-files *place* :directories t)))))))

(test pathnames-are-those-of-probe-file
  (with-place "touch a.b c .d e."
    (dolist (pathname (enumerate-files *place*))
      (is (equal (probe-file pathname) pathname))
      (with-open-file (stream pathname)
        (is (null (read-line stream nil)))))))

(test what-is-not-there
  (with-place "touch f"
    (signals file-system-error (enumerate-files (at "none")))
    (signals file-system-error (enumerate-files (at "f")))))

(test three-calls-a-directory
  (is (same-set-p '(("openat" . 30) ("getdents64" . 30) ("close" . 30))
                  (price-of-more-directories #'enumerate-files))))
