// One directory with metadata; names of owners, local time.
#ifndef FEWER_LIST_HPP
#define FEWER_LIST_HPP

#include <fewer/metadata.hpp>
#include <fewer/scope.hpp>
#include <fewer/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fewer {

// Names of users and groups, each looked up once.
class owners {
public:
    owners() : handle_(fewer_owners_open()) {}

    // The handle for functions of fewer.h.
    const fewer_owners *get() const noexcept { return handle_.get(); }

private:
    detail::handle<fewer_owners, fewer_owners_close> handle_;
};

// The zone of TZ or of the machine. Price: one open, read and close of its file.
class zone {
public:
    zone() : handle_(fewer_zone_open()) {}

    // Date and time in the zone, of seconds since 1970. Price: none.
    fewer_civil civil(std::int64_t seconds) const {
        fewer_civil civil;
        fewer_zone_convert(handle_.get(), &seconds, 1, &civil);
        return civil;
    }

private:
    detail::handle<fewer_zone, fewer_zone_close> handle_;
};

// The order of a listing.
enum class order : std::uint32_t {
    name = FEWER_BY_NAME,
    nothing = FEWER_BY_NOTHING,
    version = FEWER_BY_VERSION,
    extension = FEWER_BY_EXTENSION,
    size = FEWER_BY_SIZE,
    modified = FEWER_BY_MODIFIED,
    accessed = FEWER_BY_ACCESSED,
    changed = FEWER_BY_CHANGED,
    created = FEWER_BY_CREATED,
};

// What is listed, and how. Each field is explained in fewer.h, by the same name.
struct list_options {
    bool skip_hidden = false;
    bool dots = false;
    bool follow = false;
    bool links = false;
    bool kinds = false;
    bool reverse = false;
    bool directories_first = false;
    // The requested fields of each entry (FEWER_FIELD_...).
    std::uint32_t fields = FEWER_FIELD_ALL;
    fewer::order order = fewer::order::name;
    std::uint32_t threads = 0;
    // Where names of owners are looked up; it has to live as long as the list.
    const fewer::owners *owners = nullptr;
};

// An entry of a directory. Its strings are valid until the list goes on.
struct row {
    std::string_view name;
    // With `links`: where a link points to.
    std::string_view target;
    // With `owners`: their names; empty if there are none.
    std::string_view user;
    std::string_view group;
    // Never NULL. Inode and kind are there even if no field was requested.
    const fewer_stat *stat;
    // Why the fields, or the target, could not be read: the kernel's numbers; else 0.
    int number;
    int target_number;

    fewer::kind kind() const noexcept { return kind_of(*stat); }
};

// The entries of a directory in order: a range of `result<row>`.
//
// Price: openat, getdents64 and close; per entry one statx if fields are requested.
class list : public stream<list, row> {
public:
    static result<list> open(std::string_view path, const list_options &options = {},
                             const scope &scope = {}) {
        const fewer_list_options all = options_of(options);
        fewer_list *handle = nullptr;
        fewer_error *story = nullptr;
        const int number = fewer_list_open(scope.get(), path.data(), path.size(), &all, sizeof all,
                                           &handle, &story);
        if (number != 0)
            return error::taken(number, story);
        return list(handle);
    }

    // How many rows there are in all. Free.
    std::size_t size() const noexcept { return fewer_list_count(batches_.handle()); }

private:
    friend class stream<list, row>;

    explicit list(fewer_list *handle) : batches_(handle) {}

    std::optional<result<row>> take() {
        while (next_ == batches_->rows_count) {
            next_ = 0;
            if (auto failed = batches_.read())
                return std::move(*failed);
            if (batches_.is_over())
                return std::nullopt;
        }
        const char *bytes = batches_->bytes;
        const fewer_row &it = batches_->rows[next_++];
        return row{detail::piece(bytes, it.name, it.name_length),
                   detail::piece(bytes, it.target, it.target_length),
                   detail::piece(bytes, it.user_name, it.user_name_length),
                   detail::piece(bytes, it.group_name, it.group_name_length),
                   &it.stat,
                   it.number,
                   it.target_number};
    }

    static fewer_list_options options_of(const list_options &options) {
        fewer_list_options all{};
        const auto flag = [&all](bool yes, std::uint32_t bit) { all.flags |= yes ? bit : 0; };
        flag(options.skip_hidden, FEWER_LIST_SKIP_HIDDEN);
        flag(options.dots, FEWER_LIST_DOTS);
        flag(options.follow, FEWER_LIST_FOLLOW);
        flag(options.links, FEWER_LIST_LINKS);
        flag(options.kinds, FEWER_LIST_KINDS);
        flag(options.reverse, FEWER_LIST_REVERSE);
        flag(options.directories_first, FEWER_LIST_DIRECTORIES_FIRST);
        all.fields = options.fields;
        all.order = static_cast<std::uint32_t>(options.order);
        all.threads = options.threads;
        all.owners = options.owners == nullptr ? nullptr : options.owners->get();
        return all;
    }

    detail::batches<fewer_list, fewer_list_batch, fewer_list_close, fewer_list_next> batches_;
    std::size_t next_ = 0;
};

} // namespace fewer

#endif // FEWER_LIST_HPP
