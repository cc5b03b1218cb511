"""gs://: what a service account signs is checked as Google checks it, and its token opens a bucket.

Source: RFC 7515, and Google's AIP-4111, self-signed JWT.
"""

import base64
import http.server
import json
import os
import tempfile
import threading
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from listed import Server

EMAIL = "lister@project.example"
PAGE = b"""<?xml version='1.0' encoding='UTF-8'?>
<ListBucketResult xmlns='http://doc.s3.amazonaws.com/2006-03-01'><Name>bucket</Name>
<IsTruncated>false</IsTruncated><Contents><Key>key</Key><Size>1</Size></Contents>
</ListBucketResult>"""
REFUSAL = b"<Error><Code>AuthenticationRequired</Code><Message>No token.</Message></Error>"


class Handler(http.server.BaseHTTPRequestHandler):
    public_key = None

    def do_GET(self):
        self.answer(*((200, PAGE) if self.is_signed() else (401, REFUSAL)))

    def is_signed(self):
        """Whether the token was signed by the service account, to read what is stored."""
        kind, _, token = self.headers.get("Authorization", "").partition(" ")
        parts = token.split(".")
        if kind != "Bearer" or len(parts) != 3:
            return False
        header, claims, signature = (base64.urlsafe_b64decode(part + "==") for part in parts)
        signed = ".".join(parts[:2]).encode()
        try:
            self.public_key.verify(signature, signed, padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature:
            return False
        header, claims = json.loads(header), json.loads(claims)
        is_now = claims["iat"] - 60 <= time.time() < claims["exp"]
        reads = "devstorage" in claims["scope"] or "cloud-platform" in claims["scope"]
        return header["alg"] == "RS256" and claims["iss"] == EMAIL and is_now and reads

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def service_account(key):
    """The file that Google hands out."""
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return {"type": "service_account", "private_key": pem.decode(), "private_key_id": "1",
            "client_email": EMAIL, "token_uri": "https://oauth2.googleapis.com/token"}


def google_tokens(fewer):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    Handler.public_key = key.public_key()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    account = service_account(key)
    result = Server("google", fewer, "gs", endpoint, ["key"], {})
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "account.json")
        with open(path, "w") as file:
            json.dump(account, file)
        for name in ["GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_SERVICE_ACCOUNT"]:
            result.same(name, result.walk(b"", **{name: path}), [b"key"])
    inline = result.walk(b"", GOOGLE_SERVICE_ACCOUNT_KEY=json.dumps(account))
    result.same("inline", inline, [b"key"])
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    inline = json.dumps(service_account(other))
    said = b"401 AuthenticationRequired"
    result.refuses("other key", said, "gs://bucket", GOOGLE_SERVICE_ACCOUNT_KEY=inline)
    result.refuses("no token", said, "gs://bucket", "--no-sign-request")
    server.shutdown()
    return result
