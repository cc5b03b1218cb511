/* The cases of ../../../cases, through fewer.h: a program that takes the words of `fewer walk`,
 * `fewer size`, `fewer lines` and `fewer ls`, as far as the header can express them, and the steps
 * of a scope. It is an example of the header as well.
 *
 *     conformance.c  which verb; what all of it has cost
 *     output.c       standard output in blocks; messages; ends
 *     options.c      words that stand for numbers and flags
 *     json.c         names as JSON has them
 *     system.c       what is another call on Windows; children
 *     walk.c  size.c  lines.c  ls.c  scope.c
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <fewer.h>

/* Exit statuses. */
enum { WELL = 0, PARTLY = 1, FAILED = 2, NOT_EXPRESSIBLE = 125 };

/* Each takes its own name and the words behind it, and gives the exit status. */
int walk_verb(int count, char **words);
int size_verb(int count, char **words);
int lines_verb(int count, char **words);
int ls_verb(int count, char **words);
int scope_steps(int count, char **words);

/* Prints what there is in trees, as JSON; gives the exit status. */
int summary_of(const fewer_text *roots, size_t count, const fewer_walk_options *walk);

/* Prints, in blocks. */
void print(const char *bytes, size_t length);
void print_text(const char *text);
void print_format(const char *format, ...);
/* Takes back what was printed since, if no block has gone out. */
size_t printed(void);
void unprint(size_t to);
/* Everything so far goes out now. */
void flush(void);

/* "WHO: MESSAGE" on standard error; frees the error. */
void complain(const char *program, fewer_error *error);
void complain_text(const char *program, const char *format, ...);
/* Ends the program, since the header has no way to do what is asked. */
_Noreturn void not_expressible(const char *format, ...);
_Noreturn void wrong_usage(const char *format, ...);
_Noreturn void out_of_memory(void);

/* The calls of this program itself, counted as the library counts its own. */
ssize_t counted_read(fewer_descriptor descriptor, char *block, size_t capacity);
void counted_close(fewer_descriptor descriptor);

/* The words of the command line in the bytes that the library takes; output goes out as it is. */
char **words_of_process(char **words);
fewer_descriptor standard_input(void);
ssize_t read_file(fewer_descriptor descriptor, char *block, size_t capacity);
void close_file(fewer_descriptor descriptor);
/* What these calls are called. */
#ifdef _WIN32
#define WRITES "NtWriteFile"
#define READS "NtReadFile"
#define CLOSES "NtClose"
#else
#define WRITES "write"
#define READS "read"
#define CLOSES "close"
#endif
/* Runs a program and waits for it; 0 or an errno. */
int run_child(char **program);
/* Ends the program; with what it has cost, if that was asked for. */
_Noreturn void end(int status);
extern bool reports_calls;

/* A number that is an argument of a flag. */
uint64_t number(const char *text, const char *flag);
/* Ends the program for a flag that getopt did not know; `word` is where it stopped. */
_Noreturn void unknown_flag(const char *verb, int letter, const char *word);

/* {"text":...}, or {"bytes":...} in base 64 for what is not UTF-8. */
void print_json(const char *bytes, size_t length);

#endif
