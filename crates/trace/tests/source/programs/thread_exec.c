// A second thread becomes another program, while the first and a third one are busy.
#include <pthread.h>
#include <unistd.h>

static void *waits(void *arg) {
    char byte;
    (void)!read(*(int *)arg, &byte, 1);
    return arg;
}

static void *becomes(void *arg) {
    usleep(50000);
    execl("/bin/cat", "cat", "/etc/passwd", NULL);
    return arg;
}

int main(void) {
    int ends[2];
    pthread_t other, third;
    if (pipe(ends))
        return 1;
    pthread_create(&third, NULL, waits, &ends[0]);
    pthread_create(&other, NULL, becomes, NULL);
    pthread_join(other, NULL);
    return 1;
}
