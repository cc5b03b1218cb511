/* A tree without what lies below some directories: fewer_walk, a directory at a time, which may be
 * told where not to go.
 *
 *     cc prune.c -o prune $(pkg-config --cflags --libs fewer)
 *     ./prune /usr/src .git --calls
 *
 * Prints what `find DIRECTORY -name NAME -prune -o -print` prints, depth-first in byte order; with
 * --calls also, to stderr, which system calls that took. */
#include <fewer.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int give_up(fewer_error *error) {
    fprintf(stderr, "prune: %s\n", fewer_error_message(error));
    fewer_error_free(error);
    return 2;
}

static void print_calls(void) {
    fewer_call_count counts[64];
    size_t known = fewer_calls(counts, 64);
    for (size_t i = 0; i < known && i < 64; i++)
        fprintf(stderr, "%8" PRIu64 " %s\n", counts[i].count, counts[i].name);
}

/* Prints a directory's entries; 1 if something could not be looked at. */
static int print_batch(fewer_walk *walk, const fewer_walk_batch *batch, const char *unwanted) {
    for (size_t i = 0; i < batch->entries_count; i++) {
        const fewer_entry *entry = &batch->entries[i];
        if (strcmp(batch->bytes + entry->name, unwanted) == 0) {
            /* There is nothing to keep the walk out of where it is no directory. */
            fewer_walk_prune(walk, i);
            continue;
        }
        fwrite(batch->bytes + entry->path, 1, entry->path_length, stdout);
        putchar('\n');
    }
    for (size_t i = 0; i < batch->failures_count; i++)
        fprintf(stderr, "prune: %s\n", batch->bytes + batch->failures[i].message);
    return batch->failures_count > 0;
}

int main(int argc, char **argv) {
    int calls = argc == 4 && strcmp(argv[3], "--calls") == 0;
    if (argc != 3 && !calls) {
        fputs("usage: prune DIRECTORY NAME [--calls]\n", stderr);
        return 2;
    }
    const fewer_text root = {argv[1], strlen(argv[1])};
    const fewer_walk_options options = {.flags = FEWER_WALK_BY_DIRECTORY | FEWER_WALK_SORTED};
    fewer_walk *walk;
    fewer_error *error;
    if (fewer_walk_open(NULL, &root, 1, &options, sizeof options, &walk, &error) != 0)
        return give_up(error);
    int status = 0;
    for (;;) {
        fewer_walk_batch batch;
        if (fewer_walk_next(walk, &batch, &error) != 0) {
            fewer_walk_close(walk);
            return give_up(error);
        }
        if (batch.bytes == NULL)
            break;
        status |= print_batch(walk, &batch, argv[2]);
    }
    fewer_walk_close(walk);
    if (calls)
        print_calls();
    return fflush(stdout) == 0 ? status : 2;
}
