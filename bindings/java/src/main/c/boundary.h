/* What the files of this folder share: results as byte arrays, errors as exceptions.
 *
 * Each function is a `native` method of the class fewer.JniBoundary; fewer.Boundary documents it.
 * Nothing here decides anything: arguments go to fewer.h as they are, and each result comes back in
 * one copy.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FEWER_JAVA_BOUNDARY_H
#define FEWER_JAVA_BOUNDARY_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fewer.h"

/* Each pointer of the library is a jlong in Java. */
#define POINTER(type, address) ((type *)(uintptr_t)(address))
#define ADDRESS(pointer) ((jlong)(uintptr_t)(pointer))

#define METHOD(type, name) JNIEXPORT type JNICALL Java_fewer_JniBoundary_##name

/* Throws what Errors.of makes of the number and the error, and frees the error, which may be NULL.
 * Returns whether there was something to throw: `number` is not 0. */
bool failed(JNIEnv *env, int number, fewer_error *error);

/* Bytes of Java, copied: `bytes` is NULL if memory ran out, and an exception is pending. */
struct argument {
    jbyteArray array;
    jbyte *bytes;
    size_t length;
};

struct argument borrow(JNIEnv *env, jbyteArray array);
void give_back(JNIEnv *env, struct argument argument);

static inline const char *text_of(struct argument argument)
{
    return (const char *)argument.bytes;
}

/* A table of a batch. */
struct table {
    const void *rows;
    size_t count, row_bytes;
};

/* One array for a batch: nine numbers of 64 bits, two tables, the bytes. The numbers are: count and
 * offset of each table, offset and length of the bytes, and three of the batch's own. It is `reuse`
 * if that is not NULL and long enough. NULL if an exception is pending. */
jbyteArray batch_of(JNIEnv *env, jbyteArray reuse, struct table first, struct table second,
                    const char *bytes, size_t length, const jlong own[3]);

/* The batch that comes next, for each kind of handle that has some. */
jbyteArray next_of_walk(JNIEnv *env, jlong walk, jbyteArray reuse);
jbyteArray next_of_size(JNIEnv *env, jlong size, jbyteArray reuse);
jbyteArray next_of_changes(JNIEnv *env, jlong changes, jbyteArray reuse);
jbyteArray next_of_list(JNIEnv *env, jlong list, jbyteArray reuse);
jbyteArray next_of_lines(JNIEnv *env, jlong lines, jbyteArray reuse);

/* Bytes of C as an array of Java. */
jbyteArray array_of(JNIEnv *env, const void *bytes, size_t length);

/* The numbers that Boundary.walkOpen takes, in this order. */
enum {
    WALK_FLAGS, WALK_THREADS, WALK_KINDS, WALK_MAX_THREADS, WALK_MAX_DEPTH, WALK_MIN_DEPTH,
    WALK_ROOTS, WALK_GLOBS, WALK_EXCLUDES, WALK_SINCE, WALK_RECORD, WALK_NUMBERS
};

/* Arguments of a walk: texts that end with NUL, roots first, then globs, then those to exclude. */
struct walk_arguments {
    struct argument block;
    fewer_text *texts;
    size_t roots_count;
    fewer_walk_options options;
};

/* Returns false if memory ran out, and an exception is pending. */
bool take_walk_arguments(JNIEnv *env, jbyteArray texts, jlongArray numbers,
                         struct walk_arguments *taken);
void free_walk_arguments(JNIEnv *env, struct walk_arguments *taken);

#endif
