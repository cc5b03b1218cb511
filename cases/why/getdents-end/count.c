// Counts the names in each directory of a directory.
#include <dirent.h>
#include <stdio.h>

static long count_names(const char *path)
{
    DIR *directory = opendir(path);
    long names = 0;

    if (!directory)
        return 0;
    while (readdir(directory))
        names++;
    closedir(directory);
    return names - 2;
}

int main(int count, char **words)
{
    char path[4096];
    long names = 0;

    for (int number = 0; count > 1 && number < 1500; number++) {
        snprintf(path, sizeof path, "%s/%d", words[1], number);
        names += count_names(path);
    }
    printf("%ld names\n", names);
    return 0;
}
