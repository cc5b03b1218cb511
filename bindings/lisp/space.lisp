;;;; space.lisp - how much space trees take, and what there is in them.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(in-package #:fewer)

(defstruct (usage (:copier nil))
  "What some entries take: USAGE-ENTRIES is their number, USAGE-SIZE the sum of what each states in
bytes, USAGE-ALLOCATED the bytes that they take on the device."
  (entries 0 :read-only t) (size 0 :read-only t) (allocated 0 :read-only t))

(defstruct (size-row (:include usage) (:copier nil))
  "A path with all that is below it."
  (path "" :read-only t) (depth 0 :read-only t) (kind :unknown :read-only t))

(defstruct (summary (:copier nil))
  "What there is in trees. DIRECTORIES, FILES, LINKS and OTHER are each a USAGE. EXTENSIONS is a
list of (NAME . USAGE) of files, by what is behind the last dot of their names, the largest size
first; NAME is NIL for the files of all others, after 65,536 different ones. LARGEST is a list of
(PATH . BYTES), at most 10 files; DEEPEST is (PATH . STEPS), LONGEST (PATH . BYTES), NEWEST and
OLDEST are (PATH . TIME), NIL if there is none."
  (directories nil :read-only t) (files nil :read-only t) (links nil :read-only t)
  (other nil :read-only t) (extensions '() :read-only t) (largest '() :read-only t)
  (deepest nil :read-only t) (longest nil :read-only t) (newest nil :read-only t)
  (oldest nil :read-only t))

(defun read-usage (table word)
  (make-usage :entries (long-word table word) :size (long-word table (+ word 2))
              :allocated (long-word table (+ word 4))))

(defun signal-failures (block failures count)
  "Signals what could not be looked at; true if the results so far are not wanted."
  (let ((table (fetch-words failures (* +failure-words+ count))))
    (dotimes (i count)
      (offer-restarts (walk-failure block table (* i +failure-words+))
                      (lambda () (return-from signal-failures t))))))

(defun read-size-row (block rows word)
  (let ((start (word rows (+ word 6))))
    (make-size-row :entries (long-word rows word) :size (long-word rows (+ word 2))
                   :allocated (long-word rows (+ word 4))
                   :path (block-name block start (+ start (word rows (+ word 7))))
                   :depth (word rows (+ word 8))
                   :kind (svref *kinds* (logand 7 (word rows (+ word 9)))))))

(defun size-rows (size)
  (let ((collected '()))
    (with-zeroed (batch size-batch)
      (loop
        (with-errors (slot ".")
          (fewer-size-next size batch slot))
        (when (null-pointer-p (field batch size-batch bytes))
          (return (nreverse collected)))
        (let* ((count (field batch size-batch rows-count))
               (block (fetch-block (field batch size-batch bytes)
                                   (field batch size-batch bytes-length)))
               (rows (fetch-words (field batch size-batch rows) (* +size-row-words+ count))))
          (when (signal-failures block (field batch size-batch failures)
                                 (field batch size-batch failures-count))
            (return '()))
          (dotimes (i count)
            (push (read-size-row block rows (* i +size-row-words+)) collected)))))))

(defun tree-size (roots &rest options &key (depth 0) files count-links &allow-other-keys)
  "How much space the trees at ROOTS take, a path or a list of paths, as du counts: a list of
SIZE-ROWs, root by root, and below each in the order of the paths' bytes. A file with several names
counts once, below the first root that holds it, in the directory whose path comes first. An entry
that cannot be looked at is an error with the restarts SKIP-ENTRY and STOP-WALK.

  :DEPTH N       directories so many levels below a root have rows; NIL: all
  :FILES         files have rows, too
  :COUNT-LINKS   a file counts for each of its names

The other options are those of WALK that say what is entered and what counts.
Price: one statx an entry besides the walk, and one for a root that is a directory."
  (apply #'call-with-walk-options
         (lambda (base texts count walk first)
           (with-zeroed (how size-options)
             (setf (field how size-options flags) (flags 1 files 2 count-links)
                   (field how size-options depth) (or depth (1- (ash 1 64))))
             (with-handle (size
                           (with-errors (slot first)
                             (fewer-size-open base texts count walk (struct-size walk-options)
                                              how (struct-size size-options) size slot))
                           fewer-size-close)
               (size-rows (mem-ref size :pointer)))))
         roots (uiop:remove-plist-keys '(:depth :files :count-links) options)))

(defun read-extreme (block pointer value)
  "(PATH . VALUE) of a fewer_extreme; VALUE is a function of a table and a word."
  (unless (null-pointer-p pointer)
    (let* ((table (fetch-words pointer +extreme-words+))
           (start (word table 6)))
      (cons (block-name block start (+ start (word table 7))) (funcall value table)))))

(defun extreme-number (table)
  (long-word table 0))

(defun extreme-time (table)
  (read-time table 2))

(defun read-extensions (block pointer count)
  (let ((table (fetch-words pointer (* +extension-words+ count))))
    (loop for i below count
          for word = (* i +extension-words+)
          for start = (word table (+ word 6))
          collect (cons (when (zerop (word table (+ word 8)))
                          (block-name block start (+ start (word table (+ word 7)))))
                        (read-usage table word)))))

(defun read-summary (facts)
  "The SUMMARY of a fewer_summary_facts; an empty one if that is not wanted."
  (let ((block (fetch-block (field facts summary-facts bytes)
                            (field facts summary-facts bytes-length)))
        (spaces (fetch-words
                 (cffi:inc-pointer facts (cffi:foreign-slot-offset '(:struct summary-facts)
                                                                   'spaces))
                 24))
        (largest (field facts summary-facts largest)))
    (if (signal-failures block (field facts summary-facts failures)
                         (field facts summary-facts failures-count))
        (make-summary)
        (make-summary
         :directories (read-usage spaces 0) :files (read-usage spaces 6)
         :links (read-usage spaces 12) :other (read-usage spaces 18)
         :extensions (read-extensions block (field facts summary-facts extensions)
                                      (field facts summary-facts extensions-count))
         :largest (loop for i below (field facts summary-facts largest-count)
                        collect (read-extreme
                                 block (cffi:inc-pointer largest (* 4 +extreme-words+ i))
                                 #'extreme-number))
         :deepest (read-extreme block (field facts summary-facts deepest) #'extreme-number)
         :longest (read-extreme block (field facts summary-facts longest) #'extreme-number)
         :newest (read-extreme block (field facts summary-facts newest) #'extreme-time)
         :oldest (read-extreme block (field facts summary-facts oldest) #'extreme-time)))))

(defun tree-summary (roots &rest options)
  "What there is in the trees at ROOTS, in numbers: a SUMMARY. Options are those of WALK that say
what is entered and what counts. An entry that cannot be looked at is an error with the restarts
SKIP-ENTRY and STOP-WALK.
Price: one statx an entry besides the walk."
  (apply #'call-with-walk-options
         (lambda (base texts count walk first)
           (with-handle (summary
                         (with-errors (slot first)
                           (fewer-summary-open base texts count walk (struct-size walk-options)
                                               summary slot))
                         fewer-summary-close)
             (with-zeroed (facts summary-facts)
               (with-errors (slot first)
                 (fewer-summary-facts-of (mem-ref summary :pointer) facts slot))
               (read-summary facts))))
         roots options))
