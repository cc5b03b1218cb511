/* A library with a call of its own, built twice: in the second one (SECOND) other code stands where
 * the call is in the first one. */
#include <sys/syscall.h>

#ifdef SECOND
__attribute__((noinline)) int numbers(int x) {
    int y = x;
    __asm__ volatile("addl $0, %0\n\taddl $3, %0\n\taddl $0, %0\n\taddl $0, %0\n\taddl $0, %0\n\t"
                     "addl $0, %0\n\taddl $0, %0\n\taddl $0, %0\n\taddl $0, %0\n\taddl $0, %0"
                     : "+r"(y));
    return y + x * 16;
}
#endif

__attribute__((noinline)) int look(const char *path) {
    long result;
    register long mode __asm__("rsi") = 0;
    __asm__ volatile("syscall\n\tmovq %%rax, %%rdx\n\tmovq %%rdx, %%rax\n\ttestq %%rax, %%rax"
                     : "=a"(result)
                     : "a"(SYS_access), "D"(path), "r"(mode)
                     : "rcx", "r11", "rdx", "memory", "cc");
    return result;
}

#ifndef SECOND
__attribute__((noinline)) int numbers(int x) { return x * 5 + 1; }
#endif
