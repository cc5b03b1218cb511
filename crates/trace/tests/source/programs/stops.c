// Stops itself; a child lets it go on. Then the same by SIGTSTP, with a handler for SIGCONT.
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int continued;

// Whether the child has let it go on: nothing may happen before.
static volatile int *allowed;

static void on_continue(int signal) {
    continued++;
}

static void stop(int signal) {
    struct stat st;
    pid_t self = getpid();
    *allowed = 0;
    pid_t child = fork();
    if (child == 0) {
        // Until the parent is stopped, as /proc has it: letter T (t would be the tracer's stop).
        char name[64], state = 0;
        snprintf(name, sizeof name, "/proc/%d/stat", self);
        for (int i = 0; i < 500 && state != 'T' && state != 't'; i++) {
            FILE *file = fopen(name, "r");
            if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
                state = 0;
            if (file)
                fclose(file);
            usleep(10000);
        }
        usleep(50000);
        *allowed = 1;
        kill(self, SIGCONT);
        _exit(0);
    }
    stat("/before", &st);
    raise(signal);
    if (!*allowed)
        _exit(2);
    stat("/after", &st);
    waitpid(child, NULL, 0);
}

int main(void) {
    allowed = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    signal(SIGCONT, on_continue);
    // SIGTSTP stops no process of a group that has no parent in its session outside of it.
    setpgid(0, 0);
    stop(SIGSTOP);
    stop(SIGTSTP);
    return continued == 2 ? 0 : 1;
}
