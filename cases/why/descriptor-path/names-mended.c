// Says how long the names of the files are that it reads.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words)
{
    char path[4200];
    long sum = 0;

    for (int number = 0; number < 1000; number++) {
        snprintf(path, sizeof path, "%s/f%d", words[count > 1], number);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        sum += (long) strlen(path);
        close(file);
    }
    printf("%ld\n", sum);
    return 0;
}
