/* A directory as `ls -l` shows it: fewer_list, with names of owners and local time.
 *
 *     cc list.c -o list $(pkg-config --cflags --libs fewer)
 *     ./list /etc
 *
 * Prints what `TZ=... ls -lAU --time-style=long-iso` prints, sorted by bytes, without its columns.
 */
#include <fewer.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int give_up(const char *what, fewer_error *error) {
    fprintf(stderr, "list: %s\n", error != NULL ? fewer_error_message(error) : what);
    fewer_error_free(error);
    return 2;
}

static void print_mode(const fewer_stat *stat) {
    static const char letters[] = "rwxrwxrwx";
    char mode[11] = {"?-dlpsbc"[stat->kind & 7]};
    for (int i = 0; i < 9; i++)
        mode[i + 1] = stat->permissions & (0400 >> i) ? letters[i] : '-';
    if (stat->permissions & 04000)
        mode[3] = mode[3] == 'x' ? 's' : 'S';
    if (stat->permissions & 02000)
        mode[6] = mode[6] == 'x' ? 's' : 'S';
    if (stat->permissions & 01000)
        mode[9] = mode[9] == 'x' ? 't' : 'T';
    fputs(mode, stdout);
}

/* Its name, or its number if it has none. */
static void print_owner(const char *name, uint32_t length, uint32_t number) {
    if (length > 0)
        printf(" %s", name);
    else
        printf(" %" PRIu32, number);
}

static void print_row(const char *bytes, const fewer_row *row, const fewer_zone *zone) {
    const fewer_stat *stat = &row->stat;
    fewer_civil time;
    fewer_zone_convert(zone, &stat->modified.seconds, 1, &time);
    print_mode(stat);
    printf(" %" PRIu32, stat->links);
    print_owner(bytes + row->user_name, row->user_name_length, stat->user);
    print_owner(bytes + row->group_name, row->group_name_length, stat->group);
    if (stat->kind == FEWER_CHAR || stat->kind == FEWER_BLOCK)
        printf(" %" PRIu32 ", %" PRIu32, stat->special_major, stat->special_minor);
    else
        printf(" %" PRIu64, stat->size);
    printf(" %04" PRId64 "-%02d-%02d %02d:%02d ", time.year, time.month, time.day, time.hour,
           time.minute);
    fwrite(bytes + row->name, 1, row->name_length, stdout);
    if (row->target_length > 0) {
        fputs(" -> ", stdout);
        fwrite(bytes + row->target, 1, row->target_length, stdout);
    }
    putchar('\n');
}

/* All rows; 1 if some could not be asked. */
static int print_rows(fewer_list *list, const fewer_zone *zone) {
    int status = 0;
    for (;;) {
        fewer_list_batch batch;
        fewer_error *error;
        if (fewer_list_next(list, &batch, &error) != 0)
            return give_up(NULL, error);
        if (batch.bytes == NULL)
            return status;
        for (size_t i = 0; i < batch.rows_count; i++) {
            const fewer_row *row = &batch.rows[i];
            if (row->number == 0) {
                print_row(batch.bytes, row, zone);
            } else {
                fprintf(stderr, "list: %s: %s\n", batch.bytes + row->name, strerror(row->number));
                status = 1;
            }
        }
    }
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : ".";
    int status = 2;
    fewer_owners *owners = fewer_owners_open();
    fewer_zone *zone = fewer_zone_open();
    fewer_list *list = NULL;
    fewer_error *error = NULL;
    const fewer_list_options options = {
        .flags = FEWER_LIST_LINKS,
        .fields = FEWER_FIELD_KIND | FEWER_FIELD_PERMISSIONS | FEWER_FIELD_LINKS |
                  FEWER_FIELD_OWNER | FEWER_FIELD_SIZE | FEWER_FIELD_MODIFIED,
        .owners = owners,
    };
    if (owners == NULL || zone == NULL)
        give_up("out of order", NULL);
    else if (fewer_list_open(NULL, path, strlen(path), &options, sizeof options, &list, &error))
        give_up(NULL, error);
    else
        status = print_rows(list, zone);
    fewer_list_close(list);
    fewer_zone_close(zone);
    fewer_owners_close(owners);
    return fflush(stdout) == 0 ? status : 2;
}
