;;;; bytes.lisp - copies bytes between foreign memory and Lisp, as each Lisp does it fastest.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; A block is bytes of a batch in the form that is cheapest to make and to cut strings from: on
;;;; SBCL the foreign memory itself; on ECL and ABCL a string of the characters 0 to 255; on CLISP
;;;; octets. A table is words of 32 bits, likewise. Both are as short-lived as the batch.

(in-package #:fewer)

(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype index () '(unsigned-byte 60))

(deftype block-of-bytes ()
  #+sbcl 'sb-sys:system-area-pointer
  #+clisp 'octets
  #+ecl 'simple-base-string
  #-(or sbcl clisp ecl) 'simple-string)

(deftype table-of-words ()
  #+sbcl 'sb-sys:system-area-pointer
  #-sbcl '(simple-array (unsigned-byte 32) (*)))

(defmacro block-byte (block index)
  "One byte of a block. Unsafe: the index is not checked."
  #+sbcl `(sb-sys:sap-ref-8 ,block ,index)
  #+clisp `(aref (the octets ,block) ,index)
  #-(or sbcl clisp) `(char-code (schar (the block-of-bytes ,block) ,index)))

(defmacro word (table index)
  "One word of 32 bits of a table. Unsafe likewise."
  #+sbcl `(sb-sys:sap-ref-32 ,table (* 4 (the (unsigned-byte 58) ,index)))
  #-sbcl `(aref (the table-of-words ,table) ,index))

(defmacro long-word (table index)
  "The 64 bits at a word and the next one."
  `(logior (word ,table ,index) (ash (word ,table (1+ ,index)) 32)))

;;; Fetching.

#+ecl
(defun copy-memory (array pointer bytes)
  (cffi:foreign-funcall "memcpy" :pointer (si:make-foreign-data-from-array array)
                                 :pointer pointer :unsigned-long bytes :pointer)
  array)

#+clisp
(defun copy-memory (array pointer size)
  "In pieces, because each of them is kept on the stack."
  (loop with type = (if (= size 1) 'ffi:uint8 'ffi:uint32)
        for at from 0 below (length array) by 16384
        for count = (min 16384 (- (length array) at))
        for c-type = (ffi:parse-c-type `(ffi:c-array ,type ,count))
        do (replace array (ffi:memory-as pointer c-type (* size at)) :start1 at))
  array)

(defun fetch-block (pointer count)
  "COUNT bytes at POINTER as a block."
  #+sbcl (progn count pointer)
  #+ecl (copy-memory (make-string count :element-type 'base-char) pointer count)
  #+clisp (copy-memory (make-array count :element-type '(unsigned-byte 8)) pointer 1)
  #+abcl (java:jobject-lisp-value
          (java:jnew (java:jconstructor "java.lang.String" "[B" "java.lang.String")
                     (java:jcall (java:jmethod "com.sun.jna.Pointer" "getByteArray" "long" "int")
                                 pointer 0 count)
                     "ISO-8859-1"))
  #-(or sbcl ecl clisp abcl)
  (let ((block (make-string count)))
    (dotimes (i count block)
      (setf (schar block i) (code-char (mem-ref pointer :uint8 i))))))

(defun fetch-words (pointer count)
  "COUNT words of 32 bits at POINTER as a table."
  #+sbcl (progn count pointer)
  #+ecl (copy-memory (make-array count :element-type '(unsigned-byte 32)) pointer (* 4 count))
  #+clisp (copy-memory (make-array count :element-type '(unsigned-byte 32)) pointer 4)
  #-(or sbcl ecl clisp)
  (let ((table (make-array count :element-type '(unsigned-byte 32))))
    (dotimes (i count table)
      (setf (aref table i) (mem-ref pointer :uint32 (* 4 i))))))

(defmacro with-octets-at ((pointer length octets) &body body)
  "Evaluates BODY with a copy of the octets in foreign memory."
  (let ((vector (gensym "OCTETS")) (i (gensym "I")))
    `(let* ((,vector ,octets)
            (,length (length ,vector)))
       (declare (type octets ,vector))
       (with-foreign-object (,pointer :uint8 (1+ ,length))
         (dotimes (,i ,length)
           (setf (mem-ref ,pointer :uint8 ,i) (aref ,vector ,i)))
         (setf (mem-ref ,pointer :uint8 ,length) 0)
         ,@body))))

;;; Cutting from a block.

(declaim (inline ascii-block-p))
(defun ascii-block-p (block start end)
  (declare (type block-of-bytes block) (type index start end) (optimize speed (safety 0)))
  #+sbcl
  (loop while (<= (+ start 8) end)
        do (when (logtest #x8080808080808080 (sb-sys:sap-ref-64 block start))
             (return-from ascii-block-p nil))
           (incf start 8))
  (loop for i of-type index from start below end
        always (< (block-byte block i) 128)))

#+sbcl
(declaim (inline copy-sap))
#+sbcl
(defun copy-sap (from to length)
  "Copies bytes: a few in a loop, where calling memcpy would cost more than the copying."
  (declare (type sb-sys:system-area-pointer from to) (type index length)
           (optimize speed (safety 0)))
  (if (< length 64)
      (let ((i 0))
        (declare (type index i))
        (loop while (<= (+ i 8) length)
              do (setf (sb-sys:sap-ref-64 to i) (sb-sys:sap-ref-64 from i))
                 (incf i 8))
        (loop while (< i length)
              do (setf (sb-sys:sap-ref-8 to i) (sb-sys:sap-ref-8 from i))
                 (incf i)))
      (sb-alien:alien-funcall
       (sb-alien:extern-alien "memcpy" (function sb-sys:system-area-pointer
                                                 sb-sys:system-area-pointer
                                                 sb-sys:system-area-pointer
                                                 sb-alien:unsigned-long))
       to from length)))

(declaim (inline block-ascii))
(defun block-ascii (block start end)
  "Bytes of a block that are ASCII, as a simple-base-string. Price: the memory, and a memcpy."
  (declare (type block-of-bytes block) (type index start end) (optimize speed (safety 0)))
  #+sbcl
  (let* ((length (- end start))
         (string (make-string (the (unsigned-byte 32) length) :element-type 'base-char)))
    (declare (type index length))
    (sb-sys:with-pinned-objects (string)
      (copy-sap (sb-sys:sap+ block (the fixnum start)) (sb-sys:vector-sap string) length))
    string)
  #+clisp (ext:convert-string-from-bytes block charset:iso-8859-1 :start start :end end)
  #-(or sbcl clisp) (subseq block start end))

#+sbcl
(progn
  (declaim (inline put-points))
  (defun put-points (block start end string length)
    "Bytes of a block that are UTF-8 into STRING, as many characters as it has: the library writes
them into its memory. With no string, only how many there are. NIL if they are not UTF-8."
    (declare (type block-of-bytes block) (type index start end length) (optimize speed (safety 0)))
    (with-foreign-object (count 'size)
      (when (zerop (the (signed-byte 32)
                        (fewer-decode-utf8 (sb-sys:sap+ block (the fixnum start)) (- end start)
                                           (if string (sb-sys:vector-sap string) (null-pointer))
                                           length count)))
        (the index (mem-ref count 'size)))))

  (defun decode-at-once (block start end)
    "Bytes of a block that are UTF-8 as a (simple-array character). NIL if they are not."
    (declare (type block-of-bytes block) (type index start end) (optimize speed (safety 0)))
    (let ((length (put-points block start end nil 0)))
      (when length
        (let ((string (make-string (the (unsigned-byte 32) length))))
          (sb-sys:with-pinned-objects (string)
            (put-points block start end string length))
          string)))))

(defun block-characters (block start end)
  "Bytes of a block that are ASCII, as a (simple-array character)."
  (declare (type block-of-bytes block) (type index start end) (optimize speed (safety 0)))
  (let ((string (make-string (the (unsigned-byte 32) (- end start)))))
    #+sbcl (sb-sys:with-pinned-objects (string)
             (put-points block start end string (- end start)))
    #-sbcl (loop for i of-type index from start below end
                 for j of-type index from 0
                 do (setf (schar string j) (code-char (block-byte block i))))
    string))

(defun block-octets (block start end)
  "Bytes of a block as octets of their own."
  (declare (type block-of-bytes block) (type index start end))
  #+clisp (subseq block start end)
  #-clisp
  (let ((octets (make-array (- end start) :element-type '(unsigned-byte 8))))
    #+sbcl (sb-sys:with-pinned-objects (octets)
             (copy-sap (sb-sys:sap+ block start) (sb-sys:vector-sap octets) (- end start)))
    #-sbcl (loop for i of-type index from start below end
                 for j of-type index from 0
                 do (setf (aref octets j) (block-byte block i)))
    octets))
