// Counts files and directories in a directory.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

// A directory says what each entry is; only some file systems leave that open.
static int is_directory(int where, const struct dirent *entry)
{
    struct stat about;

    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    return fstatat(where, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0
        && S_ISDIR(about.st_mode);
}

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
        if (is_directory(dirfd(directory), entry))
            directories++;
        else
            files++;
    }
    printf("%ld files, %ld directories\n", files, directories);
    return closedir(directory);
}
