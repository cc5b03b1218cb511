// A 64-bit program that calls as a 32-bit one does: getpid, access of a path, exit_group.
#include <sys/mman.h>
#include <string.h>
#include <unistd.h>

static long call(long number, long first, long second) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second) : "memory");
    return result;
}

int main(void) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT;
    char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
    strcpy(low, "/etc/passwd");
    if (call(20, 0, 0) != getpid())
        return 1;
    if (call(33, (long)low, 0) != 0 || access("/", 0) != 0)
        return 2;
    return call(252, 0, 0);
}
