/* What the tests of the FFI boundary are written with. Each test is a function without arguments; a
 * program runs some of them in a scratch directory and ends with a line such as
 * `walk: 12 passed, 0 failed`. */
#ifndef TEST_H
#define TEST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fewer.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* Not every program needs all of it. */
#define UNUSED __attribute__((unused))

static int passed, failed, wrong_here;

#define CHECK(what) (what) ? (void)0 : wrong(__LINE__, #what)
#define EQUAL(found, expected) \
    equal(__LINE__, #found, (long long)(found), (long long)(expected))
/* Bytes and their length against a string. */
#define TEXT(bytes, length, expected) text(__LINE__, #bytes, bytes, length, expected)
/* A path, as functions take it. */
#define P(path) path, strlen(path)
#define RUN(test) run(#test, test)

UNUSED static void wrong(int line, const char *what) {
    printf("  line %d: not so: %s\n", line, what);
    wrong_here++;
}

UNUSED static void equal(int line, const char *what, long long found, long long expected) {
    if (found != expected) {
        printf("  line %d: %s is %lld, not %lld\n", line, what, found, expected);
        wrong_here++;
    }
}

UNUSED static void text(int line, const char *what, const char *bytes, size_t length,
                 const char *expected) {
    if (length != strlen(expected) || memcmp(bytes, expected, length) != 0) {
        printf("  line %d: %s is '%.*s', not '%s'\n", line, what, (int)length, bytes, expected);
        wrong_here++;
    }
}

/* An error that has to be there; it is freed. */
UNUSED static void refused(int line, int found, int expected,
                                            fewer_error **error) {
    equal(line, "the answer", found, expected);
    if (*error == NULL) {
        wrong(line, "there is an error");
        return;
    }
    equal(line, "fewer_error_number", fewer_error_number(*error), expected);
    fewer_error_free(*error);
    *error = NULL;
}
#define REFUSED(call, expected) refused(__LINE__, call, expected, &error)
/* A call that has to work. */
#define FINE(call) (equal(__LINE__, #call, call, 0), CHECK(error == NULL))

static void run(const char *name, void (*test)(void)) {
    wrong_here = 0;
    test();
    if (wrong_here == 0)
        passed++;
    else {
        failed++;
        printf("failed: %s\n", name);
    }
    fflush(stdout);
}

static char scratch[4096];

static int no_way_on(const char *what) {
    perror(what);
    exit(2);
}

/* Enters a directory of its own, whose files others may read whatever the umask. */
static void begin(void) {
    umask(022);
    const char *parent = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/fewer-XXXXXX", parent != NULL ? parent : "/tmp");
    if (mkdtemp(scratch) == NULL || chmod(scratch, 0755) != 0 || chdir(scratch) != 0)
        no_way_on(scratch);
}

/* What main returns. */
static int end(const char *name) {
    char command[2 * sizeof scratch + 32];
    /* What a test has closed an ordinary user has to open again. */
    snprintf(command, sizeof command, "chmod -R u+rwX '%s' && rm -rf '%s'", scratch, scratch);
    if (chdir("/") != 0 || system(command) != 0)
        no_way_on(command);
    printf("%s: %d passed, %d failed\n", name, passed, failed);
    return failed == 0 ? 0 : 1;
}

UNUSED static void make_bytes(const char *path, const void *bytes,
                                               size_t length) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0 || write(file, bytes, length) != (ssize_t)length || close(file) != 0)
        no_way_on(path);
}

UNUSED static void make_file(const char *path, const char *content) {
    make_bytes(path, content, strlen(content));
}

UNUSED static void make_directory(const char *path) {
    if (mkdir(path, 0755) != 0)
        no_way_on(path);
}

UNUSED static void make_link(const char *target, const char *path) {
    if (symlink(target, path) != 0)
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

/* How many names a directory of /proc has: open descriptors, threads. */
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

#endif
