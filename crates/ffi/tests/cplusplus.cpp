// The ranges and values of fewer.hpp, on a scene whose files are known.
#include <fewer.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>
#if __cplusplus >= 202002L
#include <ranges>
#endif

namespace {

namespace fs = std::filesystem;

int passed, failed, wrong_here;

#define CHECK(what) ((what) ? (void)0 : wrong(__LINE__, #what))
#define EQUAL(found, expected) equal(__LINE__, #found, found, expected)
#define RUN(test) run(#test, test)

void wrong(int line, const char *what) {
    std::cout << "  line " << line << ": not so: " << what << '\n';
    wrong_here++;
}

template <class Found, class Expected>
void equal(int line, const char *what, const Found &found, const Expected &expected) {
    if (!(found == expected))
        wrong(line, what);
}

void run(const char *name, void (*test)()) {
    wrong_here = 0;
    try {
        test();
    } catch (const std::exception &thrown) {
        wrong(0, thrown.what());
    }
    (wrong_here == 0 ? passed : failed)++;
    if (wrong_here > 0)
        std::cout << "failed: " << name << '\n';
}

using texts = std::vector<std::string>;

void write(const fs::path &path, const std::string &text) {
    std::ofstream(path, std::ios::binary) << text;
}

// d/a d/link -> a d/s/b d/s/.h, and no way into d/no.
void make_scene() {
    fs::create_directories("d/s");
    write("d/a", "12345");
    write("d/s/b", "");
    write("d/s/.h", "");
    fs::create_symlink("a", "d/link");
}

texts paths(fewer::walk walk) {
    texts paths;
    for (auto &item : walk)
        paths.emplace_back(item.value().path);
    return paths;
}

fewer::walk_options sorted() {
    fewer::walk_options options;
    options.sorted = true;
    return options;
}

void a_walk_is_a_range() {
    const texts all = {"d", "d/a", "d/link", "d/s", "d/s/.h", "d/s/b"};
    EQUAL(paths(fewer::walk::open("d", sorted()).value()), all);
    auto walk = fewer::walk::open("d", sorted()).value();
    const auto root = walk.next();
    CHECK(root && root->has_value());
    EQUAL((*root)->name, "d");
    EQUAL((*root)->depth, 0u);
    CHECK((*root)->is_directory());
    const auto file = walk.next();
    EQUAL((*file)->kind, fewer::kind::file);
    EQUAL(name((*file)->kind), "file");
    int more = 0;
    for ([[maybe_unused]] auto &item : walk)
        more++;
    EQUAL(more, 4);
    CHECK(!walk.next());
}

void options_choose() {
    auto options = sorted();
    options.skip_hidden = true;
    options.kinds = {fewer::kind::file};
    EQUAL(paths(fewer::walk::open("d", options).value()), (texts{"d/a", "d/s/b"}));
    options = sorted();
    options.globs = {"?"};
    options.exclude_globs = {"s"};
    EQUAL(paths(fewer::walk::open("d", options).value()), (texts{"d", "d/a"}));
    options = sorted();
    options.max_depth = 0;
    EQUAL(paths(fewer::walk::open({"d/s", "d"}, options).value()), (texts{"d/s", "d"}));
    options.globs = {"[z-a]"};
    const auto refused = fewer::walk::open("d", options);
    CHECK(!refused);
    EQUAL(refused.error().number(), EINVAL);
}

void an_error_is_an_item() {
    auto walk = fewer::walk::open({"none", "d/a"}, sorted()).value();
    auto item = walk.next();
    CHECK(item && !*item);
    EQUAL(item->error().path(), "none");
    EQUAL(item->error().message(), "cannot access 'none': No such file or directory");
    EQUAL(item->error().action(), std::uint32_t{FEWER_ACTION_ACCESS});
    CHECK(item->error().code() == std::errc::no_such_file_or_directory);
    item = walk.next();
    CHECK(item && *item);
    EQUAL((*item)->path, "d/a");
    try {
        (void)fewer::scope().enter("none").value();
        CHECK(!"it throws");
    } catch (const fewer::exception &thrown) {
        EQUAL(thrown.error().number(), ENOENT);
        EQUAL(thrown.code().value(), ENOENT);
    }
}

void a_directory_is_pruned() {
    auto options = sorted();
    options.by_directory = true;
    auto walk = fewer::walk::open("d", options).value();
    texts found;
    for (auto &item : walk) {
        if (item->name == "s")
            CHECK(walk.prune(*item).has_value());
        found.emplace_back(item->path);
    }
    EQUAL(found, (texts{"d", "d/a", "d/link", "d/s"}));
    auto other = fewer::walk::open("d").value();
    EQUAL(other.prune(**other.next()).error().number(), EINVAL);
}

void a_snapshot_says_what_changed() {
    fs::create_directories("kept/s");
    write("kept/a", "");
    fewer::walk_options options;
    options.record = fewer::record::names;
    const auto look = [&options] {
        auto walk = fewer::walk::open("kept", options).value();
        while (walk.next())
            ;
        return walk.to_snapshot().value();
    };
    const auto before = look();
    EQUAL(before.facts().value().directories, 2u);
    CHECK(before.write("kept.snapshot").has_value());
    fs::rename("kept/a", "kept/s/b");
    write("kept/new", "");
    const auto read = fewer::snapshot::read("kept.snapshot").value();
    options.since = &read;
    const auto after = look();
    std::set<std::pair<std::string, std::string>> found;
    for (auto &item : fewer::changes::between(read, after).value()) {
        found.emplace(item->path, item->from);
        const bool renamed = item->difference == fewer::difference::renamed;
        EQUAL(renamed, !item->from.empty());
    }
    EQUAL(found, (decltype(found){{"kept/new", ""}, {"kept/s/b", "kept/a"}}));
    EQUAL(fewer::snapshot::read("d/a").error().number(), EBADMSG);
}

// What du prints about a folder with these flags.
std::uint64_t said_by_du(const std::string &flags) {
    unsigned long long number = 0;
    FILE *pipe = popen(("du -s " + flags).c_str(), "r");
    CHECK(pipe != nullptr && std::fscanf(pipe, "%llu", &number) == 1);
    pclose(pipe);
    return number;
}

void sizes_are_those_of_du() {
    fs::create_directories("sized/s");
    write("sized/a.txt", std::string(70'000, 'x'));
    write("sized/s/b.txt", std::string(500, 'x'));
    fs::create_hard_link("sized/a.txt", "sized/s/c");
    auto size = fewer::size::open("sized").value();
    const auto whole = size.next();
    EQUAL((*whole)->path, "sized");
    EQUAL((*whole)->space.allocated, said_by_du("-B1 sized"));
    EQUAL((*whole)->space.size, said_by_du("-b sized"));
    CHECK(!size.next());

    fewer::size_options options;
    options.depth = 9;
    options.files = options.count_links = true;
    texts rows;
    for (auto &item : fewer::size::open({"none", "sized"}, options).value()) {
        if (!item) {
            EQUAL(item.error().message(), "cannot access 'none': No such file or directory");
            rows.emplace_back("error");
            continue;
        }
        rows.emplace_back(item->path);
        const bool is_folder = item->path == "sized" || item->path == "sized/s";
        EQUAL(item->kind == fewer::kind::directory, is_folder);
        if (item->path == "sized")
            EQUAL(item->space.size, said_by_du("-l -b sized"));
    }
    EQUAL(rows, (texts{"error", "sized", "sized/a.txt", "sized/s", "sized/s/b.txt", "sized/s/c"}));
    fewer::walk_options wrong;
    wrong.targets = true;
    EQUAL(fewer::size::open("sized", {}, wrong).error().number(), EINVAL);
}

void a_summary_says_what_there_is() {
    fs::create_directories("summed/s");
    write("summed/a.bin", std::string(70'000, 'x'));
    write("summed/s/b.txt", std::string(500, 'x'));
    write("summed/s/longest.txt", "");
    fs::create_symlink("a.bin", "summed/l");
    auto first = fewer::summary::of("summed").value();
    const auto longest = first.longest().value();
    const fewer::summary summary = std::move(first);
    EQUAL(longest.path, "summed/s/longest.txt");
    EQUAL(longest.value, 20u);
    EQUAL(summary.directories().entries, 2u);
    EQUAL(summary.files().size, 70'500u);
    EQUAL(summary.links().entries, 1u);
    EQUAL(summary.other().entries, 0u);
    EQUAL(summary.directories().size + summary.files().size + summary.links().size,
          said_by_du("-b summed"));
    const auto extensions = summary.extensions();
    EQUAL(extensions.size(), 2u);
    EQUAL(extensions.at(0).name, "bin");
    EQUAL(extensions.at(1).space.entries, 2u);
    CHECK(!extensions.at(1).is_rest);
    const auto largest = summary.largest();
    EQUAL(largest.at(0).path, "summed/a.bin");
    EQUAL(largest.at(0).value, 70'000u);
    EQUAL(largest.at(1).path, "summed/s/b.txt");
    EQUAL(summary.deepest()->value, 2u);
    CHECK(fewer::time_of(summary.newest()->time) >= fewer::time_of(summary.oldest()->time));
    CHECK(summary.errors().empty());

    const auto nothing = fewer::summary::of("none").value();
    EQUAL(nothing.errors().at(0).number(), ENOENT);
    EQUAL(nothing.errors().at(0).path(), "none");
    CHECK(!nothing.deepest() && !nothing.newest() && nothing.extensions().empty());
    fewer::walk_options wrong;
    wrong.by_directory = true;
    EQUAL(fewer::summary::of("summed", wrong).error().number(), EINVAL);
}

void a_list_has_metadata() {
    fewer::list_options options;
    options.links = true;
    const fewer::owners owners;
    options.owners = &owners;
    auto list = fewer::list::open("d", options).value();
    EQUAL(list.size(), 3u);
    texts names;
    for (auto &item : list) {
        names.emplace_back(item->name);
        EQUAL(item->number, 0);
        if (item->name == "a") {
            EQUAL(item->stat->size, 5u);
            EQUAL(item->stat->user, getuid());
            const auto then = fewer::time_of(item->stat->modified).value();
            const auto age = std::chrono::system_clock::now() - then;
            CHECK(age < std::chrono::minutes(10) && age > std::chrono::minutes(-10));
        }
        EQUAL(item->target, item->name == "link" ? "a" : "");
    }
    EQUAL(names, (texts{"a", "link", "s"}));
    options.order = fewer::order::size;
    options.reverse = true;
    EQUAL(fewer::list::open("none", options).error().number(), ENOENT);
    CHECK(!fewer::time_of(fewer_time{}));
    setenv("TZ", "UTC0", 1);
    EQUAL(fewer::zone().civil(86'400).day, 2);
}

void lines_have_no_ends() {
    write("text", "one\r\ntwo\n\nl\xc3\xa4st");
    fewer::lines_options options;
    options.crlf = true;
    options.check = fewer::check::utf8;
    texts found;
    std::uint64_t number = 0;
    for (auto &item : fewer::lines::open("text", options).value()) {
        found.emplace_back(item->text);
        EQUAL(item->number, ++number);
        CHECK(item->is_utf8());
        EQUAL(item->is_ascii(), number < 4);
        EQUAL(item->is_ended(), number < 4);
    }
    EQUAL(found, (texts{"one", "two", "", "l\xc3\xa4st"}));
    EQUAL(fewer::lines::open("text").value().count().value().ends, 3u);
    auto last = fewer::lines::open("text").value();
    CHECK(last.last(2).has_value());
    EQUAL((**last.next()).text, "");
    auto all = fewer::lines::open("text", options).value();
    const auto column = all.collect().value();
    EQUAL(column.size(), 4u);
    EQUAL(column[0], "one");
    EQUAL(column[3], "l\xc3\xa4st");
    CHECK(column.is_utf8() && !column.is_ascii());
    write("bad", "fine\n\xff\n");
    options.check = fewer::check::strict;
    auto strict = fewer::lines::open("bad", options).value();
    auto item = strict.next();
    while (item && *item)
        item = strict.next();
    CHECK(item && item->error().number() == EILSEQ);
    EQUAL(item->error().position().line, 2u);
}

void a_scope_is_a_value() {
    const fewer::scope process;
    EQUAL(process.descriptor(), AT_FDCWD);
    const auto d = process.enter("d").value();
    fewer::scope copy = d;
    EQUAL(copy.descriptor(), d.descriptor());
    copy = process;
    EQUAL(copy.descriptor(), AT_FDCWD);
    EQUAL(d.stat("a").value().size, 5u);
    EQUAL(fewer::kind_of(d.stat("link").value()), fewer::kind::symlink);
    EQUAL(fewer::kind_of(d.stat("link", FEWER_FIELD_KIND, true).value()), fewer::kind::file);
    EQUAL(d.read_link("link").value(), "a");
    EQUAL(d.physical().value(), fs::canonical("d").string());
    EQUAL(paths(fewer::walk::open("s", sorted(), d).value()), (texts{"s", "s/.h", "s/b"}));
    const auto s = d.enter_logical("s/../s").value();
    EQUAL(fs::path(s.logical().value()).filename(), "s");
}

void a_scope_changes_what_is_in_it() {
    const auto d = fewer::scope().enter("d").value();
    CHECK(d.make_directory("new").has_value());
    const int made = d.create("new/file", 0600).value();
    EQUAL(::write(made, "x", 1), 1);
    close(made);
    CHECK(d.make_symlink("new/link", "file").has_value());
    CHECK(d.make_hard_link("new/other", "new/file").has_value());
    EQUAL(fs::hard_link_count("d/new/file"), 2u);
    CHECK(d.set_permissions("new/file", 0400).has_value());
    EQUAL(d.stat("new/file").value().permissions, 0400);
    EQUAL(d.read_link("new/link").value(), "file");
    const int opened = d.open("new/link").value();
    auto text = fewer::lines::borrow(opened, "link").value();
    EQUAL((**text.next()).text, "x");
    close(opened);
    CHECK(d.remove_file("new/other").has_value());
    CHECK(d.remove_directory("new").error().code() == std::errc::directory_not_empty);
    CHECK(d.remove_tree("new").has_value());
    CHECK(!fs::exists("d/new"));
}

void calls_are_counted() {
    const auto opened = [] {
        for (const auto &call : fewer::calls())
            if (std::string(call.name) == "openat")
                return call.count;
        return std::uint64_t{0};
    };
    const auto before = opened();
    (void)paths(fewer::walk::open("d").value());
    // d and d/s; the list of mounts may be read as well.
    CHECK(opened() >= before + 2 && opened() <= before + 3);
}

#if __cplusplus >= 202002L
static_assert(std::ranges::input_range<fewer::walk>);
static_assert(std::ranges::input_range<fewer::list>);
static_assert(std::ranges::input_range<fewer::lines>);
static_assert(std::ranges::input_range<fewer::changes>);
static_assert(std::ranges::input_range<fewer::size>);

// Views of GCC's library are not for clang before 16.
#if !defined(__clang_major__) || __clang_major__ >= 16
#define HAS_VIEWS
void views_take_it() {
    auto walk = fewer::walk::open("d", {.sorted = true}).value();
    texts deep;
    for (auto &item : walk | std::views::filter([](auto &it) { return it && it->depth == 2; }))
        deep.emplace_back(item->path);
    EQUAL(deep, (texts{"d/s/.h", "d/s/b"}));
}
#endif
#endif

} // namespace

int main() {
    std::string folder = fs::temp_directory_path() / "fewer-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr || chdir(folder.c_str()) != 0) {
        std::perror(folder.c_str());
        return 2;
    }
    make_scene();
    RUN(a_walk_is_a_range);
    RUN(options_choose);
    RUN(an_error_is_an_item);
    RUN(a_directory_is_pruned);
    RUN(a_snapshot_says_what_changed);
    RUN(sizes_are_those_of_du);
    RUN(a_summary_says_what_there_is);
    RUN(a_list_has_metadata);
    RUN(lines_have_no_ends);
    RUN(a_scope_is_a_value);
    RUN(a_scope_changes_what_is_in_it);
    RUN(calls_are_counted);
#ifdef HAS_VIEWS
    RUN(views_take_it);
#endif
    fs::current_path("/");
    fs::remove_all(folder);
    std::cout << "cplusplus: " << passed << " passed, " << failed << " failed\n";
    return failed == 0 ? 0 : 1;
}
