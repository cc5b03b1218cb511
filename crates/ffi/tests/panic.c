/* A mistake in the library is an answer, not the end of the program. The function that makes one is
 * only there with the feature `panics`. */
#include "test.h"

int fewer_panic(fewer_error **error);

static fewer_error *error;

static void a_panic_is_an_answer(void) {
    REFUSED(fewer_panic(&error), ENOTRECOVERABLE);
    EQUAL(fewer_panic(&error), ENOTRECOVERABLE);
    CHECK(strlen(fewer_error_message(error)) > 0);
    fewer_error_free(error);
    error = NULL;
    EQUAL(fewer_panic(NULL), ENOTRECOVERABLE);
}

static void the_library_goes_on_working(void) {
    const fewer_text root = {P(".")};
    fewer_walk *walk = NULL;
    fewer_walk_batch batch;
    EQUAL(fewer_panic(NULL), ENOTRECOVERABLE);
    FINE(fewer_walk_open(NULL, &root, 1, NULL, 0, &walk, &error));
    FINE(fewer_walk_next(walk, &batch, &error));
    EQUAL(batch.entries_count, 2);
    EQUAL(fewer_panic(NULL), ENOTRECOVERABLE);
    TEXT(batch.bytes + batch.entries[0].path, batch.entries[0].path_length, ".");
    FINE(fewer_walk_next(walk, &batch, &error));
    CHECK(batch.bytes == NULL);
    fewer_walk_close(walk);
}

int main(void) {
    begin();
    make_file("file", "");
    RUN(a_panic_is_an_answer);
    RUN(the_library_goes_on_working);
    return end("panic");
}
