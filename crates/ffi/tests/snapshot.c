/* Snapshots: written down by a walk, kept in a file, used by another walk, compared. */
#include "test.h"

static fewer_error *error;

/* Walks over the directory `t`; `*made` is the snapshot of it. Returns how many entries it has. */
static int walked(const fewer_snapshot *since, uint32_t record, fewer_snapshot **made) {
    fewer_text root = {"t", 1};
    fewer_walk_options options = {0};
    options.since = since;
    options.record = record;
    fewer_walk *walk = NULL;
    FINE(fewer_walk_open(NULL, &root, 1, &options, sizeof options, &walk, &error));
    fewer_walk_batch batch;
    int entries = 0;
    do {
        FINE(fewer_walk_next(walk, &batch, &error));
        EQUAL(batch.failures_count, 0);
        entries += (int)batch.entries_count;
    } while (batch.bytes != NULL);
    if (made != NULL) {
        FINE(fewer_walk_snapshot(walk, made, &error));
        REFUSED(fewer_walk_snapshot(walk, made, &error), EINVAL);
        FINE(fewer_walk_next(walk, &batch, &error));
        CHECK(batch.bytes == NULL);
    }
    fewer_walk_close(walk);
    return entries;
}

/* The changes, a line each, with the letters of "-r+c". */
static void changed(const fewer_snapshot *before, const fewer_snapshot *after, char *lines) {
    fewer_changes *changes = NULL;
    FINE(fewer_changes_open(before, after, &changes, &error));
    fewer_change_batch batch;
    *lines = '\0';
    for (;;) {
        FINE(fewer_changes_next(changes, &batch, &error));
        if (batch.bytes == NULL)
            break;
        for (size_t i = 0; i < batch.changes_count; i++) {
            const fewer_change *change = &batch.changes[i];
            const char *path = batch.bytes + change->path, *from = batch.bytes + change->from;
            EQUAL(strlen(path), change->path_length);
            lines += sprintf(lines, "%c%s", "-r+c"[change->change], path);
            if (change->from_length > 0)
                lines += sprintf(lines, "<%s", from);
            lines += sprintf(lines, " ");
        }
    }
    fewer_changes_close(changes);
}

static void changes_are_seen_through_a_file(void) {
    fewer_snapshot *before = NULL, *read = NULL, *after = NULL;
    char lines[400];
    make_directory("t");
    make_directory("t/d");
    make_file("t/d/a", "");
    make_file("t/d/b", "");
    EQUAL(walked(NULL, FEWER_RECORD_NAMES, &before), 4);
    FINE(fewer_snapshot_write(before, P("file"), &error));
    fewer_snapshot_close(before);
    FINE(fewer_snapshot_read(P("file"), &read, &error));
    fewer_snapshot_facts facts;
    FINE(fewer_snapshot_facts_of(read, &facts, &error));
    EQUAL(facts.entries, 3);
    EQUAL(facts.directories, 2);
    EQUAL(facts.has_stat, 0);

    EQUAL(walked(read, 0, NULL), 4);
    CHECK(rename("t/d", "t/e") == 0 && unlink("t/e/a") == 0);
    /* Of another kind, so that it is not the removed file with its number. */
    make_directory("t/f");
    EQUAL(walked(read, FEWER_RECORD_NAMES, &after), 4);
    changed(read, after, lines);
    TEXT(lines, strlen(lines),
         KEEPS_BIRTH ? "-t/d/a rt/e<t/d +t/f " : "-t/d -t/d/a +t/e rt/e/b<t/d/b +t/f ");
    changed(after, after, lines);
    TEXT(lines, strlen(lines), "");
    fewer_snapshot_close(read);
    fewer_snapshot_close(after);
}

static void with_stat_a_change_of_contents_is_seen(void) {
    fewer_snapshot *before = NULL, *after = NULL;
    char lines[400];
    walked(NULL, FEWER_RECORD_STAT, &before);
    make_file("t/e/b", "more");
    walked(before, FEWER_RECORD_STAT, &after);
    changed(before, after, lines);
    TEXT(lines, strlen(lines), "ct/e/b ");
    fewer_snapshot_facts facts;
    FINE(fewer_snapshot_facts_of(after, &facts, &error));
    EQUAL(facts.has_stat, 1);
    fewer_snapshot_close(before);
    fewer_snapshot_close(after);
}

/* What was left out when the snapshot was made is left out when it is looked at again. */
static void the_walk_of_a_snapshot_has_its_options(void) {
    make_directory("u");
    make_directory("u/out");
    make_file("u/out/x", "");
    make_file("u/.gitignore", "*.o\n");
    make_file("u/a", "");
    fewer_text root = {"u", 1}, exclude = {"out", 3};
    fewer_walk_options options = {0};
    options.flags = FEWER_WALK_GITIGNORE;
    options.record = FEWER_RECORD_NAMES;
    options.exclude_globs = &exclude;
    options.exclude_globs_count = 1;
    fewer_walk *walk = NULL;
    fewer_walk_batch batch;
    fewer_snapshot *before = NULL, *read = NULL, *after = NULL;
    FINE(fewer_walk_open(NULL, &root, 1, &options, sizeof options, &walk, &error));
    do
        FINE(fewer_walk_next(walk, &batch, &error));
    while (batch.bytes != NULL);
    FINE(fewer_walk_snapshot(walk, &before, &error));
    fewer_walk_close(walk);
    FINE(fewer_snapshot_write(before, P("file"), &error));
    fewer_snapshot_close(before);
    make_file("u/out/y", "");
    make_file("u/b.o", "");
    make_file("u/c", "");
    FINE(fewer_snapshot_read(P("file"), &read, &error));
    FINE(fewer_snapshot_walk(read, NULL, 1, &walk, &error));
    do {
        FINE(fewer_walk_next(walk, &batch, &error));
        for (size_t i = 0; i < batch.entries_count; i++)
            CHECK(strstr(batch.bytes + batch.entries[i].path, "u/out") == NULL);
    } while (batch.bytes != NULL);
    FINE(fewer_walk_snapshot(walk, &after, &error));
    fewer_walk_close(walk);
    char lines[400];
    changed(read, after, lines);
    TEXT(lines, strlen(lines), "+u/c ");
    REFUSED(fewer_snapshot_walk(NULL, NULL, 0, &walk, &error), EINVAL);
    REFUSED(fewer_snapshot_walk(read, NULL, 0, NULL, &error), EINVAL);
    fewer_snapshot_close(read);
    fewer_snapshot_close(after);
}

static void what_is_no_snapshot_is_refused(void) {
    fewer_snapshot *snapshot = NULL;
    make_file("none", "no snapshot");
    EQUAL(fewer_snapshot_read(P("none"), &snapshot, &error), EBADMSG);
    EQUAL(fewer_error_action(error), FEWER_ACTION_READ_SNAPSHOT);
    CHECK(strstr(fewer_error_message(error), "it is not a snapshot") != NULL);
    fewer_error_free(error);
    error = NULL;
    REFUSED(fewer_snapshot_read(P("missing"), &snapshot, &error), ENOENT);
    REFUSED(fewer_snapshot_write(NULL, P("x"), &error), EINVAL);
    REFUSED(fewer_snapshot_read(P("none"), NULL, &error), EINVAL);
    REFUSED(fewer_changes_open(NULL, NULL, NULL, &error), EINVAL);
    fewer_changes_close(NULL);
    fewer_snapshot_close(NULL);

    fewer_text root = {"t", 1};
    fewer_walk_options options = {0};
    fewer_walk *walk = NULL;
    options.record = 3;
    REFUSED(fewer_walk_open(NULL, &root, 1, &options, sizeof options, &walk, &error), EINVAL);
    FINE(fewer_walk_open(NULL, &root, 1, NULL, 0, &walk, &error));
    REFUSED(fewer_walk_snapshot(walk, &snapshot, &error), EINVAL);
    fewer_walk_close(walk);
}

int main(void) {
    begin();
    RUN(changes_are_seen_through_a_file);
    RUN(with_stat_a_change_of_contents_is_seen);
    RUN(the_walk_of_a_snapshot_has_its_options);
    RUN(what_is_no_snapshot_is_refused);
    return end("snapshot");
}
