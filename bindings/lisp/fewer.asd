;;;; fewer.asd - file-system work in the fewest system calls, for Common Lisp.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(defsystem "fewer"
  :description "Walks trees, lists directories and reads lines in the fewest system calls."
  :version "0.1.0"
  :licence "MIT OR Apache-2.0"
  :depends-on ("cffi")
  :serial t
  :components ((:file "package")
               (:file "windows")    ; what is different there, as functions of their arguments
               (:file "library")    ; finds and loads libfewer.so
               (:file "foreign")    ; the C header, declared
               (:file "bytes")      ; between foreign memory and Lisp, a way for each Lisp
               (:file "utf8")       ; the decoder
               (:file "names")      ; file names as strings and as pathnames
               (:file "errors")
               (:file "scope")
               (:file "stat")
               (:file "walk")
               (:file "snapshot")   ; what a walk found, kept
               (:file "space")      ; how much space trees take
               (:file "listing")
               (:file "pathnames")  ; names to pathnames, in bulk
               (:file "enumerate")
               (:file "lines")
               (:file "designators") ; from here on what osicat has, by its names
               (:file "questions")
               (:file "changes")
               (:file "directories")
               (:file "temporary"))
  :in-order-to ((test-op (test-op "fewer/tests"))))

(defsystem "fewer/tests"
  :description "The tests of fewer; the same on each Lisp."
  :licence "MIT OR Apache-2.0"
  :depends-on ("fewer" "fiveam" "bordeaux-threads")
  :serial t
  :pathname "tests/"
  :components ((:file "suite")       ; trees to test on, and what counts
               (:file "utf8")
               (:file "windows")
               (:file "lines")
               (:file "walk")
               (:file "snapshot")
               (:file "space")
               (:file "scope")
               (:file "enumerate")
               (:file "directories")
               (:file "handles"))    ; what is open in the end, threads
  :perform (test-op (o c) (uiop:symbol-call '#:fewer/tests '#:run)))

(defsystem "fewer/against-osicat"
  :description "The tests of fewer, and the same questions to osicat, which needs a C compiler."
  :licence "MIT OR Apache-2.0"
  :depends-on ("fewer/tests" "osicat")
  :pathname "tests/"
  :components ((:file "against-osicat")))
