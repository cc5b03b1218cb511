// How trees are walked: the options of a walk, of a size and of a summary.
#ifndef FEWER_WALK_OPTIONS_HPP
#define FEWER_WALK_OPTIONS_HPP

#include <fewer/metadata.hpp>
#include <fewer/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fewer {

// How a walk goes. Each field is explained in fewer.h, by the same name.
struct walk_options {
    bool sorted = false;
    bool follow = false;
    bool one_file_system = false;
    bool gitignore = false;
    bool skip_hidden = false;
    bool ignore_case = false;
    bool full_path = false;
    bool by_directory = false;
    bool targets = false;
    // So many work; 0: as many as there are processors to use, and more, up to `max_threads` (0:
    // 64), while storage has to be waited for.
    std::uint32_t threads = 0;
    std::uint32_t max_threads = 0;
    // Only entries of these kinds; none: of any.
    std::vector<fewer::kind> kinds = {};
    std::optional<std::uint64_t> max_depth = std::nullopt;
    std::uint64_t min_depth = 0;
    std::vector<std::string> globs = {};
    std::vector<std::string> exclude_globs = {};
    // A directory that this snapshot has, and that did not change, is not opened.
    const snapshot *since = nullptr;
    // What is written down for `walk::to_snapshot`.
    fewer::record record = fewer::record::nothing;
};

namespace detail {

// Roots and options as fewer.h has them. They lead to what they were made from.
class walk_arguments {
public:
    walk_arguments(const std::vector<std::string_view> &roots, const walk_options &options)
        : roots_(texts_of(roots)), globs_(texts_of(options.globs)),
          exclude_globs_(texts_of(options.exclude_globs)) {
        set_flags(options);
        all_.threads = options.threads;
        all_.max_threads = options.max_threads;
        for (const kind kind : options.kinds)
            all_.kinds |= FEWER_KIND(static_cast<std::uint32_t>(kind));
        all_.max_depth = options.max_depth.value_or(0);
        all_.min_depth = options.min_depth;
        all_.globs = globs_.data();
        all_.globs_count = globs_.size();
        all_.exclude_globs = exclude_globs_.data();
        all_.exclude_globs_count = exclude_globs_.size();
        all_.since = options.since == nullptr ? nullptr : options.since->get();
        all_.record = static_cast<std::uint32_t>(options.record);
    }
    walk_arguments(const walk_arguments &) = delete;
    walk_arguments &operator=(const walk_arguments &) = delete;

    const fewer_text *roots() const noexcept { return roots_.data(); }
    std::size_t count() const noexcept { return roots_.size(); }
    const fewer_walk_options &options() const noexcept { return all_; }

private:
    template <class Strings>
    static std::vector<fewer_text> texts_of(const Strings &strings) {
        std::vector<fewer_text> texts;
        texts.reserve(strings.size());
        for (const auto &text : strings)
            texts.push_back({text.data(), text.size()});
        return texts;
    }

    void set_flags(const walk_options &options) {
        const auto flag = [this](bool yes, std::uint32_t bit) { all_.flags |= yes ? bit : 0; };
        flag(options.sorted, FEWER_WALK_SORTED);
        flag(options.follow, FEWER_WALK_FOLLOW);
        flag(options.one_file_system, FEWER_WALK_ONE_FILE_SYSTEM);
        flag(options.gitignore, FEWER_WALK_GITIGNORE);
        flag(options.skip_hidden, FEWER_WALK_SKIP_HIDDEN);
        flag(options.ignore_case, FEWER_WALK_IGNORE_CASE);
        flag(options.full_path, FEWER_WALK_FULL_PATH);
        flag(options.by_directory, FEWER_WALK_BY_DIRECTORY);
        flag(options.targets, FEWER_WALK_TARGETS);
        flag(options.max_depth.has_value(), FEWER_WALK_MAX_DEPTH);
    }

    std::vector<fewer_text> roots_;
    std::vector<fewer_text> globs_;
    std::vector<fewer_text> exclude_globs_;
    fewer_walk_options all_{};
};

} // namespace detail
} // namespace fewer

#endif // FEWER_WALK_OPTIONS_HPP
