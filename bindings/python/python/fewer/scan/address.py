"""Units of addresses: ranges of keys of a bucket, prefixes, directories of HDFS; and units whose
parts go to an address. The command ``fewer scan`` does them.

The command is ``FEWER_COMMAND``, or ``fewer`` in ``PATH``, built with the features ``stores`` and
``tables``; credentials and servers are those of its environment.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Dict, List

if TYPE_CHECKING:
    from .unit import Unit

# Stores that list ranges of keys, and others.
RANGES = re.compile(r"(s3|s3a|s3n|gs|gcs)://", re.IGNORECASE)
ADDRESS = re.compile(r"(s3|s3a|s3n|gs|gcs|az|azure|abfss?|hdfs)://", re.IGNORECASE)

FLAGS = {"glob": "--glob", "exclude": "--exclude", "kinds": "--type", "max_depth": "--max-depth"}
SWITCHES = {
    "ignore_case": "--ignore-case",
    "full_path": "--full-path",
    "one_file_system": "--one-file-system",
}


def is_address(root: str) -> bool:
    """Whether a root is in a store."""
    return ADDRESS.match(root) is not None


def scan(task: Dict[str, Any], unit: Unit, out: str) -> Dict[str, Any]:
    """The result of a unit as JSON; its part goes to ``out`` under the id of the unit.

    Raises OSError if there is no such command, and RuntimeError with its message if it failed.
    """
    command = [os.environ.get("FEWER_COMMAND", "fewer"), "scan", *task["roots"], "--unit", "-"]
    command += ["--out", out, "--budget", str(task["budget"]), *flags(task["options"])]
    if sys.platform == "linux":
        # A worker of Ray or Dask may be killed alone.
        command += ["--parent", str(os.getpid())]
    done = subprocess.run(command, input=json.dumps(unit.to_json()).encode(), capture_output=True)
    # 1: some rows are errors.
    if done.returncode not in (0, 1):
        status = f"the command ended with status {done.returncode}"
        raise RuntimeError(done.stderr.decode(errors="replace").strip() or status)
    found: Dict[str, Any] = json.loads(done.stdout)
    return found


def flags(options: Dict[str, Any]) -> List[str]:
    """Keywords of a walk as flags of the command."""
    words = [] if options.get("hidden", True) else ["--no-hidden"]
    words += [flag for name, flag in SWITCHES.items() if options.get(name)]
    for name, flag in FLAGS.items():
        value = options.get(name)
        values = value if isinstance(value, list) else [] if value is None else [value]
        words += [f"{flag}={value}" for value in values]
    return words
