"""Where units are scanned: processes of this machine, Ray, Dask.

An engine takes tasks and hands out what came of them in any order. A worker, a node or a connection
that is lost is a :class:`Failure` of its tasks and nothing else: the driver decides what to do.
"""

from __future__ import annotations

import importlib
import json
import os
import selectors
import signal
import subprocess
import sys
from dataclasses import dataclass
from enum import Enum
from typing import Any, Dict, List, Optional, Tuple, Union

from .worker import describe, scan_unit

# So much of an answer is read at once.
PIECE = 1 << 20


class Cause(Enum):
    """What a failure is due to."""

    CRASH = "the worker died of it, or with it"
    ERROR = "the worker says that something else is wrong: its disk is full, say"
    LOST = "the machine is gone, with all that it had"


@dataclass(frozen=True)
class Failure:
    """Why there is no result."""

    reason: str
    cause: Cause = Cause.CRASH


# What came of a task: the result as JSON, or a failure.
Outcome = Union[Dict[str, Any], Failure]


class Engine:
    """What the driver needs of an engine. A handle stands for a task that was submitted."""

    def slots(self) -> int:
        """How many tasks it can have at once."""
        raise NotImplementedError

    def submit(self, task: Dict[str, Any]) -> Any:
        raise NotImplementedError

    def wait(self, seconds: float) -> List[Tuple[Any, Outcome]]:
        """What is done: waits until something is, or so long."""
        raise NotImplementedError

    def cancel(self, handle: Any) -> None:
        """Does not want the result any more."""

    def close(self) -> None:
        """Ends what is running."""


class Processes(Engine):
    """Processes of this machine, which are started when they are needed."""

    def __init__(self, workers: Optional[int] = None) -> None:
        self._most = workers or len(os.sched_getaffinity(0))
        self._idle: List[subprocess.Popen[bytes]] = []
        self._busy: Dict[int, subprocess.Popen[bytes]] = {}
        # What has come of an answer: a worker may be stopped in the middle of it.
        self._read: Dict[int, bytes] = {}
        self._ready = selectors.DefaultSelector()
        self._next = 0

    def slots(self) -> int:
        return self._most

    def submit(self, task: Dict[str, Any]) -> int:
        self._next += 1
        process = self._take_idle() or self._start()
        self._busy[self._next] = process
        assert process.stdin and process.stdout
        self._ready.register(process.stdout, selectors.EVENT_READ, self._next)
        try:
            process.stdin.write(json.dumps(task).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            pass  # its end is seen where answers are read
        return self._next

    def _take_idle(self) -> Optional[subprocess.Popen[bytes]]:
        """A worker that lives: what ended one that had nothing to do is not about the next unit."""
        while self._idle:
            process = self._idle.pop()
            if process.poll() is None:
                return process
            _end(process)
        return None

    @staticmethod
    def _start() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "fewer.scan.worker"]
        # A group of its own: Ctrl-C is for the driver, which ends them.
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )

    def wait(self, seconds: float) -> List[Tuple[int, Outcome]]:
        done = []
        for key, _ in self._ready.select(seconds):
            handle: int = key.data
            piece = os.read(key.fd, PIECE)
            self._read[handle] = self._read.get(handle, b"") + piece
            if piece and not piece.endswith(b"\n"):
                continue
            self._ready.unregister(key.fileobj)
            process = self._busy.pop(handle)
            done.append((handle, self._answer(process, self._read.pop(handle))))
        return done

    def _answer(self, process: subprocess.Popen[bytes], line: bytes) -> Outcome:
        if not line.endswith(b"\n"):
            _end(process)
            return Failure(f"the process ended with status {process.returncode}")
        self._idle.append(process)
        answer: Dict[str, Any] = json.loads(line)
        return answer["result"] if "result" in answer else Failure(answer["failure"], Cause.ERROR)

    def cancel(self, handle: int) -> None:
        process = self._busy.pop(handle, None)
        self._read.pop(handle, None)
        if process and process.stdout:
            self._ready.unregister(process.stdout)
            _end(process)

    def close(self) -> None:
        for handle in list(self._busy):
            self.cancel(handle)
        while self._idle:
            _end(self._idle.pop())
        self._ready.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a worker, and the command that lists a bucket for it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it has ended by itself
    for pipe in (process.stdin, process.stdout):
        if pipe:
            try:
                pipe.close()
            except BrokenPipeError:
                pass
    try:
        process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        pass  # in a call to a file system that does not answer: it ends when that does


class Ray(Engine):
    """A cluster of Ray: the one that ``ray.init`` finds, or the one there is already."""

    def __init__(self, workers: Optional[int] = None, **options: Any) -> None:
        self._ray = importlib.import_module("ray")
        if not self._ray.is_initialized():
            self._ray.init(**options)
        self._workers = workers
        self._scan = self._ray.remote(max_retries=0, num_cpus=1)(scan_unit)
        self._running: List[Any] = []

    def slots(self) -> int:
        return self._workers or max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, task: Dict[str, Any]) -> Any:
        handle = self._scan.remote(task)
        self._running.append(handle)
        return handle

    def wait(self, seconds: float) -> List[Tuple[Any, Outcome]]:
        self._ray.wait(self._running, num_returns=1, timeout=seconds)
        everything = len(self._running)
        done, self._running = self._ray.wait(self._running, num_returns=everything, timeout=0)
        return [(handle, self._outcome(handle)) for handle in done]

    def _outcome(self, handle: Any) -> Outcome:
        try:
            result: Dict[str, Any] = self._ray.get(handle)
            return result
        except self._ray.exceptions.RayTaskError as error:
            return Failure(describe(error.cause), Cause.ERROR)
        except self._ray.exceptions.RayError as error:
            died = type(error).__name__ in ("WorkerCrashedError", "OutOfMemoryError")
            return Failure(describe(error), Cause.CRASH if died else Cause.LOST)

    def cancel(self, handle: Any) -> None:
        if handle in self._running:
            self._running.remove(handle)
            self._ray.cancel(handle, force=True)

    def close(self) -> None:
        for handle in list(self._running):
            self.cancel(handle)


class Dask(Engine):
    """A cluster of Dask: ``client``, the scheduler at ``address``, or one on this machine."""

    def __init__(
        self, workers: Optional[int] = None, client: Any = None, address: Optional[str] = None
    ) -> None:
        self._distributed = importlib.import_module("distributed")
        self._is_own = client is None
        options: Dict[str, Any] = {} if address else {"n_workers": workers, "threads_per_worker": 1}
        self._client = client or self._distributed.Client(address, **options)
        self._workers = workers
        self._running: List[Any] = []

    def slots(self) -> int:
        return self._workers or max(1, sum(self._client.nthreads().values()))

    def submit(self, task: Dict[str, Any]) -> Any:
        handle = self._client.submit(scan_unit, task, pure=False, retries=0)
        self._running.append(handle)
        return handle

    def wait(self, seconds: float) -> List[Tuple[Any, Outcome]]:
        try:
            self._distributed.wait(self._running, seconds, "FIRST_COMPLETED")
        except (TimeoutError, self._distributed.TimeoutError):
            return []
        done = [handle for handle in self._running if handle.done()]
        self._running = [handle for handle in self._running if handle not in done]
        return [(handle, self._outcome(handle)) for handle in done]

    @staticmethod
    def _outcome(handle: Any) -> Outcome:
        if handle.status == "finished":
            result: Dict[str, Any] = handle.result()
            return result
        if handle.status != "error":
            return Failure(f"the task is {handle.status}", Cause.LOST)
        error = handle.exception()
        died = type(error).__name__ == "KilledWorker"
        return Failure(describe(error), Cause.CRASH if died else Cause.ERROR)

    def cancel(self, handle: Any) -> None:
        if handle in self._running:
            self._running.remove(handle)
            handle.cancel(force=True)

    def close(self) -> None:
        for handle in list(self._running):
            self.cancel(handle)
        if self._is_own:
            self._client.close()


ENGINES = {"processes": Processes, "ray": Ray, "dask": Dask}
