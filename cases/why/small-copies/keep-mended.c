// Keeps a copy of a file.
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>

static long copy(int from, int to)
{
    static char block[1 << 18];
    long copied = 0;

    for (ssize_t got; (got = read(from, block, sizeof block)) > 0; copied += got)
        if (write(to, block, got) != got)
            return -1;
    return copied;
}

int main(int count, char **words)
{
    int from = open(words[count > 2], O_RDONLY | O_CLOEXEC);
    int to = open(words[count - 1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    printf("%ld\n", copy(from, to));
    return close(to);
}
