// Prints the real path of each file in a directory, sorted.
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

// The directory's real path is known; only a link leads elsewhere.
static void show(const char *where, const struct dirent *entry)
{
    char path[PATH_MAX], real[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", where, entry->d_name);
    if (entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN)
        puts(path);
    else if (realpath(path, real))
        puts(real);
    else
        perror(path);
}

int main(int count, char **words)
{
    char where[PATH_MAX];
    struct dirent **entries;
    int found = -1;

    if (realpath(count > 1 ? words[1] : ".", where))
        found = scandir(where, &entries, is_visible, alphasort);
    for (int i = 0; i < found; i++)
        show(where, entries[i]);
    return found < 0;
}
