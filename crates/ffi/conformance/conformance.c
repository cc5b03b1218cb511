/* Which verb it is, and what all of it has cost. SPDX-License-Identifier: MIT OR Apache-2.0 */

#include <stdlib.h>
#include <string.h>

#include "conformance.h"

static const struct verb {
    const char *name;
    int (*run)(int count, char **words);
} verbs[] = {
    { "walk", walk_verb },
    { "size", size_verb },
    { "lines", lines_verb },
    { "ls", ls_verb },
    { "scope", scope_steps },
};

/* The same program without any work: what it costs to load the library, and to have a heap. */
static int empty(void)
{
    void *volatile heap = malloc(1);
    free(heap);
    return WELL;
}

int main(int count, char **words)
{
    if (fewer_abi_version() != FEWER_ABI_VERSION) {
        complain_text("fewer", "the library is %s, and not that of the header", fewer_version());
        return FAILED;
    }
    words = words_of_process(words);
    const char *name = count > 1 ? words[1] : "";
    if (strcmp(name, "empty") == 0)
        return empty();
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(name, verbs[i].name) != 0)
            continue;
        reports_calls = count > 2 && strcmp(words[2], "--calls") == 0;
        if (reports_calls)
            words[2] = words[1];
        int shift = reports_calls ? 2 : 1;
        int status = verbs[i].run(count - shift, words + shift);
        flush();
        end(status);
    }
    not_expressible("there is no verb '%s'", name);
}
