// Adds up the sizes of files; no child may inherit their descriptors.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_private(const char *path)
{
    int file = open(path, O_RDONLY);

    if (file >= 0) {
        int flags = fcntl(file, F_GETFD);
        fcntl(file, F_SETFD, flags | FD_CLOEXEC);
    }
    return file;
}

int main(int count, char **words)
{
    long long sum = 0;

    for (int number = 0; count > 1 && number < 3000; number++) {
        char path[4096], letter;
        snprintf(path, sizeof path, "%s/f%d", words[1], number);
        int file = open_private(path);
        if (file < 0 || read(file, &letter, 1) != 1)
            perror(path);
        sum += letter;
        close(file);
    }
    printf("%lld\n", sum);
    return 0;
}
