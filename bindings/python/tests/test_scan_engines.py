"""Scans on clusters: Ray and Dask, with real workers on this machine, which are killed."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import pytest

import fewer.scan
from fewer.scan.engines import Dask, Engine, Outcome, Ray
from test_scan import KILLS, Deaths, big, expected, found, table_of

__all__ = ["big"]

ray = pytest.importorskip("ray")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of Ray of a head without processors and two nodes of one each."""
    if "FEWER_KILLS" not in os.environ:
        pytest.skip("a cluster of Ray on a busy machine is slow: set FEWER_KILLS=3")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    yield cluster, nodes
    ray.shutdown()
    cluster.shutdown()


class KillsRay(Ray):
    """Kills processes of workers, and once a node, for which a new one comes."""

    def __init__(self, cluster: Any, chance: random.Random) -> None:
        super().__init__(workers=2)
        self.cluster, self.chance, self.killed, self.deaths = cluster, chance, 0, Deaths()
        self.node_at = chance.randint(2, 12)

    def submit(self, task: Dict[str, Any]) -> Any:
        handle = super().submit(task)
        self.deaths.submitted(handle, task)
        return handle

    def wait(self, seconds: float) -> List[Tuple[Any, Outcome]]:
        self.node_at -= 1
        if self.node_at == 0:
            cluster, nodes = self.cluster
            cluster.remove_node(nodes.pop(0), allow_graceful=False)
            nodes.append(cluster.add_node(num_cpus=1))
            self.killed += 1
        elif self.deaths.can_bear_one(self._running) and self.chance.random() < 0.1:
            self.deaths.befell(self._running)
            self.killed += kill_one(self.chance)
        return super().wait(seconds)


def kill_one(chance: random.Random) -> int:
    """Kills one of the workers of this cluster; not its agents, without which a node ends."""
    names, parents = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                names[int(folder.name)] = (folder / "cmdline").read_bytes()
                status = (folder / "stat").read_text().rpartition(")")[2].split()
                parents[int(folder.name)] = int(status[1])
            except OSError:
                continue

    def is_ours(process: int) -> bool:
        while process in parents and process != os.getpid():
            process = parents[process]
        return process == os.getpid()

    workers = (b"ray::scan_unit", b"ray::IDLE")
    processes = [it for it, name in names.items() if name.startswith(workers) and is_ours(it)]
    if not processes:
        return 0
    try:
        os.kill(chance.choice(processes), signal.SIGKILL)
    except ProcessLookupError:
        return 0
    return 1


def test_two_workers_of_ray(big: Path, tmp_path: Path) -> None:
    options = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    ray.init("local", num_cpus=2, **options)
    try:
        summary = fewer.scan.Scan(big, out=tmp_path, budget=100).run("ray")
    finally:
        ray.shutdown()
    assert summary["errors"] == 0 and summary["parts"] > 4
    assert found(table_of(tmp_path)) == expected(big)


@pytest.mark.parametrize("seed", range(KILLS))
def test_workers_and_nodes_of_ray_are_killed(
    big: Path, tmp_path: Path, cluster: Any, seed: int
) -> None:
    engine = KillsRay(cluster, random.Random(seed))
    summary = fewer.scan.Scan(big, out=tmp_path, budget=60).run(engine)
    assert summary["errors"] == 0 and engine.killed > 0
    assert found(table_of(tmp_path)) == expected(big)


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        yield client


class KillsDask(Dask):
    """Kills processes of workers; their nannies start new ones."""

    def __init__(self, client: Any, chance: random.Random) -> None:
        super().__init__(workers=2, client=client)
        self.client, self.chance, self.killed, self.deaths = client, chance, 0, Deaths()

    def submit(self, task: Dict[str, Any]) -> Any:
        handle = super().submit(task)
        self.deaths.submitted(handle, task)
        return handle

    def wait(self, seconds: float) -> List[Tuple[Any, Outcome]]:
        # A nanny whose worker is killed while it begins starts no other.
        workers = self.client.scheduler_info()["workers"]
        can_kill = len(workers) == 2 and self.deaths.can_bear_one(self._running)
        if can_kill and self.chance.random() < 0.3:
            nannies = list(self.client.cluster.workers.values())
            processes = [nanny.process for nanny in nannies if nanny.process]
            pids = [process.pid for process in processes if process.pid]
            if pids:
                self.deaths.befell(self._running)
                os.kill(self.chance.choice(pids), signal.SIGKILL)
                self.killed += 1
            if len(nannies) < 2:  # one that was killed while it began is not started again
                self.client.cluster.scale(2)
        return super().wait(seconds)


def test_dask(big: Path, tmp_path: Path, dask: Any) -> None:
    summary = fewer.scan.Scan(big, out=tmp_path, budget=100).run("dask", client=dask)
    assert summary["errors"] == 0
    assert found(table_of(tmp_path)) == expected(big)


@pytest.mark.parametrize("seed", range(KILLS))
def test_workers_of_dask_are_killed(big: Path, tmp_path: Path, dask: Any, seed: int) -> None:
    engine = KillsDask(dask, random.Random(seed))
    summary = fewer.scan.Scan(big, out=tmp_path, budget=60).run(engine)
    assert summary["errors"] == 0
    assert found(table_of(tmp_path)) == expected(big)
