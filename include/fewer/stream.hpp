// What is iterated over, an item at a time: walks, listings, lines, changes.
#ifndef FEWER_STREAM_HPP
#define FEWER_STREAM_HPP

#include <fewer/error.hpp>

#include <cstddef>
#include <iterator>
#include <optional>

namespace fewer {

// An input range of `result<Item>`, for `for`, <algorithm> and, from C++20 on, std::ranges. It can
// be gone through once, and must not be moved meanwhile. `Source` gives the next item, or none at
// the end: `std::optional<result<Item>> take()`.
template <class Source, class Item>
class stream {
public:
    // The end.
    struct sentinel {};

    class iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = result<Item>;
        using difference_type = std::ptrdiff_t;
        using pointer = value_type *;
        using reference = value_type &;

        iterator() = default;
        explicit iterator(stream *items) : items_(items) {}

        reference operator*() const { return *items_->current_; }
        pointer operator->() const { return &*items_->current_; }
        iterator &operator++() {
            items_->current_ = items_->next();
            return *this;
        }
        void operator++(int) { ++*this; }

        friend bool operator==(const iterator &it, sentinel) { return it.is_over(); }
        friend bool operator==(sentinel, const iterator &it) { return it.is_over(); }
        friend bool operator!=(const iterator &it, sentinel) { return !it.is_over(); }
        friend bool operator!=(sentinel, const iterator &it) { return !it.is_over(); }

    private:
        bool is_over() const { return !items_->current_.has_value(); }

        stream *items_ = nullptr;
    };

    // Takes the first item.
    iterator begin() {
        current_ = next();
        return iterator(this);
    }
    sentinel end() const noexcept { return {}; }

    // The next item, for loops of another shape; none at the end.
    std::optional<result<Item>> next() { return static_cast<Source *>(this)->take(); }

protected:
    stream() = default;

private:
    std::optional<result<Item>> current_;
};

namespace detail {

// The batches that a handle gives, one after the other.
template <class Handle, class Batch, void (*Close)(Handle *),
          int (*Next)(Handle *, Batch *, fewer_error **)>
class batches {
public:
    explicit batches(Handle *handle) : handle_(handle) {}

    Handle *handle() const noexcept { return handle_.get(); }
    bool is_over() const noexcept { return is_over_; }

    // The present batch: empty at the end, and before the first one is read.
    const Batch &operator*() const noexcept { return batch_; }
    const Batch *operator->() const noexcept { return &batch_; }

    // Reads the next one. After an error there is none.
    std::optional<error> read() {
        if (is_over_)
            return std::nullopt;
        fewer_error *story = nullptr;
        const int number = Next(handle_.get(), &batch_, &story);
        is_over_ = number != 0 || batch_.bytes == nullptr;
        if (is_over_)
            batch_ = {};
        if (number != 0)
            return error::taken(number, story);
        return std::nullopt;
    }

private:
    detail::handle<Handle, Close> handle_;
    Batch batch_{};
    bool is_over_ = false;
};

} // namespace detail
} // namespace fewer

#endif // FEWER_STREAM_HPP
