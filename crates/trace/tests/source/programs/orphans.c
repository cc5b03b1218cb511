// Processes that make children all the time, killed at any moment: also between a child's start and
// the news of it.
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **words) {
    int rounds = count > 1 ? atoi(words[1]) : 100;
    srand(1);
    for (int i = 0; i < rounds; i++) {
        pid_t maker = fork();
        while (maker == 0) {
            pid_t child = fork();
            if (child == 0)
                _exit(0);
            waitpid(child, NULL, 0);
        }
        struct timespec time = {0, 500000 + rand() % 3000000};
        nanosleep(&time, NULL);
        kill(maker, SIGKILL);
        waitpid(maker, NULL, 0);
    }
    return 0;
}
