/* Listings of directories. SPDX-License-Identifier: MIT OR Apache-2.0 */

#include "boundary.h"

METHOD(jlong, ownersOpen)(JNIEnv *env, jobject self)
{
    (void)env, (void)self;
    return ADDRESS(fewer_owners_open());
}

METHOD(jlong, listOpen)(JNIEnv *env, jobject self, jlong scope, jbyteArray path, jint flags,
                        jint fields, jint order, jint threads, jlong owners)
{
    (void)self;
    struct argument directory = borrow(env, path);
    if (directory.bytes == NULL)
        return 0;
    fewer_list_options options = {
        .flags = (uint32_t)flags,
        .fields = (uint32_t)fields,
        .order = (uint32_t)order,
        .threads = (uint32_t)threads,
        .owners = POINTER(const fewer_owners, owners),
    };
    fewer_list *list = NULL;
    fewer_error *error = NULL;
    int number = fewer_list_open(POINTER(fewer_scope, scope), text_of(directory), directory.length,
                                 &options, sizeof options, &list, &error);
    give_back(env, directory);
    return failed(env, number, error) ? 0 : ADDRESS(list);
}

jbyteArray next_of_list(JNIEnv *env, jlong list, jbyteArray reuse)
{
    fewer_list_batch batch;
    fewer_error *error = NULL;
    int number = fewer_list_next(POINTER(fewer_list, list), &batch, &error);
    if (failed(env, number, error) || batch.bytes == NULL)
        return NULL;
    return batch_of(env, reuse,
                    (struct table){ batch.rows, batch.rows_count, sizeof(fewer_row) },
                    (struct table){ NULL, 0, 0 }, batch.bytes, batch.bytes_length,
                    (jlong[3]){ 0, 0, 0 });
}
