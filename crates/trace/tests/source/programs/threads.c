// Four threads, each looking at files.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void *work(void *arg) {
    struct stat st;
    for (int i = 0; i < 200; i++) {
        int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
        char block[100];
        (void)!read(fd, block, sizeof block);
        stat("/etc", &st);
        close(fd);
    }
    return arg;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
