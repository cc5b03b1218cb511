// Reads what a worker has sent, without waiting.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int try_read(int pipe, char *byte)
{
    int flags = fcntl(pipe, F_GETFL);
    fcntl(pipe, F_SETFL, flags | O_NONBLOCK);
    int got = read(pipe, byte, 1);
    fcntl(pipe, F_SETFL, flags);
    return got;
}

int main(void)
{
    int ends[2], got = 0;
    char byte;

    if (pipe(ends))
        return 1;
    for (int number = 0; number < 1000; number++) {
        got += write(ends[1], "x", 1);
        got += try_read(ends[0], &byte);
    }
    printf("%d\n", got);
    return 0;
}
