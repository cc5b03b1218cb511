// Text, a line at a time.
#ifndef FEWER_LINES_HPP
#define FEWER_LINES_HPP

#include <fewer/scope.hpp>
#include <fewer/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fewer {

// What is found out about each line.
enum class check : std::uint32_t {
    ascii = FEWER_CHECK_ASCII,
    nothing = FEWER_CHECK_NOTHING,
    utf8 = FEWER_CHECK_UTF8,
    strict = FEWER_CHECK_STRICT,
};

// How a text is read. Each field is explained in fewer.h.
struct lines_options {
    bool nul = false;
    bool crlf = false;
    fewer::check check = fewer::check::ascii;
    std::uint32_t threads = 0;
    std::uint32_t block_bytes = 0;
    bool read_ahead = false;
};

// A line, valid until the next one is taken.
struct line {
    // Without its end.
    std::string_view text;
    // From 1.
    std::uint64_t number;
    // FEWER_LINE_...: what is known about it.
    std::uint8_t flags;

    bool is_ascii() const noexcept { return (flags & FEWER_LINE_ASCII) != 0; }
    bool is_utf8() const noexcept { return (flags & (FEWER_LINE_ASCII | FEWER_LINE_UTF8)) != 0; }
    // Whether it has an end; only the last line of a text may have none.
    bool is_ended() const noexcept { return (flags & FEWER_LINE_ENDED) != 0; }
};

// All lines of a text in one piece, without their ends; valid until the next call on their `lines`.
class column {
public:
    explicit column(const fewer_lines_column &raw) : raw_(raw) {}

    std::size_t size() const noexcept { return raw_.lines_count; }
    bool is_ascii() const noexcept { return raw_.is_ascii != 0; }
    bool is_utf8() const noexcept { return raw_.is_utf8 != 0; }

    std::string_view operator[](std::size_t index) const noexcept {
        const auto start = raw_.offsets[index];
        return {raw_.bytes + start,
                static_cast<std::size_t>(raw_.offsets[index + 1] - start)};
    }

    // Bytes and offsets, in the layout of Arrow's LargeBinary.
    const fewer_lines_column &raw() const noexcept { return raw_; }

private:
    fewer_lines_column raw_;
};

// The lines of a text: a range of `result<line>`.
//
// Price: one read for each 256 KiB, open and close.
class lines : public stream<lines, line> {
public:
    // For a FIFO it waits until a process writes to it.
    static result<lines> open(std::string_view path, const lines_options &options = {},
                              const scope &scope = {}) {
        const fewer_lines_options all = options_of(options);
        fewer_lines *handle = nullptr;
        fewer_error *story = nullptr;
        const int number = fewer_lines_open(scope.get(), path.data(), path.size(), &all, sizeof all,
                                            &handle, &story);
        if (number != 0)
            return error::taken(number, story);
        return lines(handle);
    }

    // Reads from a descriptor, which stays the caller's. `name` stands for it in messages. Price:
    // none.
    static result<lines> borrow(fewer_descriptor descriptor, std::string_view name,
                                const lines_options &options = {}) {
        const fewer_lines_options all = options_of(options);
        fewer_lines *handle = nullptr;
        fewer_error *story = nullptr;
        const int number = fewer_lines_borrow(descriptor, name.data(), name.size(), &all,
                                              sizeof all, &handle, &story);
        if (number != 0)
            return error::taken(number, story);
        return lines(handle);
    }

    // Counts the lines that are left.
    result<fewer_lines_total> count() {
        fewer_lines_total total;
        fewer_error *story = nullptr;
        const int number = fewer_lines_count(batches_.handle(), &total, &story);
        if (number != 0)
            return error::taken(number, story);
        return total;
    }

    // Skips all but the last `count` of the lines that are left: a file is read from its end.
    result<void> last(std::uint64_t count) {
        fewer_error *story = nullptr;
        return detail::answer(fewer_lines_last(batches_.handle(), count, &story), story);
    }

    // Collects the lines that are left.
    result<column> collect() {
        fewer_lines_column collected;
        fewer_error *story = nullptr;
        const int number = fewer_lines_collect(batches_.handle(), &collected, &story);
        if (number != 0)
            return error::taken(number, story);
        return column(collected);
    }

private:
    friend class stream<lines, line>;

    explicit lines(fewer_lines *handle) : batches_(handle) {}

    std::optional<result<line>> take() {
        while (next_ == batches_->lines_count) {
            next_ = 0;
            if (auto failed = batches_.read())
                return std::move(*failed);
            if (batches_.is_over())
                return std::nullopt;
        }
        const std::uint64_t start = next_ == 0 ? 0 : batches_->ends[next_ - 1];
        const std::uint8_t flags = batches_->flags[next_];
        const std::uint64_t end = batches_->ends[next_] - ((flags & FEWER_LINE_ENDED) ? 1 : 0) -
                                  ((flags & FEWER_LINE_CRLF) ? 1 : 0);
        const std::uint64_t number = batches_->number + next_++;
        return line{{batches_->bytes + start, static_cast<std::size_t>(end - start)},
                    number,
                    flags};
    }

    static fewer_lines_options options_of(const lines_options &options) {
        fewer_lines_options all{};
        const auto flag = [&all](bool yes, std::uint32_t bit) { all.flags |= yes ? bit : 0; };
        flag(options.nul, FEWER_LINES_NUL);
        flag(options.crlf, FEWER_LINES_CRLF);
        flag(options.read_ahead, FEWER_LINES_READ_AHEAD);
        all.check = static_cast<std::uint32_t>(options.check);
        all.threads = options.threads;
        all.block_bytes = options.block_bytes;
        return all;
    }

    detail::batches<fewer_lines, fewer_lines_batch, fewer_lines_close, fewer_lines_next> batches_;
    std::size_t next_ = 0;
};

} // namespace fewer

#endif // FEWER_LINES_HPP
