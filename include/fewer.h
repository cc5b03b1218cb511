/* fewer.h - file-system work in the fewest system calls.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * This header is the contract, and its manual. It was written by hand; a test compiles it and
 * proves that its layouts are those of the library.
 *
 *     fewer_walk     a tree                        3 calls a directory, none an entry
 *     fewer_list     one directory, with metadata  1 call an entry at most
 *     fewer_lines    text                          1 read for each 256 KiB
 *     fewer_snapshot what a walk found, in a file  1 statx a directory if nothing changed
 *     fewer_size     the space that trees take     1 statx an entry
 *     fewer_summary  what there is in them         1 statx an entry
 *     fewer_scope    a working directory as a value
 *     fewer_owners   names of users and groups     one read of each file
 *     fewer_zone     local time                    one read of the zone's file
 *     fewer_error    what went wrong
 *     fewer_calls    what all of it has cost so far
 *
 * WHAT ALL OF IT KEEPS TO
 *
 * Results. A function that can fail returns 0, or the kernel's error number (an errno). Results are
 * written through out-pointers, only if 0 is returned unless stated otherwise. errno itself is
 * neither read nor written. A bug in the library leads to ENOTRECOVERABLE, never to an abort or an
 * exception; the handle can then only be closed. The process is aborted only if memory runs out.
 *
 * Errors. If the last parameter is a `fewer_error **`, an error object is stored there: the action
 * that failed, and its path. The caller frees it. NULL: none is made. It is not written if 0 is
 * returned.
 *
 * Bytes. Names and paths are bytes as the kernel has them, with their length, in any encoding or
 * none. Arguments need no NUL at their end and must not contain one (EINVAL). Results are followed
 * by a NUL that does not count, except for the bytes of lines.
 *
 * Handles. `fewer_walk`, `fewer_size`, `fewer_list`, `fewer_lines` and `fewer_changes` belong to one
 * thread at a time, which may be a different one each time. Any number of threads may use a
 * `fewer_scope`, `fewer_snapshot`, `fewer_summary`, `fewer_owners`, `fewer_zone` or `fewer_error` at
 * once, as long as none closes it. Every handle is closed once; closing NULL does nothing. A handle
 * that was made with a scope keeps it alive: the scope may be closed first.
 *
 * Batches. The result of a `..._next` is valid until the next call on the same handle, except for
 * fewer_walk_prune and fewer_list_count, which do not change it. The pointer to an array with a
 * count of 0 may be any number: it is not to be read, nor to be taken for NULL.
 *
 * Options. A struct of zeros means the defaults. Its size is an argument, so that a program and a
 * library of different age work together: fields that only the library knows are zero; fields that
 * only the program knows must be zero, otherwise the result is E2BIG. NULL and 0: the defaults.
 * Unknown bits and numbers are EINVAL.
 *
 * Processes. Nothing here changes the working directory, the umask, or the action of signals. A
 * handle does not survive fork: the child must not use it. Descriptors are close-on-exec.
 *
 * Linking. `cc program.c $(pkg-config --cflags --libs fewer)`; statically with
 * `pkg-config --static`.
 *
 * Windows. Names and paths are WTF-8 there: UTF-8 in which half of a surrogate pair may stand alone;
 * bytes that are no WTF-8 are no path (EINVAL). Numbers of errors are those of <errno.h>, and the
 * last error of the thread (GetLastError) stays as it is. Open files are handles. The calls that are
 * named with the prices are those of Linux; docs/windows.md has others. A program is linked with the
 * import library of fewer.dll: `x86_64-w64-mingw32-gcc program.c libfewer.dll.a`,
 * `cl program.c fewer.lib`.
 */
#ifndef FEWER_H
#define FEWER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ------------------------------------------------------------------------------ */

/* Raised when something that a program relies on changes. Compare it with fewer_abi_version(). */
#define FEWER_ABI_VERSION 1u

/* The FEWER_ABI_VERSION that the library was built with. Free. */
uint32_t fewer_abi_version(void);

/* The version of the library, such as "0.1.0": a string that is never freed. Free. */
const char *fewer_version(void);

/* ---- Errors ------------------------------------------------------------------------------- */

typedef struct fewer_error fewer_error;

/* What was being done when something went wrong. */
enum {
    FEWER_ACTION_OTHER = 0,
    FEWER_ACTION_ACCESS = 1,
    FEWER_ACTION_COLLECT = 2,
    FEWER_ACTION_CREATE = 3,
    FEWER_ACTION_DECODE = 4,
    FEWER_ACTION_END = 5,
    FEWER_ACTION_ENTER = 6,
    FEWER_ACTION_ENTER_MOUNT_LOOP = 7,
    FEWER_ACTION_FIND_PATH = 8,
    FEWER_ACTION_LIST = 9,
    FEWER_ACTION_LIST_MOUNT_LOOP = 10,
    FEWER_ACTION_LIST_WHOLE_DIRECTORY = 11,
    FEWER_ACTION_MAKE_DIRECTORY = 12,
    FEWER_ACTION_MAKE_HARD_LINK = 13,
    FEWER_ACTION_MAKE_SYMLINK = 14,
    FEWER_ACTION_OPEN = 15,
    FEWER_ACTION_OPEN_DIRECTORY = 16,
    FEWER_ACTION_READ = 17,
    FEWER_ACTION_READ_DIRECTORY = 18,
    FEWER_ACTION_READ_IGNORE_FILE = 19,
    FEWER_ACTION_READ_LINE = 20,
    FEWER_ACTION_READ_LINK = 21,
    FEWER_ACTION_READ_OUTPUT = 22,
    FEWER_ACTION_REMOVE = 23,
    FEWER_ACTION_REMOVE_DIRECTORY = 24,
    FEWER_ACTION_RENAME = 25,
    FEWER_ACTION_RETURN_TO_DIRECTORY = 26,
    FEWER_ACTION_RUN = 27,
    FEWER_ACTION_SET_PERMISSIONS = 28,
    FEWER_ACTION_SET_TIMES = 29,
    FEWER_ACTION_STAT = 30,
    FEWER_ACTION_WAIT = 31,
    FEWER_ACTION_WRITE = 32,
    FEWER_ACTION_READ_SNAPSHOT = 33,
    FEWER_ACTION_WRITE_SNAPSHOT = 34
};

/* The kernel's number. */
int32_t fewer_error_number(const fewer_error *error);

/* "cannot open directory 'x': Permission denied", control characters escaped. Lives as long as the
 * error. */
const char *fewer_error_message(const fewer_error *error);

/* What was being done, as a number (FEWER_ACTION_...); FEWER_ACTION_OTHER for an action that has
 * none, such as a bad argument. Numbers never change; a later library may have more of them. */
uint32_t fewer_error_action(const fewer_error *error);

/* The action that failed, as a verb in its plain form: "open directory". Lives as long as the
 * error. */
const char *fewer_error_action_words(const fewer_error *error);

/* The path of the action, in its own bytes. Lives as long as the error; `length` may be NULL. */
const char *fewer_error_path(const fewer_error *error, size_t *length);

/* The position of a byte that is not UTF-8, for an error of fewer_lines with FEWER_CHECK_STRICT;
 * all 0 for any other error. */
typedef struct fewer_position {
    uint64_t line;   /* from 1 */
    uint64_t offset; /* bytes of the input before the first bad one */
    uint64_t column; /* bytes of the line before it */
} fewer_position;

void fewer_error_position(const fewer_error *error, fewer_position *position);

void fewer_error_free(fewer_error *error);

/* ---- What an entry is --------------------------------------------------------------------- */

enum {
    FEWER_UNKNOWN = 0, /* the file system did not say, and asking failed or was not worth a call */
    FEWER_FILE = 1,
    FEWER_DIRECTORY = 2,
    FEWER_SYMLINK = 3,
    FEWER_FIFO = 4,
    FEWER_SOCKET = 5,
    FEWER_BLOCK = 6,
    FEWER_CHAR = 7
};

/* The name of a kind, the same in all languages, in JSON and on the command line: "unknown",
 * "file", "directory", "symlink", "fifo", "socket", "block", "char". Never freed; "unknown" for a
 * number that is none. Free. */
const char *fewer_kind_name(uint32_t kind);

/* The kind of that name. Taken are also the letters of find's -type (f d l p s b c), and "dir",
 * "link" and "pipe". EINVAL for anything else. Free. */
int fewer_kind_number(const char *name, size_t length, uint32_t *kind);

/* Kinds as a set: FEWER_KIND(FEWER_FILE) | FEWER_KIND(FEWER_SYMLINK). */
#define FEWER_KIND(kind) (1u << (kind))

/* The fields of a fewer_stat that are wanted. The kernel may answer faster for fewer. */
enum {
    FEWER_FIELD_KIND = 1 << 0,
    FEWER_FIELD_PERMISSIONS = 1 << 1,
    FEWER_FIELD_OWNER = 1 << 2, /* user and group */
    FEWER_FIELD_SIZE = 1 << 3,
    FEWER_FIELD_LINKS = 1 << 4,
    FEWER_FIELD_INODE = 1 << 5, /* and device */
    FEWER_FIELD_ALLOCATED = 1 << 6,
    FEWER_FIELD_ACCESSED = 1 << 7,
    FEWER_FIELD_MODIFIED = 1 << 8,
    FEWER_FIELD_CHANGED = 1 << 9,
    FEWER_FIELD_CREATED = 1 << 10,
    FEWER_FIELD_ALL = (1 << 11) - 1 /* on Windows without the owner, which costs calls */
};

typedef struct fewer_time {
    int64_t seconds;      /* since 1970-01-01T00:00:00Z; negative before */
    uint32_t nanoseconds; /* after that second: 0 to 999,999,999, before 1970 too */
    uint32_t known;       /* 1; 0 if it was not requested, or the file system keeps none */
} fewer_time;

/* Fields that were not requested, or that the file system lacks, are 0. */
typedef struct fewer_stat {
    uint64_t inode;
    uint64_t size;      /* in bytes */
    uint64_t allocated; /* space taken, in bytes: a multiple of 512 */
    uint32_t device_major; /* of the file system that it is on */
    uint32_t device_minor;
    fewer_time accessed;
    fewer_time modified;
    fewer_time changed;
    fewer_time created;
    uint32_t links; /* number of names */
    uint32_t user;
    uint32_t group;
    uint32_t special_major; /* of the device that it is, if it is one */
    uint32_t special_minor;
    uint16_t permissions; /* the lower twelve bits of st_mode */
    uint8_t kind;         /* FEWER_FILE, ... */
    uint8_t reserved;
} fewer_stat;

/* ---- Open files --------------------------------------------------------------------------- */

/* An open file, as the system's own calls take it: a descriptor, which is closed by close(2); on
 * Windows a HANDLE, which is closed by CloseHandle. */
#ifdef _WIN32
typedef void *fewer_descriptor;
#else
typedef int fewer_descriptor;
#endif

/* ---- Scope: a working directory as a value ------------------------------------------------ */

/* A directory that relative paths start from. It is held open, so it stays the same directory when
 * that is renamed or removed. For a parameter `const fewer_scope *`, NULL is the working directory
 * of the process. Paths may be longer than the kernel takes at once; each further 4,000 bytes cost
 * an openat and a close more. */
typedef struct fewer_scope fewer_scope;

/* Enters a directory, as chdir would, without changing the process.
 * Price: one openat now, one close when the last handle to it is closed. */
int fewer_scope_enter(const fewer_scope *scope, const char *path, size_t length,
                      fewer_scope **entered, fewer_error **error);

/* As a shell's cd: `..` takes the last name off the logical path, also if that is a link.
 * Price: as fewer_scope_enter; if the path has a `..` in it, the calls of fewer_scope_logical as
 * well, and one statx for each name that is taken off again. */
int fewer_scope_enter_logical(const fewer_scope *scope, const char *path, size_t length,
                              fewer_scope **entered, fewer_error **error);

/* One more handle to the same scope; never NULL. Price: none. */
fewer_scope *fewer_scope_clone(const fewer_scope *scope);

/* Price: one close, if it was the last handle. */
void fewer_scope_close(fewer_scope *scope);

/* The descriptor that names in the scope are relative to, for other calls: fstatat, or
 * posix_spawn_file_actions_addfchdir_np for a child that starts there. AT_FDCWD for the process's
 * directory, else a descriptor opened with O_PATH, which the scope keeps and closes. On Windows the
 * RootDirectory of NtCreateFile: NULL for the process's directory, else the handle of a directory.
 * Price: none. */
fewer_descriptor fewer_scope_descriptor(const fewer_scope *scope);

/* The requested fields (FEWER_FIELD_...), of the target of a link if `follow` is not 0.
 * Price: one statx. */
int fewer_scope_stat(const fewer_scope *scope, const char *path, size_t length, uint32_t fields,
                     int follow, fewer_stat *stat, fewer_error **error);

/* Writes the target of a link into the caller's buffer, with a NUL behind it. `*needed` is set to
 * the length without the NUL whenever the target is known; ERANGE if that and the NUL do not fit. A
 * second attempt costs as much again: 4,096 bytes are enough for any link.
 * Price: one readlinkat (two for a target of more than 127 bytes). */
int fewer_scope_read_link(const fewer_scope *scope, const char *path, size_t length, char *buffer,
                          size_t capacity, size_t *needed, fewer_error **error);

/* Opens a file for reading; the descriptor is the caller's to close.
 * Price: one openat. */
int fewer_scope_open(const fewer_scope *scope, const char *path, size_t length,
                     fewer_descriptor *descriptor, fewer_error **error);

/* Makes a file that must not be there yet, open for reading and writing; the umask takes bits off
 * `permissions`. The descriptor is the caller's to close.
 * Price: one openat. */
int fewer_scope_create(const fewer_scope *scope, const char *path, size_t length,
                       uint32_t permissions, fewer_descriptor *descriptor,
                       fewer_error **error);

/* Writes the path of the scope into the caller's buffer, as fewer_scope_read_link does: the path by
 * which it was entered, links included (logical), or the kernel's path without links (physical).
 * Price of logical: two statx, the second time one of a directory that was entered; one getcwd more
 * if $PWD does not say where an entered path began; if that path is wrong by now, up to one getcwd
 * and one statx more, and the price of physical. Price of physical: one readlinkat and two statx,
 * the second time one; of the process's directory one getcwd. */
int fewer_scope_logical(const fewer_scope *scope, char *buffer, size_t capacity, size_t *needed,
                        fewer_error **error);
int fewer_scope_physical(const fewer_scope *scope, char *buffer, size_t capacity, size_t *needed,
                         fewer_error **error);

/* Sets the twelve permission bits of the file at the path, links followed; more bits are EINVAL.
 * Price: one fchmodat. */
int fewer_scope_set_permissions(const fewer_scope *scope, const char *path, size_t length,
                                uint32_t permissions, fewer_error **error);

/* Makes a symbolic link at `path` with the target `target`; or another name of the file `target`,
 * which is relative to the scope as well, and is not followed if it is a link.
 * Price: one symlinkat; one linkat. */
int fewer_scope_make_symlink(const fewer_scope *scope, const char *path, size_t length,
                             const char *target, size_t target_length, fewer_error **error);
int fewer_scope_make_hard_link(const fewer_scope *scope, const char *path, size_t length,
                               const char *target, size_t target_length, fewer_error **error);

/* Makes a directory; the umask takes bits off `permissions`. Price: one mkdirat. */
int fewer_scope_make_directory(const fewer_scope *scope, const char *path, size_t length,
                               uint32_t permissions, fewer_error **error);

/* Removes a name that is not a directory, links not followed; removes an empty directory.
 * Price: one unlinkat. */
int fewer_scope_remove_file(const fewer_scope *scope, const char *path, size_t length,
                            fewer_error **error);
int fewer_scope_remove_directory(const fewer_scope *scope, const char *path, size_t length,
                                 fewer_error **error);

/* Removes a directory and everything below it. Links are removed, never followed; a root that is a
 * link is ENOTDIR. A mount point below is emptied, but not unmounted (EBUSY). The kernel refuses a
 * path that ends in `.` or `..`; the root directory is refused by any name (EBUSY). If something
 * cannot be removed, the rest is removed all the same; the first such failure is the result.
 * Price: two statx; for each directory openat, getdents64, close, unlinkat; for everything else one
 * unlinkat. One more getdents64 for each further 256 KiB, and for the end if the last block is full
 * or something was not removed. */
int fewer_scope_remove_tree(const fewer_scope *scope, const char *path, size_t length,
                            fewer_error **error);

/* ---- Walk: the entries of a tree ---------------------------------------------------------- */

typedef struct fewer_walk fewer_walk;

/* Bytes of an argument that is an array. */
typedef struct fewer_text {
    const char *bytes;
    size_t length;
} fewer_text;

enum {
    /* Depth-first, the names of each directory in byte order: the same sequence at every run. */
    FEWER_WALK_SORTED = 1 << 0,
    /* A link is treated as its target; one that leads to a directory it lies in is a failure
     * (ELOOP). */
    FEWER_WALK_FOLLOW = 1 << 1,
    /* A mount point is an entry, but is not entered. */
    FEWER_WALK_ONE_FILE_SYSTEM = 1 << 2,
    /* Leaves out what git would ignore, .git included. */
    FEWER_WALK_GITIGNORE = 1 << 3,
    /* Leaves out names that begin with a dot, and everything below. */
    FEWER_WALK_SKIP_HIDDEN = 1 << 4,
    /* The field max_depth counts. */
    FEWER_WALK_MAX_DEPTH = 1 << 5,
    /* Globs ignore the case of letters. */
    FEWER_WALK_IGNORE_CASE = 1 << 6,
    /* Globs are matched with the whole path rather than the name. */
    FEWER_WALK_FULL_PATH = 1 << 7,
    /* Each batch holds one root, or all entries of one directory: nothing of a directory is read
     * ahead, so fewer_walk_prune can keep the walk out of it. All on the calling thread. */
    FEWER_WALK_BY_DIRECTORY = 1 << 8,
    /* Finds the kind of the target of a link that is not followed: one statx for each. */
    FEWER_WALK_TARGETS = 1 << 9
};

/* What a walk writes down of each entry. */
enum {
    FEWER_RECORD_NAMES = 1, /* name, kind and inode; one statx more for each directory */
    FEWER_RECORD_STAT = 2   /* size, times and permissions as well: one statx more for each entry */
};

/* See below. */
typedef struct fewer_snapshot fewer_snapshot;

typedef struct fewer_walk_options {
    uint32_t flags;
    /* So many work. 0: as many as there are processors to use, and more, up to max_threads, while
     * storage has to be waited for and more directories are read per second with more of them. */
    uint32_t threads;
    uint32_t kinds;       /* only entries of these kinds (FEWER_KIND); 0: of any */
    uint32_t max_threads; /* 0: 64 */
    uint64_t max_depth; /* with FEWER_WALK_MAX_DEPTH: directories this deep are not entered */
    uint64_t min_depth; /* entries above it are left out; roots are at 0 */
    const fewer_text *globs; /* only entries that match one of them; none: all entries */
    size_t globs_count;
    const fewer_text *exclude_globs; /* leaves out entries that match one, and everything below */
    size_t exclude_globs_count;
    /* A directory that this snapshot has, and that did not change, is not opened; or NULL. It may
     * be closed during the walk. */
    const fewer_snapshot *since;
    uint32_t record; /* FEWER_RECORD_...: for fewer_walk_snapshot; 0: nothing */
    uint32_t reserved;
} fewer_walk_options;

/* One entry. Offsets are into the bytes of its batch. */
typedef struct fewer_entry {
    uint64_t inode;       /* in the directory's record; of a mount point, the directory below it */
    uint32_t path;        /* offset: the root as the caller wrote it, and the path below it */
    uint32_t path_length;
    uint32_t name;        /* offset: the last component, which is a part of the path; behind that
                             of a root may be slashes before the NUL */
    uint32_t name_length;
    uint32_t depth;       /* steps below the root, which is at 0 */
    uint8_t kind;         /* FEWER_FILE, ... */
    uint8_t target;       /* with FEWER_WALK_TARGETS: the kind that a link points to; else 0 */
    uint8_t reserved[2];
} fewer_entry;

/* An entry that could not be looked at. It never ends a walk. Offsets are into the bytes of its
 * batch. */
typedef struct fewer_failure {
    uint32_t path; /* offset */
    uint32_t path_length;
    uint32_t message; /* offset: "cannot open directory 'x': Permission denied" */
    uint32_t message_length;
    uint32_t before; /* how many entries of the batch came before it */
    int32_t number;  /* the kernel's */
    uint32_t action; /* FEWER_ACTION_...: what was being done */
} fewer_failure;

typedef struct fewer_walk_batch {
    const char *bytes; /* NULL: the walk is over */
    size_t bytes_length;
    const fewer_entry *entries;
    size_t entries_count;
    const fewer_failure *failures;
    size_t failures_count;
    /* With FEWER_WALK_BY_DIRECTORY: the directory that the entries lie in, as an offset and a
     * length, and its depth. Length 0 for a batch with a root. Of a directory whose entries take
     * 4 GiB or more, the first come, and a failure (EOVERFLOW). */
    uint32_t directory;
    uint32_t directory_length;
    uint32_t directory_depth;
    uint32_t reserved;
} fewer_walk_batch;

/* Prepares a walk over the trees at some roots, which are entries themselves. A root that is a link
 * is not followed unless it ends in `/`. EINVAL for an invalid glob.
 * Price: none. */
int fewer_walk_open(const fewer_scope *scope, const fewer_text *roots, size_t roots_count,
                    const fewer_walk_options *options, size_t options_size, fewer_walk **walk,
                    fewer_error **error);

/* Returns the next entries, some 1,000 at a time. The calling thread walks while it waits for them.
 * A tree of more than 400 directories is walked by several threads, which read ahead by some 2 MiB;
 * in order, by 12 MiB more.
 * Price of a walk: per directory openat, getdents64 and close, one getdents64 more for each further
 * 256 KiB, and for the end where the file system does not mark it; per entry none, unless the
 * directory does not say its kind. Once some 10 calls for the mount table, and the calls that start
 * threads. */
int fewer_walk_next(fewer_walk *walk, fewer_walk_batch *batch, fewer_error **error);

/* With FEWER_WALK_BY_DIRECTORY: does not enter the directory that is the entry `index` of the
 * present batch. EINVAL if there is no such entry, or without that flag.
 * Price: none. */
int fewer_walk_prune(fewer_walk *walk, size_t index);

/* Ends the walk, be it over or not. */
void fewer_walk_close(fewer_walk *walk);

/* ---- Snapshot: what a walk found ---------------------------------------------------------- */

/* A fewer_snapshot: the directories below some roots, and the names in each, in memory or in a
 * file. Any number of threads may use one at once, as long as none closes it. */

/* The snapshot of a walk that was opened with `record`, and ends the walk: what it has not come to
 * counts as not read. All entries of a directory that was entered are in it, whatever the options
 * choose. With `since`, directories that did not change are taken over as they are. It says which
 * options decided what was entered: fewer_snapshot_walk and the command use them again. EINVAL
 * without `record`, and the second time.
 * Price: none. */
int fewer_walk_snapshot(fewer_walk *walk, fewer_snapshot **snapshot, fewer_error **error);

/* Reads one from a file, whose path is relative to the process's directory. EBADMSG for a file that
 * is no snapshot, one of another version, cut off or damaged; the message says which.
 * Price: openat, statx, one read for the first 64 KiB and one for the rest, close. */
int fewer_snapshot_read(const char *path, size_t length, fewer_snapshot **snapshot,
                        fewer_error **error);

/* Writes one to a file, which is the old one until the new one is whole and on the disk. It keeps
 * the permissions of the old one.
 * Price: openat and close of the directory and of the file, statx, write, two fdatasync, renameat2;
 * an fchmod if there was a file. */
int fewer_snapshot_write(const fewer_snapshot *snapshot, const char *path, size_t length,
                         fewer_error **error);

/* Prepares the walk that finds out what is there now: through the roots of a snapshot, with the
 * options that it was made with, since it, and recorded as it was. When that is over,
 * fewer_walk_snapshot and fewer_changes_open say what changed. `threads` as in the options of a
 * walk. EBADMSG for options of another version of the library.
 * Price: none. Of the walk one statx for each directory, and 6 calls more for one that changed. */
int fewer_snapshot_walk(const fewer_snapshot *snapshot, const fewer_scope *scope, uint32_t threads,
                        fewer_walk **walk, fewer_error **error);

typedef struct fewer_snapshot_facts {
    uint64_t entries; /* in all directories, without the roots */
    uint64_t directories;
    uint64_t bytes;    /* that it has in a file */
    uint32_t has_stat; /* 1 if it has size, times and permissions of each entry */
    uint32_t reserved;
} fewer_snapshot_facts;

/* Price: none. */
int fewer_snapshot_facts_of(const fewer_snapshot *snapshot, fewer_snapshot_facts *facts,
                            fewer_error **error);

void fewer_snapshot_close(fewer_snapshot *snapshot);

/* What is different between two snapshots. */
typedef struct fewer_changes fewer_changes;

enum {
    FEWER_CHANGE_REMOVED = 0, /* the path is the one that it had */
    FEWER_CHANGE_RENAMED = 1, /* the same device and inode; what is in a directory comes along */
    FEWER_CHANGE_ADDED = 2,
    FEWER_CHANGE_CHANGED = 3  /* its kind; with has_stat also size, time, permissions or inode */
};

/* Offsets are into the bytes of its batch. */
typedef struct fewer_change {
    uint32_t path;
    uint32_t path_length;
    uint32_t from; /* the path before, if it was renamed */
    uint32_t from_length; /* 0: it was not */
    uint32_t change; /* FEWER_CHANGE_... */
    uint32_t kind;   /* FEWER_FILE, ...: what it is, or was if it is gone */
} fewer_change;

typedef struct fewer_change_batch {
    const char *bytes; /* NULL: there are no more */
    size_t bytes_length;
    const fewer_change *changes;
    size_t changes_count;
} fewer_change_batch;

/* Compares two snapshots, which may be closed then. Roots with the same path are compared. If
 * `after` is of a walk since a snapshot, what that walk left out is not listed, nor what is below
 * other roots.
 * Price: none. */
int fewer_changes_open(const fewer_snapshot *before, const fewer_snapshot *after,
                       fewer_changes **changes, fewer_error **error);

/* Returns the next changes, some 1,000 at a time, in the order of their paths. The new tree follows
 * from the old one by them: first what was removed goes, then what was renamed gets its new path,
 * then comes what was added. Price: none. */
int fewer_changes_next(fewer_changes *changes, fewer_change_batch *batch, fewer_error **error);

void fewer_changes_close(fewer_changes *changes);

/* ---- Size: how much space trees take ------------------------------------------------------ */

/* A fewer_size and a fewer_summary take the options of a walk, which say what is entered and what
 * counts. FEWER_WALK_BY_DIRECTORY, FEWER_WALK_TARGETS, `since` and `record` are EINVAL. What cannot
 * be looked at is a failure in the first batch, and the rest is counted. */

typedef struct fewer_space {
    uint64_t entries;
    uint64_t size;      /* the sum of what each states, in bytes */
    uint64_t allocated; /* the bytes taken on the device */
} fewer_space;

typedef struct fewer_size fewer_size;

enum {
    FEWER_SIZE_FILES = 1 << 0,      /* files have rows, too */
    FEWER_SIZE_COUNT_LINKS = 1 << 1 /* a file counts for each of its names, and for each root */
};

typedef struct fewer_size_options {
    uint32_t flags;
    uint32_t reserved;
    uint64_t depth; /* so many levels below a root have rows; 0: the roots */
} fewer_size_options;

/* A root, a directory below it, or a file, with all that is below. Offsets are into the bytes of
 * its batch. */
typedef struct fewer_size_row {
    fewer_space space;
    uint32_t path;
    uint32_t path_length;
    uint32_t depth;
    uint32_t kind; /* FEWER_FILE, ... */
} fewer_size_row;

typedef struct fewer_size_batch {
    const char *bytes; /* NULL: there are no more */
    size_t bytes_length;
    const fewer_size_row *rows;
    size_t rows_count;
    const fewer_failure *failures; /* `before` is 0 */
    size_t failures_count;
} fewer_size_batch;

/* Measures trees as du does: a file with several names counts once, below the first root that holds
 * it, in the directory whose path comes first in byte order. A root that lies in an earlier one has
 * no row. With FEWER_WALK_ONE_FILE_SYSTEM a mount point does not count. FEWER_WALK_FOLLOW does
 * nothing.
 * Price: one statx an entry besides the walk, and one for a root that is a directory. */
int fewer_size_open(const fewer_scope *scope, const fewer_text *roots, size_t roots_count,
                    const fewer_walk_options *walk, size_t walk_size,
                    const fewer_size_options *options, size_t options_size, fewer_size **size,
                    fewer_error **error);

/* Returns the next rows, some 1,000 at a time: root by root, below each in byte order of the paths.
 * Price: none. */
int fewer_size_next(fewer_size *size, fewer_size_batch *batch, fewer_error **error);

void fewer_size_close(fewer_size *size);

/* What there is in trees, in numbers. */
typedef struct fewer_summary fewer_summary;

/* Files whose names end in the same; the name is what is behind the last dot. */
typedef struct fewer_extension {
    fewer_space space;
    uint32_t name; /* length 0 if there is none */
    uint32_t name_length;
    uint32_t is_rest; /* 1 for the files of all others, after 65,536 different ones */
    uint32_t reserved;
} fewer_extension;

typedef struct fewer_extreme {
    uint64_t value;  /* of the largest bytes, of the deepest steps, of the longest bytes; else 0 */
    fewer_time time; /* when the newest or oldest was modified */
    uint32_t path;
    uint32_t path_length;
} fewer_extreme;

/* Offsets are into `bytes`. All of it lives as long as the handle. */
typedef struct fewer_summary_facts {
    const char *bytes;
    size_t bytes_length;
    fewer_space directories;
    fewer_space files; /* the bytes of a file with several names count once */
    fewer_space links;
    fewer_space other;
    const fewer_extension *extensions; /* the one with the largest size first */
    size_t extensions_count;
    const fewer_extreme *largest; /* files, each once; at most 10 */
    size_t largest_count;
    const fewer_extreme *deepest; /* entry; NULL if there is none, as the next three */
    const fewer_extreme *longest; /* path */
    const fewer_extreme *newest;  /* file */
    const fewer_extreme *oldest;  /* file */
    const fewer_failure *failures; /* `before` is 0 */
    size_t failures_count;
} fewer_summary_facts;

/* Price: one statx an entry besides the walk. */
int fewer_summary_open(const fewer_scope *scope, const fewer_text *roots, size_t roots_count,
                       const fewer_walk_options *walk, size_t walk_size, fewer_summary **summary,
                       fewer_error **error);

/* Price: none. */
int fewer_summary_facts_of(const fewer_summary *summary, fewer_summary_facts *facts,
                           fewer_error **error);

void fewer_summary_close(fewer_summary *summary);

/* ---- Owners: names of users and groups ---------------------------------------------------- */

/* Price: none by itself; at the first question nsswitch.conf and passwd or group are opened, read
 * to the end and closed, 4 calls each; for an id that is not in them the calls of the machine's
 * name services, once. */
typedef struct fewer_owners fewer_owners;

fewer_owners *fewer_owners_open(void);

/* Writes the name for a number into the caller's buffer, as fewer_scope_read_link does; ENOENT if
 * there is none. 256 bytes are enough for any name that Linux tools make. */
int fewer_owners_user(const fewer_owners *owners, uint32_t user, char *buffer, size_t capacity,
                      size_t *needed);
int fewer_owners_group(const fewer_owners *owners, uint32_t group, char *buffer, size_t capacity,
                       size_t *needed);

/* The number for a name; ENOENT if there is none. */
int fewer_owners_user_number(const fewer_owners *owners, const char *name, size_t length,
                             uint32_t *user);
int fewer_owners_group_number(const fewer_owners *owners, const char *name, size_t length,
                              uint32_t *group);

void fewer_owners_close(fewer_owners *owners);

/* ---- Zone: local time --------------------------------------------------------------------- */

typedef struct fewer_zone fewer_zone;

/* Date and time in a zone. */
typedef struct fewer_civil {
    int64_t year;
    int32_t offset_seconds; /* east of Greenwich */
    uint8_t month;          /* 1 to 12 */
    uint8_t day;            /* 1 to 31 */
    uint8_t hour;
    uint8_t minute;
    uint8_t second; /* 60 in a leap second, where the zone's file has them */
    uint8_t weekday; /* 0 is Sunday */
    uint16_t yearday; /* 0 is the first of January */
    uint32_t reserved;
} fewer_civil;

/* The zone of TZ or of the machine. Price: one open, read and close of the zone's file; a file that
 * cannot be read means UTC, as in the C library. */
fewer_zone *fewer_zone_open(void);

/* Converts `count` times. Price: none. */
void fewer_zone_convert(const fewer_zone *zone, const int64_t *seconds, size_t count,
                        fewer_civil *civil);

void fewer_zone_close(fewer_zone *zone);

/* ---- List: one directory, with metadata --------------------------------------------------- */

typedef struct fewer_list fewer_list;

enum {
    FEWER_LIST_SKIP_HIDDEN = 1 << 0, /* leaves out names that begin with a dot */
    FEWER_LIST_DOTS = 1 << 1,        /* lists `.` and `..`, too, unless these are left out */
    FEWER_LIST_FOLLOW = 1 << 2,      /* a link is answered for what it points to */
    FEWER_LIST_LINKS = 1 << 3,       /* asks links where they point: one readlinkat for each */
    FEWER_LIST_KINDS = 1 << 4, /* asks what an entry is, where the directory does not say */
    FEWER_LIST_REVERSE = 1 << 5,
    FEWER_LIST_DIRECTORIES_FIRST = 1 << 6
};

enum {
    FEWER_BY_NAME = 0,     /* in byte order */
    FEWER_BY_NOTHING = 1,  /* as the directory has them */
    FEWER_BY_VERSION = 2,  /* by name, numbers in it by their value */
    FEWER_BY_EXTENSION = 3,
    FEWER_BY_SIZE = 4,     /* the largest first */
    FEWER_BY_MODIFIED = 5, /* the latest first */
    FEWER_BY_ACCESSED = 6,
    FEWER_BY_CHANGED = 7,
    FEWER_BY_CREATED = 8
};

typedef struct fewer_list_options {
    uint32_t flags;
    uint32_t fields;  /* the requested fields of each entry (FEWER_FIELD_...); 0: none */
    uint32_t order;   /* FEWER_BY_... */
    uint32_t threads; /* at most so many work; 0: as many as there are processors to use */
    const fewer_owners *owners; /* names of owners are looked up there, so it must stay open until
                                 * the list is closed; NULL: they are not */
} fewer_list_options;

/* One entry. Offsets are into the bytes of its batch. */
typedef struct fewer_row {
    fewer_stat stat; /* inode and kind are filled even if no field was requested */
    uint32_t name;   /* offset */
    uint32_t name_length;
    uint32_t target; /* offset: the target of a link, with FEWER_LIST_LINKS; else length 0 */
    uint32_t target_length;
    uint32_t user_name; /* offset; length 0 if there is none or it was not requested */
    uint32_t user_name_length;
    uint32_t group_name; /* offset; likewise */
    uint32_t group_name_length;
    int32_t number;        /* why the fields could not be read; else 0 */
    int32_t target_number; /* why the target could not be read; else 0 */
} fewer_row;

typedef struct fewer_list_batch {
    const char *bytes; /* NULL: that was all */
    size_t bytes_length;
    const fewer_row *rows;
    size_t rows_count;
} fewer_list_batch;

/* Reads a directory, and the requested fields of its entries.
 * Price: openat, getdents64 for 32 KiB of entries, for each further 256 KiB and for the end, close;
 * per entry one statx if fields are requested. Several threads share a directory of more than 1,024
 * entries. */
int fewer_list_open(const fewer_scope *scope, const char *path, size_t length,
                    const fewer_list_options *options, size_t options_size, fewer_list **list,
                    fewer_error **error);

/* Returns the next rows, 1,024 at a time. If the directory could not be read to its end, the rows
 * come first, then the error, then the end.
 * Price: none but for names of owners. */
int fewer_list_next(fewer_list *list, fewer_list_batch *batch, fewer_error **error);

/* How many rows there are in all. Free. */
size_t fewer_list_count(const fewer_list *list);

void fewer_list_close(fewer_list *list);

/* ---- Lines: text -------------------------------------------------------------------------- */

typedef struct fewer_lines fewer_lines;

enum {
    FEWER_LINES_NUL = 1 << 0,  /* a NUL ends a line rather than a newline */
    FEWER_LINES_CRLF = 1 << 1, /* a `\r` in front of the newline belongs to the end */
    /* While the caller is busy with the lines of a block, another thread reads and checks those
     * that come next, 8 blocks at most: of a regular file that fewer_lines_open has opened, when
     * more than 1 MiB of it has been read and more than a block is left, unless `threads` is 1.
     * Lines and errors are the same. Any function but fewer_lines_next ends it, and nothing is lost.
     * Price: one statx beyond 1 MiB; one lseek if it is ended before the file. */
    FEWER_LINES_READ_AHEAD = 1 << 2
};

enum {
    FEWER_CHECK_ASCII = 0,   /* checks which lines are ASCII */
    FEWER_CHECK_NOTHING = 1, /* checks nothing */
    FEWER_CHECK_UTF8 = 2,    /* which lines are ASCII, and which are UTF-8 */
    FEWER_CHECK_STRICT = 3   /* the same, and a line that is not UTF-8 is an error (EILSEQ) */
};

typedef struct fewer_lines_options {
    uint32_t flags;
    uint32_t check;       /* FEWER_CHECK_... */
    uint32_t threads;     /* at most so many work; 0: as many as there are processors to use */
    uint32_t block_bytes; /* how much is read at a time; 0: 256 KiB */
} fewer_lines_options;

/* What is known about a line. */
enum {
    FEWER_LINE_ASCII = 1, /* all bytes are ASCII, so it is UTF-8 as well */
    FEWER_LINE_UTF8 = 2,
    FEWER_LINE_ENDED = 4, /* it ends with a newline, or NUL; else it is the last of the input */
    FEWER_LINE_CRLF = 8   /* a `\r` in front of that belongs to the end */
};

/* Lines as a table. Line i is bytes[ends[i - 1]] (from 0 for the first) up to bytes[ends[i]], with
 * its line end: one byte if FEWER_LINE_ENDED, one more if FEWER_LINE_CRLF. */
typedef struct fewer_lines_batch {
    const char *bytes; /* NULL: the input is over */
    size_t bytes_length;
    const uint64_t *ends;
    const uint8_t *flags; /* FEWER_LINE_... */
    size_t lines_count;
    uint64_t number; /* of the first line, from 1 */
    uint64_t offset; /* bytes of the input before the batch */
} fewer_lines_batch;

/* All lines in one piece, without their ends: line i is bytes[offsets[i]] up to
 * bytes[offsets[i + 1]]. The layout of Arrow's LargeBinary. */
typedef struct fewer_lines_column {
    const char *bytes;
    size_t bytes_length;
    const int64_t *offsets; /* lines_count + 1 of them */
    size_t lines_count;
    uint32_t is_ascii; /* 1 if all are ASCII */
    uint32_t is_utf8;  /* 1 if all are known to be UTF-8 */
} fewer_lines_column;

typedef struct fewer_lines_total {
    uint64_t lines; /* those that end, and one more if something follows the last end */
    uint64_t ends;  /* those that end: what wc -l counts */
    uint64_t bytes;
} fewer_lines_total;

/* Opens a text. For a FIFO it waits until a process writes to it.
 * Price: one openat; one close later. */
int fewer_lines_open(const fewer_scope *scope, const char *path, size_t length,
                     const fewer_lines_options *options, size_t options_size, fewer_lines **lines,
                     fewer_error **error);

/* Reads from a descriptor, which stays the caller's and must stay open. `name` stands for it in
 * messages. Price: none. */
int fewer_lines_borrow(fewer_descriptor descriptor, const char *name, size_t length,
                       const fewer_lines_options *options, size_t options_size,
                       fewer_lines **lines, fewer_error **error);

/* Returns the lines of the next block.
 * Price: one read of 256 KiB; of a whole text one more, which finds the end. */
int fewer_lines_next(fewer_lines *lines, fewer_lines_batch *batch, fewer_error **error);

/* Counts the lines that are left. `*total` is set after an error too, to the count up to then.
 * Price: one read for each 256 KiB, one statx if there is more than that; a file of 64 MiB or more
 * is counted by several threads, one pread64 for each 512 KiB. */
int fewer_lines_count(fewer_lines *lines, fewer_lines_total *total, fewer_error **error);

/* Skips all but the last `count` of the lines that are left; fewer_lines_next returns these. Line
 * numbers then begin at 1 with the first of them.
 * Price: a file is read from its end, one pread64 for each 256 KiB; anything else to its end. */
int fewer_lines_last(fewer_lines *lines, uint64_t count, fewer_error **error);

/* Collects the lines that are left. The column is valid until the next call on the handle.
 * Price: one read for each 256 KiB and one statx; a file of 8 MiB or more is read by several
 * threads, one pread64 for each 512 KiB. */
int fewer_lines_collect(fewer_lines *lines, fewer_lines_column *column, fewer_error **error);

/* Price: one close, unless the descriptor was borrowed. */
void fewer_lines_close(fewer_lines *lines);

/* Writes the code points of UTF-8 to `points` if there is room for all of them; `*count` is how
 * many they are, so that a first call with a capacity of 0 asks for that. EILSEQ if it is not UTF-8:
 * then nothing is written. For languages whose strings are code points of 4 bytes, the way into
 * their own memory. Price: none. */
int fewer_decode_utf8(const char *bytes, size_t length, uint32_t *points, size_t capacity,
                      size_t *count);

/* ---- Calls: what all of it has cost ------------------------------------------------------- */

/* The room for the name of a call. */
#ifdef _WIN32
#define FEWER_CALL_NAME 40
#else
#define FEWER_CALL_NAME 24
#endif

typedef struct fewer_call_count {
    char name[FEWER_CALL_NAME]; /* the kernel's name of a call, with a NUL behind it */
    uint64_t count;
} fewer_call_count;

/* How often each call was made through this library by all threads of the process. Writes up to
 * `capacity` rows, the most frequent first, and returns how many there are.
 * Price: none. */
size_t fewer_calls(fewer_call_count *counts, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif /* FEWER_H */
