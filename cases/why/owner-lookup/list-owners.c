// A small ls: the names in a directory, with their owners.
#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>

static void show(int directory, const char *name)
{
    struct stat about;

    if (fstatat(directory, name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
        perror(name);
        return;
    }
    struct passwd *owner = getpwuid(about.st_uid);
    if (owner)
        printf("%-8s %s\n", owner->pw_name, name);
    else
        printf("%-8u %s\n", about.st_uid, name);
}

int main(int count, char **words)
{
    DIR *directory = opendir(count > 1 ? words[1] : ".");
    struct dirent *entry;

    if (!directory) {
        perror("opendir");
        return 1;
    }
    while ((entry = readdir(directory)))
        if (entry->d_name[0] != '.')
            show(dirfd(directory), entry->d_name);
    return closedir(directory);
}
