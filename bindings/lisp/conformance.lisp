;;;; conformance.lisp - does with this library what `fewer` does, so that the shared cases can be
;;;; run.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; A request is a line: words in hexadecimal, `-` for an empty one. The first is the directory to
;;;; work in, the second a verb or `scope`, the others its arguments. The answer is a line: exit
;;;; status, standard output and standard error in hexadecimal, and what calls it took. Status 125:
;;;; cannot be expressed, and why.

(defvar *quiet* (make-broadcast-stream))

(let ((*standard-output* *quiet*) (*error-output* *quiet*))
  (load (merge-pathnames "setup.lisp" *load-truename*)))

(let ((*standard-output* *quiet*) (*error-output* *quiet*))
  (handler-bind ((warning #'muffle-warning))
    (asdf:load-system "bordeaux-threads")
    (asdf:load-system "fewer")))

(defpackage #:fewer/conformance
  (:use #:common-lisp #:fewer))

(in-package #:fewer/conformance)

;;; Words and bytes. What is printed is collected as octets.

(defvar *out*)
(defvar *err*)

(defun make-collector ()
  (make-array 256 :element-type '(unsigned-byte 8) :adjustable t :fill-pointer 0))

(defun emit (collector &rest parts)
  "Puts strings, octets and single octets behind what is there."
  #+clisp (when (> (length collector) 8000000)
            (not-expressible "no arrays of more than 16 MiB in CLISP"))
  (dolist (part parts)
    (etypecase part
      (integer (vector-push-extend part collector))
      (string (emit collector (fewer::name-octets part)))
      (vector (loop for octet across part do (vector-push-extend octet collector))))))

(defun line (&rest parts)
  (apply #'emit *out* parts)
  (emit *out* 10))

(defun write-hex (octets)
  "Byte by byte: CLISP has no strings of more than 4 MiB."
  (when (zerop (length octets))
    (write-char #\-))
  (loop for octet across octets
        do (write-char (char "0123456789abcdef" (ash octet -4)))
           (write-char (char "0123456789abcdef" (logand octet 15)))))

(defun word (hex)
  "A word of a request as a native string."
  (if (string= hex "-")
      ""
      (octets-name
       (loop for i from 0 below (length hex) by 2
             collect (parse-integer hex :start i :end (+ i 2) :radix 16)))))

(defun octets-name (octets)
  (cffi:with-foreign-object (memory :uint8 (length octets))
    (loop for octet in octets
          for i from 0
          do (setf (cffi:mem-ref memory :uint8 i) octet))
    (fewer::fetch-name memory (length octets))))

(defun not-expressible (control &rest arguments)
  (throw 'not-expressible (apply #'format nil control arguments)))

(defun complain (program condition)
  (emit *err* program ": " (error-message condition) 10))

;;; Flags. A table has a row for each: letter, name, whether a value follows, key.

(defun parse (words table)
  "Flags as a list of (KEY . VALUE), and the operands."
  (let ((flags '()) (operands '()))
    (loop while words
          do (let ((word (pop words)))
               (cond ((string= word "--")
                      (setf operands (append (reverse words) operands) words '()))
                     ((and (> (length word) 2) (string= "--" word :end2 2))
                      (let* ((equals (position #\= word))
                             (row (find (subseq word 2 equals) table
                                        :key #'second :test #'string=)))
                        (unless row
                          (not-expressible "no ~A in fewer for Lisp" (subseq word 0 equals)))
                        (push (cons (fourth row)
                                    (cond ((not (third row)) t)
                                          (equals (subseq word (1+ equals)))
                                          (t (pop words))))
                              flags)))
                     ((and (> (length word) 1) (char= #\- (char word 0)))
                      (setf words (parse-letters (subseq word 1) words table
                                                 (lambda (key value)
                                                   (push (cons key value) flags)))))
                     (t (push word operands)))))
    (values (nreverse flags) (nreverse operands))))

(defun parse-letters (letters words table take)
  (loop for i from 0 below (length letters)
        do (let ((row (find (char letters i) table :key #'first)))
             (unless row
               (not-expressible "no -~A in fewer for Lisp" (char letters i)))
             (cond ((not (third row)) (funcall take (fourth row) t))
                   ((< (1+ i) (length letters))
                    (funcall take (fourth row) (subseq letters (1+ i)))
                    (return))
                   (t (funcall take (fourth row) (pop words))))))
  words)

(defun all-values (key flags)
  (loop for (name . value) in flags when (eq name key) collect value))

(defun value (key flags)
  (car (last (all-values key flags))))

(defun number-of (key flags)
  (let ((value (value key flags)))
    (and value (parse-integer value))))

;;; walk

(defparameter *walk-flags*
  '((#\0 "null" nil :null) (#\g "glob" t :glob) (#\E "exclude" t :exclude)
    (#\e "extension" t :extension) (#\t "type" t :type) (#\j "threads" t :threads)
    (nil "min-depth" t :min-depth) (#\d "max-depth" t :max-depth)
    (#\i "ignore-case" nil :ignore-case) (#\L "follow" nil :follow)
    (#\x "one-file-system" nil :one-file-system) (nil "sort" nil :sorted)
    (nil "gitignore" nil :gitignore) (nil "no-hidden" nil :no-hidden)
    (nil "full-path" nil :full-path) (nil "count" nil :count)))

(defun kinds (lists)
  (loop for list in lists
        append (loop for word in (uiop:split-string list :separator ",")
                     do (handler-case (fewer::kind-number word)
                          (error () (not-expressible "no type ~A" word)))
                     collect word)))

(defun extension-glob (extension)
  "A glob for names with something before a dot and EXTENSION."
  (format nil "?*.~{~A~}"
          (loop for char across (string-left-trim "." extension)
                when (find char "*?[]{}\\,!") collect #\\
                collect char)))

(defun walk-options (flags)
  (when (and (value :extension flags) (or (value :glob flags) (value :full-path flags)))
    (not-expressible "no -e beside -g in fewer for Lisp"))
  (append (list :glob (append (all-values :glob flags)
                              (mapcar #'extension-glob (all-values :extension flags)))
                :exclude (all-values :exclude flags)
                :kinds (kinds (all-values :type flags))
                :threads (or (number-of :threads flags) 0)
                :min-depth (or (number-of :min-depth flags) 0)
                :max-depth (number-of :max-depth flags))
          (loop for key in '(:ignore-case :follow :one-file-system :sorted :gitignore
                             :full-path)
                append (list key (value key flags)))
          (list :hidden (not (value :no-hidden flags)))))

(defun walk-verb (words)
  (multiple-value-bind (flags roots) (parse words *walk-flags*)
    (let* ((roots (or roots '(".")))
           (end (if (value :null flags) 0 10))
           (count (value :count flags))
           (kinds '()) (failures 0) (failed-roots 0))
      (handler-bind ((file-system-error
                       (lambda (condition)
                         (when (find-restart 'skip-entry condition)
                           (complain "fewer" condition)
                           (incf failures)
                           (when (and (member (error-path condition) roots :test #'string=)
                                      (eq :access (error-action condition)))
                             (incf failed-roots))
                           (skip-entry condition)))))
        (apply #'walk roots
               :function (lambda (entry)
                           (if count
                               (push (entry-kind entry) kinds)
                               (emit *out* (entry-path entry) end)))
               (walk-options flags)))
      (when count (print-kinds kinds))
      (cond ((>= failed-roots (length roots)) 2) ((plusp failures) 1) (t 0)))))

(defun print-kinds (kinds)
  (flet ((how-many (kind) (count kind kinds)))
    (let ((files (how-many :file)) (directories (how-many :directory))
          (links (how-many :symlink)))
      (line (format nil "~D entries, ~D directories, ~D files, ~D links, ~D other"
                    (length kinds) directories files links
                    (- (length kinds) files directories links))))))

;;; size

(defparameter *size-flags*
  '((#\0 "null" nil :null) (#\A "apparent" nil :apparent) (#\a "all" nil :files)
    (#\b "bytes" nil :bytes) (#\d "depth" t :depth) (#\s "summarize" nil :only-roots)
    (#\l "count-links" nil :count-links) (#\x "one-file-system" nil :one-file-system)
    (#\E "exclude" t :exclude) (#\j "threads" t :threads) (nil "gitignore" nil :gitignore)
    (nil "no-hidden" nil :no-hidden)))

(defun size-verb (words)
  (multiple-value-bind (flags roots) (parse words *size-flags*)
    (let* ((roots (or roots '(".")))
           (apparent (or (value :apparent flags) (value :bytes flags)))
           (unit (if (value :bytes flags) 1 1024))
           (end (if (value :null flags) 0 10))
           (failures 0) (missing 0))
      (flet ((amount (row)
               (if apparent (size-row-size row) (size-row-allocated row)))
             (note (condition)
               (when (find-restart 'skip-entry condition)
                 (complain "fewer" condition)
                 (incf failures)
                 (when (eq :access (error-action condition)) (incf missing))
                 (skip-entry condition))))
        (dolist (row (stable-sort
                      (handler-bind ((file-system-error #'note))
                        (tree-size roots
                                   :depth (if (value :only-roots flags)
                                              0
                                              (or (number-of :depth flags) 1))
                                   :files (value :files flags)
                                   :count-links (value :count-links flags)
                                   :one-file-system (value :one-file-system flags)
                                   :gitignore (value :gitignore flags)
                                   :hidden (not (value :no-hidden flags))
                                   :exclude (all-values :exclude flags)
                                   :threads (or (number-of :threads flags) 0)))
                      (lambda (one other)
                        (or (< (amount one) (amount other))
                            (and (= (amount one) (amount other))
                                 (> (size-row-depth one) (size-row-depth other)))))))
          (emit *out* (format nil "~D~C" (ceiling (amount row) unit) #\Tab)
                (size-row-path row) end)))
      (cond ((zerop failures) 0) ((>= missing (length roots)) 2) (t 1)))))

;;; lines

(defparameter *lines-flags*
  '((#\0 "null" nil :null) (#\n "number" nil :number) (nil "from" t :from) (nil "to" t :to)
    (nil "last" t :last) (nil "crlf" nil :crlf) (nil "count" nil :count)
    (nil "longest" nil :longest)))

(defun print-file (file flags)
  (let ((number 0) (from (or (number-of :from flags) 1)) (to (number-of :to flags))
        (plain (not (value :crlf flags))))
    (if (and to (< to from))
        (fewer::call-with-lines (constantly nil) file nil nil 0)
        (map-lines (lambda (line)
                     (incf number)
                     (when (>= number from)
                       (when (value :number flags)
                         (emit *out* (format nil "~6D~C" number #\Tab)))
                       (emit *out* (if plain line (with-newline line))))
                     (when (eql to number) (return-from print-file)))
                   file :element-type '(unsigned-byte 8) :keep-ends t :nul (value :null flags)
                        :crlf (value :crlf flags) :last (number-of :last flags)))))

(defun with-newline (line)
  "LINE with a newline where it ends in a return and a newline."
  (let ((length (length line)))
    (if (and (> length 1) (= 13 (aref line (- length 2))) (= 10 (aref line (1- length))))
        (concatenate '(vector (unsigned-byte 8)) (subseq line 0 (- length 2)) '(10))
        line)))

(defun longest-line (file flags)
  (let ((longest 0))
    (do-lines (line file :element-type '(unsigned-byte 8) :nul (value :null flags)
                         :crlf (value :crlf flags))
      (setf longest (max longest (length line))))
    longest))

(defun file-width (files)
  "As wide as the sizes of all files together; 7 at least if one is no file."
  (let ((total 0) (width 1))
    (dolist (file files)
      (handler-case (let ((stat (stat-file file :follow t :fields '(:kind :size))))
                      (if (eq :file (stat-kind stat))
                          (incf total (stat-size stat))
                          (setf width 7)))
        (file-system-error ())))
    (max width (length (princ-to-string total)))))

(defun tell-sum (file width number)
  (when (find #\Newline file)
    (not-expressible "names for a shell are a matter of the command line"))
  (line (format nil "~VD " width number) file)
  number)

(defun lines-verb (words)
  (multiple-value-bind (flags files) (parse words *lines-flags*)
    (when (or (null files) (member "-" files :test #'string=))
      (not-expressible "the standard input brings the requests"))
    (when (and (value :last flags) (value :number flags))
      (not-expressible "no numbers of the last lines in fewer for Lisp"))
    (let* ((sums (or (value :count flags) (value :longest flags)))
           (several (rest files))
           (width (if (and sums several) (file-width files) 1))
           (failed 0) (without-any 0) (numbers '()))
      (dolist (file files)
        (let ((before (length *out*)))
          (handler-case
              (if sums
                  (push (tell-sum file width
                                  (if (value :count flags)
                                      (nth-value 1 (count-lines file :nul (value :null flags)))
                                      (longest-line file flags)))
                        numbers)
                  (print-file file flags))
            (file-system-error (condition)
              (when (and sums (eq :read (error-action condition)))
                (tell-sum file width 0)
                (incf without-any))
              (complain "fewer" condition)
              (incf failed)
              (when (= before (length *out*)) (incf without-any))))))
      (when (and sums several)
        (line (format nil "~VD total" width
                      (reduce (if (value :count flags) #'+ #'max) numbers :initial-value 0))))
      (cond ((= without-any (length files)) 2) ((plusp failed) 1) (t 0)))))

;;; scope

(defvar *base* nil
  "The scope of the directory to work in.")

(defvar *inside* '()
  "The scopes that steps have led into, the last one first.")

(defun go-in (scope)
  (push scope *inside*)
  (setf *scope* scope))

(defun leave ()
  (close-scope (pop *inside*)))

(defun stat-line (path)
  (let ((stat (stat-file path :fields '(:kind :size))))
    (if (eq :file (stat-kind stat))
        (format nil "file ~D" (stat-size stat))
        (string-downcase (stat-kind stat)))))

(defun stat-in-threads (count path)
  (unless bordeaux-threads:*supports-threads-p*
    (not-expressible "no threads in ~A" (lisp-implementation-type)))
  (let* ((scope *scope*)
         (threads (loop repeat count
                        collect (bordeaux-threads:make-thread
                                 (lambda ()
                                   (let ((*scope* scope)) (stat-line path)))))))
    (mapc #'line (mapcar #'bordeaux-threads:join-thread threads))))

(defun read-first (path)
  "Prints what the first read brings."
  (fewer::call-with-lines
   (lambda (lines native)
     (fewer::with-zeroed (batch fewer::lines-batch)
       (fewer::with-errors (slot native) (fewer::fewer-lines-next lines batch slot))
       (let ((bytes (fewer::field batch fewer::lines-batch fewer::bytes))
             (length (fewer::field batch fewer::lines-batch fewer::bytes-length)))
         (unless (cffi:null-pointer-p bytes)
           (emit *out* (fewer::block-octets (fewer::fetch-block bytes length) 0 length))))))
   path nil nil 0))

(defun change (call path)
  (fewer::call-at-path call path))

(defun make-by-mode (call bits path)
  (let ((bits (parse-integer bits :radix 8)))
    (change (lambda (scope bytes length slot) (funcall call scope bytes length bits slot)) path)))

(defun create-file (bits path)
  (cffi:with-foreign-object (descriptor :int)
    (make-by-mode (lambda (scope bytes length bits slot)
                    (fewer::fewer-scope-create scope bytes length bits descriptor slot))
                  bits path)
    (cffi:foreign-funcall "close" :int (cffi:mem-ref descriptor :int) :int)))

(defun link-step (call path target)
  (fewer::with-octets-at (to to-length (fewer::name-octets target))
    (change (lambda (scope bytes length slot)
              (funcall call scope bytes length to to-length slot))
            path)))

(defparameter *steps*
  (list "enter" (lambda (path) (go-in (enter-scope path)))
        "enter-logical" (lambda (path) (go-in (enter-scope path :logical t)))
        "stat" (lambda (path) (line (stat-line path)))
        "link" (lambda (path) (line (fewer::read-target path)))
        "read" #'read-first
        "chmod" (lambda (bits path)
                  (make-by-mode #'fewer::fewer-scope-set-permissions bits path))
        "symlink" (lambda (path target)
                    (link-step #'fewer::fewer-scope-make-symlink path target))
        "hard-link" (lambda (path target)
                      (link-step #'fewer::fewer-scope-make-hard-link path target))
        "mkdir" (lambda (bits path)
                  (make-by-mode #'fewer::fewer-scope-make-directory bits path))
        "create" #'create-file
        "remove" (lambda (path) (change #'fewer::fewer-scope-remove-file path))
        "remove-directory" (lambda (path) (change #'fewer::fewer-scope-remove-directory path))
        "remove-tree" (lambda (path) (change #'fewer::fewer-scope-remove-tree path))
        "walk" (lambda (root)
                 (dolist (entry (walk root :sorted t))
                   (line (entry-path entry))))
        "logical" (lambda () (line (scope-path)))
        "physical" (lambda () (line (scope-path :physical t)))
        "threads" (lambda (count path) (stat-in-threads (parse-integer count) path))))

(defparameter *words-of-steps*
  '("logical" 0 "physical" 0 "chmod" 2 "symlink" 2 "hard-link" 2 "mkdir" 2 "create" 2 "threads" 2)
  "How many words follow; else one.")

(defun from-table (name table default)
  (loop for (key value) on table by #'cddr
        when (string= key name) return value
        finally (return default)))

(defun take-steps (words)
  "Steps with a working directory as a value; tools/src/scope_steps.rs says which there are."
  (let ((status 0))
    (loop while words
          do (let* ((name (pop words))
                    (step (from-table name *steps* nil))
                    (count (from-table name *words-of-steps* 1)))
               (cond ((member name '("run" "output" "env") :test #'string=)
                      (not-expressible "no processes in fewer for Lisp"))
                     ((string= name "clone")
                      (not-expressible "no clones of a scope in fewer for Lisp"))
                     ((and (string= name "leave") *inside*)
                      (leave)
                      (setf *scope* (or (first *inside*) *base*)))
                     ((or (null step) (< (length words) count))
                      (emit *err* (format nil "scope: '~A' is no step" name) 10)
                      (return (setf status 2)))
                     (t
                      (handler-case (apply step (loop repeat count collect (pop words)))
                        (file-system-error (condition)
                          (complain "scope" condition)
                          (setf status 1)))))))
    (loop while *inside* do (leave))
    status))

;;; Requests

(defun perform (verb arguments)
  (cond ((string= verb "walk") (walk-verb arguments))
        ((string= verb "size") (size-verb arguments))
        ((string= verb "lines") (lines-verb arguments))
        ((string= verb "scope") (take-steps arguments))
        (t (not-expressible "no ~A in fewer for Lisp" verb))))

(defun perform-safely (verb arguments)
  "The status, and the reason of 125."
  (let ((reason (catch 'not-expressible
                  (return-from perform-safely
                    (handler-case (perform verb arguments)
                      (file-system-error (condition)
                        (complain "fewer" condition)
                        2))))))
    (loop while *inside* do (leave))
    (setf (fill-pointer *err*) 0)
    (emit *err* "not expressible: " reason 10)
    125))

(defun counts-since (before)
  (loop for (name . count) in (calls)
        for more = (- count (or (cdr (assoc name before :test #'string=)) 0))
        when (plusp more) collect (format nil "~A=~D" name more)))

(defun answer (request)
  (destructuring-bind (directory verb &rest arguments)
      (mapcar #'word (uiop:split-string request :separator " "))
    (let ((*out* (make-collector)) (*err* (make-collector)) (*inside* '()))
      (with-scope (directory :variable base)
        (let* ((*base* base)
               (before (calls))
               (status (perform-safely verb arguments))
               (counts (counts-since before)))
          (format t "~D " status)
          (write-hex *out*)
          (write-char #\Space)
          (write-hex *err*)
          (format t "~{ ~A~}~%" counts))))))

(loop for request = (read-line *standard-input* nil)
      while request
      do (answer request)
         (finish-output))
