/* What the tests of the FFI boundary are written with. Each test is a function without arguments; a
 * program runs some of them in a scratch directory and ends with a line such as
 * `walk: 12 passed, 0 failed`. What only one system has is in test_unix.h and test_windows.h. */
#ifndef TEST_H
#define TEST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef TEXT
#endif
#include <errno.h>
#include <fcntl.h>
#include <fewer.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* Not every program needs all of it. */
#define UNUSED __attribute__((unused))

static int passed, failed, skipped, wrong_here;
static const char *skipped_here;
static char scratch[4096];

#define CHECK(what) (what) ? (void)0 : wrong(__LINE__, #what)
#define EQUAL(found, expected) \
    equal(__LINE__, #found, (long long)(found), (long long)(expected))
/* Bytes and their length against a string. */
#define TEXT(bytes, length, expected) text(__LINE__, #bytes, bytes, length, expected)
/* A path, as functions take it. */
#define P(path) path, strlen(path)
#define RUN(test) run(#test, test)
/* Ends a test that cannot be made here. */
#define SKIP_UNLESS(possible, why) \
    if (!(possible)) {             \
        skipped_here = why;        \
        return;                    \
    }

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
    skipped_here = NULL;
    test();
    if (wrong_here > 0) {
        failed++;
        printf("failed: %s\n", name);
    } else if (skipped_here != NULL) {
        skipped++;
        printf("skipped: %s: %s\n", name, skipped_here);
    } else
        passed++;
    fflush(stdout);
}

UNUSED static int no_way_on(const char *what) {
#ifdef _WIN32
    fprintf(stderr, "%s: error %lu\n", what, GetLastError());
#else
    perror(what);
#endif
    exit(2);
}

/* What the system says of a file. */
struct truth {
    uint32_t kind, links;
    uint64_t inode, size;
    fewer_time accessed, modified;
};

#ifdef _WIN32
#include "test_windows.h"
#else
#include "test_unix.h"
#endif

/* Whether only this thread is left. The system lists one that was waited for a moment longer. */
UNUSED static int only_one_thread_is_left(void) {
    for (int i = 0; i < 30000; i++) {
        if (threads_now() == 1)
            return 1;
        usleep(1000);
    }
    return 0;
}

/* What main returns. */
static int end(const char *name) {
    remove_scratch();
    printf("%s: %d passed, %d failed", name, passed, failed);
    printf(skipped > 0 ? ", %d skipped\n" : "\n", skipped);
    return failed == 0 ? 0 : 1;
}

UNUSED static void make_file(const char *path, const char *content) {
    make_bytes(path, content, strlen(content));
}

/* A file whose name is in no encoding. */
UNUSED static void make_odd_file(const char *directory) {
    char path[256];
    snprintf(path, sizeof path, "%s/" ODD_NAME, directory);
    make_file(path, "");
}

/* All fields against what the system says. */
UNUSED static void compare_stat(int line, const fewer_stat *found, const struct truth *is) {
    equal(line, "kind", found->kind, is->kind);
    equal(line, "inode", found->inode, is->inode);
    equal(line, "size", found->size, is->size);
    equal(line, "accessed", found->accessed.seconds, is->accessed.seconds);
    equal(line, "accessed", found->accessed.nanoseconds, is->accessed.nanoseconds);
    equal(line, "modified", found->modified.seconds, is->modified.seconds);
    equal(line, "modified", found->modified.nanoseconds, is->modified.nanoseconds);
    equal(line, "known", found->accessed.known + found->modified.known + found->changed.known, 3);
    equal(line, "reserved", found->reserved, 0);
}
#define COMPARE_STAT(found, is) compare_stat(__LINE__, found, is)

#endif
