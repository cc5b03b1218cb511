// Imports records into a store.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int append(int store, int number)
{
    char record[64];
    int size = snprintf(record, sizeof record, "record %d: %d\n", number, number * number);

    if (write(store, record, (size_t)size) != size)
        return -1;
    return fsync(store);
}

int main(int count, char **words)
{
    int store = open(words[count - 1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    for (int number = 1; number <= 500; number++)
        if (append(store, number) != 0) {
            perror(words[count - 1]);
            return 1;
        }
    puts("500 records");
    return close(store);
}
