;; Counts lines, and writes what was read through one file.
(let ((count 0))
  (with-open-file (in "rows.csv")
    (with-open-file (out "rows-lisp" :direction :output :if-exists :supersede)
      (loop for line = (read-line in nil)
            while line
            do (incf count)
               (write-line line out))))
  (format t "~a~%" count))
