// Errors as values: what went wrong, and either that or a value.
#ifndef FEWER_ERROR_HPP
#define FEWER_ERROR_HPP

#include <fewer.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

namespace fewer {

// What went wrong: the kernel's number, what was being done, and with which path.
class error {
public:
    error(int number, std::uint32_t action, std::string_view path, std::string_view message)
        : number_(number), action_(action), path_(path), message_(message) {}

    // Takes over what a function of fewer.h has answered; a number without a story gets none.
    static error taken(int number, fewer_error *story) {
        if (story == nullptr)
            return {number, FEWER_ACTION_OTHER, {}, std::generic_category().message(number)};
        const std::unique_ptr<fewer_error, void (*)(fewer_error *)> owner(story, fewer_error_free);
        std::size_t length = 0;
        const char *path = fewer_error_path(story, &length);
        error taken(fewer_error_number(story), fewer_error_action(story), {path, length},
                    fewer_error_message(story));
        fewer_error_position(story, &taken.position_);
        return taken;
    }

    // The kernel's number, such as ENOENT.
    int number() const noexcept { return number_; }

    // The same for comparisons: `error.code() == std::errc::permission_denied`.
    std::error_code code() const noexcept { return {number_, std::generic_category()}; }

    // What was being done: FEWER_ACTION_...
    std::uint32_t action() const noexcept { return action_; }

    // The path of that, in its own bytes.
    const std::string &path() const noexcept { return path_; }

    // "cannot open directory 'x': Permission denied", control characters escaped.
    const std::string &message() const noexcept { return message_; }

    // Where the byte is that is not UTF-8, for lines that are checked strictly; else zeros.
    const fewer_position &position() const noexcept { return position_; }

private:
    int number_;
    std::uint32_t action_;
    std::string path_;
    std::string message_;
    fewer_position position_{};
};

// What `result::value()` throws.
class exception : public std::system_error {
public:
    explicit exception(fewer::error error)
        : std::system_error(error.code(), error.message()), error_(std::move(error)) {}

    const fewer::error &error() const noexcept { return error_; }

private:
    fewer::error error_;
};

// A value, or the error that stands in its place; as std::expected of C++23.
template <class T>
class [[nodiscard]] result {
public:
    using value_type = T;
    using error_type = fewer::error;

    result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    result(fewer::error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const noexcept { return state_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }

    // Only if there is a value.
    T &operator*() & noexcept { return *std::get_if<0>(&state_); }
    const T &operator*() const & noexcept { return *std::get_if<0>(&state_); }
    T operator*() && { return std::move(*std::get_if<0>(&state_)); }
    T *operator->() noexcept { return std::get_if<0>(&state_); }
    const T *operator->() const noexcept { return std::get_if<0>(&state_); }

    // Only if there is none.
    const fewer::error &error() const noexcept { return *std::get_if<1>(&state_); }

    // Throws an `exception` if there is no value. Of a temporary it is moved out, so that
    // `for (auto &item : walk::open(path).value())` iterates over what lives long enough.
    T &value() & { return checked(), **this; }
    const T &value() const & { return checked(), **this; }
    T value() && { return checked(), std::move(*std::get_if<0>(&state_)); }

    template <class U>
    T value_or(U &&other) const & {
        return has_value() ? **this : static_cast<T>(std::forward<U>(other));
    }

private:
    void checked() const {
        if (!has_value())
            throw exception(error());
    }

    std::variant<T, fewer::error> state_;
};

// Nothing, or an error.
template <>
class [[nodiscard]] result<void> {
public:
    using value_type = void;
    using error_type = fewer::error;

    result() = default;
    result(fewer::error error) : error_(std::move(error)) {}

    bool has_value() const noexcept { return !error_; }
    explicit operator bool() const noexcept { return has_value(); }
    const fewer::error &error() const noexcept { return *error_; }

    // Throws an `exception` if there is an error.
    void value() const {
        if (error_)
            throw exception(*error_);
    }

private:
    std::optional<fewer::error> error_;
};

namespace detail {

// A handle of fewer.h, closed once.
template <class Handle, void (*Close)(Handle *)>
struct closer {
    void operator()(Handle *handle) const noexcept { Close(handle); }
};
template <class Handle, void (*Close)(Handle *)>
using handle = std::unique_ptr<Handle, closer<Handle, Close>>;

// What a function of fewer.h has answered, without a value.
inline result<void> answer(int number, fewer_error *story) {
    if (number != 0)
        return error::taken(number, story);
    return {};
}

// A piece of the bytes of a batch.
inline std::string_view piece(const char *bytes, std::uint32_t offset, std::uint32_t length) {
    return {bytes + offset, length};
}

// What could not be looked at, among the rest of a batch.
inline error error_of(const char *bytes, const fewer_failure &failure) {
    return {failure.number, failure.action, piece(bytes, failure.path, failure.path_length),
            piece(bytes, failure.message, failure.message_length)};
}

} // namespace detail
} // namespace fewer

#endif // FEWER_ERROR_HPP
