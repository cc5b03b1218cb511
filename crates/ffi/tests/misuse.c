/* Bad input is input: no handle, no place for a result, sizes and bits that mean nothing, paths
 * that are none. And the story that an error tells. */
#include "test.h"

static fewer_error *error;

static void the_library_is_the_one_that_the_header_describes(void) {
    EQUAL(fewer_abi_version(), FEWER_ABI_VERSION);
    TEXT(fewer_version(), strlen(fewer_version()), VERSION);
}

static void nothing_is_closed(void) {
    fewer_error_free(NULL);
    fewer_scope_close(NULL);
    fewer_walk_close(NULL);
    fewer_list_close(NULL);
    fewer_lines_close(NULL);
    fewer_owners_close(NULL);
    fewer_zone_close(NULL);
}

static void no_error_says_nothing(void) {
    size_t length = 1;
    fewer_position position = {1, 1, 1};
    EQUAL(fewer_error_number(NULL), 0);
    TEXT(fewer_error_message(NULL), strlen(fewer_error_message(NULL)), "");
    EQUAL(fewer_error_action(NULL), FEWER_ACTION_OTHER);
    TEXT(fewer_error_action_words(NULL), strlen(fewer_error_action_words(NULL)), "");
    const char *path = fewer_error_path(NULL, &length);
    TEXT(path, length, "");
    CHECK(fewer_error_path(NULL, NULL) == path);
    fewer_error_position(NULL, &position);
    EQUAL(position.line + position.offset + position.column, 0);
    fewer_error_position(NULL, NULL);
}

static void kinds_have_names(void) {
    uint32_t kind = 99;
    for (uint32_t number = FEWER_UNKNOWN; number <= FEWER_CHAR; number++) {
        const char *name = fewer_kind_name(number);
        EQUAL(fewer_kind_number(name, strlen(name), &kind), 0);
        EQUAL(kind, number);
    }
    EQUAL(strcmp(fewer_kind_name(FEWER_DIRECTORY), "directory"), 0);
    EQUAL(strcmp(fewer_kind_name(FEWER_CHAR + 1), "unknown"), 0);
    EQUAL(fewer_kind_number("dir", 3, &kind), 0);
    EQUAL(kind, FEWER_DIRECTORY);
    EQUAL(fewer_kind_number("files", 4, &kind), 0);
    EQUAL(kind, FEWER_FILE);
    EQUAL(fewer_kind_number("files", 5, &kind), EINVAL);
    EQUAL(fewer_kind_number("\xff", 1, &kind), EINVAL);
    EQUAL(fewer_kind_number(NULL, 0, &kind), EINVAL);
    EQUAL(fewer_kind_number("file", 4, NULL), EINVAL);
    EQUAL(kind, FEWER_FILE);
}

static void no_handle_is_refused(void) {
    char buffer[8];
    size_t needed = 7;
    uint32_t number = 7;
    fewer_walk_batch walk_batch;
    fewer_list_batch list_batch;
    fewer_lines_batch lines_batch;
    fewer_lines_total total;
    fewer_lines_column column;
    fewer_civil civil = {.year = 7};
    const int64_t second = 0;
    REFUSED(fewer_walk_next(NULL, &walk_batch, &error), EINVAL);
    EQUAL(fewer_walk_prune(NULL, 0), EINVAL);
    REFUSED(fewer_list_next(NULL, &list_batch, &error), EINVAL);
    EQUAL(fewer_list_count(NULL), 0);
    REFUSED(fewer_lines_next(NULL, &lines_batch, &error), EINVAL);
    REFUSED(fewer_lines_count(NULL, &total, &error), EINVAL);
    REFUSED(fewer_lines_last(NULL, 1, &error), EINVAL);
    REFUSED(fewer_lines_collect(NULL, &column, &error), EINVAL);
    EQUAL(fewer_owners_user(NULL, 0, buffer, sizeof buffer, &needed), EINVAL);
    EQUAL(fewer_owners_group(NULL, 0, buffer, sizeof buffer, &needed), EINVAL);
    EQUAL(fewer_owners_user_number(NULL, P("root"), &number), EINVAL);
    EQUAL(fewer_owners_group_number(NULL, P("root"), &number), EINVAL);
    fewer_zone_convert(NULL, &second, 1, &civil);
    EQUAL(needed, 7);
    EQUAL(number, 7);
    EQUAL(civil.year, 7);
}

static void no_place_for_a_result_is_refused(void) {
    const fewer_text root = {P(".")};
    fewer_walk *walk = NULL;
    fewer_list *list = NULL;
    fewer_lines *lines = NULL;
    int before = open_files();
    REFUSED(fewer_scope_enter(NULL, P("."), NULL, &error), EINVAL);
    REFUSED(fewer_scope_enter_logical(NULL, P("."), NULL, &error), EINVAL);
    REFUSED(fewer_scope_stat(NULL, P("."), 0, 0, NULL, &error), EINVAL);
    REFUSED(fewer_scope_open(NULL, P("file"), NULL, &error), EINVAL);
    REFUSED(fewer_walk_open(NULL, &root, 1, NULL, 0, NULL, &error), EINVAL);
    REFUSED(fewer_list_open(NULL, P("."), NULL, 0, NULL, &error), EINVAL);
    REFUSED(fewer_lines_open(NULL, P("file"), NULL, 0, NULL, &error), EINVAL);
    REFUSED(fewer_lines_borrow(standard_input(), P("-"), NULL, 0, NULL, &error), EINVAL);
    EQUAL(open_files(), before);

    FINE(fewer_walk_open(NULL, &root, 1, NULL, 0, &walk, &error));
    REFUSED(fewer_walk_next(walk, NULL, &error), EINVAL);
    fewer_walk_close(walk);
    FINE(fewer_list_open(NULL, P("."), NULL, 0, &list, &error));
    REFUSED(fewer_list_next(list, NULL, &error), EINVAL);
    fewer_list_close(list);
    FINE(fewer_lines_open(NULL, P("file"), NULL, 0, &lines, &error));
    REFUSED(fewer_lines_next(lines, NULL, &error), EINVAL);
    REFUSED(fewer_lines_count(lines, NULL, &error), EINVAL);
    REFUSED(fewer_lines_collect(lines, NULL, &error), EINVAL);
    fewer_lines_close(lines);
    fewer_owners *owners = fewer_owners_open();
    if (HAS_OWNERS) {
        EQUAL(fewer_owners_user_number(owners, P("root"), NULL), EINVAL);
        EQUAL(fewer_owners_group_number(owners, P("root"), NULL), EINVAL);
    }
    fewer_owners_close(owners);
}

static void nobody_has_to_be_interested_in_the_story(void) {
    fewer_walk *walk = NULL;
    fewer_list *list = NULL;
    fewer_lines *lines = NULL;
    fewer_scope *scope = NULL;
    EQUAL(fewer_walk_open(NULL, NULL, 0, NULL, 0, &walk, NULL), EINVAL);
    EQUAL(fewer_list_open(NULL, P("none"), NULL, 0, &list, NULL), ENOENT);
    EQUAL(fewer_lines_open(NULL, P("none"), NULL, 0, &lines, NULL), ENOENT);
    EQUAL(fewer_scope_enter(NULL, P("none"), &scope, NULL), ENOENT);
    CHECK(walk == NULL && list == NULL && lines == NULL && scope == NULL);
}

/* Opens with options of any size, and closes. */
static int open_walk(const void *options, size_t size) {
    const fewer_text root = {P(".")};
    fewer_walk *walk = NULL;
    int answer = fewer_walk_open(NULL, &root, 1, options, size, &walk, NULL);
    CHECK((answer == 0) == (walk != NULL));
    fewer_walk_close(walk);
    return answer;
}

static int open_list(const void *options, size_t size) {
    fewer_list *list = NULL;
    int answer = fewer_list_open(NULL, P("."), options, size, &list, NULL);
    CHECK((answer == 0) == (list != NULL));
    fewer_list_close(list);
    return answer;
}

static int open_lines(const void *options, size_t size) {
    fewer_lines *lines = NULL;
    int answer = fewer_lines_open(NULL, P("file"), options, size, &lines, NULL);
    CHECK((answer == 0) == (lines != NULL));
    fewer_lines_close(lines);
    return answer;
}

static int borrow_lines(const void *options, size_t size) {
    fewer_lines *lines = NULL;
    int answer = fewer_lines_borrow(standard_input(), P("-"), options, size, &lines, NULL);
    CHECK((answer == 0) == (lines != NULL));
    fewer_lines_close(lines);
    return answer;
}

static const struct opener {
    int (*open)(const void *options, size_t size);
    size_t size;
    uint32_t known_flags;
} openers[] = {
    {open_walk, sizeof(fewer_walk_options), (1 << 10) - 1},
    {open_list, sizeof(fewer_list_options), (1 << 7) - 1},
    {open_lines, sizeof(fewer_lines_options), 7},
    {borrow_lines, sizeof(fewer_lines_options), 7},
};

static void options_may_be_older_or_younger_than_the_library(void) {
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
        const struct opener *it = &openers[i];
        /* One byte off, so that nothing relies on an alignment. */
        char *options = calloc(1, it->size + 65);
        char *odd = options + 1;
        EQUAL(it->open(NULL, 0), 0);
        EQUAL(it->open(NULL, 1), EINVAL);
        EQUAL(it->open(NULL, SIZE_MAX), EINVAL);
        for (size_t size = 0; size <= it->size + 64; size++)
            EQUAL(it->open(odd, size), 0);
        odd[it->size + 63] = 1;
        EQUAL(it->open(odd, it->size + 63), 0);
        EQUAL(it->open(odd, it->size + 64), E2BIG);
        odd[it->size + 63] = 0;
        odd[it->size] = 1;
        EQUAL(it->open(odd, it->size + 1), E2BIG);
        free(options);
    }
}

static void bits_without_a_meaning_are_refused(void) {
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
        for (int bit = 0; bit < 32; bit++) {
            uint32_t flags[64] = {1u << bit};
            int known = (openers[i].known_flags >> bit) & 1;
            EQUAL(openers[i].open(flags, openers[i].size), known ? 0 : EINVAL);
        }
    }
    for (int bit = 0; bit < 32; bit++) {
        fewer_stat stat;
        fewer_walk_options kinds = {.kinds = 1u << bit};
        fewer_walk_options reserved = {.reserved = 1u << bit};
        fewer_list_options fields = {.fields = 1u << bit};
        EQUAL(open_walk(&kinds, sizeof kinds), bit < 8 ? 0 : EINVAL);
        EQUAL(open_walk(&reserved, sizeof reserved), EINVAL);
        EQUAL(open_list(&fields, sizeof fields), bit < 11 ? 0 : EINVAL);
        EQUAL(fewer_scope_stat(NULL, P("."), 1u << bit, 0, &stat, NULL), bit < 11 ? 0 : EINVAL);
    }
    for (uint32_t number = 0; number < 20; number++) {
        fewer_list_options order = {.order = number};
        fewer_lines_options check = {.check = number};
        EQUAL(open_list(&order, sizeof order), number <= FEWER_BY_CREATED ? 0 : EINVAL);
        EQUAL(open_lines(&check, sizeof check), number <= FEWER_CHECK_STRICT ? 0 : EINVAL);
    }
}

static void any_number_of_threads_and_bytes_may_be_wished_for(void) {
    const fewer_walk_options walk = {
        .threads = UINT32_MAX, .max_threads = UINT32_MAX, .max_depth = UINT64_MAX};
    const fewer_list_options list = {.threads = UINT32_MAX};
    const fewer_lines_options lines = {.threads = UINT32_MAX, .block_bytes = UINT32_MAX};
    EQUAL(open_walk(&walk, sizeof walk), 0);
    EQUAL(open_list(&list, sizeof list), 0);
    EQUAL(open_lines(&lines, sizeof lines), 0);
}

/* What each function that takes a path says to one. */
static void all_say(const char *path, size_t length, int expected) {
    const fewer_text root = {path, length};
    char buffer[64];
    size_t needed;
    const fewer_descriptor before = NO_FILE;
    fewer_descriptor descriptor = before;
    fewer_stat stat;
    fewer_scope *scope = NULL;
    fewer_walk *walk = NULL;
    fewer_list *list = NULL;
    fewer_lines *lines = NULL;
    REFUSED(fewer_scope_enter(NULL, path, length, &scope, &error), expected);
    REFUSED(fewer_scope_enter_logical(NULL, path, length, &scope, &error), expected);
    REFUSED(fewer_scope_stat(NULL, path, length, 1, 0, &stat, &error), expected);
    REFUSED(fewer_scope_stat(NULL, path, length, 1, 1, &stat, &error), expected);
    REFUSED(fewer_scope_read_link(NULL, path, length, buffer, 64, &needed, &error), expected);
    REFUSED(fewer_scope_open(NULL, path, length, &descriptor, &error), expected);
    REFUSED(fewer_list_open(NULL, path, length, NULL, 0, &list, &error), expected);
    REFUSED(fewer_lines_open(NULL, path, length, NULL, 0, &lines, &error), expected);
    if (expected == EINVAL) {
        REFUSED(fewer_walk_open(NULL, &root, 1, NULL, 0, &walk, &error), expected);
    }
    CHECK(scope == NULL && walk == NULL && list == NULL && lines == NULL);
    CHECK(descriptor == before);
}

static void paths_that_are_none_are_refused(void) {
    all_say("", 0, ENOENT);
    all_say(NULL, 0, ENOENT);
    all_say(NULL, 1, EINVAL);
    all_say(NULL, SIZE_MAX, EINVAL);
    all_say(".", SIZE_MAX, EINVAL);
    all_say("a\0b", 3, EINVAL);
    all_say(".\0", 2, EINVAL);
    all_say("\0", 1, EINVAL);
}

static void an_empty_root_is_a_failure_of_the_walk(void) {
    const fewer_text root = {NULL, 0};
    fewer_walk *walk = NULL;
    fewer_walk_batch batch;
    FINE(fewer_walk_open(NULL, &root, 1, NULL, 0, &walk, &error));
    FINE(fewer_walk_next(walk, &batch, &error));
    EQUAL(batch.entries_count, 0);
    EQUAL(batch.failures_count, 1);
    EQUAL(batch.failures[0].number, ENOENT);
    fewer_walk_close(walk);
}

static void roots_and_globs_are_read_with_care(void) {
    const fewer_text none = {NULL, 5};
    const fewer_text good = {P("*.c")}, broken = {P("[a")}, latin1 = {"\xff", 1},
                     nul = {"a\0b", 3};
    fewer_walk *walk = NULL;
    fewer_walk_options options = {.globs = &none, .globs_count = 1};
    REFUSED(fewer_walk_open(NULL, NULL, 0, NULL, 0, &walk, &error), EINVAL);
    REFUSED(fewer_walk_open(NULL, NULL, 1, NULL, 0, &walk, &error), EINVAL);
    REFUSED(fewer_walk_open(NULL, &good, SIZE_MAX, NULL, 0, &walk, &error), EINVAL);
    REFUSED(fewer_walk_open(NULL, &none, 1, NULL, 0, &walk, &error), EINVAL);
    EQUAL(open_walk(&options, sizeof options), EINVAL);
    options.globs = NULL;
    EQUAL(open_walk(&options, sizeof options), EINVAL);
    options.globs = &broken;
    REFUSED(fewer_walk_open(NULL, &good, 1, &options, sizeof options, &walk, &error), EINVAL);
    options = (fewer_walk_options){.exclude_globs = &broken, .exclude_globs_count = 1};
    EQUAL(open_walk(&options, sizeof options), EINVAL);
    options.exclude_globs = &latin1;
    EQUAL(open_walk(&options, sizeof options), EILSEQ);
    options.exclude_globs = &nul;
    EQUAL(open_walk(&options, sizeof options), EINVAL);
    CHECK(walk == NULL);
}

static void an_error_tells_its_story(void) {
    fewer_list *list = NULL;
    fewer_position position = {1, 1, 1};
    size_t length = 0;
    EQUAL(fewer_list_open(NULL, P(ODD_PATH), NULL, 0, &list, &error), ENOENT);
    const char *message = fewer_error_message(error);
    TEXT(message, strlen(message),
         "cannot open directory '" ODD_PATH_SHOWN "': No such file or directory");
    EQUAL(fewer_error_action(error), FEWER_ACTION_OPEN_DIRECTORY);
    const char *words = fewer_error_action_words(error);
    TEXT(words, strlen(words), "open directory");
    const char *path = fewer_error_path(error, &length);
    TEXT(path, length, ODD_PATH);
    EQUAL(path[length], 0);
    CHECK(fewer_error_path(error, NULL) == path);
    fewer_error_position(error, &position);
    EQUAL(position.line + position.offset + position.column, 0);
    fewer_error_free(error);
    error = NULL;
}

static void a_descriptor_that_is_none_is_refused(void) {
    fewer_lines *lines = NULL;
    fewer_lines_batch batch;
    REFUSED(fewer_lines_borrow(NO_FILE, P("-"), NULL, 0, &lines, &error), EBADF);
    REFUSED(fewer_lines_borrow(NO_FILE_EITHER, P("-"), NULL, 0, &lines, &error), EBADF);
    REFUSED(fewer_lines_borrow(standard_input(), "a\0b", 3, NULL, 0, &lines, &error), EINVAL);
    FINE(fewer_lines_borrow((fewer_descriptor)987656, P("-"), NULL, 0, &lines, &error));
    REFUSED(fewer_lines_next(lines, &batch, &error), EBADF);
    fewer_lines_close(lines);
}

int main(void) {
    begin();
    make_file("file", "text\n");
    RUN(the_library_is_the_one_that_the_header_describes);
    RUN(nothing_is_closed);
    RUN(no_error_says_nothing);
    RUN(kinds_have_names);
    RUN(no_handle_is_refused);
    RUN(no_place_for_a_result_is_refused);
    RUN(nobody_has_to_be_interested_in_the_story);
    RUN(options_may_be_older_or_younger_than_the_library);
    RUN(bits_without_a_meaning_are_refused);
    RUN(any_number_of_threads_and_bytes_may_be_wished_for);
    RUN(paths_that_are_none_are_refused);
    RUN(an_empty_root_is_a_failure_of_the_walk);
    RUN(roots_and_globs_are_read_with_care);
    RUN(an_error_tells_its_story);
    RUN(a_descriptor_that_is_none_is_refused);
    return end("misuse");
}
