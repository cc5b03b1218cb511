/* Stores parts of a message, each in a file of its own that is safe on the disk before the next. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PARTS = 200 };

static void sync_directory(const char *path)
{
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0 || fsync(directory) != 0)
        exit(1);
    close(directory);
}

static void store(const char *directory, int number)
{
    char made[256], name[256], text[64];
    snprintf(made, sizeof made, "%s/part%d.new", directory, number);
    snprintf(name, sizeof name, "%s/part%d", directory, number);
    int length = snprintf(text, sizeof text, "part %d of a message\n", number);
    int file = open(made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0 || write(file, text, length) != length || fsync(file) != 0)
        exit(1);
    close(file);
    if (rename(made, name) != 0)
        exit(1);
    sync_directory(directory);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int number = 0; number < PARTS; number++)
        store(argv[1], number);
    printf("%d parts\n", PARTS);
    return 0;
}
