// 2,000 threads at the same time, each with a few calls of its own.
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { THREADS = 2000 };

static pthread_barrier_t all_there;

static void *work(void *number) {
    struct stat st;
    stat("/etc", &st);
    pthread_barrier_wait(&all_there);
    int fd = open("/etc/passwd", O_RDONLY);
    lseek(fd, (long)number, SEEK_SET);
    close(fd);
    return number;
}

int main(void) {
    static pthread_t threads[THREADS];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    pthread_barrier_init(&all_there, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], &small, work, (void *)i))
            return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
