// What a walk found, kept in memory or in a file; what has changed since.
#ifndef FEWER_SNAPSHOT_HPP
#define FEWER_SNAPSHOT_HPP

#include <fewer/metadata.hpp>
#include <fewer/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fewer {

// What a walk writes down of each entry.
enum class record : std::uint32_t {
    nothing = 0,
    names = FEWER_RECORD_NAMES,
    stat = FEWER_RECORD_STAT,
};

// The directories below some roots, and the names in each. `walk::to_snapshot` makes one.
class snapshot {
public:
    // Reads one from a file. EBADMSG if it is none, or damaged; the message says which. Price: 5
    // calls.
    static result<snapshot> read(std::string_view path) {
        fewer_snapshot *handle = nullptr;
        fewer_error *story = nullptr;
        const int number = fewer_snapshot_read(path.data(), path.size(), &handle, &story);
        if (number != 0)
            return error::taken(number, story);
        return snapshot(handle);
    }

    // Writes it to a file, which is the old one until the new one is whole and on the disk.
    result<void> write(std::string_view path) const {
        fewer_error *story = nullptr;
        const int number = fewer_snapshot_write(get(), path.data(), path.size(), &story);
        return detail::answer(number, story);
    }

    // How much there is in it. Price: none.
    result<fewer_snapshot_facts> facts() const {
        fewer_snapshot_facts facts;
        fewer_error *story = nullptr;
        const int number = fewer_snapshot_facts_of(get(), &facts, &story);
        if (number != 0)
            return error::taken(number, story);
        return facts;
    }

    // The handle for functions of fewer.h.
    const fewer_snapshot *get() const noexcept { return handle_.get(); }

private:
    friend class walk;

    explicit snapshot(fewer_snapshot *handle) : handle_(handle) {}

    detail::handle<fewer_snapshot, fewer_snapshot_close> handle_;
};

// How an entry differs.
enum class difference : std::uint32_t {
    removed = FEWER_CHANGE_REMOVED,
    renamed = FEWER_CHANGE_RENAMED,
    added = FEWER_CHANGE_ADDED,
    changed = FEWER_CHANGE_CHANGED,
};

// A difference between two snapshots. Its strings are valid until the iterator moves on.
struct change {
    std::string_view path;
    // The path before; empty if it was not renamed.
    std::string_view from;
    fewer::difference difference;
    // What it is, or was if it is gone.
    fewer::kind kind;
};

// What is different between two snapshots, which may be closed then: a range of `result<change>`,
// in the order of the paths. Price: none.
class changes : public stream<changes, change> {
public:
    static result<changes> between(const snapshot &before, const snapshot &after) {
        fewer_changes *handle = nullptr;
        fewer_error *story = nullptr;
        const int number = fewer_changes_open(before.get(), after.get(), &handle, &story);
        if (number != 0)
            return error::taken(number, story);
        return changes(handle);
    }

private:
    friend class stream<changes, change>;

    explicit changes(fewer_changes *handle) : batches_(handle) {}

    std::optional<result<change>> take() {
        while (next_ == batches_->changes_count) {
            next_ = 0;
            if (auto failed = batches_.read())
                return std::move(*failed);
            if (batches_.is_over())
                return std::nullopt;
        }
        const fewer_change &it = batches_->changes[next_++];
        return change{detail::piece(batches_->bytes, it.path, it.path_length),
                      detail::piece(batches_->bytes, it.from, it.from_length),
                      static_cast<fewer::difference>(it.change), static_cast<fewer::kind>(it.kind)};
    }

    detail::batches<fewer_changes, fewer_change_batch, fewer_changes_close, fewer_changes_next>
        batches_;
    std::size_t next_ = 0;
};

} // namespace fewer

#endif // FEWER_SNAPSHOT_HPP
