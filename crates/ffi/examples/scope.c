/* A working directory as a value: enters a directory, and asks for things in it by names that are
 * relative to it. The working directory of the process stays what it is.
 *
 *     cc scope.c -o scope $(pkg-config --cflags --libs fewer)
 *     ./scope /usr/bin awk
 *
 * Prints where the directory is, then the name with its size in bytes (as `stat -c '%n %s'`), where
 * it points if it is a link, and the first line of what can be read there. */
#include <fewer.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int give_up(fewer_error *error) {
    fprintf(stderr, "scope: %s\n", fewer_error_message(error));
    fewer_error_free(error);
    return 2;
}

static int print_first_line(const fewer_scope *scope, const char *name) {
    int descriptor;
    fewer_error *error;
    fewer_lines *lines;
    fewer_lines_batch batch;
    if (fewer_scope_open(scope, name, strlen(name), &descriptor, &error) != 0)
        return give_up(error);
    int failed = fewer_lines_borrow(descriptor, name, strlen(name), NULL, 0, &lines, &error);
    if (failed == 0) {
        failed = fewer_lines_next(lines, &batch, &error);
        if (failed == 0 && batch.bytes != NULL)
            fwrite(batch.bytes, 1, batch.ends[0], stdout);
        fewer_lines_close(lines);
    }
    close(descriptor);
    return failed == 0 ? 0 : give_up(error);
}

static int ask(const fewer_scope *scope, const char *name) {
    char text[4096];
    size_t needed;
    fewer_error *error;
    fewer_stat stat;
    if (fewer_scope_physical(scope, text, sizeof text, &needed, &error) != 0)
        return give_up(error);
    printf("%s\n", text);
    const uint32_t fields = FEWER_FIELD_KIND | FEWER_FIELD_SIZE;
    if (fewer_scope_stat(scope, name, strlen(name), fields, 0, &stat, &error) != 0)
        return give_up(error);
    printf("%s %" PRIu64 "\n", name, stat.size);
    if (stat.kind == FEWER_SYMLINK) {
        if (fewer_scope_read_link(scope, name, strlen(name), text, sizeof text, &needed, &error))
            return give_up(error);
        printf("-> %s\n", text);
    }
    return print_first_line(scope, name);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("usage: scope DIRECTORY NAME\n", stderr);
        return 2;
    }
    fewer_scope *scope;
    fewer_error *error;
    if (fewer_scope_enter(NULL, argv[1], strlen(argv[1]), &scope, &error) != 0)
        return give_up(error);
    int status = ask(scope, argv[2]);
    fewer_scope_close(scope);
    return fflush(stdout) == 0 ? status : 2;
}
