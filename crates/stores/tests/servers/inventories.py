"""`--inventory`: what pyarrow wrote as Parquet is listed, and ORC is refused by name."""

import datetime
import io
import json

import pyarrow
from pyarrow import orc, parquet

MOMENT = datetime.datetime(2026, 1, 31, 10, 0, 0, 125_000, datetime.timezone.utc)
# Key, whether it is the latest version, whether it was deleted, size, ETag.
ROWS = [
    ("2024/a.gz", True, False, 7, "e1"),
    ("2024/a.gz", False, False, 9, "e0"),
    ("2024/gone", True, True, None, None),
    ("2024/a+b%2B\né", True, False, 2**40, "e2"),
    ("x", None, None, 0, ""),
]
EXPECTED = {(b"2024/a.gz", 7), ("2024/a+b%2B\né".encode(), 2**40), (b"x", 0)}


def table(unit):
    keys, latest, deleted, sizes, etags = zip(*ROWS)
    moments = pyarrow.array([MOMENT] * len(ROWS), pyarrow.timestamp(unit, "UTC"))
    return pyarrow.table({
        "bucket": ["bucket"] * len(ROWS),
        "key": list(keys),
        "version_id": ["v"] * len(ROWS),
        "is_latest": list(latest),
        "is_delete_marker": list(deleted),
        "size": pyarrow.array(sizes, pyarrow.int64()),
        "last_modified_date": moments,
        "e_tag": list(etags),
    })


def manifest(file_format, key, files=1):
    return json.dumps({
        "sourceBucket": "bucket", "destinationBucket": "arn:aws:s3:::parts",
        "version": "2016-11-30", "creationTimestamp": "1764115200000",
        "fileFormat": file_format, "fileSchema": "message s3.inventory { }",
        "files": [{"key": key, "size": 1}] * files,
    })


def check_inventories(server, put):
    """``put`` makes bytes an object of the bucket `parts`."""
    for compression, unit, group in [("gzip", "ms", 2), ("snappy", "us", 100), ("none", "ms", 1)]:
        file = io.BytesIO()
        parquet.write_table(table(unit), file, compression=compression, row_group_size=group)
        put("lists/1.parquet", file.getvalue())
        put("lists/manifest.json", manifest("Parquet", "lists/1.parquet").encode())
        words = ["--inventory", "s3://parts/lists/manifest.json", "-0", "--format",
                 "{size} {mtime:%s.%3N} {path}"]
        done = server.run("s3://bucket", *words)
        server.same(f"inventory of {compression}: error", done.stderr, b"")
        rows = [tuple(row.split(b" ", 2)) for row in done.stdout.split(b"\0")[:-1]]
        server.same(f"inventory of {compression}", sorted(rows), sorted(
            (str(size).encode(), str(int(MOMENT.timestamp())).encode() + b".125",
             b"s3://bucket/" + key) for key, size in EXPECTED
        ))
        done = server.run("s3://bucket/2024/", *words)
        server.same("prefix", done.stdout.count(b"\0"), 2)
    etags = server.run("s3://bucket", *words[:2], "--csv", "-").stdout.split(b"\n")[1:-1]
    server.same("etags", sorted(row.rsplit(b",", 1)[1] for row in etags if b"," in row)[-2:],
                [b"e1", b"e2"])
    check_refusals(server, put)


def check_refusals(server, put):
    inventory = ["--inventory", "s3://parts/lists/manifest.json"]
    file = io.BytesIO()
    orc.write_table(table("ms"), file)
    put("lists/1.orc", file.getvalue())
    put("lists/manifest.json", manifest("ORC", "lists/1.orc").encode())
    server.refuses("ORC", b"its format is ORC, and only CSV and Parquet", "s3://bucket", *inventory)
    for broken in [b"", b"PAR1", b"x" * 100, file.getvalue()]:
        put("lists/1.parquet", broken)
        put("lists/manifest.json", manifest("Parquet", "lists/1.parquet").encode())
        server.refuses("broken", b"lists/1.parquet': it is no inventory", "s3://bucket", *inventory)
    file = io.BytesIO()
    parquet.write_table(table("ms").drop_columns(["key"]), file)
    put("lists/1.parquet", file.getvalue())
    server.refuses("without keys", b"it lacks key", "s3://bucket", *inventory)
