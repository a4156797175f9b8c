"""Many machines: a real scheduler with two worker processes on loopback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.errors import InputError, SimError
from sim.results.result import Result
from sim.runs.cluster import Cluster, differences, in_checked_worker, versions_here
from sim.runs.runner import run
from sim.storage import Checkpoint
from tests.games.misbehaving import duel
from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]
MIXED = {"avoid_percent": 3, "empty_percent": 4, "round_cap": 9}
TABLES = ("runs.parquet", "units.parquet", "abilities.parquet", "summary.csv")
PATIENT = {  # of the scheduler and its workers, on a busy machine
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": f"{PATIENCE}s",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": f"{PATIENCE}s",
}

pytest.importorskip("distributed", reason="the extra [dask] is not installed")
pytestmark = [
    pytest.mark.xdist_group("dask"),
    pytest.mark.filterwarnings("default"),  # distributed's own, about event loops and sockets at the end
]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process waits as long as the others do."""
    import dask

    monkeypatch.setattr("sim.runs.cluster.CONNECT_SECONDS", PATIENCE)
    monkeypatch.setattr("sim.runs.cluster.WORKER_SECONDS", PATIENCE)
    limits = {"connect": f"{PATIENCE}s", "tcp": f"{PATIENCE}s"}
    with dask.config.set({f"distributed.comm.timeouts.{name}": limit for name, limit in limits.items()}):
        yield


class Loopback:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = os.environ | {"PYTHONPATH": str(ROOT)} | PATIENT
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.address = self.said(self.scheduler, "Scheduler at:")
        self.workers = [self.worker(), self.worker()]

    def start(self, what: str, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + what, *words]
        return subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )

    def worker(self, *words: str) -> subprocess.Popen[str]:
        found = self.start("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", *words)
        self.said(found, "Registered to:")
        return found

    @staticmethod
    def said(process: subprocess.Popen[str], words: str) -> str:
        """What stands behind some words in what a process says."""
        assert process.stderr is not None
        for line in process.stderr:
            if words in line:
                return line.split()[-1]
        raise AssertionError(f"the process ended without saying {words!r}")

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait(PATIENCE)
            assert process.stderr is not None
            process.stderr.close()


@pytest.fixture(scope="module")
def loopback(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    cluster = Loopback(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.stop()


def tables(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in TABLES}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return run(duel(**MIXED), runs=6_000, seed=9, jobs=1, out=tmp_path_factory.mktemp("here"))


def test_a_cluster_gives_the_same_tables_byte_for_byte(loopback: Loopback, here: Result, tmp_path: Path) -> None:
    there = run(
        duel(**MIXED), runs=6_000, seed=9, chunk=400, out=tmp_path, backend="dask", address=loopback.address
    )

    assert here.folder is not None
    assert there.sums == here.sums
    assert tables(tmp_path) == tables(here.folder)
    assert there.provenance.jobs == 2
    assert there.provenance.peak_memory_bytes["largest_worker"] > 0  # somebody else has played


def test_a_worker_that_is_killed_costs_time_not_results(loopback: Loopback, here: Result, tmp_path: Path) -> None:
    marker = tmp_path / "a worker was killed"

    there = run(
        duel(**MIXED, die_in_worker=str(marker)),
        runs=6_000,
        seed=9,
        chunk=400,
        keep="summary",
        backend="dask",
        address=loopback.address,
    )

    deadline = time.monotonic() + PATIENCE
    while all(worker.poll() is None for worker in loopback.workers) and time.monotonic() < deadline:
        time.sleep(0.1)
    dead = [worker for worker in loopback.workers if worker.poll() is not None]
    assert marker.exists()
    assert [worker.returncode for worker in dead] == [-signal.SIGKILL]
    assert there.sums == here.sums
    loopback.workers = [worker for worker in loopback.workers if worker.poll() is None]
    assert dead[0].stderr is not None
    dead[0].stderr.close()
    loopback.workers.append(loopback.worker())


def test_a_cluster_of_our_own_is_started_by_the_flag(here: Result) -> None:
    there = run(duel(**MIXED), runs=6_000, seed=9, chunk=1_000, keep="summary", jobs=2, backend="dask")

    assert there.sums == here.sums


def test_other_versions_on_the_workers_are_refused(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.runs.cluster.VERSION", "9.9")

    with pytest.raises(InputError, match=r"tcp://127\.0\.0\.1:\d+: has fairfight [\d.]+, expected 9\.9") as refused:
        run(duel(), runs=3_000, backend="dask", address=loopback.address)

    assert len(refused.value.problems) == 2


def test_a_worker_without_fairfight_is_refused(tmp_path: Path) -> None:
    alone = Loopback(tmp_path)
    bare = tmp_path / "sim.py"
    bare.write_text("raise ImportError('no fairfight here')\n")
    for worker in alone.workers:
        worker.kill()
        worker.wait(PATIENCE)
        assert worker.stderr is not None
        worker.stderr.close()
    alone.environment = os.environ | {"PYTHONPATH": str(tmp_path)} | PATIENT
    alone.workers = [alone.worker()]
    try:
        with pytest.raises(InputError, match=r"cannot play: .*; install the same fairfight there"):
            run(duel(), runs=3_000, backend="dask", address=alone.address)
    finally:
        alone.stop()


def test_a_worker_that_joins_late_checks_itself() -> None:
    expected = versions_here()

    assert in_checked_worker(expected, str.upper, "x") == "X"
    with pytest.raises(SimError, match=r"has numpy [\d.]+, expected 1\.0: every machine needs the same versions"):
        in_checked_worker(expected | {"numpy": "1.0"}, str.upper, "x")


def test_an_address_where_nobody_is_ends_in_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.runs.cluster.CONNECT_SECONDS", 1)

    with pytest.raises(InputError, match=r"--address: no scheduler with a worker at tcp://127\.0\.0\.1:9"):
        Cluster("tcp://127.0.0.1:9")


def test_differences_name_both_versions() -> None:
    assert differences({"a": "1", "b": "2"}, {"a": "1"}) == ["has b (none), expected 2"]


def test_a_scheduler_that_is_killed_ends_in_a_clear_message_and_the_work_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.runs.cluster.CONNECT_SECONDS", 5)  # how long it tries to find the scheduler again
    cluster = Loopback(tmp_path)
    folder = tmp_path / "out"
    keep_it = Checkpoint.put

    def kill_after_three(self: Checkpoint, name: str, *content: Any) -> None:
        keep_it(self, name, *content)
        if len(self.names()) == 3:
            cluster.scheduler.kill()

    monkeypatch.setattr(Checkpoint, "put", kill_after_three)
    try:
        with pytest.raises(SimError, match=r"the cluster at tcp://.* was lost: .*--resume goes on with it"):
            run(duel(**MIXED), runs=120_000, seed=9, chunk=400, out=folder, backend="dask", address=cluster.address)
    finally:
        cluster.stop()

    assert len(list(folder.glob("checkpoint/runs-*.piece"))) >= 3
