;;;; run-tests.lisp - loads the tests and runs them, on any Lisp; `check` starts it.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(load (merge-pathnames "setup.lisp" *load-truename*))

(asdf:load-system "fewer/tests")
#+sbcl (when (asdf:find-system "osicat" nil)
         (asdf:load-system "fewer/against-osicat"))
(uiop:quit (if (uiop:symbol-call '#:fewer/tests '#:run) 0 1))
