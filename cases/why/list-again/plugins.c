// Counts for 3,000 words how many plug-ins there are.
#include <dirent.h>
#include <stdio.h>

static int plugins(const char *folder)
{
    int count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    if (directory)
        closedir(directory);
    return count;
}

int main(int argc, char **argv)
{
    long asked = 0;
    for (int word = 0; word < 3000; word++)
        asked += word % (plugins(argv[1]) + 1);
    printf("%ld\n", asked);
    return 0;
}
