;;; Prints the squares of the numbers up to five thousand, not line by line.
(with-open-stream (out (sb-sys:make-fd-stream 1 :output t :buffering :full))
  (dotimes (number 5000)
    (format out "~D ~D~%" number (* number number))))
