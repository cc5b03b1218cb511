/* Reads the names out of the manifests of some hundred packages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_name(const char *path, char *name, int size) {
    FILE *manifest = fopen(path, "r");
    if (!manifest)
        return 0;
    int found = fgets(name, size, manifest) != NULL;
    fclose(manifest);
    return found;
}

int main(int argc, char **argv) {
    char path[256], name[256];
    unsigned long long length = 0;
    for (int number = 0; number < 400; number++) {
        snprintf(path, sizeof path, "%s/p%d", argv[argc - 1], number);
        if (read_name(path, name, sizeof name))
            length += strlen(name);
    }
    printf("%llu bytes of names\n", length);
    return 0;
}
