;;;; snapshot.lisp - what a walk found, and what has changed since, against find.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer/tests)

(def-suite snapshot :in fewer)
(in-suite snapshot)

(defun below-place (path)
  (and path (subseq path (length *place*))))

(defun seen (changes)
  "What CHANGES say, as (CHANGE PATH FROM)."
  (mapcar (lambda (change)
            (list (change-change change) (below-place (change-path change))
                  (below-place (change-from change))))
          changes))

(test changes-are-seen
  (with-place "mkdir -p a/b d; touch a/f a/b/g d/h"
    (with-snapshot (before (make-snapshot *place*))
      (is (= 6 (snapshot-entries before)))
      (is (= 4 (snapshot-directories before)))
      (is (not (snapshot-has-stat-p before)))
      (is (null (changes before)))
      (sh "cd '~A' && touch a/b/n && rm a/f && mv d e" *place*)
      (let ((expected '((:added "a/b/n" nil) (:removed "a/f" nil) (:renamed "e" "d"))))
        (is (equal expected (sort (seen (changes before)) #'string< :key #'second)))
        (with-snapshot (now (snapshot-now before))
          (is (equal expected (sort (seen (changes before now)) #'string< :key #'second)))
          (is (null (changes now)))))
      (is (equal (paths-below (walk *place*)) (paths-below (walk *place* :since before))))
      (is (equal (sorted (sh-lines "cd '~A' && find . -mindepth 1 | cut -c3-" *place*))
                 (paths-below (walk *place* :since before :min-depth 1))))
      (let ((kinds (mapcar #'change-kind (changes before))))
        (is (= 2 (count :file kinds)))
        (is (= 1 (count :directory kinds)))))))

(test a-snapshot-in-a-file
  (with-place "mkdir -p t/out; touch t/a t/out/b; echo '*.o' > t/.gitignore"
    (with-snapshot (before (make-snapshot (at "t") :gitignore t :exclude "out"))
      (write-snapshot before (at "file"))
      (is (= (snapshot-bytes before)
             (parse-integer (sh "stat -c %s '~A'" (at "file"))))))
    (sh "cd '~A/t' && touch c x.o out/d" *place*)
    (with-snapshot (read (read-snapshot (at "file")))
      (is (equal '((:added "t/c" nil)) (seen (changes read)))))
    (with-scope (*place*)
      (with-snapshot (read (read-snapshot "file"))
        (write-snapshot read "other")))
    (is (equal "" (sh "cmp '~A' '~A'" (at "file") (at "other"))))))

(test with-stat-contents-count
  (with-place "echo one > a; touch b"
    (with-snapshot (before (make-snapshot *place* :stat t))
      (is (snapshot-has-stat-p before))
      (sh "echo more >> '~A'" (at "a"))
      (is (equal '((:changed "a" nil)) (seen (changes before)))))))

(test relative-paths-of-a-snapshot
  (with-place "mkdir t; touch t/a"
    (with-scope (*place*)
      (with-snapshot (before (make-snapshot "t"))
        (sh "touch '~A'" (at "t/b"))
        (is (equal '("t/b") (mapcar #'change-path (changes before))))))
    (let ((*default-pathname-defaults* (pathname *place*)))
      (with-snapshot (before (make-snapshot "t"))
        (sh "touch '~A'" (at "t/c"))
        (is (equal '("t/c") (mapcar #'change-path (changes before))))))))

(test what-is-no-snapshot
  (with-place "echo none > file"
    (handler-case (read-snapshot (at "file"))
      (file-system-error (condition)
        (is (= 74 (error-number condition)))
        (is (eq :read-snapshot (error-action condition)))
        (is (search "it is not a snapshot" (error-message condition))))
      (:no-error (snapshot) (fail "~S was read" snapshot)))
    (signals file-system-error (read-snapshot (at "missing")))
    (signals file-system-error (make-snapshot (at "missing")))
    (signals system-error (make-snapshot *place* :exclude "["))
    (signals error (make-snapshot *place* :nonsense t))
    (let ((snapshot (make-snapshot *place*)))
      (close-snapshot snapshot)
      (close-snapshot snapshot)
      (signals system-error (changes snapshot))
      (signals system-error (walk *place* :since snapshot)))))

(test price-of-a-walk-since
  (with-place "for i in $(seq 40); do mkdir -p t/d$i; touch t/d$i/f; done; sleep 0.1"
    (with-snapshot (before (make-snapshot (at "t")))
      (let ((counts (calls-made (lambda () (walk (at "t") :since before)))))
        (is (<= 41 (call-count "statx" counts) 44))
        (is (zerop (call-count "getdents64" counts)))
        (is (<= (call-count "openat" counts) 3))))))
