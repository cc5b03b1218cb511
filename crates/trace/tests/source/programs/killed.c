// Dies of the signal that it is given, in one thread, while another one reads.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];

static void *reads(void *arg) {
    char byte;
    (void)!read(ends[0], &byte, 1);
    return arg;
}

int main(int argc, char **argv) {
    pthread_t thread;
    if (pipe(ends))
        return 1;
    pthread_create(&thread, NULL, reads, NULL);
    usleep(50000);
    if (argc > 1)
        raise(atoi(argv[1]));
    exit(7);
}
