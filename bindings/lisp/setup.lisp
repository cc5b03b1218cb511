;;;; setup.lisp - what there is to do before (asdf:load-system "fewer"), on each of the four Lisps.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; FEWER_LISP_CACHE names a directory for compiled files; without it they go where ASDF puts them.

(in-package #:cl-user)

;;; CLISP has no ASDF of its own: Debian's is loaded, and compiled once.
#+clisp
(unless (find-package '#:asdf)
  (let* ((source "/usr/share/common-lisp/source/cl-asdf/build/asdf.lisp")
         (cache (ext:getenv "FEWER_LISP_CACHE"))
         (compiled (and cache (concatenate 'string cache "/asdf-clisp.fas"))))
    (cond ((null compiled) (load source))
          (t
           (unless (probe-file compiled)
             (compile-file source :output-file compiled))
           (load compiled)))))
#-clisp (require "asdf")

;;; ABCL reaches C through JNA: jna.jar must be on the class path.
#+abcl (require "abcl-contrib")
#+abcl (require "jss")

(let ((cache (uiop:getenv "FEWER_LISP_CACHE")))
  (when (and cache (plusp (length cache)))
    (asdf:initialize-output-translations
     `(:output-translations (t (,(uiop:ensure-directory-pathname cache) :implementation))
                            :ignore-inherited-configuration))))

(asdf:load-asd (merge-pathnames "fewer.asd" *load-truename*))
