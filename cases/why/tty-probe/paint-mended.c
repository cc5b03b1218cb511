// Prints numbers; those that are divisible by seven in red, if somebody looks at them.
#include <stdio.h>
#include <unistd.h>

static void print(int number, int in_colour)
{
    if (number % 7 == 0 && in_colour)
        printf("\033[31m%d\033[m\n", number);
    else
        printf("%d\n", number);
}

int main(void)
{
    int in_colour = isatty(STDOUT_FILENO);

    for (int number = 1; number <= 50000; number++)
        print(number, in_colour);
    return 0;
}
