// The entries of a tree.
#ifndef FEWER_WALK_HPP
#define FEWER_WALK_HPP

#include <fewer/metadata.hpp>
#include <fewer/scope.hpp>
#include <fewer/snapshot.hpp>
#include <fewer/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
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
        const auto texts = texts_of(roots);
        const auto globs = texts_of(options.globs);
        const auto exclude_globs = texts_of(options.exclude_globs);
        const fewer_walk_options all = options_of(options, globs, exclude_globs);
        fewer_walk *handle = nullptr;
        fewer_error *story = nullptr;
        const int number = fewer_walk_open(scope.get(), texts.data(), texts.size(), &all,
                                           sizeof all, &handle, &story);
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
        const fewer_failure &it = batches_->failures[next_failure_++];
        return error(it.number, it.action, detail::piece(batches_->bytes, it.path, it.path_length),
                     detail::piece(batches_->bytes, it.message, it.message_length));
    }

    template <class Strings>
    static std::vector<fewer_text> texts_of(const Strings &strings) {
        std::vector<fewer_text> texts;
        texts.reserve(strings.size());
        for (const auto &text : strings)
            texts.push_back({text.data(), text.size()});
        return texts;
    }

    static fewer_walk_options options_of(const walk_options &options,
                                         const std::vector<fewer_text> &globs,
                                         const std::vector<fewer_text> &exclude_globs) {
        fewer_walk_options all{};
        const auto flag = [&all](bool yes, std::uint32_t bit) { all.flags |= yes ? bit : 0; };
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
        all.threads = options.threads;
        all.max_threads = options.max_threads;
        for (const kind kind : options.kinds)
            all.kinds |= FEWER_KIND(static_cast<std::uint32_t>(kind));
        all.max_depth = options.max_depth.value_or(0);
        all.min_depth = options.min_depth;
        all.globs = globs.data();
        all.globs_count = globs.size();
        all.exclude_globs = exclude_globs.data();
        all.exclude_globs_count = exclude_globs.size();
        all.since = options.since == nullptr ? nullptr : options.since->get();
        all.record = static_cast<std::uint32_t>(options.record);
        return all;
    }

    detail::batches<fewer_walk, fewer_walk_batch, fewer_walk_close, fewer_walk_next> batches_;
    std::size_t next_entry_ = 0;
    std::size_t next_failure_ = 0;
};

} // namespace fewer

#endif // FEWER_WALK_HPP
