;;;; walk.lisp - trees, against find.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer/tests)

(def-suite walk :in fewer)
(in-suite walk)

(defparameter *tree*
  "mkdir -p a/b/c d .hid; touch a/f a/b/g.txt a/b/c/h d/i.txt .hid/j k; ln -s a l; ln -s nowhere m;
   mkfifo p")

(test entries-are-those-of-find
  (with-place *tree*
    (is (equal (sorted (sh-lines "cd '~A' && find . -mindepth 1 | cut -c3-" *place*))
               (paths-below (walk *place* :min-depth 1))))
    (is (equal (sorted (sh-lines "cd '~A' && find . -mindepth 1 -type f | cut -c3-" *place*))
               (paths-below (walk *place* :kinds :file))))
    (is (equal (paths-below (walk *place* :kinds '(:file :directory)))
               (paths-below (walk *place* :kinds '("f" :dir)))))
    (is (equal (sorted (sh-lines "cd '~A' && find . -mindepth 1 -maxdepth 2 | cut -c3-" *place*))
               (paths-below (walk *place* :min-depth 1 :max-depth 2))))
    (is (equal (sorted (sh-lines "cd '~A' && find . -name '*.txt' | cut -c3-" *place*))
               (paths-below (walk *place* :glob "*.txt"))))
    (is (equal (sorted (sh-lines "cd '~A' && find -L . -mindepth 1 | cut -c3- " *place*))
               (paths-below (walk *place* :min-depth 1 :follow t))))
    (is (equal (sorted (sh-lines "cd '~A' && find . -name b -prune -o -mindepth 1 -print | cut -c3-"
                                 *place*))
               (paths-below (walk *place* :min-depth 1 :exclude '("b" "zzz")))))))

(test what-an-entry-has
  (with-place *tree*
    (let ((entry (find "g.txt" (walk *place*) :key #'entry-name :test #'string=)))
      (is (equal (at "a/b/g.txt") (entry-path entry)))
      (is (eq :file (entry-kind entry)))
      (is (= 3 (entry-depth entry)))
      (is (= (parse-integer (sh "stat -c %i '~A'" (at "a/b/g.txt"))) (entry-inode entry)))
      (is (equal "g" (pathname-name (entry-pathname entry))))
      (is (equalp (map 'vector #'char-code "g.txt") (entry-name-octets entry))))
    (let ((kinds (mapcar (lambda (entry) (cons (entry-name entry) (entry-kind entry)))
                         (walk *place* :min-depth 1))))
      (is (eq :symlink (cdr (assoc "l" kinds :test #'string=))))
      (is (eq :fifo (cdr (assoc "p" kinds :test #'string=))))
      (is (eq :directory (cdr (assoc "d" kinds :test #'string=)))))
    (is (eq :directory (entry-target (find "l" (walk *place* :targets t)
                                           :key #'entry-name :test #'string=))))))

(test sorted-walks-come-in-order
  (with-place *tree*
    (is (equal '("" ".hid" ".hid/j" "a" "a/b" "a/b/c" "a/b/c/h" "a/b/g.txt" "a/f" "d" "d/i.txt" "k"
                 "l" "m" "p")
               (mapcar (lambda (entry) (subseq (entry-path entry) (length *place*)))
                       (walk *place* :sorted t))))))

(test do-walk-can-be-left
  (with-place *tree*
    (let ((before (open-descriptors)))
      (is (equal "h" (do-walk (entry *place*)
                       (when (string= "h" (entry-name entry)) (return (entry-name entry))))))
      (is (= before (open-descriptors))))))

(test visitors-prune-and-stop
  (with-place *tree*
    (let ((seen '()))
      (map-walk (lambda (entry)
                  (push entry seen)
                  (if (string= "a" (entry-name entry)) :prune :continue))
                *place* :sorted t)
      (is (member "a" (paths-below seen) :test #'string=))
      (is (notany (lambda (path) (search "a/" path)) (paths-below seen))))
    (let ((count 0))
      (map-walk (lambda (entry) (declare (ignore entry)) (if (= 3 (incf count)) :stop :continue))
                *place*)
      (is (= 3 count)))))

(test failures-offer-restarts
  (with-place *tree*
    (let ((none (at "none")))
      (handler-case (progn (walk (list none *place*)) (is-true nil))
        (file-system-error (condition)
          (is (= 2 (error-number condition)))
          (is (equal none (error-path condition)))
          (is (equal (format nil "cannot access '~A': No such file or directory" none)
                     (error-message condition)))))
      (is (= 14 (length (handler-bind ((file-system-error #'skip-entry))
                          (walk (list none *place*) :min-depth 1)))))
      (is (null (handler-bind ((file-system-error #'stop-walk))
                  (walk (list none *place*) :sorted t)))))))

(defun actions-of-the-header ()
  "The names of FEWER_ACTION_... in include/fewer.h as keywords, in the order of their numbers."
  (with-open-file (header (asdf:system-relative-pathname "fewer" "../../include/fewer.h"))
    (loop with prefix = "    FEWER_ACTION_"
          for line = (read-line header nil)
          while line
          when (eql 0 (search prefix line))
            collect (let ((name (subseq line (length prefix) (position #\Space line :start 4))))
                      (intern (substitute #\- #\_ name) :keyword)))))

(test actions-have-the-numbers-of-the-header
  (is (equal (cons :unknown-error (rest (actions-of-the-header)))
             (coerce fewer::*actions* 'list))))

(test options-that-are-none
  (with-place *tree*
    (signals error (walk *place* :kinds :nonsense))
    (signals error (walk *place* :nonsense t))
    (signals system-error (walk *place* :glob "[a"))))

(test names-that-are-not-utf-8
  (with-place "touch \"$(printf 'a\\377b')\" \"$(printf '\\303\\251')\"
               mkdir \"$(printf 'd\\200')\"
               touch \"$(printf 'd\\200/x')\""
    (let ((octets (mapcar (lambda (entry) (coerce (entry-name-octets entry) 'list))
                          (walk *place* :min-depth 1))))
      (is (same-set-p '((97 255 98) (195 169) (100 128) (120)) octets)))
    (is (= 3 (length (enumerate-files *place*))))
    (let ((name (entry-name (find 255 (walk *place*) :key #'entry-name-octets :test #'find))))
      (is (eq :file (stat-kind (stat-file (at name) :fields '(:kind))))))))

(defun price-of-more-directories (function)
  "The calls for 30 more directories with 30 files in them, without those that a walk makes once.
There are too few for other threads to start, which costs calls once."
  (with-place "for i in $(seq 10); do mkdir -p small/d$i; touch small/d$i/f; done
               for i in $(seq 40); do mkdir -p large/d$i; touch large/d$i/f; done"
    (let ((small (calls-made (lambda () (funcall function (at "small")))))
          (large (calls-made (lambda () (funcall function (at "large"))))))
      (loop for (name . count) in large
            for more = (- count (call-count name small))
            unless (zerop more) collect (cons name more)))))

(test price-of-a-walk
  (is (same-set-p '(("openat" . 30) ("getdents64" . 30) ("close" . 30))
                  (price-of-more-directories #'walk)))
  (is (same-set-p '(("openat" . 30) ("getdents64" . 30) ("close" . 30))
                  (price-of-more-directories (lambda (root) (map-walk #'identity root))))))

(test no-more-threads-than-wished-for
  (with-place "for i in $(seq 500); do mkdir d$i; touch d$i/f; done"
    (is (= 1001 (length (walk *place* :max-threads 1))))))

(test entries-with-metadata
  (with-place *tree*
    (let ((rows (list-entries *place* :links t :owners t)))
      (is (equal (sorted (sh-lines "ls -A '~A'" *place*)) (sorted (mapcar #'row-name rows))))
      (flet ((row (name) (find name rows :key #'row-name :test #'string=)))
        (is (equal "nowhere" (row-target (row "m"))))
        (is (= (parse-integer (sh "stat -c %i '~A'" (at "k"))) (stat-inode (row-stat (row "k")))))
        (is (equal (sh "stat -c %U '~A'" (at "k")) (row-user-name (row "k"))))
        (is (= (parse-integer (sh "stat -c %Y '~A'" (at "k")))
               (car (stat-modified (row-stat (row "k"))))))))
    (is (equal '("a" "d" "k" "l" "m" "p")
               (mapcar #'row-name (list-entries *place* :hidden nil :fields nil))))
    (handler-case (list-entries (at "none"))
      (file-system-error (condition)
        (is (eq :open-directory (error-action condition))))
      (:no-error (rows) (fail "~S were found" rows)))
    (signals system-error (list-entries *place* :order :nonsense))))
