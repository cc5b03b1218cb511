// Calls that signals interrupt: some are made anew, some are not.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static int ends[2];

static void on_alarm(int signal) {
    static int count;
    // In the end the read gets its byte.
    if (++count >= 3)
        (void)!write(ends[1], "x", 1);
}

int main(void) {
    char byte;
    if (pipe(ends))
        return 1;
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval every = {{0, 20000}, {0, 20000}};
    setitimer(ITIMER_REAL, &every, NULL);
    if (read(ends[0], &byte, 1) != 1)
        return 2;
    if (poll(NULL, 0, 1000) != -1 || errno != EINTR)
        return 3;
    action.sa_flags = 0;
    sigaction(SIGALRM, &action, NULL);
    while (read(ends[0], &byte, 1) == 1)
        ;
    return errno == EINTR ? 0 : 4;
}
