/* Text: where lines end, what is known about them, counting, the last ones, all in one piece. */
#include "test.h"

static fewer_error *error;

#define OPTIONS(...) (fewer_lines_options){__VA_ARGS__}

static fewer_lines *open_file(const char *path, fewer_lines_options options) {
    fewer_lines *lines = NULL;
    FINE(fewer_lines_open(NULL, P(path), &options, sizeof options, &lines, &error));
    return lines;
}

/* What the rest is, one `number flags bytes|` for each line; what holds for any batch is checked.
 * Back comes the answer that ended it. */
static int show_rest(fewer_lines *lines, char *shown, size_t size) {
    uint64_t number = 1, offset = 0;
    size_t length = 0;
    int ends = 0, answer = 0;
    shown[0] = '\0';
    while (ends < 3) {
        fewer_lines_batch batch;
        answer = fewer_lines_next(lines, &batch, &error);
        if (answer != 0)
            return answer;
        if (batch.bytes == NULL) {
            CHECK(batch.ends == NULL && batch.flags == NULL);
            EQUAL(batch.lines_count + batch.bytes_length, 0);
            ends++;
            continue;
        }
        EQUAL(ends, 0);
        EQUAL(batch.number, number);
        EQUAL(batch.offset, offset);
        CHECK(batch.lines_count > 0);
        EQUAL(batch.ends[batch.lines_count - 1], batch.bytes_length);
        for (size_t i = 0, start = 0; i < batch.lines_count; start = batch.ends[i++])
            length += snprintf(shown + length, size - length, "%" PRIu64 " %u %.*s|",
                               batch.number + i, batch.flags[i], (int)(batch.ends[i] - start),
                               batch.bytes + start);
        number += batch.lines_count;
        offset += batch.bytes_length;
    }
    return answer;
}

static void shows(int line, const char *content, fewer_lines_options options,
                  const char *expected) {
    char shown[4096];
    make_file("text", content);
    fewer_lines *lines = open_file("text", options);
    equal(line, "the answer", show_rest(lines, shown, sizeof shown), 0);
    fewer_lines_close(lines);
    text(line, "what is shown", shown, strlen(shown), expected);
}
#define SHOWS(content, options, expected) shows(__LINE__, content, options, expected)

static void lines_end_where_they_should(void) {
    SHOWS("", OPTIONS(0), "");
    SHOWS("a\nbc\n", OPTIONS(0), "1 7 a\n|2 7 bc\n|");
    SHOWS("a\n\nb", OPTIONS(0), "1 7 a\n|2 7 \n|3 3 b|");
    SHOWS("a\r\nb\r\r\nc\r", OPTIONS(0), "1 7 a\r\n|2 7 b\r\r\n|3 3 c\r|");
    SHOWS("a\r\nb\r\r\nc\r", OPTIONS(.flags = FEWER_LINES_CRLF),
          "1 15 a\r\n|2 15 b\r\r\n|3 3 c\r|");
}

static void a_nul_can_end_a_line(void) {
    const int64_t offsets[] = {0, 1, 1, 4};
    fewer_lines_column column;
    make_bytes("text", "a\0\0b\nc", 6);
    fewer_lines *lines = open_file("text", OPTIONS(.flags = FEWER_LINES_NUL));
    FINE(fewer_lines_collect(lines, &column, &error));
    TEXT(column.bytes, column.bytes_length, "ab\nc");
    EQUAL(column.lines_count, 3);
    CHECK(memcmp(column.offsets, offsets, sizeof offsets) == 0);
    fewer_lines_close(lines);
}

static void what_is_known_is_what_was_asked_for(void) {
    const char *content = "a\n\xc3\xa4\n\xff\n";
    SHOWS(content, OPTIONS(.check = FEWER_CHECK_NOTHING),
          "1 4 a\n|2 4 \xc3\xa4\n|3 4 \xff\n|");
    SHOWS(content, OPTIONS(.check = FEWER_CHECK_ASCII), "1 7 a\n|2 4 \xc3\xa4\n|3 4 \xff\n|");
    SHOWS(content, OPTIONS(.check = FEWER_CHECK_UTF8), "1 7 a\n|2 6 \xc3\xa4\n|3 4 \xff\n|");
}

static void strict_says_where_the_text_is_wrong(void) {
    const fewer_lines_options options = {.check = FEWER_CHECK_STRICT};
    char shown[256];
    fewer_position position;
    make_file("text", "good\n\xc3\xa4x\xff\nmore\n");
    fewer_lines *lines = open_file("text", options);
    EQUAL(show_rest(lines, shown, sizeof shown), EILSEQ);
    EQUAL(fewer_error_number(error), EILSEQ);
    fewer_error_position(error, &position);
    EQUAL(position.line, 2);
    EQUAL(position.offset, 8);
    EQUAL(position.column, 3);
    size_t length;
    const char *path = fewer_error_path(error, &length);
    TEXT(path, length, "text");
    CHECK(strlen(fewer_error_message(error)) > 0);
    CHECK(fewer_error_action(error) != FEWER_ACTION_OTHER);
    fewer_error_free(error);
    error = NULL;
    fewer_lines_close(lines);
}

/* Small blocks cut lines in two; what is shown must not depend on them. */
static void any_block_shows_the_same(void) {
    const char *content = "one\r\n\r\na line that is longer\nd\xc3\xa4\xc3\xb6\r\nthe end";
    const char *expected = "1 15 one\r\n|2 15 \r\n|3 7 a line that is longer\n|"
                           "4 14 d\xc3\xa4\xc3\xb6\r\n|5 3 the end|";
    for (uint32_t block = 0; block < 50; block++)
        SHOWS(content,
              OPTIONS(.flags = FEWER_LINES_CRLF, .check = FEWER_CHECK_UTF8, .block_bytes = block),
              expected);
}

static void a_batch_lasts_until_the_next_call(void) {
    make_file("text", "first\nsecond\nthird\n");
    fewer_lines *lines = open_file("text", OPTIONS(.block_bytes = 8));
    fewer_lines_batch batch, before = {0};
    size_t batches = 0;
    for (;; before = batch, batches++) {
        if (before.bytes != NULL)
            CHECK(before.bytes[before.ends[0] - 1] == '\n');
        FINE(fewer_lines_next(lines, &batch, &error));
        if (batch.bytes == NULL)
            break;
    }
    CHECK(batches > 1);
    fewer_lines_close(lines);
}

static void lines_are_counted(void) {
    const struct {
        const char *content;
        uint64_t lines, ends, bytes;
    } cases[] = {{"", 0, 0, 0}, {"\n", 1, 1, 1}, {"a", 1, 0, 1}, {"a\nb\nc", 3, 2, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fewer_lines_total total;
        fewer_lines_batch batch;
        make_file("text", cases[i].content);
        fewer_lines *lines = open_file("text", OPTIONS(0));
        FINE(fewer_lines_count(lines, &total, &error));
        EQUAL(total.lines, cases[i].lines);
        EQUAL(total.ends, cases[i].ends);
        EQUAL(total.bytes, cases[i].bytes);
        FINE(fewer_lines_count(lines, &total, &error));
        EQUAL(total.lines + total.ends + total.bytes, 0);
        FINE(fewer_lines_next(lines, &batch, &error));
        CHECK(batch.bytes == NULL);
        fewer_lines_close(lines);
    }
}

static void only_the_rest_is_counted(void) {
    fewer_lines_total total;
    fewer_lines_batch batch;
    make_file("text", "first\nsecond\nthird\nfourth\n");
    fewer_lines *lines = open_file("text", OPTIONS(.block_bytes = 8));
    FINE(fewer_lines_next(lines, &batch, &error));
    uint64_t shown = batch.lines_count, bytes = batch.bytes_length;
    FINE(fewer_lines_count(lines, &total, &error));
    EQUAL(total.lines, 4 - shown);
    EQUAL(total.bytes, 26 - bytes);
    fewer_lines_close(lines);
}

static void the_last_lines_are_kept(void) {
    const char *const expected[] = {"", "1 3 d|", "1 7 c\n|2 3 d|", "1 7 b\n|2 7 c\n|3 3 d|",
                                    "1 7 a\n|2 7 b\n|3 7 c\n|4 3 d|"};
    char shown[256];
    make_file("text", "a\nb\nc\nd");
    for (uint64_t count = 0; count < 8; count++) {
        fewer_lines *lines = open_file("text", OPTIONS(.block_bytes = 3));
        FINE(fewer_lines_last(lines, count < 7 ? count : UINT64_MAX, &error));
        size_t length = 0;
        fewer_lines_batch batch;
        shown[0] = '\0';
        while (fewer_lines_next(lines, &batch, &error) == 0 && batch.bytes != NULL)
            for (size_t i = 0, start = 0; i < batch.lines_count; start = batch.ends[i++])
                length += snprintf(shown + length, sizeof shown - length, "%" PRIu64 " %u %.*s|",
                                   batch.number + i, batch.flags[i],
                                   (int)(batch.ends[i] - start), batch.bytes + start);
        const char *wanted = expected[count < 4 ? count : 4];
        TEXT(shown, strlen(shown), wanted);
        fewer_lines_close(lines);
    }
}

static void lines_are_collected_without_their_ends(void) {
    const int64_t offsets[] = {0, 1, 1, 4, 6};
    fewer_lines_column column;
    make_file("text", "a\r\n\r\nb\rc\r\n\xc3\xa4");
    fewer_lines *lines =
        open_file("text", OPTIONS(.flags = FEWER_LINES_CRLF, .check = FEWER_CHECK_UTF8));
    FINE(fewer_lines_collect(lines, &column, &error));
    EQUAL(column.lines_count, 4);
    TEXT(column.bytes, column.bytes_length, "ab\rc\xc3\xa4");
    CHECK(memcmp(column.offsets, offsets, sizeof offsets) == 0);
    EQUAL(column.is_ascii, 0);
    EQUAL(column.is_utf8, 1);
    FINE(fewer_lines_collect(lines, &column, &error));
    EQUAL(column.lines_count, 0);
    EQUAL(column.offsets[0], 0);
    fewer_lines_close(lines);

    make_file("text", "a\nb\n");
    lines = open_file("text", OPTIONS(0));
    FINE(fewer_lines_collect(lines, &column, &error));
    EQUAL(column.is_ascii + column.is_utf8, 2);
    EQUAL(column.lines_count, 2);
    fewer_lines_close(lines);

    make_file("text", "a\n\xff\n");
    lines = open_file("text", OPTIONS(.check = FEWER_CHECK_STRICT));
    REFUSED(fewer_lines_collect(lines, &column, &error), EILSEQ);
    fewer_lines_close(lines);
}

static void a_borrowed_descriptor_stays_open(void) {
    fewer_lines *lines = NULL;
    fewer_lines_total total;
    fewer_lines_batch batch;
    fewer_descriptor pipe = pipe_with("a\nb\n");
    FINE(fewer_lines_borrow(pipe, P("the pipe"), NULL, 0, &lines, &error));
    FINE(fewer_lines_next(lines, &batch, &error));
    EQUAL(batch.lines_count, 2);
    FINE(fewer_lines_count(lines, &total, &error));
    EQUAL(total.lines, 0);
    fewer_lines_close(lines);
    CHECK(is_open(pipe));
    close_file(pipe);
}

static void a_directory_is_no_text(void) {
    SKIP_UNLESS(KNOWS_READ_DIRECTORY, "Windows says only that a directory cannot be read");
    fewer_lines *lines = NULL;
    fewer_lines_batch batch;
    fewer_descriptor directory = open_for_test(".");
    FINE(fewer_lines_borrow(directory, "in\npart", 7, NULL, 0, &lines, &error));
    EQUAL(fewer_lines_next(lines, &batch, &error), EISDIR);
    const char *message = fewer_error_message(error);
    TEXT(message, strlen(message), "cannot read 'in\\npart': Is a directory");
    fewer_error_free(error);
    error = NULL;
    fewer_lines_close(lines);
    close_file(directory);
}

static void a_descriptor_is_read_from_where_it_stands(void) {
    fewer_lines *lines = NULL;
    fewer_lines_column column;
    make_file("text", "skipped\nread\n");
    fewer_descriptor file = open_for_test("text");
    skip_bytes(file, 8);
    FINE(fewer_lines_borrow(file, P("text"), NULL, 0, &lines, &error));
    FINE(fewer_lines_collect(lines, &column, &error));
    TEXT(column.bytes, column.bytes_length, "read");
    fewer_lines_close(lines);
    close_file(file);
}

/* Over 8 MiB several threads collect. */
static void a_large_text_is_the_same_by_any_number_of_threads(void) {
    enum { LINES = 300000, BYTES = 40 };
    FILE *file = fopen("large", "wb");
    for (int i = 0; file != NULL && i < LINES; i++)
        fprintf(file, "%038d\r\n", i);
    if (file == NULL || fclose(file) != 0)
        no_way_on("large");
    for (uint32_t threads = 0; threads < 4; threads++) {
        fewer_lines_total total;
        fewer_lines_column column;
        fewer_lines *lines = open_file("large", OPTIONS(.threads = threads));
        FINE(fewer_lines_count(lines, &total, &error));
        EQUAL(total.lines, LINES);
        EQUAL(total.bytes, (uint64_t)LINES * BYTES);
        fewer_lines_close(lines);
        lines = open_file("large", OPTIONS(.flags = FEWER_LINES_CRLF, .threads = threads));
        FINE(fewer_lines_collect(lines, &column, &error));
        EQUAL(column.lines_count, LINES);
        int wrong_lines = 0;
        for (int64_t i = 0; i < LINES; i++) {
            char number[BYTES];
            snprintf(number, sizeof number, "%038d", (int)i);
            wrong_lines += column.offsets[i] != i * 38 ||
                           memcmp(column.bytes + column.offsets[i], number, 38) != 0;
        }
        EQUAL(wrong_lines, 0);
        fewer_lines_close(lines);
    }
}

/* The numbers in the lines of `large` and the lengths of these, added up; of so many batches. */
static int64_t sum_of_large(uint32_t flags, int batches) {
    fewer_lines *lines = open_file("large", OPTIONS(.flags = flags));
    fewer_lines_batch batch;
    int64_t sum = 0;
    for (int i = 0; i != batches; i++) {
        FINE(fewer_lines_next(lines, &batch, &error));
        if (batch.bytes == NULL)
            break;
        for (size_t line = 0, start = 0; line < batch.lines_count; start = batch.ends[line++])
            sum += atoi(batch.bytes + start) + batch.ends[line] - start;
        if (i == 6)
            EQUAL(threads_now(), 1 + (flags != 0));
    }
    fewer_lines_close(lines);
    CHECK(only_one_thread_is_left());
    return sum;
}

/* Comes behind the test that makes the file. */
static void a_thread_that_reads_ahead_hands_over_the_same_and_ends(void) {
    int64_t sum = 40 * (int64_t)300000 + (int64_t)300000 * 299999 / 2;
    CHECK(only_one_thread_is_left());
    EQUAL(sum_of_large(0, -1), sum);
    EQUAL(sum_of_large(FEWER_LINES_READ_AHEAD, -1), sum);
    sum_of_large(FEWER_LINES_READ_AHEAD, 8);
}

static void what_was_read_ahead_is_counted(void) {
    fewer_lines *lines = open_file("large", OPTIONS(.flags = FEWER_LINES_READ_AHEAD));
    fewer_lines_batch batch;
    fewer_lines_total total;
    uint64_t seen = 0;
    for (int i = 0; i < 7; i++) {
        FINE(fewer_lines_next(lines, &batch, &error));
        seen += batch.lines_count;
    }
    FINE(fewer_lines_count(lines, &total, &error));
    EQUAL(seen + total.lines, 300000);
    fewer_lines_close(lines);
}

static void utf8_becomes_code_points(void) {
    const char utf8[] = "0123456789 n\xc3\xb6\xe2\x82\xac\xf0\x9f\xa6\x80 0123456789";
    uint32_t points[32];
    size_t count = 0, length = sizeof utf8 - 1;
    EQUAL(fewer_decode_utf8(utf8, length, NULL, 0, &count), 0);
    EQUAL(count, 26);
    memset(points, 0xff, sizeof points);
    EQUAL(fewer_decode_utf8(utf8, length, points, count - 1, &count), 0);
    EQUAL(points[0], UINT32_MAX);
    EQUAL(fewer_decode_utf8(utf8, length, points, count, &count), 0);
    for (int i = 0; i < 11; i++)
        CHECK(points[i] == (uint32_t)utf8[i] && points[i + 15] == (uint32_t)" 0123456789"[i]);
    CHECK(points[11] == 'n' && points[12] == 0xf6 && points[13] == 0x20ac && points[14] == 0x1f980);
    EQUAL(points[26], UINT32_MAX);
    const char *wrong[] = { "\xff", "\xc0\xaf", "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        EQUAL(fewer_decode_utf8(wrong[i], strlen(wrong[i]), points, 32, &count), EILSEQ);
    EQUAL(points[0], '0');
    EQUAL(fewer_decode_utf8(NULL, 0, NULL, 0, &count), 0);
    EQUAL(count, 0);
    EQUAL(fewer_decode_utf8(NULL, 1, points, 32, &count), EINVAL);
    EQUAL(fewer_decode_utf8("a", 1, NULL, 1, &count), EINVAL);
    EQUAL(fewer_decode_utf8("a", 1, points, 32, NULL), EINVAL);
}

int main(void) {
    begin();
    RUN(lines_end_where_they_should);
    RUN(a_nul_can_end_a_line);
    RUN(what_is_known_is_what_was_asked_for);
    RUN(strict_says_where_the_text_is_wrong);
    RUN(any_block_shows_the_same);
    RUN(a_batch_lasts_until_the_next_call);
    RUN(lines_are_counted);
    RUN(only_the_rest_is_counted);
    RUN(the_last_lines_are_kept);
    RUN(lines_are_collected_without_their_ends);
    RUN(a_borrowed_descriptor_stays_open);
    RUN(a_directory_is_no_text);
    RUN(a_descriptor_is_read_from_where_it_stands);
    RUN(a_large_text_is_the_same_by_any_number_of_threads);
    RUN(a_thread_that_reads_ahead_hands_over_the_same_and_ends);
    RUN(what_was_read_ahead_is_counted);
    RUN(utf8_becomes_code_points);
    return end("lines");
}
