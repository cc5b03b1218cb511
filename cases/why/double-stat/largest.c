// Finds the largest regular file among many.
#include <stdio.h>
#include <sys/stat.h>

static int is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static long long size_of(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (long long)about.st_size : -1;
}

int main(int count, char **words)
{
    char path[4096];
    long long largest = -1;

    for (int number = 0; count > 1 && number < 5000; number++) {
        snprintf(path, sizeof path, "%s/f%d", words[1], number);
        if (is_file(path) && size_of(path) > largest)
            largest = size_of(path);
    }
    printf("%lld\n", largest);
    return 0;
}
