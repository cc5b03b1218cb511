/* What an agent must not get in the way of: agent_odd WHAT. */
#include <asm/prctl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static volatile int wrong, signals;

static void check(int is_right) { wrong += !is_right; }

__attribute__((noinline)) static void turn(void) {
    struct stat stat_;
    char block[16];
    check(stat("fixed/a", &stat_) == 0 && stat_.st_size == 13);
    int file = open("fixed/a", O_RDONLY);
    check(file >= 0 && read(file, block, 16) == 13);
    check(close(file) == 0);
    check(access("fixed/none", F_OK) == -1 && errno == ENOENT);
}

static void turns(int count) {
    for (int i = 0; i < count; i++)
        turn();
}

/* %gs is the program's: it points to memory that is full of ones, and has to stay as it is. */
static unsigned long *own_gs(void) {
    unsigned long *memory = malloc(65536);
    memset(memory, 0xff, 65536);
    check(syscall(SYS_arch_prctl, ARCH_SET_GS, memory) == 0);
    return memory;
}

static void check_gs(unsigned long *memory) {
    unsigned long base = 1, word;
    check(syscall(SYS_arch_prctl, ARCH_GET_GS, &base) == 0 && base == (unsigned long)memory);
    __asm__("movq %%gs:128, %0" : "=r"(word));
    check(word == ~0UL);
    for (int i = 0; i < 8192; i++)
        check(memory[i] == ~0UL);
}

static void gs_before(void) {
    unsigned long *memory = own_gs();
    turns(200);
    check_gs(memory);
}

static void gs_after(void) {
    unsigned long base = 1;
    turns(200);
    check(syscall(SYS_arch_prctl, ARCH_GET_GS, &base) == 0 && base == 0);
    unsigned long *memory = own_gs();
    turns(200);
    check_gs(memory);
    int child = fork(), status;
    if (child == 0) {
        turns(200);
        check_gs(memory);
        _exit(wrong > 0);
    }
    check(waitpid(child, &status, 0) == child && status == 0);
    check_gs(memory);
}

/* The same by an instruction, of which nobody is told. */
static void gs_by_itself(void) {
    turns(200);
    unsigned long *memory = malloc(65536);
    memset(memory, 0xff, 65536);
    __asm__ volatile("wrgsbase %0" : : "r"(memory));
    turns(200);
    check_gs(memory);
    int child = fork(), status;
    if (child == 0) {
        turns(200);
        check_gs(memory);
        _exit(wrong > 0);
    }
    check(waitpid(child, &status, 0) == child && status == 0);
}

static void strict(void) {
    turns(100);
    int fixed = open("fixed/a", O_RDONLY);
    int result = prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    char block[4];
    for (int i = 0; i < 50; i++)
        check(read(fixed, block, 1) == (i < 13));
    char text[64];
    int length = snprintf(text, sizeof text, "strict: %d wrong\n", wrong);
    (void)!write(1, text, length);
    if (result == 0)
        syscall(SYS_exit, 0);
}

static void filter(void) {
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_access, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOENT),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    turns(100);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    check(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
    turns(100);
    check(access("fixed/a", F_OK) == -1 && errno == ENOENT);
    int child = fork(), status;
    if (child == 0) {
        turns(200);
        _exit(wrong > 0);
    }
    check(waitpid(child, &status, 0) == child && status == 0);
}

static volatile char selector;

static void on_dispatch(int signal, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    selector = 0;
    signals++;
    /* The call is refused. */
    registers[REG_RAX] = -EXDEV;
}

/* Calls from where this program allows none are its own affair; those from libc are allowed. */
static void dispatch(void) {
    struct sigaction action = {.sa_sigaction = on_dispatch, .sa_flags = SA_SIGINFO};
    sigaction(SIGSYS, &action, NULL);
    turns(100);
    if (prctl(59, 1, 0, 0x7fffffffffffUL, &selector) != 0)
        return;
    /* All is allowed: it starts at 0. */
    selector = 1;
    turns(100);
    check(signals == 0);
    selector = 0;
    check(prctl(59, 0, 0, 0, 0) == 0);
    /* Where libc is. */
    Dl_info info;
    dladdr(dlsym(RTLD_DEFAULT, "access"), &info);
    check(prctl(59, 1, info.dli_fbase, 4 << 20, &selector) == 0);
    selector = 1;
    turns(100);
    check(signals == 0);
    selector = 0;
    check(prctl(59, 1, 16, 16, &selector) == 0);
    for (int i = 0; i < 100; i++) {
        selector = 1;
        check(access("fixed/a", F_OK) == -1 && errno == EXDEV);
        check(access("fixed/a", F_OK) == 0);
    }
    check(signals == 100);
    check(prctl(59, 0, 0, 0, 0) == 0);
}

static void traceme(void) {
    turns(100);
    printf("traceme: %d\n", (int)ptrace(PTRACE_TRACEME, 0, 0, 0) > 1);
    turns(100);
}

static void ring(void) {
    struct io_uring_params parameters = {0};
    turns(100);
    int made = syscall(SYS_io_uring_setup, 4, &parameters);
    turns(100);
    printf("ring: %d\n", made >= 0);
    if (made >= 0)
        close(made);
    turns(100);
}

static unsigned long size(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    check(fscanf(file, "%lu", &pages) == 1);
    fclose(file);
    return pages * 4096;
}

/* There is just enough memory for what the program wants. */
static void memory(void) {
    unsigned long most = size() + (6 << 20);
    struct rlimit limit = {most, most};
    check(setrlimit(RLIMIT_AS, &limit) == 0);
    turns(100);
    void *large = mmap(NULL, 5 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(large != MAP_FAILED);
    turns(100);
}

static void little_memory(void) {
    struct rlimit limit = {size() + 65536, size() + 65536};
    check(setrlimit(RLIMIT_AS, &limit) == 0);
    turns(200);
}

static void descriptors(void) {
    struct rlimit limit = {4, 4};
    check(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    check(open("fixed/b", O_RDONLY) == 3);
    struct stat stat_;
    for (int i = 0; i < 300; i++) {
        check(stat("fixed/a", &stat_) == 0);
        check(open("fixed/a", O_RDONLY) == -1 && errno == EMFILE);
        check(access("fixed/none", F_OK) == -1);
    }
}

static void locked(void) {
    struct rlimit limit = {size() + (1 << 20), size() + (1 << 20)};
    check(setrlimit(RLIMIT_MEMLOCK, &limit) == 0);
    mlockall(MCL_CURRENT | MCL_FUTURE);
    turns(200);
    int child = fork(), status;
    if (child == 0) {
        turns(200);
        _exit(wrong > 0);
    }
    check(waitpid(child, &status, 0) == child && status == 0);
}

static void *nothing(void *unused) { return NULL; }

/* Libraries that come and go where another was. Then the agent's traces are taken away. */
static void libraries(const char *folder) {
    char first[4096], second[4096];
    snprintf(first, sizeof first, "%s/agent_first.so", folder);
    snprintf(second, sizeof second, "%s/agent_second.so", folder);
    void *former = NULL;
    for (int i = 0; i < 12; i++) {
        void *library = dlopen(i % 2 ? second : first, RTLD_NOW);
        if (!library) {
            printf("%s\n", dlerror());
            wrong++;
            return;
        }
        int (*look)(const char *) = dlsym(library, "look");
        int (*numbers)(int) = dlsym(library, "numbers");
        for (int j = 0; j < 60; j++) {
            check(look("fixed/a") == 0);
            check(look("fixed/none") == -ENOENT);
        }
        check(numbers(i) == (i % 2 ? i * 17 + 3 : i * 5 + 1));
        if (i == 11) {
            pthread_t thread;
            check(pthread_create(&thread, NULL, nothing, NULL) == 0);
            pthread_join(thread, NULL);
            check(look("fixed/a") == 0 && look("fixed/none") == -ENOENT);
            check(numbers(i) == i * 17 + 3);
        }
        dlclose(library);
    }
}

/* Memory that grows as it does without anything in the way. */
static void grows(void) {
    turns(200);
    char *begin = sbrk(0);
    for (int i = 0; i < 256; i++) {
        char *more = sbrk(1 << 20);
        check(more != (void *)-1);
        if (more == (void *)-1)
            break;
        more[4096] = 1;
        turn();
    }
    check((char *)sbrk(0) - begin == 256L << 20);
}

/* access(), called from two places: behind the second one is a jump to what is right behind the
 * first one. */
int two_places(const char *path, int mode, int second);
__asm__(".text\n.globl two_places\n.type two_places, @function\n"
        "two_places: .cfi_startproc\n"
        "push %rbp\n.cfi_adjust_cfa_offset 8\n"
        "mov $21, %eax\n"
        "test %edx, %edx\n"
        "jne 2f\n"
        "syscall\nmov %eax, %ebp\n"
        "1: test %ebp, %ebp\nmov %ebp, %eax\npop %rbp\n.cfi_adjust_cfa_offset -8\nret\n"
        ".cfi_adjust_cfa_offset 8\n"
        "2: syscall\nmov %eax, %ebp\njmp 1b\nnop\nnop\n"
        ".cfi_endproc\n.size two_places, .-two_places\n");

/* access(), and a part of it that lies elsewhere, and jumps back to right behind the call. */
int parted(const char *path, int mode, int other);
__asm__(".text\n.type part_of_it, @function\n"
        "part_of_it: .cfi_startproc\n.cfi_def_cfa_offset 16\n"
        "mov $-7, %ebp\njmp 1f\n"
        ".cfi_endproc\n.size part_of_it, .-part_of_it\n"
        ".skip 64, 0x90\n"
        ".globl parted\n.type parted, @function\n"
        "parted: .cfi_startproc\n"
        "push %rbp\n.cfi_adjust_cfa_offset 8\n"
        "mov $21, %eax\n"
        "test %edx, %edx\n"
        "jne part_of_it\n"
        "syscall\nmov %eax, %ebp\n"
        "1: test %ebp, %ebp\nmov %ebp, %eax\npop %rbp\n.cfi_adjust_cfa_offset -8\nret\n"
        ".cfi_endproc\n.size parted, .-parted\n");

static void parts(void) {
    for (int i = 0; i < 600; i++)
        check(parted("fixed/a", F_OK, 0) == 0);
    for (int i = 0; i < 600; i++)
        check(parted("fixed/a", F_OK, 1) == -7);
}

static void jumps(void) {
    /* It is the second one that is seen first. */
    for (int i = 0; i < 600; i++)
        check(two_places(i % 2 ? "fixed/a" : "fixed/none", F_OK, 1) == (i % 2 ? 0 : -ENOENT));
    for (int i = 0; i < 1200; i++)
        check(two_places(i % 2 ? "fixed/a" : "fixed/none", F_OK, i / 2 % 2) ==
              (i % 2 ? 0 : -ENOENT));
}

int main(int count, char **words) {
    const char *what = words[1];
    struct {
        const char *name;
        void (*work)(void);
    } all[] = {{"gs-before", gs_before}, {"gs-after", gs_after}, {"gs-by-itself", gs_by_itself},
               {"strict", strict}, {"filter", filter}, {"dispatch", dispatch},
               {"traceme", traceme}, {"ring", ring}, {"memory", memory},
               {"little-memory", little_memory}, {"descriptors", descriptors},
               {"locked", locked}, {"grows", grows}, {"jumps", jumps},
               {"parts", parts}};
    for (size_t at = 0; at < sizeof all / sizeof *all; at++)
        if (strcmp(what, all[at].name) == 0)
            all[at].work();
    if (strcmp(what, "libraries") == 0)
        libraries(words[2]);
    printf("%s: %d wrong\n", what, wrong);
    return wrong > 0;
}
