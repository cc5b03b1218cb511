// Dies of the signal that it is given, in one thread, while another one reads.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];
static sem_t begun;

static void *reads(void *arg) {
    char byte;
    sem_post(&begun);
    (void)!read(ends[0], &byte, 1);
    return arg;
}

int main(int argc, char **argv) {
    pthread_t thread;
    if (pipe(ends))
        return 1;
    sem_init(&begun, 0, 0);
    pthread_create(&thread, NULL, reads, NULL);
    sem_wait(&begun);
    // Time for one call, also where all of the machine is busy.
    usleep(500000);
    if (argc > 1)
        raise(atoi(argv[1]));
    exit(7);
}
