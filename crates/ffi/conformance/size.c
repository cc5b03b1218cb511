/* size: how much space directories take; walk --summary --json: what is in them.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance.h"

enum { GITIGNORE = 256, NO_HIDDEN, JSON };

static const char letters[] = "0AabE:d:j:lsx";
static const struct option names[] = {
    { "all", no_argument, NULL, 'a' },
    { "apparent", no_argument, NULL, 'A' },
    { "bytes", no_argument, NULL, 'b' },
    { "count-links", no_argument, NULL, 'l' },
    { "depth", required_argument, NULL, 'd' },
    { "exclude", required_argument, NULL, 'E' },
    { "gitignore", no_argument, NULL, GITIGNORE },
    { "json", no_argument, NULL, JSON },
    { "no-hidden", no_argument, NULL, NO_HIDDEN },
    { "null", no_argument, NULL, '0' },
    { "one-file-system", no_argument, NULL, 'x' },
    { "summarize", no_argument, NULL, 's' },
    { "threads", required_argument, NULL, 'j' },
    { NULL, 0, NULL, 0 },
};

struct words {
    fewer_walk_options walk;
    fewer_size_options size;
    fewer_text *excludes, *roots;
    size_t roots_count;
    bool apparent, bytes, json, only_roots;
    char end;
};

/* A row, and the bytes that it is shown with. */
struct shown {
    fewer_size_row row;
    char *path;
    uint64_t amount;
};

static void take(struct words *words, int flag, const char *value)
{
    switch (flag) {
    case '0': words->end = '\0'; break;
    case 'A': words->apparent = true; break;
    case 'b': words->apparent = words->bytes = true; break;
    case 'a': words->size.flags |= FEWER_SIZE_FILES; break;
    case 'l': words->size.flags |= FEWER_SIZE_COUNT_LINKS; break;
    case 'd': words->size.depth = number(value, "--depth"); break;
    case 's': words->only_roots = true; break;
    case 'j': words->walk.threads = (uint32_t)number(value, "--threads"); break;
    case 'x': words->walk.flags |= FEWER_WALK_ONE_FILE_SYSTEM; break;
    case GITIGNORE: words->walk.flags |= FEWER_WALK_GITIGNORE; break;
    case NO_HIDDEN: words->walk.flags |= FEWER_WALK_SKIP_HIDDEN; break;
    case JSON: words->json = true; break;
    case 'E':
        words->excludes[words->walk.exclude_globs_count].bytes = value;
        words->excludes[words->walk.exclude_globs_count++].length = strlen(value);
        break;
    }
}

static struct words read_words(int count, char **arguments)
{
    struct words words = { .end = '\n', .size.depth = 1 };
    words.excludes = calloc((size_t)count + 1, sizeof *words.excludes);
    words.roots = calloc((size_t)count + 1, sizeof *words.roots);
    if (words.excludes == NULL || words.roots == NULL)
        out_of_memory();
    opterr = 0;
    for (int flag; (flag = getopt_long(count, arguments, letters, names, NULL)) != -1;) {
        if (flag == '?')
            unknown_flag("size", optopt, arguments[optind - 1]);
        take(&words, flag, optarg);
    }
    if (words.only_roots)
        words.size.depth = 0;
    words.walk.exclude_globs = words.excludes;
    for (int i = optind; i < count; i++)
        words.roots[words.roots_count++]
            = (fewer_text){ .bytes = arguments[i], .length = strlen(arguments[i]) };
    if (words.roots_count == 0)
        words.roots[words.roots_count++] = (fewer_text){ .bytes = ".", .length = 1 };
    return words;
}

/* What could not be looked at; returns how much was missing. */
static size_t print_failures(const fewer_failure *failures, size_t count, const char *bytes)
{
    size_t missing = 0;
    for (size_t i = 0; i < count; i++) {
        complain_text("fewer", "%.*s", (int)failures[i].message_length,
                      bytes + failures[i].message);
        missing += failures[i].action == FEWER_ACTION_ACCESS;
    }
    return missing;
}

static int status_of(size_t failures, size_t missing, size_t roots)
{
    return failures == 0 ? WELL : missing >= roots ? FAILED : PARTLY;
}

/* The smallest first; of the same size, a directory after what is in it; else as they were. */
static int in_order(const void *one, const void *other)
{
    const struct shown *a = one, *b = other;
    if (a->amount != b->amount)
        return a->amount < b->amount ? -1 : 1;
    if (a->row.depth != b->row.depth)
        return a->row.depth > b->row.depth ? -1 : 1;
    return (a->row.path > b->row.path) - (a->row.path < b->row.path);
}

static void print_space(fewer_space space)
{
    print_format("\"allocated\":%llu,\"size\":%llu,\"entries\":%llu}",
                 (unsigned long long)space.allocated, (unsigned long long)space.size,
                 (unsigned long long)space.entries);
}

static void print_row(const struct words *words, const struct shown *shown)
{
    const fewer_size_row *row = &shown->row;
    if (words->json) {
        print_text("{\"v\":1,\"path\":");
        print_json(shown->path, row->path_length);
        print_format(",\"kind\":\"%s\",\"depth\":%u,", fewer_kind_name(row->kind), row->depth);
        print_space(row->space);
        print_text("\n");
        return;
    }
    uint64_t unit = words->bytes ? 1 : 1024, rest = shown->amount % unit != 0;
    print_format("%llu\t", (unsigned long long)(shown->amount / unit + rest));
    print(shown->path, row->path_length);
    print(&words->end, 1);
}

/* Appends a row. Its path goes on living, and its place takes the place of the offset. */
static struct shown *append(struct shown *all, size_t count, const fewer_size_row *row,
                            const char *bytes, bool apparent)
{
    if ((count & (count - 1)) == 0)
        all = realloc(all, (count > 0 ? 2 * count : 1) * sizeof *all);
    char *path = malloc(row->path_length + 1);
    if (all == NULL || path == NULL)
        out_of_memory();
    memcpy(path, bytes + row->path, row->path_length + 1);
    uint64_t amount = apparent ? row->space.size : row->space.allocated;
    all[count] = (struct shown){ *row, path, amount };
    all[count].row.path = (uint32_t)count;
    return all;
}

int size_verb(int count, char **arguments)
{
    struct words words = read_words(count, arguments);
    fewer_size *size = NULL;
    fewer_error *error = NULL;
    size_t failures = 0, missing = 0, rows = 0;
    struct shown *all = NULL;
    fewer_size_batch batch;
    int number = fewer_size_open(NULL, words.roots, words.roots_count, &words.walk,
                                 sizeof words.walk, &words.size, sizeof words.size, &size, &error);
    while (number == 0 && (number = fewer_size_next(size, &batch, &error)) == 0
           && batch.bytes != NULL) {
        missing += print_failures(batch.failures, batch.failures_count, batch.bytes);
        failures += batch.failures_count;
        for (size_t i = 0; i < batch.rows_count; i++)
            all = append(all, rows++, &batch.rows[i], batch.bytes, words.apparent);
    }
    fewer_size_close(size);
    if (rows > 0)
        qsort(all, rows, sizeof *all, in_order);
    for (size_t i = 0; i < rows; i++) {
        print_row(&words, &all[i]);
        free(all[i].path);
    }
    free(all);
    free(words.excludes);
    free(words.roots);
    if (number == 0)
        return status_of(failures, missing, words.roots_count);
    complain("fewer", error);
    return FAILED;
}

static void print_path(const char *name, const char *bytes, const fewer_extreme *extreme)
{
    print_format("%s{\"path\":", name);
    print_json(bytes + extreme->path, extreme->path_length);
}

static void print_number(const char *name, const char *unit, const char *bytes,
                         const fewer_extreme *extreme)
{
    if (extreme == NULL)
        return;
    print_path(name, bytes, extreme);
    print_format(",\"%s\":%llu}", unit, (unsigned long long)extreme->value);
}

/* Of cases, whose times are after 1970. */
static void print_time(const char *name, const char *bytes, const fewer_extreme *extreme)
{
    if (extreme == NULL)
        return;
    print_path(name, bytes, extreme);
    print_format(",\"modified\":%lld.%09u}", (long long)extreme->time.seconds,
                 (unsigned)extreme->time.nanoseconds);
}

static fewer_space sum(fewer_space a, fewer_space b)
{
    return (fewer_space){ a.entries + b.entries, a.size + b.size, a.allocated + b.allocated };
}

static void print_groups(const fewer_summary_facts *facts)
{
    const struct {
        const char *name;
        fewer_space space;
    } groups[] = {
        { "{\"v\":1,\"directories\":{", facts->directories },
        { ",\"files\":{", facts->files },
        { ",\"links\":{", facts->links },
        { ",\"other\":{", facts->other },
        { ",\"all\":{", sum(sum(facts->directories, facts->files),
                            sum(facts->links, facts->other)) },
    };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        print_text(groups[i].name);
        print_space(groups[i].space);
    }
}

static void print_summary(const fewer_summary_facts *facts)
{
    print_groups(facts);
    print_text(",\"extensions\":[");
    for (size_t i = 0; i < facts->extensions_count; i++) {
        const fewer_extension *extension = &facts->extensions[i];
        print_text(i > 0 ? ",{\"extension\":" : "{\"extension\":");
        if (extension->is_rest)
            print_text("null");
        else
            print_json(facts->bytes + extension->name, extension->name_length);
        print_text(",");
        print_space(extension->space);
    }
    print_text("],\"largest\":[");
    for (size_t i = 0; i < facts->largest_count; i++)
        print_number(i > 0 ? "," : "", "size", facts->bytes, &facts->largest[i]);
    print_text("]");
    print_number(",\"deepest\":", "depth", facts->bytes, facts->deepest);
    print_number(",\"longest\":", "bytes", facts->bytes, facts->longest);
    print_time(",\"newest\":", facts->bytes, facts->newest);
    print_time(",\"oldest\":", facts->bytes, facts->oldest);
    print_text("}\n");
}

int summary_of(const fewer_text *roots, size_t count, const fewer_walk_options *walk)
{
    fewer_summary *summary = NULL;
    fewer_error *error = NULL;
    fewer_summary_facts facts;
    int number = fewer_summary_open(NULL, roots, count, walk, sizeof *walk, &summary, &error);
    if (number == 0)
        number = fewer_summary_facts_of(summary, &facts, &error);
    if (number != 0) {
        complain("fewer", error);
        return FAILED;
    }
    size_t missing = print_failures(facts.failures, facts.failures_count, facts.bytes);
    print_summary(&facts);
    int status = status_of(facts.failures_count, missing, count);
    fewer_summary_close(summary);
    return status;
}
