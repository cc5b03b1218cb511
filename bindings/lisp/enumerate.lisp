;;;; enumerate.lisp - all files below a directory, as (directory ...) over and over would give them.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer)

(defconstant +symlink+ 3 "FEWER_SYMLINK.")

(declaim (inline same-bytes-p))
(defun same-bytes-p (block here there length)
  (declare (type block-of-bytes block) (type index here there length)
           (optimize speed (safety 0)))
  (let ((i 0))
    (declare (type index i))
    #+sbcl
    (loop while (<= (+ i 8) length)
          do (unless (= (sb-sys:sap-ref-64 block (+ here i)) (sb-sys:sap-ref-64 block (+ there i)))
               (return-from same-bytes-p nil))
             (incf i 8))
    (loop while (< i length)
          do (unless (= (block-byte block (+ here i)) (block-byte block (+ there i)))
               (return-from same-bytes-p nil))
             (incf i))
    t))

(defun block-components (block start end)
  "The components of the path of directories in a block."
  (declare (type block-of-bytes block) (type index start end))
  (let ((components '()))
    (loop while (< start end)
          do (let ((slash (or (loop for i of-type index from start below end
                                    when (= 47 (block-byte block i)) return i)
                              end)))
               (when (< start slash)
                 (push (block-name block start slash) components))
               (setf start (1+ slash))))
    (nreverse components)))

(defun walk-files (walk root root-length directories)
  "The pathnames of what WALK hands over below the directory ROOT, and links as native paths. The
first ROOT-LENGTH bytes of each path are those of ROOT."
  (let ((files '()) (links '()) (template (template root)) (at 0) (length 0))
    (declare (type index at length root-length))
    (flet ((stop () (return-from walk-files (values files links))))
      (do-batches (walk block entries count failures failures-count) #'stop
        (setf length 0)
        (dotimes (i count)
          (report-failures i)
          (let* ((row (* +entry-words+ i))
                 (start (word entries (+ row +entry-path+)))
                 (name (word entries (+ row +entry-name+)))
                 (end (+ name (word entries (+ row +entry-name-length+))))
                 (kind (logand 7 (word entries (+ row +entry-kind+)))))
            (declare (type index row start name end))
            (cond ((= kind +directory+)
                   (when directories
                     (push (make-native-pathname
                            (append root (block-components block (+ start root-length) end))
                            nil nil)
                           files)))
                  ((= kind +symlink+)
                   (push (block-name block start end) links))
                  (t
                   (unless (and (= length (- name start))
                                (same-bytes-p block start at length))
                     (setf at start
                           length (- name start)
                           template (template
                                     (append root (block-components
                                                   block (+ start root-length) name)))))
                   (push (block-pathname template block name end) files)))))))
    (values files links)))

(defun link-truename (path)
  "The truename of the link PATH, as DIRECTORY has it: on SBCL and ECL one that leads nowhere
stands for itself, on others it is left out."
  (or (ignore-errors (probe-file (native-pathname path)))
      #+ecl (native-pathname path)))

(defun physical-directory (path)
  "Where the directory PATH really is, as a native path."
  (with-scope (path :variable scope)
    (scope-path :scope scope :physical t)))

(defun below-any-p (directory roots)
  "Is DIRECTORY, components of a path, one of ROOTS or below it?"
  (some (lambda (root)
          (let ((mismatch (mismatch root directory :test #'equal)))
            (or (null mismatch) (= mismatch (length root)))))
        roots))

(defun files-of-tree (path directories threads)
  "What a walk from the absolute native PATH finds, and the links."
  (let ((files '()) (links '())
        (*device* (or (path-device path *windows-p*) *device*)))
    (call-with-walk
     (lambda (walk)
       (setf (values files links)
             (walk-files walk (cons :absolute (directory-words path))
                         (length (name-octets path)) directories)))
     path
     :min-depth 1 :threads threads
     :kinds (remove (if directories nil :directory) (coerce *kinds* 'list)))
    (values files links)))

(defun enumerate-files (directory &key directories (threads 0))
  "The pathnames of all files below DIRECTORY, a path, in no order: what
(directory \"d/*.*\") gives for the directory and for all that (directory \"d/*/\") gives, over and
over, but for the directories themselves, which come with DIRECTORIES. As there, links are
resolved: a file stands for a link that leads to it, and a directory that a link leads to is
entered. Each pathname comes once, and links that lead in circles are followed once. What cannot be
looked at is an error with the restarts SKIP-ENTRY and STOP-WALK.
Price: per directory openat, getdents64 and close; none for a file; the calls of PROBE-FILE for a
link."
  (let* ((first (physical-directory directory))
         (waiting (list first))
         (roots '()) (files '()) (seen nil))
    (loop while waiting
          do (let* ((path (pop waiting))
                    (words (cons :absolute (directory-words path))))
               (unless (below-any-p words roots)
                 (push words roots)
                 (multiple-value-bind (found links) (files-of-tree path directories threads)
                   (setf files (if files (nconc found files) found))
                   (when links (setf seen t))
                   (dolist (link links)
                     (let ((truename (link-truename link)))
                       (cond ((null truename))
                             ((pathname-name truename) (push truename files))
                             (t
                              (when directories (push truename files))
                              (push (string-right-trim "/" (native-namestring truename))
                                    waiting)))))))))
    (if seen (each-once files) files)))

(defun each-once (pathnames)
  (let ((seen (make-hash-table :test #'equal)))
    (remove-if (lambda (pathname)
                 (let ((name (namestring pathname)))
                   (or (gethash name seen)
                       (not (setf (gethash name seen) t)))))
               pathnames)))
