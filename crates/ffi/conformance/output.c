/* Standard output in blocks, messages, and the calls that are this program's own.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance.h"

enum { BLOCK_BYTES = 128 << 10, LONGEST_FORMAT = 4096 };

static char block[BLOCK_BYTES];
static size_t filled;

static uint64_t writes, reads, closes;
bool reports_calls;

/* Returns 0 or an errno. */
static int write_all(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(descriptor, bytes, length);
        writes++;
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
    return 0;
}

static void write_out(const char *bytes, size_t length)
{
    int number = write_all(STDOUT_FILENO, bytes, length);
    if (number != 0) {
        filled = 0;
        complain_text("fewer", "cannot write to 'standard output': %s", strerror(number));
        end(FAILED);
    }
}

void flush(void)
{
    size_t length = filled;
    filled = 0;
    write_out(block, length);
}

void print(const char *bytes, size_t length)
{
    if (length > BLOCK_BYTES - filled)
        flush();
    if (length > BLOCK_BYTES) {
        write_out(bytes, length);
        return;
    }
    memcpy(block + filled, bytes, length);
    filled += length;
}

void print_text(const char *text)
{
    print(text, strlen(text));
}

void print_format(const char *format, ...)
{
    char text[LONGEST_FORMAT];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (length > 0)
        print(text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

size_t printed(void)
{
    return filled;
}

void unprint(size_t to)
{
    if (to < filled)
        filled = to;
}

/* In one write, so that messages of several programs do not mix. */
static void say(const char *program, const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, values);
    size_t before = strlen(program) + 2;
    char *line = length < 0 ? NULL : malloc(before + (size_t)length + 2);
    if (line != NULL) {
        snprintf(line, before + 1, "%s: ", program);
        vsnprintf(line + before, (size_t)length + 1, format, again);
        line[before + (size_t)length] = '\n';
        /* If this cannot be written, there is nowhere to report it. */
        write_all(STDERR_FILENO, line, before + (size_t)length + 1);
        free(line);
    }
    va_end(again);
}

void complain_text(const char *program, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    say(program, format, values);
    va_end(values);
}

void complain(const char *program, fewer_error *error)
{
    complain_text(program, "%s", fewer_error_message(error));
    fewer_error_free(error);
}

void not_expressible(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    say("not expressible", format, values);
    va_end(values);
    exit(NOT_EXPRESSIBLE);
}

void wrong_usage(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    say("fewer", format, values);
    va_end(values);
    exit(FAILED);
}

void out_of_memory(void)
{
    wrong_usage("%s", strerror(ENOMEM));
}

ssize_t counted_read(fewer_descriptor descriptor, char *buffer, size_t capacity)
{
    reads++;
    return read_file(descriptor, buffer, capacity);
}

void counted_close(fewer_descriptor descriptor)
{
    closes++;
    close_file(descriptor);
}

/* The library's calls and this program's own, in one table behind their sum. */
static void report_calls(void)
{
    enum { MOST = 256, LONGEST_ROW = 64, OWN = 3 };
    const fewer_call_count own[OWN] = {
        { WRITES, writes }, { READS, reads }, { CLOSES, closes },
    };
    fewer_call_count rows[MOST + OWN];
    size_t count = fewer_calls(rows, MOST);
    uint64_t total = 0;
    for (size_t k = 0; k < OWN; k++) {
        size_t i = 0;
        while (i < count && strcmp(rows[i].name, own[k].name) != 0)
            i++;
        if (i < count)
            rows[i].count += own[k].count;
        else
            rows[count++] = own[k];
    }
    for (size_t i = 0; i < count; i++)
        total += rows[i].count;
    char report[(MOST + OWN + 1) * LONGEST_ROW];
    int length = snprintf(report, LONGEST_ROW, "%8llu total\n", (unsigned long long)total);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].count > 0)
            length += snprintf(report + length, LONGEST_ROW, "%8llu %s\n",
                               (unsigned long long)rows[i].count, rows[i].name);
    }
    write_all(STDERR_FILENO, report, (size_t)length);
}

void end(int status)
{
    if (reports_calls)
        report_calls();
    exit(status);
}
