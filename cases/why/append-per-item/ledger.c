// Books 3,000 payments, each by a record that is written at once.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void book(const char *ledger, int payment) {
    char record[32];
    int length = snprintf(record, sizeof record, "%08d %6d\n", payment, payment * 7 % 1000);
    int fd = open(ledger, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (write(fd, record, length) != length)
        _exit(1);
    close(fd);
}

int main(int argc, char **argv) {
    for (int payment = 0; payment < 3000; payment++)
        book(argv[1], payment);
    return 0;
}
