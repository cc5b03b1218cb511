// Counts the names in a directory.
#include <dirent.h>
#include <stdio.h>

int main(int count, char **words)
{
    DIR *directory = opendir(count > 1 ? words[1] : ".");
    long names = 0;

    if (!directory) {
        perror("opendir");
        return 1;
    }
    while (readdir(directory))
        names++;
    printf("%ld names\n", names - 2);
    return closedir(directory);
}
