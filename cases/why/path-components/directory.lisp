;;; Counts the files below a directory.
(defun count-files (directory)
  (+ (length (directory (merge-pathnames "*.txt" directory)))
     (reduce #'+ (mapcar #'count-files (directory (merge-pathnames "*/" directory))))))

(format t "~D files~%" (count-files (truename (second *posix-argv*))))
