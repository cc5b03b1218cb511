// A working directory as a value.
#ifndef FEWER_SCOPE_HPP
#define FEWER_SCOPE_HPP

#include <fewer/error.hpp>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>

namespace fewer {

// A directory that relative paths start from, held open; without one, that of the process. Copies
// share it, and cost nothing.
class scope {
public:
    // The working directory of the process. Price: none.
    scope() = default;

    scope(const scope &other)
        : handle_(other.get() == nullptr ? nullptr : fewer_scope_clone(other.get())) {}
    scope &operator=(const scope &other) {
        if (this != &other)
            *this = scope(other);
        return *this;
    }
    scope(scope &&) = default;
    scope &operator=(scope &&) = default;

    // Enters a directory, as chdir would. Price: one openat now, one close at the end.
    result<scope> enter(std::string_view path) const {
        return entered(fewer_scope_enter, path);
    }

    // As a shell's cd: `..` takes the last name off the logical path, also if that is a link.
    result<scope> enter_logical(std::string_view path) const {
        return entered(fewer_scope_enter_logical, path);
    }

    // For other calls, such as fstatat; AT_FDCWD for the process's directory. Price: none.
    fewer_descriptor descriptor() const noexcept { return fewer_scope_descriptor(get()); }

    // The requested fields (FEWER_FIELD_...), of the target of a link if it is followed. Price: one
    // statx.
    result<fewer_stat> stat(std::string_view path, std::uint32_t fields = FEWER_FIELD_ALL,
                            bool follow = false) const {
        fewer_stat stat;
        fewer_error *story = nullptr;
        const int number = fewer_scope_stat(get(), path.data(), path.size(), fields, follow ? 1 : 0,
                                            &stat, &story);
        if (number != 0)
            return error::taken(number, story);
        return stat;
    }

    // The target of a link. Price: one readlinkat (two for a target of more than 127 bytes).
    result<std::string> read_link(std::string_view path) const {
        return text([&](char *buffer, std::size_t size, std::size_t *needed, fewer_error **story) {
            return fewer_scope_read_link(get(), path.data(), path.size(), buffer, size, needed,
                                         story);
        });
    }

    // The path by which it was entered, links included; the kernel's path, without links.
    result<std::string> logical() const { return path_by(fewer_scope_logical); }
    result<std::string> physical() const { return path_by(fewer_scope_physical); }

    // Opens a file for reading; the descriptor is the caller's to close. Price: one openat.
    result<fewer_descriptor> open(std::string_view path) const {
        fewer_descriptor descriptor{};
        fewer_error *story = nullptr;
        const int number = fewer_scope_open(get(), path.data(), path.size(), &descriptor, &story);
        if (number != 0)
            return error::taken(number, story);
        return descriptor;
    }

    // Makes a file that must not be there yet, open for reading and writing. Price: one openat.
    result<fewer_descriptor> create(std::string_view path,
                                    std::uint32_t permissions = 0666) const {
        fewer_descriptor descriptor{};
        fewer_error *story = nullptr;
        const int number = fewer_scope_create(get(), path.data(), path.size(), permissions,
                                              &descriptor, &story);
        if (number != 0)
            return error::taken(number, story);
        return descriptor;
    }

    // One call each: fchmodat, mkdirat, symlinkat, linkat, unlinkat.
    result<void> set_permissions(std::string_view path, std::uint32_t permissions) const {
        return done(fewer_scope_set_permissions, path, permissions);
    }
    result<void> make_directory(std::string_view path, std::uint32_t permissions = 0777) const {
        return done(fewer_scope_make_directory, path, permissions);
    }
    result<void> make_symlink(std::string_view path, std::string_view target) const {
        return done(fewer_scope_make_symlink, path, target.data(), target.size());
    }
    result<void> make_hard_link(std::string_view path, std::string_view target) const {
        return done(fewer_scope_make_hard_link, path, target.data(), target.size());
    }
    result<void> remove_file(std::string_view path) const {
        return done(fewer_scope_remove_file, path);
    }
    result<void> remove_directory(std::string_view path) const {
        return done(fewer_scope_remove_directory, path);
    }

    // Removes a directory and everything below it; links are never followed. If something cannot
    // be removed, the rest is, and the first such failure is the result.
    result<void> remove_tree(std::string_view path) const {
        return done(fewer_scope_remove_tree, path);
    }

    // The handle for functions of fewer.h: NULL for the process's directory.
    const fewer_scope *get() const noexcept { return handle_.get(); }

private:
    explicit scope(fewer_scope *handle) : handle_(handle) {}

    template <class Enter>
    result<scope> entered(Enter by, std::string_view path) const {
        fewer_scope *inner = nullptr;
        fewer_error *story = nullptr;
        const int number = by(get(), path.data(), path.size(), &inner, &story);
        if (number != 0)
            return error::taken(number, story);
        return scope(inner);
    }

    template <class Change, class... More>
    result<void> done(Change change, std::string_view path, More... more) const {
        fewer_error *story = nullptr;
        const int number = change(get(), path.data(), path.size(), more..., &story);
        return detail::answer(number, story);
    }

    template <class PathBy>
    result<std::string> path_by(PathBy by) const {
        return text([&](char *buffer, std::size_t size, std::size_t *needed, fewer_error **story) {
            return by(get(), buffer, size, needed, story);
        });
    }

    // What is written into a buffer, which is made larger where it has to be.
    template <class Write>
    static result<std::string> text(Write write) {
        std::string text(4096, '\0');
        for (;;) {
            std::size_t needed = 0;
            fewer_error *story = nullptr;
            const int number = write(text.data(), text.size(), &needed, &story);
            if (number == 0) {
                text.resize(needed);
                return text;
            }
            if (number != ERANGE)
                return error::taken(number, story);
            fewer_error_free(story);
            text.resize(needed + 1);
        }
    }

    detail::handle<fewer_scope, fewer_scope_close> handle_;
};

} // namespace fewer

#endif // FEWER_SCOPE_HPP
