/* How much space trees take, against du; and what there is in them. */
#include "test.h"

static fewer_error *error;

#ifndef _WIN32
/* The number that a command prints first. */
static uint64_t said(const char *command) {
    unsigned long long number = 0;
    FILE *pipe = popen(command, "r");
    if (pipe == NULL || fscanf(pipe, "%llu", &number) != 1)
        no_way_on(command);
    pclose(pipe);
    return number;
}
#endif

/* A file of 4,000 bytes with two names, a large one, a hole, a link, and a directory in another. */
static void make_tree(void) {
    char large[70000];
    memset(large, 'x', sizeof large);
    make_directory("s");
    make_directory("s/a");
    make_directory("s/b");
    make_bytes("s/a/one.t", large, 4000);
    make_bytes("s/b/large.bin", large, sizeof large);
    make_file("s/b/hole", "");
    make_second_name("s/a/one.t", "s/b/two.u");
    grow("s/b/hole", 1 << 20);
    make_link("a/one.t", "s/l");
}

static fewer_size *opened(const char *path, const fewer_walk_options *walk, uint32_t flags,
                          uint64_t depth) {
    fewer_text root = {path, strlen(path)};
    fewer_size_options options = {flags, 0, depth};
    fewer_size *size = NULL;
    FINE(fewer_size_open(NULL, &root, 1, walk, walk == NULL ? 0 : sizeof *walk, &options,
                         sizeof options, &size, &error));
    return size;
}

/* The space of a whole tree. */
static fewer_space whole(const fewer_walk_options *walk, uint32_t flags) {
    fewer_size *size = opened("s", walk, flags, 0);
    fewer_size_batch batch;
    FINE(fewer_size_next(size, &batch, &error));
    EQUAL(batch.rows_count, 1);
    EQUAL(batch.failures_count, 0);
    fewer_space space = batch.rows[0].space;
    TEXT(batch.bytes + batch.rows[0].path, batch.rows[0].path_length, "s");
    FINE(fewer_size_next(size, &batch, &error));
    CHECK(batch.bytes == NULL);
    fewer_size_close(size);
    return space;
}

#ifndef _WIN32
static void sums_are_those_of_du(void) {
    fewer_space space = whole(NULL, 0);
    EQUAL(space.allocated, said("du -s -B1 s"));
    EQUAL(space.size, said("du -s -b s"));
    EQUAL(space.entries, 7);
    space = whole(NULL, FEWER_SIZE_COUNT_LINKS);
    EQUAL(space.allocated, said("du -s -l -B1 s"));
    EQUAL(space.size, said("du -s -l -b s"));
}
#endif

/* How often the file with two names counts: on Windows a directory does not say that it has two. */
static const uint64_t times = KNOWS_NAMES ? 1 : 2;

static void sums_are_those_of_the_files(void) {
    fewer_walk_options files = {0};
    files.kinds = FEWER_KIND(FEWER_FILE);
    EQUAL(whole(&files, 0).size, times * 4000 + 70000 + (1 << 20));
    EQUAL(whole(&files, FEWER_SIZE_COUNT_LINKS).size, 8000 + 70000 + (1 << 20));
    EQUAL(whole(&files, 0).entries, 2 + times);
    EQUAL(whole(NULL, 0).entries, 5 + times + CAN_LINK);
}

static void rows_are_in_order(void) {
    const char *expected = KNOWS_NAMES ? "s s/a s/a/one.t s/b s/b/hole s/b/large.bin "
                                       : "s s/a s/a/one.t s/b s/b/hole s/b/large.bin s/b/two.u ";
    char shown[256] = "";
    fewer_size *size = opened("s", NULL, FEWER_SIZE_FILES, UINT64_MAX);
    fewer_size_batch batch;
    FINE(fewer_size_next(size, &batch, &error));
    for (size_t i = 0; i < batch.rows_count; i++) {
        strcat(shown, batch.bytes + batch.rows[i].path);
        strcat(shown, " ");
    }
    size_t length = strlen(shown);
    if (CAN_LINK) {
        CHECK(length > 4 && strcmp(shown + length - 4, "s/l ") == 0);
        length -= 4;
    }
    TEXT(shown, length, expected);
    EQUAL(batch.rows[2].kind, FEWER_FILE);
    EQUAL(batch.rows[2].depth, 2);
    EQUAL(batch.rows[3].kind, FEWER_DIRECTORY);
#ifndef _WIN32
    EQUAL(batch.rows[1].space.allocated, said("du -s -B1 s/a"));
#endif
    fewer_size_close(size);
}

static void what_cannot_be_read_is_a_failure(void) {
    fewer_size *size = opened("none", NULL, 0, 0);
    fewer_size_batch batch;
    FINE(fewer_size_next(size, &batch, &error));
    EQUAL(batch.rows_count, 0);
    EQUAL(batch.failures_count, 1);
    EQUAL(batch.failures[0].number, ENOENT);
    EQUAL(batch.failures[0].action, FEWER_ACTION_ACCESS);
    TEXT(batch.bytes + batch.failures[0].message, batch.failures[0].message_length,
         "cannot access 'none': No such file or directory");
    fewer_size_close(size);
}

static void a_summary_has_the_extremes(void) {
    fewer_text root = {"s", 1};
    fewer_summary *summary = NULL;
    fewer_summary_facts facts;
    FINE(fewer_summary_open(NULL, &root, 1, NULL, 0, &summary, &error));
    FINE(fewer_summary_facts_of(summary, &facts, &error));
    EQUAL(facts.directories.entries, 3);
    EQUAL(facts.files.entries, 4); /* names */
    EQUAL(facts.links.entries, CAN_LINK);
    EQUAL(facts.other.entries, 0);
    EQUAL(facts.files.size, times * 4000 + 70000 + (1 << 20));
#ifndef _WIN32
    EQUAL(facts.directories.size + facts.files.size + facts.links.size, said("du -s -b s"));
    EQUAL(facts.directories.allocated + facts.files.allocated + facts.links.allocated,
          said("du -s -B1 s"));
    EQUAL(facts.oldest->time.seconds, said("stat -c %Y s/a/one.t"));
#endif
    EQUAL(facts.extensions_count, 4);
    EQUAL(facts.extensions[0].space.size, 1 << 20); /* the hole, without a dot */
    EQUAL(facts.extensions[0].name_length, 0);
    TEXT(facts.bytes + facts.extensions[1].name, facts.extensions[1].name_length, "bin");
    TEXT(facts.bytes + facts.extensions[2].name, facts.extensions[2].name_length, "t");
    EQUAL(facts.extensions[2].space.size, 4000);
    EQUAL(facts.extensions[3].space.size, KNOWS_NAMES ? 0 : 4000); /* counted as .t */
    EQUAL(facts.largest_count, 3);
    EQUAL(facts.largest[1].value, 70000);
    TEXT(facts.bytes + facts.largest[1].path, facts.largest[1].path_length, "s/b/large.bin");
    EQUAL(facts.deepest->value, 2);
    TEXT(facts.bytes + facts.longest->path, facts.longest->path_length, "s/b/large.bin");
    EQUAL(facts.newest->time.known, 1);
    EQUAL(facts.failures_count, 0);
    fewer_summary_close(summary);
}

static void a_summary_of_nothing(void) {
    fewer_text root = {"none", 4};
    fewer_summary *summary = NULL;
    fewer_summary_facts facts;
    FINE(fewer_summary_open(NULL, &root, 1, NULL, 0, &summary, &error));
    FINE(fewer_summary_facts_of(summary, &facts, &error));
    EQUAL(facts.failures_count, 1);
    EQUAL(facts.failures[0].number, ENOENT);
    EQUAL(facts.extensions_count + facts.largest_count + facts.files.entries, 0);
    CHECK(facts.deepest == NULL && facts.newest == NULL);
    fewer_summary_close(summary);
}

static void bad_options_are_refused(void) {
    fewer_text root = {"s", 1};
    fewer_size *size = NULL;
    fewer_summary *summary = NULL;
    fewer_size_options options = {4, 0, 0};
    fewer_walk_options walk = {0};
    REFUSED(fewer_size_open(NULL, &root, 1, NULL, 0, &options, sizeof options, &size, &error),
            EINVAL);
    REFUSED(fewer_size_open(NULL, &root, 0, NULL, 0, NULL, 0, &size, &error), EINVAL);
    REFUSED(fewer_size_open(NULL, &root, 1, NULL, 0, NULL, 0, NULL, &error), EINVAL);
    walk.flags = FEWER_WALK_BY_DIRECTORY;
    REFUSED(fewer_size_open(NULL, &root, 1, &walk, sizeof walk, NULL, 0, &size, &error), EINVAL);
    REFUSED(fewer_summary_open(NULL, &root, 1, &walk, sizeof walk, &summary, &error), EINVAL);
    walk.flags = 0;
    walk.record = FEWER_RECORD_NAMES;
    REFUSED(fewer_summary_open(NULL, &root, 1, &walk, sizeof walk, &summary, &error), EINVAL);
    REFUSED(fewer_summary_facts_of(NULL, NULL, &error), EINVAL);
    REFUSED(fewer_size_next(NULL, NULL, &error), EINVAL);
    fewer_size_close(NULL);
    fewer_summary_close(NULL);
}

int main(void) {
    begin();
    make_tree();
#ifndef _WIN32
    RUN(sums_are_those_of_du);
#endif
    RUN(sums_are_those_of_the_files);
    RUN(rows_are_in_order);
    RUN(what_cannot_be_read_is_a_failure);
    RUN(a_summary_has_the_extremes);
    RUN(a_summary_of_nothing);
    RUN(bad_options_are_refused);
    return end("size");
}
