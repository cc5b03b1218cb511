// Paths that are hard to read.
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    struct stat st;
    // At the very end of a page, with nothing behind it.
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(page + 4096, 4096);
    char *end = page + 4096 - sizeof "/etc/passwd";
    strcpy(end, "/etc/passwd");
    stat(end, &st);
    // Without an end.
    memset(page, 'x', 4096);
    stat(page + 4000, &st);
    // Across two pages.
    char *two = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    strcpy(two + 4090, "/etc/group");
    stat(two + 4090, &st);
    // Nowhere.
    stat(NULL, &st);
    stat((char *)8, &st);
    stat((char *)-1, &st);
    // Longest name, longest path, and one too many.
    static char name[260], path[5000];
    memset(name, 'n', 255);
    close(open(name, O_CREAT | O_WRONLY, 0600));
    name[255] = 'n';
    stat(name, &st);
    for (int i = 0; i < 2047; i++)
        memcpy(path + 2 * i, "./", 2);
    path[4094] = 'p';
    stat(path, &st);
    path[4095] = 'p';
    stat(path, &st);
    // No text, and the empty path.
    close(open("\xff\xfe\n\x1b[1m", O_CREAT | O_WRONLY, 0600));
    stat("", &st);
    fstatat(AT_FDCWD, "", &st, AT_EMPTY_PATH);
    syscall(SYS_statx, 0, NULL, AT_EMPTY_PATH, 0, NULL);
    return 0;
}
