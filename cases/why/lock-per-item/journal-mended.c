// Writes records into a journal that other programs write to as well.
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

static void add(int journal, int number)
{
    char record[64];
    int length = snprintf(record, sizeof record, "%060d\n", number);

    if (pwrite(journal, record, length, (off_t) number * length) != length)
        perror("write");
}

int main(int count, char **words)
{
    int journal = open(words[count > 1], O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

    flock(journal, LOCK_EX);
    for (int number = 0; number < 3000; number++)
        add(journal, number);
    flock(journal, LOCK_UN);
    return close(journal);
}
