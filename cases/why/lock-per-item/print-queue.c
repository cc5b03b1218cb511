/* Counts the pages of jobs; the queue is locked for each of them. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int lock_queue(void)
{
    int fd = open("queue.lock", O_CREAT | O_EXCL | O_WRONLY, 0644);
    if (fd < 0)
        return -1;
    dprintf(fd, "print-queue\n");
    return close(fd);
}

static long pages(const char *path)
{
    char text[4096];
    int fd = open(path, O_RDONLY);
    long n = fd < 0 ? 0 : read(fd, text, sizeof text);
    close(fd);
    return n;
}

int main(void)
{
    char path[32];
    long sum = 0;
    for (int i = 0; i < 1000; i++) {
        if (lock_queue() < 0)
            return 1;
        snprintf(path, sizeof path, "spool/job%d", i);
        sum += pages(path);
        unlink("queue.lock");
    }
    printf("%ld\n", sum);
    return 0;
}
