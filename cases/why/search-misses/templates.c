// Finds the templates of a site along the folders of its themes.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int find(const char *themes, const char *name)
{
    for (int theme = 0; theme < 25; theme++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/theme%d/%s", themes, theme, name);
        int template = open(path, O_RDONLY | O_CLOEXEC);
        if (template >= 0)
            return template;
    }
    return -1;
}

int main(int count, char **words)
{
    int found = 0;

    for (int number = 0; count > 1 && number < 200; number++) {
        char name[32];
        snprintf(name, sizeof name, "page%d.html", number);
        int template = find(words[1], name);
        if (template >= 0) {
            found++;
            close(template);
        }
    }
    printf("%d templates\n", found);
    return 0;
}
