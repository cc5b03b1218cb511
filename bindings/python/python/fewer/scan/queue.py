"""The units that wait, by the file system that they read."""

from __future__ import annotations

import os
from collections import Counter, deque
from typing import Deque, Dict, Iterable, Iterator, List, Optional, Tuple

from .unit import Unit


class Queue:
    """Units that wait for a worker; of each file system at most so many are at work at once."""

    def __init__(self, roots: List[str], per_file_system: int) -> None:
        self._devices = _devices(roots)
        self._most = per_file_system
        # A file system whose turn it was goes to the end.
        self._waiting: Dict[int, Deque[Unit]] = {}
        self._busy: Counter[int] = Counter()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Unit]:
        return (unit for units in self._waiting.values() for unit in units)

    def extend(self, units: Iterable[Unit]) -> None:
        for unit in units:
            self._waiting.setdefault(self._device(unit), deque()).append(unit)
            self._length += 1

    def add_first(self, unit: Unit) -> None:
        self._waiting.setdefault(self._device(unit), deque()).appendleft(unit)
        self._length += 1

    def take(self) -> Optional[Unit]:
        """The next unit whose file system takes one more; None if there is none."""
        free = (device for device in self._waiting if self._busy[device] < self._most)
        device = next(free, None)
        if device is None:
            return None
        units = self._waiting.pop(device)
        unit = units.popleft()
        if units:
            self._waiting[device] = units
        self._length -= 1
        return unit

    def begun(self, unit: Unit) -> None:
        self._busy[self._device(unit)] += 1

    def ended(self, unit: Unit) -> None:
        self._busy[self._device(unit)] -= 1

    def _device(self, unit: Unit) -> int:
        path = unit.trees[0][0]
        below = (device for root, device in self._devices if (path + b"/").startswith(root))
        return next(below, 0)


def _devices(roots: List[str]) -> List[Tuple[bytes, int]]:
    """The device of each root, the longest path first."""
    devices = []
    for root in sorted(roots, key=len, reverse=True):
        try:
            devices.append((os.fsencode(root).rstrip(b"/") + b"/", os.stat(root).st_dev))
        except OSError:
            pass  # it will be an error row
    return devices
