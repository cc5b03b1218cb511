"""s3://: moto lists as boto3's paginator says, s3s-fs what is in its folder."""

import logging
import pathlib
import tempfile

import boto3
from botocore.config import Config
from moto.core import DEFAULT_ACCOUNT_ID
from moto.s3.models import s3_backends
from moto.server import ThreadedMotoServer

from listed import MANY, UGLY, Server, free_port, running

KEYS = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret+/key"}
ENVIRONMENT = {**KEYS, "AWS_REGION": "us-east-1"}


def check(server):
    server.check_keys()
    server.check_order()
    server.check_parts()


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
    result = Server("moto", fewer, "s3", endpoint, listed, ENVIRONMENT)
    check(result)
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
        with running(command, port):
            endpoint = f"http://127.0.0.1:{port}"
            result = Server("s3s-fs", fewer, "s3", endpoint, keys, ENVIRONMENT)
            check(result)
            return result
