/* Signals among many calls: agent_signals WHAT. It says what came of them, and nothing that is by
 * chance. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <x86intrin.h>

/* In the flags: a SIGTRAP behind the next instruction. */
#define TRAP_FLAG 0x100

static volatile int signals, wrong;

/* Whether `turns` is at work: the timer also fires while it is set, and before it is taken away. */
static volatile int is_turning;

/* Whether each signal of the timer is to be followed by another one. */
static volatile int is_storm;
static int ends[2];
static sigjmp_buf back;

static void handle(int signal, void (*handler)(int, siginfo_t *, void *), int flags) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = flags | SA_SIGINFO};
    sigaction(signal, &action, NULL);
}

static void once(int microseconds) {
    struct itimerval interval = {{0, 0}, {0, microseconds}};
    setitimer(ITIMER_REAL, &interval, NULL);
}

/* The time runs from the end of each handler on. If it ran meanwhile, the next signal could be
 * there at that end each time, and nothing else would ever run. */
static void next_of_storm(void) {
    if (is_storm)
        once(200);
}

static void begin_storm(void) {
    is_storm = 1;
    next_of_storm();
}

static void end_storm(void) {
    is_storm = 0;
    once(0);
}

static void check(int is_right) {
    if (!is_right)
        wrong++;
}

/* Some calls, each of which has one right result. All registers that they leave alone are used. */
__attribute__((noinline)) int turn(int number) {
    struct stat stat_;
    char block[16];
    long a = number, b = number * 3, c = number * 5, d = number * 7, e = number * 11, f = ~number;
    check(stat("fixed/a", &stat_) == 0 && stat_.st_size == 13);
    check(stat("fixed/none", &stat_) == -1 && errno == ENOENT);
    int file = open("fixed/a", O_RDONLY);
    check(file >= 0);
    check(read(file, block, 16) == 13 && memcmp(block, "hello", 5) == 0);
    check(lseek(file, 3, SEEK_SET) == 3);
    check(pread(file, block, 2, 7) == 2 && memcmp(block, "wo", 2) == 0);
    check(close(file) == 0);
    check(readlink("fixed/link", block, 16) == 1 && block[0] == 'a');
    check(chdir(".") == 0);
    check(a == number && b == a * 3 && c == a * 5 && d == a * 7 && e == a * 11 && f == ~a);
    return number + 1;
}

__attribute__((noinline)) void turns(int count) {
    is_turning = 1;
    for (int i = 0; i < count;)
        i = turn(i);
    is_turning = 0;
}

static void on_storm(int signal, siginfo_t *info, void *context) {
    int former = errno;
    signals++;
    check(access("fixed/b", F_OK) == 0);
    check(access("fixed/none", F_OK) == -1 && errno == ENOENT);
    next_of_storm();
    errno = former;
}

static void storm(int flags) {
    handle(SIGALRM, on_storm, flags);
    turns(30);
    begin_storm();
    turns(1500);
    end_storm();
    check(signals > 0);
}

static void restarting(void) { storm(SA_RESTART); }
static void failing(void) { storm(0); }

static void *sleep_on(void *nothing) {
    for (;;)
        pause();
}

/* Another thread is there, which no signal reaches. */
static void threaded(void) {
    sigset_t all, former;
    pthread_t other;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    check(pthread_create(&other, NULL, sleep_on, NULL) == 0);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    storm(SA_RESTART);
}

static void other_stack(void) {
    stack_t stack = {.ss_size = sysconf(_SC_MINSIGSTKSZ) + 3000};
    stack.ss_sp = malloc(stack.ss_size);
    sigaltstack(&stack, NULL);
    storm(SA_ONSTACK | SA_RESTART);
}

static void on_jump(int signal, siginfo_t *info, void *context) {
    signals++;
    siglongjmp(back, 1);
}

static void jumps(void) {
    handle(SIGALRM, on_jump, 0);
    turns(30);
    for (volatile int i = 0; i < 300; i++) {
        if (sigsetjmp(back, 1) == 0) {
            once(150 + i);
            for (;;) {
                struct stat stat_;
                check(stat("fixed/a", &stat_) == 0 && stat_.st_size == 13);
                check(access("fixed/b", F_OK) == 0);
            }
        }
    }
    check(signals == 300);
    turns(300);
}

static void on_wake(int signal, siginfo_t *info, void *context) {
    check(write(ends[1], "x", 1) == 1);
    signals++;
}

/* Reads of an empty pipe that a signal ends, or does not end. */
static void interrupted(void) {
    char byte;
    check(pipe(ends) == 0);
    turns(30);
    for (int i = 0; i < 300; i++) {
        check(write(ends[1], "y", 1) == 1);
        check(read(ends[0], &byte, 1) == 1 && byte == 'y');
    }
    for (int i = 0; i < 60; i++) {
        handle(SIGALRM, on_wake, i % 2 ? SA_RESTART : 0);
        once(1000);
        long result = read(ends[0], &byte, 1);
        if (i % 2)
            check(result == 1);
        else if (result == -1)
            check(errno == EINTR && read(ends[0], &byte, 1) == 1);
        check(byte == 'x');
        check(signals == i + 1);
    }
    turns(100);
}

static void children(void) {
    char byte;
    check(pipe(ends) == 0);
    turns(30);
    handle(SIGCHLD, on_wake, SA_RESTART);
    for (int i = 0; i < 40; i++) {
        check(write(ends[1], "y", 1) == 1);
        check(read(ends[0], &byte, 1) == 1 && byte == 'y');
        int child = fork();
        if (child == 0) {
            usleep(500);
            _exit(i);
        }
        check(read(ends[0], &byte, 1) == 1 && byte == 'x');
        int status;
        check(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == i);
    }
    turns(100);
}

/* Another stops and continues this one, while it waits and while it works. */
static void stops(void) {
    char byte;
    check(pipe(ends) == 0);
    turns(30);
    int parent = getpid(), child = fork();
    if (child == 0) {
        for (int i = 0; i < 40; i++) {
            usleep(1000);
            kill(parent, SIGSTOP);
            usleep(1000);
            kill(parent, SIGCONT);
            usleep(500);
            (void)!write(ends[1], "x", 1);
        }
        _exit(0);
    }
    for (int i = 0; i < 20; i++)
        check(read(ends[0], &byte, 1) == 1 && byte == 'x');
    turns(500);
    for (int i = 0; i < 20; i++)
        check(read(ends[0], &byte, 1) == 1 && byte == 'x');
    check(waitpid(child, NULL, 0) == child);
    turns(100);
}

/* A call that waits lets in a signal that is held back otherwise, where others are recorded. */
static void waits(void) {
    sigset_t alarm, none;
    struct epoll_event event;
    int queue = epoll_create1(0);
    sigemptyset(&none);
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarm, NULL);
    check(pipe(ends) == 0);
    handle(SIGALRM, on_wake, 0);
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < 30; j++)
            check(syscall(SYS_access, "fixed/a", F_OK) == 0);
        once(500);
        long result = syscall(SYS_epoll_pwait, queue, &event, 1, -1, &none, 8);
        check(result == -1 && errno == EINTR && signals == i + 1);
    }
}

static void *volatile expected;

static void on_fault(int signal, siginfo_t *info, void *context) {
    signals++;
    check(info->si_addr == expected && info->si_code == SEGV_MAPERR);
    siglongjmp(back, 1);
}

static void faults(void) {
    handle(SIGSEGV, on_fault, 0);
    turns(30);
    for (volatile int i = 0; i < 200; i++) {
        expected = (void *)(16L + i);
        check(access((char *)32, F_OK) == -1 && errno == EFAULT);
        if (sigsetjmp(back, 1) == 0)
            *(volatile char *)expected = 1;
        check(open((char *)32, O_RDONLY) == -1 && errno == EFAULT);
        turn(i);
    }
    check(signals == 200);
}

static void on_none(int signal, siginfo_t *info, void *context) { signals++; }

static void mask(int how) {
    sigset_t fault;
    sigemptyset(&fault);
    sigaddset(&fault, SIGSEGV);
    sigaddset(&fault, SIGBUS);
    sigprocmask(how, &fault, NULL);
}

static int is_held_back(void) {
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, SIGSEGV);
}

/* Wrong pointers, while the signal that looking at them makes is ignored, handled or held back.
 * All from one place, so that the agent knows it. */
static void held_back(void) {
    const char *names[] = {"usual", "ignored", "handled", "held back"};
    struct sigaction action;
    for (int i = 0; i < 400; i++) {
        int kind = i / 100, is_wrong = i % 100 >= 90;
        void *handler = kind == 0 ? SIG_DFL : kind == 1 ? SIG_IGN : (void *)on_none;
        if (i % 100 == 0) {
            handle(SIGSEGV, handler, 0);
            mask(kind == 3 ? SIG_BLOCK : SIG_UNBLOCK);
        }
        int result = access(is_wrong ? (char *)32 : "fixed/a", F_OK);
        check(is_wrong ? result == -1 && errno == EFAULT : result == 0);
        sigaction(SIGSEGV, NULL, &action);
        check(action.sa_sigaction == handler && is_held_back() == (kind == 3));
        if (i % 100 == 99) {
            printf("%s: %d wrong\n", names[kind], wrong);
            fflush(stdout);
        }
    }
    raise(SIGSEGV);
    check(signals == 0);
    mask(SIG_UNBLOCK);
    check(signals == 1);
}

/* What a handler has seen of the agent: addresses in it, stacks without the callers, and jumps. */
static volatile int foreign, callers_missing, in_front_of_jump;

/* In a handler only what is there unwatched may be seen: known functions, and the callers. */
static void look(void *context) {
    void *frames[64];
    int count = backtrace(frames, 64), callers = 0;
    for (int i = 0; i < count; i++) {
        Dl_info of;
        if (dladdr(frames[i], &of) == 0)
            foreign++;
        else if (of.dli_sname && strcmp(of.dli_sname, "turns") == 0)
            callers = 1;
        else if (of.dli_sname && strcmp(of.dli_sname, "main") == 0 && callers == 1)
            callers = 2;
    }
    callers_missing += callers != 2;
    Dl_info of;
    unsigned char *ip = (void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    foreign += dladdr(ip, &of) == 0;
    /* A jump to what is not the program's own. */
    int offset;
    memcpy(&offset, ip + 1, sizeof offset);
    in_front_of_jump += ip[0] == 0xe9 && dladdr(ip + 5 + offset, &of) == 0;
}

static void on_look(int signal, siginfo_t *info, void *context) {
    signals++;
    if (is_turning)
        look(context);
    next_of_storm();
}

static void say_what_was_seen(void) {
    printf("foreign %d, without callers %d, ", foreign, callers_missing);
    printf("jumps %d\n", in_front_of_jump);
}

static void looks(void) {
    void *frames[4];
    backtrace(frames, 4);
    handle(SIGALRM, on_look, SA_RESTART);
    turns(30);
    begin_storm();
    turns(1500);
    end_storm();
    check(signals > 0);
    say_what_was_seen();
}

/* A signal in front of each instruction: what is behind `syscall` instructions, and before them. */
static void steps(void) {
    void *frames[4];
    backtrace(frames, 4);
    handle(SIGTRAP, on_look, 0);
    for (int i = 0; i < 5; i++) {
        turns(200);
        __writeeflags(__readeflags() | TRAP_FLAG);
        turns(1);
        __writeeflags(__readeflags() & ~TRAP_FLAG);
    }
    check(signals > 1000);
    say_what_was_seen();
}

int main(int count, char **words) {
    const char *what = words[1];
    struct {
        const char *name;
        void (*work)(void);
    } all[] = {{"restarting", restarting}, {"failing", failing}, {"threaded", threaded},
               {"other-stack", other_stack}, {"jumps", jumps}, {"interrupted", interrupted},
               {"children", children}, {"waits", waits}, {"stops", stops}, {"faults", faults},
               {"held-back", held_back}, {"looks", looks}, {"steps", steps}};
    for (size_t at = 0; at < sizeof all / sizeof *all; at++)
        if (strcmp(what, all[at].name) == 0)
            all[at].work();
    printf("%s: %d wrong\n", what, wrong);
    return wrong > 0;
}
