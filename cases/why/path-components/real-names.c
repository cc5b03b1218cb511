// Prints the real path of each file in a directory, sorted.
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void show(const char *where, const char *name)
{
    char path[PATH_MAX], real[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", where, name);
    if (realpath(path, real))
        puts(real);
    else
        perror(path);
}

int main(int count, char **words)
{
    const char *where = count > 1 ? words[1] : ".";
    struct dirent **entries;
    int found = scandir(where, &entries, is_visible, alphasort);

    for (int i = 0; i < found; i++)
        show(where, entries[i]->d_name);
    return found < 0;
}
