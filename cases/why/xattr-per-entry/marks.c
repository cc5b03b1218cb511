// Lists a directory, with an @ behind each name that has extended attributes.
#include <dirent.h>
#include <stdio.h>
#include <sys/xattr.h>
#include <unistd.h>

int main(int count, char **words)
{
    const char *where = words[count - 1];
    DIR *directory = opendir(where);
    struct dirent *entry;

    if (!directory || chdir(where) != 0) {
        perror(where);
        return 1;
    }
    while ((entry = readdir(directory))) {
        int marked = llistxattr(entry->d_name, NULL, 0) > 0;
        printf("%s%s\n", entry->d_name, marked ? "@" : "");
    }
    return closedir(directory);
}
