"""What `fewer walk` says of a bucket on a server that others wrote, and what it should say."""

import contextlib
import csv
import io
import os
import socket
import subprocess
import tempfile
import time

UGLY = [
    "a b", "a+b", "a%20b", "a%", "%41", "new\nline", "tab\tkey", "cr\rkey", "\x01control", "é",
    "e\u0301", "日本/語", "\U0010ffff", "\ufeffmark", "\ufffd", "a&b<c>\"'", "..", "../x", "a/./b",
    "\\back", "~", "#?", "*[x]", "q=1&r=2", "emoji/😀", "nbsp\u00a0", "\u202eright", "a//b", "//",
    "folder/", "folder/in", "x" * 1024, "y/" * 511 + "zz",
]
MANY = [f"logs/{at % 7}/part-{at:05}" for at in range(2600)]
# What some of the keys stand for; others are empty. The first is larger than two requests bring.
TEXTS = {
    "texts/numbers": b"".join(b"%d\n" % number for number in range(1_500_000)),
    "texts/a +&é": b"one\ntwo",
    "texts/one": b"x",
}
KEYS = UGLY + MANY + list(TEXTS)
PREFIXES = ["", "a", "a+", "a%2", "logs/", "logs/3/", "new\n", "日", "none", "y/y/", "folder/"]


class Server:
    """A server, and what fewer says of a bucket on it."""

    def __init__(self, name, fewer, scheme, endpoint, keys, environment):
        self.name, self.fewer, self.endpoint = name, fewer, endpoint
        self.front, self.environment = f"{scheme}://bucket/".encode(), environment
        self.keys = sorted(key.encode() for key in keys)
        self.passed, self.failed = 0, 0

    def run(self, address, *words, verb="walk", **environment):
        """What a verb comes to."""
        command = [self.fewer, verb, address, "--endpoint-url", self.endpoint, *words]
        variables = {**self.environment, **environment}
        return subprocess.run(command, env=variables, capture_output=True, timeout=60)

    def walk(self, prefix, *words, **environment):
        """The keys that are printed."""
        done = self.run(self.front + prefix, "-0", *words, **environment)
        assert done.returncode == 0, done.stderr.decode()
        return [path.removeprefix(self.front) for path in done.stdout.split(b"\0")[:-1]]

    def same(self, what, found, expected):
        """Compares two lists."""
        if found == expected:
            self.passed += 1
            return
        self.failed += 1
        missing, more = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
        print(f"{self.name}: {what}: {len(found)} and not {len(expected)}: "
              f"missing {missing[:3]}, too many {more[:3]}")

    def one_level(self, prefix):
        """The keys and folders directly below a prefix."""
        rests = (key[len(prefix):] for key in self.keys if key.startswith(prefix))
        cut = (rest[:rest.index(b"/") + 1] if b"/" in rest else rest for rest in rests)
        return sorted({prefix + rest for rest in cut})

    def in_parts(self, prefix, *words):
        """What several runs print that go on from each other."""
        found = []
        with tempfile.TemporaryDirectory() as folder:
            checkpoint = os.path.join(folder, "checkpoint")
            for _ in range(100):
                found += self.walk(prefix, "--checkpoint", checkpoint, *words)
                if not os.path.exists(checkpoint):
                    return found
        raise AssertionError("it never ends")

    def refuses(self, what, part, address, *words, status=2, **environment):
        """Compares the message of a walk that fails."""
        done = self.run(address, *words, **environment)
        self.same(what, [done.returncode, part in done.stderr], [status, True])

    def since(self, file, *words):
        """The changes that are printed, as pairs of letter and key."""
        done = self.run(self.front, "-0", "--since", file, *words)
        self.same("since: error", done.stderr, b"")
        changes = done.stdout.split(b"\0")[:-1]
        return [(change[:1], change[2:].removeprefix(self.front)) for change in changes]

    def check_since(self, put, delete):
        """What changed between two listings, of keys that are written, written anew and deleted."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "manifest")
            everything = [(b"A", key) for key in self.keys]
            self.same("since nothing", self.since(file, "--update"), everything)
            self.same("since then", self.since(file), [])
            written, anew = ["0/first", "logs/3/new +%é", "zz/last"], ["logs/1/part-00001", "~"]
            gone = ["a b", "日本/語", "logs/6/part-02589"]
            for key in written + anew:
                put(key, b"other")
            for key in gone:
                delete(key)
            expected = sorted(
                ((letter, key.encode()) for letter, keys in
                 [(b"A", written), (b"M", anew), (b"D", gone)] for key in keys),
                key=lambda change: change[1],
            )
            self.same("since", self.since(file, "--update"), expected)
            self.same("since the update", self.since(file), [])

    def check_lines(self):
        """What objects hold."""
        for key, text in {**TEXTS, "logs/0/part-00000": b""}.items():
            if key.encode() not in self.keys:
                continue
            command = [self.fewer, "lines", self.front + key.encode(), "--endpoint-url"]
            done = subprocess.run(
                [*command, self.endpoint], env=self.environment, capture_output=True, timeout=60
            )
            self.same(f"{key}: error", done.stderr, b"")
            self.same(f"{key}: lines", done.stdout.split(b"\n"), text.split(b"\n"))

    def check_table(self, objects):
        """Compares a table with key, size, time and ETag of objects."""
        done = self.run(self.front, "--csv", "-")
        self.same("table: error", done.stderr, b"")
        rows = csv.DictReader(io.StringIO(done.stdout.decode(), newline=""))
        found = [(row["path"], row["size"], row["modified"], row["etag"]) for row in rows]
        self.same("table", sorted(found), sorted(
            (self.front.decode() + key, str(size), time.strftime("%Y-%m-%dT%H:%M:%S.%fZ"), etag)
            for key, size, time, etag in objects
        ))

    def check_keys(self):
        """All keys of each prefix, and one level of them."""
        for prefix in map(str.encode, PREFIXES):
            below = [key for key in self.keys if key.startswith(prefix)]
            self.same(f"{prefix}", sorted(self.walk(prefix)), below)
            level = self.one_level(prefix)
            self.same(f"{prefix} one level", sorted(self.walk(prefix, "-d", "1")), level)

    def check_levels(self):
        """What `ls` lists of each prefix."""
        for prefix in map(str.encode, PREFIXES):
            done = self.run(self.front + prefix, "-A", "--zero", verb="ls")
            self.same(f"{prefix} ls: error", done.stderr, b"")
            folder = prefix[:prefix.rfind(b"/") + 1]
            level = [key[len(folder):] for key in self.one_level(prefix) if key != folder]
            self.same(f"{prefix} ls", done.stdout.split(b"\0")[:-1], level)

    def check_sums(self):
        """What `size` says of the bucket and its folders."""
        done = self.run(self.front, "-b", "-0", "-d", "2", verb="size")
        self.same("size: error", done.stderr, b"")
        found = [row.split(b"\t", 1) for row in done.stdout.split(b"\0")[:-1]]
        sums = {b"": 0}
        for key in self.keys:
            parts = key.split(b"/")
            for level in range(min(3, len(parts))):
                folder = b"".join(part + b"/" for part in parts[:level])
                sums[folder] = sums.get(folder, 0) + len(TEXTS.get(key.decode(), b""))
        self.same("size", sorted(found), sorted(
            [str(size).encode(), self.front + folder] for folder, size in sums.items()
        ))

    def check_order(self):
        for prefix in map(str.encode, PREFIXES):
            below = [key for key in self.keys if key.startswith(prefix)]
            self.same(f"{prefix} sorted", self.walk(prefix, "--sort"), below)

    def check_parts(self):
        """Listings that go on from each other."""
        everything = sorted(self.in_parts(b"", "--max-results", "700"))
        self.same("in parts", everything, self.keys)
        everything = self.in_parts(b"", "--max-results", "700", "--sort")
        self.same("sorted in parts", everything, self.keys)
        level = sorted(self.in_parts(b"", "-d", "1", "--max-results", "1"))
        self.same("one level in parts", level, self.one_level(b""))


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def running(command, port):
    """A server that is a program, until it is no longer wanted."""
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as connection:
                if connection.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait()
