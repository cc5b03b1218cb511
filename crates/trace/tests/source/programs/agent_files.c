/* Calls about files in loops, with usual and with odd arguments: agent_files WHAT. It works in the
 * folders `fixed`, which it does not change, and `scratch`. What came of each call is summed up. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

static uint64_t sum = 1;

static long did(long result) {
    long seen = result == -1 ? -errno : result;
    sum = sum * 1000003 + seen;
    return result;
}

static void text(const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++)
        sum = sum * 31 + (unsigned char)bytes[i];
}

static void usual(void) {
    char block[4096], name[64], other[64];
    struct stat stat_;
    char statx_[256];
    for (int i = 0; i < 200; i++) {
        did(stat("fixed/a", &stat_));
        text((char *)&stat_.st_size, 8);
        did(lstat("fixed/link", &stat_));
        did(stat("fixed/none", &stat_));
        did(syscall(SYS_statx, AT_FDCWD, "fixed/a", 0, 0x200 /* STATX_SIZE */, statx_));
        did(access("fixed/b", R_OK));
        int file = did(open("fixed/a", O_RDONLY | O_CLOEXEC));
        did(fstat(file, &stat_));
        long length = did(read(file, block, sizeof block));
        text(block, length);
        did(lseek(file, 3, SEEK_SET));
        did(pread(file, block, 5, 1));
        text(block, 5);
        did(fcntl(file, F_GETFL));
        did(close(file));
        did(close(file));
        length = did(readlink("fixed/link", block, sizeof block));
        text(block, length);
        snprintf(name, sizeof name, "scratch/%d", i);
        snprintf(other, sizeof other, "scratch/%d.new", i);
        file = did(open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600));
        did(write(file, block, 100));
        did(pwrite(file, block, 10, 50));
        did(ftruncate(file, 20));
        did(close(file));
        did(rename(name, other));
        did(unlink(other));
        did(unlink(other));
        did(getcwd(block, sizeof block) ? 0 : -1);
        did(mkdir("scratch/folder", 0700));
        did(rmdir("scratch/folder"));
    }
    for (int i = 0; i < 60; i++) {
        int folder = did(open("fixed", O_RDONLY | O_DIRECTORY));
        long length;
        while ((length = did(syscall(SYS_getdents64, folder, block, sizeof block))) > 0)
            ;
        int file = did(openat(folder, "a", O_RDONLY));
        did(fstatat(folder, "b", &stat_, 0));
        did(close(file));
        did(close(folder));
    }
}

static void descriptors(void) {
    char block[64];
    for (int i = 0; i < 150; i++) {
        int file = did(open("fixed/a", O_RDONLY));
        int copy = did(dup(file));
        did(read(copy, block, 2));
        did(dup2(file, 20));
        did(dup2(file, file));
        did(read(20, block, 2));
        int high = did(fcntl(file, F_DUPFD, 30));
        int marked = did(fcntl(file, F_DUPFD_CLOEXEC, 30));
        did(fcntl(marked, F_GETFD));
        did(fcntl(high, F_SETFD, FD_CLOEXEC));
        did(fcntl(high, F_GETFD));
        did(read(marked, block, 2));
        did(lseek(high, 0, SEEK_SET));
        did(close(file));
        did(read(file, block, 1));
        did(close(copy));
        did(close(20));
        did(close(high));
        did(close(marked));
        did(dup3(1, 25, O_CLOEXEC));
        did(close(25));
        int unnamed = did(open("scratch", O_TMPFILE | O_RDWR, 0600));
        did(write(unnamed, "x", 1));
        did(pread(unnamed, block, 1, 0));
        did(close(unnamed));
        int null = did(open("/dev/null", O_WRONLY));
        did(write(null, (void *)16, 1000));
        did(close(null));
        int empty = did(open("fixed/empty", O_RDONLY));
        did(read(empty, (void *)16, 1000));
        did(read(empty, block, 0));
        did(close(empty));
    }
}

/* Attributes without room for them. */
static void sizes(void) {
    char block[256];
    for (int i = 0; i < 150; i++) {
        did(listxattr("fixed/a", NULL, 0));
        did(getxattr("fixed/a", "user.one", NULL, 0));
        did(getxattr("fixed/a", "user.one", block, sizeof block));
        did(getxattr("fixed/a", "user.none", block, sizeof block));
        did(listxattr("fixed/a", block, sizeof block));
    }
}

static void paths(void) {
    size_t page = 4096;
    char *three = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(three + 2 * page, page);
    char *closed = three + 3 * page;
    mprotect(closed, page, PROT_NONE);
    struct stat stat_;
    char block[8192], longest[9000];
    const char *plain[] = {"", "fixed/../fixed/a", "fixed/new\nline", "fixed/\xff\xfe\x80", ".",
                           "..", "fixed//a", "fixed/./a", "/", "fixed/a/b", "./fixed/../../x"};
    for (int i = 0; i < 60; i++) {
        for (size_t at = 0; at < sizeof plain / sizeof *plain; at++) {
            did(access(plain[at], F_OK));
            did(readlink(plain[at], block, sizeof block));
            int file = did(open(plain[at], O_RDONLY));
            if (file >= 0)
                did(close(file));
            file = did(openat(-5, plain[at], O_RDONLY));
            if (file >= 0)
                did(close(file));
        }
        /* The answer over the path. */
        strcpy(block, "fixed/link");
        long length = did(readlink(block, block, sizeof block));
        text(block, length);
        strcpy(block, "fixed/link");
        did(readlink(block, block + 2, 3));
        text(block, 8);
        strcpy(block, "fixed/a");
        did(stat(block, (struct stat *)block));
        /* 255 and 256 bytes of a name; 4,095, 4,096 and more of a path. */
        memset(longest, 'n', sizeof longest);
        memcpy(longest, "fixed/", 6);
        int ends[] = {6 + 254, 6 + 255, 6 + 256, 4094, 4095, 4096, 4097, 8999};
        for (size_t at = 0; at < sizeof ends / sizeof *ends; at++) {
            longest[ends[at]] = 0;
            did(access(longest, F_OK));
            longest[ends[at]] = 'n';
        }
        for (int at = 6; at < 9000; at++)
            longest[at] = at % 2 ? '/' : '.';
        for (size_t at = 3; at < sizeof ends / sizeof *ends; at++) {
            char former = longest[ends[at]];
            longest[ends[at]] = 0;
            did(access(longest, F_OK));
            longest[ends[at]] = former;
        }
        /* Pointers to nothing. */
        did(access(NULL, F_OK));
        did(access((char *)16, F_OK));
        did(access(closed, F_OK));
        did(access((char *)0xffff800000000000, F_OK));
        did(access((char *)0x8000000000000000, F_OK));
        did(open((char *)16, O_RDONLY));
        did(rename("fixed/a", closed));
        did(rename(closed, "fixed/a"));
        did(stat("fixed/a", NULL));
        did(stat("fixed/a", (void *)16));
        did(stat("fixed/a", (void *)closed));
        did(readlink("fixed/link", closed, 10));
        did(syscall(SYS_getcwd, closed, 4096));
        /* At the end of a page behind which nothing is, with and without its NUL; over two. */
        char *end = three + 2 * page;
        strcpy(end - 8, "fixed/a");
        did(access(end - 8, F_OK));
        did(stat(end - 8, &stat_));
        memcpy(end - 7, "fixed/a", 7);
        did(access(end - 7, F_OK));
        did(open(end - 7, O_RDONLY));
        strcpy(three + page - 3, "fixed/a");
        did(access(three + page - 3, F_OK));
        /* An answer that does not fit into what is there. */
        did(stat("fixed/a", (struct stat *)(end - 100)));
        did(stat("fixed/a", (struct stat *)(end - sizeof stat_)));
    }
}

/* Descriptors that come over a socket. */
static void received(void) {
    int ends[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    for (int i = 0; i < 150; i++) {
        char room[CMSG_SPACE(sizeof(int))] = {0}, byte = 'x';
        struct iovec part = {&byte, 1};
        struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int));
        int file = did(open(i % 2 ? "fixed/a" : "fixed/b", O_RDONLY));
        memcpy(CMSG_DATA(head), &file, sizeof file);
        did(sendmsg(ends[0], &message, 0));
        did(close(file));
        message.msg_controllen = sizeof room;
        did(recvmsg(ends[1], &message, 0));
        memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
        struct stat stat_;
        did(fstat(file, &stat_));
        char block[8];
        did(read(file, block, 3));
        text(block, 3);
        did(close(file));
    }
}

/* More stacks than the table of known ones holds. */
__attribute__((noinline)) static int deep(int depth, int file) {
    char byte[16];
    did(pread(file, byte, 1, depth % 5));
    if (depth > 0)
        deep(depth - 1, file);
    did(lseek(file, depth, SEEK_SET));
    return byte[0] + depth;
}

static void depths(void) {
    int file = open("fixed/a", O_RDONLY);
    for (int i = 0; i < 3; i++)
        deep(1500, file);
    for (int i = 0; i < 400; i++)
        deep(i % 3 * 10, file);
    close(file);
}

/* More than the ring has room for, many times over. */
static void flood(void) {
    char name[4100];
    memset(name, 'n', sizeof name);
    memcpy(name, "fixed/", 6);
    for (int i = 0; i < 12000; i++) {
        int length = 6 + i * 37 % 4080;
        name[length] = 0;
        did(access(name, F_OK));
        name[length] = 'n';
        if (i % 10 == 0)
            did(access("fixed/a", F_OK));
    }
}

/* As much of the stack as there may be. */
__attribute__((noinline)) static int large(int depth, int file) {
    volatile char block[1 << 20];
    block[depth % sizeof block] = depth;
    did(lseek(file, depth, SEEK_SET));
    int more = depth > 0 ? large(depth - 1, file) : 0;
    did(lseek(file, block[depth % sizeof block], SEEK_CUR));
    return more + block[0];
}

static void stack(void) {
    int file = open("fixed/a", O_RDONLY);
    for (int i = 0; i < 20; i++)
        large(100, file);
    close(file);
}

/* Memory that is nobody's file and what else is mapped, and files that the kernel copies. */
static void whole(void) {
    const int nobodys = MAP_PRIVATE | MAP_ANONYMOUS, both = PROT_READ | PROT_WRITE;
    const size_t size = 1 << 17;
    for (int i = 0; i < 200; i++) {
        char *memory = mmap(NULL, size, both, nobodys, -1, 0);
        did(memory == MAP_FAILED);
        memory[i] = i;
        int from = did(open("fixed/a", O_RDONLY));
        int to = did(open("scratch/whole", O_CREAT | O_RDWR | O_TRUNC, 0600));
        did(flock(to, LOCK_EX));
        did(posix_fadvise(from, 0, 0, POSIX_FADV_SEQUENTIAL));
        did(copy_file_range(from, NULL, to, NULL, size, 0));
        did(lseek(from, 0, SEEK_SET));
        did(sendfile(to, from, NULL, 5));
        did(copy_file_range(from, NULL, -1, NULL, size, 0));
        did(readahead(from, 0, 4096));
        did(flock(to, LOCK_UN));
        if (i % 10 == 0) {
            did(mmap(memory, 4096, both, nobodys | MAP_FIXED, -1, 0) == memory);
            did(memory[i]);
            char *code = mmap(NULL, 4096, both | PROT_EXEC, nobodys, -1, 0);
            code[0] = '\xc3';
            did(code[0]);
            ((void (*)(void))code)();
            did(munmap(code, 4096));
            char *file = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, from, 0);
            text(file, 5);
            did(munmap(file, 4096));
            did(mmap(NULL, 4096, both, MAP_PRIVATE, -1, 0) == MAP_FAILED && errno == EBADF);
        }
        did(close(from));
        did(close(to));
        did(munmap(memory, size));
    }
}

/* Up from directories, as walks go: from those that were entered one by one, and by a link. */
static void parents(void) {
    const char *made[] = {"scratch/a", "scratch/a/b", "scratch/a/b/c", "scratch/a/b/c/d"};
    const char *from[] = {"scratch/a/b/c/d", "scratch/link/c/d", "scratch/link", ".", "/"};
    const int how = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    struct stat stat_;
    for (size_t at = 0; at < sizeof made / sizeof *made; at++)
        did(mkdir(made[at], 0700));
    did(symlink("a/b", "scratch/link"));
    for (int i = 0; i < 300; i++) {
        int at = did(open(from[i % 5], how | (i % 2 ? O_NOFOLLOW : 0)));
        for (int level = 0; level < 4 && at >= 0; level++) {
            int up = did(openat(at, "..", how));
            did(fstat(up, &stat_));
            did(fstatat(up, "a", &stat_, AT_SYMLINK_NOFOLLOW));
            did(close(at));
            at = up;
        }
        if (at >= 0)
            did(close(at));
        did(close(did(open("..", how))));
    }
}

/* The working directory changes all the time: one by one, through links, up, by descriptor, to what
 * is removed as soon as it was left, and to what is not there. */
static void moves(void) {
    struct stat stat_;
    char name[64], where[4096];
    did(mkdir("scratch/a", 0700));
    did(mkdir("scratch/a/b", 0700));
    did(symlink("a/b", "scratch/link"));
    int top = did(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    int link = did(open("scratch/link", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (int i = 0; i < 300; i++) {
        did(chdir("scratch/link"));
        did(lstat("none", &stat_));
        did(chdir(".."));
        did(lstat("b", &stat_));
        snprintf(name, sizeof name, "new-%d", i % 3);
        did(mkdir(name, 0700));
        did(chdir(name));
        did(close(did(open("file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600))));
        did(unlink("./file"));
        if (i % 4 == 0)
            text(where, did(syscall(SYS_getcwd, where, sizeof where)) - 1 > 0);
        did(chdir("../../a"));
        did(rmdir(name));
        if (i % 5 == 0) {
            snprintf(where, sizeof where, "../%s", name);
            did(mkdir(name, 0700));
            did(chdir(name));
            did(rmdir(where));
            did(chdir("."));
            did(lstat("none", &stat_));
        }
        did(fchdir(link));
        did(lstat("../b", &stat_));
        did(chdir("none/../none"));
        did(fchdir(top));
        did(lstat("fixed/a", &stat_));
        did(fchdir(-1));
    }
}

int main(int count, char **words) {
    const char *what = words[1];
    struct {
        const char *name;
        void (*work)(void);
    } all[] = {{"usual", usual}, {"descriptors", descriptors}, {"sizes", sizes}, {"paths", paths},
               {"received", received}, {"depths", depths}, {"flood", flood},
               {"stack", stack}, {"whole", whole}, {"parents", parents},
               {"moves", moves}};
    for (size_t at = 0; at < sizeof all / sizeof *all; at++)
        if (strcmp(what, all[at].name) == 0)
            all[at].work();
    printf("%s %llx\n", what, (unsigned long long)sum);
    return sum % 100;
}
