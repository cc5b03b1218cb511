;;; Prints the squares of the numbers up to five thousand, each as soon as it is known.
(dotimes (number 5000)
  (format t "~D ~D~%" number (* number number))
  (finish-output))
