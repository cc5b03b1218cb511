// Adds up the balances of accounts, which lie in a file in the order of another one.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct account { char name[28]; unsigned char balance[4]; };

static unsigned balance_of(int file, long number)
{
    struct account account;

    lseek(file, number * (long) sizeof account, SEEK_SET);
    if (read(file, &account, sizeof account) != (ssize_t) sizeof account)
        return 0;
    return account.balance[0];
}

int main(int count, char **words)
{
    int file = open(words[count > 1], O_RDONLY | O_CLOEXEC);
    unsigned long sum = 0;

    for (long number = 0; number < 3000; number++)
        sum += balance_of(file, number * 7 % 3000);
    printf("%lu\n", sum);
    return close(file);
}
