;;;; setup.lisp - what there is to do before (asdf:load-system "fewer"), on each of the four Lisps.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; Compiled files go where ASDF puts them, below ~/.cache, or what XDG_CACHE_HOME names.

(in-package #:cl-user)

;;; CLISP has no ASDF of its own: Debian's is loaded, and compiled once.
#+clisp
(unless (find-package '#:asdf)
  (let* ((source "/usr/share/common-lisp/source/cl-asdf/build/asdf.lisp")
         (cache (or (ext:getenv "XDG_CACHE_HOME")
                    (concatenate 'string (ext:getenv "HOME") "/.cache")))
         (compiled (concatenate 'string cache "/common-lisp/asdf-clisp.fas")))
    (unless (probe-file compiled)
      (ensure-directories-exist compiled)
      (compile-file source :output-file compiled))
    (load compiled)))
#-clisp (require "asdf")

;;; Debian's ASDF is newer than that of ECL; it would take its place in the middle of other work.
(asdf:upgrade-asdf)

;;; ABCL reaches C through JNA: jna.jar must be on the class path.
#+abcl (require "abcl-contrib")
#+abcl (require "jss")

(pushnew (make-pathname :name nil :type nil :version nil :defaults *load-truename*)
         asdf:*central-registry* :test #'equal)
