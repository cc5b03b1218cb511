// Reads what a worker has sent, without waiting.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int ends[2], got = 0;
    char byte;

    if (pipe(ends))
        return 1;
    fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
    for (int number = 0; number < 1000; number++) {
        got += write(ends[1], "x", 1);
        got += read(ends[0], &byte, 1);
    }
    printf("%d\n", got);
    return 0;
}
