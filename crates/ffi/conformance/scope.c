/* scope: steps with a working directory as a value; tools/src/scope_steps.rs says which there are.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "conformance.h"

enum { CONTENTS_BYTES = 64 << 10 };

/* Where the steps have led. The first is the working directory of the process, NULL. */
static struct {
    fewer_scope **scopes;
    size_t count;
} way;

static fewer_scope *here(void)
{
    return way.scopes[way.count - 1];
}

static void go_in(fewer_scope *scope)
{
    way.scopes[way.count++] = scope;
}

/* The words that are left; a step that lacks some is none. */
struct words {
    int left;
    char **next;
};

static char *word(struct words *words)
{
    if (words->left == 0) {
        complain_text("scope", "a step lacks a word");
        exit(FAILED);
    }
    words->left--;
    return *words->next++;
}

typedef int enter_function(const fewer_scope *, const char *, size_t, fewer_scope **,
                           fewer_error **);

static int enter(enter_function *function, const char *path, fewer_error **error)
{
    fewer_scope *entered;
    int number = function(here(), path, strlen(path), &entered, error);
    if (number == 0)
        go_in(entered);
    return number;
}

static void print_stat(const fewer_stat *stat)
{
    if (stat->kind == FEWER_FILE)
        print_format("file %llu\n", (unsigned long long)stat->size);
    else
        print_format("%s\n", fewer_kind_name(stat->kind));
}

static int stat_it(const fewer_scope *scope, const char *name, fewer_stat *stat,
                   fewer_error **error)
{
    uint32_t fields = FEWER_FIELD_KIND | FEWER_FIELD_SIZE;
    return fewer_scope_stat(scope, name, strlen(name), fields, 0, stat, error);
}

static int step_stat(const char *name, fewer_error **error)
{
    fewer_stat stat;
    int number = stat_it(here(), name, &stat, error);
    if (number == 0)
        print_stat(&stat);
    return number;
}

static int step_link(const char *name, fewer_error **error)
{
    char small[4096], *target = small;
    size_t capacity = sizeof small, needed = 0;
    int number;
    while ((number = fewer_scope_read_link(here(), name, strlen(name), target, capacity, &needed,
                                           error)) == ERANGE) {
        fewer_error_free(*error);
        *error = NULL;
        capacity = needed + 1;
        target = realloc(target == small ? NULL : target, capacity);
        if (target == NULL)
            out_of_memory();
    }
    if (number == 0) {
        print(target, needed);
        print_text("\n");
    }
    if (target != small)
        free(target);
    return number;
}

typedef int path_function(const fewer_scope *, char *, size_t, size_t *, fewer_error **);

static int step_path(path_function *function, fewer_error **error)
{
    /* To ask twice costs twice: there is room for more than PATH_MAX. */
    static char small[16 << 10];
    char *path = small;
    size_t capacity = sizeof small, needed = 0;
    int number;
    while ((number = function(here(), path, capacity, &needed, error)) == ERANGE) {
        fewer_error_free(*error);
        *error = NULL;
        capacity = needed + 1;
        path = realloc(path == small ? NULL : path, capacity);
        if (path == NULL)
            out_of_memory();
    }
    if (number == 0) {
        print(path, needed);
        print_text("\n");
    }
    if (path != small)
        free(path);
    return number;
}

static int step_read(const char *name, fewer_error **error)
{
    static char contents[CONTENTS_BYTES];
    fewer_descriptor file;
    int number = fewer_scope_open(here(), name, strlen(name), &file, error);
    if (number != 0)
        return number;
    ssize_t got = counted_read(file, contents, sizeof contents);
    number = got < 0 ? errno : 0;
    counted_close(file);
    if (number != 0)
        complain_text("scope", "cannot read '%s': %s", name, strerror(number));
    else
        print(contents, (size_t)got);
    return number;
}

/* Prints what is in a tree, or, if something fails, nothing but why. */
static int step_walk(const char *root, fewer_error **error)
{
    fewer_text roots[] = { { .bytes = root, .length = strlen(root) } };
    fewer_walk_options options = { .flags = FEWER_WALK_SORTED };
    fewer_walk *walk = NULL;
    fewer_walk_batch batch;
    size_t before = printed();
    int number = fewer_walk_open(here(), roots, 1, &options, sizeof options, &walk, error);
    while (number == 0 && (number = fewer_walk_next(walk, &batch, error)) == 0
           && batch.bytes != NULL) {
        if (batch.failures_count > 0) {
            const fewer_failure *first = &batch.failures[0];
            unprint(before);
            complain_text("scope", "%.*s", (int)first->message_length,
                          batch.bytes + first->message);
            number = first->number;
        }
        for (size_t i = 0; number == 0 && i < batch.entries_count; i++) {
            print(batch.bytes + batch.entries[i].path, batch.entries[i].path_length);
            print_text("\n");
        }
    }
    fewer_walk_close(walk);
    return number;
}

/* The steps that take permissions, in octal, and a path. */
static int step_with_bits(const char *step, const char *bits, const char *path, fewer_error **error)
{
    uint32_t permissions = (uint32_t)strtoul(bits, NULL, 8);
    size_t length = strlen(path);
    if (strcmp(step, "chmod") == 0)
        return fewer_scope_set_permissions(here(), path, length, permissions, error);
    if (strcmp(step, "mkdir") == 0)
        return fewer_scope_make_directory(here(), path, length, permissions, error);
    fewer_descriptor file;
    int number = fewer_scope_create(here(), path, length, permissions, &file, error);
    if (number == 0)
        counted_close(file);
    return number;
}

typedef int link_function(const fewer_scope *, const char *, size_t, const char *, size_t,
                          fewer_error **);

static int step_make_link(link_function *function, const char *path, const char *target,
                          fewer_error **error)
{
    return function(here(), path, strlen(path), target, strlen(target), error);
}

typedef int remove_function(const fewer_scope *, const char *, size_t, fewer_error **);

static int step_remove(remove_function *function, const char *path, fewer_error **error)
{
    return function(here(), path, strlen(path), error);
}

/* A child, where no scope has been entered: the words up to `;`. It is this program's own work. */
static int step_run(struct words *words)
{
    char **program = words->next;
    while (strcmp(word(words), ";") != 0)
        ;
    words->next[-1] = NULL;
    int number = run_child(program);
    if (number != 0)
        complain_text("scope", "cannot run '%s': %s", program[0], strerror(number));
    return number;
}

/* A scope may be used by any number of threads at once. */
struct asker {
    pthread_t thread;
    fewer_scope *scope;
    const char *name;
    fewer_stat stat;
    fewer_error *error;
    int number;
};

static void *ask(void *of)
{
    struct asker *asker = of;
    asker->number = stat_it(asker->scope, asker->name, &asker->stat, &asker->error);
    fewer_scope_close(asker->scope);
    return NULL;
}

static int step_threads(size_t count, const char *name, fewer_error **error)
{
    struct asker *askers = calloc(count, sizeof *askers);
    if (askers == NULL)
        out_of_memory();
    for (size_t i = 0; i < count; i++) {
        askers[i].scope = fewer_scope_clone(here());
        askers[i].name = name;
        if (pthread_create(&askers[i].thread, NULL, ask, &askers[i]) != 0)
            out_of_memory();
    }
    int number = 0;
    for (size_t i = 0; i < count; i++) {
        pthread_join(askers[i].thread, NULL);
        if (number == 0) {
            number = askers[i].number;
            *error = askers[i].error;
        } else {
            fewer_error_free(askers[i].error);
        }
    }
    for (size_t i = 0; number == 0 && i < count; i++)
        print_stat(&askers[i].stat);
    free(askers);
    return number;
}

/* The steps that change something. */
static int take_change(const char *step, struct words *words, fewer_error **error)
{
    bool with_bits =
        strcmp(step, "chmod") == 0 || strcmp(step, "mkdir") == 0 || strcmp(step, "create") == 0;
    bool symlink = strcmp(step, "symlink") == 0;
    if (strcmp(step, "remove") == 0)
        return step_remove(fewer_scope_remove_file, word(words), error);
    if (strcmp(step, "remove-directory") == 0)
        return step_remove(fewer_scope_remove_directory, word(words), error);
    if (strcmp(step, "remove-tree") == 0)
        return step_remove(fewer_scope_remove_tree, word(words), error);
    if (with_bits || symlink || strcmp(step, "hard-link") == 0) {
        const char *first = word(words), *second = word(words);
        if (with_bits)
            return step_with_bits(step, first, second, error);
        return step_make_link(symlink ? fewer_scope_make_symlink : fewer_scope_make_hard_link,
                              first, second, error);
    }
    if (strcmp(step, "run") == 0)
        return step_run(words);
    complain_text("scope", "'%s' is no step", step);
    exit(FAILED);
}

static int take(const char *step, struct words *words, fewer_error **error)
{
    if (strcmp(step, "enter") == 0)
        return enter(fewer_scope_enter, word(words), error);
    if (strcmp(step, "enter-logical") == 0)
        return enter(fewer_scope_enter_logical, word(words), error);
    if (strcmp(step, "leave") == 0 && way.count > 1)
        return fewer_scope_close(way.scopes[--way.count]), 0;
    if (strcmp(step, "clone") == 0)
        return go_in(fewer_scope_clone(here())), 0;
    if (strcmp(step, "stat") == 0)
        return step_stat(word(words), error);
    if (strcmp(step, "link") == 0)
        return step_link(word(words), error);
    if (strcmp(step, "read") == 0)
        return step_read(word(words), error);
    if (strcmp(step, "walk") == 0)
        return step_walk(word(words), error);
    if (strcmp(step, "logical") == 0)
        return step_path(fewer_scope_logical, error);
    if (strcmp(step, "physical") == 0)
        return step_path(fewer_scope_physical, error);
    if (strcmp(step, "threads") == 0) {
        size_t count = (size_t)number(word(words), "threads");
        return step_threads(count, word(words), error);
    }
    return take_change(step, words, error);
}

/* What cannot be expressed is found out before anything is done: children in a scope. Those in the
 * process's own directory are nothing that needs the library. */
static void refuse_children(const struct words *words)
{
    bool entered = false;
    for (int i = 0; i < words->left; i++) {
        const char *step = words->next[i];
        entered |= strcmp(step, "enter") == 0 || strcmp(step, "enter-logical") == 0;
        if (strcmp(step, "output") == 0 || strcmp(step, "env") == 0
            || (entered && strcmp(step, "run") == 0))
            not_expressible("no children of a scope in fewer.h");
    }
}

int scope_steps(int count, char **given)
{
    struct words words = { .left = count - 1, .next = given + 1 };
    way.scopes = calloc((size_t)count + 1, sizeof *way.scopes);
    if (way.scopes == NULL)
        out_of_memory();
    go_in(NULL);
    refuse_children(&words);
    int status = WELL;
    while (words.left > 0) {
        const char *step = word(&words);
        fewer_error *error = NULL;
        if (take(step, &words, &error) != 0) {
            status = PARTLY;
            if (error != NULL)
                complain("scope", error);
        }
        flush();
    }
    while (way.count > 0)
        fewer_scope_close(way.scopes[--way.count]);
    free(way.scopes);
    return status;
}
