/* Asks for things through io_uring, without its library. The first argument says how. */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Newer than some headers. */
#define SETUP_NO_MMAP (1U << 14)
#define SETUP_NO_SQARRAY (1U << 16)

struct ring {
    int fd;
    struct io_uring_params p;
    char *sq, *cq;
    char *sqes;
    unsigned tail, completed, failed;
};

static int setup(struct ring *r, unsigned entries, unsigned flags) {
    memset(r, 0, sizeof *r);
    r->p.flags = flags;
    if (flags & SETUP_NO_MMAP) {
        size_t size = 1 << 21;
        char *own = mmap(0, 2 * size, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        memset(own, 0, 2 * size);
        *(uint64_t *)((char *)&r->p + 112) = (uint64_t)own;
        *(uint64_t *)((char *)&r->p + 72) = (uint64_t)(own + size);
        r->fd = syscall(SYS_io_uring_setup, entries, &r->p);
        r->sq = r->cq = own;
        r->sqes = own + size;
        return r->fd < 0 ? -1 : 0;
    }
    r->fd = syscall(SYS_io_uring_setup, entries, &r->p);
    if (r->fd < 0) return -1;
    size_t one = r->p.sq_off.array + r->p.sq_entries * 4;
    size_t other = r->p.cq_off.cqes + r->p.cq_entries * (flags & IORING_SETUP_CQE32 ? 32 : 16);
    size_t size = one > other ? one : other;
    size_t each = flags & IORING_SETUP_SQE128 ? 128 : 64;
    r->sq = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, IORING_OFF_SQ_RING);
    r->cq = r->sq;
    r->sqes = mmap(0, r->p.sq_entries * each, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd,
                   IORING_OFF_SQES);
    return 0;
}

static unsigned *at(char *base, unsigned offset) { return (unsigned *)(base + offset); }

static struct io_uring_sqe *queue(struct ring *r, int operation, int fd, const void *address,
                                  unsigned length, uint64_t offset) {
    unsigned place = r->tail & (r->p.sq_entries - 1);
    size_t each = r->p.flags & IORING_SETUP_SQE128 ? 128 : 64;
    struct io_uring_sqe *sqe = (void *)(r->sqes + place * each);
    memset(sqe, 0, each);
    sqe->opcode = operation;
    sqe->fd = fd;
    sqe->addr = (uint64_t)address;
    sqe->len = length;
    sqe->off = offset;
    sqe->user_data = r->tail;
    if (!(r->p.flags & SETUP_NO_SQARRAY)) at(r->sq, r->p.sq_off.array)[place] = place;
    r->tail++;
    return sqe;
}

static int reap(struct ring *r) {
    unsigned *head = at(r->cq, r->p.cq_off.head);
    unsigned tail = __atomic_load_n(at(r->cq, r->p.cq_off.tail), __ATOMIC_ACQUIRE);
    size_t each = r->p.flags & IORING_SETUP_CQE32 ? 32 : 16;
    int last = 0;
    while (*head != tail) {
        struct io_uring_cqe *cqe =
            (void *)(r->cq + r->p.cq_off.cqes + (*head & (r->p.cq_entries - 1)) * each);
        last = cqe->res;
        r->failed += last < 0;
        r->completed++;
        __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
    }
    return last;
}

static void publish(struct ring *r) {
    __atomic_store_n(at(r->sq, r->p.sq_off.tail), r->tail, __ATOMIC_RELEASE);
}

/* Submits so many that are queued, waits until they are done; what the last one said. */
static int submit(struct ring *r, unsigned count) {
    publish(r);
    int flags = IORING_ENTER_GETEVENTS;
    if (r->p.flags & IORING_SETUP_SQPOLL) flags |= IORING_ENTER_SQ_WAKEUP;
    syscall(SYS_io_uring_enter, r->fd, count, count, flags, 0, 0);
    return reap(r);
}

static void report(struct ring *r) {
    char text[64];
    int fd = open("requests", O_CREAT | O_WRONLY | O_APPEND, 0666);
    int length = sprintf(text, "%u %u %u\n", r->tail, r->completed, r->failed);
    write(fd, text, length);
    close(fd);
}

/* A bit of everything, in batches of `batch`. */
static void mixed(struct ring *r, unsigned batch) {
    static char buffers[64][256];
    char path[64];
    mkdir("tree", 0777);
    for (int i = 0; i < 64; i++) {
        sprintf(path, "tree/%d", i);
        int fd = open(path, O_CREAT | O_RDWR, 0666);
        write(fd, path, strlen(path));
        close(fd);
    }
    int directory = open("tree", O_RDONLY | O_DIRECTORY);
    static struct { char name[16]; char answer[256]; } items[64];
    for (unsigned i = 0; i < 64; i += batch) {
        for (unsigned j = i; j < i + batch; j++) {
            sprintf(items[j].name, "%u", j);
            struct io_uring_sqe *sqe =
                queue(r, IORING_OP_STATX, directory, items[j].name, STATX_SIZE, 0);
            sqe->addr2 = (uint64_t)items[j].answer;
        }
        submit(r, batch);
    }
    struct io_uring_sqe *sqe = queue(r, IORING_OP_OPENAT, AT_FDCWD, "tree/7", 0, 0);
    sqe->open_flags = O_RDWR;
    int fd = submit(r, 1);
    for (unsigned i = 0; i < 8; i++) queue(r, IORING_OP_READ, fd, buffers[i], 100, 0);
    submit(r, 8);
    queue(r, IORING_OP_WRITE, fd, "hello", 5, 0);
    queue(r, IORING_OP_FSYNC, fd, 0, 0, 0);
    submit(r, 2);
    lseek(fd, 0, SEEK_CUR);
    queue(r, IORING_OP_OPENAT, AT_FDCWD, "/nowhere/at all", 0, 0);
    submit(r, 1);
    queue(r, IORING_OP_MKDIRAT, AT_FDCWD, "tree/made", 0777, 0);
    submit(r, 1);
    sqe = queue(r, IORING_OP_RENAMEAT, directory, "made", (unsigned)AT_FDCWD,
                (uint64_t)"tree/renamed");
    submit(r, 1);
    sqe = queue(r, IORING_OP_UNLINKAT, directory, "renamed", 0, 0);
    sqe->unlink_flags = AT_REMOVEDIR;
    submit(r, 1);
    queue(r, IORING_OP_CLOSE, fd, 0, 0, 0);
    submit(r, 1);
    for (int i = 0; i < 5; i++) queue(r, IORING_OP_NOP, -1, 0, 0, 0);
    submit(r, 5);
    /* Registered: number 1 is the file. */
    int files[2] = {-1, open("tree/9", O_RDONLY)};
    syscall(SYS_io_uring_register, r->fd, IORING_REGISTER_FILES, files, 2);
    close(files[1]);
    sqe = queue(r, IORING_OP_READ, 1, buffers[0], 10, 0);
    sqe->flags = IOSQE_FIXED_FILE;
    submit(r, 1);
    report(r);
}

static void nops(struct ring *r, int count) {
    for (int i = 0; i < count; i++) {
        queue(r, IORING_OP_NOP, -1, 0, 0, 0);
        submit(r, 1);
    }
}

/* Completions that no call fetches: the ring is looked at in memory, then it is gone. */
static void in_memory(struct ring *r) {
    int ends[2];
    char byte;
    pipe(ends);
    queue(r, IORING_OP_READ, ends[0], &byte, 1, (uint64_t)-1);
    publish(r);
    syscall(SYS_io_uring_enter, r->fd, 1, 0, 0, 0, 0);
    write(ends[1], "x", 1);
    while (r->completed < 1) reap(r);
    munmap(r->sqes, r->p.sq_entries * 64);
    munmap(r->sq, 4096);
    report(r);
}

/* Nonsense in the ring, and no ring where there was one. */
static void hostile(void) {
    struct ring r;
    setup(&r, 8, 0);
    nops(&r, 3);
    unsigned *tail = at(r.sq, r.p.sq_off.tail);
    for (unsigned jump = 1u << 31; jump; jump >>= 5) {
        *tail += jump;
        syscall(SYS_io_uring_enter, r.fd, 4, 0, 0, 0, 0);
        *at(r.cq, r.p.cq_off.tail) += jump * 3;
        *at(r.sq, r.p.sq_off.head) -= jump * 5;
        close(-1);
    }
    at(r.sq, r.p.sq_off.array)[0] = 0xfffffff0;
    *tail += 3;
    syscall(SYS_io_uring_enter, r.fd, 3, 0, 0, 0, 0);
    setup(&r, 8, 0);
    nops(&r, 2);
    munmap(r.sq, 4096);
    munmap(r.sqes, 4096);
    syscall(SYS_io_uring_enter, r.fd, 1, 0, 0, 0, 0);
    /* Something else lies there now. */
    char *other = mmap(r.sq, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                       -1, 0);
    memset(other, 0xff, 4096);
    syscall(SYS_io_uring_enter, r.fd, 1, 0, 0, 0, 0);
    setup(&r, 8, 0);
    queue(&r, IORING_OP_OPENAT, -100, (void *)8, 0, 0);
    queue(&r, IORING_OP_FILES_UPDATE, 0, (void *)16, 0xffffffff, 0);
    queue(&r, 250, 0, (void *)16, 0xffffffff, 0);
    submit(&r, 3);
    syscall(SYS_io_uring_register, r.fd, IORING_REGISTER_FILES, 8, 0xffffffff);
    syscall(SYS_io_uring_enter, -1, 1, 0, 0, 0, 0);
    syscall(SYS_io_uring_enter, 12345, 1, 0, 16, 0, 0);
    syscall(SYS_io_uring_setup, 1u << 31, &r.p);
    syscall(SYS_io_uring_setup, 8, 8);
    for (int i = 0; i < 400; i++) {
        struct ring many;
        if (setup(&many, 1, 0)) break;
        nops(&many, 1);
    }
}

int main(int count, char **words) {
    struct ring r;
    const char *how = count > 1 ? words[1] : "plain";
    unsigned flags = 0;
    if (!strcmp(how, "large")) flags = IORING_SETUP_SQE128 | IORING_SETUP_CQE32;
    if (!strcmp(how, "own")) flags = SETUP_NO_MMAP;
    if (!strcmp(how, "no-array")) flags = SETUP_NO_SQARRAY;
    if (!strcmp(how, "polled")) {
        flags = IORING_SETUP_SQPOLL;
    }
    if (!strcmp(how, "hostile")) return hostile(), 0;
    if (setup(&r, 64, flags)) return errno == EINVAL ? 77 : 78;
    if (!strcmp(how, "memory")) return in_memory(&r), 0;
    if (!strcmp(how, "fork")) {
        nops(&r, 2);
        int child = fork();
        if (!child) {
            nops(&r, 3);
            report(&r);
            _exit(0);
        }
        waitpid(child, 0, 0);
        /* The positions in the ring are those of the child now. */
        r.tail += 3;
        nops(&r, 4);
        return 0;
    }
    if (!strcmp(how, "registered")) {
        struct { uint32_t offset, reserved; uint64_t data; } number = {-1u, 0, r.fd};
        syscall(SYS_io_uring_register, r.fd, 20, &number, 1);
        for (int i = 0; i < 3; i++) {
            queue(&r, IORING_OP_NOP, -1, 0, 0, 0);
            publish(&r);
            syscall(SYS_io_uring_enter, number.offset, 1, 1, IORING_ENTER_GETEVENTS | 16, 0, 0);
            reap(&r);
        }
        report(&r);
        return 0;
    }
    mixed(&r, !strcmp(how, "single") ? 1 : 16);
    return 0;
}
