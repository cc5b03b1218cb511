// Lists a directory. With -l a + stands behind names with an access list, a . behind those that
// have a label.
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

__attribute__((noinline)) static const char *mark_of(const char *name)
{
    if (lgetxattr(name, "system.posix_acl_access", NULL, 0) > 0)
        return "+";
    if (lgetxattr(name, "security.selinux", NULL, 0) > 0)
        return ".";
    return "";
}

int main(int count, char **words)
{
    const char *where = words[count - 1];
    const int is_long = strcmp(words[1], "-l") == 0;
    DIR *directory = opendir(where);
    struct dirent *entry;

    if (!directory || chdir(where) != 0) {
        perror(where);
        return 1;
    }
    while ((entry = readdir(directory)))
        printf("%s%s\n", entry->d_name, is_long ? mark_of(entry->d_name) : "");
    return closedir(directory);
}
