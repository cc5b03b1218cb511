/* Lines of text. SPDX-License-Identifier: MIT OR Apache-2.0 */

#include "boundary.h"

METHOD(jlong, linesOpen)(JNIEnv *env, jobject self, jlong scope, jbyteArray path, jint flags,
                         jint check, jint threads, jint block_bytes)
{
    (void)self;
    struct argument file = borrow(env, path);
    if (file.bytes == NULL)
        return 0;
    fewer_lines_options options = {
        (uint32_t)flags, (uint32_t)check, (uint32_t)threads, (uint32_t)block_bytes
    };
    fewer_lines *lines = NULL;
    fewer_error *error = NULL;
    int number = fewer_lines_open(POINTER(fewer_scope, scope), text_of(file), file.length,
                                  &options, sizeof options, &lines, &error);
    give_back(env, file);
    return failed(env, number, error) ? 0 : ADDRESS(lines);
}

METHOD(jlong, linesBorrow)(JNIEnv *env, jobject self, jint descriptor, jbyteArray name, jint flags,
                           jint check, jint threads, jint block_bytes)
{
    (void)self;
    struct argument words = borrow(env, name);
    if (words.bytes == NULL)
        return 0;
    fewer_lines_options options = {
        (uint32_t)flags, (uint32_t)check, (uint32_t)threads, (uint32_t)block_bytes
    };
    fewer_lines *lines = NULL;
    fewer_error *error = NULL;
    int number = fewer_lines_borrow(descriptor, text_of(words), words.length, &options,
                                    sizeof options, &lines, &error);
    give_back(env, words);
    return failed(env, number, error) ? 0 : ADDRESS(lines);
}

jbyteArray next_of_lines(JNIEnv *env, jlong lines, jbyteArray reuse)
{
    fewer_lines_batch batch;
    fewer_error *error = NULL;
    int number = fewer_lines_next(POINTER(fewer_lines, lines), &batch, &error);
    if (failed(env, number, error) || batch.bytes == NULL)
        return NULL;
    return batch_of(env, reuse,
                    (struct table){ batch.ends, batch.lines_count, sizeof *batch.ends },
                    (struct table){ batch.flags, batch.lines_count, sizeof *batch.flags },
                    batch.bytes, batch.bytes_length,
                    (jlong[3]){ (jlong)batch.number, (jlong)batch.offset, 0 });
}

METHOD(void, linesCount)(JNIEnv *env, jobject self, jlong lines, jlongArray counted)
{
    (void)self;
    fewer_lines_total total = { 0, 0, 0 };
    fewer_error *error = NULL;
    int number = fewer_lines_count(POINTER(fewer_lines, lines), &total, &error);
    jlong numbers[3] = { (jlong)total.lines, (jlong)total.ends, (jlong)total.bytes };
    (*env)->SetLongArrayRegion(env, counted, 0, 3, numbers);
    failed(env, number, error);
}

METHOD(void, linesLast)(JNIEnv *env, jobject self, jlong lines, jlong count)
{
    (void)self;
    fewer_error *error = NULL;
    int number = fewer_lines_last(POINTER(fewer_lines, lines), (uint64_t)count, &error);
    failed(env, number, error);
}
