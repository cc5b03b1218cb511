// Books 3,000 payments, each by a record that is written at once.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void book(int ledger, int payment) {
    char record[32];
    int length = snprintf(record, sizeof record, "%08d %6d\n", payment, payment * 7 % 1000);
    if (write(ledger, record, length) != length)
        _exit(1);
}

int main(int argc, char **argv) {
    int ledger = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0644);
    for (int payment = 0; payment < 3000; payment++)
        book(ledger, payment);
    close(ledger);
    return 0;
}
