// Reads in many ways.
#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
    char a[7], b[5000];
    int fd = open("text", O_RDWR | O_CREAT, 0600);
    memset(b, 'b', sizeof b);
    struct iovec blocks[] = {{"head", 4}, {b, sizeof b}};
    (void)!writev(fd, blocks, 2);
    (void)!pread(fd, b, 2000, 0), (void)!pread(fd, b, 2000, 0), (void)!pread(fd, b, 2000, 1);
    struct iovec into[] = {{a, sizeof a}, {b, sizeof b}};
    lseek(fd, 0, SEEK_SET);
    (void)!readv(fd, into, 2), (void)!read(fd, b, 10);
    int copy = open("copy", O_RDWR | O_CREAT, 0600);
    off_t from = 0;
    (void)!sendfile(copy, fd, &from, 100);
    from = 0;
    (void)!copy_file_range(fd, &from, copy, NULL, 50, 0);
    struct stat st;
    fstat(fd, &st), fstat(fd, &st);
    (void)!read(fd, b, 1), fstat(fd, &st); // atime
    (void)!write(fd, "more", 4);
    fstat(fd, &st);
    return 0;
}
