;;;; utf8.lisp - the decoder, against the tables of the Unicode standard.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer/tests)

(def-suite utf8 :in fewer)
(in-suite utf8)

(defun decode (octets bad)
  "OCTETS, a list, through the decoder of the library."
  (cffi:with-foreign-object (memory :uint8 (1+ (length octets)))
    (loop for octet in octets
          for i from 0
          do (setf (cffi:mem-ref memory :uint8 i) octet))
    (fewer::decode-utf8 (fewer::fetch-block memory (length octets)) 0 (length octets) bad)))

(defun codes (string)
  (map 'list #'char-code string))

(defun replaced (octets)
  (codes (decode octets (code-char #xFFFD))))

(defun utf16 (code)
  (if (> code #xFFFF)
      (list (+ #xD7C0 (ash code -10)) (+ #xDC00 (logand code #x3FF)))
      (list code)))

(defun expected-codes (code)
  (if (< char-code-limit #x110000) (utf16 code) (list code)))

(test well-formed
  (loop for (code . octets)
          in '((0 0) (#x7F #x7F) (#x80 #xC2 #x80) (#x7FF #xDF #xBF) (#x800 #xE0 #xA0 #x80)
               (#xD7FF #xED #x9F #xBF) (#xE000 #xEE #x80 #x80) (#xFFFD #xEF #xBF #xBD)
               (#xFFFF #xEF #xBF #xBF) (#x10000 #xF0 #x90 #x80 #x80)
               (#x10FFFF #xF4 #x8F #xBF #xBF))
        do (is (equal (expected-codes code) (replaced octets)))))

(test ill-formed
  "Tables 3-8 to 3-11 of the Unicode standard, and what is cut short."
  (loop for (octets . codes)
          in '(((#xC0 #xAF #xE0 #x80 #xBF #xF0 #x81 #x82 #x41)
                #xFFFD #xFFFD #xFFFD #xFFFD #xFFFD #xFFFD #xFFFD #xFFFD #x41)
               ((#xED #xA0 #x80 #xED #xBF #xBF #xED #xAF #x41)
                #xFFFD #xFFFD #xFFFD #xFFFD #xFFFD #xFFFD #xFFFD #xFFFD #x41)
               ((#xF4 #x91 #x92 #x93 #xFF #x41 #x80 #xBF #x42)
                #xFFFD #xFFFD #xFFFD #xFFFD #xFFFD #x41 #xFFFD #xFFFD #x42)
               ((#xE1 #x80 #xE2 #xF0 #x91 #x92 #xF1 #xBF #x41)
                #xFFFD #xFFFD #xFFFD #xFFFD #x41)
               ((#xE2 #x82) #xFFFD)
               ((#xF0 #x9F #x98) #xFFFD)
               ((#xF5 #x80) #xFFFD #xFFFD))
        do (is (equal codes (replaced octets)))))

(test each-byte-alone-and-each-pair
  "A byte above 127 is never anything by itself; two are one character or two replacements."
  (loop for lead from 128 to 255
        do (is (equal '(#xFFFD) (replaced (list lead))))
           (loop for next from 128 to 255
                 for good = (and (<= #xC2 lead #xDF) (<= next #xBF))
                 for one = (or good
                               (and (<= next #xBF)
                                    (case lead
                                      (#xE0 (>= next #xA0))
                                      (#xED (< next #xA0))
                                      (#xF0 (>= next #x90))
                                      (#xF4 (< next #x90))
                                      (t (<= #xE1 lead #xF3)))))
                 for codes = (replaced (list lead next))
                 unless (equal codes (cond (good (list (logior (ash (logand lead 31) 6)
                                                               (logand next 63))))
                                           (one '(#xFFFD))
                                           (t '(#xFFFD #xFFFD))))
                   do (is (equal nil (list lead next codes))))))

(test errors-say-where
  (is (equal '(nil 2) (multiple-value-list (decode '(65 66 #xE2 #x82 67) :error))))
  (is (string= "AB" (decode '(65 66) :error))))

(test names-come-back
  "Whatever the bytes of a name, they are the same again on the way back."
  (loop for octets in '((97 98) (#xC3 #xA9) (255 254) (97 #xE2 #x82 98) (#xED #xB2 #x80)
                        (#xF0 #x9F #x98 #x80) (128) (#xC3))
        do (is (equal octets (coerce (fewer::name-octets (name-of octets)) 'list)))))

(defun name-of (octets)
  (cffi:with-foreign-object (memory :uint8 (length octets))
    (loop for octet in octets
          for i from 0
          do (setf (cffi:mem-ref memory :uint8 i) octet))
    (fewer::fetch-name memory (length octets))))
