// Waits for its worker; in vain for a while before it lets it go on.
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

static int wait_for(int worker)
{
    struct pollfd watched = { .fd = worker, .events = POLLIN };

    for (int spin = 0; spin < 3000; spin++)
        if (poll(&watched, 1, 0) > 0)
            return 1;
    return 0;
}

int main(void)
{
    int start[2], done[2];
    char byte = 0;

    if (pipe(start) || pipe(done))
        return 1;
    if (fork() == 0)
        return read(start[0], &byte, 1) != 1 || write(done[1], "x", 1) != 1;
    int is_done = wait_for(done[0]);
    if (!is_done && write(start[1], "x", 1) == 1)
        is_done = read(done[0], &byte, 1) == 1;
    printf("%d\n", is_done);
    return 0;
}
