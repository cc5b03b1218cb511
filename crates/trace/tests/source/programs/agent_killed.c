/* Makes the same calls over and over, until its child kills it: agent_killed NUMBER, by which it is
 * decided when. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **words) {
    char block[16];
    int number = atoi(words[1]), ends[2];
    if (pipe(ends))
        return 1;
    int parent = getpid(), child = fork();
    if (child == 0) {
        /* When the parent has its agent, or before: it says how far it is. */
        char byte;
        if (read(ends[0], &byte, 1) != 1)
            return 1;
        struct timespec time = {0, (number * 7919L % 200) * 10000};
        nanosleep(&time, NULL);
        kill(parent, SIGKILL);
        _exit(0);
    }
    for (int i = 0;; i++) {
        access("fixed/a", F_OK);
        int file = open("fixed/b", O_RDONLY);
        int length = read(file, block, sizeof block);
        close(file);
        readlink("fixed/link", block, sizeof block);
        if (i == 40)
            (void)!write(ends[1], "x", 1);
        if (file != 5 || length != 8)
            return 2;
    }
}
