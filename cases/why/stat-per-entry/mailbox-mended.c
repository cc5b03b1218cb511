/* Counts the lines of all messages of a mailbox. */
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

static long lines(const char *path) {
    FILE *message = fopen(path, "r");
    long count = 0;
    if (!message)
        return 0;
    for (int c; (c = getc(message)) != EOF;)
        count += c == '\n';
    fclose(message);
    return count;
}

static long deliver(const char *folder, const struct dirent *entry) {
    char path[4096];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_type == DT_UNKNOWN) {
        if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
            return 0;
    } else if (entry->d_type != DT_REG)
        return 0;
    return lines(path);
}

int main(int argc, char **argv) {
    DIR *folder = argc > 1 ? opendir(argv[1]) : NULL;
    long sum = 0;
    if (!folder)
        return 1;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            sum += deliver(argv[1], entry);
    closedir(folder);
    printf("%ld\n", sum);
    return 0;
}
