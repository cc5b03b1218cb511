/* The same: all are written, then the file system is synced once, then they get their names. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PARTS = 200 };

static void write_part(const char *made, int number)
{
    char text[64];
    int length = snprintf(text, sizeof text, "part %d of a message\n", number);
    int file = open(made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0 || write(file, text, length) != length)
        exit(1);
    close(file);
}

static void names_of(const char *directory, int number, char made[256], char name[256])
{
    snprintf(made, 256, "%s/part%d.new", directory, number);
    snprintf(name, 256, "%s/part%d", directory, number);
}

int main(int argc, char **argv)
{
    char made[256], name[256];
    if (argc < 2)
        return 2;
    int directory = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int number = 0; number < PARTS; number++) {
        names_of(argv[1], number, made, name);
        write_part(made, number);
    }
    if (directory < 0 || syncfs(directory) != 0)
        return 1;
    for (int number = 0; number < PARTS; number++) {
        names_of(argv[1], number, made, name);
        if (rename(made, name) != 0)
            return 1;
    }
    fsync(directory);
    printf("%d parts\n", PARTS);
    return 0;
}
