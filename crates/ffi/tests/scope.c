/* Working directories as values; what is asked in them, against libc. */
#include "test.h"

#ifndef _WIN32
#include <sys/sysmacros.h>
#else
#include <winternl.h>
#endif

static fewer_error *error;

static fewer_scope *enter(const fewer_scope *scope, const char *path) {
    fewer_scope *entered = NULL;
    FINE(fewer_scope_enter(scope, P(path), &entered, &error));
    return entered;
}

static void paths_are_taken_from_the_scope(void) {
    fewer_scope *a = enter(NULL, "a"), *b = enter(a, "b"), *up = enter(b, "..");
    fewer_stat stat;
    struct truth expected = look("a/b/file", false);
    char before[4096], after[4096];
    CHECK(getcwd(before, sizeof before) != NULL);
    FINE(fewer_scope_stat(b, P("file"), FEWER_FIELD_INODE, 0, &stat, &error));
    EQUAL(stat.inode, expected.inode);
    FINE(fewer_scope_stat(up, P("b/file"), FEWER_FIELD_INODE, 0, &stat, &error));
    EQUAL(stat.inode, expected.inode);
    FINE(fewer_scope_stat(NULL, P("a/b/file"), FEWER_FIELD_INODE, 0, &stat, &error));
    EQUAL(stat.inode, expected.inode);
    CHECK(getcwd(after, sizeof after) != NULL && strcmp(before, after) == 0);
    fewer_scope_close(a);
    FINE(fewer_scope_stat(b, P("file"), FEWER_FIELD_INODE, 0, &stat, &error));
    fewer_scope_close(b);
    fewer_scope_close(up);
}

static void a_scope_is_a_descriptor_until_its_last_handle_is_closed(void) {
    int before = open_files();
    fewer_scope *scope = enter(NULL, "a"), *clone = fewer_scope_clone(scope);
    CHECK(clone != NULL);
    EQUAL(open_files(), before + 1);
    fewer_scope_close(scope);
    EQUAL(open_files(), before + 1);
    fewer_scope_close(clone);
    EQUAL(open_files(), before);
    clone = fewer_scope_clone(NULL);
    CHECK(clone != NULL);
    EQUAL(open_files(), before);
    fewer_scope_close(clone);
}

/* Whether a name is found from a directory by the system's own call. */
static int is_found_from(fewer_descriptor directory, const char *name) {
#ifdef _WIN32
    wchar_t units[64];
    UNICODE_STRING text = {0, 0, units};
    OBJECT_ATTRIBUTES attributes = {
        .Length = sizeof attributes, .RootDirectory = directory, .ObjectName = &text};
    IO_STATUS_BLOCK answer;
    HANDLE file;
    for (; name[text.Length / 2] != '\0'; text.Length += 2)
        units[text.Length / 2] = name[text.Length / 2];
    NTSTATUS status = NtOpenFile(&file, SYNCHRONIZE | FILE_READ_ATTRIBUTES, &attributes, &answer,
                                 FILE_SHARE_READ | FILE_SHARE_WRITE, 0x20);
    return NT_SUCCESS(status) && CloseHandle(file);
#else
    struct stat found;
    return fstatat(directory, name, &found, 0) == 0;
#endif
}

static void a_scope_lends_its_descriptor(void) {
    fewer_scope *scope = enter(NULL, "a/b");
    CHECK(is_found_from(fewer_scope_descriptor(scope), "file"));
    CHECK(!is_found_from(fewer_scope_descriptor(scope), "b"));
    CHECK(!is_inherited(fewer_scope_descriptor(scope)));
#ifdef _WIN32
    CHECK(fewer_scope_descriptor(NULL) == NULL);
#else
    EQUAL(fewer_scope_descriptor(NULL), AT_FDCWD);
#endif
    fewer_scope_close(scope);
}

static void a_scope_stays_the_same_directory(void) {
    SKIP_UNLESS(KEEPS_RENAMED, "Wine goes by the name that the directory had");
    fewer_stat stat;
    make_directory("moving");
    make_file("moving/file", "12345");
    fewer_scope *scope = enter(NULL, "moving");
    CHECK(rename("moving", "moved") == 0);
    CHECK(is_found_from(fewer_scope_descriptor(scope), "file"));
    FINE(fewer_scope_stat(scope, P("file"), FEWER_FIELD_SIZE, 0, &stat, &error));
    EQUAL(stat.size, 5);
    fewer_scope_close(scope);
}

/* The fields that only Unix has. */
static void compare_with_stat(const fewer_stat *found, const char *path, int follow) {
#ifdef _WIN32
    (void)found, (void)path, (void)follow;
#else
    struct stat is;
    EQUAL(fstatat(AT_FDCWD, path, &is, follow ? 0 : AT_SYMLINK_NOFOLLOW), 0);
    EQUAL(found->allocated, is.st_blocks * 512);
    EQUAL(found->device_major, major(is.st_dev));
    EQUAL(found->device_minor, minor(is.st_dev));
    EQUAL(found->special_major, major(is.st_rdev));
    EQUAL(found->special_minor, minor(is.st_rdev));
    EQUAL(found->changed.nanoseconds, is.st_ctim.tv_nsec);
    EQUAL(found->user, is.st_uid);
    EQUAL(found->group, is.st_gid);
    EQUAL(found->permissions, is.st_mode & 07777);
#endif
}

static void all_fields_are_those_of_stat(void) {
    static const char *const names[] = {
        "a", "a/b/file",
#ifndef _WIN32
        "a/link", "/dev/null", "a/b/fifo",
#endif
    };
    for (int follow = 0; follow < 2; follow++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            fewer_stat found;
            struct truth is = look(names[i], follow);
            FINE(fewer_scope_stat(NULL, P(names[i]), FEWER_FIELD_ALL, follow, &found, &error));
            COMPARE_STAT(&found, &is);
            EQUAL(found.links, is.links);
            compare_with_stat(&found, names[i], follow);
        }
}

static void fields_that_were_not_asked_for_are_zero(void) {
    fewer_stat zero, found;
    memset(&zero, 0, sizeof zero);
    FINE(fewer_scope_stat(NULL, P("a/b/file"), 0, 0, &found, &error));
    CHECK(memcmp(&zero, &found, sizeof zero) == 0);
    FINE(fewer_scope_stat(NULL, P("a/b/file"), FEWER_FIELD_SIZE, 0, &found, &error));
    zero.size = 4;
    CHECK(memcmp(&zero, &found, sizeof zero) == 0);
}

static void a_failure_writes_nothing(void) {
    fewer_stat stat;
    memset(&stat, 7, sizeof stat);
    REFUSED(fewer_scope_stat(NULL, P("none"), FEWER_FIELD_ALL, 0, &stat, &error), ENOENT);
    if (CAN_LINK)
        REFUSED(fewer_scope_stat(NULL, P("a/dangling"), FEWER_FIELD_ALL, 1, &stat, &error), ENOENT);
    for (size_t i = 0; i < sizeof stat; i++)
        EQUAL(((unsigned char *)&stat)[i], 7);
    fewer_scope *scope = NULL;
    REFUSED(fewer_scope_enter(NULL, P("a/b/file"), &scope, &error), ENOTDIR);
    fewer_descriptor descriptor = NO_FILE;
    REFUSED(fewer_scope_open(NULL, P("none"), &descriptor, &error), ENOENT);
    CHECK(descriptor == NO_FILE);
    CHECK(scope == NULL);
}

static void texts_fit_or_say_how_much_they_need(void) {
    SKIP_UNLESS(CAN_LINK, "no symbolic links can be made here");
    char buffer[4096], long_target[301];
    size_t needed = 0;
    memset(long_target, 't', 300);
    long_target[300] = '\0';
    make_link(long_target, "long");
    FINE(fewer_scope_read_link(NULL, P("a/link"), buffer, sizeof buffer, &needed, &error));
    TEXT(buffer, strlen(buffer), "b/file");
    EQUAL(needed, 6);
    FINE(fewer_scope_read_link(NULL, P("a/link"), buffer, 7, &needed, &error));
    FINE(fewer_scope_read_link(NULL, P("a/link"), buffer, 7, NULL, &error));
    needed = 0;
    buffer[6] = 'x';
    REFUSED(fewer_scope_read_link(NULL, P("a/link"), buffer, 6, &needed, &error), ERANGE);
    EQUAL(needed, 6);
    EQUAL(buffer[6], 'x');
    needed = 0;
    REFUSED(fewer_scope_read_link(NULL, P("a/link"), NULL, 0, &needed, &error), ERANGE);
    EQUAL(needed, 6);
    REFUSED(fewer_scope_read_link(NULL, P("long"), NULL, 0, &needed, &error), ERANGE);
    EQUAL(needed, 300);
    FINE(fewer_scope_read_link(NULL, P("long"), buffer, 301, &needed, &error));
    TEXT(buffer, needed, long_target);
    needed = 7;
    REFUSED(fewer_scope_read_link(NULL, P("a"), buffer, 301, &needed, &error), EINVAL);
    REFUSED(fewer_scope_read_link(NULL, P("none"), buffer, 301, &needed, &error), ENOENT);
    EQUAL(needed, 7);
}

static void a_scope_knows_where_it_is(void) {
    SKIP_UNLESS(CAN_LINK, "no symbolic links can be made here");
    char logical[4096], physical[4096], expected[5000];
    size_t needed;
    fewer_scope *scope = enter(NULL, "a/updir");
    FINE(fewer_scope_logical(scope, logical, sizeof logical, &needed, &error));
    EQUAL(needed, strlen(logical));
    snprintf(expected, sizeof expected, "%s/a/updir", scratch);
    TEXT(logical, needed, expected);
    FINE(fewer_scope_physical(scope, physical, sizeof physical, &needed, &error));
    TEXT(physical, needed, scratch);
    REFUSED(fewer_scope_logical(scope, logical, 3, &needed, &error), ERANGE);
    EQUAL(needed, strlen(expected));
    REFUSED(fewer_scope_physical(scope, NULL, 0, &needed, &error), ERANGE);
    EQUAL(needed, strlen(scratch));
    FINE(fewer_scope_physical(NULL, physical, sizeof physical, &needed, &error));
    TEXT(physical, needed, scratch);

    fewer_scope *back = NULL;
    FINE(fewer_scope_enter_logical(scope, P(".."), &back, &error));
    FINE(fewer_scope_logical(back, logical, sizeof logical, &needed, &error));
    snprintf(expected, sizeof expected, "%s/a", scratch);
    TEXT(logical, needed, expected);
    fewer_scope_close(back);
    fewer_scope_close(scope);
}

static void a_file_is_opened_for_reading(void) {
    fewer_descriptor descriptor = NO_FILE;
    char bytes[8] = "";
    fewer_scope *scope = enter(NULL, "a");
    FINE(fewer_scope_open(scope, P("b/file"), &descriptor, &error));
    EQUAL(read_some(descriptor, bytes, sizeof bytes), 4);
    TEXT(bytes, 4, "text");
    CHECK(!is_inherited(descriptor));
    CHECK(!can_be_written(descriptor));
    close_file(descriptor);
    fewer_scope_close(scope);
}

static void lines_are_read_in_a_scope(void) {
    fewer_scope *scope = enter(NULL, "a/b");
    fewer_lines *lines = NULL;
    fewer_lines_column column;
    FINE(fewer_lines_open(scope, P("file"), NULL, 0, &lines, &error));
    fewer_scope_close(scope);
    FINE(fewer_lines_collect(lines, &column, &error));
    TEXT(column.bytes, column.bytes_length, "text");
    fewer_lines_close(lines);
}

static void a_path_may_be_longer_than_path_max(void) {
    static char path[LONG_DEPTH * (LONG_NAME + 1) + 8];
    fewer_scope *scope = NULL;
    fewer_stat stat;
    size_t length = snprintf(path, sizeof path, "deep/");
    make_deep("deep", LONG_DEPTH, LONG_NAME);
    for (int i = 0; i < LONG_DEPTH; i++) {
        memset(path + length, 'd', LONG_NAME);
        length += LONG_NAME;
        path[length++] = '/';
    }
    FINE(fewer_scope_enter(NULL, path, length - 1, &scope, &error));
    FINE(fewer_scope_stat(scope, P("."), FEWER_FIELD_KIND, 0, &stat, &error));
    EQUAL(stat.kind, FEWER_DIRECTORY);
    fewer_scope_close(scope);
}

int main(void) {
    begin();
    make_directory("a");
    make_directory("a/b");
    make_file("a/b/file", "text");
    make_link("b/file", "a/link");
    make_link("none", "a/dangling");
    make_link("..", "a/updir");
    make_pipe("a/b/fifo");
    RUN(paths_are_taken_from_the_scope);
    RUN(a_scope_is_a_descriptor_until_its_last_handle_is_closed);
    RUN(a_scope_lends_its_descriptor);
    RUN(a_scope_stays_the_same_directory);
    RUN(all_fields_are_those_of_stat);
    RUN(fields_that_were_not_asked_for_are_zero);
    RUN(a_failure_writes_nothing);
    RUN(texts_fit_or_say_how_much_they_need);
    RUN(a_scope_knows_where_it_is);
    RUN(a_file_is_opened_for_reading);
    RUN(lines_are_read_in_a_scope);
    RUN(a_path_may_be_longer_than_path_max);
    return end("scope");
}
