/* What is another call on Windows; children. SPDX-License-Identifier: MIT OR Apache-2.0 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "conformance.h"

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#include <shellapi.h>

/* mingw's start code would take words for patterns. */
int _dowildcard = 0;

/* Writes a code point, or half of a pair that stands alone, as UTF-8 has it. */
static char *put_point(char *to, uint32_t point)
{
    int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char first[] = { 0, 0xc0, 0xe0, 0xf0 };
    *to++ = (char)(first[more] | point >> 6 * more);
    while (more-- > 0)
        *to++ = (char)(0x80 | (point >> 6 * more & 0x3f));
    return to;
}

static char *wtf8(const wchar_t *units)
{
    char *bytes = malloc(3 * wcslen(units) + 1), *to = bytes;
    if (bytes == NULL)
        out_of_memory();
    for (; *units != 0; units++) {
        bool pair = IS_SURROGATE_PAIR(units[0], units[1]);
        uint32_t point = pair ? 0x10000 + ((units[0] & 0x3ffu) << 10) + (units[1] & 0x3ff) : *units;
        to = put_point(to, point);
        units += pair;
    }
    *to = '\0';
    return bytes;
}

char **words_of_process(char **words)
{
    int count;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    if (wide == NULL)
        out_of_memory();
    for (int i = 0; i < count; i++)
        words[i] = wtf8(wide[i]);
    LocalFree(wide);
    _setmode(1, _O_BINARY);
    _setmode(2, _O_BINARY);
    return words;
}

fewer_descriptor standard_input(void)
{
    return GetStdHandle(STD_INPUT_HANDLE);
}

ssize_t read_file(fewer_descriptor descriptor, char *block, size_t capacity)
{
    DWORD got = 0;
    if (ReadFile(descriptor, block, (DWORD)capacity, &got, NULL))
        return got;
    errno = GetLastError() == ERROR_ACCESS_DENIED ? EACCES : EISDIR;
    return -1;
}

void close_file(fewer_descriptor descriptor)
{
    CloseHandle(descriptor);
}

int run_child(char **program)
{
    (void)program;
    not_expressible("the children of the cases are programs of Unix");
}

#else
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

char **words_of_process(char **words)
{
    return words;
}

fewer_descriptor standard_input(void)
{
    return STDIN_FILENO;
}

ssize_t read_file(fewer_descriptor descriptor, char *block, size_t capacity)
{
    return read(descriptor, block, capacity);
}

void close_file(fewer_descriptor descriptor)
{
    close(descriptor);
}

int run_child(char **program)
{
    pid_t child;
    int ended, number = posix_spawnp(&child, program[0], NULL, NULL, program, environ);
    if (number != 0)
        return number;
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(ended))
        print_format("signal %d\n", WTERMSIG(ended));
    else if (WEXITSTATUS(ended) != 0)
        print_format("exit status %d\n", WEXITSTATUS(ended));
    return 0;
}
#endif
