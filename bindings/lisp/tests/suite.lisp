;;;; suite.lisp - trees to test on, and what a run says.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; What is expected comes from outside: from sh, from what the Lisp itself finds, from tables.

(defpackage #:fewer/tests
  (:use #:common-lisp #:fewer)
  (:import-from #:fiveam #:def-suite #:in-suite #:test #:is #:is-true #:is-false #:signals #:skip
                #:finishes)
  (:export #:run))

(in-package #:fewer/tests)

(def-suite fewer)

(defvar *place* nil
  "The directory that a test may fill, as a native path that ends in a slash.")

(defun sh (control &rest arguments)
  "What a shell prints for a command, as a string without the last newline."
  (string-right-trim '(#\Newline)
                     (uiop:run-program (list "/bin/sh" "-c" (apply #'format nil control arguments))
                                       :output :string :error-output :interactive)))

(defun sh-lines (control &rest arguments)
  (uiop:split-string (apply #'sh control arguments) :separator '(#\Newline)))

(defmacro with-place (commands &body body)
  "Evaluates BODY with *PLACE* a new directory that was filled by shell commands, run in it."
  `(call-with-place ,commands (lambda () ,@body)))

(defun call-with-place (commands function)
  (let ((*place* (concatenate 'string (sh "mktemp -d") "/")))
    (unwind-protect
         (progn
           (sh "cd '~A' && { ~A; }" *place* commands)
           (funcall function))
      (sh "chmod -R u+rwx '~A'; rm -rf '~A'" *place* *place*))))

(defun at (name)
  "The native path of NAME in the place."
  (concatenate 'string *place* name))

(defun sorted (strings)
  (sort (copy-list strings) #'string<))

(defun same-set-p (one other &key (test #'equal))
  (null (set-exclusive-or one other :test test)))

(defun paths-below (entries)
  "The paths of entries, without that of the place."
  (sorted (mapcar (lambda (entry)
                    (subseq (entry-path entry) (min (length (entry-path entry))
                                                    (length *place*))))
                  entries)))

(defun calls-made (function)
  "How often each call is made by FUNCTION through the library, as an alist."
  (let ((before (calls)))
    (funcall function)
    (loop for (name . count) in (calls)
          for more = (- count (or (cdr (assoc name before :test #'string=)) 0))
          when (plusp more) collect (cons name more))))

(defun call-count (name counts)
  (or (cdr (assoc name counts :test #'string=)) 0))

(defun open-descriptors ()
  "How many descriptors are open on something in the place."
  (parse-integer (sh "ls -l /proc/~D/fd | grep -cF '~A'; true" (process-id)
                     (string-right-trim "/" *place*))))

(defun process-id ()
  #+sbcl (sb-unix:unix-getpid)
  #+ecl (ext:getpid)
  #+clisp (posix:process-id)
  #+abcl (java:jcall "pid" (java:jstatic "current" "java.lang.ProcessHandle")))

(defun run ()
  "Runs all tests; prints what failed and one line of numbers; true if nothing failed."
  (let* ((fiveam:*test-dribble* *standard-output*)
         (results (fiveam:run 'fewer))
         (failed (remove-if-not #'fiveam::test-failure-p results))
         (skipped (remove-if-not #'fiveam::test-skipped-p results)))
    (when failed
      (fiveam:explain! failed))
    (dolist (result skipped)
      (format t "~&skipped: ~A~%" (fiveam::reason result)))
    (format t "~&~A: ~D passed, ~D failed, ~D skipped~%" (lisp-implementation-type)
            (- (length results) (length failed) (length skipped))
            (length failed) (length skipped))
    (finish-output)
    (null failed)))
