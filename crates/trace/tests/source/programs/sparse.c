// A program that seldom does anything, and gets a signal now and then, also to its threads.
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void on_signal(int signal) {
    struct stat st;
    stat("/etc", &st);
}

static void *sleeper(void *arg) {
    // Longer than all that the first thread does, also where both are slow.
    struct timespec rest = {2, 0};
    while (nanosleep(&rest, &rest))
        ;
    return arg;
}

int main(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, sleeper, NULL);
    for (int i = 0; i < 5; i++) {
        usleep(20000);
        pthread_kill(thread, SIGUSR1);
        usleep(10000);
        kill(getpid(), SIGUSR1);
    }
    pthread_join(thread, NULL);
    return 0;
}
