// The paths of a tree in order, without what is hidden: fewer::walk as a range.
//
//     c++ -std=c++17 paths.cpp -o paths $(pkg-config --cflags --libs fewer)
//     ./paths /usr/share/doc
//
// Prints what `find DIRECTORY -name '.?*' -prune -o -print | LC_ALL=C sort` prints, if no name has
// a byte in it that comes before `/`.
#include <fewer.hpp>

#include <iostream>

int main(int argc, char **argv) {
    fewer::walk_options options;
    options.sorted = true;
    options.skip_hidden = true;
    auto walk = fewer::walk::open(argc > 1 ? argv[1] : ".", options);
    if (!walk) {
        std::cerr << "paths: " << walk.error().message() << '\n';
        return 2;
    }
    int status = 0;
    for (auto &item : *walk) {
        if (item) {
            std::cout << item->path << '\n';
        } else {
            // What could not be looked at does not end a walk.
            std::cerr << "paths: " << item.error().message() << '\n';
            status = 1;
        }
    }
    return std::cout.flush() ? status : 2;
}
