;;; Counts the files below a directory: find does not resolve names.
(defun count-files (directory)
  (let ((find (sb-ext:run-program
               "/usr/bin/find"
               (list (sb-ext:native-namestring directory)
                     "-mindepth" "2" "-name" "*.txt" "-printf" "x")
               :output :stream :wait nil)))
    (unwind-protect (loop while (read-char (sb-ext:process-output find) nil) count t)
      (sb-ext:process-wait find)
      (sb-ext:process-close find))))

(format t "~D files~%" (count-files (truename (second *posix-argv*))))
