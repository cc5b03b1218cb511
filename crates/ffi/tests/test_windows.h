/* What the tests need of Windows, by the names of test_unix.h. Paths are WTF-8. */
#ifndef TEST_WINDOWS_H
#define TEST_WINDOWS_H

#include <time.h>
#include <tlhelp32.h>

#define NO_FILE INVALID_HANDLE_VALUE
#define NO_FILE_EITHER NULL
/* A name with a pair of surrogates in it; half of one is in a path that leads nowhere, since Wine
 * makes no file of such a name. */
#define ODD_NAME "\xf0\x9f\x92\xa9"
#define ODD_PATH "no\n\xed\xa0\x80"
#define ODD_PATH_SHOWN "no\\n\\xed\\xa0\\x80"
enum { CAN_PIPE = 0, CAN_LOCK = 0, HAS_OWNERS = 0, KNOWS_READ_DIRECTORY = 0,
       KNOWS_NAMES = 0 };
/* Events and the like that threads leave behind, of a hundred walks. */
enum { KEPT_BY_SYSTEM = 6 };
/* Below a path of 3,000 bytes: Wine takes no more than 4,096. */
enum { LONG_DEPTH = 12, LONG_NAME = 250 };

/* The calls that open, close and look at a file. */
#define OPENS "NtCreateFile"
#define CLOSES "NtClose"
#define ASKS "NtQueryInformationFile"
enum { OPENS_TO_ASK = 1 };

UNUSED static bool is_wine(void) {
    return GetProcAddress(GetModuleHandleA("ntdll.dll"), "wine_get_version") != NULL;
}

/* Wine takes the time of creation from that of the last change, so what is renamed is another. */
#define KEEPS_BIRTH (!is_wine())
/* Wine goes by the old name of a directory that is open while it is renamed. */
#define KEEPS_RENAMED (!is_wine())

/* Whether symbolic links can be made: Wine makes none, and Windows asks for a privilege. */
static bool can_link;
#define CAN_LINK can_link

typedef struct {
    wchar_t units[32768];
} wide_path;

/* A path in UTF-16, absolute and without a limit. Slashes go the other way. */
UNUSED static const wchar_t *wide(const char *path) {
    static _Thread_local wide_path shown, whole;
    wchar_t *to = shown.units;
    for (const unsigned char *from = (const unsigned char *)path; *from != 0;) {
        uint32_t point = *from < 0x80   ? *from
                         : *from < 0xe0 ? *from & 0x1f
                         : *from < 0xf0 ? *from & 0x0f
                                        : *from & 7;
        while ((*++from & 0xc0) == 0x80)
            point = point << 6 | (*from & 0x3f);
        if (point > 0xffff) {
            *to++ = (wchar_t)(0xd7c0 + (point >> 10));
            point = 0xdc00 | (point & 0x3ff);
        }
        *to++ = point == '/' ? '\\' : (wchar_t)point;
    }
    *to = 0;
    if (shown.units[0] == '\\' && shown.units[1] == '\\')
        return shown.units;
    wcscpy(whole.units, L"\\\\?\\");
    GetFullPathNameW(shown.units, 32760, whole.units + 4, NULL);
    return whole.units;
}

static HANDLE open_handle(const char *path, DWORD access, DWORD disposition, DWORD flags) {
    return CreateFileW(wide(path), access,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, disposition,
                       FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
}

UNUSED static void make_bytes(const char *path, const void *bytes, size_t length) {
    DWORD written = 0;
    HANDLE file = open_handle(path, GENERIC_WRITE, CREATE_ALWAYS, 0);
    if (file == INVALID_HANDLE_VALUE ||
        !WriteFile(file, bytes, (DWORD)length, &written, NULL) || !CloseHandle(file))
        no_way_on(path);
}

UNUSED static void make_directory(const char *path) {
    if (!CreateDirectoryW(wide(path), NULL))
        no_way_on(path);
}

/* A link to a file; to a directory if there is one of that name beside it. Does nothing where links
 * cannot be made. */
UNUSED static void make_link(const char *target, const char *path) {
    if (!can_link)
        return;
    char beside[512];
    wchar_t place[1024];
    const char *name = strrchr(path, '/');
    int folder = name == NULL ? 0 : (int)(name - path) + 1;
    snprintf(beside, sizeof beside, "%.*s%s", folder, path, target);
    DWORD attributes = GetFileAttributesW(wide(beside));
    bool leads_to_directory =
        attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY;
    wcscpy(place, wide(path));
    wchar_t units[512];
    for (int i = 0; (units[i] = target[i] == '/' ? '\\' : (wchar_t)target[i]) != 0;)
        i++;
    if (!CreateSymbolicLinkW(place, units, leads_to_directory ? 3 : 2))
        no_way_on(path);
}

UNUSED static void make_second_name(const char *path, const char *name) {
    wchar_t *there = malloc(sizeof(wide_path));
    wcscpy(there, wide(name));
    if (!CreateHardLinkW(there, wide(path), NULL))
        no_way_on(name);
    free(there);
}

UNUSED static void grow(const char *path, long size) {
    HANDLE file = open_handle(path, GENERIC_WRITE, OPEN_EXISTING, 0);
    if (SetFilePointer(file, size, NULL, FILE_BEGIN) != (DWORD)size || !SetEndOfFile(file))
        no_way_on(path);
    CloseHandle(file);
}

/* There are no FIFOs. */
UNUSED static void make_pipe(const char *path) { (void)path; }

UNUSED static void make_deep(const char *path, int depth, int name_length) {
    static char whole[32768];
    size_t length = snprintf(whole, sizeof whole, "%s", path);
    make_directory(whole);
    for (int i = 0; i < depth; i++) {
        whole[length++] = '/';
        memset(whole + length, 'd', name_length);
        length += name_length;
        whole[length] = '\0';
        make_directory(whole);
    }
}

/* In units of 100 ns since 1601. */
static FILETIME file_time(int64_t seconds, int64_t nanoseconds) {
    uint64_t ticks = (uint64_t)(seconds + 11644473600) * 10000000 + nanoseconds / 100;
    return (FILETIME){(DWORD)ticks, (DWORD)(ticks >> 32)};
}

static fewer_time time_of(FILETIME time) {
    uint64_t ticks = (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
    return (fewer_time){(int64_t)(ticks / 10000000) - 11644473600,
                        (uint32_t)(ticks % 10000000) * 100, 1};
}

UNUSED static void set_times(const char *path, int64_t accessed, int64_t modified) {
    FILETIME times[] = {file_time(accessed, 100), file_time(modified, 999999900)};
    HANDLE file = open_handle(path, FILE_WRITE_ATTRIBUTES, OPEN_EXISTING, 0);
    if (file == INVALID_HANDLE_VALUE || !SetFileTime(file, NULL, &times[0], &times[1]))
        no_way_on(path);
    CloseHandle(file);
}

UNUSED static struct truth look(const char *path, int follow) {
    BY_HANDLE_FILE_INFORMATION is;
    HANDLE file = open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING,
                         follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT);
    if (file == INVALID_HANDLE_VALUE || !GetFileInformationByHandle(file, &is))
        no_way_on(path);
    CloseHandle(file);
    DWORD has = is.dwFileAttributes;
    return (struct truth){
        .kind = has & FILE_ATTRIBUTE_REPARSE_POINT ? FEWER_SYMLINK
                : has & FILE_ATTRIBUTE_DIRECTORY   ? FEWER_DIRECTORY
                                                   : FEWER_FILE,
        .links = is.nNumberOfLinks,
        .inode = (uint64_t)is.nFileIndexHigh << 32 | is.nFileIndexLow,
        .size = (uint64_t)is.nFileSizeHigh << 32 | is.nFileSizeLow,
        .accessed = time_of(is.ftLastAccessTime),
        .modified = time_of(is.ftLastWriteTime),
    };
}

UNUSED static bool is_there(const char *path) {
    return GetFileAttributesW(wide(path)) != INVALID_FILE_ATTRIBUTES;
}

/* Of permissions there is only whether a file may be written. */
#define SHOWN_PERMISSIONS(set) ((set) & 0222 ? 0666 : 0444)
UNUSED static int permissions_of(const char *path) {
    return GetFileAttributesW(wide(path)) & FILE_ATTRIBUTE_READONLY ? 0444 : 0666;
}

UNUSED static fewer_descriptor open_for_test(const char *path) {
    HANDLE file = open_handle(path, GENERIC_READ, OPEN_EXISTING, 0);
    if (file == INVALID_HANDLE_VALUE)
        no_way_on(path);
    return file;
}

UNUSED static long read_some(fewer_descriptor file, void *bytes, size_t length) {
    DWORD read = 0;
    return ReadFile(file, bytes, (DWORD)length, &read, NULL) ? (long)read : -1;
}

UNUSED static void skip_bytes(fewer_descriptor file, long bytes) {
    if (SetFilePointer(file, bytes, NULL, FILE_BEGIN) != (DWORD)bytes)
        no_way_on("SetFilePointer");
}

UNUSED static int is_open(fewer_descriptor file) {
    DWORD flags;
    return GetHandleInformation(file, &flags) != 0;
}

UNUSED static int is_inherited(fewer_descriptor file) {
    DWORD flags = 0;
    GetHandleInformation(file, &flags);
    return (flags & HANDLE_FLAG_INHERIT) != 0;
}

UNUSED static int can_be_written(fewer_descriptor file) {
    DWORD written;
    return WriteFile(file, "x", 1, &written, NULL) != 0;
}

UNUSED static void close_file(fewer_descriptor file) { CloseHandle(file); }

UNUSED static fewer_descriptor standard_input(void) { return GetStdHandle(STD_INPUT_HANDLE); }

UNUSED static fewer_descriptor pipe_with(const char *bytes) {
    HANDLE from, to;
    DWORD written = 0;
    if (!CreatePipe(&from, &to, NULL, 0) ||
        !WriteFile(to, bytes, (DWORD)strlen(bytes), &written, NULL))
        no_way_on("CreatePipe");
    CloseHandle(to);
    return from;
}

UNUSED static void set_zone(const char *zone) {
    char entry[128];
    snprintf(entry, sizeof entry, "TZ=%s", zone);
    _putenv(entry);
    _tzset();
}

/* A zone that the C library knows. */
#define ZONE "EST5"
UNUSED static void local_time(const time_t *time, struct tm *to) { localtime_s(to, time); }

/* Permissions are made up. */
UNUSED static void lock_directory(const char *path) { (void)path; }

UNUSED static void as_nobody(void (*body)(void)) { body(); }

UNUSED static int open_files(void) {
    /* GetProcessHandleCount of Wine counts none. Handles are small multiples of 4. */
    int count = 0;
    for (uintptr_t handle = 4; handle < 8192; handle += 4)
        count += is_open((HANDLE)handle);
    return count;
}

UNUSED static int threads_now(void) {
    int count = 0;
    HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    THREADENTRY32 thread = {.dwSize = sizeof thread};
    for (BOOL more = Thread32First(all, &thread); more; more = Thread32Next(all, &thread))
        count += thread.th32OwnerProcessID == GetCurrentProcessId();
    CloseHandle(all);
    return count;
}

/* What is in it goes first. */
static void remove_below(const wchar_t *directory) {
    wchar_t *path = malloc(sizeof(wide_path));
    WIN32_FIND_DATAW found;
    swprintf(path, 32768, L"%ls\\*", directory);
    HANDLE all = FindFirstFileW(path, &found);
    for (BOOL more = all != INVALID_HANDLE_VALUE; more; more = FindNextFileW(all, &found)) {
        if (wcscmp(found.cFileName, L".") == 0 || wcscmp(found.cFileName, L"..") == 0)
            continue;
        swprintf(path, 32768, L"%ls\\%ls", directory, found.cFileName);
        if ((found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0)
            DeleteFileW(path);
        else if (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT)
            RemoveDirectoryW(path);
        else
            remove_below(path);
    }
    FindClose(all);
    RemoveDirectoryW(directory);
    free(path);
}

static void remove_scratch(void) {
    wchar_t *place = malloc(sizeof(wide_path));
    wcscpy(place, wide(scratch));
    SetCurrentDirectoryW(L"C:\\");
    remove_below(place);
    free(place);
}

static void begin(void) {
    char folder[2048];
    DWORD length = GetTempPathA(sizeof folder, folder);
    unsigned number = GetCurrentProcessId();
    do
        snprintf(scratch, sizeof scratch, "%.*sfewer-%u", (int)length, folder, number++);
    while (!CreateDirectoryA(scratch, NULL) && GetLastError() == ERROR_ALREADY_EXISTS);
    if (!SetCurrentDirectoryA(scratch))
        no_way_on(scratch);
    /* Wine says that it has made one. */
    CreateSymbolicLinkW(wide("probe"), L"none", 2);
    can_link = DeleteFileW(wide("probe"));
}

#endif
