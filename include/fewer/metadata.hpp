// What an entry is, and its times.
#ifndef FEWER_METADATA_HPP
#define FEWER_METADATA_HPP

#include <fewer.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fewer {

// What an entry is.
enum class kind : std::uint8_t {
    unknown = FEWER_UNKNOWN,
    file = FEWER_FILE,
    directory = FEWER_DIRECTORY,
    symlink = FEWER_SYMLINK,
    fifo = FEWER_FIFO,
    socket = FEWER_SOCKET,
    block = FEWER_BLOCK,
    character = FEWER_CHAR,
};

// "file", "directory", ...: the same as in JSON and on the command line. Free.
inline std::string_view name(kind kind) {
    return fewer_kind_name(static_cast<std::uint32_t>(kind));
}

// What the metadata says it is.
inline kind kind_of(const fewer_stat &stat) { return static_cast<kind>(stat.kind); }

// A time to the nanosecond.
using time_point =
    std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

// A time of the metadata; none if it was not requested or the file system keeps none. Of years
// before 1678 and after 2261, which 64 bits of nanoseconds do not hold, there is none either.
inline std::optional<time_point> time_of(const fewer_time &time) {
    constexpr std::int64_t most = INT64_MAX / 1'000'000'000 - 1;
    if (time.known == 0 || time.seconds > most || time.seconds < -most)
        return std::nullopt;
    return time_point(std::chrono::seconds(time.seconds) +
                      std::chrono::nanoseconds(time.nanoseconds));
}

} // namespace fewer

#endif // FEWER_METADATA_HPP
