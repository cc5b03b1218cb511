// Waits for its worker.
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int start[2], done[2];
    char byte = 0;

    if (pipe(start) || pipe(done))
        return 1;
    if (fork() == 0)
        return read(start[0], &byte, 1) != 1 || write(done[1], "x", 1) != 1;
    int is_done = write(start[1], "x", 1) == 1 && read(done[0], &byte, 1) == 1;
    printf("%d\n", is_done);
    return 0;
}
