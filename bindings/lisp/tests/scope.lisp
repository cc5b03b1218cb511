;;;; scope.lisp - working directories that are values.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer/tests)

(def-suite scope :in fewer)
(in-suite scope)

(defun process-directory ()
  (sh "readlink /proc/~D/cwd" (process-id)))

(test paths-are-taken-from-the-scope
  (with-place "mkdir -p a/b; echo one > a/f; echo two > a/b/f"
    (let ((before (process-directory)))
      (with-scope ((at "a"))
        (is (equal '("one") (read-lines "f")))
        (is (eq :regular-file (file-kind "f")))
        (with-scope ("b")
          (is (equal '("two") (read-lines "f")))
          (is (equal '("f") (mapcar #'entry-name (walk "." :kinds :file)))))
        (is (equal '("one") (read-lines "f")))
        (is (equal before (process-directory))))
      (signals file-system-error (with-scope ((at "none")) nil)))))

(test the-path-of-a-scope
  (with-place "mkdir -p a/b; ln -s a l"
    (with-scope ((at "l"))
      (is (equal (at "l") (scope-path)))
      (is (equal (sh "cd -P '~A' && pwd -P" (at "l")) (scope-path :physical t)))
      (with-scope (".." :logical t)
        (is (equal (string-right-trim "/" *place*) (string-right-trim "/" (scope-path))))))))

(test a-scope-outlives-its-name
  (with-place "mkdir a; echo text > a/f"
    (with-scope ((at "a"))
      (sh "mv '~A' '~A'" (at "a") (at "z"))
      (is (equal '("text") (read-lines "f"))))))

(test scopes-are-closed
  (with-place "mkdir a"
    (let ((before (open-descriptors)))
      (catch 'out (with-scope ((at "a")) (throw 'out nil)))
      (ignore-errors (with-scope ((at "a")) (error "out")))
      (let ((scope (enter-scope (at "a"))))
        (close-scope scope)
        (close-scope scope)
        (signals system-error (scope-path :scope scope)))
      (is (= before (open-descriptors))))))

(test defaults-are-what-relative-paths-are-relative-to
  (with-place "mkdir -p a; echo one > a/f"
    (let ((*default-pathname-defaults* (pathname (at "a/"))))
      (is (equal '("one") (read-lines "f")))
      (is (equal '("." "./f") (sorted (mapcar #'entry-path (walk ".")))))
      (is (eq :regular-file (file-kind "f"))))))

(test metadata
  (with-place "printf hello > f; chmod 640 f; ln -s f l"
    (let ((stat (stat-file (at "f"))))
      (is (= 5 (stat-size stat)))
      (is (= #o640 (stat-permissions stat)))
      (is (= 1 (stat-links stat)))
      (is (= (parse-integer (sh "stat -c %Y '~A'" (at "f"))) (car (stat-modified stat)))))
    (is (eq :symlink (stat-kind (stat-file (at "l")))))
    (is (eq :file (stat-kind (stat-file (at "l") :follow t))))
    (signals error (stat-file (at "f") :fields '(:nonsense)))
    (is (equal "root" (user-name 0)))
    (is (equal "root" (group-name 0)))))
