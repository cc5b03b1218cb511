// Writes a multiplication table.
#include <stdio.h>

int main(void)
{
    for (int row = 1; row <= 100; row++)
        for (int column = 1; column <= 100; column++) {
            printf("%d%c", row * column, column < 100 ? ' ' : '\n');
            fflush(stdout);
        }
    return 0;
}
