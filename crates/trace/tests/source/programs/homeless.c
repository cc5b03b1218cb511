// Removes its working directory and goes on.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    char text[4096];
    mkdir("gone", 0700);
    if (chdir("gone"))
        return 1;
    rmdir("../gone");
    getcwd(text, sizeof text);
    access("x", F_OK);
    open("x", O_CREAT | O_WRONLY, 0600);
    chdir("..");
    return chdir("/");
}
