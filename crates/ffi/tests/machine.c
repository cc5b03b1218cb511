/* What the machine knows: names of owners against getpwent(3), local time against localtime(3), and
 * how many calls were made. */
#include "test.h"

#include <time.h>
#ifndef _WIN32
#include <grp.h>
#include <pwd.h>
#endif

static fewer_error *error;

/* A number that no user has. */
enum { NOBODYS = 4242424 };

#ifndef _WIN32
static void users_are_those_of_the_machine(void) {
    fewer_owners *owners = fewer_owners_open();
    const struct passwd *user;
    setpwent();
    while ((user = getpwent()) != NULL) {
        char name[256];
        size_t needed = 0;
        uint32_t number = NOBODYS;
        EQUAL(fewer_owners_user(owners, user->pw_uid, name, sizeof name, &needed), 0);
        EQUAL(needed, strlen(name));
        EQUAL(fewer_owners_user_number(owners, P(name), &number), 0);
        EQUAL(number, user->pw_uid);
        EQUAL(fewer_owners_user_number(owners, P(user->pw_name), &number), 0);
        EQUAL(number, user->pw_uid);
    }
    endpwent();
    fewer_owners_close(owners);
}

static void groups_are_those_of_the_machine(void) {
    fewer_owners *owners = fewer_owners_open();
    const struct group *group;
    setgrent();
    while ((group = getgrent()) != NULL) {
        char name[256];
        uint32_t number = NOBODYS;
        EQUAL(fewer_owners_group(owners, group->gr_gid, name, sizeof name, NULL), 0);
        EQUAL(fewer_owners_group_number(owners, P(group->gr_name), &number), 0);
        EQUAL(number, group->gr_gid);
    }
    endgrent();
    fewer_owners_close(owners);
}
#endif

static void who_is_not_there_has_no_name(void) {
    fewer_owners *owners = fewer_owners_open();
    char name[16] = "untouched";
    size_t needed = 7;
    uint32_t number = 7;
    EQUAL(fewer_owners_user(owners, NOBODYS, name, sizeof name, &needed), ENOENT);
    EQUAL(fewer_owners_group(owners, NOBODYS, name, sizeof name, &needed), ENOENT);
    EQUAL(fewer_owners_user_number(owners, P("no such user"), &number), ENOENT);
    EQUAL(fewer_owners_group_number(owners, P(""), &number), ENOENT);
    EQUAL(fewer_owners_user_number(owners, NULL, 3, &number), EINVAL);
    EQUAL(fewer_owners_user_number(owners, "root\0", 5, &number), EINVAL);
    EQUAL(fewer_owners_group_number(owners, "ro\0t", 4, &number), EINVAL);
    TEXT(name, strlen(name), "untouched");
    EQUAL(needed + number, 14);
    fewer_owners_close(owners);
}

static void a_name_fits_or_says_how_much_it_needs(void) {
    SKIP_UNLESS(HAS_OWNERS, "owners are in no files here");
    fewer_owners *owners = fewer_owners_open();
    char name[8] = "xxxxxxx";
    size_t needed = 0;
    EQUAL(fewer_owners_user(owners, 0, name, 4, &needed), ERANGE);
    EQUAL(needed, 4);
    TEXT(name, 7, "xxxxxxx");
    EQUAL(fewer_owners_user(owners, 0, NULL, 0, &needed), ERANGE);
    EQUAL(fewer_owners_user(owners, 0, name, 5, NULL), 0);
    TEXT(name, strlen(name), "root");
    fewer_owners_close(owners);
}

#ifndef _WIN32
static void compare(const char *name, const fewer_zone *zone, int64_t second) {
    fewer_civil civil;
    struct tm expected;
    const time_t time = second;
    fewer_zone_convert(zone, &second, 1, &civil);
    if (localtime_r(&time, &expected) == NULL)
        return;
    if (civil.year != (int64_t)expected.tm_year + 1900 || civil.month != expected.tm_mon + 1 ||
        civil.day != expected.tm_mday || civil.hour != expected.tm_hour ||
        civil.minute != expected.tm_min || civil.second != expected.tm_sec ||
        civil.weekday != expected.tm_wday || civil.yearday != expected.tm_yday ||
        civil.offset_seconds != expected.tm_gmtoff || civil.reserved != 0) {
        printf("  not as localtime has it: %s: %" PRId64 "\n", name, second);
        wrong_here++;
    }
}

static void local_time_is_that_of_the_c_library(void) {
    const char *const zones[] = {"UTC",         "Europe/Berlin",  "America/St_Johns",
                                 "Asia/Tokyo",  "Pacific/Apia",   "America/Sao_Paulo",
                                 "Europe/Dublin", "EST5EDT,M3.2.0,M11.1.0",
                                 "<+0330>-3:30", "nonsense",      ""};
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        set_zone(zones[i]);
        fewer_zone *zone = fewer_zone_open();
        CHECK(zone != NULL);
        /* From 1900 to 2100 and some that are far away. A rule that TZ itself has is valid before
         * 1970, too; glibc has it otherwise. Beyond some five million years its days overflow. */
        int64_t first = strchr(zones[i], ',') == NULL ? -2208988800 : 0;
        for (int64_t second = first; second < 4102444800; second += 45679 * 3)
            compare(zones[i], zone, second);
        for (int64_t second = 1; second < (int64_t)1 << 47; second *= 7) {
            compare(zones[i], zone, second);
            if (first < 0)
                compare(zones[i], zone, -second);
        }
        fewer_zone_close(zone);
    }
}
#endif

/* Which C libraries agree on. */
static void a_zone_of_fixed_offset_is_known(void) {
    const int64_t second = 1000000000; /* 2001-09-09T01:46:40Z */
    fewer_civil civil;
    set_zone("EST5");
    fewer_zone *zone = fewer_zone_open();
    fewer_zone_convert(zone, &second, 1, &civil);
    EQUAL(civil.year, 2001);
    EQUAL(civil.yearday, 250);
    EQUAL(civil.hour, 20);
    EQUAL(civil.minute, 46);
    EQUAL(civil.second, 40);
    EQUAL(civil.weekday, 6);
    EQUAL(civil.offset_seconds, -5 * 3600);
    fewer_zone_close(zone);
}

static void any_number_is_some_time(void) {
    const int64_t seconds[] = {INT64_MIN, INT64_MIN + 1, -1, 0, INT64_MAX - 1, INT64_MAX};
    fewer_civil civil[6];
    set_zone("Europe/Berlin");
    fewer_zone *zone = fewer_zone_open();
    memset(civil, 0, sizeof civil);
    fewer_zone_convert(zone, seconds, 6, civil);
    for (size_t i = 0; i < 6; i++) {
        CHECK(civil[i].month >= 1 && civil[i].month <= 12);
        CHECK(civil[i].day >= 1 && civil[i].day <= 31);
    }
    CHECK(civil[0].year < -292000000000 && civil[5].year > 292000000000);
    fewer_zone_convert(zone, NULL, 0, NULL);
    fewer_zone_convert(zone, NULL, 3, civil);
    fewer_zone_convert(zone, seconds, 3, NULL);
    fewer_zone_close(zone);
}

static uint64_t calls(const char *name) {
    fewer_call_count counts[128];
    size_t known = fewer_calls(counts, 128);
    for (size_t i = 0; i < known; i++)
        if (strcmp(counts[i].name, name) == 0)
            return counts[i].count;
    return 0;
}

static void calls_are_counted(void) {
    fewer_scope *scope = NULL;
    fewer_stat stat;
    uint64_t opened = calls(OPENS), asked = calls(ASKS), closed = calls(CLOSES);
    FINE(fewer_scope_enter(NULL, P("."), &scope, &error));
    FINE(fewer_scope_stat(scope, P("."), FEWER_FIELD_SIZE, 0, &stat, &error));
    fewer_scope_close(scope);
    /* On Windows a file is opened to be asked. */
    EQUAL(calls(OPENS) - opened, 1 + OPENS_TO_ASK);
    EQUAL(calls(ASKS) - asked, 1);
    EQUAL(calls(CLOSES) - closed, 1 + OPENS_TO_ASK);
}

static void a_zone_and_owners_cost_one_read_of_their_files(void) {
    SKIP_UNLESS(HAS_OWNERS, "there are no such files here");
    char name[64];
    fewer_civil civil;
    const int64_t seconds[] = {0, 1000000000, 2000000000};
    set_zone("Europe/Berlin");
    uint64_t opened = calls(OPENS);
    fewer_zone *zone = fewer_zone_open();
    for (int i = 0; i < 100; i++)
        fewer_zone_convert(zone, &seconds[i % 3], 1, &civil);
    CHECK(calls(OPENS) - opened == 1);
    fewer_zone_close(zone);
    opened = calls(OPENS);
    fewer_owners *owners = fewer_owners_open();
    EQUAL(calls(OPENS) - opened, 0);
    for (int i = 0; i < 100; i++)
        EQUAL(fewer_owners_user(owners, 0, name, sizeof name, NULL), 0);
    CHECK(calls(OPENS) - opened <= 2);
    fewer_owners_close(owners);
}

static void rows_of_calls_are_in_order_and_cut_where_room_ends(void) {
    fewer_call_count counts[128];
    size_t known = fewer_calls(NULL, 0);
    CHECK(known > 2 && known < 128);
    EQUAL(fewer_calls(NULL, 10), known);
    memset(counts, 7, sizeof counts);
    EQUAL(fewer_calls(counts, 2), known);
    EQUAL(((char *)counts)[2 * sizeof *counts], 7);
    EQUAL(fewer_calls(counts, 128), known);
    for (size_t i = 0; i < known; i++) {
        CHECK(memchr(counts[i].name, 0, sizeof counts[i].name) != NULL);
        CHECK(counts[i].count > 0);
        CHECK(i == 0 || counts[i].count <= counts[i - 1].count);
    }
}

int main(void) {
    begin();
#ifndef _WIN32
    RUN(users_are_those_of_the_machine);
    RUN(groups_are_those_of_the_machine);
    RUN(local_time_is_that_of_the_c_library);
#endif
    RUN(who_is_not_there_has_no_name);
    RUN(a_name_fits_or_says_how_much_it_needs);
    RUN(a_zone_of_fixed_offset_is_known);
    RUN(any_number_is_some_time);
    RUN(calls_are_counted);
    RUN(a_zone_and_owners_cost_one_read_of_their_files);
    RUN(rows_of_calls_are_in_order_and_cut_where_room_ends);
    return end("machine");
}
