// A second thread becomes another program, while the first and a third one are busy.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t begun;

static void *waits(void *arg) {
    char byte;
    sem_post(&begun);
    (void)!read(*(int *)arg, &byte, 1);
    return arg;
}

static void *becomes(void *arg) {
    sem_wait(&begun);
    // Time for one call, also where all of the machine is busy.
    usleep(500000);
    execl("/bin/cat", "cat", "/etc/passwd", NULL);
    return arg;
}

int main(void) {
    int ends[2];
    pthread_t other, third;
    if (pipe(ends))
        return 1;
    sem_init(&begun, 0, 0);
    pthread_create(&third, NULL, waits, &ends[0]);
    pthread_create(&other, NULL, becomes, NULL);
    pthread_join(other, NULL);
    return 1;
}
