// Adds up the sizes of files.
#include <filesystem>
#include <iostream>

namespace fs = std::filesystem;

int main(int, char **words)
{
    std::uintmax_t bytes = 0;

    for (int number = 0; number < 5000; number++) {
        const fs::path path = fs::path(words[1]) / ("f" + std::to_string(number));
        if (fs::exists(path) && fs::is_regular_file(path))
            bytes += fs::file_size(path);
    }
    std::cout << bytes << " bytes\n";
}
