// Adds up the sizes of files.
#include <filesystem>
#include <iostream>

namespace fs = std::filesystem;

int main(int, char **words)
{
    std::uintmax_t bytes = 0;

    for (int number = 0; number < 5000; number++) {
        const fs::path path = fs::path(words[1]) / ("f" + std::to_string(number));
        std::error_code error;
        const std::uintmax_t size = fs::file_size(path, error);
        if (!error)
            bytes += size;
    }
    std::cout << bytes << " bytes\n";
}
