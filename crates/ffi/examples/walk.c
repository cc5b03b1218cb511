/* How many entries a tree has: fewer_walk, a batch at a time.
 *
 *     cc walk.c -o walk $(pkg-config --cflags --libs fewer)
 *     ./walk /usr/share
 *
 * Prints what `find DIRECTORY | wc -l` prints, if no name has a newline in it. */
#include <fewer.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int give_up(fewer_error *error) {
    fprintf(stderr, "walk: %s\n", fewer_error_message(error));
    fewer_error_free(error);
    return 2;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : ".";
    fewer_text root = {path, strlen(path)};
    fewer_walk *walk;
    fewer_error *error;
    /* No options: any order, all processors. */
    if (fewer_walk_open(NULL, &root, 1, NULL, 0, &walk, &error) != 0)
        return give_up(error);

    uint64_t entries = 0;
    int status = 0;
    for (;;) {
        fewer_walk_batch batch;
        if (fewer_walk_next(walk, &batch, &error) != 0) {
            fewer_walk_close(walk);
            return give_up(error);
        }
        if (batch.bytes == NULL)
            break;
        entries += batch.entries_count;
        /* What could not be looked at does not end a walk. */
        for (size_t i = 0; i < batch.failures_count; i++) {
            fprintf(stderr, "walk: %s\n", batch.bytes + batch.failures[i].message);
            status = 1;
        }
    }
    fewer_walk_close(walk);
    printf("%" PRIu64 "\n", entries);
    return fflush(stdout) == 0 ? status : 2;
}
