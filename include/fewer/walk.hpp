// The entries of a tree.
#ifndef FEWER_WALK_HPP
#define FEWER_WALK_HPP

#include <fewer/metadata.hpp>
#include <fewer/scope.hpp>
#include <fewer/snapshot.hpp>
#include <fewer/stream.hpp>
#include <fewer/walk_options.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace fewer {

// An entry of a walk. Its strings are valid until the walk goes on, and have a NUL behind them.
struct entry {
    // The root as the caller wrote it, and the path below it; the last component of that.
    std::string_view path;
    std::string_view name;
    // In the directory's record; of a mount point, that of the directory below it.
    std::uint64_t inode;
    // Steps below the root, which is at 0.
    std::uint32_t depth;
    fewer::kind kind;
    // With `targets`: the kind that a link points to; else unknown.
    fewer::kind target;
    // Its place in its batch, for `prune`.
    std::uint32_t index;

    bool is_directory() const noexcept { return kind == kind::directory; }
};

// The entries of trees: a range of `result<entry>`. A directory that cannot be opened is an error
// in its place, and the walk goes on.
//
// Price: per directory openat, getdents64 and close; per entry none.
class walk : public stream<walk, entry> {
public:
    // EINVAL for an invalid glob. A root that is not there is the first item's error.
    static result<walk> open(std::string_view root, const walk_options &options = {},
                             const scope &scope = {}) {
        return open({root}, options, scope);
    }
    static result<walk> open(std::initializer_list<std::string_view> roots,
                             const walk_options &options = {}, const scope &scope = {}) {
        return open(std::vector<std::string_view>(roots), options, scope);
    }
    static result<walk> open(const std::vector<std::string_view> &roots,
                             const walk_options &options = {}, const scope &scope = {}) {
        const detail::walk_arguments given(roots, options);
        fewer_walk *handle = nullptr;
        fewer_error *story = nullptr;
        const int number = fewer_walk_open(scope.get(), given.roots(), given.count(),
                                           &given.options(), sizeof given.options(), &handle,
                                           &story);
        if (number != 0)
            return error::taken(number, story);
        return walk(handle);
    }

    // With `by_directory`: does not enter the directory that was given last, or another one of its
    // batch. EINVAL if it is none. Price: none.
    result<void> prune(const entry &entry) {
        return detail::answer(fewer_walk_prune(batches_.handle(), entry.index), nullptr);
    }

    // The snapshot of a walk that was opened with `record`, which ends it. Price: none.
    result<snapshot> to_snapshot() {
        fewer_snapshot *made = nullptr;
        fewer_error *story = nullptr;
        const int number = fewer_walk_snapshot(batches_.handle(), &made, &story);
        if (number != 0)
            return error::taken(number, story);
        return snapshot(made);
    }

private:
    friend class stream<walk, entry>;

    explicit walk(fewer_walk *handle) : batches_(handle) {}

    std::optional<result<entry>> take() {
        for (;;) {
            if (next_failure_ < batches_->failures_count &&
                batches_->failures[next_failure_].before <= next_entry_)
                return failure();
            if (next_entry_ < batches_->entries_count)
                return present();
            next_entry_ = next_failure_ = 0;
            if (auto failed = batches_.read())
                return std::move(*failed);
            if (batches_.is_over())
                return std::nullopt;
        }
    }

    result<entry> present() {
        const auto index = static_cast<std::uint32_t>(next_entry_++);
        const fewer_entry &it = batches_->entries[index];
        return entry{detail::piece(batches_->bytes, it.path, it.path_length),
                     detail::piece(batches_->bytes, it.name, it.name_length),
                     it.inode,
                     it.depth,
                     static_cast<fewer::kind>(it.kind),
                     static_cast<fewer::kind>(it.target),
                     index};
    }

    result<entry> failure() {
        return detail::error_of(batches_->bytes, batches_->failures[next_failure_++]);
    }

    detail::batches<fewer_walk, fewer_walk_batch, fewer_walk_close, fewer_walk_next> batches_;
    std::size_t next_entry_ = 0;
    std::size_t next_failure_ = 0;
};

} // namespace fewer

#endif // FEWER_WALK_HPP
