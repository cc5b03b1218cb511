// Threads that make one call after the other until the first thread has made some of its own.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int done;

static void *spin(void *arg) {
    while (!atomic_load(&done))
        close(-1);
    return arg;
}

int main(int count, char **words) {
    int threads = count > 1 ? atoi(words[1]) : 8;
    pthread_t spinning[64];
    for (int i = 0; i < threads; i++)
        pthread_create(&spinning[i], NULL, spin, NULL);
    struct stat st;
    for (int i = 0; i < 20; i++)
        stat("/etc", &st);
    done = 1;
    for (int i = 0; i < threads; i++)
        pthread_join(spinning[i], NULL);
    return 0;
}
