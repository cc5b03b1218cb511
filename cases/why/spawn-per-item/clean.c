// Removes the files that an earlier run has left behind.
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words)
{
    int removed = 0;

    for (int number = 0; count > 1 && number < 200; number++) {
        char command[4200];
        snprintf(command, sizeof command, "rm '%s/f%d'", words[1], number);
        removed += system(command) == 0;
    }
    printf("%d removed\n", removed);
    return 0;
}
