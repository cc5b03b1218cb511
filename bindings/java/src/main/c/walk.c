/* Walks, and what is measured by walking: sizes and summaries.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "boundary.h"

static void split(struct argument block, fewer_text *texts, size_t count)
{
    const char *next = text_of(block);
    for (size_t i = 0; i < count; i++) {
        texts[i] = (fewer_text){ .bytes = next, .length = strlen(next) };
        next += texts[i].length + 1;
    }
}

bool take_walk_arguments(JNIEnv *env, jbyteArray texts, jlongArray numbers,
                         struct walk_arguments *taken)
{
    jlong n[WALK_NUMBERS];
    (*env)->GetLongArrayRegion(env, numbers, 0, WALK_NUMBERS, n);
    size_t roots = (size_t)n[WALK_ROOTS], globs = (size_t)n[WALK_GLOBS],
           excludes = (size_t)n[WALK_EXCLUDES], count = roots + globs + excludes;
    *taken = (struct walk_arguments){ .roots_count = roots };
    taken->texts = calloc(count + 1, sizeof *taken->texts);
    if (taken->texts == NULL) {
        failed(env, ENOMEM, NULL);
        return false;
    }
    taken->block = borrow(env, texts);
    if (taken->block.bytes == NULL) {
        free(taken->texts);
        return false;
    }
    split(taken->block, taken->texts, count);
    taken->options = (fewer_walk_options){
        .flags = (uint32_t)n[WALK_FLAGS],
        .threads = (uint32_t)n[WALK_THREADS],
        .kinds = (uint32_t)n[WALK_KINDS],
        .max_threads = (uint32_t)n[WALK_MAX_THREADS],
        .max_depth = (uint64_t)n[WALK_MAX_DEPTH],
        .min_depth = (uint64_t)n[WALK_MIN_DEPTH],
        .globs = taken->texts + roots,
        .globs_count = globs,
        .exclude_globs = taken->texts + roots + globs,
        .exclude_globs_count = excludes,
        .since = POINTER(const fewer_snapshot, n[WALK_SINCE]),
        .record = (uint32_t)n[WALK_RECORD],
    };
    return true;
}

void free_walk_arguments(JNIEnv *env, struct walk_arguments *taken)
{
    give_back(env, taken->block);
    free(taken->texts);
}

METHOD(jlong, walkOpen)(JNIEnv *env, jobject self, jlong scope, jbyteArray texts,
                        jlongArray numbers)
{
    (void)self;
    struct walk_arguments with;
    if (!take_walk_arguments(env, texts, numbers, &with))
        return 0;
    fewer_walk *walk = NULL;
    fewer_error *error = NULL;
    int number = fewer_walk_open(POINTER(fewer_scope, scope), with.texts, with.roots_count,
                                 &with.options, sizeof with.options, &walk, &error);
    free_walk_arguments(env, &with);
    return failed(env, number, error) ? 0 : ADDRESS(walk);
}

jbyteArray next_of_walk(JNIEnv *env, jlong walk, jbyteArray reuse)
{
    fewer_walk_batch batch;
    fewer_error *error = NULL;
    int number = fewer_walk_next(POINTER(fewer_walk, walk), &batch, &error);
    if (failed(env, number, error) || batch.bytes == NULL)
        return NULL;
    jlong own[3] = { batch.directory, batch.directory_length, batch.directory_depth };
    return batch_of(env, reuse,
                    (struct table){ batch.entries, batch.entries_count, sizeof(fewer_entry) },
                    (struct table){ batch.failures, batch.failures_count, sizeof(fewer_failure) },
                    batch.bytes, batch.bytes_length, own);
}

METHOD(void, walkPrune)(JNIEnv *env, jobject self, jlong walk, jint index)
{
    (void)self;
    failed(env, fewer_walk_prune(POINTER(fewer_walk, walk), (size_t)index), NULL);
}

METHOD(jlong, sizeOpen)(JNIEnv *env, jobject self, jlong scope, jbyteArray texts,
                        jlongArray numbers, jint flags, jlong depth)
{
    (void)self;
    struct walk_arguments with;
    if (!take_walk_arguments(env, texts, numbers, &with))
        return 0;
    fewer_size_options options = { .flags = (uint32_t)flags, .depth = (uint64_t)depth };
    fewer_size *size = NULL;
    fewer_error *error = NULL;
    int number = fewer_size_open(POINTER(fewer_scope, scope), with.texts, with.roots_count,
                                 &with.options, sizeof with.options, &options, sizeof options,
                                 &size, &error);
    free_walk_arguments(env, &with);
    return failed(env, number, error) ? 0 : ADDRESS(size);
}

jbyteArray next_of_size(JNIEnv *env, jlong size, jbyteArray reuse)
{
    fewer_size_batch batch;
    fewer_error *error = NULL;
    int number = fewer_size_next(POINTER(fewer_size, size), &batch, &error);
    if (failed(env, number, error) || batch.bytes == NULL)
        return NULL;
    return batch_of(env, reuse,
                    (struct table){ batch.rows, batch.rows_count, sizeof(fewer_size_row) },
                    (struct table){ batch.failures, batch.failures_count, sizeof(fewer_failure) },
                    batch.bytes, batch.bytes_length, (jlong[3]){ 0, 0, 0 });
}

METHOD(jlong, summaryOpen)(JNIEnv *env, jobject self, jlong scope, jbyteArray texts,
                           jlongArray numbers)
{
    (void)self;
    struct walk_arguments with;
    if (!take_walk_arguments(env, texts, numbers, &with))
        return 0;
    fewer_summary *summary = NULL;
    fewer_error *error = NULL;
    int number =
        fewer_summary_open(POINTER(fewer_scope, scope), with.texts, with.roots_count,
                           &with.options, sizeof with.options, &summary, &error);
    free_walk_arguments(env, &with);
    return failed(env, number, error) ? 0 : ADDRESS(summary);
}

static bool facts_of(JNIEnv *env, jlong summary, fewer_summary_facts *facts)
{
    fewer_error *error = NULL;
    int number = fewer_summary_facts_of(POINTER(fewer_summary, summary), facts, &error);
    return !failed(env, number, error);
}

METHOD(jbyteArray, summaryExtensions)(JNIEnv *env, jobject self, jlong summary)
{
    (void)self;
    fewer_summary_facts facts;
    if (!facts_of(env, summary, &facts))
        return NULL;
    struct table extensions = {
        facts.extensions, facts.extensions_count, sizeof(fewer_extension)
    };
    struct table failures = { facts.failures, facts.failures_count, sizeof(fewer_failure) };
    return batch_of(env, NULL, extensions, failures, facts.bytes, facts.bytes_length,
                    (jlong[3]){ 0, 0, 0 });
}

METHOD(jbyteArray, summaryExtremes)(JNIEnv *env, jobject self, jlong summary)
{
    (void)self;
    fewer_summary_facts facts;
    if (!facts_of(env, summary, &facts))
        return NULL;
    /* The four that there is one of come first; what is not there has no path. */
    fewer_extreme extremes[14] = { 0 };
    const fewer_extreme *single[4] = { facts.deepest, facts.longest, facts.newest, facts.oldest };
    for (size_t i = 0; i < 4; i++) {
        if (single[i] != NULL)
            extremes[i] = *single[i];
    }
    size_t largest = facts.largest_count < 10 ? facts.largest_count : 10;
    if (largest > 0)
        memcpy(extremes + 4, facts.largest, largest * sizeof *extremes);
    fewer_space kinds[4] = { facts.directories, facts.files, facts.links, facts.other };
    return batch_of(env, NULL, (struct table){ extremes, 4 + largest, sizeof *extremes },
                    (struct table){ kinds, 4, sizeof *kinds }, facts.bytes, facts.bytes_length,
                    (jlong[3]){ 0, 0, 0 });
}
