// posix_spawn, system and vfork.
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int main(void) {
    pid_t child;
    char *words[] = {"true", NULL};
    for (int i = 0; i < 5; i++) {
        if (posix_spawn(&child, "/bin/true", NULL, NULL, words, environ) == 0)
            waitpid(child, NULL, 0);
    }
    if (posix_spawn(&child, "/nowhere/true", NULL, NULL, words, environ) == 0)
        waitpid(child, NULL, 0);
    child = vfork();
    if (child == 0) {
        execv("/bin/true", words);
        _exit(1);
    }
    waitpid(child, NULL, 0);
    return system("exit 3") == 3 << 8 ? 0 : 1;
}
