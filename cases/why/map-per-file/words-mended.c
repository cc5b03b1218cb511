// Counts the lines of many small files.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int lines_in(const char *path)
{
    struct stat status;
    int lines = 0, file = open(path, O_RDONLY | O_CLOEXEC);

    if (file < 0 || fstat(file, &status))
        return 0;
    static char text[65536];
    ssize_t got = read(file, text, sizeof text);
    for (ssize_t at = 0; at < got; at++)
        lines += text[at] == '\n';
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
