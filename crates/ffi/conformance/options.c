/* Words that stand for numbers and flags. SPDX-License-Identifier: MIT OR Apache-2.0 */

#include <errno.h>
#include <stdlib.h>

#include "conformance.h"

uint64_t number(const char *text, const char *flag)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        wrong_usage("'%s' is no number for %s", text, flag);
    return value;
}

void unknown_flag(const char *verb, int letter, const char *word)
{
    if (letter != 0)
        not_expressible("no %s -%c in fewer.h", verb, letter);
    int length = 0;
    while (word[length] != '\0' && word[length] != '=')
        length++;
    not_expressible("no %s %.*s in fewer.h", verb, length, word);
}
