/* What the snippets in C use; each becomes a function. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

struct item { int number; };
struct state { int number; };
struct linux_dirent64 {
    unsigned long d_ino;
    long d_off;
    unsigned short d_reclen;
};

static const char *path, *dir, *name, *directory, *folder, *host, *service, *line, *item;
static char *bytes, **names;
static FILE *file;
static DIR *d;
static struct dirent *e;
static struct stat st;
static struct addrinfo hints;
static struct pollfd fds[1];
static struct epoll_event events[1];
static struct timespec now;
static struct linux_dirent64 *last;
static struct item items[1], records[1], record;
static struct state state;
static time_t when;
static uid_t uid;
static char block[4096], buffer[4096];
static int fd, at, i, in, out, from, to, epoll, wake, show_acl, marks_end;
static long n, left, number, end_mark;
static size_t length;

/* What programs have of their own. */
int each_entry(const char *block, long length);
int enter(const char *name);
int handle(struct item *item);
int is_made(const char *folder);
int list(const char *directory, char ***names, size_t *count);
int missing(void);
int remember(const char *name, ...);
int save(const char *path, struct state *state);
int update(struct state *state, struct item *item);
int use();
int write_all(int fd, const char *block, size_t length);
int write_file(const char *name);
int write_item(int fd, struct item *item);
int write_record(int fd, struct item *item);
char *read_whole(const char *path);
const char *search(const char *name);
const char *known(const char *name);
struct linux_dirent64 *entry(long at);

EACH
static int NAME(void)
{
SNIPPET
return 0;
}
END
