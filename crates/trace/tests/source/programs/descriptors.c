// Makes descriptors in all ways, and says after each step what /proc/self/fd has for all of them.
// Each step ends with an `access` of "/step/N" that begins a group of `lseek`s, one for each
// descriptor; what they stand for is printed as "N FD PATH".
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *out;
static int step;

static void say(void) {
    char name[64], path[4096];
    snprintf(name, sizeof name, "/step/%d", step);
    access(name, F_OK);
    for (int fd = 0; fd < 2000; fd++) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        ssize_t size = readlink(name, path, sizeof path - 1);
        if (size < 0)
            continue;
        path[size] = 0;
        lseek(fd, 0, SEEK_CUR);
        fprintf(out, "%d %d %s\n", step, fd, path);
    }
    fflush(out);
    step++;
}

static void send_descriptor(int to, int fd) {
    char byte = 0, room[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec iov = {&byte, 1};
    struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1};
    message.msg_control = room, message.msg_controllen = sizeof room;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &fd, sizeof fd);
    sendmsg(to, &message, 0);
}

static void receive_descriptor(int from) {
    char byte, room[CMSG_SPACE(sizeof(int))];
    struct iovec iov = {&byte, 1};
    struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1};
    message.msg_control = room, message.msg_controllen = sizeof room;
    recvmsg(from, &message, 0);
}

int main(int argc, char **argv) {
    struct rlimit limit = {4096, 4096};
    setrlimit(RLIMIT_NOFILE, &limit);
    out = fopen(argv[1], argc > 2 ? "ae" : "we");
    step = argc > 2 ? atoi(argv[2]) : 0;
    say();
    if (argc > 2)
        return 0;
    int file = open("/etc/passwd", O_RDONLY);
    int directory = open("/usr/share", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    openat(directory, "../share/doc", O_RDONLY);
    say();
    dup(file), dup2(directory, 100), dup3(file, 1500, O_CLOEXEC), dup2(100, 100);
    fcntl(file, F_DUPFD, 1600), fcntl(directory, F_DUPFD_CLOEXEC, 50);
    say();
    close(file), close(0);
    int ends[2], pair[2];
    if (pipe(ends) || pipe2(ends, O_CLOEXEC) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return 1;
    say();
    socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), epoll_create(1), epoll_create1(0);
    eventfd(0, 0), inotify_init(), memfd_create("held", MFD_CLOEXEC);
    timerfd_create(CLOCK_MONOTONIC, 0);
    sigset_t set;
    sigemptyset(&set);
    signalfd(-1, &set, 0);
    open("/tmp", O_TMPFILE | O_RDWR, 0600);
    say();
    int sent = open("/etc/group", O_RDONLY);
    send_descriptor(pair[0], sent);
    close(sent);
    receive_descriptor(pair[1]);
    receive_descriptor(-1);
    say();
    // Shared with a child, then with one that has its own.
    if (fork() == 0) {
        close(100), open("/etc/hostname", O_RDONLY);
        _exit(0);
    }
    wait(NULL);
    say();
    syscall(SYS_close_range, 50, 99, 0);
    fcntl(1600, F_SETFD, FD_CLOEXEC), fcntl(1500, F_SETFD, 0), ioctl(100, FIOCLEX);
    unshare(CLONE_FILES);
    chdir("/usr/share/../lib"), open("..", O_RDONLY), open("./os-release", O_RDONLY);
    fchdir(directory), open("doc", O_RDONLY | O_NOFOLLOW);
    say();
    char number[12];
    snprintf(number, sizeof number, "%d", step);
    execl(argv[0], argv[0], argv[1], number, NULL);
    return 1;
}
