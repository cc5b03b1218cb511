/* Processes, threads and programs among many calls: agent_family WHAT. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile int wrong;

static void check(int is_right) {
    if (!is_right)
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
}

static void calls(int from, int count) {
    char name[64], block[8];
    struct stat stat_;
    for (int i = from; i < from + count; i++) {
        snprintf(name, sizeof name, "fixed/entry-%d", i % 300);
        check(stat(name, &stat_) == 0);
        int file = open(name, O_RDONLY);
        check(file >= 0 && read(file, block, 8) == 0);
        int copy = fcntl(file, F_DUPFD, 10);
        check(copy >= 10 && close(file) == 0 && close(copy) == 0);
        check(access("fixed/none", F_OK) == -1 && errno == ENOENT);
    }
}

static void ended(int child, int status) {
    int of_child;
    check(waitpid(child, &of_child, 0) == child);
    check(WIFEXITED(of_child) && WEXITSTATUS(of_child) == status);
}

static void forks(void) {
    calls(0, 40);
    for (int i = 0; i < 20; i++) {
        int child = fork();
        if (child == 0) {
            calls(i, 60);
            int grandchild = fork();
            if (grandchild == 0) {
                calls(i, 40);
                _exit(wrong);
            }
            calls(2 * i, 30);
            ended(grandchild, 0);
            _exit(wrong + i);
        }
        calls(3 * i, 60);
        ended(child, i);
    }
}

static void together(void) {
    int made[6];
    calls(0, 40);
    for (int i = 0; i < 6; i++)
        if ((made[i] = fork()) == 0) {
            calls(50 * i, 700);
            _exit(wrong);
        }
    calls(0, 700);
    for (int i = 0; i < 6; i++)
        ended(made[i], 0);
}

static void vforks(void) {
    calls(0, 40);
    for (int i = 0; i < 30; i++) {
        int child = vfork();
        if (child == 0) {
            int file = open("fixed/a", O_RDONLY);
            dup2(file, 0);
            close(file);
            access("fixed/b", F_OK);
            if (i % 3 == 0)
                _exit(5);
            execl("/bin/true", "true", environ[0] ? "x" : "y", NULL);
            _exit(9);
        }
        calls(i, 20);
        ended(child, i % 3 == 0 ? 5 : 0);
    }
}

static void spawns(void) {
    calls(0, 40);
    for (int i = 0; i < 20; i++) {
        char *words[] = {"true", NULL};
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, 0, "fixed/a", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, 0, 30);
        int child;
        check(posix_spawn(&child, "/bin/true", &actions, NULL, words, environ) == 0);
        calls(i, 20);
        ended(child, 0);
    }
}

static int pipes[2];

static void *work(void *from) {
    calls((int)(long)from, 100);
    return NULL;
}

static void *wait_for_ever(void *unused) {
    char byte;
    (void)!read(pipes[0], &byte, 1);
    wrong++;
    return NULL;
}

static void threads(void) {
    pthread_t made[4], waits;
    void *result;
    check(pipe(pipes) == 0);
    calls(0, 60);
    pthread_create(&waits, NULL, wait_for_ever, NULL);
    for (long i = 0; i < 4; i++)
        pthread_create(made + i, NULL, work, (void *)(i * 30));
    calls(200, 60);
    for (int i = 0; i < 4; i++)
        pthread_join(made[i], NULL);
    pthread_cancel(waits);
    check(pthread_join(waits, &result) == 0 && result == PTHREAD_CANCELED);
    calls(0, 60);
}

static void *work_little(void *from) {
    check(access("fixed/a", F_OK) == 0);
    check(access("fixed/none", F_OK) == -1 && errno == ENOENT);
    return NULL;
}

static void many(void) {
    pthread_t made[50];
    calls(0, 60);
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 50; i++)
            check(pthread_create(made + i, NULL, work_little, NULL) == 0);
        for (int i = 0; i < 50; i++)
            check(pthread_join(made[i], NULL) == 0);
    }
}

static int in_clone(void *unused) {
    calls(0, 40);
    return wrong;
}

/* A process that shares memory and is not waited for, and one that nobody is to trace. */
static void clones(void) {
    char *stack = malloc(1 << 16);
    calls(0, 60);
    int child = clone(in_clone, stack + (1 << 16), SIGCHLD | CLONE_UNTRACED, NULL);
    calls(0, 60);
    ended(child, 0);
    child = clone(in_clone, stack + (1 << 16), SIGCHLD | CLONE_VFORK, NULL);
    ended(child, 0);
    calls(0, 60);
    child = clone(in_clone, stack + (1 << 16), SIGCHLD | CLONE_FILES, NULL);
    ended(child, 0);
    calls(0, 60);
    child = clone(in_clone, stack + (1 << 16), SIGCHLD | CLONE_VM, NULL);
    struct stat stat_;
    for (int i = 0; i < 200; i++)
        check(stat("fixed/a", &stat_) == 0);
    ended(child, 0);
    calls(0, 60);
}

/* The child works before and after its parent's end. The parent's end of `held` closes only with
 * it, after it has said what it has to say. */
static void outlived(void) {
    char byte;
    int held[2];
    check(pipe(pipes) == 0 && pipe(held) == 0);
    calls(0, 60);
    if (fork() == 0) {
        calls(0, 10);
        check(close(held[1]) == 0 && write(pipes[1], "x", 1) == 1);
        check(read(held[0], &byte, 1) == 0);
        calls(10, 200);
        printf("the child: %d wrong\n", wrong);
        exit(0);
    }
    check(read(pipes[0], &byte, 1) == 1);
}

int main(int count, char **words) {
    const char *what = words[1];
    if (strcmp(what, "again") == 0) {
        int left = atoi(words[2]);
        calls(left, 50);
        if (wrong || left == 0) {
            printf("again: %d wrong\n", wrong);
            return wrong ? 1 : 42;
        }
        char text[16];
        snprintf(text, sizeof text, "%d", left - 1);
        words[2] = text;
        execv("/proc/self/exe", words);
        return 2;
    }
    struct {
        const char *name;
        void (*work)(void);
    } all[] = {{"forks", forks}, {"together", together}, {"vforks", vforks}, {"spawns", spawns},
               {"threads", threads}, {"many", many}, {"clones", clones}, {"outlived", outlived}};
    for (size_t at = 0; at < sizeof all / sizeof *all; at++)
        if (strcmp(what, all[at].name) == 0)
            all[at].work();
    printf("%s: %d wrong\n", what, wrong);
    return wrong > 0;
}
