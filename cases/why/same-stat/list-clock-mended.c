// A small ls: the names in a directory, with the time of their last change.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

static void show(int directory, const char *name)
{
    struct stat about;
    char when[32];

    if (fstatat(directory, name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
        perror(name);
        return;
    }
    struct tm local;
    localtime_r(&about.st_mtime, &local);
    strftime(when, sizeof when, "%b %e %H:%M", &local);
    printf("%s %8lld %s\n", when, (long long)about.st_size, name);
}

int main(int count, char **words)
{
    DIR *directory = opendir(count > 1 ? words[1] : ".");
    struct dirent *entry;

    if (!directory) {
        perror("opendir");
        return 1;
    }
    // localtime_r reads the zone only once.
    tzset();
    while ((entry = readdir(directory)))
        if (entry->d_name[0] != '.')
            show(dirfd(directory), entry->d_name);
    return closedir(directory);
}
