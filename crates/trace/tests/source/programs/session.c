// A daemon: a session of its own, and the parent does not wait.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    if (fork() != 0)
        return 0;
    setsid();
    if (fork() != 0)
        return 0;
    struct stat st;
    for (int i = 0; i < 10; i++) {
        usleep(10000);
        stat("/etc/passwd", &st);
    }
    return 5;
}
