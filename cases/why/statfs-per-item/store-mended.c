// Counts the files of a folder that there is still room for.
#include <stdio.h>
#include <sys/statvfs.h>

static int has_room(const struct statvfs *space)
{
    return space->f_bavail * space->f_frsize > 1000;
}

int main(int count, char **words)
{
    struct statvfs space;
    int fitting = 0;

    if (statvfs(words[count > 1], &space) == 0)
        for (int number = 0; number < 1000; number++)
            fitting += has_room(&space);
    printf("%d\n", fitting);
    return 0;
}
