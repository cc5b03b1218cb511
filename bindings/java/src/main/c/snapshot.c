/* Snapshots of walks, and what is different between two.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#include "boundary.h"

METHOD(jlong, walkSnapshot)(JNIEnv *env, jobject self, jlong walk)
{
    (void)self;
    fewer_snapshot *snapshot = NULL;
    fewer_error *error = NULL;
    int number = fewer_walk_snapshot(POINTER(fewer_walk, walk), &snapshot, &error);
    return failed(env, number, error) ? 0 : ADDRESS(snapshot);
}

METHOD(jlong, snapshotRead)(JNIEnv *env, jobject self, jbyteArray path)
{
    (void)self;
    struct argument file = borrow(env, path);
    if (file.bytes == NULL)
        return 0;
    fewer_snapshot *snapshot = NULL;
    fewer_error *error = NULL;
    int number = fewer_snapshot_read(text_of(file), file.length, &snapshot, &error);
    give_back(env, file);
    return failed(env, number, error) ? 0 : ADDRESS(snapshot);
}

METHOD(void, snapshotWrite)(JNIEnv *env, jobject self, jlong snapshot, jbyteArray path)
{
    (void)self;
    struct argument file = borrow(env, path);
    if (file.bytes == NULL)
        return;
    fewer_error *error = NULL;
    int number = fewer_snapshot_write(POINTER(fewer_snapshot, snapshot), text_of(file),
                                      file.length, &error);
    give_back(env, file);
    failed(env, number, error);
}

METHOD(jlong, snapshotWalk)(JNIEnv *env, jobject self, jlong snapshot, jlong scope, jint threads)
{
    (void)self;
    fewer_walk *walk = NULL;
    fewer_error *error = NULL;
    int number = fewer_snapshot_walk(POINTER(fewer_snapshot, snapshot),
                                     POINTER(fewer_scope, scope), (uint32_t)threads, &walk, &error);
    return failed(env, number, error) ? 0 : ADDRESS(walk);
}

METHOD(jlongArray, snapshotFacts)(JNIEnv *env, jobject self, jlong snapshot)
{
    (void)self;
    fewer_snapshot_facts facts;
    fewer_error *error = NULL;
    int number = fewer_snapshot_facts_of(POINTER(fewer_snapshot, snapshot), &facts, &error);
    if (failed(env, number, error))
        return NULL;
    jlong numbers[4] = {
        (jlong)facts.entries, (jlong)facts.directories, (jlong)facts.bytes, facts.has_stat
    };
    jlongArray array = (*env)->NewLongArray(env, 4);
    if (array != NULL)
        (*env)->SetLongArrayRegion(env, array, 0, 4, numbers);
    return array;
}

METHOD(jlong, changesOpen)(JNIEnv *env, jobject self, jlong before, jlong after)
{
    (void)self;
    fewer_changes *changes = NULL;
    fewer_error *error = NULL;
    int number = fewer_changes_open(POINTER(fewer_snapshot, before),
                                    POINTER(fewer_snapshot, after), &changes, &error);
    return failed(env, number, error) ? 0 : ADDRESS(changes);
}

jbyteArray next_of_changes(JNIEnv *env, jlong changes, jbyteArray reuse)
{
    fewer_change_batch batch;
    fewer_error *error = NULL;
    int number = fewer_changes_next(POINTER(fewer_changes, changes), &batch, &error);
    if (failed(env, number, error) || batch.bytes == NULL)
        return NULL;
    return batch_of(env, reuse,
                    (struct table){ batch.changes, batch.changes_count, sizeof(fewer_change) },
                    (struct table){ NULL, 0, 0 }, batch.bytes, batch.bytes_length,
                    (jlong[3]){ 0, 0, 0 });
}
