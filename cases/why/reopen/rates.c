// Turns amounts into another currency; the rates are in a file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double rate(const char *path, const char *currency)
{
    char name[16];
    double value, found = 0;
    FILE *rates = fopen(path, "r");

    if (!rates) {
        perror(path);
        exit(1);
    }
    while (fscanf(rates, "%15s %lf", name, &value) == 2)
        if (strcmp(name, currency) == 0)
            found = value;
    fclose(rates);
    return found;
}

int main(int count, char **words)
{
    if (count < 3)
        return 2;
    for (int amount = 1; amount <= 5000; amount++)
        printf("%.2f\n", amount * rate(words[1], words[2]));
    return 0;
}
