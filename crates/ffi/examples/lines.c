/* Lines with their numbers that have a word in them, as `grep -nF`; or, without a word, how many
 * lines there are and how long the longest is, in bytes: fewer_lines, a block at a time.
 *
 *     cc lines.c -o lines $(pkg-config --cflags --libs fewer)
 *     ./lines /var/log/syslog
 *     ./lines /var/log/syslog error
 */
#define _GNU_SOURCE
#include <fewer.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct found {
    uint64_t lines;
    uint64_t longest;
};

static int give_up(fewer_error *error) {
    fprintf(stderr, "lines: %s\n", fewer_error_message(error));
    fewer_error_free(error);
    return 2;
}

static void look_at(const fewer_lines_batch *batch, const char *word, struct found *found) {
    uint64_t start = 0;
    for (size_t i = 0; i < batch->lines_count; i++) {
        const char *line = batch->bytes + start;
        size_t length = batch->ends[i] - start;
        start = batch->ends[i];
        if (batch->flags[i] & FEWER_LINE_ENDED)
            length--;
        if (length > found->longest)
            found->longest = length;
        if (word != NULL && memmem(line, length, word, strlen(word)) != NULL) {
            printf("%" PRIu64 ":", batch->number + i);
            fwrite(line, 1, length, stdout);
            putchar('\n');
        }
    }
    found->lines += batch->lines_count;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fputs("usage: lines FILE [WORD]\n", stderr);
        return 2;
    }
    const char *word = argc > 2 ? argv[2] : NULL;
    const fewer_lines_options options = {.check = FEWER_CHECK_NOTHING};
    struct found found = {0, 0};
    fewer_lines *lines;
    fewer_error *error;
    if (fewer_lines_open(NULL, argv[1], strlen(argv[1]), &options, sizeof options, &lines, &error))
        return give_up(error);
    for (;;) {
        fewer_lines_batch batch;
        if (fewer_lines_next(lines, &batch, &error) != 0) {
            fewer_lines_close(lines);
            return give_up(error);
        }
        if (batch.bytes == NULL)
            break;
        look_at(&batch, word, &found);
    }
    fewer_lines_close(lines);
    if (word == NULL)
        printf("%" PRIu64 " %" PRIu64 "\n", found.lines, found.longest);
    return fflush(stdout) == 0 ? 0 : 2;
}
