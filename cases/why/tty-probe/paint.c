// Prints numbers; those that are divisible by seven in red, if somebody looks at them.
#include <stdio.h>
#include <unistd.h>

static void print(int number)
{
    if (number % 7 == 0 && isatty(STDOUT_FILENO))
        printf("\033[31m%d\033[m\n", number);
    else
        printf("%d\n", number);
}

int main(void)
{
    for (int number = 1; number <= 50000; number++)
        print(number);
    return 0;
}
