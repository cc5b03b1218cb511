/* Directories with metadata: rows against lstat(2), owners, links, orders, more rows than a batch
 * has. */
#include "test.h"

#ifndef _WIN32
#include <grp.h>
#include <pwd.h>
#include <sys/sysmacros.h>
#endif

static fewer_error *error;

#define OPTIONS(...) (fewer_list_options){__VA_ARGS__}

static fewer_list *open_list(const char *path, fewer_list_options options) {
    fewer_list *list = NULL;
    FINE(fewer_list_open(NULL, P(path), &options, sizeof options, &list, &error));
    return list;
}

/* The names that are listed, each with a blank behind it. */
static void shows(int line, const char *path, fewer_list_options options, const char *expected) {
    char shown[1024] = "";
    fewer_list *list = open_list(path, options);
    fewer_list_batch batch;
    size_t rows = 0, length = 0;
    int ends = 0;
    while (ends < 3) {
        FINE(fewer_list_next(list, &batch, &error));
        if (batch.bytes == NULL) {
            EQUAL(batch.rows_count + batch.bytes_length, 0);
            ends++;
        }
        for (size_t i = 0; i < batch.rows_count; i++)
            length += snprintf(shown + length, sizeof shown - length, "%s ",
                               batch.bytes + batch.rows[i].name);
        rows += batch.rows_count;
    }
    equal(line, "fewer_list_count", fewer_list_count(list), rows);
    fewer_list_close(list);
    text(line, "what is shown", shown, length, expected);
}
#define SHOWS(path, options, expected) shows(__LINE__, path, options, expected)

static void make_dated(const char *path, const char *content, int64_t accessed, int64_t modified) {
    /* Longer than what a file system may take for one moment. */
    usleep(20000);
    make_file(path, content);
    set_times(path, accessed, modified);
}

static void make_tree(void) {
    make_directory("t");
    make_directory("t/z");
    make_file("t/b10.c", "0123456789");
    make_file("t/b9.x", "01234567890123456789");
    make_file("t/.a", "");
    make_link("b9.x", "t/link");
    make_link("nowhere", "t/dangling");
#ifndef _WIN32
    if (chmod("t/.a", 01640) != 0 || (geteuid() == 0 && chown("t/b10.c", 4242424, 1) != 0))
        no_way_on("t");
#endif
    make_directory("s");
    make_dated("s/old", "333", 2000, -5);
    make_dated("s/mid", "1", 3000, 1000000000);
    make_dated("s/new", "22", 1000, 1000000001);
    make_dated("t/b9.x", "01234567890123456789", -1, -5);
    make_directory("o");
    make_file("o/b9", "22");
    make_file("o/b10", "1");
    make_file("o/a.z", "333");
    make_file("o/c.d", "");
    make_directory("o/dir");
    make_directory("empty");
}

static void names_are_chosen_by_their_dots(void) {
    SHOWS("empty", OPTIONS(0), "");
    SHOWS("empty", OPTIONS(.flags = FEWER_LIST_DOTS), ". .. ");
    const char *all = CAN_LINK ? ". .. .a b10.c b9.x dangling link z " : ". .. .a b10.c b9.x z ";
    SHOWS("t", OPTIONS(0), all + 5);
    SHOWS("t", OPTIONS(.flags = FEWER_LIST_SKIP_HIDDEN), all + 8);
    SHOWS("t", OPTIONS(.flags = FEWER_LIST_SKIP_HIDDEN | FEWER_LIST_DOTS), all + 8);
    SHOWS("t", OPTIONS(.flags = FEWER_LIST_DOTS), all);
}

static void orders_are_as_they_say(void) {
    const uint32_t reverse = FEWER_LIST_REVERSE;
    SHOWS("o", OPTIONS(.order = FEWER_BY_NAME), "a.z b10 b9 c.d dir ");
    SHOWS("o", OPTIONS(.flags = reverse), "dir c.d b9 b10 a.z ");
    SHOWS("o", OPTIONS(.order = FEWER_BY_VERSION), "a.z b9 b10 c.d dir ");
    SHOWS("o", OPTIONS(.order = FEWER_BY_EXTENSION), "b10 b9 dir c.d a.z ");
    SHOWS("o", OPTIONS(.flags = FEWER_LIST_DIRECTORIES_FIRST), "dir a.z b10 b9 c.d ");
    SHOWS("s", OPTIONS(.order = FEWER_BY_SIZE, .fields = FEWER_FIELD_SIZE), "old new mid ");
    SHOWS("s", OPTIONS(.order = FEWER_BY_MODIFIED, .fields = FEWER_FIELD_MODIFIED),
          "new mid old ");
    SHOWS("s", OPTIONS(.order = FEWER_BY_ACCESSED, .fields = FEWER_FIELD_ACCESSED),
          "mid old new ");
    SHOWS("s", OPTIONS(.order = FEWER_BY_CHANGED), "new mid old ");
    SHOWS("s", OPTIONS(.order = FEWER_BY_CREATED), "new mid old ");
    /* Without being asked for, what they are compared by is asked for all the same. */
    SHOWS("s", OPTIONS(.order = FEWER_BY_MODIFIED, .flags = reverse), "old mid new ");
    SHOWS("s", OPTIONS(.order = FEWER_BY_SIZE, .flags = reverse), "mid new old ");
}

/* The numbers that only Unix has. */
static void compare_with_lstat(const fewer_stat *found, const char *path) {
#ifdef _WIN32
    (void)found, (void)path;
#else
    struct stat stat;
    if (lstat(path, &stat) != 0)
        no_way_on(path);
    EQUAL(found->allocated, stat.st_blocks * 512);
    EQUAL(found->device_major, major(stat.st_dev));
    EQUAL(found->device_minor, minor(stat.st_dev));
    EQUAL(found->links, stat.st_nlink);
    EQUAL(found->user, stat.st_uid);
    EQUAL(found->group, stat.st_gid);
    EQUAL(found->permissions, stat.st_mode & 07777);
    EQUAL(found->changed.nanoseconds, stat.st_ctim.tv_nsec);
#endif
}

/* Rows against lstat. */
static void rows_are_those_of_lstat(void) {
    fewer_list *list =
        open_list("t", OPTIONS(.flags = FEWER_LIST_DOTS, .fields = FEWER_FIELD_ALL));
    fewer_list_batch batch;
    FINE(fewer_list_next(list, &batch, &error));
    EQUAL(batch.rows_count, CAN_LINK ? 8 : 6);
    for (size_t i = 0; i < batch.rows_count; i++) {
        const fewer_row *row = &batch.rows[i];
        char path[512];
        EQUAL(strlen(batch.bytes + row->name), row->name_length);
        snprintf(path, sizeof path, "t/%s", batch.bytes + row->name);
        struct truth is = look(path, false);
        COMPARE_STAT(&row->stat, &is);
        compare_with_lstat(&row->stat, path);
        EQUAL(row->number + row->target_number + row->target_length, 0);
        EQUAL(row->user_name_length + row->group_name_length, 0);
    }
    fewer_list_close(list);
}

#ifndef _WIN32
static void devices_say_which_they_are(void) {
    fewer_list *list = open_list("/dev", OPTIONS(.fields = FEWER_FIELD_KIND));
    fewer_list_batch batch;
    int found = 0;
    while (fewer_list_next(list, &batch, &error) == 0 && batch.bytes != NULL)
        for (size_t i = 0; i < batch.rows_count; i++)
            if (strcmp(batch.bytes + batch.rows[i].name, "null") == 0) {
                EQUAL(batch.rows[i].stat.kind, FEWER_CHAR);
                EQUAL(batch.rows[i].stat.special_major, 1);
                EQUAL(batch.rows[i].stat.special_minor, 3);
                found++;
            }
    EQUAL(found, 1);
    fewer_list_close(list);
}
#endif

static void what_was_not_asked_for_is_zero(void) {
    fewer_stat zero;
    memset(&zero, 0, sizeof zero);
    fewer_list *list = open_list("t", OPTIONS(0));
    fewer_list_batch batch;
    FINE(fewer_list_next(list, &batch, &error));
    for (size_t i = 0; i < batch.rows_count; i++) {
        fewer_stat stat = batch.rows[i].stat;
        CHECK(stat.inode != 0 && stat.kind != FEWER_UNKNOWN);
        stat.inode = 0;
        stat.kind = 0;
        CHECK(memcmp(&stat, &zero, sizeof stat) == 0);
    }
    fewer_list_close(list);

    fewer_owners *owners = fewer_owners_open();
    const fewer_list_options options = {
        .flags = FEWER_LIST_SKIP_HIDDEN,
        .fields = FEWER_FIELD_SIZE,
        .owners = owners,
    };
    list = open_list("t", options);
    FINE(fewer_list_next(list, &batch, &error));
    EQUAL(batch.rows[0].stat.size, 10);
    EQUAL(batch.rows[0].stat.permissions + batch.rows[0].stat.links, 0);
    EQUAL(batch.rows[1].user_name_length + batch.rows[1].group_name_length, 0);
    fewer_list_close(list);
    fewer_owners_close(owners);
}

#ifndef _WIN32
static void owners_have_their_names(void) {
    fewer_owners *owners = fewer_owners_open();
    fewer_list *list =
        open_list("t", OPTIONS(.fields = FEWER_FIELD_OWNER, .owners = owners));
    fewer_list_batch batch;
    FINE(fewer_list_next(list, &batch, &error));
    for (size_t i = 0; i < batch.rows_count; i++) {
        const fewer_row *row = &batch.rows[i];
        const struct passwd *user = getpwuid(row->stat.user);
        const struct group *group = getgrgid(row->stat.group);
        TEXT(batch.bytes + row->user_name, row->user_name_length,
             user != NULL ? user->pw_name : "");
        TEXT(batch.bytes + row->group_name, row->group_name_length,
             group != NULL ? group->gr_name : "");
        EQUAL(batch.bytes[row->user_name + row->user_name_length], 0);
    }
    fewer_list_close(list);
    fewer_owners_close(owners);
}
#endif

static void links_say_where_they_point(void) {
    SKIP_UNLESS(CAN_LINK, "no symbolic links can be made here");
    const uint32_t links = FEWER_LIST_LINKS | FEWER_LIST_SKIP_HIDDEN;
    fewer_list *list = open_list("t", OPTIONS(.flags = links));
    fewer_list_batch batch;
    FINE(fewer_list_next(list, &batch, &error));
    const char *const targets[] = {"", "", "nowhere", "b9.x", ""};
    for (size_t i = 0; i < 5; i++)
        TEXT(batch.bytes + batch.rows[i].target, batch.rows[i].target_length, targets[i]);
    fewer_list_close(list);
}

static void a_link_can_stand_for_what_it_points_to(void) {
    SKIP_UNLESS(CAN_LINK, "no symbolic links can be made here");
    const uint32_t flags = FEWER_LIST_FOLLOW | FEWER_LIST_SKIP_HIDDEN;
    fewer_list *list = open_list("t", OPTIONS(.flags = flags, .fields = FEWER_FIELD_SIZE));
    fewer_list_batch batch;
    FINE(fewer_list_next(list, &batch, &error));
    EQUAL(batch.rows[2].number, ENOENT);
    EQUAL(batch.rows[2].stat.size, 0);
    EQUAL(batch.rows[3].number, 0);
    EQUAL(batch.rows[3].stat.size, 20);
    fewer_list_close(list);
}

#ifndef _WIN32
static void list_locked(void) {
    fewer_list *list = NULL;
    fewer_list_batch batch;
    REFUSED(fewer_list_open(NULL, P("closed"), NULL, 0, &list, &error), EACCES);
    /* Names can be read, but nothing is reached. */
    list = open_list("unreached", OPTIONS(.flags = FEWER_LIST_LINKS, .fields = FEWER_FIELD_SIZE));
    FINE(fewer_list_next(list, &batch, &error));
    EQUAL(batch.rows_count, 2);
    EQUAL(batch.rows[0].number, EACCES);
    EQUAL(batch.rows[0].stat.kind, FEWER_FILE);
    CHECK(batch.rows[0].stat.inode != 0);
    EQUAL(batch.rows[1].number, EACCES);
    fewer_list_close(list);
    list = open_list("unreached", OPTIONS(.flags = FEWER_LIST_LINKS));
    FINE(fewer_list_next(list, &batch, &error));
    EQUAL(batch.rows[1].stat.kind, FEWER_SYMLINK);
    EQUAL(batch.rows[1].number, 0);
    EQUAL(batch.rows[1].target_number, EACCES);
    EQUAL(batch.rows[1].target_length, 0);
    fewer_list_close(list);
}

static void rows_say_why_they_did_not_answer(void) {
    make_directory("closed");
    make_directory("unreached");
    make_file("unreached/file", "");
    make_link("file", "unreached/link");
    if (chmod("closed", 0) != 0 || chmod("unreached", 0444) != 0)
        no_way_on("chmod");
    as_nobody(list_locked);
}
#endif

static void a_file_is_no_directory(void) {
    fewer_list *list = NULL;
    REFUSED(fewer_list_open(NULL, P("t/b9.x"), NULL, 0, &list, &error), ENOTDIR);
}

enum { MANY = 3000 };

static void a_large_directory_comes_in_batches(void) {
    char name[32];
    make_directory("many");
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "many/%05d", i);
        make_bytes(name, name, i % 7);
    }
    fewer_owners *owners = fewer_owners_open();
    for (uint32_t threads = 0; threads < 4; threads++) {
        fewer_list *list = open_list("many", OPTIONS(.fields = FEWER_FIELD_SIZE | FEWER_FIELD_OWNER,
                                                     .threads = threads, .owners = owners));
        fewer_list_batch batch;
        int row = 0;
        EQUAL(fewer_list_count(list), MANY);
        while (fewer_list_next(list, &batch, &error) == 0 && batch.bytes != NULL) {
            EQUAL(batch.rows_count, row + 1024 <= MANY ? 1024 : MANY - row);
            for (size_t i = 0; i < batch.rows_count; i++, row++) {
                snprintf(name, sizeof name, "%05d", row);
                TEXT(batch.bytes + batch.rows[i].name, batch.rows[i].name_length, name);
                EQUAL(batch.rows[i].stat.size, row % 7);
                CHECK(!HAS_OWNERS || batch.rows[i].user_name_length > 0);
            }
        }
        EQUAL(row, MANY);
        EQUAL(fewer_list_count(list), MANY);
        fewer_list_close(list);
    }
    fewer_owners_close(owners);
}

static void names_are_bytes(void) {
    make_directory("n");
    make_odd_file("n");
    fewer_list *list = open_list("n", OPTIONS(0));
    fewer_list_batch batch;
    FINE(fewer_list_next(list, &batch, &error));
    TEXT(batch.bytes + batch.rows[0].name, batch.rows[0].name_length, ODD_NAME);
    fewer_list_close(list);
}

static void a_list_is_read_in_its_scope_which_may_be_closed(void) {
    fewer_scope *scope = NULL;
    fewer_list *list = NULL;
    fewer_list_batch batch;
    FINE(fewer_scope_enter(NULL, P("n"), &scope, &error));
    FINE(fewer_list_open(scope, P("../o"), NULL, 0, &list, &error));
    fewer_scope_close(scope);
    FINE(fewer_list_next(list, &batch, &error));
    EQUAL(batch.rows_count, 5);
    fewer_list_close(list);
}

int main(void) {
    begin();
    make_tree();
    RUN(names_are_chosen_by_their_dots);
    RUN(orders_are_as_they_say);
    RUN(rows_are_those_of_lstat);
#ifndef _WIN32
    RUN(devices_say_which_they_are);
    RUN(owners_have_their_names);
    RUN(rows_say_why_they_did_not_answer);
#endif
    RUN(what_was_not_asked_for_is_zero);
    RUN(links_say_where_they_point);
    RUN(a_link_can_stand_for_what_it_points_to);
    RUN(a_file_is_no_directory);
    RUN(a_large_directory_comes_in_batches);
    RUN(names_are_bytes);
    RUN(a_list_is_read_in_its_scope_which_may_be_closed);
    return end("list");
}
