/* What the tests need of Unix; test_windows.h has the same names. */
#include <dirent.h>
#include <time.h>

#define NO_FILE (-1)
#define NO_FILE_EITHER (-100)
/* A name that is no UTF-8, and a path that leads nowhere, with what a message makes of it. */
#define ODD_NAME "\xff\n"
#define ODD_PATH "no\n\xff"
#define ODD_PATH_SHOWN "no\\n\\xff"
enum { CAN_LINK = 1, CAN_PIPE = 1, CAN_LOCK = 1, HAS_OWNERS = 1, KNOWS_READ_DIRECTORY = 1,
       KNOWS_NAMES = 1, KEPT_BY_SYSTEM = 0 };
enum { KEEPS_BIRTH = 1, KEEPS_RENAMED = 1 };
/* Below a path of more than 4,096 bytes. */
enum { LONG_DEPTH = 20, LONG_NAME = 250 };

/* The calls that open, close and look at a file. */
#define OPENS "openat"
#define CLOSES "close"
#define ASKS "statx"
enum { OPENS_TO_ASK = 0 };

/* Enters a directory of its own, whose files others may read whatever the umask. */
static void begin(void) {
    umask(022);
    const char *parent = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/fewer-XXXXXX", parent != NULL ? parent : "/tmp");
    if (mkdtemp(scratch) == NULL || chmod(scratch, 0755) != 0 || chdir(scratch) != 0)
        no_way_on(scratch);
}

static void remove_scratch(void) {
    char command[2 * sizeof scratch + 32];
    /* What a test has closed an ordinary user has to open again. */
    snprintf(command, sizeof command, "chmod -R u+rwX '%s' && rm -rf '%s'", scratch, scratch);
    if (chdir("/") != 0 || system(command) != 0)
        no_way_on(command);
}

UNUSED static void make_bytes(const char *path, const void *bytes, size_t length) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0 || write(file, bytes, length) != (ssize_t)length || close(file) != 0)
        no_way_on(path);
}

UNUSED static void make_directory(const char *path) {
    if (mkdir(path, 0755) != 0)
        no_way_on(path);
}

UNUSED static void make_link(const char *target, const char *path) {
    if (symlink(target, path) != 0)
        no_way_on(path);
}

UNUSED static void make_second_name(const char *path, const char *name) {
    if (link(path, name) != 0)
        no_way_on(name);
}

/* Makes a file longer, without content. */
UNUSED static void grow(const char *path, long size) {
    if (truncate(path, size) != 0)
        no_way_on(path);
}

UNUSED static void make_pipe(const char *path) {
    if (mkfifo(path, 0640) != 0)
        no_way_on(path);
}

/* A directory with `depth` others in it, one in the other, each with a name of so many `d`. */
UNUSED static void make_deep(const char *path, int depth, int name_length) {
    char name[256];
    memset(name, 'd', name_length);
    name[name_length] = '\0';
    make_directory(path);
    int at = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < depth; i++) {
        int below = mkdirat(at, name, 0755) == 0
                        ? openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                        : no_way_on(name);
        close(at);
        at = below;
    }
    close(at);
}

UNUSED static void set_times(const char *path, int64_t accessed, int64_t modified) {
    const struct timespec times[] = {{accessed, 1}, {modified, 999999999}};
    if (utimensat(AT_FDCWD, path, times, 0) != 0)
        no_way_on(path);
}

UNUSED static struct truth look(const char *path, int follow) {
    struct stat is;
    if (fstatat(AT_FDCWD, path, &is, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
        no_way_on(path);
    return (struct truth){
        .kind = S_ISDIR(is.st_mode)    ? FEWER_DIRECTORY
                : S_ISLNK(is.st_mode)  ? FEWER_SYMLINK
                : S_ISCHR(is.st_mode)  ? FEWER_CHAR
                : S_ISFIFO(is.st_mode) ? FEWER_FIFO
                                       : FEWER_FILE,
        .links = is.st_nlink,
        .inode = is.st_ino,
        .size = is.st_size,
        .accessed = {is.st_atim.tv_sec, is.st_atim.tv_nsec, 1},
        .modified = {is.st_mtim.tv_sec, is.st_mtim.tv_nsec, 1},
    };
}

UNUSED static bool is_there(const char *path) {
    struct stat is;
    return lstat(path, &is) == 0;
}

/* Permissions as the system shows them, when these were set. */
#define SHOWN_PERMISSIONS(set) (set)
UNUSED static int permissions_of(const char *path) {
    struct stat is;
    if (lstat(path, &is) != 0)
        no_way_on(path);
    return is.st_mode & 07777;
}

UNUSED static fewer_descriptor open_for_test(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    return file >= 0 ? file : no_way_on(path);
}

UNUSED static long read_some(fewer_descriptor file, void *bytes, size_t length) {
    return read(file, bytes, length);
}

UNUSED static void skip_bytes(fewer_descriptor file, long bytes) {
    if (lseek(file, bytes, SEEK_SET) != bytes)
        no_way_on("lseek");
}

UNUSED static int is_open(fewer_descriptor file) { return fcntl(file, F_GETFD) >= 0; }

UNUSED static int is_inherited(fewer_descriptor file) {
    return (fcntl(file, F_GETFD) & FD_CLOEXEC) == 0;
}

UNUSED static int can_be_written(fewer_descriptor file) {
    return (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY || write(file, "x", 1) == 1;
}

UNUSED static void close_file(fewer_descriptor file) { close(file); }

UNUSED static fewer_descriptor standard_input(void) { return 0; }

/* The end of a pipe that has these bytes in it, and no more. */
UNUSED static fewer_descriptor pipe_with(const char *bytes) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0 || write(ends[1], P(bytes)) != (ssize_t)strlen(bytes))
        no_way_on("pipe");
    close(ends[1]);
    return ends[0];
}

UNUSED static void set_zone(const char *zone) {
    setenv("TZ", zone, 1);
    tzset();
}

/* A zone that the C library knows. */
#define ZONE "Europe/Berlin"
UNUSED static void local_time(const time_t *time, struct tm *to) { localtime_r(time, to); }

/* Nobody but root may look into it. */
UNUSED static void lock_directory(const char *path) {
    if (chmod(path, 0) != 0)
        no_way_on(path);
}

/* Does something as a user to whom permissions mean something. */
UNUSED static void as_nobody(void (*body)(void)) {
    int root = geteuid() == 0;
    if (root && seteuid(65534) != 0)
        no_way_on("seteuid");
    body();
    if (root && seteuid(0) != 0)
        no_way_on("seteuid");
}

/* How many names a directory has. */
UNUSED static int count_in(const char *path) {
    struct dirent **names;
    int count = scandir(path, &names, NULL, NULL);
    for (int i = 0; i < count; i++)
        free(names[i]);
    if (count >= 0)
        free(names);
    /* But for the two dots. */
    return count - 2;
}

/* What the process has. */
UNUSED static int open_files(void) { return count_in("/proc/self/fd"); }
UNUSED static int threads_now(void) { return count_in("/proc/self/task"); }
