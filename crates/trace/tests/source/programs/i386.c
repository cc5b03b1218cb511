// A 32-bit program without a library.
static int call(int number, int one, int two, int three) {
    int result;
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(number), "b"(one), "c"(two), "d"(three)
                     : "memory");
    return result;
}

void _start(void) {
    static char block[64];
    for (int i = 0; i < 10; i++) {
        int fd = call(5, (int)"/etc/passwd", 0, 0);
        call(3, fd, (int)block, sizeof block);
        call(19, fd, 1, 0);
        call(6, fd, 0, 0);
        if (call(2, 0, 0, 0) == 0) {
            call(33, (int)"/nowhere", 0, 0);
            call(1, 0, 0, 0);
        }
        call(7, -1, 0, 0);
    }
    call(1, 0, 0, 0);
}
