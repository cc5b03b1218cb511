;;;; Reads the lines of a text, with fewer and as people do without.
;;;;
;;;;     sbcl --script lines.lisp MODE ROUNDS FILE
;;;;     ecl --norc --shell lines.lisp MODE ROUNDS FILE
;;;;
;;;; once, and then ROUNDS times more: prints the number of lines and the mean of the latter's
;;;; times. The mean, because in some rounds garbage is collected and in others not. With 0 rounds
;;;; the number alone. Modes:
;;;;
;;;;     fewer    fewer:read-lines, a list       uiop       uiop:read-file-lines, a list
;;;;     do-lines fewer:do-lines, counted        read-line  a loop over read-line, a list
;;;;     count    a loop over read-line, counted

(setf *load-verbose* nil)
(load (merge-pathnames "measured.lisp" *load-truename*))

(defun collect (file)
  (with-open-file (stream file :external-format :utf-8)
    (length (loop for line = (read-line stream nil) while line collect line))))

(defun count-read (file)
  (with-open-file (stream file :external-format :utf-8)
    (loop while (read-line stream nil) count t)))

(defun work (mode)
  "What counts the lines of a file."
  (flet ((is (name) (string= mode name)))
    (cond ((is "fewer")
           (load-fewer)
           (lambda (file) (length (call "READ-LINES" "FEWER" file))))
          ((is "do-lines")
           (load-fewer)
           ;; Read when there is a package to read it in.
           (compile nil (read-from-string
                         "(lambda (file &aux (count 0))
                            (fewer:do-lines (line file) (incf count))
                            count)")))
          ((is "uiop")
           (load-asdf)
           (lambda (file) (length (call "READ-FILE-LINES" "UIOP" file))))
          ((is "read-line") #'collect)
          ((is "count") #'count-read)
          (t (error "there is no mode ~A" mode)))))

(destructuring-bind (mode rounds file) (arguments)
  (let* ((rounds (parse-integer rounds))
         (work (work mode))
         (count 0)
         (times (times rounds (lambda () (setf count (funcall work file))))))
    (say count "lines" (when times (mean times)))))
