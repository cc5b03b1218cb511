// clone in many kinds: shared descriptors and directories, and a child that asks not to be traced.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int child(void *arg) {
    int fd = open("/etc/hostname", O_RDONLY);
    if (fd < 0)
        return 1;
    if (chdir("/usr/share"))
        return 2;
    struct stat st;
    return stat("doc", &st) == 0 ? 0 : 3;
}

// With a word, the last two children are not to be traced: strace does not see those.
int main(int argc, char **argv) {
    static char stack[1 << 16];
    unsigned untraced = argc > 1 ? CLONE_UNTRACED : 0;
    int kinds[] = {0, CLONE_FILES | CLONE_FS, CLONE_VM | CLONE_VFORK, untraced};
    for (int i = 0; i < 4; i++) {
        int status;
        pid_t made = clone(child, stack + sizeof stack, kinds[i] | SIGCHLD, NULL);
        if (made < 0 || waitpid(made, &status, 0) != made || status != 0)
            return 10 + i;
        // Shared in the second round only: there it is open, and the directory is another one.
        lseek(3, 0, SEEK_CUR);
        access("here", F_OK);
        close(3);
        if (chdir("/etc"))
            return 20;
    }
    struct { unsigned long long word[11]; } arguments = {{untraced, 0, 0, 0, SIGCHLD}};
    int status;
    pid_t made = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (made == 0)
        _exit(child(NULL));
    if (made < 0 || waitpid(made, &status, 0) != made || status != 0)
        return 30;
    return arguments.word[0] == untraced ? 0 : 31;
}
