// Copies, marks and closes descriptors at random, and writes down what came of it: to the file that
// is named first, "RESULT" or "-ERRNO" for each call. With a second word another thread is there.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static long results[20000];
static int count;

static void keep(long result) {
    results[count++] = result < 0 ? -errno : result;
}

static void play(unsigned seed, int steps) {
    srand(seed);
    for (int i = 0; i < steps; i++) {
        int fd = rand() % 48, other = rand() % 60;
        switch (rand() % 9) {
        case 0: keep(syscall(SYS_dup, fd)); break;
        case 1: keep(syscall(SYS_dup2, fd, other)); break;
        case 2: keep(syscall(SYS_dup3, fd, other, other % 3 ? O_CLOEXEC : other % 2)); break;
        case 3: keep(syscall(SYS_fcntl, fd, F_DUPFD, other)); break;
        case 4: keep(syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, other)); break;
        case 5: keep(syscall(SYS_fcntl, fd, F_SETFD, other % 2)); break;
        case 6: keep(syscall(SYS_fcntl, fd, F_GETFD)); break;
        default: keep(syscall(SYS_close, fd)); break;
        }
    }
}

static void *idle(void *arg) {
    pause();
    return arg;
}

int main(int argc, char **argv) {
    int out = open(argv[1], O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    dup2(out, 1000), close(out);
    pthread_t thread;
    if (argc > 2)
        pthread_create(&thread, NULL, idle, NULL);
    open("/etc/passwd", O_RDONLY);
    access("/begin", F_OK);
    play(1, 3000);
    struct rlimit limit = {40, 4096};
    setrlimit(RLIMIT_NOFILE, &limit);
    play(2, 3000);
    access("/end", F_OK);
    FILE *file = fdopen(1000, "w");
    for (int i = 0; i < count; i++)
        fprintf(file, "%ld\n", results[i]);
    fclose(file);
    return 0;
}
