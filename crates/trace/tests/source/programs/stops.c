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

// Whether all that is left to do is to stop.
static volatile int *stopping;

static void on_continue(int signal) {
    continued++;
}

static void stop(int signal) {
    struct stat st;
    pid_t self = getpid();
    *allowed = *stopping = 0;
    pid_t child = fork();
    if (child == 0) {
        // Until the parent is stopped, as /proc has it: letter T, or t if it is traced. That is so
        // at each of its stops for the tracer as well, which are short: what counts is a row. To go
        // on too early would be to stop for ever afterwards.
        char name[64], state;
        int seen = 0;
        snprintf(name, sizeof name, "/proc/%d/stat", self);
        for (int i = 0; i < 6000 && seen < 20; i++) {
            state = 0;
            FILE *file = *stopping ? fopen(name, "r") : NULL;
            if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
                state = 0;
            if (file)
                fclose(file);
            seen = state == 'T' || state == 't' ? seen + 1 : 0;
            usleep(10000);
        }
        *allowed = 1;
        // What does not stop fails, and does not hang.
        kill(self, seen == 20 ? SIGCONT : SIGKILL);
        _exit(0);
    }
    stat("/before", &st);
    *stopping = 1;
    raise(signal);
    if (!*allowed)
        _exit(2);
    stat("/after", &st);
    waitpid(child, NULL, 0);
}

int main(void) {
    allowed = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    stopping = allowed + 1;
    signal(SIGCONT, on_continue);
    // SIGTSTP stops no process of a group that has no parent in its session outside of it.
    setpgid(0, 0);
    stop(SIGSTOP);
    stop(SIGTSTP);
    return continued == 2 ? 0 : 1;
}
