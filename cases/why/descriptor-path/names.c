// Says how long the names of the files are that it reads.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static long name_length(int file)
{
    char link[64], name[4200];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    return readlink(link, name, sizeof name);
}

int main(int count, char **words)
{
    char path[4200];
    long sum = 0;

    for (int number = 0; number < 1000; number++) {
        snprintf(path, sizeof path, "%s/f%d", words[count > 1], number);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        sum += name_length(file);
        close(file);
    }
    printf("%ld\n", sum);
    return 0;
}
