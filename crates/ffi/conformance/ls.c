/* ls: the names in directories, one a line, or all there is to know as JSON. Long listings, columns
 * and colours are a matter of the command line. SPDX-License-Identifier: MIT OR Apache-2.0 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance.h"

enum { JSON = 256, SORT, ZERO, DIRECTORIES_FIRST };

static const char letters[] = "1aAcdfilLnrRsStuUvX";
static const struct option names[] = {
    { "all", no_argument, NULL, 'a' },
    { "almost-all", no_argument, NULL, 'A' },
    { "dereference", no_argument, NULL, 'L' },
    { "directory", no_argument, NULL, 'd' },
    { "group-directories-first", no_argument, NULL, DIRECTORIES_FIRST },
    { "json", no_argument, NULL, JSON },
    { "recursive", no_argument, NULL, 'R' },
    { "reverse", no_argument, NULL, 'r' },
    { "sort", required_argument, NULL, SORT },
    { "zero", no_argument, NULL, ZERO },
    { NULL, 0, NULL, 0 },
};

struct ls {
    fewer_list_options options;
    bool json, long_form, owner_names, space, directories_themselves;
    bool accessed, changed, recursive;
    char end;
    bool begun; /* something has been listed, so the next heading is set off */
    size_t failures, failed_operands;
};

/* One of the words of the command line. */
struct operand {
    const char *path;
    fewer_stat stat;
};

static uint32_t order(const char *word)
{
    static const struct { const char *word; uint32_t order; } words[] = {
        { "none", FEWER_BY_NOTHING }, { "size", FEWER_BY_SIZE }, { "time", FEWER_BY_MODIFIED },
        { "version", FEWER_BY_VERSION }, { "extension", FEWER_BY_EXTENSION },
        { "name", FEWER_BY_NAME },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i].word) == 0)
            return words[i].order;
    }
    not_expressible("no ls --sort=%s in fewer.h", word);
}

static void take(struct ls *ls, int flag)
{
    fewer_list_options *options = &ls->options;
    switch (flag) {
    case '1': break;
    case 'a':
        options->flags &= ~(uint32_t)FEWER_LIST_SKIP_HIDDEN;
        options->flags |= FEWER_LIST_DOTS;
        break;
    case 'A': options->flags &= ~(uint32_t)(FEWER_LIST_SKIP_HIDDEN | FEWER_LIST_DOTS); break;
    case 'f': take(ls, 'a'), take(ls, 'U'); break;
    case 'L': options->flags |= FEWER_LIST_FOLLOW; break;
    case 'R': ls->recursive = true, options->flags |= FEWER_LIST_KINDS; break;
    case 'r': options->flags |= FEWER_LIST_REVERSE; break;
    case DIRECTORIES_FIRST: options->flags |= FEWER_LIST_DIRECTORIES_FIRST; break;
    case 'U': options->order = FEWER_BY_NOTHING; break;
    case 'S': options->order = FEWER_BY_SIZE; break;
    case 'v': options->order = FEWER_BY_VERSION; break;
    case 'X': options->order = FEWER_BY_EXTENSION; break;
    case 't': options->order = FEWER_BY_MODIFIED; break;
    case SORT: options->order = order(optarg); break;
    case 'c': ls->changed = true, ls->accessed = false; break;
    case 'u': ls->accessed = true, ls->changed = false; break;
    case 'd': ls->directories_themselves = true; break;
    case 'l': ls->long_form = ls->owner_names = true; break;
    case 'n': ls->long_form = true, ls->owner_names = false; break;
    case 's': ls->space = true; break;
    case 'i': options->fields |= FEWER_FIELD_INODE; break;
    case JSON: ls->json = true; break;
    case ZERO: ls->end = '\0'; break;
    }
}

static struct ls read_words(int count, char **words)
{
    struct ls ls = { .end = '\n', .options.flags = FEWER_LIST_SKIP_HIDDEN };
    opterr = 0;
    for (int flag; (flag = getopt_long(count, words, letters, names, NULL)) != -1;) {
        if (flag == '?')
            unknown_flag("ls", optopt, words[optind - 1]);
        take(&ls, flag);
    }
    if (!ls.json && (ls.long_form || ls.space || ls.options.fields != 0))
        not_expressible("long listings are a matter of the command line");
    if (ls.accessed || ls.changed) {
        /* Without -l and -t they are what is sorted by. */
        bool by_time = ls.options.order == FEWER_BY_MODIFIED || !ls.long_form;
        if (by_time)
            ls.options.order = ls.accessed ? FEWER_BY_ACCESSED : FEWER_BY_CHANGED;
    }
    if (ls.long_form) {
        ls.options.fields = FEWER_FIELD_ALL;
        ls.options.flags |= FEWER_LIST_LINKS;
    } else if (ls.space) {
        ls.options.fields |= FEWER_FIELD_ALLOCATED;
    }
    return ls;
}

static void print_time(const char *name, fewer_time time)
{
    if (!time.known)
        return;
    /* Before 1970 the seconds count backwards, and so does the fraction. */
    bool before = time.seconds < 0 && time.nanoseconds > 0;
    long long seconds = time.seconds + before;
    uint32_t fraction = before ? 1000000000 - time.nanoseconds : time.nanoseconds;
    const char *sign = before && seconds == 0 ? "-" : "";
    print_format(",\"%s\":%s%lld.%09u", name, sign, seconds, fraction);
}

static void print_owner(const char *what, uint32_t id, const char *name, size_t length)
{
    print_format(",\"%s\":{\"id\":%u", what, id);
    if (length > 0) {
        print_text(",\"name\":");
        print_json(name, length);
    }
    print_text("}");
}

static void print_metadata(const fewer_row *row, const char *bytes)
{
    const fewer_stat *stat = &row->stat;
    print_format(",\"mode\":\"%04o\",\"links\":%u,\"size\":%llu,\"allocated\":%llu",
                 stat->permissions, stat->links, (unsigned long long)stat->size,
                 (unsigned long long)stat->allocated);
    print_owner("user", stat->user, bytes + row->user_name, row->user_name_length);
    print_owner("group", stat->group, bytes + row->group_name, row->group_name_length);
    if (stat->kind == FEWER_CHAR || stat->kind == FEWER_BLOCK)
        print_format(",\"device\":{\"major\":%u,\"minor\":%u}", stat->special_major,
                     stat->special_minor);
    print_time("modified", stat->modified);
    print_time("accessed", stat->accessed);
    print_time("changed", stat->changed);
    print_time("created", stat->created);
}

/* A row, in a directory or, with NULL, by itself. */
static void print_row(const struct ls *ls, const fewer_row *row, const char *bytes,
                      const char *directory)
{
    if (!ls->json) {
        print(bytes + row->name, row->name_length);
        print(&ls->end, 1);
        return;
    }
    print_text("{\"v\":1");
    if (directory != NULL) {
        print_text(",\"directory\":");
        print_json(directory, strlen(directory));
    }
    print_text(",\"name\":");
    print_json(bytes + row->name, row->name_length);
    print_format(",\"kind\":\"%s\",\"inode\":%llu", fewer_kind_name(row->stat.kind),
                 (unsigned long long)row->stat.inode);
    if (row->number != 0)
        print_format(",\"errno\":%d", row->number);
    else if (ls->long_form)
        print_metadata(row, bytes);
    else if (ls->space)
        print_format(",\"allocated\":%llu", (unsigned long long)row->stat.allocated);
    if (row->target_length > 0) {
        print_text(",\"target\":");
        print_json(bytes + row->target, row->target_length);
    }
    print_text("}\n");
}

/* A row that did not answer is printed, and complained of. */
static void complain_of_row(struct ls *ls, const fewer_row *row, const char *bytes,
                            const char *directory)
{
    int number = row->number != 0 ? row->number : row->target_number;
    if (number == 0)
        return;
    const char *action = row->number != 0 ? "access" : "read symbolic link";
    const char *slash = directory[strlen(directory) - 1] == '/' ? "" : "/";
    complain_text("fewer", "cannot %s '%s%s%.*s': %s", action, directory, slash,
                  (int)row->name_length, bytes + row->name, strerror(number));
    ls->failures++;
}

/* The directories that -R goes on with, in their order. */
struct below {
    char **paths;
    size_t count;
};

static void add_below(struct below *below, const char *directory, const fewer_row *row,
                      const char *bytes)
{
    const char *name = bytes + row->name;
    bool dots = name[0] == '.'
        && (row->name_length == 1 || (row->name_length == 2 && name[1] == '.'));
    if (row->stat.kind != FEWER_DIRECTORY || dots)
        return;
    size_t front = strlen(directory), length = front + 1 + row->name_length + 1;
    char *path = malloc(length);
    char **paths = realloc(below->paths, (below->count + 1) * sizeof *paths);
    if (path == NULL || paths == NULL)
        out_of_memory();
    const char *slash = front > 0 && directory[front - 1] == '/' ? "" : "/";
    snprintf(path, length, "%s%s%.*s", directory, slash, (int)row->name_length, name);
    below->paths = paths;
    below->paths[below->count++] = path;
}

static void list(struct ls *ls, const char *path, bool heading, bool is_operand)
{
    fewer_list *handle = NULL;
    fewer_error *error = NULL;
    fewer_list_batch batch;
    struct below below = { 0 };
    int number = fewer_list_open(NULL, path, strlen(path), &ls->options, sizeof ls->options,
                                 &handle, &error);
    if (number != 0) {
        ls->failed_operands += is_operand;
    } else if (heading && !ls->json) {
        print_text(ls->begun ? "\n" : "");
        print_text(path);
        print_text(":\n");
    }
    ls->begun |= number == 0;
    while (number == 0 && (number = fewer_list_next(handle, &batch, &error)) == 0
           && batch.bytes != NULL) {
        for (size_t i = 0; i < batch.rows_count; i++) {
            print_row(ls, &batch.rows[i], batch.bytes, path);
            complain_of_row(ls, &batch.rows[i], batch.bytes, path);
            if (ls->recursive)
                add_below(&below, path, &batch.rows[i], batch.bytes);
        }
    }
    fewer_list_close(handle);
    if (number != 0) {
        complain("fewer", error);
        ls->failures++;
    }
    for (size_t i = 0; i < below.count; i++) {
        list(ls, below.paths[i], true, false);
        free(below.paths[i]);
    }
    free(below.paths);
}

/* What a word stands for: a link to a directory for that, unless links are listed themselves. */
static bool look(struct ls *ls, struct operand *operand)
{
    uint32_t fields = FEWER_FIELD_KIND | FEWER_FIELD_INODE | ls->options.fields;
    bool follow = ls->options.flags & FEWER_LIST_FOLLOW;
    const char *path = operand->path;
    fewer_error *error = NULL;
    fewer_stat target;
    int number =
        fewer_scope_stat(NULL, path, strlen(path), fields, follow, &operand->stat, &error);
    if (number == 0 && operand->stat.kind == FEWER_SYMLINK && !ls->directories_themselves
        && !ls->long_form
        && fewer_scope_stat(NULL, path, strlen(path), fields, 1, &target, NULL) == 0
        && target.kind == FEWER_DIRECTORY)
        operand->stat = target;
    if (number == 0)
        return true;
    /* The library says what it did; of a word of the command line ls says "access". */
    complain_text("fewer", "cannot access%s", fewer_error_message(error) + strlen("cannot stat"));
    fewer_error_free(error);
    ls->failures++;
    ls->failed_operands++;
    return false;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct operand *)a)->path, ((const struct operand *)b)->path);
}

static void list_operands(struct ls *ls, int count, char **paths)
{
    struct operand *operands = calloc((size_t)count, sizeof *operands);
    if (operands == NULL)
        out_of_memory();
    size_t there = 0, shown = 0;
    for (int i = 0; i < count; i++) {
        operands[there].path = paths[i];
        there += look(ls, &operands[there]);
    }
    if (count > 1 && ls->options.order != FEWER_BY_NAME)
        not_expressible("words of the command line in that order");
    qsort(operands, there, sizeof *operands, by_path);
    bool reverse = ls->options.flags & FEWER_LIST_REVERSE;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < there; i++) {
            const struct operand *operand = &operands[reverse ? there - 1 - i : i];
            bool itself = operand->stat.kind != FEWER_DIRECTORY || ls->directories_themselves;
            if (itself && pass == 0) {
                fewer_row row = {
                    .stat = operand->stat, .name_length = (uint32_t)strlen(operand->path),
                };
                print_row(ls, &row, operand->path, NULL);
                shown++;
            } else if (!itself && pass == 1) {
                list(ls, operand->path, shown > 0 || count > 1 || ls->recursive, true);
            }
        }
        ls->begun |= shown > 0;
    }
    free(operands);
}

int ls_verb(int count, char **words)
{
    struct ls ls = read_words(count, words);
    fewer_owners *owners = ls.owner_names ? fewer_owners_open() : NULL;
    ls.options.owners = owners;
    int operands = count - optind;
    if (operands > 0)
        list_operands(&ls, operands, words + optind);
    else if (ls.directories_themselves)
        list_operands(&ls, 1, (char *[]){ "." });
    else
        list(&ls, ".", ls.recursive, true);
    fewer_owners_close(owners);
    size_t all = operands > 0 ? (size_t)operands : 1;
    return ls.failed_operands >= all ? FAILED : ls.failures > 0 ? PARTLY : WELL;
}
