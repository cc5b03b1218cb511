;;;; package.lisp - what is here to use.
;;;; SPDX-License-Identifier: MIT OR Apache-2.0

(defpackage #:fewer
  (:use #:common-lisp)
  (:import-from #:cffi #:mem-ref #:null-pointer #:null-pointer-p #:with-foreign-object)
  (:documentation
   "File-system work in the fewest system calls.

    walk do-walk map-walk        a tree                      3 calls a directory, none an entry
    enumerate-files              its files as pathnames      likewise
    make-snapshot changes        what a walk found, and what has changed since
    tree-size tree-summary       how much space a tree takes, what is in it
    list-entries                 a directory, with metadata  1 call an entry at most
    read-lines do-lines          text                        1 read for each 256 KiB
    with-scope                   a working directory as a value
    file-kind read-link ...      what osicat has, by its names

A path is a pathname, or a string. To the words of fewer a string is a name as the kernel has it:
nothing in it is wild. To the words that osicat has too it is a namestring of Common Lisp. Relative
paths are taken from the scope that one is in (WITH-SCOPE); else from *DEFAULT-PATHNAME-DEFAULTS*;
and where that is relative or empty, from the working directory of the process, which is never
changed. Every function may be used by any number of threads at once.")
  (:export
   ;; The library
   #:library-version #:load-library #:calls
   ;; Errors
   #:system-error #:system-error-code #:system-error-identifier #:system-error-message
   #:file-system-error #:error-number #:error-path #:error-action #:error-message
   #:decoding-error #:decoding-error-line #:decoding-error-offset #:decoding-error-column
   #:skip-entry #:stop-walk
   ;; Scope
   #:scope #:*scope* #:with-scope #:enter-scope #:close-scope #:scope-path
   ;; Walk
   #:walk #:do-walk #:map-walk #:enumerate-files
   #:entry #:entry-path #:entry-name #:entry-kind #:entry-target #:entry-depth #:entry-inode
   #:entry-pathname #:entry-path-octets #:entry-name-octets
   ;; Snapshots
   #:snapshot #:make-snapshot #:read-snapshot #:write-snapshot #:close-snapshot #:with-snapshot
   #:snapshot-now #:snapshot-entries #:snapshot-directories #:snapshot-bytes #:snapshot-has-stat-p
   #:changes #:change #:change-change #:change-path #:change-from #:change-kind
   ;; Space
   #:tree-size #:size-row #:size-row-path #:size-row-depth #:size-row-kind #:size-row-entries
   #:size-row-size #:size-row-allocated #:usage #:usage-entries #:usage-size #:usage-allocated
   #:tree-summary #:summary #:summary-directories #:summary-files #:summary-links
   #:summary-other #:summary-extensions #:summary-largest #:summary-deepest #:summary-longest
   #:summary-newest #:summary-oldest
   ;; Metadata
   #:stat-file #:stat #:stat-kind #:stat-permissions #:stat-size #:stat-allocated #:stat-inode
   #:stat-device #:stat-links #:stat-user #:stat-group #:stat-special
   #:stat-accessed #:stat-modified #:stat-changed #:stat-created
   #:list-entries #:row #:row-name #:row-stat #:row-target #:row-user-name #:row-group-name
   #:row-error #:row-target-error
   #:user-name #:group-name
   ;; Lines
   #:read-lines #:do-lines #:map-lines #:count-lines
   ;; What osicat has
   #:current-directory #:delete-directory #:delete-directory-and-files #:directory-exists-p
   #:list-directory #:mapdir #:walk-directory #:with-directory-iterator
   #:file-exists-p #:good-symlink-exists-p #:regular-file-exists-p #:file-kind
   #:read-link #:make-link #:file-permissions
   #:open-temporary-file #:with-temporary-file #:*temporary-directory* #:user-info
   #:absolute-pathname #:absolute-pathname-p #:directory-pathname-p #:native-namestring
   #:pathname-as-directory #:pathname-as-file #:pathname-directory-pathname
   #:relative-pathname-p #:unmerge-pathnames #:unlink))
