/* Handles that go from thread to thread, handles that are used at once, and that nothing of it is
 * shared where it should not be. */
#include "test.h"

#include <pthread.h>
#include <time.h>

enum { THREADS = 8, DIRECTORIES = 600, FILES = 3, ENTRIES = 1 + DIRECTORIES * (1 + FILES) };

static int descriptors;

static void *on_another_thread(void *(*body)(void *), void *argument) {
    pthread_t thread;
    void *result;
    if (pthread_create(&thread, NULL, body, argument) != 0 || pthread_join(thread, &result) != 0)
        no_way_on("pthread");
    return result;
}

/* Lets threads do the same at once; how often it went wrong. */
static long at_once(void *(*body)(void *), void *argument) {
    pthread_t threads[THREADS];
    long wrong_answers = 0;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, body, argument) != 0)
            no_way_on("pthread");
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        wrong_answers += (long)(intptr_t)result;
    }
    return wrong_answers;
}

static fewer_walk *open_walk(void) {
    const fewer_text root = {P("t")};
    fewer_walk *walk = NULL;
    EQUAL(fewer_walk_open(NULL, &root, 1, NULL, 0, &walk, NULL), 0);
    return walk;
}

static void *next_batch(void *walk) {
    fewer_walk_batch batch;
    if (fewer_walk_next(walk, &batch, NULL) != 0)
        return (void *)-1;
    return (void *)(intptr_t)batch.entries_count;
}

static void *close_walk(void *walk) {
    fewer_walk_close(walk);
    return NULL;
}

static void a_walk_goes_from_thread_to_thread(void) {
    fewer_walk *walk = open_walk();
    long entries = 0, more = -1;
    while (more != 0) {
        more = (long)(intptr_t)on_another_thread(next_batch, walk);
        CHECK(more >= 0);
        entries += more;
    }
    EQUAL(entries, ENTRIES);
    on_another_thread(close_walk, walk);
    walk = open_walk();
    on_another_thread(next_batch, walk);
    on_another_thread(close_walk, walk);
}

static void *whole_walk(void *nothing) {
    fewer_walk *walk = open_walk();
    fewer_walk_batch batch;
    long entries = 0;
    (void)nothing;
    while (fewer_walk_next(walk, &batch, NULL) == 0 && batch.bytes != NULL)
        entries += batch.entries_count;
    fewer_walk_close(walk);
    return (void *)(intptr_t)(entries != ENTRIES);
}

static void walks_go_on_at_once(void) {
    EQUAL(at_once(whole_walk, NULL), 0);
}

/* The C library sets it where a thread is waited for, where none is to be had, and where nobody has
 * a number. */
static void errno_is_not_written(void) {
    fewer_owners *owners = fewer_owners_open();
    char name[64];
    errno = 4242;
    EQUAL(fewer_owners_user(owners, 4242424, name, sizeof name, NULL), ENOENT);
    EQUAL(errno, 4242);
    fewer_owners_close(owners);
    for (int i = 0; i < 20; i++) {
        errno = 4242;
        EQUAL((intptr_t)whole_walk(NULL), 0);
        EQUAL(errno, 4242);
    }
}

static void *ask_scope(void *scope) {
    long wrong_answers = 0;
    for (int i = 0; i < 200; i++) {
        char name[16], path[4096];
        size_t needed;
        fewer_stat stat;
        fewer_scope *entered = NULL, *clone = fewer_scope_clone(scope);
        fewer_error *error = NULL;
        snprintf(name, sizeof name, "%d", i);
        wrong_answers += fewer_scope_stat(clone, P(name), FEWER_FIELD_KIND, 0, &stat, NULL) != 0;
        wrong_answers += stat.kind != FEWER_DIRECTORY;
        wrong_answers += fewer_scope_enter(scope, P(name), &entered, NULL) != 0;
        wrong_answers += fewer_scope_logical(entered, path, sizeof path, &needed, NULL) != 0;
        wrong_answers += fewer_scope_enter(scope, P("none"), &entered, &error) != ENOENT;
        wrong_answers += fewer_error_number(error) != ENOENT;
        fewer_error_free(error);
        fewer_scope_close(entered);
        fewer_scope_close(clone);
    }
    return (void *)(intptr_t)wrong_answers;
}

static void a_scope_is_used_by_many_at_once(void) {
    fewer_scope *scope = NULL;
    EQUAL(fewer_scope_enter(NULL, P("t"), &scope, NULL), 0);
    EQUAL(at_once(ask_scope, scope), 0);
    fewer_scope_close(scope);
}

static void *ask_owners(void *owners) {
    long wrong_answers = 0;
    for (uint32_t i = 0; i < 200; i++) {
        char name[64] = "";
        uint32_t number = 7;
        if (HAS_OWNERS) {
            wrong_answers += fewer_owners_user(owners, 0, name, sizeof name, NULL) != 0;
            wrong_answers += strcmp(name, "root") != 0;
            wrong_answers += fewer_owners_group_number(owners, P("root"), &number) != 0;
            wrong_answers += number != 0;
        }
        wrong_answers +=
            fewer_owners_user(owners, 4242424 + i % 10, name, sizeof name, NULL) != ENOENT;
    }
    return (void *)(intptr_t)wrong_answers;
}

static void owners_are_used_by_many_at_once(void) {
    fewer_owners *owners = fewer_owners_open();
    EQUAL(at_once(ask_owners, owners), 0);
    fewer_owners_close(owners);
}

static void *ask_zone(void *zone) {
    long wrong_answers = 0;
    for (int64_t second = 0; second < 2000000000; second += 1234567) {
        fewer_civil civil;
        struct tm expected;
        const time_t time = second;
        fewer_zone_convert(zone, &second, 1, &civil);
        local_time(&time, &expected);
        wrong_answers += civil.hour != expected.tm_hour || civil.yearday != expected.tm_yday;
    }
    return (void *)(intptr_t)wrong_answers;
}

static void a_zone_is_used_by_many_at_once(void) {
    set_zone(ZONE);
    fewer_zone *zone = fewer_zone_open();
    EQUAL(at_once(ask_zone, zone), 0);
    fewer_zone_close(zone);
}

static void *read_error(void *error) {
    long wrong_answers = 0;
    for (int i = 0; i < 200; i++) {
        size_t length;
        wrong_answers += fewer_error_number(error) != ENOENT;
        wrong_answers += strstr(fewer_error_message(error), "none") == NULL;
        wrong_answers += strcmp(fewer_error_path(error, &length), "none") != 0;
    }
    return (void *)(intptr_t)wrong_answers;
}

static void an_error_is_read_by_many_at_once(void) {
    fewer_scope *scope = NULL;
    fewer_error *error = NULL;
    EQUAL(fewer_scope_enter(NULL, P("none"), &scope, &error), ENOENT);
    EQUAL(at_once(read_error, error), 0);
    fewer_error_free(error);
}

static void *count_lines(void *path) {
    fewer_lines *lines = NULL;
    fewer_lines_total total = {0, 0, 0};
    if (fewer_lines_open(NULL, P((char *)path), NULL, 0, &lines, NULL) != 0)
        return (void *)1;
    int failed_here = fewer_lines_count(lines, &total, NULL) != 0 || total.lines != 2;
    fewer_lines_close(lines);
    return (void *)(intptr_t)failed_here;
}

static void texts_are_read_at_once(void) {
    make_file("text", "a\nb\n");
    EQUAL(at_once(count_lines, "text"), 0);
}

static void nothing_is_left_behind(void) {
    CHECK(only_one_thread_is_left());
    CHECK(open_files() <= descriptors + KEPT_BY_SYSTEM);
}

int main(void) {
    char path[64];
    begin();
    make_directory("t");
    for (int d = 0; d < DIRECTORIES; d++) {
        snprintf(path, sizeof path, "t/%d", d);
        make_directory(path);
        for (int f = 0; f < FILES; f++) {
            snprintf(path, sizeof path, "t/%d/%d", d, f);
            make_file(path, "");
        }
    }
    /* What the C library keeps once there were threads is there then. */
    at_once(whole_walk, NULL);
    descriptors = open_files();
    RUN(a_walk_goes_from_thread_to_thread);
    RUN(walks_go_on_at_once);
    RUN(errno_is_not_written);
    RUN(a_scope_is_used_by_many_at_once);
    RUN(owners_are_used_by_many_at_once);
    RUN(a_zone_is_used_by_many_at_once);
    RUN(an_error_is_read_by_many_at_once);
    RUN(texts_are_read_at_once);
    RUN(nothing_is_left_behind);
    return end("threads");
}
