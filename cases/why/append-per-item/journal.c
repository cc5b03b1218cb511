// Numbers 3,000 entries, and writes each into the journal.
#include <stdio.h>
#include <stdlib.h>

static void enter(const char *journal, int number) {
    FILE *file = fopen(journal, "a");
    if (!file)
        exit(1);
    fprintf(file, "entry %d\n", number);
    fclose(file);
}

int main(int argc, char **argv) {
    for (int number = 1; number <= 3000; number++)
        enter(argv[1], number);
    printf("%d\n", 3000);
    return 0;
}
