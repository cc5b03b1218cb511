"""`fewer walk` on servers that others wrote: it lists what they have, whatever the keys.

    servers.py FEWER [--azurite PROGRAM] [--fake-gcs PROGRAM] [--s3s-fs PROGRAM]
                     [--versitygw PROGRAM]

moto and the server of tokens are always there. The last line says how many tests passed.

| module | what is in it |
|---|---|
| `listed` | what fewer says of a bucket, and what it should say |
| `units` | scans in units |
| `inventories` | inventories as Parquet |
| `s3`, `azurite`, `fake_gcs` | the servers |
| `google_tokens` | tokens, checked as Google checks them |
"""

import argparse
import sys

from azurite import azurite
from fake_gcs import fake_gcs
from google_tokens import google_tokens
from s3 import moto, s3s_fs, versitygw


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fewer")
    others = {"azurite": azurite, "fake_gcs": fake_gcs, "s3s_fs": s3s_fs,
              "versitygw": versitygw}
    for name in others:
        parser.add_argument("--" + name.replace("_", "-"))
    arguments = parser.parse_args()
    programs = {name: getattr(arguments, name) for name in others}
    there = [(others[name], program) for name, program in programs.items() if program]
    results = [moto(arguments.fewer), google_tokens(arguments.fewer)]
    results += [server(arguments.fewer, program) for server, program in there]
    passed = sum(result.passed for result in results)
    failed = sum(result.failed for result in results)
    skipped = len(others) - len(there)
    print(f"servers: {passed} passed, {failed} failed" + f", {skipped} skipped" * (skipped > 0))
    sys.exit(failed > 0)


main()
