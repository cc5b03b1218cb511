// Numbers 3,000 entries, and writes each into the journal.
#include <stdio.h>
#include <stdlib.h>

static void enter(FILE *journal, int number) {
    fprintf(journal, "entry %d\n", number);
}

int main(int argc, char **argv) {
    FILE *journal = fopen(argv[1], "a");
    if (!journal)
        exit(1);
    for (int number = 1; number <= 3000; number++)
        enter(journal, number);
    fclose(journal);
    printf("%d\n", 3000);
    return 0;
}
