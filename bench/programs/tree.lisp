;;;; The files of a tree as pathnames, with fewer and as people do without.
;;;;
;;;;     sbcl --script tree.lisp MODE ROUNDS TREE
;;;;
;;;; once, and then ROUNDS times more: prints the number of pathnames and the median of the latter's
;;;; times; with 0 rounds the path of each file. Modes: usual, enumerate.

(setf *load-verbose* nil)
(load (merge-pathnames "measured.lisp" *load-truename*))

(defun usual (directory)
  (append (directory (merge-pathnames "*.*" directory))
          (mapcan #'usual (directory (merge-pathnames "*/" directory)))))

(defun print-files (pathnames)
  "Relative to the current directory, without the directories that DIRECTORY has as well."
  (let ((cut (length (sb-ext:native-namestring (truename "")))))
    ;; All at once: the calls for this are counted too.
    (write-string
     (with-output-to-string (out)
       (dolist (pathname pathnames)
         (when (pathname-name pathname)
           (write-line (sb-ext:native-namestring pathname) out :start cut)))))))

(destructuring-bind (mode rounds tree) (arguments)
  (let* ((rounds (parse-integer rounds))
         (directory (truename (concatenate 'string tree "/")))
         (work (cond ((string= mode "usual") #'usual)
                     ((string= mode "enumerate")
                      (load-fewer)
                      (fdefinition (find-symbol "ENUMERATE-FILES" "FEWER")))
                     (t (error "there is no mode ~A" mode))))
         (found '()))
    (if (zerop rounds)
        (print-files (funcall work directory))
        (let ((times (times rounds (lambda () (setf found (funcall work directory))))))
          (say (length found) "pathnames" (median times))))))
