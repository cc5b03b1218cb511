// A small ls: the names in a directory, with their owners.
#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>

// The name of a user, looked up when it is another one than last time.
static const char *name_of(uid_t user)
{
    static char name[64];
    static uid_t last = (uid_t)-1;

    if (user != last) {
        struct passwd *owner = getpwuid(user);
        if (owner)
            snprintf(name, sizeof name, "%s", owner->pw_name);
        else
            snprintf(name, sizeof name, "%u", user);
        last = user;
    }
    return name;
}

static void show(int directory, const char *name)
{
    struct stat about;

    if (fstatat(directory, name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
        perror(name);
        return;
    }
    printf("%-8s %s\n", name_of(about.st_uid), name);
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
