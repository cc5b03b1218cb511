/* Working directories as values, and descriptors that were opened in them.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "boundary.h"

enum { BUFFER_BYTES = 64 << 10 };

METHOD(jlong, scopeEnter)(JNIEnv *env, jobject self, jlong scope, jbyteArray path,
                          jboolean logical)
{
    (void)self;
    struct argument to = borrow(env, path);
    if (to.bytes == NULL)
        return 0;
    fewer_scope *entered = NULL;
    fewer_error *error = NULL;
    int number = (logical ? fewer_scope_enter_logical : fewer_scope_enter)(
        POINTER(fewer_scope, scope), text_of(to), to.length, &entered, &error);
    give_back(env, to);
    return failed(env, number, error) ? 0 : ADDRESS(entered);
}

METHOD(jint, scopeDescriptor)(JNIEnv *env, jobject self, jlong scope)
{
    (void)env, (void)self;
    return fewer_scope_descriptor(POINTER(fewer_scope, scope));
}

METHOD(jbyteArray, scopeStat)(JNIEnv *env, jobject self, jlong scope, jbyteArray path, jint fields,
                              jboolean follow)
{
    (void)self;
    struct argument of = borrow(env, path);
    if (of.bytes == NULL)
        return NULL;
    fewer_stat stat;
    fewer_error *error = NULL;
    int number = fewer_scope_stat(POINTER(fewer_scope, scope), text_of(of), of.length,
                                  (uint32_t)fields, follow, &stat, &error);
    give_back(env, of);
    return failed(env, number, error) ? NULL : array_of(env, &stat, sizeof stat);
}

/* Calls `write` with a buffer that is long enough for any link and any path but the longest, which
 * cost a second call. */
#define WRITTEN(write)                                                                             \
    char small[BUFFER_BYTES], *buffer = small;                                                     \
    size_t capacity = sizeof small, needed = 0;                                                    \
    fewer_error *error = NULL;                                                                     \
    int number = (write);                                                                          \
    if (number == ERANGE) {                                                                        \
        fewer_error_free(error);                                                                   \
        error = NULL;                                                                              \
        capacity = needed + 1;                                                                     \
        buffer = malloc(capacity);                                                                 \
        number = buffer == NULL ? ENOMEM : (write);                                                \
    }                                                                                              \
    jbyteArray written = failed(env, number, error) ? NULL : array_of(env, buffer, needed);        \
    if (buffer != small)                                                                           \
        free(buffer)

METHOD(jbyteArray, scopeReadLink)(JNIEnv *env, jobject self, jlong scope, jbyteArray path)
{
    (void)self;
    struct argument of = borrow(env, path);
    if (of.bytes == NULL)
        return NULL;
    WRITTEN(fewer_scope_read_link(POINTER(fewer_scope, scope), text_of(of), of.length, buffer,
                                  capacity, &needed, &error));
    give_back(env, of);
    return written;
}

METHOD(jbyteArray, scopePath)(JNIEnv *env, jobject self, jlong scope, jboolean physical)
{
    (void)self;
    WRITTEN((physical ? fewer_scope_physical : fewer_scope_logical)(
        POINTER(fewer_scope, scope), buffer, capacity, &needed, &error));
    return written;
}

METHOD(jint, scopeOpen)(JNIEnv *env, jobject self, jlong scope, jbyteArray path)
{
    (void)self;
    struct argument of = borrow(env, path);
    if (of.bytes == NULL)
        return -1;
    int descriptor = -1;
    fewer_error *error = NULL;
    int number = fewer_scope_open(POINTER(fewer_scope, scope), text_of(of), of.length, &descriptor,
                                  &error);
    give_back(env, of);
    return failed(env, number, error) ? -1 : descriptor;
}

METHOD(jint, scopeCreate)(JNIEnv *env, jobject self, jlong scope, jbyteArray path,
                          jint permissions)
{
    (void)self;
    struct argument of = borrow(env, path);
    if (of.bytes == NULL)
        return -1;
    int descriptor = -1;
    fewer_error *error = NULL;
    int number = fewer_scope_create(POINTER(fewer_scope, scope), text_of(of), of.length,
                                    (uint32_t)permissions, &descriptor, &error);
    give_back(env, of);
    return failed(env, number, error) ? -1 : descriptor;
}

METHOD(void, scopeLink)(JNIEnv *env, jobject self, jlong scope, jbyteArray path, jbyteArray target,
                        jboolean symbolic)
{
    (void)self;
    struct argument at = borrow(env, path), to = borrow(env, target);
    if (at.bytes != NULL && to.bytes != NULL) {
        fewer_error *error = NULL;
        int number = (symbolic ? fewer_scope_make_symlink : fewer_scope_make_hard_link)(
            POINTER(fewer_scope, scope), text_of(at), at.length, text_of(to), to.length, &error);
        failed(env, number, error);
    }
    give_back(env, at);
    give_back(env, to);
}

METHOD(void, scopePermissions)(JNIEnv *env, jobject self, jlong scope, jbyteArray path,
                               jint permissions, jboolean directory)
{
    (void)self;
    struct argument of = borrow(env, path);
    if (of.bytes == NULL)
        return;
    fewer_error *error = NULL;
    int number = (directory ? fewer_scope_make_directory : fewer_scope_set_permissions)(
        POINTER(fewer_scope, scope), text_of(of), of.length, (uint32_t)permissions, &error);
    give_back(env, of);
    failed(env, number, error);
}

METHOD(void, scopeRemove)(JNIEnv *env, jobject self, jlong scope, jbyteArray path, jint what)
{
    (void)self;
    static int (*const removals[])(const fewer_scope *, const char *, size_t, fewer_error **) = {
        fewer_scope_remove_file, fewer_scope_remove_directory, fewer_scope_remove_tree
    };
    struct argument of = borrow(env, path);
    if (of.bytes == NULL)
        return;
    fewer_error *error = NULL;
    int number = removals[what](POINTER(fewer_scope, scope), text_of(of), of.length, &error);
    give_back(env, of);
    failed(env, number, error);
}

METHOD(jint, descriptorRead)(JNIEnv *env, jobject self, jint descriptor, jbyteArray bytes, jint at,
                             jint length)
{
    (void)self;
    char buffer[BUFFER_BYTES];
    size_t most = length < BUFFER_BYTES ? (size_t)length : BUFFER_BYTES;
    ssize_t got;
    do
        got = read(descriptor, buffer, most);
    while (got < 0 && errno == EINTR);
    if (failed(env, got < 0 ? errno : 0, NULL))
        return -1;
    if (got > 0)
        (*env)->SetByteArrayRegion(env, bytes, at, (jsize)got, (jbyte *)buffer);
    return (jint)got;
}

METHOD(jint, descriptorWrite)(JNIEnv *env, jobject self, jint descriptor, jbyteArray bytes,
                              jint at, jint length)
{
    (void)self;
    char buffer[BUFFER_BYTES];
    size_t most = length < BUFFER_BYTES ? (size_t)length : BUFFER_BYTES;
    (*env)->GetByteArrayRegion(env, bytes, at, (jsize)most, (jbyte *)buffer);
    ssize_t put;
    do
        put = write(descriptor, buffer, most);
    while (put < 0 && errno == EINTR);
    return failed(env, put < 0 ? errno : 0, NULL) ? -1 : (jint)put;
}

METHOD(void, descriptorClose)(JNIEnv *env, jobject self, jint descriptor)
{
    (void)self;
    /* After EINTR Linux has closed it all the same. */
    int number = close(descriptor) < 0 && errno != EINTR ? errno : 0;
    failed(env, number, NULL);
}
