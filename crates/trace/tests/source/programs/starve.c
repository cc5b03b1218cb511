// Threads that call all the time, threads that compute and seldom call, and one that has a fixed
// amount of work: when that is done, all end. The words: how many of each, and how much work.
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static atomic_int done;

static void *busy(void *arg) {
    struct stat st;
    while (!atomic_load(&done))
        stat("/etc", &st);
    return arg;
}

static void *seldom(void *arg) {
    struct timespec rest = {0, 5000000};
    struct stat st;
    while (!atomic_load(&done)) {
        nanosleep(&rest, NULL);
        stat("/usr", &st);
    }
    return arg;
}

int main(int count, char **words) {
    int callers = count > 1 ? atoi(words[1]) : 32, resting = count > 2 ? atoi(words[2]) : 168;
    int work = count > 3 ? atoi(words[3]) : 200;
    static pthread_t threads[4096];
    for (int i = 0; i < callers; i++)
        pthread_create(&threads[i], NULL, busy, NULL);
    for (int i = 0; i < resting; i++)
        pthread_create(&threads[callers + i], NULL, seldom, NULL);
    for (int i = 0; i < work; i++)
        close(open("/etc/passwd", O_RDONLY));
    done = 1;
    for (int i = 0; i < callers + resting; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
