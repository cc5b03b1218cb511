"""Units of a bucket: ranges of keys, which the command ``fewer`` lists.

What is left of a listing is its checkpoint (``fewer walk --checkpoint``), so a unit is a checkpoint
with some of the ranges that were left. The command is ``FEWER_COMMAND``, or ``fewer`` in ``PATH``,
built with the features ``stores`` and ``tables``; credentials and servers are those of its
environment.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped]

# Stores that list ranges of keys; others list from the beginning alone, or have directories.
ADDRESS = re.compile(r"(s3|s3a|s3n|gs|gcs)://", re.IGNORECASE)
OTHER = re.compile(r"(az|azure|abfss?|wasbs?|hdfs)://", re.IGNORECASE)
# What is left becomes so many units at most.
UNITS = 4

Checkpoint = Dict[str, Any]

FLAGS = {"glob": "--glob", "exclude": "--exclude", "kinds": "--type", "max_depth": "--max-depth"}
SWITCHES = {"ignore_case": "--ignore-case", "full_path": "--full-path"}


def is_address(root: str) -> bool:
    """Whether a root is in a store. Raises ValueError for one that has no ranges of keys."""
    if OTHER.match(root):
        raise ValueError(f"'{root}' cannot be scanned in units, only s3:// and gs://")
    return ADDRESS.match(root) is not None


def rows(
    address: str,
    checkpoint: Optional[Checkpoint],
    budget: int,
    options: Dict[str, Any],
    scratch: List[Path],
) -> Tuple[pyarrow.Table, List[Checkpoint]]:
    """The objects of a unit until the budget is used up, and the units that are left. ``scratch``
    are two files that it may use.

    Raises OSError if there is no such command, and RuntimeError with its message if it failed.
    """
    import pyarrow

    table, left = scratch
    try:
        if checkpoint:
            left.write_text(json.dumps(checkpoint))
        command = [os.environ.get("FEWER_COMMAND", "fewer"), "walk", address]
        limits = ["--max-keys", str(budget), "--checkpoint", str(left), "--arrow", str(table)]
        # Not the pipes of a worker: its end would not be seen before that of the command.
        done = subprocess.run(
            [*command, *limits, *flags(options)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode(errors="replace").strip())
        found = pyarrow.ipc.open_stream(table.read_bytes()).read_all()
        return found, shares(json.loads(left.read_text())) if left.exists() else []
    finally:
        for path in scratch:
            path.unlink(missing_ok=True)


def flags(options: Dict[str, Any]) -> List[str]:
    """Keywords of a walk as flags of the command. Raises ValueError for one about files alone."""
    if options.get("one_file_system"):
        raise ValueError("one_file_system is about files, and not for buckets")
    words = [] if options.get("hidden", True) else ["--no-hidden"]
    words += [flag for name, flag in SWITCHES.items() if options.get(name)]
    for name, flag in FLAGS.items():
        value = options.get(name)
        values = value if isinstance(value, list) else [] if value is None else [value]
        words += [f"{flag}={value}" for value in values]
    return words


def shares(checkpoint: Checkpoint) -> List[Checkpoint]:
    """The ranges of a checkpoint, dealt out to some."""
    ranges = checkpoint["left"]
    count = min(UNITS, len(ranges))
    return [{**checkpoint, "left": ranges[number::count]} for number in range(count)]
