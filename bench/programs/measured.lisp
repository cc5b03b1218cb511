;;;; Loads fewer where it is wanted, and measures. For SBCL and ECL; the programs load it.

(defun arguments ()
  "What stands behind the program: of ECL's words --norc and --shell FILE are the first."
  #+sbcl (rest sb-ext:*posix-argv*)
  #+ecl (nthcdr 4 (ext:command-args)))

(defvar *bindings* (merge-pathnames "../../bindings/lisp/" *load-truename*))

(defun load-asdf ()
  "The ASDF that fewer is loaded with, and where it is found."
  (load (merge-pathnames "setup.lisp" *bindings*)))

(defun load-fewer ()
  (let ((*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream)))
    (load-asdf)
    (funcall (find-symbol "LOAD-SYSTEM" "ASDF") "fewer")))

(defun call (name package &rest arguments)
  "Calls a function of a package that this file was read without."
  (apply (fdefinition (find-symbol name package)) arguments))

(defun milliseconds ()
  "Of a clock. SBCL's own GET-INTERNAL-REAL-TIME moves on every 4 ms."
  #+sbcl (multiple-value-bind (seconds microseconds) (sb-ext:get-time-of-day)
           (+ (* 1d3 seconds) (/ microseconds 1d3)))
  #-sbcl (/ (get-internal-real-time) (/ internal-time-units-per-second 1d3)))

(defun times (rounds work)
  "WORK is done once, and then ROUNDS times more: how long each of the latter took."
  (funcall work)
  (loop repeat rounds
        collect (let ((start (milliseconds)))
                  (funcall work)
                  (- (milliseconds) start))))

(defun median (times)
  (nth (floor (length times) 2) (sort (copy-list times) #'<)))

(defun mean (times)
  (/ (reduce #'+ times) (length times)))

(defun say (number what time)
  (format t "~D ~A~@[, ~,3F ms~]~%" number what time))
