"""`fewer walk s3://…` on servers that others wrote: it lists what they have, whatever the keys.

    servers.py FEWER [S3S_FS]

moto is always there, and lists as boto3's paginator says; s3s-fs, if its path is given, lists what
is in its folder. The last line says how many tests passed.
"""

import csv
import io
import logging
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

import boto3
from botocore.config import Config
from moto.core import DEFAULT_ACCOUNT_ID
from moto.s3.models import s3_backends
from moto.server import ThreadedMotoServer

KEYS = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret+/key"}
UGLY = [
    "a b", "a+b", "a%20b", "a%", "%41", "new\nline", "tab\tkey", "cr\rkey", "\x01control", "é",
    "e\u0301", "日本/語", "\U0010ffff", "\ufeffmark", "\ufffd", "a&b<c>\"'", "..", "../x", "a/./b",
    "\\back", "~", "#?", "*[x]", "q=1&r=2", "emoji/😀", "nbsp\u00a0", "\u202eright", "a//b", "//",
    "folder/", "folder/in", "x" * 1024, "y/" * 511 + "zz",
]
MANY = [f"logs/{at % 7}/part-{at:05}" for at in range(2600)]
PREFIXES = ["", "a", "a+", "a%2", "logs/", "logs/3/", "new\n", "日", "none", "y/y/", "folder/"]


class Server:
    """A server, and what fewer says of a bucket on it."""

    def __init__(self, name, fewer, endpoint, keys):
        self.name, self.fewer, self.endpoint = name, fewer, endpoint
        self.keys = sorted(key.encode() for key in keys)
        self.passed, self.failed = 0, 0

    def walk(self, prefix, *words):
        command = [self.fewer, "walk", b"s3://bucket/" + prefix, "-0", "--endpoint-url"]
        environment = {**KEYS, "AWS_REGION": "us-east-1"}
        done = subprocess.run(
            [*command, self.endpoint, *words], env=environment, capture_output=True, timeout=60
        )
        assert done.returncode == 0, done.stderr.decode()
        return [path.removeprefix(b"s3://bucket/") for path in done.stdout.split(b"\0")[:-1]]

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

    def check(self):
        for prefix in map(str.encode, PREFIXES):
            below = [key for key in self.keys if key.startswith(prefix)]
            self.same(f"{prefix}", sorted(self.walk(prefix)), below)
            self.same(f"{prefix} sorted", self.walk(prefix, "--sort"), below)
            level = self.one_level(prefix)
            self.same(f"{prefix} one level", sorted(self.walk(prefix, "-d", "1")), level)
        everything = sorted(self.in_parts(b"", "--max-results", "700"))
        self.same("in parts", everything, self.keys)
        everything = self.in_parts(b"", "--max-results", "700", "--sort")
        self.same("sorted in parts", everything, self.keys)
        level = sorted(self.in_parts(b"", "-d", "1", "--max-results", "1"))
        self.same("one level in parts", level, self.one_level(b""))

    def table(self, objects):
        """Compares a table with what boto3 lists."""
        done = subprocess.run(
            [self.fewer, "walk", "s3://bucket", "--endpoint-url", self.endpoint, "--csv", "-"],
            env={**KEYS, "AWS_REGION": "us-east-1"}, capture_output=True, timeout=60,
        )
        assert done.returncode == 0, done.stderr.decode()
        rows = csv.DictReader(io.StringIO(done.stdout.decode(), newline=""))
        found = [(row["path"], row["size"], row["modified"], row["etag"]) for row in rows]
        self.same("table", sorted(found), sorted(
            ("s3://bucket/" + entry["Key"], str(entry["Size"]),
             entry["LastModified"].strftime("%Y-%m-%dT%H:%M:%S.%fZ"), entry["ETag"].strip('"'))
            for entry in objects
        ))


def moto(fewer):
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    client = boto3.client(
        "s3", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="x",
        aws_secret_access_key="y", config=Config(s3={"addressing_style": "path"}),
    )
    client.create_bucket(Bucket="bucket")
    # Not every key finds its way through moto's routes.
    bucket = s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
    for key in UGLY + MANY:
        bucket.put_object("bucket", key, b"")
    pages = client.get_paginator("list_objects_v2").paginate(Bucket="bucket")
    listed = [entry["Key"] for page in pages for entry in page["Contents"]]
    assert sorted(listed) == sorted(UGLY + MANY), set(UGLY + MANY) ^ set(listed)
    result = Server("moto", fewer, endpoint, listed)
    result.check()
    pages = client.get_paginator("list_objects_v2").paginate(Bucket="bucket")
    result.table([entry for page in pages for entry in page["Contents"]])
    server.stop()
    return result


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def is_file_name(key):
    """Whether a key can be a file below a folder, and the only one of its path.

    s3s-fs says that its keys are encoded, but they are not: % and + are taken for something else,
    by boto3 as well.
    """
    if "%" in key or "+" in key:
        return False
    parts = key.split("/")
    return all(0 < len(part.encode()) < 256 and part not in (".", "..") for part in parts)


def s3s_fs(fewer, program):
    port = free_port()
    with tempfile.TemporaryDirectory() as root:
        bucket = pathlib.Path(root, "bucket")
        for key in filter(is_file_name, UGLY + MANY):
            path = bucket / key
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        found = (path for path in bucket.rglob("*") if path.is_file())
        keys = [str(path.relative_to(bucket)) for path in found]
        command = [program, "--host", "127.0.0.1", "--port", str(port), root, "--access-key",
                   KEYS["AWS_ACCESS_KEY_ID"], "--secret-key", KEYS["AWS_SECRET_ACCESS_KEY"]]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                with socket.socket() as connection:
                    if connection.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            result = Server("s3s-fs", fewer, f"http://127.0.0.1:{port}", keys)
            result.check()
            return result
        finally:
            server.terminate()
            server.wait()


def main():
    fewer, *rest = sys.argv[1:]
    results = [moto(fewer)] + [s3s_fs(fewer, program) for program in rest]
    passed = sum(result.passed for result in results)
    failed = sum(result.failed for result in results)
    skipped = "" if rest else ", 1 skipped"
    print(f"servers: {passed} passed, {failed} failed{skipped}")
    sys.exit(failed > 0)


main()
