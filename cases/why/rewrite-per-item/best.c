// Looks for the best of 2,000 guesses, and saves it each time, safely.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void save(const char *path, int best)
{
    char text[16], new[256];
    snprintf(new, sizeof new, "%s.new", path);
    int length = snprintf(text, sizeof text, "%d\n", best);
    int fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, text, length) != length || fsync(fd) || close(fd))
        exit(1);
    if (rename(new, path))
        exit(1);
}

int main(int argc, char **argv)
{
    int best = 0;
    for (int guess = 1; guess <= 2000; guess++) {
        int value = guess * 7919 % 2003;
        best = value > best ? value : best;
        save(argv[1], best);
    }
    printf("%d\n", best);
    return 0;
}
