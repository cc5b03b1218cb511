/* Ends with status 0 if the current directory can be read by the records that Windows has for it,
 * FILE_ID_EXTD_DIR_INFORMATION, and with 1 if they are refused, as by Wine 8. */
#include <windows.h>
#include <winternl.h>

#define FILE_ID_EXTD_DIRECTORY_INFORMATION 60

NTSTATUS NTAPI NtQueryDirectoryFile(HANDLE, HANDLE, PIO_APC_ROUTINE, PVOID, PIO_STATUS_BLOCK, PVOID,
                                    ULONG, FILE_INFORMATION_CLASS, BOOLEAN, PUNICODE_STRING,
                                    BOOLEAN);

int main(void)
{
    static char block[4096];
    IO_STATUS_BLOCK done;
    HANDLE here = CreateFileW(L".", FILE_LIST_DIRECTORY, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (here == INVALID_HANDLE_VALUE)
        return 2;
    return NtQueryDirectoryFile(here, NULL, NULL, NULL, &done, block, sizeof block,
                                FILE_ID_EXTD_DIRECTORY_INFORMATION, FALSE, NULL, TRUE) != 0;
}
