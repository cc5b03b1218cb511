// What the snippets in C++ use; each becomes a function.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <poll.h>
#include <pwd.h>
#include <set>
#include <string>
#include <sys/stat.h>
#include <unordered_map>
#include <vector>

namespace fs = std::filesystem;

struct Item {};
struct State {
    void update(const Item &item);
};
std::ostream &operator<<(std::ostream &out, const State &state);

static fs::path path, directory, dir, folder, from, to;
static std::string name, line;
static std::vector<Item> items;
static std::ifstream in;
static State state;
static struct stat st;
static struct pollfd fds[1];
static nfds_t n;
static uid_t uid;

// What programs have of their own.
void enter(const fs::path &path);
void handle(const fs::path &path);
void handle(const Item &item);
int missing();
fs::path search(const std::string &name);

EACH
static int NAME()
{
SNIPPET
return 0;
}
END
