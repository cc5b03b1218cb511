/* Several threads among many calls: agent_threads WHAT. */
#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 6

static volatile int wrong, is_over;

static void check(int is_right) {
    if (!is_right)
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
}

/* Calls of which some depend on what others have left. */
static void calls(int from, int count) {
    char name[64], block[16];
    struct stat stat_;
    for (int i = from; i < from + count; i++) {
        snprintf(name, sizeof name, "fixed/entry-%d", i % 300);
        check(stat(name, &stat_) == 0 && stat_.st_size == 0);
        int file = open("fixed/a", O_RDONLY);
        check(file >= 0 && fstat(file, &stat_) == 0 && stat_.st_size == 13);
        check(read(file, block, 16) == 13 && memcmp(block, "hello, world\n", 13) == 0);
        check(lseek(file, 7, SEEK_SET) == 7 && pread(file, block, 5, 0) == 5);
        check(close(file) == 0);
        check(access("fixed/none", F_OK) == -1 && errno == ENOENT);
    }
}

static void *work(void *from) {
    calls((int)(long)from, 400);
    return NULL;
}

static void start(pthread_t *made, int count, void *(*does)(void *)) {
    for (long i = 0; i < count; i++)
        check(pthread_create(made + i, NULL, does, (void *)(i * 30)) == 0);
}

static void join(pthread_t *made, int count) {
    for (int i = 0; i < count; i++)
        check(pthread_join(made[i], NULL) == 0);
}

static void together(void) {
    pthread_t made[THREADS];
    start(made, THREADS, work);
    calls(0, 400);
    join(made, THREADS);
}

/* Descriptors that one thread opens, the next one reads, and a third one closes. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct { int file, number; } queue[2][8];
static int queued[2];

static void put(int stage, int file, int number) {
    pthread_mutex_lock(&lock);
    while (queued[stage] == 8)
        pthread_cond_wait(&changed, &lock);
    queue[stage][queued[stage]].file = file;
    queue[stage][queued[stage]++].number = number;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int get(int stage, int *number) {
    pthread_mutex_lock(&lock);
    while (queued[stage] == 0)
        pthread_cond_wait(&changed, &lock);
    int file = queue[stage][--queued[stage]].file;
    *number = queue[stage][queued[stage]].number;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return file;
}

#define HANDED 3000

static void *reads(void *unused) {
    char block[16];
    int number;
    for (int i = 0; i < HANDED / 2; i++) {
        int file = get(0, &number);
        check(read(file, block, 16) == (number % 2 ? 13 : 0));
        put(1, file, number);
    }
    return NULL;
}

static void *closes(void *unused) {
    struct stat stat_;
    int number;
    for (int i = 0; i < HANDED; i++) {
        int file = get(1, &number);
        check(fstat(file, &stat_) == 0 && stat_.st_size == (number % 2 ? 13 : 0));
        check(close(file) == 0);
    }
    return NULL;
}

static void handed(void) {
    pthread_t made[3];
    char name[64];
    start(made, 2, reads);
    start(made + 2, 1, closes);
    for (int i = 0; i < HANDED; i++) {
        snprintf(name, sizeof name, i % 2 ? "fixed/a" : "fixed/entry-%d", i % 300);
        int file = open(name, O_RDONLY);
        check(file >= 0);
        put(0, file, i);
    }
    join(made, 3);
}

static void *work_little(void *from) {
    calls((int)(long)from, 2);
    return NULL;
}

static void come_and_go(void) {
    pthread_t hot[2], made[50];
    start(hot, 2, work);
    for (int round = 0; round < 40; round++) {
        start(made, 50, work_little);
        join(made, 50);
    }
    join(hot, 2);
}

static void *work_some(void *from) {
    calls((int)(long)from, 100);
    return NULL;
}

/* More threads than there are rings. */
static void crowd(void) {
    pthread_t made[90];
    start(made, 90, work_little);
    join(made, 90);
    start(made, 90, work_some);
    join(made, 90);
}

static void on_signal(int signal) {
    struct stat stat_;
    int before = errno;
    check(stat("fixed/b", &stat_) == 0);
    errno = before;
}

static void *storm(void *threads) {
    for (int i = 0; !is_over; i++) {
        pthread_kill(((pthread_t *)threads)[i % 4], SIGUSR1);
        usleep(200);
    }
    return NULL;
}

static void signals(void) {
    pthread_t made[4], storms;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    start(made, 4, work);
    pthread_create(&storms, NULL, storm, made);
    calls(0, 400);
    is_over = 1;
    pthread_join(storms, NULL);
    join(made, 4);
}

/* Nobody sends these anything: the waiting must not end before it is time. */
static int pipes[2];

static void *waits_for_event(void *unused) {
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0);
    check(epoll_ctl(epoll, EPOLL_CTL_ADD, pipes[0], &event) == 0);
    check(epoll_wait(epoll, &event, 1, -1) == 1);
    return NULL;
}

static void *sleeps(void *unused) {
    struct timespec time = {.tv_nsec = 300 * 1000 * 1000};
    check(nanosleep(&time, NULL) == 0);
    return NULL;
}

static void *reads_pipe(void *unused) {
    char byte;
    check(read(pipes[0], &byte, 1) == 1);
    return NULL;
}

static void *computes(void *unused) {
    volatile unsigned long count = 0;
    while (!is_over)
        count++;
    return NULL;
}

static void waiting(void) {
    pthread_t made[5];
    check(pipe(pipes) == 0);
    start(made, 1, waits_for_event);
    start(made + 1, 1, sleeps);
    start(made + 2, 1, reads_pipe);
    start(made + 3, 1, computes);
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    start(made + 4, 1, work);
    calls(0, 400);
    join(made + 4, 1);
    is_over = 1;
    check(write(pipes[1], "xy", 2) == 2);
    join(made, 4);
}

static void forks(void) {
    pthread_t made[THREADS];
    int status;
    calls(0, 20);
    start(made, THREADS, work);
    for (int i = 0; i < 20; i++) {
        int child = fork();
        if (child == 0) {
            calls(i, 40);
            _exit(wrong ? 1 : i);
        }
        calls(i, 20);
        check(waitpid(child, &status, 0) == child);
        check(WIFEXITED(status) && WEXITSTATUS(status) == i);
    }
    join(made, THREADS);
}

static void *becomes(void *program) {
    calls(0, 100);
    char *words[] = {program, "end", NULL};
    execv("/proc/self/exe", words);
    return NULL;
}

static void *works_on(void *from) {
    for (;;)
        calls((int)(long)from, 10);
    return NULL;
}

static void exec(void) {
    pthread_t made[3];
    start(made, 2, works_on);
    pthread_create(made + 2, NULL, becomes, "agent_threads");
    for (;;)
        pause();
}

/* One thread has %gs for itself. */
static void *own_gs(void *unused) {
    unsigned long base = 1, word, *memory = malloc(65536);
    memset(memory, 0xff, 65536);
    calls(0, 100);
    check(syscall(SYS_arch_prctl, ARCH_GET_GS, &base) == 0 && base == 0);
    check(syscall(SYS_arch_prctl, ARCH_SET_GS, memory) == 0);
    calls(0, 100);
    check(syscall(SYS_arch_prctl, ARCH_GET_GS, &base) == 0 && base == (unsigned long)memory);
    __asm__("movq %%gs:128, %0" : "=r"(word));
    check(word == ~0UL);
    for (int i = 0; i < 8192; i++)
        check(memory[i] == ~0UL);
    return NULL;
}

static void gs(void) {
    pthread_t made[3];
    start(made, 2, work);
    start(made + 2, 1, own_gs);
    calls(0, 200);
    join(made, 3);
}

static void killed(void) {
    pthread_t made[3];
    start(made, 3, works_on);
    calls(0, 200);
    usleep(10000);
    kill(getpid(), SIGKILL);
}

int main(int count, char **words) {
    const char *what = words[1];
    struct {
        const char *name;
        void (*work)(void);
    } all[] = {{"together", together}, {"handed", handed},   {"come-and-go", come_and_go},
               {"crowd", crowd},       {"signals", signals}, {"waiting", waiting},
               {"forks", forks},       {"exec", exec},       {"gs", gs},
               {"killed", killed}};
    for (size_t at = 0; at < sizeof all / sizeof *all; at++)
        if (strcmp(what, all[at].name) == 0)
            all[at].work();
    printf("%s: %d wrong\n", what, wrong);
    return wrong > 0;
}
