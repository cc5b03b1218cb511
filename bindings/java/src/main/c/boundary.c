/* Results as byte arrays, errors as exceptions.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#define _GNU_SOURCE /* strerrorname_np, strerrordesc_np */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "boundary.h"

/* What Java's side reads out of batches: see the constants of Batch, Entry, Stat and the others. */
_Static_assert(sizeof(fewer_entry) == 32 && offsetof(fewer_entry, path) == 8, "Entry");
_Static_assert(offsetof(fewer_entry, name) == 16 && offsetof(fewer_entry, depth) == 24, "Entry");
_Static_assert(offsetof(fewer_entry, kind) == 28 && offsetof(fewer_entry, target) == 29, "Entry");
_Static_assert(sizeof(fewer_failure) == 28 && offsetof(fewer_failure, message) == 8, "Batch");
_Static_assert(offsetof(fewer_failure, before) == 16, "Batch");
_Static_assert(offsetof(fewer_failure, action) == 24, "Batch");
_Static_assert(sizeof(fewer_stat) == 120 && offsetof(fewer_stat, device_major) == 24, "Stat");
_Static_assert(offsetof(fewer_stat, accessed) == 32 && sizeof(fewer_time) == 16, "Stat");
_Static_assert(offsetof(fewer_stat, links) == 96 && offsetof(fewer_stat, group) == 104, "Stat");
_Static_assert(offsetof(fewer_stat, permissions) == 116, "Stat");
_Static_assert(offsetof(fewer_stat, kind) == 118, "Stat");
_Static_assert(sizeof(fewer_row) == 160 && offsetof(fewer_row, name) == 120, "Row");
_Static_assert(offsetof(fewer_row, group_name) == 144, "Row");
_Static_assert(offsetof(fewer_row, target_number) == 156, "Row");
_Static_assert(sizeof(fewer_change) == 24 && sizeof(fewer_size_row) == 40, "Change, SizeRow");
_Static_assert(sizeof(fewer_extension) == 40 && sizeof(fewer_extreme) == 32, "Summary");
_Static_assert(sizeof(fewer_call_count) == 32, "Calls");

enum { HEADER_BYTES = 9 * sizeof(jlong), LONGEST_ARRAY = INT32_MAX - 8 };

/* Looked up when there is an error: loading the classes of all exceptions takes a while. */
static void throw_error(JNIEnv *env, int number, jint action, jbyteArray path, jbyteArray message,
                        fewer_position position)
{
    jclass errors = (*env)->FindClass(env, "fewer/Errors");
    if (errors == NULL)
        return;
    jmethodID of =
        (*env)->GetStaticMethodID(env, errors, "of", "(II[B[BJJJ)Ljava/io/IOException;");
    if (of == NULL)
        return;
    jobject thrown = (*env)->CallStaticObjectMethod(
        env, errors, of, (jint)number, action, path, message, (jlong)position.line,
        (jlong)position.offset, (jlong)position.column);
    if (thrown != NULL)
        (*env)->Throw(env, thrown);
}

bool failed(JNIEnv *env, int number, fewer_error *error)
{
    if (number == 0)
        return false;
    jbyteArray path = NULL, message = NULL;
    fewer_position position = { 0, 0, 0 };
    jint action = FEWER_ACTION_OTHER;
    if (error != NULL) {
        size_t length;
        const char *bytes = fewer_error_path(error, &length);
        const char *words = fewer_error_message(error);
        path = array_of(env, bytes, length);
        message = path == NULL ? NULL : array_of(env, words, strlen(words));
        action = (jint)fewer_error_action(error);
        fewer_error_position(error, &position);
        fewer_error_free(error);
    }
    if (!(*env)->ExceptionCheck(env))
        throw_error(env, number, action, path, message, position);
    return true;
}

struct argument borrow(JNIEnv *env, jbyteArray array)
{
    struct argument argument = { .array = array };
    argument.length = (size_t)(*env)->GetArrayLength(env, array);
    argument.bytes = (*env)->GetByteArrayElements(env, array, NULL);
    return argument;
}

void give_back(JNIEnv *env, struct argument argument)
{
    if (argument.bytes != NULL)
        (*env)->ReleaseByteArrayElements(env, argument.array, argument.bytes, JNI_ABORT);
}

jbyteArray array_of(JNIEnv *env, const void *bytes, size_t length)
{
    if (length > LONGEST_ARRAY) {
        failed(env, EOVERFLOW, NULL);
        return NULL;
    }
    jbyteArray array = (*env)->NewByteArray(env, (jsize)length);
    if (array != NULL && length > 0)
        (*env)->SetByteArrayRegion(env, array, 0, (jsize)length, bytes);
    return array;
}

static void put(JNIEnv *env, jbyteArray array, jlong at, const void *bytes, size_t length)
{
    if (length > 0)
        (*env)->SetByteArrayRegion(env, array, (jsize)at, (jsize)length, bytes);
}

/* What is longer than an array that was meant to be reused is given some room, for the next one. */
static jbyteArray array_for(JNIEnv *env, jbyteArray reuse, size_t length)
{
    if (reuse == NULL)
        return (*env)->NewByteArray(env, (jsize)length);
    if (length <= (size_t)(*env)->GetArrayLength(env, reuse))
        return reuse;
    size_t roomy = length + length / 8;
    return (*env)->NewByteArray(env, (jsize)(roomy > LONGEST_ARRAY ? length : roomy));
}

jbyteArray batch_of(JNIEnv *env, jbyteArray reuse, struct table first, struct table second,
                    const char *bytes, size_t length, const jlong own[3])
{
    size_t first_bytes = first.count * first.row_bytes;
    size_t second_bytes = second.count * second.row_bytes;
    size_t all = HEADER_BYTES + first_bytes + second_bytes + length;
    if (all > LONGEST_ARRAY) {
        failed(env, EOVERFLOW, NULL);
        return NULL;
    }
    jbyteArray array = array_for(env, reuse, all);
    if (array == NULL)
        return NULL;
    jlong header[9] = {
        (jlong)first.count, HEADER_BYTES, (jlong)second.count, HEADER_BYTES + (jlong)first_bytes,
        HEADER_BYTES + (jlong)(first_bytes + second_bytes), (jlong)length, own[0], own[1], own[2],
    };
    put(env, array, 0, header, sizeof header);
    put(env, array, header[1], first.rows, first_bytes);
    put(env, array, header[3], second.rows, second_bytes);
    put(env, array, header[4], bytes, length);
    return array;
}

METHOD(jint, abiVersion)(JNIEnv *env, jobject self)
{
    (void)env, (void)self;
    return (jint)fewer_abi_version();
}

METHOD(jbyteArray, version)(JNIEnv *env, jobject self)
{
    (void)self;
    return array_of(env, fewer_version(), strlen(fewer_version()));
}

METHOD(jint, kindNumber)(JNIEnv *env, jobject self, jbyteArray name)
{
    (void)self;
    struct argument argument = borrow(env, name);
    uint32_t kind;
    bool known = argument.bytes != NULL
        && fewer_kind_number(text_of(argument), argument.length, &kind) == 0;
    give_back(env, argument);
    return known ? (jint)kind : -1;
}

METHOD(jbyteArray, errorCode)(JNIEnv *env, jobject self, jint number)
{
    (void)self;
    const char *name = strerrorname_np(number);
    return name == NULL ? NULL : array_of(env, name, strlen(name));
}

METHOD(jbyteArray, errorWords)(JNIEnv *env, jobject self, jint number)
{
    (void)self;
    const char *words = strerrordesc_np(number);
    return words == NULL ? NULL : array_of(env, words, strlen(words));
}

METHOD(jbyteArray, calls)(JNIEnv *env, jobject self)
{
    (void)self;
    /* Linux has fewer than 512 calls. */
    static const size_t capacity = 512;
    fewer_call_count *counts = calloc(capacity, sizeof *counts);
    if (counts == NULL) {
        failed(env, ENOMEM, NULL);
        return NULL;
    }
    size_t count = fewer_calls(counts, capacity);
    jbyteArray array =
        array_of(env, counts, (count < capacity ? count : capacity) * sizeof *counts);
    free(counts);
    return array;
}

/* What a handle is of: the constants of fewer.Boundary. */
enum {
    HANDLE_WALK, HANDLE_SIZE, HANDLE_CHANGES, HANDLE_LIST, HANDLE_LINES, HANDLE_SUMMARY,
    HANDLE_SNAPSHOT, HANDLE_OWNERS, HANDLE_SCOPE
};

METHOD(jbyteArray, next)(JNIEnv *env, jobject self, jint what, jlong handle, jbyteArray reuse)
{
    (void)self;
    static jbyteArray (*const all[])(JNIEnv *, jlong, jbyteArray) = {
        [HANDLE_WALK] = next_of_walk, [HANDLE_SIZE] = next_of_size,
        [HANDLE_CHANGES] = next_of_changes, [HANDLE_LIST] = next_of_list,
        [HANDLE_LINES] = next_of_lines,
    };
    return all[what](env, handle, reuse);
}

METHOD(void, close)(JNIEnv *env, jobject self, jint what, jlong handle)
{
    (void)env, (void)self;
    switch (what) {
    case HANDLE_WALK:
        fewer_walk_close(POINTER(fewer_walk, handle));
        break;
    case HANDLE_SIZE:
        fewer_size_close(POINTER(fewer_size, handle));
        break;
    case HANDLE_CHANGES:
        fewer_changes_close(POINTER(fewer_changes, handle));
        break;
    case HANDLE_LIST:
        fewer_list_close(POINTER(fewer_list, handle));
        break;
    case HANDLE_LINES:
        fewer_lines_close(POINTER(fewer_lines, handle));
        break;
    case HANDLE_SUMMARY:
        fewer_summary_close(POINTER(fewer_summary, handle));
        break;
    case HANDLE_SNAPSHOT:
        fewer_snapshot_close(POINTER(fewer_snapshot, handle));
        break;
    case HANDLE_OWNERS:
        fewer_owners_close(POINTER(fewer_owners, handle));
        break;
    case HANDLE_SCOPE:
        fewer_scope_close(POINTER(fewer_scope, handle));
        break;
    }
}
