;;;; foreign.lisp - declares include/fewer.h for CFFI. No C compiler is needed.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; Tables of the library are read as words of 32 bits (bytes.lisp), at the places that are listed
;;;; here.

(in-package #:fewer)

(cffi:defctype size :unsigned-long)

(defmacro define-calls (&body calls)
  "Each call: (name result-type (argument type)...). NAME is the C name with dashes."
  `(progn
     ,@(loop for (name result . arguments) in calls
             for c-name = (substitute #\_ #\- (string-downcase name))
             collect `(cffi:defcfun (,c-name ,name :library libfewer) ,result ,@arguments))))

;;; The library must have the version that this file was written for.

(defconstant +abi-version+ 1
  "The FEWER_ABI_VERSION that this file was written for.")

(define-calls
  (fewer-abi-version :uint32)
  (fewer-version :string))

(defun library-version ()
  "The version of libfewer.so, as a string. Price: none."
  (fewer-version))

(defun check-abi-version ()
  (unless (= +abi-version+ (fewer-abi-version))
    (error "libfewer.so has version ~D of its interface; this is for version ~D."
           (fewer-abi-version) +abi-version+)))

(check-abi-version)

(defun load-library ()
  "Looks for libfewer.so and opens it; returns its version. It is done when the system is loaded and
when an image starts; do it again to change over to another file."
  (close-library)
  (open-library)
  (check-abi-version)
  (library-version))

(define-calls
  (fewer-error-number :int32 (error :pointer))
  (fewer-error-message :pointer (error :pointer))
  (fewer-error-action :uint32 (error :pointer))
  (fewer-error-path :pointer (error :pointer) (length :pointer))
  (fewer-error-free :void (error :pointer))

  (fewer-kind-number :int (name :pointer) (length size) (kind :pointer))

  (fewer-scope-enter :int (scope :pointer) (path :pointer) (length size) (entered :pointer)
                     (error :pointer))
  (fewer-scope-enter-logical :int (scope :pointer) (path :pointer) (length size)
                             (entered :pointer) (error :pointer))
  (fewer-scope-clone :pointer (scope :pointer))
  (fewer-scope-close :void (scope :pointer))
  (fewer-scope-stat :int (scope :pointer) (path :pointer) (length size) (fields :uint32)
                    (follow :int) (stat :pointer) (error :pointer))
  (fewer-scope-read-link :int (scope :pointer) (path :pointer) (length size) (buffer :pointer)
                         (capacity size) (needed :pointer) (error :pointer))
  (fewer-scope-create :int (scope :pointer) (path :pointer) (length size) (permissions :uint32)
                      (descriptor :pointer) (error :pointer))
  (fewer-scope-logical :int (scope :pointer) (buffer :pointer) (capacity size) (needed :pointer)
                       (error :pointer))
  (fewer-scope-physical :int (scope :pointer) (buffer :pointer) (capacity size)
                        (needed :pointer) (error :pointer))
  (fewer-scope-set-permissions :int (scope :pointer) (path :pointer) (length size)
                               (permissions :uint32) (error :pointer))
  (fewer-scope-make-symlink :int (scope :pointer) (path :pointer) (length size)
                            (target :pointer) (target-length size) (error :pointer))
  (fewer-scope-make-hard-link :int (scope :pointer) (path :pointer) (length size)
                              (target :pointer) (target-length size) (error :pointer))
  (fewer-scope-make-directory :int (scope :pointer) (path :pointer) (length size)
                              (permissions :uint32) (error :pointer))
  (fewer-scope-remove-file :int (scope :pointer) (path :pointer) (length size) (error :pointer))
  (fewer-scope-remove-directory :int (scope :pointer) (path :pointer) (length size)
                                (error :pointer))
  (fewer-scope-remove-tree :int (scope :pointer) (path :pointer) (length size) (error :pointer))

  (fewer-walk-open :int (scope :pointer) (roots :pointer) (count size) (options :pointer)
                   (options-size size) (walk :pointer) (error :pointer))
  (fewer-walk-next :int (walk :pointer) (batch :pointer) (error :pointer))
  (fewer-walk-prune :int (walk :pointer) (index size))
  (fewer-walk-snapshot :int (walk :pointer) (snapshot :pointer) (error :pointer))
  (fewer-walk-close :void (walk :pointer))

  (fewer-snapshot-read :int (path :pointer) (length size) (snapshot :pointer) (error :pointer))
  (fewer-snapshot-write :int (snapshot :pointer) (path :pointer) (length size) (error :pointer))
  (fewer-snapshot-walk :int (snapshot :pointer) (scope :pointer) (threads :uint32)
                       (walk :pointer) (error :pointer))
  (fewer-snapshot-facts-of :int (snapshot :pointer) (facts :pointer) (error :pointer))
  (fewer-snapshot-close :void (snapshot :pointer))
  (fewer-changes-open :int (before :pointer) (after :pointer) (changes :pointer)
                      (error :pointer))
  (fewer-changes-next :int (changes :pointer) (batch :pointer) (error :pointer))
  (fewer-changes-close :void (changes :pointer))

  (fewer-size-open :int (scope :pointer) (roots :pointer) (count size) (walk :pointer)
                   (walk-size size) (options :pointer) (options-size size) (size :pointer)
                   (error :pointer))
  (fewer-size-next :int (size :pointer) (batch :pointer) (error :pointer))
  (fewer-size-close :void (size :pointer))
  (fewer-summary-open :int (scope :pointer) (roots :pointer) (count size) (walk :pointer)
                      (walk-size size) (summary :pointer) (error :pointer))
  (fewer-summary-facts-of :int (summary :pointer) (facts :pointer) (error :pointer))
  (fewer-summary-close :void (summary :pointer))

  (fewer-owners-open :pointer)
  (fewer-owners-user :int (owners :pointer) (user :uint32) (buffer :pointer) (capacity size)
                     (needed :pointer))
  (fewer-owners-group :int (owners :pointer) (group :uint32) (buffer :pointer) (capacity size)
                      (needed :pointer))
  (fewer-owners-user-number :int (owners :pointer) (name :pointer) (length size)
                            (user :pointer))
  (fewer-owners-close :void (owners :pointer))

  (fewer-list-open :int (scope :pointer) (path :pointer) (length size) (options :pointer)
                   (options-size size) (list :pointer) (error :pointer))
  (fewer-list-next :int (list :pointer) (batch :pointer) (error :pointer))
  (fewer-list-close :void (list :pointer))

  (fewer-lines-open :int (scope :pointer) (path :pointer) (length size) (options :pointer)
                    (options-size size) (lines :pointer) (error :pointer))
  (fewer-lines-borrow :int (descriptor :int) (name :pointer) (length size) (options :pointer)
                      (options-size size) (lines :pointer) (error :pointer))
  (fewer-lines-next :int (lines :pointer) (batch :pointer) (error :pointer))
  (fewer-lines-count :int (lines :pointer) (total :pointer) (error :pointer))
  (fewer-lines-last :int (lines :pointer) (count :uint64) (error :pointer))
  (fewer-lines-close :void (lines :pointer))

  (fewer-decode-utf8 :int (bytes :pointer) (length size) (points :pointer) (capacity size)
                     (count :pointer))

  (fewer-calls size (counts :pointer) (capacity size)))

;;; Layouts that are read or written field by field.

(cffi:defcstruct text (bytes :pointer) (length size))

(cffi:defcstruct walk-options
  (flags :uint32) (threads :uint32) (kinds :uint32) (max-threads :uint32)
  (max-depth :uint64) (min-depth :uint64)
  (globs :pointer) (globs-count size) (exclude-globs :pointer) (exclude-globs-count size)
  (since :pointer) (record :uint32) (reserved :uint32))

(cffi:defcstruct walk-batch
  (bytes :pointer) (bytes-length size) (entries :pointer) (entries-count size)
  (failures :pointer) (failures-count size)
  (directory :uint32) (directory-length :uint32) (directory-depth :uint32) (reserved :uint32))

(cffi:defcstruct snapshot-facts
  (entries :uint64) (directories :uint64) (bytes :uint64) (has-stat :uint32) (reserved :uint32))

(cffi:defcstruct change-batch
  (bytes :pointer) (bytes-length size) (changes :pointer) (changes-count size))

(cffi:defcstruct size-options (flags :uint32) (reserved :uint32) (depth :uint64))

(cffi:defcstruct size-batch
  (bytes :pointer) (bytes-length size) (rows :pointer) (rows-count size)
  (failures :pointer) (failures-count size))

(cffi:defcstruct summary-facts
  (bytes :pointer) (bytes-length size) (spaces :uint64 :count 12)
  (extensions :pointer) (extensions-count size) (largest :pointer) (largest-count size)
  (deepest :pointer) (longest :pointer) (newest :pointer) (oldest :pointer)
  (failures :pointer) (failures-count size))

(cffi:defcstruct list-options
  (flags :uint32) (fields :uint32) (order :uint32) (threads :uint32) (owners :pointer))

(cffi:defcstruct list-batch
  (bytes :pointer) (bytes-length size) (rows :pointer) (rows-count size))

(cffi:defcstruct lines-options
  (flags :uint32) (check :uint32) (threads :uint32) (block-bytes :uint32))

(cffi:defcstruct lines-batch
  (bytes :pointer) (bytes-length size) (ends :pointer) (flags :pointer) (lines-count size)
  (number :uint64) (offset :uint64))

(cffi:defcstruct lines-total (lines :uint64) (ends :uint64) (bytes :uint64))

(cffi:defcstruct call-count (name :char :count 24) (count :uint64))

(defmacro field (pointer struct slot)
  "A field of the struct at POINTER; also a place."
  (let ((type `(:struct ,struct)))
    `(mem-ref ,pointer ',(cffi:foreign-slot-type type slot)
              ,(cffi:foreign-slot-offset type slot))))

(defmacro struct-size (struct)
  (cffi:foreign-type-size `(:struct ,struct)))

(defmacro with-zeroed ((variable struct &optional (count 1)) &body body)
  "Memory for COUNT structs, all zeros."
  (let ((index (gensym "INDEX")))
    `(with-foreign-object (,variable :uint8 (* ,count (struct-size ,struct)))
       (dotimes (,index (* ,count (struct-size ,struct)))
         (setf (mem-ref ,variable :uint8 ,index) 0))
       ,@body)))

;;; Tables that are read as words of 32 bits: how many words a row has, and which is which.

(defconstant +entry-words+ 8)
(defconstant +entry-path+ 2)
(defconstant +entry-path-length+ 3)
(defconstant +entry-name+ 4)
(defconstant +entry-name-length+ 5)
(defconstant +entry-depth+ 6)
(defconstant +entry-kind+ 7)

(defconstant +failure-words+ 7)
(defconstant +failure-path+ 0)
(defconstant +failure-path-length+ 1)
(defconstant +failure-message+ 2)
(defconstant +failure-message-length+ 3)
(defconstant +failure-before+ 4)
(defconstant +failure-number+ 5)
(defconstant +failure-action+ 6)

(defconstant +change-words+ 6)
(defconstant +size-row-words+ 10)
(defconstant +extension-words+ 10)
(defconstant +extreme-words+ 8)

(defconstant +stat-words+ 30)
(defconstant +row-words+ 40)

;;; Words for numbers.

(defparameter *kinds* #(:unknown :file :directory :symlink :fifo :socket :block :char)
  "What an entry is, by FEWER_FILE and the like.")

(defparameter *actions*
  #(:unknown-error :access :collect :create :decode :end :enter :enter-mount-loop :find-path
    :list :list-mount-loop :list-whole-directory :make-directory :make-hard-link :make-symlink
    :open :open-directory :read :read-directory :read-ignore-file :read-line :read-link
    :read-output :remove :remove-directory :rename :return-to-directory :run :set-permissions
    :set-times :stat :wait :write :read-snapshot :write-snapshot)
  "What was being done when something went wrong, by FEWER_ACTION_OTHER and the like.")

(defparameter *changes* #(:removed :renamed :added :changed)
  "What happened to an entry, by FEWER_CHANGE_REMOVED and the like.")

(declaim (type simple-vector *kinds* *actions* *changes*))

(defun action-of (number)
  "The keyword for a FEWER_ACTION_...; :UNKNOWN-ERROR for one that this file does not know."
  (svref *actions* (if (< number (length *actions*)) number 0)))

(defun mask (words table what)
  "The bits that go with WORDS, a list or one of them."
  (let ((bits 0))
    (dolist (word (if (listp words) words (list words)) bits)
      (setf bits (logior bits (ash 1 (or (position word table)
                                         (error "~S is no ~A. There are ~{~S~^, ~}."
                                                word what (coerce table 'list)))))))))

(defun flags (&rest pairs)
  "The bits that stand in front of something that is true."
  (loop for (bit wanted) on pairs by #'cddr
        when wanted sum bit))
