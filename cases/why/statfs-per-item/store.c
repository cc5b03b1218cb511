// Counts the files of a folder that there is still room for.
#include <stdio.h>
#include <sys/statvfs.h>

static int has_room(const char *folder, int number)
{
    char path[4200];
    struct statvfs space;

    snprintf(path, sizeof path, "%s/f%d", folder, number);
    return statvfs(path, &space) == 0 && space.f_bavail * space.f_frsize > 1000;
}

int main(int count, char **words)
{
    int fitting = 0;

    for (int number = 0; number < 1000; number++)
        fitting += has_room(words[count > 1], number);
    printf("%d\n", fitting);
    return 0;
}
