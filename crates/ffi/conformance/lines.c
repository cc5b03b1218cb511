/* lines: what is in texts. SPDX-License-Identifier: MIT OR Apache-2.0 */

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "conformance.h"

enum { FROM = 256, TO, LAST, CRLF, COUNT, LONGEST, JSON };

static const char letters[] = "0n";
static const struct option names[] = {
    { "count", no_argument, NULL, COUNT },
    { "crlf", no_argument, NULL, CRLF },
    { "from", required_argument, NULL, FROM },
    { "json", no_argument, NULL, JSON },
    { "last", required_argument, NULL, LAST },
    { "longest", no_argument, NULL, LONGEST },
    { "null", no_argument, NULL, '0' },
    { "number", no_argument, NULL, 'n' },
    { "to", required_argument, NULL, TO },
    { NULL, 0, NULL, 0 },
};

struct choice {
    fewer_lines_options options;
    uint64_t from, to, last;
    bool has_last, count, longest, json, numbers;
    bool by_line; /* the bytes as they are will not do */
};

static struct choice read_words(int count, char **words)
{
    struct choice choice = { .from = 1, .to = UINT64_MAX, .options.check = FEWER_CHECK_NOTHING };
    opterr = 0;
    for (int flag; (flag = getopt_long(count, words, letters, names, NULL)) != -1;) {
        switch (flag) {
        case FROM: choice.from = number(optarg, "--from"); break;
        case TO: choice.to = number(optarg, "--to"); break;
        case LAST: choice.last = number(optarg, "--last"), choice.has_last = true; break;
        case CRLF: choice.options.flags |= FEWER_LINES_CRLF; break;
        case '0': choice.options.flags |= FEWER_LINES_NUL; break;
        case COUNT: choice.count = true; break;
        case LONGEST: choice.longest = true; break;
        case JSON: choice.json = true; break;
        case 'n': choice.numbers = true; break;
        default: unknown_flag("lines", optopt, words[optind - 1]);
        }
    }
    choice.by_line = choice.json || choice.numbers || choice.options.flags & FEWER_LINES_CRLF;
    if (choice.has_last && (choice.json || choice.numbers))
        not_expressible("no numbers of the last lines in fewer.h");
    return choice;
}

/* Whether it is the standard input. */
static bool is_input(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

static int open_lines(const struct choice *choice, const char *path, fewer_lines **lines,
                      fewer_error **error)
{
    static const char input[] = "standard input";
    const fewer_lines_options *options = &choice->options;
    if (is_input(path))
        return fewer_lines_borrow(standard_input(), input, sizeof input - 1, options,
                                  sizeof *options, lines, error);
    return fewer_lines_open(NULL, path, strlen(path), options, sizeof *options, lines, error);
}

static void print_line(const struct choice *choice, const fewer_lines_batch *batch, size_t i,
                       const char *path)
{
    uint64_t start = i > 0 ? batch->ends[i - 1] : 0, end = batch->ends[i];
    bool ended = batch->flags[i] & FEWER_LINE_ENDED, crlf = batch->flags[i] & FEWER_LINE_CRLF;
    const char *bytes = batch->bytes + start;
    size_t length = (size_t)(end - start) - ended - crlf;
    unsigned long long number = batch->number + i, offset = batch->offset + start;
    if (choice->json) {
        print_text("{\"v\":1,\"path\":");
        print_json(path == NULL ? "-" : path, path == NULL ? 1 : strlen(path));
        print_format(",\"number\":%llu,\"offset\":%llu,\"line\":", number, offset);
        print_json(bytes, length);
        print_text("}\n");
        return;
    }
    if (choice->numbers)
        print_format("%6llu\t", number);
    print(bytes, length);
    if (ended)
        print(choice->options.flags & FEWER_LINES_NUL ? "" : "\n", 1);
}

/* Those lines of the batch that are wanted; returns whether more may follow. */
static bool print_batch(const struct choice *choice, const fewer_lines_batch *batch,
                        const char *path)
{
    uint64_t first = batch->number, past = first + batch->lines_count;
    size_t from = choice->from <= first ? 0
        : choice->from < past           ? (size_t)(choice->from - first)
                                        : batch->lines_count;
    size_t to = choice->to < first ? 0
        : choice->to < past        ? (size_t)(choice->to - first) + 1
                                   : batch->lines_count;
    if (from < to && !choice->by_line) {
        uint64_t start = from > 0 ? batch->ends[from - 1] : 0;
        print(batch->bytes + start, (size_t)(batch->ends[to - 1] - start));
    } else {
        for (size_t i = from; i < to; i++)
            print_line(choice, batch, i, path);
    }
    return choice->to >= past;
}

/* Prints an input. `*got` says whether there was anything to be read. */
static int print_lines(const struct choice *choice, const char *path, fewer_lines *lines, bool *got,
                       fewer_error **error)
{
    bool more = choice->from <= choice->to;
    int number = 0;
    if (choice->has_last)
        number = fewer_lines_last(lines, choice->last, error);
    fewer_lines_batch batch;
    while (number == 0 && more && (number = fewer_lines_next(lines, &batch, error)) == 0
           && batch.bytes != NULL) {
        *got = true;
        more = print_batch(choice, &batch, path);
        /* If nothing comes from a pipe any more, the reader has seen all there was. */
        if (is_input(path))
            flush();
    }
    flush();
    return number;
}

/* What is told of an input instead of its lines. */
struct sum {
    uint64_t value;
    uint64_t number; /* of the longest line */
    bool got;        /* there was something to be read */
};

static int count_lines(fewer_lines *lines, struct sum *sum, fewer_error **error)
{
    fewer_lines_total total;
    int number = fewer_lines_count(lines, &total, error);
    *sum = (struct sum){ .value = total.ends, .got = total.bytes > 0 };
    return number;
}

static int find_longest(fewer_lines *lines, struct sum *sum, fewer_error **error)
{
    fewer_lines_batch batch;
    int number;
    while ((number = fewer_lines_next(lines, &batch, error)) == 0 && batch.bytes != NULL) {
        sum->got = true;
        for (size_t i = 0; i < batch.lines_count; i++) {
            uint64_t start = i > 0 ? batch.ends[i - 1] : 0;
            uint64_t length = batch.ends[i] - start - !!(batch.flags[i] & FEWER_LINE_ENDED)
                - !!(batch.flags[i] & FEWER_LINE_CRLF);
            if (length > sum->value || sum->number == 0)
                sum->value = length, sum->number = batch.number + i;
        }
    }
    return number;
}

/* Of one input, or of all together, which have no number. */
static void print_sum(const struct choice *choice, const struct sum *sum, int width,
                      const char *path, bool all)
{
    const char *key = choice->longest ? "longest" : "lines";
    unsigned long long value = sum->value;
    if (!choice->json) {
        if (path != NULL && strchr(path, '\n') != NULL)
            not_expressible("names for a shell are a matter of the command line");
        print_format("%*llu%s", width, value, path == NULL ? "" : " ");
        print_text(path == NULL ? "" : path);
        print_text("\n");
        return;
    }
    print_text(all ? "{\"v\":1,\"total\":true" : "{\"v\":1,\"path\":");
    if (!all)
        print_json(path == NULL ? "-" : path, path == NULL ? 1 : strlen(path));
    print_format(",\"%s\":%llu", key, value);
    if (choice->longest && !all)
        print_format(",\"number\":%llu", (unsigned long long)sum->number);
    print_text("}\n");
}

/* As wide as the sizes of all files together; 7 if one is no file. */
static int width_of(int count, char **paths)
{
    uint64_t total = 0;
    int width = 1;
    for (int i = 0; i < count; i++) {
        const char *path = is_input(paths[i]) ? "/dev/stdin" : paths[i];
        fewer_stat stat;
        if (fewer_scope_stat(NULL, path, strlen(path), FEWER_FIELD_KIND | FEWER_FIELD_SIZE, 1,
                             &stat, NULL) != 0)
            continue;
        if (stat.kind == FEWER_FILE)
            total += stat.size;
        else
            width = 7;
    }
    int digits = 1;
    while (total >= 10)
        total /= 10, digits++;
    return digits > width ? digits : width;
}

int lines_verb(int count, char **words)
{
    struct choice choice = read_words(count, words);
    static char *nothing[] = { NULL };
    char **paths = optind < count ? words + optind : nothing;
    int inputs = optind < count ? count - optind : 1, failed = 0, without_any = 0;
    bool sums = choice.count || choice.longest, several = inputs > 1;
    int width = sums && several && !choice.json ? width_of(inputs, paths) : 1;
    struct sum all = { 0 };
    for (int i = 0; i < inputs; i++) {
        fewer_lines *lines = NULL;
        fewer_error *error = NULL;
        struct sum sum = { 0 };
        int number = open_lines(&choice, paths[i], &lines, &error);
        if (number == 0 && sums) {
            number = (choice.count ? count_lines : find_longest)(lines, &sum, &error);
            if (choice.count)
                all.value += sum.value;
            else if (sum.value > all.value)
                all.value = sum.value;
            print_sum(&choice, &sum, width, paths[i], false);
        } else if (number == 0) {
            number = print_lines(&choice, paths[i], lines, &sum.got, &error);
        }
        fewer_lines_close(lines);
        if (number != 0) {
            complain("fewer", error);
            failed++;
            without_any += !sum.got;
        }
    }
    if (sums && several)
        print_sum(&choice, &all, width, "total", true);
    return without_any == inputs ? FAILED : failed > 0 ? PARTLY : WELL;
}
