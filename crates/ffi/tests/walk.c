/* Trees: what is handed over, in which order, what fails, what is kept out, what is left behind. */
#include "test.h"

static fewer_error *error;

/* What a walk shows, one line for each entry or failure: kind, depth, path. */
static char shown[1 << 20];
static size_t shown_length;

static void show(const char *format, ...) __attribute__((format(printf, 1, 2)));
#include <stdarg.h>
static void show(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    shown_length +=
        vsnprintf(shown + shown_length, sizeof shown - shown_length, format, arguments);
    va_end(arguments);
}

static int order(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts the lines that were shown. */
static void sort_shown(void) {
    static char *lines[1 << 14], copy[sizeof shown];
    size_t count = 0;
    memcpy(copy, shown, shown_length + 1);
    for (char *line = strtok(copy, "\n"); line != NULL; line = strtok(NULL, "\n"))
        lines[count++] = line;
    qsort(lines, count, sizeof *lines, order);
    shown_length = 0;
    for (size_t i = 0; i < count; i++)
        show("%s\n", lines[i]);
}

/* What holds for the table of any batch. */
static void look_over(const fewer_walk_batch *batch) {
    for (size_t i = 0; i < batch->entries_count; i++) {
        const fewer_entry *entry = &batch->entries[i];
        CHECK((size_t)entry->path + entry->path_length < batch->bytes_length);
        EQUAL(batch->bytes[entry->path + entry->path_length], 0);
        CHECK(entry->name >= entry->path);
        /* But for slashes at the end of a root. */
        if (entry->depth > 0)
            EQUAL(entry->name + entry->name_length, entry->path + entry->path_length);
        EQUAL(entry->reserved[0] + entry->reserved[1], 0);
    }
    for (size_t i = 0; i < batch->failures_count; i++) {
        const fewer_failure *failure = &batch->failures[i];
        CHECK(failure->before <= batch->entries_count);
        EQUAL(batch->bytes[failure->path + failure->path_length], 0);
        EQUAL(strlen(batch->bytes + failure->message), failure->message_length);
    }
    EQUAL(batch->reserved, 0);
}

static void show_batch(const fewer_walk_batch *batch) {
    size_t failure = 0;
    look_over(batch);
    for (size_t i = 0; i <= batch->entries_count; i++) {
        for (; failure < batch->failures_count && batch->failures[failure].before == i; failure++)
            show("! %d %s\n", batch->failures[failure].number,
                 batch->bytes + batch->failures[failure].path);
        if (i < batch->entries_count) {
            const fewer_entry *entry = &batch->entries[i];
            const char *kinds = "?fdlpsbc";
            show("%c", kinds[entry->kind]);
            if (entry->target != 0)
                show(">%c", kinds[entry->target]);
            show(" %u %s\n", entry->depth, batch->bytes + entry->path);
        }
    }
}

/* Walks to the end and shows all of it; three calls later it is still the end. */
static void show_walk(const fewer_scope *scope, const char *path, fewer_walk_options options) {
    const fewer_text root = {P(path)};
    fewer_walk *walk = NULL;
    fewer_walk_batch batch;
    shown_length = 0;
    shown[0] = '\0';
    FINE(fewer_walk_open(scope, &root, 1, &options, sizeof options, &walk, &error));
    for (int ends = 0; ends < 3 && error == NULL;) {
        FINE(fewer_walk_next(walk, &batch, &error));
        if (batch.bytes == NULL) {
            EQUAL(batch.bytes_length + batch.entries_count + batch.failures_count, 0);
            CHECK(batch.entries == NULL && batch.failures == NULL);
            ends++;
        } else {
            EQUAL(ends, 0);
            CHECK(batch.entries_count + batch.failures_count + batch.directory_length > 0);
            show_batch(&batch);
        }
    }
    fewer_walk_close(walk);
}

/* Without the lines of links and pipes where there can be none. */
static void shows(int line, const char *expected) {
    static char possible[1 << 16];
    size_t length = 0;
    for (const char *at = expected, *next; *at != '\0'; at = next) {
        next = strchr(at, '\n') + 1;
        if ((*at == 'l' && !CAN_LINK) || (*at == 'p' && !CAN_PIPE))
            continue;
        length += snprintf(possible + length, sizeof possible - length, "%.*s", (int)(next - at),
                           at);
    }
    possible[length] = '\0';
    text(line, "what is shown", shown, shown_length, possible);
}

#define SHOWS(expected) shows(__LINE__, expected)
#define SORTED .flags = FEWER_WALK_SORTED
#define OPTIONS(...) (fewer_walk_options){__VA_ARGS__}

static void make_tree(void) {
    make_directory("t");
    make_directory("t/a");
    make_directory("t/a/deep");
    make_directory("t/.hidden");
    make_directory("t/b");
    make_file("t/a/deep/one.c", "");
    make_file("t/a/two.H", "");
    make_file("t/.hidden/three.c", "");
    make_odd_file("t");
    make_link("a", "t/link");
    make_link("nowhere", "t/dangling");
    make_pipe("t/pipe");
    make_directory("g");
    make_directory("g/.git");
    make_file("g/.gitignore", "*.o\n");
    make_file("g/x.o", "");
    make_file("g/x.c", "");
}

static void a_sorted_walk_shows_everything_in_byte_order(void) {
    show_walk(NULL, "t", OPTIONS(SORTED));
    SHOWS("d 0 t\nd 1 t/.hidden\nf 2 t/.hidden/three.c\nd 1 t/a\nd 2 t/a/deep\n"
          "f 3 t/a/deep/one.c\nf 2 t/a/two.H\nd 1 t/b\nl 1 t/dangling\nl 1 t/link\np 1 t/pipe\n"
          "f 1 t/" ODD_NAME "\n");
}

static void any_order_shows_the_same(void) {
    static char sorted[4096];
    show_walk(NULL, "t", OPTIONS(SORTED));
    sort_shown();
    memcpy(sorted, shown, shown_length + 1);
    for (uint32_t threads = 0; threads < 3; threads++) {
        show_walk(NULL, "t", OPTIONS(.threads = threads));
        sort_shown();
        SHOWS(sorted);
    }
    show_walk(NULL, "t", OPTIONS(.flags = FEWER_WALK_BY_DIRECTORY));
    sort_shown();
    SHOWS(sorted);
}

static void entries_can_be_chosen(void) {
    const fewer_text c = {P("*.c")}, h = {P("*.h")}, a = {P("a")}, full = {P("t/a/**")};
    const fewer_text both[] = {c, h};
    uint32_t files = FEWER_KIND(FEWER_FILE), links = FEWER_KIND(FEWER_SYMLINK);
    show_walk(NULL, "t", OPTIONS(SORTED, .kinds = files | FEWER_KIND(FEWER_FIFO)));
    SHOWS("f 2 t/.hidden/three.c\nf 3 t/a/deep/one.c\nf 2 t/a/two.H\np 1 t/pipe\n"
          "f 1 t/" ODD_NAME "\n");
    show_walk(NULL, "t", OPTIONS(SORTED, .globs = both, .globs_count = 2));
    SHOWS("f 2 t/.hidden/three.c\nf 3 t/a/deep/one.c\n");
    show_walk(NULL, "t", OPTIONS(.flags = FEWER_WALK_SORTED | FEWER_WALK_IGNORE_CASE,
                                 .globs = &h, .globs_count = 1));
    SHOWS("f 2 t/a/two.H\n");
    show_walk(NULL, "t", OPTIONS(.flags = FEWER_WALK_SORTED | FEWER_WALK_FULL_PATH,
                                 .globs = &full, .globs_count = 1));
    SHOWS("d 2 t/a/deep\nf 3 t/a/deep/one.c\nf 2 t/a/two.H\n");
    show_walk(NULL, "t", OPTIONS(.flags = FEWER_WALK_SORTED | FEWER_WALK_SKIP_HIDDEN,
                                 .exclude_globs = &a, .exclude_globs_count = 1));
    SHOWS("d 0 t\nd 1 t/b\nl 1 t/dangling\nl 1 t/link\np 1 t/pipe\nf 1 t/" ODD_NAME "\n");
    show_walk(NULL, "t", OPTIONS(.flags = FEWER_WALK_SORTED | FEWER_WALK_MAX_DEPTH,
                                 .max_depth = 2, .min_depth = 2));
    SHOWS("f 2 t/.hidden/three.c\nd 2 t/a/deep\nf 2 t/a/two.H\n");
    show_walk(NULL, "t", OPTIONS(.flags = FEWER_WALK_SORTED | FEWER_WALK_MAX_DEPTH));
    SHOWS("d 0 t\n");
    show_walk(NULL, "t", OPTIONS(.min_depth = UINT64_MAX));
    SHOWS("");
    show_walk(NULL, "t", OPTIONS(.flags = FEWER_WALK_SORTED | FEWER_WALK_TARGETS,
                                 .kinds = links));
    SHOWS("l 1 t/dangling\nl>d 1 t/link\n");
    show_walk(NULL, "g", OPTIONS(.flags = FEWER_WALK_SORTED | FEWER_WALK_GITIGNORE));
    SHOWS("d 0 g\nf 1 g/.gitignore\nf 1 g/x.c\n");
}

static void links_are_followed_if_that_is_wanted(void) {
    const fewer_text l = {P("l*")};
    char loop[64];
    SKIP_UNLESS(CAN_LINK, "no symbolic links can be made here");
    show_walk(NULL, "t/link", OPTIONS(SORTED));
    SHOWS("l 0 t/link\n");
    show_walk(NULL, "t/link/", OPTIONS(SORTED));
    SHOWS("d 0 t/link/\nd 1 t/link/deep\nf 2 t/link/deep/one.c\nf 1 t/link/two.H\n");
    show_walk(NULL, "t", OPTIONS(.flags = FEWER_WALK_SORTED | FEWER_WALK_FOLLOW, .globs = &l,
                                 .globs_count = 1));
    SHOWS("d 1 t/link\n");
    make_directory("c");
    make_directory("c/d");
    make_link("../../c", "c/d/back");
    show_walk(NULL, "c", OPTIONS(.flags = FEWER_WALK_SORTED | FEWER_WALK_FOLLOW));
    snprintf(loop, sizeof loop, "d 0 c\nd 1 c/d\n! %d c/d/back\n", ELOOP);
    SHOWS(loop);
}

static void show_locked(void) {
    show_walk(NULL, "l", OPTIONS(SORTED));
}

/* Whatever they are called. */
static void a_walk_counts_its_calls(void) {
    fewer_call_count counts[64];
    show_walk(NULL, "t", OPTIONS(SORTED));
    size_t known = fewer_calls(counts, 64);
    CHECK(known > 3);
    for (size_t i = 0; i < known; i++)
        CHECK(strlen(counts[i].name) > 3 && strlen(counts[i].name) < FEWER_CALL_NAME);
}

static void failures_stand_where_they_happened(void) {
    make_directory("l");
    make_directory("l/a");
    make_directory("l/closed");
    make_directory("l/z");
    lock_directory("l/closed");
    as_nobody(show_locked);
    if (CAN_LOCK)
        SHOWS("d 0 l\nd 1 l/a\nd 1 l/closed\n! 13 l/closed\nd 1 l/z\n");
    show_walk(NULL, "none", OPTIONS(SORTED));
    SHOWS("! 2 none\n");

    const fewer_text roots[] = {{P("none")}, {P("l/a")}, {P("l/z")}};
    fewer_walk *walk = NULL;
    fewer_walk_batch batch;
    shown_length = 0;
    FINE(fewer_walk_open(NULL, roots, 3, NULL, 0, &walk, &error));
    while (fewer_walk_next(walk, &batch, &error) == 0 && batch.bytes != NULL) {
        show_batch(&batch);
        if (batch.failures_count > 0)
            TEXT(batch.bytes + batch.failures[0].message, batch.failures[0].message_length,
                 "cannot access 'none': No such file or directory");
    }
    fewer_walk_close(walk);
    SHOWS("! 2 none\nd 0 l/a\nd 0 l/z\n");
}

static void a_walk_begins_in_its_scope_which_may_be_closed(void) {
    fewer_scope *scope = NULL;
    const fewer_text root = {P("deep")};
    fewer_walk *walk = NULL;
    fewer_walk_batch batch;
    FINE(fewer_scope_enter(NULL, P("t/a"), &scope, &error));
    FINE(fewer_walk_open(scope, &root, 1, NULL, 0, &walk, &error));
    fewer_scope_close(scope);
    shown_length = 0;
    while (fewer_walk_next(walk, &batch, &error) == 0 && batch.bytes != NULL)
        show_batch(&batch);
    fewer_walk_close(walk);
    SHOWS("d 0 deep\nf 1 deep/one.c\n");
}

static void inodes_are_those_of_stat(void) {
    const fewer_text root = {P("t")};
    fewer_walk *walk = NULL;
    fewer_walk_batch batch;
    FINE(fewer_walk_open(NULL, &root, 1, NULL, 0, &walk, &error));
    while (fewer_walk_next(walk, &batch, &error) == 0 && batch.bytes != NULL)
        for (size_t i = 0; i < batch.entries_count; i++) {
            const char *path = batch.bytes + batch.entries[i].path;
            EQUAL(batch.entries[i].inode, look(path, false).inode);
        }
    fewer_walk_close(walk);
}

/* Shows directories, prunes each entry whose name is `unwanted`. */
static void show_directories(const char *path, const char *unwanted, int expected) {
    const fewer_text root = {P(path)};
    const fewer_walk_options options = {.flags = FEWER_WALK_SORTED | FEWER_WALK_BY_DIRECTORY};
    fewer_walk *walk = NULL;
    fewer_walk_batch batch;
    shown_length = 0;
    FINE(fewer_walk_open(NULL, &root, 1, &options, sizeof options, &walk, &error));
    EQUAL(fewer_walk_prune(walk, 0), EINVAL);
    while (fewer_walk_next(walk, &batch, &error) == 0 && batch.bytes != NULL) {
        look_over(&batch);
        show("%.*s %u:", (int)batch.directory_length, batch.bytes + batch.directory,
             batch.directory_depth);
        for (size_t i = 0; i < batch.entries_count; i++) {
            show(" %s", batch.bytes + batch.entries[i].name);
            if (strcmp(batch.bytes + batch.entries[i].name, unwanted) == 0)
                EQUAL(fewer_walk_prune(walk, i), expected);
        }
        EQUAL(fewer_walk_prune(walk, batch.entries_count), EINVAL);
        EQUAL(fewer_walk_prune(walk, SIZE_MAX), EINVAL);
        show("\n");
    }
    EQUAL(fewer_walk_prune(walk, 0), EINVAL);
    fewer_walk_close(walk);
}

static void directories_can_be_pruned(void) {
    char expected[256];
    show_directories("t", "a", 0);
    snprintf(expected, sizeof expected,
             " 0: t\nt 0: .hidden a b%s%s " ODD_NAME "\nt/.hidden 1: three.c\nt/b 1:\n",
             CAN_LINK ? " dangling link" : "", CAN_PIPE ? " pipe" : "");
    SHOWS(expected);
    show_directories("t/a", "deep", 0);
    SHOWS(" 0: a\nt/a 0: deep two.H\n");
    show_directories("t/a", "a", 0);
    SHOWS(" 0: a\n");
    show_directories("t/a", "two.H", 0);
    SHOWS(" 0: a\nt/a 0: deep two.H\nt/a/deep 1: one.c\n");
}

static void nothing_is_pruned_of_what_is_read_ahead(void) {
    const fewer_text root = {P("t")};
    fewer_walk *walk = NULL;
    fewer_walk_batch batch;
    FINE(fewer_walk_open(NULL, &root, 1, NULL, 0, &walk, &error));
    FINE(fewer_walk_next(walk, &batch, &error));
    EQUAL(fewer_walk_prune(walk, 0), EINVAL);
    fewer_walk_close(walk);
}

enum { DIRECTORIES = 900, FILES = 12 };

/* More than the 400 directories that one thread walks, and more than the 2 MiB that others may be
 * ahead. */
static void make_large_tree(void) {
    char path[256], name[200];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    make_directory("large");
    for (int d = 0; d < DIRECTORIES; d++) {
        snprintf(path, sizeof path, "large/%d", d);
        make_directory(path);
        for (int f = 0; f < FILES; f++) {
            snprintf(path, sizeof path, "large/%d/%.190s%d", d, name, f);
            make_file(path, "");
        }
    }
}

static void a_large_tree_is_walked_to_its_end(void) {
    for (uint32_t flags = 0; flags < 2; flags++)
        for (uint32_t threads = 0; threads < 4; threads++) {
            const fewer_text root = {P("large")};
            const fewer_walk_options options = {.flags = flags, .threads = threads};
            fewer_walk *walk = NULL;
            fewer_walk_batch batch;
            size_t entries = 0, unsorted = 0;
            char last[512] = "";
            FINE(fewer_walk_open(NULL, &root, 1, &options, sizeof options, &walk, &error));
            while (fewer_walk_next(walk, &batch, &error) == 0 && batch.bytes != NULL) {
                for (size_t i = 0; i < batch.entries_count; i++) {
                    const char *path = batch.bytes + batch.entries[i].path;
                    unsorted += strcmp(last, path) >= 0;
                    snprintf(last, sizeof last, "%s", path);
                }
                entries += batch.entries_count;
                EQUAL(batch.failures_count, 0);
            }
            fewer_walk_close(walk);
            EQUAL(entries, 1 + DIRECTORIES * (1 + FILES));
            if (flags == FEWER_WALK_SORTED)
                EQUAL(unsorted, 0);
        }
}

static void a_walk_that_is_closed_half_way_leaves_nothing(void) {
    int descriptors = open_files();
    for (int batches = 0; batches < 12; batches++)
        for (uint32_t flags = 0; flags <= FEWER_WALK_BY_DIRECTORY;
             flags += FEWER_WALK_BY_DIRECTORY) {
            const fewer_text root = {P("large")};
            const fewer_walk_options options = {.flags = flags, .threads = 4};
            fewer_walk *walk = NULL;
            fewer_walk_batch batch;
            FINE(fewer_walk_open(NULL, &root, 1, &options, sizeof options, &walk, &error));
            for (int i = 0; i < batches; i++) {
                FINE(fewer_walk_next(walk, &batch, &error));
                CHECK(batch.bytes != NULL);
            }
            fewer_walk_close(walk);
            EQUAL(open_files(), descriptors);
            CHECK(only_one_thread_is_left());
        }
}

/* Deeper than a path can be that the kernel takes. */
static void a_path_longer_than_path_max_is_walked(void) {
    make_deep("long", LONG_DEPTH, LONG_NAME);
    const fewer_text root = {P("long")};
    fewer_walk *walk = NULL;
    fewer_walk_batch batch;
    uint32_t longest = 0;
    FINE(fewer_walk_open(NULL, &root, 1, NULL, 0, &walk, &error));
    while (fewer_walk_next(walk, &batch, &error) == 0 && batch.bytes != NULL)
        for (size_t i = 0; i < batch.entries_count; i++)
            longest = batch.entries[i].path_length;
    fewer_walk_close(walk);
    EQUAL(longest, 4 + LONG_DEPTH * (LONG_NAME + 1));
}

int main(void) {
    begin();
    make_tree();
    RUN(a_sorted_walk_shows_everything_in_byte_order);
    RUN(any_order_shows_the_same);
    RUN(entries_can_be_chosen);
    RUN(links_are_followed_if_that_is_wanted);
    RUN(a_walk_counts_its_calls);
    RUN(failures_stand_where_they_happened);
    RUN(a_walk_begins_in_its_scope_which_may_be_closed);
    RUN(inodes_are_those_of_stat);
    RUN(directories_can_be_pruned);
    RUN(nothing_is_pruned_of_what_is_read_ahead);
    make_large_tree();
    RUN(a_large_tree_is_walked_to_its_end);
    RUN(a_walk_that_is_closed_half_way_leaves_nothing);
    RUN(a_path_longer_than_path_max_is_walked);
    return end("walk");
}
