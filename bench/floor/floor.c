/* The floor: what the kernel costs for a walk over a tree, and nothing else.
 *
 * For each directory: openat relative to the held directory above, getdents64 into one big block,
 * close. Each thread goes depth first over a stack of its own; when another thread is idle, a busy
 * one gives away the older half of its stack, which holds the shallowest directories. Nobody
 * polls: an idle thread sleeps on a futex, a busy one looks at one shared number per directory.
 * Entries are counted, never printed.
 *
 *     cc -O2 -pthread -o floor floor.c
 *     floor [-j THREADS] [-b BLOCK_BYTES] [-l] [-s] [-r ROUNDS] DIRECTORY
 *
 * -j  1 (default) to 64 threads
 * -b  bytes of the block lent to getdents64, default 262144
 * -l  the long form: ask getdents64 until it returns 0. Without it the end is read off the last
 *     record: its d_off is the largest value on ext4 (0x7fffffffffffffff) and tmpfs (0x7fffffff).
 *     That is safe on these file systems only, which is checked once, for the root: the tree must
 *     not hold mount points of another kind.
 *
 * -s  for a listing: one statx for each entry as well, relative to the directory that holds it
 *
 * -r  once, and then ROUNDS times more; print the median of the latter's times
 *
 * Prints "E entries, D directories, F files, L links, O other", with -r also ", T ms", the root
 * being one of the directories. Exit status 1 if a directory could not be read, 2 on wrong use. */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MOST = 64, ROUNDS_MOST = 1000 };

/* An open directory with subdirectories still to be opened, each of which counts as one user. */
struct held {
    atomic_int users;
    int fd;
    struct held *next_free;
};

/* A directory to be read: its name lies in the thread's text, from `name` on. */
struct pending {
    struct held *above;
    size_t name;
};

struct counts {
    uint64_t directories, files, links, other, errors;
};

struct worker {
    pthread_t thread;
    char *block;
    struct pending *stack;
    size_t height, stack_room;
    char *text;
    size_t text_end, text_room;
    struct held *free_list;
    struct counts counts;
    /* 0: nothing given, sleeping allowed; 1: given or told to end. A futex. */
    _Alignas(64) atomic_uint given;
};

static struct worker workers[THREADS_MOST];
static int thread_count = 1;
static bool stat_each;
static size_t block_bytes = 256 * 1024;
static bool long_form;
static int64_t last_offset = -1;

/* Looked at by busy threads once per directory; on a line of its own. */
static _Alignas(64) atomic_int idle_count;
static _Alignas(64) pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct worker *idle[THREADS_MOST];
static bool ended;

static void die(const char *what)
{
    perror(what);
    exit(2);
}

static void *grown(void *memory, size_t bytes)
{
    memory = realloc(memory, bytes);
    if (!memory)
        die("realloc");
    return memory;
}

static void push(struct worker *w, struct held *above, const char *name, size_t bytes)
{
    if (w->height == w->stack_room) {
        w->stack_room = w->stack_room ? w->stack_room * 2 : 4096;
        w->stack = grown(w->stack, w->stack_room * sizeof *w->stack);
    }
    if (w->text_end + bytes > w->text_room) {
        w->text_room = w->text_room ? w->text_room * 2 : 256 * 1024;
        w->text = grown(w->text, w->text_room);
    }
    w->stack[w->height++] = (struct pending){above, w->text_end};
    memcpy(w->text + w->text_end, name, bytes);
    w->text_end += bytes;
}

static struct held *take_held(struct worker *w)
{
    struct held *held = w->free_list;
    if (held) {
        w->free_list = held->next_free;
        return held;
    }
    return grown(NULL, sizeof *held);
}

/* One user less; the last one closes. */
static void let_go(struct worker *w, struct held *held)
{
    /* Seeing 1, this thread is the only user left, and nobody can become one. */
    if (atomic_load_explicit(&held->users, memory_order_acquire) != 1
        && atomic_fetch_sub_explicit(&held->users, 1, memory_order_acq_rel) != 1)
        return;
    syscall(SYS_close, held->fd);
    held->next_free = w->free_list;
    w->free_list = held;
}

static void stat_one(struct worker *w, int fd, const char *name)
{
    struct statx about;
    if (statx(fd, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_BASIC_STATS, &about) != 0)
        w->counts.errors++;
}

/* Counts the entries of one block and pushes its directories; returns how many those were. */
static int take_block(struct worker *w, struct held *held, const char *at, const char *end,
                      int64_t *offset)
{
    const struct dirent64 *entry = NULL;
    int pushed = 0;
    for (; at < end; at += entry->d_reclen) {
        entry = (const struct dirent64 *)at;
        const char *name = entry->d_name;
        if (entry->d_type == DT_REG) {
            w->counts.files++;
            if (stat_each)
                stat_one(w, held->fd, name);
            continue;
        }
        if (entry->d_type == DT_DIR && name[0] == '.'
            && (!name[1] || (name[1] == '.' && !name[2])))
            continue;
        if (stat_each)
            stat_one(w, held->fd, name);
        if (entry->d_type == DT_DIR) {
            /* The record is padded with less than 8 bytes: copying them beats a strlen. */
            push(w, held, name, (size_t)(at + entry->d_reclen - name));
            pushed++;
        } else if (entry->d_type == DT_LNK)
            w->counts.links++;
        else
            w->counts.other++;
    }
    *offset = entry ? entry->d_off : -1;
    return pushed;
}

static void read_directory(struct worker *w, int at_fd, const char *name)
{
    int fd = (int)syscall(SYS_openat, at_fd, name,
                          O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) {
        w->counts.errors++;
        return;
    }
    w->counts.directories++;
    struct held *held = take_held(w);
    held->fd = fd;
    int pushed = 0;
    for (;;) {
        long got = syscall(SYS_getdents64, fd, w->block, block_bytes);
        if (got < 0)
            w->counts.errors++;
        if (got <= 0)
            break;
        int64_t offset;
        pushed += take_block(w, held, w->block, w->block + got, &offset);
        if (!long_form && offset == last_offset)
            break;
    }
    /* What was pushed is still this thread's alone: the number may be set last. */
    atomic_store_explicit(&held->users, pushed ? pushed : 1, memory_order_release);
    if (!pushed)
        let_go(w, held);
}

static void wake(struct worker *w)
{
    atomic_store_explicit(&w->given, 1, memory_order_release);
    syscall(SYS_futex, &w->given, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Gives the older half of the stack to one idle thread. */
static void give(struct worker *w)
{
    pthread_mutex_lock(&lock);
    int left = atomic_load_explicit(&idle_count, memory_order_relaxed);
    struct worker *to = left ? idle[left - 1] : NULL;
    if (to)
        atomic_store_explicit(&idle_count, left - 1, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
    if (!to)
        return;
    size_t half = w->height / 2, kept = w->height - half, text = w->stack[half].name;
    for (size_t i = 0; i < half; i++) {
        size_t name = w->stack[i].name;
        push(to, w->stack[i].above, w->text + name, w->stack[i + 1].name - name);
    }
    memmove(w->stack, w->stack + half, kept * sizeof *w->stack);
    memmove(w->text, w->text + text, w->text_end - text);
    w->height = kept;
    w->text_end -= text;
    for (size_t i = 0; i < kept; i++)
        w->stack[i].name -= text;
    wake(to);
}

/* Waits to be given something; false when all threads wait, which ends the walk. */
static bool wait_for_work(struct worker *w)
{
    pthread_mutex_lock(&lock);
    int count = atomic_load_explicit(&idle_count, memory_order_relaxed);
    if (count + 1 == thread_count) {
        ended = true;
        for (int i = 0; i < count; i++)
            wake(idle[i]);
        pthread_mutex_unlock(&lock);
        return false;
    }
    atomic_store_explicit(&w->given, 0, memory_order_relaxed);
    idle[count] = w;
    atomic_store_explicit(&idle_count, count + 1, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
    while (!atomic_load_explicit(&w->given, memory_order_acquire))
        syscall(SYS_futex, &w->given, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    return !ended;
}

static void *work(void *argument)
{
    struct worker *w = argument;
    do {
        while (w->height) {
            if (w->height > 1 && atomic_load_explicit(&idle_count, memory_order_relaxed))
                give(w);
            struct pending *top = &w->stack[--w->height];
            w->text_end = top->name;
            struct held *above = top->above;
            /* The name stays where it is until something is pushed, which is after the open. */
            read_directory(w, above ? above->fd : AT_FDCWD, w->text + top->name);
            if (above)
                let_go(w, above);
        }
    } while (thread_count > 1 && wait_for_work(w));
    return NULL;
}

static void find_last_offset(const char *root)
{
    struct statfs about;
    if (long_form || statfs(root, &about) != 0) {
        long_form = true;
        return;
    }
    if (about.f_type == EXT4_SUPER_MAGIC)
        last_offset = INT64_MAX;
    else if (about.f_type == TMPFS_MAGIC)
        last_offset = INT32_MAX;
    else
        long_form = true;
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* One walk: what there is. Blocks and stacks are those of the walk before. */
static struct counts walk(const char *root)
{
    atomic_store(&idle_count, 0);
    ended = false;
    for (int i = 0; i < thread_count; i++) {
        workers[i].counts = (struct counts){0};
        workers[i].text_end = 0;
    }
    push(&workers[0], NULL, root, strlen(root) + 1);
    for (int i = 1; i < thread_count; i++)
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            die("pthread_create");
    work(&workers[0]);
    struct counts sum = workers[0].counts;
    for (int i = 1; i < thread_count; i++) {
        pthread_join(workers[i].thread, NULL);
        sum.directories += workers[i].counts.directories;
        sum.files += workers[i].counts.files;
        sum.links += workers[i].counts.links;
        sum.other += workers[i].counts.other;
        sum.errors += workers[i].counts.errors;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int option, rounds = 0;
    while ((option = getopt(argc, argv, "j:b:lsr:")) != -1) {
        if (option == 'j')
            thread_count = atoi(optarg);
        else if (option == 'b')
            block_bytes = strtoul(optarg, NULL, 0);
        else if (option == 'l')
            long_form = true;
        else if (option == 's')
            stat_each = true;
        else if (option == 'r')
            rounds = atoi(optarg);
        else
            return 2;
    }
    if (optind + 1 != argc || thread_count < 1 || thread_count > THREADS_MOST
        || block_bytes < 512 || rounds < 0 || rounds > ROUNDS_MOST) {
        fputs("usage: floor [-j THREADS] [-b BLOCK_BYTES] [-l] [-s] [-r ROUNDS] DIRECTORY\n",
              stderr);
        return 2;
    }
    find_last_offset(argv[optind]);
    for (int i = 0; i < thread_count; i++) {
        workers[i].block = mmap(NULL, block_bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (workers[i].block == MAP_FAILED)
            die("mmap");
    }
    struct counts sum = walk(argv[optind]);
    double times[ROUNDS_MOST];
    for (int round = 0; round < rounds; round++) {
        double start = now_ms();
        sum = walk(argv[optind]);
        times[round] = now_ms() - start;
    }
    qsort(times, (size_t)rounds, sizeof *times, compare);
    printf("%lu entries, %lu directories, %lu files, %lu links, %lu other",
           sum.directories + sum.files + sum.links + sum.other, sum.directories, sum.files,
           sum.links, sum.other);
    if (rounds)
        printf(", %.3f ms", times[rounds / 2]);
    putchar('\n');
    return sum.errors ? 1 : 0;
}
