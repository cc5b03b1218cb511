// Adds up the sizes of the file "size" in each of many directories.
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static long long size_in(const char *directory)
{
    char back[PATH_MAX];
    struct stat about = { 0 };

    if (!getcwd(back, sizeof back) || chdir(directory) != 0) {
        perror(directory);
        return 0;
    }
    if (stat("size", &about) != 0)
        perror("size");
    if (chdir(back) != 0)
        perror(back);
    return about.st_size;
}

int main(int count, char **words)
{
    long long sum = 0;

    for (int number = 0; count > 1 && number < 2000; number++) {
        char directory[PATH_MAX];
        snprintf(directory, sizeof directory, "%s/d%d", words[1], number);
        sum += size_in(directory);
    }
    printf("%lld bytes\n", sum);
    return 0;
}
