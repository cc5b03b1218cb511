// Counts the lines of many small files.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int lines_in(const char *path)
{
    struct stat status;
    int lines = 0, file = open(path, O_RDONLY | O_CLOEXEC);

    if (file < 0 || fstat(file, &status))
        return 0;
    const char *text = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    for (off_t at = 0; text != MAP_FAILED && at < status.st_size; at++)
        lines += text[at] == '\n';
    munmap((void *) text, status.st_size);
    close(file);
    return lines;
}

int main(int count, char **words)
{
    char path[4200];
    int lines = 0;

    for (int number = 0; number < 1000; number++) {
        snprintf(path, sizeof path, "%s/f%d", words[count > 1], number);
        lines += lines_in(path);
    }
    printf("%d\n", lines);
    return 0;
}
