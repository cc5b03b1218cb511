"""`fewer scan`: all parts together have each key once, and parts go into stores."""

import hashlib
import io
import json
import os
import tempfile

from pyarrow import parquet


def check_units(server, download):
    """Scans the bucket in units; ``download`` gives the bytes of an object in the bucket `parts`,
    which is there already.
    """
    # A scan of Azurite asks for each folder, of which some keys have 500, and it is slow.
    for budget in [300] if server.front.startswith(b"az") else [300, 100_000]:
        with tempfile.TemporaryDirectory() as folder:
            results = scan(server, folder, budget)
            tables = [
                parquet.read_table(os.path.join(folder, result["part"]))
                for result in results if result["part"]
            ]
        paths = [path.encode() for table in tables for path in table["path"].to_pylist()]
        keys = sorted(path.removeprefix(server.front) for path in paths)
        server.same(f"units of {budget}", keys, server.keys)
        server.same(f"more than one of {budget}", len(results) > 1, budget == 300)
    check_put(server, download)


def scan(server, folder, budget):
    """The results of all units."""
    results, left = [], [None]
    while left:
        words, unit = ["--out", folder, "--budget", str(budget)], left.pop()
        if unit:
            file = os.path.join(folder, "unit.json")
            with open(file, "w", encoding="utf-8") as text:
                json.dump(unit, text)
            words += ["--unit", file]
        done = server.run(server.front, *words, verb="scan")
        assert done.returncode == 0, done.stderr.decode()
        results.append(json.loads(done.stdout))
        left += results[-1]["left"]
    return results


def check_put(server, download):
    scheme, below = server.front.decode().split("/")[0], server.front + b"logs/"
    for _ in range(2):  # the second one replaces the first
        done = server.run(below, "--out", f"{scheme}//parts/a +é", verb="scan")
        server.same("put: error", done.stderr, b"")
        result = json.loads(done.stdout)
        contents = download("a +é/part-0.parquet")
        checksum = hashlib.sha256(contents).hexdigest()
        server.same("put: checksum", checksum, result["checksum"])
        rows = parquet.read_table(io.BytesIO(contents)).num_rows
        expected = sum(key.startswith(b"logs/") for key in server.keys)
        server.same("put: rows", [rows, len(contents)], [expected, result["bytes"]])
    out = ["--out", f"{scheme}//none/x"]
    done = server.run(below, *out, verb="scan")
    server.same("put: no bucket", [done.returncode, done.stdout, b"404" in done.stderr],
                [2, b"", True])
