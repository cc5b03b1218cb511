// Writes files that nobody else may read.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int create(const char *folder, int number)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/secret%d", folder, number);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    return file;
}

int main(int count, char **words)
{
    int written = 0;

    for (int number = 0; number < 600; number++) {
        int file = create(words[count > 1], number);
        written += write(file, "secret\n", 7) == 7;
        close(file);
    }
    printf("%d\n", written);
    return 0;
}
