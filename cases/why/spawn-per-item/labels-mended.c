// Prints the check sum of each part of a delivery, as `cksum` has it.
#include <stdio.h>

static unsigned long sum_of(FILE *answer)
{
    unsigned long sum = 0;
    if (fscanf(answer, "%lu %*[^\n]", &sum) != 1)
        sum = 0;
    return sum;
}

int main(int count, char **words)
{
    unsigned long all = 0;
    char command[4200];
    if (count < 2)
        return 1;
    snprintf(command, sizeof command, "cd '%s' && cksum *", words[1]);
    FILE *answer = popen(command, "r");
    for (int number = 0; answer && number < 80; number++)
        all ^= sum_of(answer);
    if (answer)
        pclose(answer);
    printf("%lu\n", all);
    return 0;
}
