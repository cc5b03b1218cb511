// Lists the pictures below a directory.
#include <filesystem>
#include <iostream>
#include <set>

namespace fs = std::filesystem;

static void collect(const fs::path &directory, std::set<fs::path> &found)
{
    for (const auto &entry : fs::directory_iterator(directory)) {
        const fs::path path = entry.path();
        if (fs::is_directory(path))
            collect(path, found);
        else if (path.extension() == ".png")
            found.insert(path);
    }
}

int main(int, char **words)
{
    std::set<fs::path> found;

    collect(words[1], found);
    for (const auto &path : found)
        std::cout << path.string() << '\n';
}
