/* A program without a C library, and with calls of its own making. */
#include <fcntl.h>
#include <sys/syscall.h>

static long call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

__attribute__((noinline)) static long work(long sum, int i) {
    char block[16];
    long file = call(SYS_open, (long)"fixed/a", O_RDONLY, 0);
    long length = call(SYS_read, file, (long)block, 16);
    sum = sum * 31 + length * 7 + block[i % 13];
    sum += call(SYS_close, file, 0, 0);
    sum += call(SYS_access, (long)"fixed/none", 0, 0) == -2;
    sum += call(SYS_access, 16, 0, 0) == -14;
    return sum;
}

__attribute__((force_align_arg_pointer)) void _start(void) {
    unsigned long sum = 1;
    for (int i = 0; i < 300; i++)
        sum = work(sum, i);
    char text[17];
    for (int i = 0; i < 16; i++)
        text[i] = "0123456789abcdef"[sum >> 4 * i & 15];
    text[16] = '\n';
    call(SYS_write, 1, (long)text, 17);
    call(SYS_exit_group, sum % 100, 0, 0);
}
