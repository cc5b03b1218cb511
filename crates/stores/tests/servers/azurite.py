"""az://: Azurite lists as the client of azure-storage-blob says."""

import concurrent.futures
import datetime
import json
import logging

from azure.core.exceptions import HttpResponseError
from azure.storage.blob import ContainerClient, generate_container_sas

from listed import KEYS, TEXTS, Server, free_port, running
from units import check_units

ACCOUNT = "devstoreaccount1"
# Everybody knows it.
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
# With them there are more than the 5,000 of a page.
MORE = [f"more/{at:05}" for at in range(2600)]


def is_listed(key):
    """Whether Azurite can list a key: no XML has these, and it does not encode them."""
    return not any(char < " " and char not in "\n\t" for char in key)


def fill(client, keys):
    client.create_container()
    logging.getLogger("azure").setLevel(logging.CRITICAL)
    refused = []

    def upload(key):
        try:
            client.upload_blob(key, TEXTS.get(key, b""))
        except HttpResponseError:
            refused.append(key)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(upload, keys))
    # Names that the client or Azurite does not take.
    assert len(refused) < 5, refused


def azurite(fewer, program):
    port = free_port()
    command = [program, "--silent", "--disableTelemetry", "--skipApiVersionCheck",
               "--inMemoryPersistence", "--blobPort", str(port)]
    with running(command, port):
        endpoint = f"http://127.0.0.1:{port}"
        client = ContainerClient(f"{endpoint}/{ACCOUNT}", "bucket", credential=KEY)
        fill(client, filter(is_listed, KEYS + MORE))
        ContainerClient(f"{endpoint}/{ACCOUNT}", "empty", credential=KEY).create_container()
        blobs = list(client.list_blobs())
        listed = [blob.name for blob in blobs]
        result = Server("azurite", fewer, "az", endpoint, listed, {})
        result.check_keys()
        result.check_levels()
        result.check_sums()
        check_levels(result, client)
        check_order(result)
        result.check_lines()
        result.check_table((blob.name, blob.size, blob.last_modified, blob.etag.strip('"'))
                           for blob in blobs)
        parts = ContainerClient(f"{endpoint}/{ACCOUNT}", "parts", credential=KEY)
        parts.create_container()
        check_units(result, lambda key: parts.download_blob(key).readall())
        check_access(result)
        done = result.run("az://bucket", "--count", "--calls", "--json")
        result.same("requests", json.loads(done.stderr)["requests"], 2)
        result.same("empty", result.run("az://empty").stdout, b"")
        result.refuses("missing", b"404 ContainerNotFound", "az://none")
        return result


def check_levels(server, client):
    """One level, as the client has it."""
    for prefix in ["", "logs/", "folder/"]:
        level = client.walk_blobs(name_starts_with=prefix, delimiter="/")
        level = sorted(blob.name.encode() for blob in level)
        server.same(f"{prefix} walk_blobs", sorted(server.walk(prefix.encode(), "-d", "1")), level)


def check_order(server):
    below = [key for key in server.keys if key.startswith(b"logs/")]
    server.same("logs sorted", server.walk(b"logs/", "--sort"), below)
    # It compares UTF-16, in which the last character of all is not the last.
    server.refuses("sorted", b"lists in no order", "az://bucket", "--sort", status=1)


def check_access(server):
    later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    signature = generate_container_sas(
        ACCOUNT, "bucket", account_key=KEY, permission="l", expiry=later
    )
    found = server.walk(b"", AZURE_STORAGE_SAS_TOKEN=signature)
    server.same("signature", sorted(found), server.keys)
    text = f"AccountName={ACCOUNT};AccountKey={KEY};BlobEndpoint={server.endpoint}/{ACCOUNT}"
    found = server.walk(b"", AZURE_STORAGE_CONNECTION_STRING=text)
    server.same("connection string", sorted(found), server.keys)
    denied = b"403 Auth"
    server.refuses("wrong key", denied, "az://bucket", AZURE_STORAGE_ACCOUNT_KEY="a2V5")
    server.refuses("no key", denied, "az://bucket", "--no-sign-request")
