;;;; windows.lisp - paths of Windows and where its library is, on every system.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; What is expected is what SBCL's parser for Windows makes (src/code/win32-pathname.lisp), and
;;;; WTF-8 as its specification has it.

(in-package #:fewer/tests)

(def-suite windows :in fewer)
(in-suite windows)

(defun parts (path &key as-directory (windows-p t))
  (multiple-value-list (fewer::native-parts path as-directory windows-p)))

(test a-path-has-a-device
  (is (equal '("C" (:absolute "a") "b.c") (parts "C:\\a\\b.c")))
  (is (equal '("c" (:absolute "a") nil) (parts "c:/a/")))
  (is (equal '("C" (:absolute) nil) (parts "C:\\")))
  (is (equal '("C" nil "x") (parts "C:x")))
  (is (equal '("C" (:relative "a" :up) "x") (parts "C:a\\..\\x")))
  (is (equal '(:unc (:absolute "server" "share" "a") "x") (parts "\\\\server\\share\\a\\x")))
  (is (equal '(:unc (:absolute "server" "share") nil) (parts "//server/share/")))
  (is (equal '(nil (:absolute "a") "x") (parts "\\a/x")))
  (is (equal '(nil (:relative "a") "x") (parts "a\\x"))))

(test the-long-form-of-a-path-is-the-same
  (is (equal (parts "C:\\a\\x") (parts "\\\\?\\C:\\a\\x")))
  (is (equal (parts "\\\\server\\share\\x") (parts "\\\\?\\UNC\\server\\share\\x"))))

(test a-directory-is-wanted
  (is (equal '("C" (:absolute "a" "b") nil) (parts "C:\\a\\b" :as-directory t)))
  (is (equal '("C" (:relative "b") nil) (parts "C:b" :as-directory t))))

(test on-unix-none-of-it-means-anything
  (is (equal '(nil (:relative "C:") "a\\b") (parts "C:/a\\b" :windows-p nil)))
  (is (equal '(nil (:absolute "server") "x") (parts "//server/x" :windows-p nil))))

(test what-is-absolute
  (flet ((absolute-p (path) (and (fewer::native-absolute-p path t) t)))
    (is (equal '(t t t t) (mapcar #'absolute-p '("C:\\x" "C:/" "\\\\s\\x" "/x"))))
    (is (equal '(nil nil nil nil) (mapcar #'absolute-p '("C:x" "C:" "x" ""))))))

(test the-library-is-looked-for
  (is (equal '("d:/x.dll") (fewer::candidates "d:/x.dll" "built" "beside" t)))
  (is (equal '("built" "beside" "fewer.dll") (fewer::candidates "" "built" "beside" t)))
  (is (equal '("beside" "fewer.dll") (fewer::candidates nil nil "beside" t)))
  (is (equal '("libfewer.so") (fewer::candidates nil nil "beside" nil))))

#-ecl
(test half-a-pair-is-a-character
  "ED A0 BD is U+D83D, ED B3 AD is U+DCED; what is no such half stays."
  (flet ((joined (&rest codes)
           (codes (fewer::joined-surrogates (map 'string #'code-char codes)))))
    (is (equal '(#xD83D) (joined #xDCED #xDCA0 #xDCBD)))
    (is (equal '(97 #xDCED 98) (joined 97 #xDCED #xDCB3 #xDCAD 98)))
    (is (equal '(#xDCED #xDC9F #xDCBF) (joined #xDCED #xDC9F #xDCBF)))
    (is (equal '(#xE9 120) (joined #xE9 120)))))

#-ecl
(test half-a-pair-goes-back
  (let ((fewer::*windows-p* t))
    (is (equal '(#xED #xB2 #x80) (coerce (fewer::encode-utf8 (string (code-char #xDC80))) 'list)))
    (is (equal '(#xED #xA0 #xBD) (coerce (fewer::encode-utf8 (string (code-char #xD83D))) 'list)))))
