/* find-first FOLDER: prints what FindFirstFileExW finds in it and below, one entry a line, as
 * `fewer walk --printf '%y %s %T@ %p\n'` does: kind, size, time of writing, path. Names are in
 * WTF-8. Reparse points that stand for names are not entered. */
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <windows.h>

#define MOST_UNITS 32767

/* The path for Windows begins with \\?\, so that it may be long; the one to print does not. */
static WCHAR path[MOST_UNITS + 1];
static size_t units, hidden_units;
static char root[4096];
static int failures;

static void put_wtf8(const WCHAR *text, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++) {
        unsigned long c = text[i];

        if (c >= 0xd800 && c < 0xdc00 && i + 1 < length && text[i + 1] >= 0xdc00 &&
            text[i + 1] < 0xe000)
            c = 0x10000 + ((c - 0xd800) << 10) + (text[++i] - 0xdc00);
        if (c == '\\')
            c = '/';
        if (c < 0x80) {
            putchar((int)c);
        } else if (c < 0x800) {
            putchar((int)(0xc0 | c >> 6));
            putchar((int)(0x80 | (c & 0x3f)));
        } else if (c < 0x10000) {
            putchar((int)(0xe0 | c >> 12));
            putchar((int)(0x80 | (c >> 6 & 0x3f)));
            putchar((int)(0x80 | (c & 0x3f)));
        } else {
            putchar((int)(0xf0 | c >> 18));
            putchar((int)(0x80 | (c >> 12 & 0x3f)));
            putchar((int)(0x80 | (c >> 6 & 0x3f)));
            putchar((int)(0x80 | (c & 0x3f)));
        }
    }
}

static void put_entry(const WIN32_FIND_DATAW *found)
{
    int is_directory = (found->dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    unsigned long long size = (unsigned long long)found->nFileSizeHigh << 32 | found->nFileSizeLow;
    unsigned long long time = (unsigned long long)found->ftLastWriteTime.dwHighDateTime << 32 |
                              found->ftLastWriteTime.dwLowDateTime;

    printf("%c %llu %llu.%07llu000 %s", is_directory ? 'd' : 'f', size,
           time / 10000000 - 11644473600ULL, time % 10000000, root);
    put_wtf8(path + hidden_units, units - hidden_units);
    putchar('\n');
}

/* Adds a name to the path, which has room for any. */
static void append(const WCHAR *name)
{
    size_t length = wcslen(name);

    if (units + length + 3 > MOST_UNITS)
        return;
    path[units++] = '\\';
    wcscpy(path + units, name);
    units += length;
}

static void list(void)
{
    size_t own_units = units;
    WIN32_FIND_DATAW found;
    HANDLE search;

    append(L"*");
    search = FindFirstFileExW(path, FindExInfoBasic, &found, FindExSearchNameMatch, NULL,
                              FIND_FIRST_EX_LARGE_FETCH);
    path[units = own_units] = 0;
    if (search == INVALID_HANDLE_VALUE) {
        failures++;
        return;
    }
    do {
        if (!wcscmp(found.cFileName, L".") || !wcscmp(found.cFileName, L".."))
            continue;
        append(found.cFileName);
        put_entry(&found);
        if ((found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) &&
            !(found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT))
            list();
        path[units = own_units] = 0;
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

int main(int arguments, char **words)
{
    WCHAR given[4096];

    if (arguments != 2 || !MultiByteToWideChar(CP_ACP, 0, words[1], -1, given, 4096))
        return 2;
    WideCharToMultiByte(CP_UTF8, 0, given, -1, root, sizeof root, NULL, NULL);
    wcscpy(path, L"\\\\?\\");
    if (!GetFullPathNameW(given, MOST_UNITS - 4, path + 4, NULL))
        return 2;
    units = hidden_units = wcslen(path);
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    /* No \r before \n. */
    _setmode(1, _O_BINARY);
    list();
    return failures != 0;
}
