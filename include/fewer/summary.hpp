// What there is in trees, in numbers.
#ifndef FEWER_SUMMARY_HPP
#define FEWER_SUMMARY_HPP

#include <fewer/error.hpp>
#include <fewer/scope.hpp>
#include <fewer/walk_options.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace fewer {

// Files whose names end in the same: behind the last dot, or nothing.
struct extension {
    std::string_view name;
    // The files of all others, after 65,536 different ones.
    bool is_rest;
    fewer_space space;
};

// An entry that is the most of something.
struct extreme {
    std::string_view path;
    // Of the largest its bytes, of the deepest its steps, of the longest its bytes; else 0.
    std::uint64_t value;
    // When the newest or the oldest was modified.
    fewer_time time;
};

// What there is in trees. Its strings live as long as it does, also when it is moved.
class summary {
public:
    // EINVAL for an invalid glob, and for `by_directory`, `targets`, `since` and `record`.
    // Price: one statx an entry besides the walk.
    static result<summary> of(std::string_view root, const walk_options &walk = {},
                              const scope &scope = {}) {
        return of({root}, walk, scope);
    }
    static result<summary> of(std::initializer_list<std::string_view> roots,
                              const walk_options &walk = {}, const scope &scope = {}) {
        return of(std::vector<std::string_view>(roots), walk, scope);
    }
    static result<summary> of(const std::vector<std::string_view> &roots,
                              const walk_options &walk = {}, const scope &scope = {}) {
        const detail::walk_arguments given(roots, walk);
        fewer_summary *handle = nullptr;
        fewer_error *story = nullptr;
        int number = fewer_summary_open(scope.get(), given.roots(), given.count(),
                                        &given.options(), sizeof given.options(), &handle, &story);
        if (number != 0)
            return error::taken(number, story);
        summary made(handle);
        number = fewer_summary_facts_of(handle, &made.facts_, &story);
        if (number != 0)
            return error::taken(number, story);
        return made;
    }

    const fewer_space &directories() const noexcept { return facts_.directories; }
    // The bytes of a file with several names count once.
    const fewer_space &files() const noexcept { return facts_.files; }
    const fewer_space &links() const noexcept { return facts_.links; }
    const fewer_space &other() const noexcept { return facts_.other; }

    // The one with the largest size first.
    std::vector<extension> extensions() const {
        std::vector<extension> all;
        all.reserve(facts_.extensions_count);
        for (std::size_t i = 0; i < facts_.extensions_count; i++) {
            const fewer_extension &it = facts_.extensions[i];
            all.push_back({detail::piece(facts_.bytes, it.name, it.name_length), it.is_rest != 0,
                           it.space});
        }
        return all;
    }

    // Files, each once; at most 10.
    std::vector<extreme> largest() const {
        std::vector<extreme> all;
        for (std::size_t i = 0; i < facts_.largest_count; i++)
            all.push_back(*extreme_of(&facts_.largest[i]));
        return all;
    }

    // None if there is no such entry.
    std::optional<extreme> deepest() const { return extreme_of(facts_.deepest); }
    // The longest path.
    std::optional<extreme> longest() const { return extreme_of(facts_.longest); }
    // Files.
    std::optional<extreme> newest() const { return extreme_of(facts_.newest); }
    std::optional<extreme> oldest() const { return extreme_of(facts_.oldest); }

    // What could not be looked at; the rest was counted.
    std::vector<error> errors() const {
        std::vector<error> all;
        for (std::size_t i = 0; i < facts_.failures_count; i++)
            all.push_back(detail::error_of(facts_.bytes, facts_.failures[i]));
        return all;
    }

private:
    explicit summary(fewer_summary *handle) : handle_(handle) {}

    std::optional<extreme> extreme_of(const fewer_extreme *it) const {
        if (it == nullptr)
            return std::nullopt;
        return extreme{detail::piece(facts_.bytes, it->path, it->path_length), it->value, it->time};
    }

    detail::handle<fewer_summary, fewer_summary_close> handle_;
    fewer_summary_facts facts_{};
};

} // namespace fewer

#endif // FEWER_SUMMARY_HPP
