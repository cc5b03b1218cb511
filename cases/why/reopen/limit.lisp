;;; Checks orders against a limit that a file sets.
(defun limit (path)
  (with-open-file (in path) (read in)))

(defun accepted (path)
  (loop for order from 1 to 3000 count (<= order (limit path))))

(format t "~D orders accepted~%" (accepted (second *posix-argv*)))
