/* The first thread ends; the other one opens a file when it is watched, and ends the process. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_watched(void) {
    char status[4096] = "";
    int file = open("/proc/thread-self/status", O_RDONLY);
    if (file < 0 || read(file, status, sizeof status - 1) < 0)
        exit(2);
    close(file);
    return !strstr(status, "TracerPid:\t0");
}

static void *other(void *nothing) {
    while (!is_watched())
        usleep(1000);
    for (int i = 0; i < 20; i++)
        close(open("passwd", O_RDONLY));
    exit(7);
    return nothing;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_exit(NULL);
}
