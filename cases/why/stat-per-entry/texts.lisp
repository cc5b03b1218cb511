;;; Counts the texts in a directory.
(format t "~D texts~%" (length (directory "t/*.txt")))
