// Finds the largest regular file among many.
#include <stdio.h>
#include <sys/stat.h>

int main(int count, char **words)
{
    char path[4096];
    long long largest = -1;
    struct stat about;

    for (int number = 0; count > 1 && number < 5000; number++) {
        snprintf(path, sizeof path, "%s/f%d", words[1], number);
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > largest)
            largest = about.st_size;
    }
    printf("%lld\n", largest);
    return 0;
}
