// Puts numbers into folders.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int store(const char *folder, int number)
{
    char path[256];

    mkdir(folder, 0755);
    snprintf(path, sizeof path, "%s/%d", folder, number);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    return file < 0 ? -1 : close(file);
}

int main(void)
{
    for (int number = 0; number < 2000; number++)
        if (store(number % 2 ? "odd" : "even", number) != 0) {
            perror("cannot store");
            return 1;
        }
    puts("2000 numbers");
    return 0;
}
