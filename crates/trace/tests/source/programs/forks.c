// Children of children, each with files of its own.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void grow(int depth) {
    for (int i = 0; i < 3 && depth > 0; i++) {
        pid_t child = fork();
        if (child == 0) {
            int fd = open("/etc/group", O_RDONLY);
            chdir(depth % 2 ? "/usr" : "/etc");
            access("passwd", R_OK);
            close(fd);
            grow(depth - 1);
            _exit(depth);
        }
        waitpid(child, NULL, 0);
    }
}

int main(void) {
    grow(3);
    return 0;
}
