;;;; windows.lisp - what is different on Windows, as functions of their arguments: nothing here asks
;;;; the system, so that all of it is tested on every system.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; A native path has `/` or `\` in it, and a device in front. The pathnames are SBCL's: the device
;;;; of C:\x is "C", that of \\server\share\x is :UNC, with server and share the first directories.

(in-package #:fewer)

(defparameter *windows-p* (or #+(or windows win32 mswindows) t)
  "Whether paths and names are those of Windows.")

(defun library-file (windows-p)
  "What the library is called."
  (if windows-p "fewer.dll" "libfewer.so"))

(defun candidates (named built beside windows-p)
  "Where the library may be, as native paths: where FEWER_LIBRARY says (NAMED); else where cargo
puts it (BUILT) and on Windows beside the system's definition (BESIDE),
NIL for what is not there, and
wherever the loader looks, which is in PATH on Windows."
  (if (plusp (length named))
      (list named)
      (remove nil (list built (and windows-p beside) (library-file windows-p)))))

(defun separator-p (char windows-p)
  (or (char= char #\/) (and windows-p (char= char #\\))))

(defun separator-at-p (path at windows-p)
  (and (< at (length path)) (separator-p (char path at) windows-p)))

(defun path-device (path windows-p)
  "The device of a native PATH, or NIL, and where the directories begin."
  (flet ((drive-at (at)
           (and (< (1+ at) (length path)) (alpha-char-p (char path at))
                (char= (char path (1+ at)) #\:)))
         (slashes-at (at)
           (and (separator-at-p path at windows-p) (separator-at-p path (1+ at) windows-p))))
    (cond ((not windows-p) (values nil 0))
          ((drive-at 0) (values (subseq path 0 1) 2))
          ;; \\?\C:\x and \\?\UNC\server\share\x, the long forms of the same.
          ((and (slashes-at 0) (> (length path) 4) (find (char path 2) "?.")
                (separator-at-p path 3 t))
           (cond ((drive-at 4) (values (subseq path 4 5) 6))
                 ((and (separator-at-p path 7 t) (string-equal "UNC" (subseq path 4 7)))
                  (values :unc 7))
                 (t (values nil 3))))
          ((slashes-at 0) (values :unc 1))
          (t (values nil 0)))))

(defun native-absolute-p (path windows-p)
  "Whether a native PATH is absolute. C:x is not: it begins where drive C is."
  (separator-at-p path (nth-value 1 (path-device path windows-p)) windows-p))

(defun native-parts (path as-directory windows-p)
  "Device, directory and last name (NIL if there is none) of the pathname for a native PATH."
  (multiple-value-bind (device start) (path-device path windows-p)
    (let* ((absolute (native-absolute-p path windows-p))
           (words (native-words path start (length path) windows-p))
           (ends (and (plusp (length path))
                      (separator-at-p path (1- (length path)) windows-p)))
           (name (and words (not ends) (not as-directory) (first (last words))))
           (above (if name (butlast words) words)))
      (values device
              (cond (absolute (cons :absolute (mapcar #'direction above)))
                    (above (cons :relative (mapcar #'direction above))))
              name))))

(defun direction (word)
  "A directory as a component of a pathname."
  (if (string= word "..") :up word))

(defun native-words (path start end windows-p)
  "What is between the separators of a native PATH."
  (let ((words '()))
    (loop while (< start end)
          do (let ((next (or (position-if (lambda (char) (separator-p char windows-p)) path
                                          :start start :end end)
                             end)))
               (when (< start next)
                 (push (subseq path start next) words))
               (setf start (1+ next))))
    (nreverse words)))

(defun joined-surrogates (name)
  "NAME with each three characters that stand for the bytes of half a pair as that half, as names on
Windows have it."
  (flet ((escape-p (at from to)
           (and (< at (length name)) (<= from (- (char-code (char name at)) #xDC00) to)))
         (bits (at) (logand #x3F (char-code (char name at)))))
    (with-output-to-string (joined)
      (loop with at = 0
            while (< at (length name))
            do (cond ((and (escape-p at #xED #xED) (escape-p (+ at 1) #xA0 #xBF)
                           (escape-p (+ at 2) #x80 #xBF))
                      (write-char (code-char (logior #xD000 (ash (bits (+ at 1)) 6)
                                                     (bits (+ at 2))))
                                  joined)
                      (incf at 3))
                     (t (write-char (char name at) joined)
                        (incf at)))))))
