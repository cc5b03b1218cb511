;;;; lines.lisp - text, against what sh writes and wc counts.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer/tests)

(def-suite lines :in fewer)
(in-suite lines)

(defun line-codes (lines)
  (mapcar #'codes lines))

(test ascii-lines-are-base-strings
  (with-place "printf 'one\\ntwo three\\n\\nfour' > t"
    (let ((lines (read-lines (at "t"))))
      (is (equal '("one" "two three" "" "four") lines))
      (is (every (lambda (line) (typep line 'simple-base-string)) lines)))))

(test other-lines-are-strings-of-characters
  (with-place "printf 'a\\n\\303\\251t\\303\\251\\n\\360\\237\\230\\200\\n' > t"
    (let ((lines (read-lines (at "t"))))
      (is (equal (list '(97) '(#xE9 116 #xE9) (expected-codes #x1F600)) (line-codes lines)))
      (is (typep (second lines) '(simple-array character (*)))))))

(test element-types
  (with-place "printf 'ab\\n\\303\\251\\n' > t"
    (is (equal '((97 98) (#xE9)) (line-codes (read-lines (at "t") :element-type 'character))))
    (is (every (lambda (line) (typep line '(simple-array character (*))))
               (read-lines (at "t") :element-type 'character)))
    (is (equalp '(#(97 98) #(195 169)) (read-lines (at "t") :element-type '(unsigned-byte 8))))
    (let ((lines (read-lines (at "t") :element-type 'base-char)))
      (is (every (lambda (line) (typep line 'simple-base-string)) lines))
      (is (equal (if (typep (code-char #xE9) 'base-char) '((97 98) (#xE9)) '((97 98) (63)))
                 (line-codes lines))))
    (signals system-error (read-lines (at "t") :element-type 'fixnum))))

(test what-is-not-utf-8
  (with-place "printf 'ok\\na\\377b\\nok\\n' > t"
    (is (equal '((111 107) (97 #xFFFD 98) (111 107)) (line-codes (read-lines (at "t")))))
    (is (equal "a!b" (second (read-lines (at "t") :on-invalid #\!))))
    (handler-case (progn (read-lines (at "t") :on-invalid :error) (is-true nil))
      (decoding-error (condition)
        (is (= 2 (decoding-error-line condition)))
        (is (= 4 (decoding-error-offset condition)))
        (is (= 1 (decoding-error-column condition)))
        (is (equal (at "t") (error-path condition)))))))

(test ends-of-lines
  (with-place "printf 'a\\r\\nb\\n\\r\\nc' > t; printf 'a\\nb\\0c\\0' > n; : > empty"
    (is (equal '("a" "b" "" "c") (read-lines (at "t") :crlf t)))
    (is (equal '((97 13) (98) (13) (99)) (line-codes (read-lines (at "t")))))
    (is (equal '((97 10 98) (99)) (line-codes (read-lines (at "n") :nul t))))
    (is (equal '((97 13 10) (98 10) (13 10) (99))
               (line-codes (read-lines (at "t") :crlf t :keep-ends t))))
    (is (equal '() (read-lines (at "empty"))))
    (is (equal '("c") (read-lines (at "t") :last 1)))))

(test long-text
  "Longer than a block, with lines longer than a block."
  (with-place "seq 1 200000 > t; head -c 700000 /dev/zero | tr '\\0' x >> t; echo >> t; echo z >> t"
    (let ((lines (read-lines (at "t"))))
      (is (= (parse-integer (sh "wc -l < '~A'" (at "t"))) (length lines)))
      (is (equal "200000" (nth 199999 lines)))
      (is (= 700000 (length (nth 200000 lines))))
      (is (equal "z" (first (last lines)))))
    (is (equal (mapcar #'parse-integer
                       (list (sh "wc -l < '~A'" (at "t")) (sh "wc -c < '~A'" (at "t"))))
               (cdr (multiple-value-list (count-lines (at "t"))))))))

(defun tasks ()
  "How many threads have the name of this one, which those that it starts take over. A JVM starts
threads of its own at any time, with other names."
  (let ((name (with-open-file (stream "/proc/thread-self/comm") (read-line stream))))
    (parse-integer (sh "cat /proc/~D/task/*/comm 2>/dev/null | grep -cxF '~A'" (process-id) name))))

(test what-is-read-ahead-is-the-same
  "Another thread reads what is beyond 1 MiB; an error is where it was, and no thread is left."
  (with-place "for i in 1 2 3; do seq -f %0100.0f 1 10000; printf 'h\\303\\251\\n'; done > t"
    (let ((lines (read-lines (at "t"))))
      (is (= 30003 (length lines)))
      (is (equal lines (read-lines (at "t") :threads 1)))
      (is (equal '(10000 1) (mapcar #'parse-integer (list (nth 20000 lines)
                                                          (nth 20002 lines)))))
      (is (equal '(104 #xE9) (codes (nth 30002 lines)))))
    (sh "printf '\\377\\n' >> '~A'" (at "t"))
    (handler-case (progn (read-lines (at "t") :on-invalid :error) (is-true nil))
      (decoding-error (condition)
        (is (= 30004 (decoding-error-line condition)))))
    (sh "cd '~A' && cat t t t t t t t t t t > long" *place*)
    (let ((before (tasks)) (during 0) (seen 0))
      (do-lines (line (at "long"))
        (when (< 15000 (incf seen))
          (setf during (tasks))
          (return)))
      (is (= 15001 seen))
      (is (< before during))
      (is (loop repeat 3000 thereis (>= before (tasks)) do (sleep 0.01))))))

(test do-lines-can-be-left
  (with-place "seq 1 100000 > t"
    (let ((before (open-descriptors)))
      (is (equal "7" (do-lines (line (at "t"))
                       (when (string= line "7") (return line)))))
      (is (= 5 (catch 'out (do-lines (line (at "t"))
                             (when (string= line "5") (throw 'out (parse-integer line)))))))
      (is (= before (open-descriptors))))))

(test errors-of-lines
  (with-place ":"
    (handler-case (progn (read-lines (at "none")) (is-true nil))
      (file-system-error (condition)
        (is (= 2 (error-number condition)))
        (is (equal (at "none") (error-path condition)))
        (is (typep condition 'file-error))
        (is (search "none" (princ-to-string condition)))))
    (signals file-system-error (read-lines *place*))))

(test price-of-lines
  (with-place "seq 1 100 > t"
    (let ((counts (calls-made (lambda () (read-lines (at "t"))))))
      (is (= 1 (call-count "openat" counts)))
      (is (= 1 (call-count "close" counts)))
      (is (<= (call-count "read" counts) 2)))))
