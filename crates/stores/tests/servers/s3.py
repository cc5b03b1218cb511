"""s3://: moto lists as boto3's paginator says, s3s-fs what is in its folder."""

import logging
import pathlib
import tempfile

import boto3
from botocore.config import Config
from moto.core import DEFAULT_ACCOUNT_ID
from moto.s3.models import s3_backends
from moto.server import ThreadedMotoServer

from inventories import check_inventories
from listed import KEYS, TEXTS, Server, free_port, running
from units import check_units

SECRETS = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret+/key"}
ENVIRONMENT = {**SECRETS, "AWS_REGION": "us-east-1"}


def check(server):
    server.check_keys()
    server.check_levels()
    server.check_sums()
    server.check_order()
    server.check_parts()
    server.check_lines()


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
    for key in KEYS:
        bucket.put_object("bucket", key, TEXTS.get(key, b""))
    pages = client.get_paginator("list_objects_v2").paginate(Bucket="bucket")
    entries = [entry for page in pages for entry in page["Contents"]]
    listed = [entry["Key"] for entry in entries]
    assert sorted(listed) == sorted(KEYS), set(KEYS) ^ set(listed)
    result = Server("moto", fewer, "s3", endpoint, listed, ENVIRONMENT)
    check(result)
    result.check_table(
        (entry["Key"], entry["Size"], entry["LastModified"], entry["ETag"].strip('"'))
        for entry in entries
    )
    client.create_bucket(Bucket="parts")
    check_units(result, lambda key: client.get_object(Bucket="parts", Key=key)["Body"].read())
    check_inventories(
        result, lambda key, body: client.put_object(Bucket="parts", Key=key, Body=body)
    )
    # The last, as it changes the bucket.
    result.check_since(
        lambda key, text: bucket.put_object("bucket", key, text),
        lambda key: bucket.delete_object("bucket", key),
    )
    server.stop()
    return result


def is_file_name(key):
    """Whether a key can be a file below a folder, and the only one of its path.

    s3s-fs says that its keys are encoded, but they are not: % and + are taken for something else,
    by boto3 as well.
    """
    if "%" in key or "+" in key:
        return False
    parts = key.split("/")
    return all(0 < len(part.encode()) < 256 and part not in (".", "..") for part in parts)


def files(keys, bucket):
    """Files below a folder, and their keys."""
    for key in filter(is_file_name, keys):
        path = bucket / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(TEXTS.get(key, b""))
    found = (path for path in bucket.rglob("*") if path.is_file())
    return [str(path.relative_to(bucket)) for path in found]


def s3s_fs(fewer, program):
    port = free_port()
    with tempfile.TemporaryDirectory() as root:
        keys = files(KEYS, pathlib.Path(root, "bucket"))
        command = [program, "--host", "127.0.0.1", "--port", str(port), root, "--access-key",
                   SECRETS["AWS_ACCESS_KEY_ID"], "--secret-key", SECRETS["AWS_SECRET_ACCESS_KEY"]]
        with running(command, port):
            result = Server("s3s-fs", fewer, "s3", f"http://127.0.0.1:{port}", keys, ENVIRONMENT)
            check(result)
            return result


def versitygw(fewer, program):
    """It says U+FFFD instead of characters that XML does not have, to boto3 as well."""
    port = free_port()
    with tempfile.TemporaryDirectory() as root:
        listed = (key for key in KEYS if "\x01" not in key)
        keys = files(listed, pathlib.Path(root, "bucket"))
        command = [program, "--quiet", "--port", f"127.0.0.1:{port}",
                   "--access", SECRETS["AWS_ACCESS_KEY_ID"],
                   "--secret", SECRETS["AWS_SECRET_ACCESS_KEY"], "posix", "--nometa", root]
        with running(command, port):
            endpoint = f"http://127.0.0.1:{port}"
            result = Server("versitygw", fewer, "s3", endpoint, keys, ENVIRONMENT)
            check(result)
            return result
