// Refuses itself a call: stat of anything, and an open, fail from then on.
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_faccessat, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_readlinkat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EXDEV),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    char text[10];
    access("/", F_OK);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (argc > 1 ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
                 : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return 1;
    for (int i = 0; i < 5; i++) {
        if (syscall(SYS_faccessat, AT_FDCWD, "/", F_OK) != -1 || errno != EXDEV)
            return 2;
        if (syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", text, 10) != -1 || errno != EXDEV)
            return 3;
        close(open("/etc/passwd", O_RDONLY));
    }
    return 0;
}
