/* The floor of a listing: what the kernel costs for one directory and its files' metadata.
 *
 * openat, getdents64 into one big block until the directory ends, close; and one statx for each
 * name, relative to the held directory, the names being shared among threads in pieces of 256.
 * Nothing is sorted, named or printed.
 *
 *     cc -O2 -pthread -o floor-list list.c
 *     floor-list [-j THREADS] [-n] DIRECTORY
 *
 * -j  1 (default) to 64 threads
 * -n  names only: no statx
 *
 * Prints "E entries, B blocks", without those that begin with a dot, as ls does. Exit status 1 if
 * something could not be read, 2 on wrong use. */

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { THREADS_MOST = 64, BLOCK_BYTES = 256 * 1024, PIECE = 256 };

static int directory;
static char *text;     /* all blocks, one after the other */
static size_t *names;  /* where in the text each name lies */
static size_t name_count;
static atomic_size_t next_name;
static atomic_ullong blocks;
static atomic_bool failed;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void *more(void *memory, size_t bytes)
{
    memory = realloc(memory, bytes);
    if (memory == NULL)
        die("realloc");
    return memory;
}

static void read_names(void)
{
    size_t used = 0, room = 0;
    for (;;) {
        if (room - used < BLOCK_BYTES)
            text = more(text, room = room * 2 + BLOCK_BYTES);
        ssize_t got = getdents64(directory, text + used, BLOCK_BYTES);
        if (got < 0)
            die("getdents64");
        if (got == 0)
            return;
        used += (size_t)got;
        size_t name_room = used / 24 + 1; /* no record is shorter */
        names = more(names, name_room * sizeof *names);
        for (size_t at = used - (size_t)got; at < used;) {
            struct dirent64 *entry = (struct dirent64 *)(text + at);
            if (entry->d_name[0] != '.')
                names[name_count++] = (size_t)(entry->d_name - text);
            at += entry->d_reclen;
        }
    }
}

static void *ask(void *unused)
{
    (void)unused;
    unsigned long long sum = 0;
    struct statx about;
    for (;;) {
        size_t from = atomic_fetch_add_explicit(&next_name, PIECE, memory_order_relaxed);
        if (from >= name_count)
            break;
        size_t to = from + PIECE < name_count ? from + PIECE : name_count;
        for (; from < to; from++) {
            if (statx(directory, text + names[from], AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
                      STATX_BASIC_STATS, &about) != 0)
                atomic_store(&failed, true);
            else
                sum += about.stx_blocks;
        }
    }
    atomic_fetch_add(&blocks, sum);
    return NULL;
}

int main(int argc, char **argv)
{
    int option, thread_count = 1;
    bool names_only = false;
    while ((option = getopt(argc, argv, "j:n")) != -1) {
        if (option == 'j')
            thread_count = atoi(optarg);
        else if (option == 'n')
            names_only = true;
        else
            return 2;
    }
    if (optind + 1 != argc || thread_count < 1 || thread_count > THREADS_MOST) {
        fputs("usage: floor-list [-j THREADS] [-n] DIRECTORY\n", stderr);
        return 2;
    }
    directory = open(argv[optind], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        die(argv[optind]);
    read_names();
    if (!names_only) {
        pthread_t threads[THREADS_MOST];
        for (int i = 1; i < thread_count; i++)
            if (pthread_create(&threads[i], NULL, ask, NULL) != 0)
                die("pthread_create");
        ask(NULL);
        for (int i = 1; i < thread_count; i++)
            pthread_join(threads[i], NULL);
    }
    close(directory);
    printf("%zu entries, %llu blocks\n", name_count, atomic_load(&blocks));
    return failed;
}
