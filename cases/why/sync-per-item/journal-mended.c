// Imports records into a store: all of them, or none.
#include <stdio.h>
#include <unistd.h>

int main(int count, char **words)
{
    FILE *store = fopen(words[count - 1], "w");

    if (!store) {
        perror(words[count - 1]);
        return 1;
    }
    for (int number = 1; number <= 500; number++)
        fprintf(store, "record %d: %d\n", number, number * number);
    if (fflush(store) != 0 || fsync(fileno(store)) != 0 || fclose(store) != 0) {
        perror(words[count - 1]);
        return 1;
    }
    puts("500 records");
    return 0;
}
