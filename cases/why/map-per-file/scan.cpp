// Looks for a word in many small files.
#include <fcntl.h>
#include <iostream>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_word(const std::string &path)
{
    struct stat status;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status))
        return false;
    const size_t size = status.st_size;
    void *text = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    const bool found =
        std::string_view(static_cast<char *>(text), size).find("7") != std::string_view::npos;
    munmap(text, size);
    return found;
}

int main(int, char **words)
{
    int found = 0;
    for (int number = 0; number < 1000; number++)
        found += has_word(std::string(words[1]) + "/f" + std::to_string(number));
    std::cout << found << '\n';
}
