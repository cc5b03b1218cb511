/* The floor of reading lines: what the kernel costs for the bytes of a file, and memchr for each
 * newline in them.
 *
 * open, fstat, read into one block of 256 KiB used over and over, close. With several threads each
 * reads a part of its own with pread. With -t only the end of the file is read, in blocks of 64 KiB
 * from the last one on, and the newlines there are searched backwards.
 *
 *     cc -O2 -pthread -o floor-lines lines.c
 *     floor-lines [-j THREADS] [-t LINES | -r ROUNDS] FILE
 *
 * -j  1 (default) to 64 threads
 * -t  print the last LINES lines
 * -r  do it three times, then ROUNDS times more; print the median of the latter's times
 *
 * Prints "L lines", with -r "L lines, T ms". Exit status 1 if the file could not be read, 2 on
 * wrong use. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MOST = 64, ROUNDS_MOST = 1000, WARM_UP = 3, BLOCK_BYTES = 256 * 1024,
       TAIL_BYTES = 64 * 1024 };

struct part {
    pthread_t thread;
    off_t from, to;
    uint64_t lines;
};

static const char *path;
static int file;
static struct part parts[THREADS_MOST];
static _Alignas(4096) char blocks[THREADS_MOST][BLOCK_BYTES];

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static uint64_t count_block(const char *block, size_t bytes)
{
    uint64_t lines = 0;
    const char *end = block + bytes;
    while ((block = memchr(block, '\n', (size_t)(end - block))) != NULL) {
        lines++;
        block++;
    }
    return lines;
}

static void *count_part(void *which)
{
    struct part *part = which;
    char *block = blocks[part - parts];
    part->lines = 0;
    while (part->from < part->to) {
        off_t left = part->to - part->from;
        size_t wanted = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
        ssize_t got = pread(file, block, wanted, part->from);
        if (got < 0)
            die(path);
        if (got == 0)
            break;
        part->lines += count_block(block, (size_t)got);
        part->from += got;
    }
    return NULL;
}

static off_t open_file(void)
{
    struct stat about;
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0)
        die(path);
    return about.st_size;
}

static uint64_t count(int thread_count)
{
    off_t size = open_file();
    off_t each = size / thread_count / BLOCK_BYTES * BLOCK_BYTES;
    for (int i = 0; i < thread_count; i++) {
        parts[i].from = each * i;
        parts[i].to = i + 1 == thread_count ? size : each * (i + 1);
        if (i > 0 && pthread_create(&parts[i].thread, NULL, count_part, &parts[i]) != 0)
            die("pthread_create");
    }
    count_part(&parts[0]);
    uint64_t lines = parts[0].lines;
    for (int i = 1; i < thread_count; i++) {
        pthread_join(parts[i].thread, NULL);
        lines += parts[i].lines;
    }
    close(file);
    return lines;
}

static void tail(uint64_t wanted)
{
    off_t size = open_file();
    size_t bytes = 0;
    for (;;) {
        bytes = bytes + TAIL_BYTES < (size_t)size ? bytes + TAIL_BYTES : (size_t)size;
        char *end = malloc(bytes + 1);
        if (end == NULL || pread(file, end, bytes, size - (off_t)bytes) != (ssize_t)bytes)
            die(path);
        const char *start = end + bytes;
        if (bytes > 0 && start[-1] == '\n')
            start--; /* it ends the last line */
        uint64_t found = 0;
        while (start > end && (start[-1] != '\n' || ++found < wanted))
            start--;
        if (found == wanted || bytes == (size_t)size) {
            fwrite(start, 1, (size_t)(end + bytes - start), stdout);
            close(file);
            return;
        }
        free(end);
    }
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    int option, thread_count = 1, rounds = 0, last = 0;
    while ((option = getopt(argc, argv, "j:t:r:")) != -1) {
        if (option == 'j')
            thread_count = atoi(optarg);
        else if (option == 't')
            last = atoi(optarg);
        else if (option == 'r')
            rounds = atoi(optarg);
        else
            return 2;
    }
    if (optind + 1 != argc || thread_count < 1 || thread_count > THREADS_MOST || last < 0
        || rounds < 0 || rounds > ROUNDS_MOST) {
        fputs("usage: floor-lines [-j THREADS] [-t LINES | -r ROUNDS] FILE\n", stderr);
        return 2;
    }
    path = argv[optind];
    if (last > 0) {
        tail((uint64_t)last);
        return 0;
    }
    uint64_t lines = 0;
    double times[ROUNDS_MOST];
    for (int round = rounds ? -WARM_UP : 0; round < (rounds ? rounds : 1); round++) {
        double start = now_ms();
        lines = count(thread_count);
        if (round >= 0)
            times[round] = now_ms() - start;
    }
    if (rounds == 0) {
        printf("%lu lines\n", lines);
        return 0;
    }
    qsort(times, (size_t)rounds, sizeof *times, compare);
    printf("%lu lines, %.3f ms\n", lines, times[rounds / 2]);
    return 0;
}
