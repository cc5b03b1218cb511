// Removes the files that an earlier run has left behind.
#include <stdio.h>
#include <unistd.h>

int main(int count, char **words)
{
    int removed = 0;

    for (int number = 0; count > 1 && number < 200; number++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/f%d", words[1], number);
        removed += unlink(path) == 0;
    }
    printf("%d removed\n", removed);
    return 0;
}
