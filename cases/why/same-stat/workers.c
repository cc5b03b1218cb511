// Four threads that work as long as nobody has left a file called "stop".
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { WORKERS = 4, ROUNDS = 2500 };

static int is_stopped(void)
{
    return access("stop", F_OK) == 0;
}

static void *work(void *sum)
{
    for (long round = 0; round < ROUNDS && !is_stopped(); round++)
        *(long *)sum += round % 7;
    return NULL;
}

int main(void)
{
    pthread_t workers[WORKERS];
    long sums[WORKERS] = { 0 };
    long sum = 0;

    for (int worker = 0; worker < WORKERS; worker++)
        pthread_create(&workers[worker], NULL, work, &sums[worker]);
    for (int worker = 0; worker < WORKERS; worker++) {
        pthread_join(workers[worker], NULL);
        sum += sums[worker];
    }
    printf("%ld\n", sum);
    return 0;
}
