/* What is changed in a working directory that is a value; looked at by the system. */
#include "test.h"

static fewer_error *error;
static fewer_scope *here;

static void a_file_is_made_once(void) {
    fewer_descriptor file = NO_FILE_EITHER;
    char byte;
    FINE(fewer_scope_create(here, P("made"), 0666, &file, &error));
    EQUAL(look("d/made", false).kind, FEWER_FILE);
    EQUAL(permissions_of("d/made"), SHOWN_PERMISSIONS(0644));
    CHECK(can_be_written(file));
    EQUAL(read_some(file, &byte, 1), 0);
    CHECK(!is_inherited(file));
    close_file(file);
    file = NO_FILE_EITHER;
    REFUSED(fewer_scope_create(here, P("made"), 0666, &file, &error), EEXIST);
    REFUSED(fewer_scope_create(here, P("none/made"), 0666, &file, &error), ENOENT);
    CHECK(file == NO_FILE_EITHER);
    /* Nothing is made that cannot be handed over. */
    REFUSED(fewer_scope_create(here, P("lost"), 0666, NULL, &error), EINVAL);
    CHECK(!is_there("d/lost"));
}

static void directories_are_made_and_removed(void) {
    FINE(fewer_scope_make_directory(here, P("sub"), 0777, &error));
    EQUAL(look("d/sub", false).kind, FEWER_DIRECTORY);
    EQUAL(permissions_of("d/sub"), SHOWN_PERMISSIONS(0755));
    REFUSED(fewer_scope_make_directory(here, P("sub"), 0777, &error), EEXIST);
    make_file("d/sub/file", "");
    REFUSED(fewer_scope_remove_directory(here, P("sub"), &error), ENOTEMPTY);
    REFUSED(fewer_scope_remove_file(here, P("sub"), &error), EISDIR);
    FINE(fewer_scope_remove_file(here, P("sub/file"), &error));
    REFUSED(fewer_scope_remove_file(here, P("sub/file"), &error), ENOENT);
    FINE(fewer_scope_remove_directory(here, P("sub"), &error));
    CHECK(!is_there("d/sub"));
}

static void permissions_are_set(void) {
    make_file("d/file", "");
    FINE(fewer_scope_set_permissions(here, P("file"), 0444, &error));
    EQUAL(permissions_of("d/file"), SHOWN_PERMISSIONS(0444));
    FINE(fewer_scope_set_permissions(here, P("file"), 0711, &error));
    EQUAL(permissions_of("d/file"), SHOWN_PERMISSIONS(0711));
    if (HAS_OWNERS) {
        FINE(fewer_scope_set_permissions(here, P("file"), 04711, &error));
        EQUAL(permissions_of("d/file"), 04711);
    } else {
        REFUSED(fewer_scope_set_permissions(here, P("file"), 04711, &error), EOPNOTSUPP);
        EQUAL(permissions_of("d/file"), SHOWN_PERMISSIONS(0711));
    }
    REFUSED(fewer_scope_set_permissions(here, P("none"), 0600, &error), ENOENT);
}

static void permissions_are_those_of_what_a_link_leads_to(void) {
    SKIP_UNLESS(CAN_LINK, "no links can be made here");
    make_file("d/behind", "");
    make_link("behind", "d/to-file");
    FINE(fewer_scope_set_permissions(here, P("to-file"), 0400, &error));
    EQUAL(permissions_of("d/behind"), SHOWN_PERMISSIONS(0400));
}

static void files_have_second_names(void) {
    make_file("d/one", "");
    FINE(fewer_scope_make_hard_link(here, P("two"), P("one"), &error));
    EQUAL(look("d/two", false).links, 2);
    EQUAL(look("d/two", false).inode, look("d/one", false).inode);
    REFUSED(fewer_scope_make_hard_link(here, P("two"), P("one"), &error), EEXIST);
    REFUSED(fewer_scope_make_hard_link(here, P("three"), P("none"), &error), ENOENT);
    FINE(fewer_scope_remove_file(here, P("two"), &error));
    CHECK(!is_there("d/two") && is_there("d/one"));
}

static void links_are_made(void) {
    SKIP_UNLESS(CAN_LINK, "no links can be made here");
    FINE(fewer_scope_make_symlink(here, P("soft"), P(ODD_NAME " where"), &error));
    EQUAL(look("d/soft", false).kind, FEWER_SYMLINK);
#ifndef _WIN32
    char target[64] = "";
    EQUAL(readlink("d/soft", target, sizeof target), strlen(ODD_NAME " where"));
    TEXT(target, strlen(target), ODD_NAME " where");
#endif
    REFUSED(fewer_scope_make_symlink(here, P("soft"), P("again"), &error), EEXIST);
    FINE(fewer_scope_remove_file(here, P("soft"), &error));
    CHECK(!is_there("d/soft"));
}

static void a_tree_is_removed_but_not_what_links_lead_to(void) {
    make_directory("d/tree");
    make_directory("d/tree/sub");
    make_directory("d/kept");
    make_file("d/kept/file", "");
    make_file("d/tree/sub/file", "");
    FINE(fewer_scope_set_permissions(here, P("tree/sub/file"), 0444, &error));
    make_link("../kept", "d/tree/link");
    FINE(fewer_scope_remove_tree(here, P("tree"), &error));
    CHECK(!is_there("d/tree"));
    CHECK(is_there("d/kept/file"));
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
        int expected = cases[i].expected;
        fewer_descriptor file = NO_FILE_EITHER;
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
        CHECK(file == NO_FILE_EITHER);
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
    RUN(permissions_are_those_of_what_a_link_leads_to);
    RUN(files_have_second_names);
    RUN(links_are_made);
    RUN(a_tree_is_removed_but_not_what_links_lead_to);
    RUN(paths_that_are_none_are_refused);
    fewer_scope_close(here);
    return end("changes");
}
