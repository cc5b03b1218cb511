// Writes messages for a reader of the same user.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int deliver(const char *folder, int number)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/message%d", folder, number);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int written = write(file, "message\n", 8) == 8;

    close(file);
    return written;
}

int main(int count, char **words)
{
    int written = 0;

    for (int number = 0; number < 600; number++)
        written += deliver(words[count > 1], number);
    printf("%d\n", written);
    return 0;
}
