;;;; utf8.lisp - UTF-8, decoded exactly.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; What is well-formed is what table 3-7 of the Unicode standard says: nothing overlong, no
;;;; surrogates, nothing above U+10FFFF. What is not is cut as the standard recommends ("maximal
;;;; subparts"), so that all decoders that follow it put the same number of U+FFFD.

(in-package #:fewer)

(declaim (inline utf8-step))
(defun utf8-step (block at end)
  "The code point at AT, and where the next one begins; -1 for bytes that are none, and where these
end."
  (declare (type block-of-bytes block) (type index at end) (optimize speed (safety 0)))
  (let ((lead (block-byte block at)))
    (declare (type (unsigned-byte 8) lead))
    (if (< lead 128)
        (values lead (1+ at))
        (multiple-value-bind (more low high)
            (cond ((< lead #xC2) (values 0 0 0))
                  ((< lead #xE0) (values 1 #x80 #xBF))
                  ((= lead #xE0) (values 2 #xA0 #xBF))
                  ((= lead #xED) (values 2 #x80 #x9F))
                  ((< lead #xF0) (values 2 #x80 #xBF))
                  ((= lead #xF0) (values 3 #x90 #xBF))
                  ((< lead #xF4) (values 3 #x80 #xBF))
                  ((= lead #xF4) (values 3 #x80 #x8F))
                  (t (values 0 0 0)))
          (declare (type (unsigned-byte 8) more low high))
          (if (zerop more)
              (values -1 (1+ at))
              (let ((code (logand lead (ash #x3F (- more)))))
                (declare (type (unsigned-byte 32) code))
                (loop for i of-type index from (1+ at) to (+ at more)
                      do (when (>= i end)
                           (return (values -1 end)))
                         (let ((next (block-byte block i)))
                           (declare (type (unsigned-byte 8) next))
                           (unless (<= low next high)
                             (return (values -1 i)))
                           (setf code (logior (ash (logand code #x1FFFF) 6)
                                              (logand next #x3F))
                                 low #x80
                                 high #xBF))
                      finally (return (values code i)))))))))

(defmacro code-units (code)
  "How many characters a code point takes: on ABCL, whose characters are those of Java, up to 2."
  (if (< char-code-limit #x110000) `(if (> ,code #xFFFF) 2 1) (progn code 1)))

(declaim (inline put-code))
(defun put-code (string at code)
  "Puts a code point into STRING; returns where the next one goes."
  (declare (type (simple-array character (*)) string) (type index at)
           (type (unsigned-byte 21) code) (optimize speed (safety 0)))
  (cond ((= 1 (code-units code))
         (setf (schar string at) (code-char code))
         (1+ at))
        (t
         (setf (schar string at) (code-char (+ #xD7C0 (ash code -10)))
               (schar string (1+ at)) (code-char (+ #xDC00 (logand code #x3FF))))
         (+ at 2))))

(defun decode-utf8 (block start end bad)
  "Bytes of a block as a (simple-array character). BAD says what becomes of bytes that are not
UTF-8:
a character takes the place of each maximal subpart; :ESCAPE gives each byte a character of its own,
U+DC80 for 80 to U+DCFF for FF; :ERROR returns NIL and where they are."
  (declare (type block-of-bytes block) (type index start end) (optimize speed (safety 0)))
  #+sbcl
  (let ((string (decode-at-once block start end)))
    (when string
      (return-from decode-utf8 string)))
  (let ((length 0) (at start))
    (declare (type index length at))
    (loop while (< at end)
          do (multiple-value-bind (code next) (utf8-step block at end)
               (declare (type (signed-byte 32) code) (type index next))
               (cond ((>= code 0) (incf length (code-units code)))
                     ((eq bad :error) (return-from decode-utf8 (values nil at)))
                     ((eq bad :escape) (incf length (- next at)))
                     (t (incf length)))
               (setf at next)))
    (fill-decoded (make-string (the (unsigned-byte 32) length)) block start end bad)))

(defun fill-decoded (string block start end bad)
  (declare (type block-of-bytes block) (type index start end)
           (type (simple-array character (*)) string) (optimize speed (safety 0)))
  (let ((at start) (to 0))
    (declare (type index at to))
    (loop while (< at end)
          do (multiple-value-bind (code next) (utf8-step block at end)
               (declare (type (signed-byte 32) code) (type index next))
               (cond ((>= code 0)
                      (setf to (put-code string to code)))
                     ((eq bad :escape)
                      (loop for i of-type index from at below next
                            do (setf (schar string to)
                                     (code-char (+ #xDC00 (block-byte block i))))
                               (incf to)))
                     (t
                      (setf (schar string to) (the character bad))
                      (incf to)))
               (setf at next))))
  string)

;;; The other way.

(defun put-utf8 (code octets)
  "The bytes of a code point, pushed on a vector with a fill pointer."
  (flet ((put (octet) (vector-push-extend octet octets))
         (continuation (shift) (logior #x80 (logand #x3F (ash code (- shift))))))
    (cond ((< code #x80) (put code))
          ((< code #x800) (put (logior #xC0 (ash code -6))) (put (continuation 0)))
          ((< code #x10000)
           (put (logior #xE0 (ash code -12))) (put (continuation 6)) (put (continuation 0)))
          (t
           (put (logior #xF0 (ash code -18))) (put (continuation 12)) (put (continuation 6))
           (put (continuation 0))))))

(defun code-at (string at)
  "The code point at AT and where the next one begins; two characters that Java would take for one
are one."
  (let ((code (char-code (char string at))))
    (if (and (<= #xD800 code #xDBFF) (< (1+ at) (length string))
             (<= #xDC00 (char-code (char string (1+ at))) #xDFFF))
        (values (+ #x10000 (ash (- code #xD800) 10)
                   (- (char-code (char string (1+ at))) #xDC00))
                (+ at 2))
        (values code (1+ at)))))

(defun encode-utf8 (string)
  "STRING as octets. The characters U+DC80 to U+DCFF are the bytes that :ESCAPE made them of; not so
on Windows, where they are halves of pairs like others."
  (let ((octets (make-array (length string) :element-type '(unsigned-byte 8) :adjustable t
                                            :fill-pointer 0))
        (at 0))
    (loop while (< at (length string))
          do (multiple-value-bind (code next) (code-at string at)
               (if (and (<= #xDC80 code #xDCFF) (not *windows-p*))
                   (vector-push-extend (- code #xDC00) octets)
                   (put-utf8 code octets))
               (setf at next)))
    (coerce octets 'octets)))
