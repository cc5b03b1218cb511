// Counts the names in a directory, without the C library's buffer.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

struct record {
    unsigned long long inode, offset;
    unsigned short size;
    unsigned char kind;
    char name[];
};

int main(int count, char **words)
{
    static char block[512] __attribute__((aligned(8)));
    int directory = open(count > 1 ? words[1] : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long names = 0, filled;

    while ((filled = syscall(SYS_getdents64, directory, block, sizeof block)) > 0)
        for (long at = 0; at < filled; names++)
            at += ((struct record *)(block + at))->size;
    if (filled < 0)
        perror("getdents64");
    printf("%ld names\n", names - 2);
    return close(directory);
}
