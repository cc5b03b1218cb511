;;;; lines.lisp - text, line by line.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; The library reads blocks, finds where lines end, and which are ASCII; of a large text it does
;;;; so in another thread, while this one makes strings. What is left to do is the memory of the
;;;; strings: an ASCII line is a simple-base-string, a byte a character, and a memcpy.

(in-package #:fewer)

(defconstant +line-ascii+ 1)
(defconstant +line-utf8+ 2)
(defconstant +line-ended+ 4)
(defconstant +line-crlf+ 8)

(defun call-with-lines (function path nul crlf threads)
  "Calls FUNCTION with the handle of the text at PATH, a path or a descriptor, and what it is
called."
  (with-zeroed (options lines-options)
    (setf (field options lines-options flags) (flags 1 nul 2 crlf 4 t) ; 4: reads ahead
          (field options lines-options threads) threads)
    (if (integerp path)
        (with-octets-at (bytes length (name-octets (format nil "descriptor ~D" path)))
          (with-handle (lines
                        (with-errors (slot "")
                          (fewer-lines-borrow path bytes length options
                                              (struct-size lines-options) lines slot))
                        fewer-lines-close)
            (funcall function (mem-ref lines :pointer) (format nil "descriptor ~D" path))))
        (with-path (bytes length path native)
          (with-handle (lines
                        (with-errors (slot native)
                          (fewer-lines-open (current-handle) bytes length options
                                            (struct-size lines-options) lines slot))
                        fewer-lines-close)
            (funcall function (mem-ref lines :pointer) native))))))

(defstruct (place (:copier nil))
  "Where in the input a batch is, for the message of an error."
  (path "") (number 1) (offset 0))

(defun bad-line (place i start at what)
  "Signals that line I of the batch, which begins at START, is not WHAT it should be at AT."
  (let* ((line (+ (place-number place) i))
         (path (place-path place)))
    (error 'decoding-error
           :action :decode :path path :pathname (safe-pathname path)
           :line line :offset (+ (place-offset place) at) :column (- at start)
           :message (format nil "cannot read '~A': line ~D is not ~A at byte ~D"
                            path line what (- at start)))))

(defun decoded (block start end bad place i)
  "A line that is not ASCII as a (simple-array character)."
  (multiple-value-bind (string at) (decode-utf8 block start end bad)
    (or string (bad-line place i start at "UTF-8"))))

(defun base-line (block start end bad place i)
  "A line that is not ASCII as a simple-base-string: BAD takes the place of what that cannot hold."
  (let ((string (decoded block start end bad place i))
        (instead (if (typep bad 'base-char) bad #\?)))
    (map-into (make-string (length string) :element-type 'base-char)
              (lambda (char)
                (cond ((typep char 'base-char) char)
                      ((eq bad :error)
                       (bad-line place i start
                                 (position-if (lambda (byte) (> byte 127))
                                              (block-octets block 0 end) :start start)
                                 "of base characters"))
                      (t instead)))
              string)))

(deftype line-type () '(member :auto :character :base-char :octets))

(defun line-type (element-type)
  (cond ((eq element-type :auto) :auto)
        ((eq element-type 'character) :character)
        ((eq element-type 'base-char) :base-char)
        ((equal element-type '(unsigned-byte 8)) :octets)
        (t (complain "~S is no element type of lines. There are :AUTO, CHARACTER, BASE-CHAR and ~
                      (UNSIGNED-BYTE 8)." element-type))))

(defun bad-character (on-invalid)
  "What stands for bytes that are not UTF-8."
  (case on-invalid
    (:replace (code-char #xFFFD))
    (:error :error)
    (t (if (characterp on-invalid)
           on-invalid
           (complain "~S is no answer to what is invalid. There are :REPLACE, :ERROR and any ~
                      character." on-invalid)))))

(declaim (inline cut-line))
(defun cut-line (block start end ascii type bad place i)
  "One line in the form that the options name."
  (declare (type block-of-bytes block) (type index start end i))
  (if ascii
      (case type
        (:octets (block-octets block start end))
        (:character (block-characters block start end))
        (t (block-ascii block start end)))
      (case type
        (:octets (block-octets block start end))
        (:base-char (base-line block start end bad place i))
        (t (decoded block start end bad place i)))))

(defun map-batch (function batch type bad place keep-ends)
  "Calls FUNCTION with each line of a batch."
  (declare (type function function) (optimize speed))
  (let* ((count (field batch lines-batch lines-count))
         (block (fetch-block (field batch lines-batch bytes)
                             (field batch lines-batch bytes-length)))
         (ends (fetch-words (field batch lines-batch ends) (* 2 count)))
         (flags (fetch-block (field batch lines-batch flags) count))
         (start 0))
    (declare (type index count start) (type block-of-bytes block flags)
             (type table-of-words ends))
    (setf (place-number place) (field batch lines-batch number)
          (place-offset place) (field batch lines-batch offset))
    (dotimes (i count)
      (let* ((next (long-word ends (* 2 i)))
             (flag (block-byte flags i))
             (end (if keep-ends
                      next
                      (- next (if (logtest flag +line-ended+) 1 0)
                         (if (logtest flag +line-crlf+) 1 0)))))
        (declare (type index next end) (type (unsigned-byte 8) flag))
        (funcall function
                 (cut-line block start end (logtest flag +line-ascii+) type bad place i))
        (setf start next)))))

(defun map-lines (function path &key (element-type :auto) (on-invalid :replace) nul crlf
                                  keep-ends last (threads 0))
  "Calls FUNCTION with each line of the text at PATH (or of a descriptor), without its end. Returns
NIL. No more of the text is held than the block that is being read.

  :ELEMENT-TYPE  :AUTO: a line of ASCII is a simple-base-string, any other a
                 (simple-array character); CHARACTER, BASE-CHAR: all are; (UNSIGNED-BYTE 8):
                 octets, nothing is decoded
  :ON-INVALID    what is not UTF-8 (or no base character, where these are wanted) becomes U+FFFD
                 (or `?`) with :REPLACE, or the character that is passed; with :ERROR it is a
                 DECODING-ERROR
  :NUL           a NUL ends a line; :CRLF a return before the newline belongs to the end
  :KEEP-ENDS     lines come with their ends
  :LAST N        skips all but the last N lines

  :THREADS 1     reads on this thread alone; another thread reads ahead otherwise, beyond 1 MiB

Price: openat, one read for each 256 KiB and one for the end, close; beyond 1 MiB one statx and the
calls that start a thread."
  (let ((function (coerce function 'function))
        (type (line-type element-type))
        (bad (bad-character on-invalid)))
    (call-with-lines
     (lambda (lines native)
       (when last
         (with-errors (slot native) (fewer-lines-last lines last slot)))
       (with-zeroed (batch lines-batch)
         (let ((place (make-place :path native)))
           (loop
             (with-errors (slot native) (fewer-lines-next lines batch slot))
             (when (null-pointer-p (field batch lines-batch bytes))
               (return))
             (map-batch function batch type bad place keep-ends)))))
     path nul crlf threads)
    nil))

(defun read-lines (path &rest options)
  "The lines of the text at PATH as a list. Options are those of MAP-LINES. Price: as MAP-LINES."
  (let* ((head (list nil))
         (tail head))
    (declare (type cons head tail))
    (apply #'map-lines (lambda (line) (setf tail (setf (cdr tail) (list line)))) path options)
    (cdr head)))

(defmacro do-lines ((line path &rest options) &body body)
  "Evaluates BODY for each line of the text at PATH, in a block named NIL. Options are those of
MAP-LINES. Price: as MAP-LINES."
  `(block nil
     (map-lines (lambda (,line) ,@body) ,path ,@options)))

(defun count-lines (path &key nul (threads 0))
  "The number of lines of the text at PATH, of those that end, and of bytes. Nothing is decoded.
Price: openat, one read for each 256 KiB, close; more threads for a file of 64 MiB or more."
  (call-with-lines
   (lambda (lines native)
     (with-zeroed (total lines-total)
       (with-errors (slot native) (fewer-lines-count lines total slot))
       (values (field total lines-total lines)
               (field total lines-total ends)
               (field total lines-total bytes))))
   path nul nil threads))
