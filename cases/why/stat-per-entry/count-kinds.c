// Counts files and directories in a directory.
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

int main(int count, char **words)
{
    const char *where = count > 1 ? words[1] : ".";
    DIR *directory = opendir(where);
    struct dirent *entry;
    long files = 0, directories = 0;

    if (!directory) {
        perror(where);
        return 1;
    }
    while ((entry = readdir(directory))) {
        char path[4096];
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", where, entry->d_name);
        if (lstat(path, &about) != 0)
            perror(path);
        else if (S_ISDIR(about.st_mode))
            directories++;
        else
            files++;
    }
    printf("%ld files, %ld directories\n", files, directories);
    return closedir(directory);
}
