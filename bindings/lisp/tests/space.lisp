;;;; space.lisp - how much space trees take, against du.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer/tests)

(def-suite space :in fewer)
(in-suite space)

(defparameter *full*
  "mkdir -p a/b d; head -c 70000 /dev/zero > a/large.bin; truncate -s 1M a/b/hole; echo x > d/x.txt
   ln a/large.bin d/second.txt; ln -s a l; mkfifo p")

(defun du (options name)
  (parse-integer (sh "du ~A '~A' | cut -f1" options (string-right-trim "/" (at name)))))

(test sums-are-those-of-du
  (with-place *full*
    (let ((row (first (tree-size *place*))))
      (is (equal *place* (size-row-path row)))
      (is (eq :directory (size-row-kind row)))
      (is (= (du "-s -B1" "") (size-row-allocated row)))
      (is (= (du "-s -b" "") (size-row-size row)))
      (is (= 9 (size-row-entries row))))
    (is (= (du "-sl -B1" "") (size-row-allocated (first (tree-size *place* :count-links t)))))
    (let ((rows (tree-size *place* :depth nil :files t)))
      (is (= 9 (length rows)))
      (flet ((row (name) (find (at name) rows :key #'size-row-path :test #'string=)))
        (is (= (du "-s -B1" "a/b") (size-row-allocated (row "a/b"))))
        (is (= (ash 1 20) (size-row-size (row "a/b/hole"))))
        (is (= 3 (size-row-depth (row "a/b/hole"))))
        (is (eq :file (size-row-kind (row "a/large.bin"))))))
    (is (= 3 (length (tree-size (list (at "a") (at "d")) :depth 1))))
    (is (= 70002 (size-row-size (first (tree-size *place* :glob '("*.txt" "*.bin"))))))))

(test a-summary
  (with-place *full*
    (let ((summary (tree-summary *place*)))
      (is (= 4 (usage-entries (summary-files summary))))
      (is (= 4 (usage-entries (summary-directories summary))))
      (is (= 1 (usage-entries (summary-links summary))))
      (is (= 1 (usage-entries (summary-other summary))))
      (is (= (+ 70002 (ash 1 20)) (usage-size (summary-files summary))))
      (is (equal (list (cons (at "a/b/hole") (ash 1 20)) (cons (at "a/large.bin") 70000))
                 (subseq (summary-largest summary) 0 2)))
      (is (equal '("" "bin" "txt") (mapcar #'car (summary-extensions summary))))
      (is (= 2 (usage-entries (cdr (assoc "txt" (summary-extensions summary)
                                          :test #'string=)))))
      (is (= 3 (cdr (summary-deepest summary))))
      (is (= (length (at "d/second.txt")) (cdr (summary-longest summary))))
      (is (= (parse-integer (sh "cd '~A' && stat -c %Y a/large.bin a/b/hole d/x.txt | sort -n |
                                 tail -n 1" *place*))
             (cadr (summary-newest summary)))))
    (is (null (summary-oldest (tree-summary *place* :glob "none"))))))

(test what-cannot-be-measured
  (with-place "touch a"
    (signals file-system-error (tree-size (at "none")))
    (signals file-system-error (tree-summary (at "none")))
    (handler-bind ((file-system-error #'skip-entry))
      (is (null (tree-size (at "none"))))
      (is (= 1 (length (tree-size (list (at "none") *place*)))))
      (is (= 1 (usage-entries (summary-files (tree-summary (list (at "none") *place*)))))))
    (handler-bind ((file-system-error #'stop-walk))
      (is (null (tree-size (at "none")))))
    (signals error (tree-size *place* :by-directory t))))
