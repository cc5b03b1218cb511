/* What is changed in a working directory that is a value; looked at with libc. */
#include "test.h"

static fewer_error *error;
static fewer_scope *here;

static mode_t mode_of(const char *path) {
    struct stat stat;
    return lstat(path, &stat) == 0 ? stat.st_mode : 0;
}

static void a_file_is_made_once(void) {
    int file = -7;
    FINE(fewer_scope_create(here, P("made"), 0666, &file, &error));
    EQUAL(mode_of("d/made"), S_IFREG | 0644);
    EQUAL(write(file, "text", 4), 4);
    EQUAL(fcntl(file, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    EQUAL(fcntl(file, F_GETFL) & O_ACCMODE, O_RDWR);
    close(file);
    file = -7;
    REFUSED(fewer_scope_create(here, P("made"), 0666, &file, &error), EEXIST);
    REFUSED(fewer_scope_create(here, P("none/made"), 0666, &file, &error), ENOENT);
    EQUAL(file, -7);
    /* Nothing is made that cannot be handed over. */
    REFUSED(fewer_scope_create(here, P("lost"), 0666, NULL, &error), EINVAL);
    EQUAL(mode_of("d/lost"), 0);
}

static void directories_are_made_and_removed(void) {
    FINE(fewer_scope_make_directory(here, P("sub"), 0777, &error));
    EQUAL(mode_of("d/sub"), S_IFDIR | 0755);
    REFUSED(fewer_scope_make_directory(here, P("sub"), 0777, &error), EEXIST);
    make_file("d/sub/file", "");
    REFUSED(fewer_scope_remove_directory(here, P("sub"), &error), ENOTEMPTY);
    REFUSED(fewer_scope_remove_file(here, P("sub"), &error), EISDIR);
    FINE(fewer_scope_remove_file(here, P("sub/file"), &error));
    REFUSED(fewer_scope_remove_file(here, P("sub/file"), &error), ENOENT);
    FINE(fewer_scope_remove_directory(here, P("sub"), &error));
    EQUAL(mode_of("d/sub"), 0);
}

static void permissions_are_set(void) {
    make_file("d/file", "");
    make_link("file", "d/to-file");
    FINE(fewer_scope_set_permissions(here, P("file"), 04711, &error));
    EQUAL(mode_of("d/file") & 07777, 04711);
    FINE(fewer_scope_set_permissions(here, P("to-file"), 0600, &error));
    EQUAL(mode_of("d/file") & 07777, 0600);
    REFUSED(fewer_scope_set_permissions(here, P("none"), 0600, &error), ENOENT);
}

static void names_are_given(void) {
    char target[64] = "";
    struct stat stat;
    make_file("d/one", "");
    FINE(fewer_scope_make_symlink(here, P("soft"), P("no\xff where"), &error));
    EQUAL(readlink("d/soft", target, sizeof target), 9);
    TEXT(target, strlen(target), "no\xff where");
    FINE(fewer_scope_make_hard_link(here, P("two"), P("one"), &error));
    CHECK(lstat("d/two", &stat) == 0);
    EQUAL(stat.st_nlink, 2);
    REFUSED(fewer_scope_make_symlink(here, P("soft"), P("again"), &error), EEXIST);
    REFUSED(fewer_scope_make_hard_link(here, P("three"), P("none"), &error), ENOENT);
    FINE(fewer_scope_remove_file(here, P("soft"), &error));
    EQUAL(mode_of("d/soft"), 0);
}

static void a_tree_is_removed_but_not_what_links_lead_to(void) {
    make_directory("d/tree");
    make_directory("d/tree/sub");
    make_directory("d/kept");
    make_file("d/kept/file", "");
    make_file("d/tree/sub/file", "");
    make_link("../kept", "d/tree/link");
    FINE(fewer_scope_remove_tree(here, P("tree"), &error));
    EQUAL(mode_of("d/tree"), 0);
    CHECK(mode_of("d/kept/file") != 0);
    REFUSED(fewer_scope_remove_tree(here, P("tree"), &error), ENOENT);
}

static void paths_that_are_none_are_refused(void) {
    const struct {
        const char *path;
        size_t length;
        int expected;
    } cases[] = {{"", 0, ENOENT}, {NULL, 0, ENOENT}, {NULL, 3, EINVAL}, {"a\0b", 3, EINVAL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = cases[i].path;
        size_t length = cases[i].length;
        int expected = cases[i].expected, file = -7;
        REFUSED(fewer_scope_create(here, path, length, 0600, &file, &error), expected);
        REFUSED(fewer_scope_set_permissions(here, path, length, 0600, &error), expected);
        REFUSED(fewer_scope_make_symlink(here, path, length, P("x"), &error), expected);
        REFUSED(fewer_scope_make_symlink(here, P("x"), path, length, &error), expected);
        REFUSED(fewer_scope_make_hard_link(here, path, length, P("file"), &error), expected);
        REFUSED(fewer_scope_make_hard_link(here, P("x"), path, length, &error), expected);
        REFUSED(fewer_scope_make_directory(here, path, length, 0700, &error), expected);
        REFUSED(fewer_scope_remove_file(here, path, length, &error), expected);
        REFUSED(fewer_scope_remove_directory(here, path, length, &error), expected);
        REFUSED(fewer_scope_remove_tree(here, path, length, &error), expected);
        EQUAL(file, -7);
    }
}

int main(void) {
    begin();
    make_directory("d");
    if (fewer_scope_enter(NULL, P("d"), &here, NULL) != 0)
        no_way_on("d");
    RUN(a_file_is_made_once);
    RUN(directories_are_made_and_removed);
    RUN(permissions_are_set);
    RUN(names_are_given);
    RUN(a_tree_is_removed_but_not_what_links_lead_to);
    RUN(paths_that_are_none_are_refused);
    fewer_scope_close(here);
    return end("changes");
}
