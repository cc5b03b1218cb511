// What the folders of a directory take, and the largest file below: fewer::size and fewer::summary.
//
//     c++ -std=c++17 sizes.cpp -o sizes $(pkg-config --cflags --libs fewer)
//     ./sizes /usr/share
//
// Prints what `du -B1 --max-depth=1 DIRECTORY | LC_ALL=C sort -k2` prints, if no name has a byte in
// it that comes before `/`; then the bytes and the path of the largest file, on standard error.
#include <fewer.hpp>

#include <iostream>

int main(int argc, char **argv) {
    const char *top = argc > 1 ? argv[1] : ".";
    fewer::size_options options;
    options.depth = 1;
    int status = 0;
    const auto complain = [&status](const fewer::error &error) {
        std::cerr << "sizes: " << error.message() << '\n';
        status = 1;
    };
    auto size = fewer::size::open(top, options);
    if (!size)
        return complain(size.error()), 2;
    for (auto &item : *size) {
        if (item)
            std::cout << item->space.allocated << '\t' << item->path << '\n';
        else
            complain(item.error());
    }
    const auto summary = fewer::summary::of(top);
    if (!summary)
        return complain(summary.error()), 2;
    const auto largest = summary->largest();
    if (!largest.empty())
        std::cerr << largest[0].value << '\t' << largest[0].path << '\n';
    return std::cout.flush() ? status : 2;
}
