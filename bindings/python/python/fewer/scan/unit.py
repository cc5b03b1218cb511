"""Units of a scan, and what they are as JSON, as the command ``fewer scan`` has them: so they go
to any engine and into the journal.
"""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Dict, List, Optional, Tuple

from .address import RANGES

# What the native part knows of a unit.
Native = Tuple[List[Tuple[bytes, int]], Optional[Tuple[int, int]], bool]


@dataclass(frozen=True)
class Unit:
    """Some sub-trees, or a slice of the names of one large directory.

    - ``id``: which it is; the id of the unit that it was left of, a dot and a number, or what they
      are hashed to.
    - ``trees``: directories and how deep they lie below the root of the scan.
    - ``slice``: of the only tree, only the names of this slice: its number, and of how many.
    - ``has_roots``: whether the roots themselves belong to it.
    - ``single``: whether it ends after one directory.
    - ``shard``: only what belongs to this shard: its number, of how many, and how deep down.
    - ``ranges``: of the only tree, a bucket, the ranges of keys that belong to it, as JSON; all
      keys without any.
    - ``weight``: the part of the whole scan that it is taken for.
    """

    id: str
    trees: Tuple[Tuple[bytes, int], ...]
    slice: Optional[Tuple[int, int]] = None
    has_roots: bool = False
    single: bool = False
    shard: Optional[Tuple[int, int, int]] = None
    ranges: Tuple[Any, ...] = ()
    weight: float = 1.0

    def native(self) -> Native:
        return list(self.trees), self.slice, self.has_roots

    def child(self, number: int) -> str:
        """The id of what was left of it. It is a part of the name of a file, and so has an end."""
        name = f"{self.id}.{number}"
        return name if len(name) <= 64 else sha256(name.encode()).hexdigest()[:32]

    def children(self, left: List[Native]) -> List[Unit]:
        """What is left of it, as units."""
        weight = self.weight / (len(left) + 1)
        return [
            Unit(self.child(number), tuple(trees), part, roots, weight=weight)
            for number, (trees, part, roots) in enumerate(left)
        ]

    def parts(self) -> List[Unit]:
        """Smaller units instead of it, for one that kills who scans it: a tree each, and then a
        directory each. None if it is one directory already.
        """
        if self.shard or self.single:
            return []
        if RANGES.match(os.fsdecode(self.trees[0][0])):
            weight = self.weight / max(1, len(self.ranges))
            parts = [
                replace(self, id=self.child(number), ranges=(part,), weight=weight)
                for number, part in enumerate(self.ranges)
            ]
            return parts if len(parts) > 1 else []
        weight = self.weight / len(self.trees)
        if len(self.trees) == 1:
            return [replace(self, id=self.child(0), single=True)]
        return [
            replace(self, id=self.child(number), trees=(tree,), weight=weight)
            for number, tree in enumerate(self.trees)
        ]

    def to_json(self) -> Dict[str, Any]:
        known = {
            "id": self.id,
            "trees": [[_lossless(path), depth] for path, depth in self.trees],
            "slice": self.slice,
            "has_roots": self.has_roots,
            "single": self.single,
            "shard": self.shard,
            "ranges": self.ranges,
            "weight": self.weight,
        }
        return {key: value for key, value in known.items() if value not in (None, False, ())}

    @staticmethod
    def from_json(value: Dict[str, Any]) -> Unit:
        trees = tuple((_bytes(path), int(depth)) for path, depth in value["trees"])
        part, shard = value.get("slice"), value.get("shard")
        return Unit(
            id=str(value["id"]),
            trees=trees,
            slice=tuple(part) if part else None,
            has_roots=bool(value.get("has_roots")),
            single=bool(value.get("single")),
            shard=tuple(shard) if shard else None,
            ranges=tuple(value.get("ranges", ())),
            weight=float(value["weight"]),
        )


def _lossless(path: bytes) -> Dict[str, str]:
    """A path as JSON knows it."""
    try:
        return {"text": path.decode()}
    except UnicodeDecodeError:
        return {"bytes": base64.b64encode(path).decode()}


def _bytes(path: Dict[str, str]) -> bytes:
    return path["text"].encode() if "text" in path else base64.b64decode(path["bytes"])


@dataclass(frozen=True)
class Result:
    """What came of a unit: a Parquet file, unless there was no row, and the units that are left."""

    unit: str
    part: Optional[str]
    rows: int
    bytes: int
    checksum: str
    errors: int
    left: List[Unit]

    def to_json(self) -> Dict[str, Any]:
        return {**self.__dict__, "left": [unit.to_json() for unit in self.left]}

    @staticmethod
    def from_json(value: Dict[str, Any]) -> Result:
        return Result(**{**value, "left": [Unit.from_json(unit) for unit in value["left"]]})
