;;; Counts the texts in a directory: find takes the kind of each from the directory.
(let ((dots (ext:run-program "find" '("t" "-name" "*.txt" "-type" "f" "-printf" "x")
                             :output :stream)))
  (format t "~D texts~%" (loop while (read-char dots nil) count t)))
