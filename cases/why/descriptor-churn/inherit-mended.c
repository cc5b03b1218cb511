// Adds up the sizes of files; no child may inherit their descriptors.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_private(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC);
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
