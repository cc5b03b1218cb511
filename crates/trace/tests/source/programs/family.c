// Four threads and a child that look at files, and ever more children for a moment, until a file
// called "enough" is there. A child that is stopped from the beginning. All must end well. After
// two minutes nobody waits for them any more.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct stat st;
static time_t began;

static int is_enough(void) {
    return stat("enough", &st) == 0 || time(NULL) - began > 120;
}

static void *look(void *arg) {
    while (!is_enough())
        usleep(1000);
    return arg;
}

int main(void) {
    began = time(NULL);
    pid_t stopped = fork();
    if (stopped == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        raise(SIGSTOP);
        _exit(is_enough() ? 0 : 1);
    }
    pid_t child = fork();
    if (child == 0) {
        look(NULL);
        _exit(0);
    }
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, look, NULL);
    int status = 0, bad = 0;
    while (!is_enough()) {
        pid_t brief = fork();
        if (brief == 0) {
            for (int i = 0; i < 5; i++)
                stat("/etc", &st);
            _exit(0);
        }
        waitpid(brief, &status, 0);
        bad |= status;
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    waitpid(child, &status, 0);
    bad |= status;
    kill(stopped, SIGCONT);
    waitpid(stopped, &status, 0);
    return (bad | status) != 0;
}
