/* hold NAME FOLDER: keeps a file and a folder open, both without sharing, and says "held"; ends
 * when its standard input does. */
#include <stdio.h>
#include <windows.h>

int main(int arguments, char **words)
{
    int i;

    for (i = 1; i < arguments; i++) {
        DWORD how = i == 1 ? FILE_ATTRIBUTE_NORMAL : FILE_FLAG_BACKUP_SEMANTICS;
        HANDLE held = CreateFileA(words[i], GENERIC_READ, 0, NULL, OPEN_EXISTING, how, NULL);

        if (held == INVALID_HANDLE_VALUE)
            return 1;
    }
    puts("held");
    fflush(stdout);
    while (getchar() != EOF)
        ;
    return 0;
}
