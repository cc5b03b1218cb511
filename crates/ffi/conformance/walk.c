/* walk: what is below directories. SPDX-License-Identifier: MIT OR Apache-2.0 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance.h"

enum { MIN_DEPTH = 256, SORT, GITIGNORE, NO_HIDDEN, FULL_PATH, COUNT, JSON, SUMMARY };

static const char letters[] = "0d:E:e:g:ij:Lt:x";
static const struct option names[] = {
    { "count", no_argument, NULL, COUNT },
    { "exclude", required_argument, NULL, 'E' },
    { "extension", required_argument, NULL, 'e' },
    { "follow", no_argument, NULL, 'L' },
    { "full-path", no_argument, NULL, FULL_PATH },
    { "gitignore", no_argument, NULL, GITIGNORE },
    { "glob", required_argument, NULL, 'g' },
    { "ignore-case", no_argument, NULL, 'i' },
    { "json", no_argument, NULL, JSON },
    { "max-depth", required_argument, NULL, 'd' },
    { "min-depth", required_argument, NULL, MIN_DEPTH },
    { "no-hidden", no_argument, NULL, NO_HIDDEN },
    { "null", no_argument, NULL, '0' },
    { "one-file-system", no_argument, NULL, 'x' },
    { "sort", no_argument, NULL, SORT },
    { "summary", no_argument, NULL, SUMMARY },
    { "threads", required_argument, NULL, 'j' },
    { "type", required_argument, NULL, 't' },
    { NULL, 0, NULL, 0 },
};

struct walk {
    fewer_walk_options options;
    fewer_text *globs, *excludes;
    fewer_text *roots;
    size_t roots_count;
    char **extensions; /* as globs, for the end of the program */
    size_t extensions_count;
    char end;
    bool count, json, summary;
    uint64_t entries, kinds[FEWER_CHAR + 1];
    size_t failures, failed_roots;
};

static fewer_text text(const char *word)
{
    return (fewer_text){ .bytes = word, .length = strlen(word) };
}

/* Kinds as fewer spells them: f,d or file,dir. */
static uint32_t kinds(char *list)
{
    uint32_t set = 0, kind;
    for (char *word = strtok(list, ","); word != NULL; word = strtok(NULL, ",")) {
        if (fewer_kind_number(word, strlen(word), &kind) != 0)
            wrong_usage("cannot understand --type '%s'", word);
        set |= FEWER_KIND(kind);
    }
    return set;
}

/* A glob for the names that have something before a dot and these bytes; the dot may be given. */
static char *with_extension(const char *extension)
{
    char *glob = malloc(2 * strlen(extension) + 4), *end = glob;
    if (glob == NULL)
        out_of_memory();
    end += sprintf(end, "?*.");
    for (extension += *extension == '.'; *extension != '\0'; extension++) {
        if (strchr("*?[]{}\\,!", *extension) != NULL)
            *end++ = '\\';
        *end++ = *extension;
    }
    *end = '\0';
    return glob;
}

static void take(struct walk *walk, int flag, char *value)
{
    fewer_walk_options *options = &walk->options;
    switch (flag) {
    case '0': walk->end = '\0'; break;
    case COUNT: walk->count = true; break;
    case JSON: walk->json = true; break;
    case SUMMARY: walk->summary = true; break;
    case 'g': walk->globs[options->globs_count++] = text(value); break;
    case 'e':
        walk->extensions[walk->extensions_count++] = with_extension(value);
        walk->globs[options->globs_count++] = text(walk->extensions[walk->extensions_count - 1]);
        break;
    case 'E': walk->excludes[options->exclude_globs_count++] = text(value); break;
    case 't': options->kinds |= kinds(value); break;
    case 'j': options->threads = (uint32_t)number(value, "--threads"); break;
    case MIN_DEPTH: options->min_depth = number(value, "--min-depth"); break;
    case 'd':
        options->flags |= FEWER_WALK_MAX_DEPTH;
        options->max_depth = number(value, "--max-depth");
        break;
    case 'i': options->flags |= FEWER_WALK_IGNORE_CASE; break;
    case 'L': options->flags |= FEWER_WALK_FOLLOW; break;
    case 'x': options->flags |= FEWER_WALK_ONE_FILE_SYSTEM; break;
    case SORT: options->flags |= FEWER_WALK_SORTED; break;
    case GITIGNORE: options->flags |= FEWER_WALK_GITIGNORE; break;
    case NO_HIDDEN: options->flags |= FEWER_WALK_SKIP_HIDDEN; break;
    case FULL_PATH: options->flags |= FEWER_WALK_FULL_PATH; break;
    }
}

static struct walk read_words(int count, char **words)
{
    struct walk walk = { .end = '\n' };
    size_t room = (size_t)count + 1;
    walk.globs = calloc(room, sizeof *walk.globs);
    walk.excludes = calloc(room, sizeof *walk.excludes);
    walk.roots = calloc(room, sizeof *walk.roots);
    walk.extensions = calloc(room, sizeof *walk.extensions);
    if (walk.extensions == NULL || walk.globs == NULL || walk.excludes == NULL
        || walk.roots == NULL)
        out_of_memory();
    opterr = 0;
    for (int flag; (flag = getopt_long(count, words, letters, names, NULL)) != -1;) {
        if (flag == '?')
            unknown_flag("walk", optopt, words[optind - 1]);
        take(&walk, flag, optarg);
    }
    if (walk.extensions_count > 0
        && (walk.extensions_count < walk.options.globs_count
            || walk.options.flags & FEWER_WALK_FULL_PATH))
        not_expressible("no walk -e beside -g in fewer.h");
    walk.options.globs = walk.globs;
    walk.options.exclude_globs = walk.excludes;
    for (int i = optind; i < count; i++)
        walk.roots[walk.roots_count++] = text(words[i]);
    if (walk.roots_count == 0)
        walk.roots[walk.roots_count++] = text(".");
    return walk;
}

static void free_words(struct walk *walk)
{
    while (walk->extensions_count > 0)
        free(walk->extensions[--walk->extensions_count]);
    free(walk->extensions);
    free(walk->globs);
    free(walk->excludes);
    free(walk->roots);
}

static void tell(struct walk *walk, const fewer_entry *entry, const char *bytes)
{
    walk->entries++;
    walk->kinds[entry->kind <= FEWER_CHAR ? entry->kind : FEWER_UNKNOWN]++;
    if (walk->count)
        return;
    if (walk->json) {
        print_text("{\"v\":1,\"path\":");
        print_json(bytes + entry->path, entry->path_length);
        print_format(",\"kind\":\"%s\",\"depth\":%u,\"inode\":%llu}\n",
                     fewer_kind_name(entry->kind),
                     entry->depth, (unsigned long long)entry->inode);
        return;
    }
    print(bytes + entry->path, entry->path_length);
    print(&walk->end, 1);
}

/* What could not be looked at does not end the walk. A root that is not there is worse. */
static void tell_failure(struct walk *walk, const fewer_failure *failure, const char *bytes)
{
    complain_text("fewer", "%.*s", (int)failure->message_length, bytes + failure->message);
    walk->failures++;
    if (strncmp(bytes + failure->message, "cannot access ", 14) != 0)
        return;
    for (size_t i = 0; i < walk->roots_count; i++) {
        if (walk->roots[i].length == failure->path_length
            && memcmp(walk->roots[i].bytes, bytes + failure->path, failure->path_length) == 0) {
            walk->failed_roots++;
            return;
        }
    }
}

static void print_count(const struct walk *walk)
{
    unsigned long long all = walk->entries, directories = walk->kinds[FEWER_DIRECTORY],
                       files = walk->kinds[FEWER_FILE], links = walk->kinds[FEWER_SYMLINK];
    unsigned long long other = all - directories - files - links;
    const char *format = walk->json
        ? "{\"v\":1,\"entries\":%llu,\"directories\":%llu,\"files\":%llu,\"links\":%llu,"
          "\"other\":%llu}\n"
        : "%llu entries, %llu directories, %llu files, %llu links, %llu other\n";
    print_format(format, all, directories, files, links, other);
}

int walk_verb(int count, char **words)
{
    struct walk walk = read_words(count, words);
    if (walk.summary) {
        if (!walk.json || walk.count)
            not_expressible("how summaries are laid out");
        int status = summary_of(walk.roots, walk.roots_count, &walk.options);
        free_words(&walk);
        return status;
    }
    fewer_walk *handle = NULL;
    fewer_error *error = NULL;
    int number = fewer_walk_open(NULL, walk.roots, walk.roots_count, &walk.options,
                                 sizeof walk.options, &handle, &error);
    fewer_walk_batch batch;
    while (number == 0 && (number = fewer_walk_next(handle, &batch, &error)) == 0
           && batch.bytes != NULL) {
        for (size_t i = 0; i < batch.entries_count; i++)
            tell(&walk, &batch.entries[i], batch.bytes);
        for (size_t i = 0; i < batch.failures_count; i++)
            tell_failure(&walk, &batch.failures[i], batch.bytes);
    }
    fewer_walk_close(handle);
    if (number != 0)
        complain("fewer", error);
    else if (walk.count)
        print_count(&walk);
    free_words(&walk);
    if (number != 0 || walk.failed_roots >= walk.roots_count)
        return FAILED;
    return walk.failures > 0 ? PARTLY : WELL;
}
