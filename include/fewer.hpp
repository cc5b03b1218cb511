// fewer.hpp - libfewer for C++17 and later: the functions of fewer.h as ranges and values.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
//
//     #include <fewer.hpp>
//
//     auto walk = fewer::walk::open("/usr/share");
//     if (!walk)
//         return give_up(walk.error());
//     for (auto &item : *walk) {
//         if (item)
//             std::cout << item->path << '\n';
//         else
//             std::cerr << item.error().message() << '\n';
//     }
//
// | header                 | what is in it                                           |
// |------------------------|---------------------------------------------------------|
// | fewer/error.hpp        | `error`, `result`: errors as values                     |
// | fewer/stream.hpp       | what is iterated over, an item at a time                |
// | fewer/metadata.hpp     | `kind`, times                                           |
// | fewer/scope.hpp        | `scope`: a working directory as a value                 |
// | fewer/walk.hpp         | `walk`: the entries of a tree                           |
// | fewer/walk_options.hpp | how trees are walked, measured and summed up            |
// | fewer/snapshot.hpp     | `snapshot`, `changes`: what a walk found, and since     |
// | fewer/size.hpp         | `size`: the space that trees take                       |
// | fewer/summary.hpp      | `summary`: what there is in them                        |
// | fewer/list.hpp         | `list`: one directory with metadata; `owners`, `zone`   |
// | fewer/lines.hpp        | `lines`: text                                           |
//
// Prices, lifetimes and threads are those of fewer.h, which is the manual; nothing here makes a
// system call of its own. Only headers: programs are linked with libfewer as those in C are.
//
// Errors are values: a function that can fail returns a `result`, which is a value or an `error`.
// `value()` throws the error as an `exception` for those who like that better. What is iterated
// over gives results as well: one bad entry does not end a walk.
//
// Strings of items (`std::string_view`) are bytes as the kernel has them, and valid until the
// iterator moves on. Every handle is closed by its destructor, can be moved, and belongs to one
// thread at a time.
#ifndef FEWER_HPP
#define FEWER_HPP

#include <fewer/error.hpp>
#include <fewer/lines.hpp>
#include <fewer/list.hpp>
#include <fewer/metadata.hpp>
#include <fewer/scope.hpp>
#include <fewer/size.hpp>
#include <fewer/snapshot.hpp>
#include <fewer/stream.hpp>
#include <fewer/summary.hpp>
#include <fewer/walk.hpp>
#include <fewer/walk_options.hpp>

#include <algorithm>
#include <vector>

namespace fewer {

// How often each call was made by all threads of the process through the library, the most frequent
// first. Price: none.
inline std::vector<fewer_call_count> calls() {
    std::vector<fewer_call_count> counts(fewer_calls(nullptr, 0));
    counts.resize((std::min)(counts.size(), fewer_calls(counts.data(), counts.size())));
    return counts;
}

} // namespace fewer

#endif // FEWER_HPP
