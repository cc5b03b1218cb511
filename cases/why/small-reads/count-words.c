// Counts the words of a file.
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static long words_in(int file)
{
    long words = 0;
    int inside = 0;
    char letter;

    while (read(file, &letter, 1) == 1) {
        if (isspace((unsigned char)letter))
            inside = 0;
        else if (!inside)
            inside = ++words != 0;
    }
    return words;
}

int main(int count, char **arguments)
{
    int file = count > 1 ? open(arguments[1], O_RDONLY) : STDIN_FILENO;

    if (file < 0) {
        perror(arguments[1]);
        return 1;
    }
    printf("%ld words\n", words_in(file));
    return close(file);
}
