"""gs://: fake-gcs-server lists by its XML API as it does by its JSON API.

By XML it gives all keys in one page, in no encoding, and begins always at the beginning.
"""

import json
import urllib.parse
import urllib.request

from listed import KEYS, TEXTS, Server, free_port, running


def is_listed(key):
    """Whether XML without an encoding can have a key."""
    return "\x01" not in key


class Json:
    """The JSON API of a server."""

    def __init__(self, endpoint):
        self.endpoint = endpoint

    def call(self, path, body=None, **query):
        url = f"{self.endpoint}{path}?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def listed(self, **query):
        """Names and prefixes, page after page."""
        found, token = [], ""
        while True:
            page = self.call("/storage/v1/b/bucket/o", pageToken=token, **query)
            found += [item["name"] for item in page.get("items", [])] + page.get("prefixes", [])
            token = page.get("nextPageToken")
            if not token:
                return found


def fake_gcs(fewer, program):
    port = free_port()
    endpoint = f"http://127.0.0.1:{port}"
    command = [program, "-scheme", "http", "-host", "127.0.0.1", "-port", str(port), "-backend",
               "memory", "-public-host", f"127.0.0.1:{port}", "-log-level", "error"]
    with running(command, port):
        api = Json(endpoint)
        api.call("/storage/v1/b", json.dumps({"name": "bucket"}).encode())
        for key in filter(is_listed, KEYS):
            text = TEXTS.get(key, b"")
            api.call("/upload/storage/v1/b/bucket/o", text, uploadType="media", name=key)
        environment = {"GOOGLE_SKIP_SIGNATURE": "true"}
        result = Server("fake-gcs-server", fewer, "gs", endpoint, api.listed(), environment)
        result.check_keys()
        result.check_levels()
        result.check_sums()
        result.check_order()
        result.check_lines()
        for prefix in ["", "logs/", "folder/"]:
            level = sorted(key.encode() for key in api.listed(prefix=prefix, delimiter="/"))
            found = sorted(result.walk(prefix.encode(), "-d", "1"))
            result.same(f"{prefix} delimiter", found, level)
        return result
