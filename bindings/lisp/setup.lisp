;;;; setup.lisp - what there is to do before (asdf:load-system "fewer"), on each of the four Lisps.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0
;;;;
;;;; Compiled files go where ASDF puts them, below ~/.cache, or what XDG_CACHE_HOME names.

(in-package #:cl-user)

;;; CLISP has no ASDF of its own, and that of ECL fails to make way for Debian's newer one,
;;; which is in the way as soon as it loads something: so Debian's is loaded here, and compiled
;;; once.
#+(or clisp ecl)
(unless (find-package '#:asdf)
  (let* ((source "/usr/share/common-lisp/source/cl-asdf/build/asdf.lisp")
         (cache (or (ext:getenv "XDG_CACHE_HOME")
                    (concatenate 'string (ext:getenv "HOME") "/.cache")))
         (compiled (concatenate 'string cache "/common-lisp/asdf-" #+clisp "clisp.fas"
                                #+ecl "ecl.fasc")))
    (unless (probe-file compiled)
      (ensure-directories-exist compiled)
      #+ecl (ext:install-bytecodes-compiler) ; a second rather than two minutes
      (compile-file source :output-file compiled)
      #+ecl (ext:install-c-compiler))
    (load compiled)))
#-(or clisp ecl) (require "asdf")

;;; ABCL reaches C through JNA: jna.jar must be on the class path.
#+abcl (require "abcl-contrib")
#+abcl (require "jss")

(pushnew (make-pathname :name nil :type nil :version nil :defaults *load-truename*)
         asdf:*central-registry* :test #'equal)
