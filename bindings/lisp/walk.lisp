;;;; walk.lisp - the entries of a tree.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer)

(defstruct (entry (:constructor make-entry (path name-start kind target depth inode))
                  (:copier nil))
  "An entry of a tree. ENTRY-PATH is the root as it was passed, and the path below it, as a native
string; ENTRY-KIND one of :FILE :DIRECTORY :SYMLINK :FIFO :SOCKET :BLOCK :CHAR :UNKNOWN;
ENTRY-TARGET the kind of what a link leads to, with :TARGETS; ENTRY-DEPTH the steps
below the root; ENTRY-INODE the number that the directory has. All of it costs no call."
  (path "" :type simple-string :read-only t)
  (name-start 0 :type fixnum :read-only t)
  (kind :unknown :type symbol :read-only t)
  (target :unknown :type symbol :read-only t)
  (depth 0 :type fixnum :read-only t)
  (inode 0 :type (unsigned-byte 64) :read-only t))

(defmethod print-object ((entry entry) stream)
  (print-unreadable-object (entry stream :type t)
    (format stream "~S ~S" (entry-kind entry) (entry-path entry))))

(defun entry-name (entry)
  "The last component of the path, as a native string. Price: none."
  (string-right-trim "/" (subseq (entry-path entry) (entry-name-start entry))))

(defun entry-pathname (entry)
  "The path as a pathname; that of a directory ends with it. Price: none."
  (native-pathname (entry-path entry) :as-directory (eq (entry-kind entry) :directory)))

(defun entry-path-octets (entry)
  "The path in the kernel's own bytes. Price: none."
  (name-octets (entry-path entry)))

(defun entry-name-octets (entry)
  "The name in the kernel's own bytes. Price: none."
  (name-octets (entry-name entry)))

;;; Opening.

(defun call-with-texts (strings function)
  "Calls FUNCTION with an array of fewer_text and its length."
  (let* ((texts (mapcar #'name-octets strings))
         (count (length texts))
         (total (reduce #'+ texts :key #'length)))
    (with-foreign-object (bytes :uint8 (1+ total))
      (with-foreign-object (array '(:struct text) (max 1 count))
        (loop with at = 0
              for text of-type octets in texts
              for i from 0
              for row = (cffi:mem-aptr array '(:struct text) i)
              do (setf (field row text bytes) (cffi:inc-pointer bytes at)
                       (field row text length) (length text))
                 (loop for octet across text
                       do (setf (mem-ref bytes :uint8 at) octet)
                          (incf at)))
        (funcall function array count)))))

(defmacro with-texts ((array count strings) &body body)
  `(call-with-texts ,strings (lambda (,array ,count) ,@body)))

(defun listed (one-or-more)
  (if (listp one-or-more) one-or-more (list one-or-more)))

(defun call-with-base (paths function)
  "Calls FUNCTION with the handle of the scope that relative PATHS are taken from."
  (let ((above (and (not *scope*) (notevery #'absolute-path-p paths) (defaults-directory))))
    (if above
        (let ((scope (enter-scope above)))
          (unwind-protect (funcall function (scope-handle scope))
            (close-scope scope)))
        (funcall function (current-handle)))))

(defun kind-number (kind)
  "The FEWER_FILE or the like of a keyword or string that names a kind."
  (with-octets-at (bytes length (name-octets (if (symbolp kind) (string-downcase kind) kind)))
    (with-foreign-object (number :uint32)
      (unless (zerop (fewer-kind-number bytes length number))
        (complain "~S is no kind. There are ~{~S~^, ~}." kind (coerce *kinds* 'list)))
      (mem-ref number :uint32))))

(defun kinds-mask (kinds)
  (reduce #'logior (listed kinds) :key (lambda (kind) (ash 1 (kind-number kind)))))

(declaim (ftype function snapshot-pointer)) ; snapshot.lisp

(defun call-with-walk-options (function roots
                               &key by-directory record since sorted follow one-file-system
                                 gitignore (hidden t) max-depth (min-depth 0) kinds glob exclude
                                 ignore-case full-path targets (threads 0) (max-threads 0))
  "Calls FUNCTION with the scope, the roots and their number, the options of a walk, and the name of
the first root."
  (let ((paths (mapcar #'native-path (listed roots))))
    (with-texts (texts count paths)
      (with-texts (globs globs-count (listed glob))
        (with-texts (excluded excluded-count (listed exclude))
          (with-zeroed (options walk-options)
            (setf (field options walk-options flags)
                  (flags 1 sorted 2 follow 4 one-file-system 8 gitignore 16 (not hidden)
                         32 max-depth 64 ignore-case 128 full-path 256 by-directory
                         512 targets)
                  (field options walk-options threads) threads
                  (field options walk-options max-threads) max-threads
                  (field options walk-options kinds) (kinds-mask kinds)
                  (field options walk-options max-depth) (or max-depth 0)
                  (field options walk-options min-depth) min-depth
                  (field options walk-options globs) globs
                  (field options walk-options globs-count) globs-count
                  (field options walk-options exclude-globs) excluded
                  (field options walk-options exclude-globs-count) excluded-count
                  (field options walk-options since) (if since
                                                         (snapshot-pointer since)
                                                         (null-pointer))
                  (field options walk-options record) (ecase record
                                                        ((nil) 0) (:names 1) (:stat 2)))
            (call-with-base
             paths
             (lambda (base)
               (funcall function base texts count options (or (first paths) "."))))))))))

(defun call-with-walk (function roots &rest options)
  "Calls FUNCTION with the handle of a walk."
  (apply #'call-with-walk-options
         (lambda (base texts count options first)
           (with-handle (walk
                         (with-errors (slot first)
                           (fewer-walk-open base texts count options (struct-size walk-options)
                                            walk slot))
                         fewer-walk-close)
             (funcall function (mem-ref walk :pointer))))
         roots options))

;;; Going through.

(defconstant +directory+ 2 "FEWER_DIRECTORY.")

(defun walk-failure (block failures word)
  "The condition for a row of the table of failures."
  (flet ((text (at length)
           (let ((start (word failures (+ word at))))
             (values start (+ start (word failures (+ word length)))))))
    (multiple-value-bind (start end) (text +failure-path+ +failure-path-length+)
      (let ((path (block-name block start end)))
        (multiple-value-bind (start end) (text +failure-message+ +failure-message-length+)
          (make-condition 'file-system-error
                          :code (signed (word failures (+ word +failure-number+)) 32)
                          :action (action-of (word failures (+ word +failure-action+)))
                          :path path :pathname (safe-pathname path)
                          :message (decode-utf8 block start end (code-char #xFFFD))))))))

(defun offer-restarts (condition stop)
  "Signals CONDITION as an error. SKIP-ENTRY goes on; STOP-WALK calls STOP."
  (restart-case (error condition)
    (skip-entry ()
      :report "Go on with the next entry.")
    (stop-walk ()
      :report "End the walk."
      (funcall stop))))

(defmacro do-batches ((walk block entries count failures failures-count) stop &body body)
  "Evaluates BODY for each batch."
  (let ((batch (gensym "BATCH")) (length (gensym "LENGTH")))
    `(with-zeroed (,batch walk-batch)
       (loop
         (with-errors (slot ".")
           (fewer-walk-next ,walk ,batch slot))
         (when (null-pointer-p (field ,batch walk-batch bytes))
           (return))
         (let* ((,length (field ,batch walk-batch bytes-length))
                (,block (fetch-block (field ,batch walk-batch bytes) ,length))
                (,count (field ,batch walk-batch entries-count))
                (,entries (fetch-words (field ,batch walk-batch entries)
                                       (* +entry-words+ ,count)))
                (,failures-count (field ,batch walk-batch failures-count))
                (,failures (fetch-words (field ,batch walk-batch failures)
                                        (* +failure-words+ ,failures-count))))
           (declare (ignorable ,length ,block ,entries)
                    (type block-of-bytes ,block) (type table-of-words ,entries ,failures)
                    (type index ,count ,failures-count))
           (macrolet ((report-failures (before)
                        "Those that came before the entry BEFORE."
                        `(loop while (and (< failure ,',failures-count)
                                          (<= (word ,',failures
                                                    (+ (* +failure-words+ failure)
                                                       +failure-before+))
                                              ,before))
                               do (let ((row (* +failure-words+ failure)))
                                    (incf failure)
                                    (offer-restarts
                                     (walk-failure ,',block ,',failures row) ,',stop)))))
             (let ((failure 0))
               (declare (type index failure))
               ,@body
               (report-failures ,count))))))))

(declaim (inline table-entry))
(defun table-entry (block entries i)
  "Row I of a table of entries as an ENTRY."
  (let* ((row (* +entry-words+ i))
         (start (word entries (+ row +entry-path+)))
         (end (+ start (word entries (+ row +entry-path-length+))))
         (path (block-name block start end))
         (kinds (word entries (+ row +entry-kind+)))
         (before-name (- (word entries (+ row +entry-name+)) start)))
    (declare (type index row start end))
    (make-entry path
                (if (< (length path) (- end start)) ; not ASCII: characters are not bytes
                    (length (block-name block start (+ start before-name)))
                    before-name)
                (svref *kinds* (logand 7 kinds)) (svref *kinds* (ldb (byte 3 8) kinds))
                (word entries (+ row +entry-depth+))
                (long-word entries row))))

(defun walk-each (function walk prune)
  "Calls FUNCTION with each entry; if PRUNE, its answers count."
  (declare (type function function))
  (flet ((stop () (return-from walk-each nil)))
    (do-batches (walk block entries count failures failures-count) #'stop
      (dotimes (i count)
        (report-failures i)
        (let ((answer (funcall function (table-entry block entries i))))
          (when prune
            (case answer
              (:prune (when (= +directory+ (logand 7 (word entries (+ (* +entry-words+ i)
                                                                      +entry-kind+))))
                        (fewer-walk-prune walk i)))
              (:stop (stop)))))))))

(defun walk (roots &rest options &key function &allow-other-keys)
  "The entries of the trees at ROOTS, a path or a list of paths, as a list; or calls FUNCTION with
each and returns NIL. Roots are entries themselves. An entry that cannot be looked at is an error
with the restarts SKIP-ENTRY and STOP-WALK.

  :SORTED           depth-first, names in byte order, the same at every run
  :FOLLOW           a link stands for what it points to
  :ONE-FILE-SYSTEM  mount points are not entered
  :GITIGNORE        leaves out what git would ignore
  :HIDDEN           what begins with a dot, too; NIL leaves it out, and what is below
  :MAX-DEPTH N      directories this deep are not entered; :MIN-DEPTH N hands over from there on
  :KINDS            hands over entries of this kind alone, or of a list of kinds: keywords or
                    strings that name one, such as :DIRECTORY and \"d\"
  :GLOB             hands over what matches a pattern, or one of a list; :EXCLUDE leaves out
                    likewise, and what is below; :IGNORE-CASE; :FULL-PATH matches patterns with
                    the whole path
  :TARGETS          links say what kind of thing they lead to: one statx for each
  :THREADS N        how many threads to use; 0: as many as there are processors, and more, up to
                    :MAX-THREADS N (0: 64), while storage has to be waited for
  :SINCE SNAPSHOT   a directory that it knows and that did not change is not opened: one statx
                    instead. The entries are those of a walk without it

Price: per directory openat, getdents64 and close; per entry none; an openat and a close where a
root is relative to *DEFAULT-PATHNAME-DEFAULTS*."
  (let ((options (uiop:remove-plist-key :function options)))
    (if function
        (apply #'call-with-walk (lambda (walk) (walk-each (coerce function 'function) walk nil))
               roots options)
        (let ((entries '()))
          (apply #'call-with-walk
                 (lambda (walk) (walk-each (lambda (entry) (push entry entries)) walk nil))
                 roots options)
          (nreverse entries)))))

(defmacro do-walk ((entry roots &rest options) &body body)
  "Evaluates BODY for each entry of the trees at ROOTS, in a block named NIL. Options are those of
WALK. Price: as WALK."
  `(block nil
     (walk ,roots :function (lambda (,entry) ,@body) ,@options)))

(defun map-walk (visitor roots &rest options)
  "Calls VISITOR with each entry of the trees at ROOTS. It answers :PRUNE for a directory that is
not to be entered, and :STOP to end the walk; anything else, such as :CONTINUE, goes on. Options
are those of WALK. One directory after the other, on this thread. Price: as WALK."
  (apply #'call-with-walk
         (lambda (walk) (walk-each (coerce visitor 'function) walk t))
         roots :by-directory t options))
