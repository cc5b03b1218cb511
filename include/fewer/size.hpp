// How much space trees take.
#ifndef FEWER_SIZE_HPP
#define FEWER_SIZE_HPP

#include <fewer/metadata.hpp>
#include <fewer/scope.hpp>
#include <fewer/stream.hpp>
#include <fewer/walk_options.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace fewer {

// A root, a directory below it, or a file, with all that is below. Its path is valid until the
// iterator moves on.
struct size_row {
    std::string_view path;
    // Steps below the root, which is at 0.
    std::uint32_t depth;
    fewer::kind kind;
    fewer_space space;
};

// What has rows, and what counts. Each field is explained in fewer.h, by the same name.
struct size_options {
    bool files = false;
    bool count_links = false;
    // So many levels below a root have rows; 0: the roots.
    std::uint64_t depth = 0;
};

// The space that trees take, as du counts: a range of `result<size_row>`, root by root, below each
// in byte order of the paths. What cannot be looked at is an error in front of the rows, and the
// rest is counted.
//
// Price: one statx an entry besides the walk, and one for a root that is a directory.
class size : public stream<size, size_row> {
public:
    // EINVAL for an invalid glob, and for `by_directory`, `targets`, `since` and `record`.
    static result<size> open(std::string_view root, const size_options &options = {},
                             const walk_options &walk = {}, const scope &scope = {}) {
        return open({root}, options, walk, scope);
    }
    static result<size> open(std::initializer_list<std::string_view> roots,
                             const size_options &options = {}, const walk_options &walk = {},
                             const scope &scope = {}) {
        return open(std::vector<std::string_view>(roots), options, walk, scope);
    }
    static result<size> open(const std::vector<std::string_view> &roots,
                             const size_options &options = {}, const walk_options &walk = {},
                             const scope &scope = {}) {
        const detail::walk_arguments given(roots, walk);
        fewer_size_options all{};
        if (options.files)
            all.flags |= FEWER_SIZE_FILES;
        if (options.count_links)
            all.flags |= FEWER_SIZE_COUNT_LINKS;
        all.depth = options.depth;
        fewer_size *handle = nullptr;
        fewer_error *story = nullptr;
        const int number = fewer_size_open(scope.get(), given.roots(), given.count(),
                                           &given.options(), sizeof given.options(), &all,
                                           sizeof all, &handle, &story);
        if (number != 0)
            return error::taken(number, story);
        return size(handle);
    }

private:
    friend class stream<size, size_row>;

    explicit size(fewer_size *handle) : batches_(handle) {}

    std::optional<result<size_row>> take() {
        for (;;) {
            if (next_failure_ < batches_->failures_count)
                return detail::error_of(batches_->bytes, batches_->failures[next_failure_++]);
            if (next_row_ < batches_->rows_count)
                return present();
            next_row_ = next_failure_ = 0;
            if (auto failed = batches_.read())
                return std::move(*failed);
            if (batches_.is_over())
                return std::nullopt;
        }
    }

    result<size_row> present() {
        const fewer_size_row &it = batches_->rows[next_row_++];
        return size_row{detail::piece(batches_->bytes, it.path, it.path_length), it.depth,
                        static_cast<fewer::kind>(it.kind), it.space};
    }

    detail::batches<fewer_size, fewer_size_batch, fewer_size_close, fewer_size_next> batches_;
    std::size_t next_row_ = 0;
    std::size_t next_failure_ = 0;
};

} // namespace fewer

#endif // FEWER_SIZE_HPP
