;;;; handles.lisp - what is open in the end, whatever happens; threads.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer/tests)

(def-suite handles :in fewer)
(in-suite handles)

(test nothing-stays-open
  "Whatever way is taken out of a walk, a list or a text, descriptors are as before."
  (with-place "mkdir -p a/b c; seq 1 50000 > t; touch a/b/f"
    (let ((before (open-descriptors)))
      (dotimes (i 20)
        (catch 'out (walk *place* :function (lambda (entry) (throw 'out entry))))
        (catch 'out (map-walk (lambda (entry) (throw 'out entry)) *place*))
        (ignore-errors (do-walk (entry *place*) (error "~A" entry)))
        (ignore-errors (do-lines (line (at "t")) (error "~A" line)))
        (ignore-errors (walk (list (at "none") *place*)))
        (ignore-errors (read-lines (at "none")))
        (ignore-errors (list-entries (at "none")))
        (ignore-errors (mapdir (lambda (entry) (error "~A" entry)) *place*))
        (catch 'out (mapdir (lambda (entry) (throw 'out entry)) *place*)))
      (is (= before (open-descriptors))))))

(test one-walk-inside-another
  (with-place "mkdir -p a b; touch a/f b/g"
    (let ((count 0))
      (do-walk (entry *place* :kinds :directory)
        (do-walk (inner (entry-path entry) :kinds :file)
          (when (entry-name inner) (incf count))))
      (is (= 4 count)))))

(test the-library-says-what-it-is
  (is (stringp (library-version)))
  (is (find #\. (library-version))))

#-abcl ; whose environment cannot be changed
(test the-library-is-looked-for-where-it-is-said
  (let ((library (uiop:getenv "FEWER_LIBRARY")))
    (unwind-protect
         (progn
           (setf (uiop:getenv "FEWER_LIBRARY") "/nonexistent/libfewer.so")
           (signals error (fewer::open-library)))
      (setf (uiop:getenv "FEWER_LIBRARY") (or library ""))
      (load-library)))
  (is (plusp (length (calls-made (lambda () (stat-file "/")))))))

(test threads
  "Many at once, each in a scope of its own."
  (if (not bordeaux-threads:*supports-threads-p*)
      (skip "~A has no threads" (lisp-implementation-type))
      (with-place "for i in $(seq 0 7); do mkdir t$i; seq 1 $i > t$i/lines; touch t$i/x$i; done"
        (let ((threads
                (loop with place = *place*
                      for i below 8
                      collect (let ((i i))
                                (bordeaux-threads:make-thread
                                 (lambda ()
                                   (loop repeat 20
                                         always (with-scope ((format nil "~At~D" place i))
                                                  (and (= i (length (read-lines "lines")))
                                                       (= 3 (length (walk ".")))
                                                       (= 2 (length (enumerate-files "."))))))))))))
          (is (every #'identity (mapcar #'bordeaux-threads:join-thread threads)))))))

(defun lisp-blocks (path)
  "What stands between ```lisp and ``` in a file, as a string for each."
  (let ((blocks '()) (inside nil))
    (do-lines (line path :element-type 'character)
      (cond ((string= line "```lisp") (push "" blocks) (setf inside t))
            ((string= line "```") (setf inside nil))
            (inside (setf (first blocks) (format nil "~A~A~%" (first blocks) line)))))
    (nreverse blocks)))

(test examples-of-the-readme
  (let* ((folder (asdf:system-source-directory "fewer"))
         (*default-pathname-defaults* folder)
         (*package* (find-package '#:common-lisp-user))
         (forms (loop for block in (lisp-blocks (merge-pathnames "README.md" folder))
                      append (with-input-from-string (stream block)
                               (loop for form = (read stream nil stream)
                                     until (eq form stream) collect form)))))
    (is (< 8 (length forms)))
    (let ((*standard-output* (make-broadcast-stream)))
      (dolist (form forms)
        (finishes (eval form))))))
