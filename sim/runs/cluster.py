"""Many machines: a Dask cluster behind joblib, an extra (`pip install fairfight[dask]`).

What is sent out are pieces of work, a kilobyte or two; what comes back are sums, or packed tables. A worker plays only
if it has the same versions of everything that decides a result, because run k must be run k there too.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sim.core.registry import ruleset, ruleset_names
from sim.core.version import VERSION
from sim.errors import InputError, Problem, SimError
from sim.runs.means import Means
from sim.runs.signals import children_shielded

if TYPE_CHECKING:
    from sim.scenario import Scenario

P = TypeVar("P")
R = TypeVar("R")

CONNECT_SECONDS = 20  # to reach the scheduler
WORKER_SECONDS = 60  # until the first worker is there
_LOST = (OSError, TimeoutError, CancelledError)  # distributed's own errors of connections are OSErrors


class Cluster:
    """A Dask cluster: one that is there already, or a small one on this machine."""

    def __init__(self, address: str | None = None, jobs: int | None = None) -> None:
        """Connect to the scheduler at this address; None starts a scheduler and `jobs` workers here."""
        distributed = _distributed()
        self.address = address
        self.local: Any = None
        try:
            if address is None:
                import joblib

                workers = jobs if jobs is not None and jobs > 0 else joblib.cpu_count()
                with children_shielded():
                    self.local = distributed.LocalCluster(
                        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
                    )
            self.client = distributed.Client(self.local or address, timeout=CONNECT_SECONDS, set_as_default=True)
            self.client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except (OSError, ValueError, TimeoutError) as error:
            self.close()
            where = f"no scheduler with a worker at {address}" if address else "the local cluster did not start"
            raise InputError(Problem("--address", f"{where}: {_first_line(error)}")) from error
        self.games: dict[str, Scenario] = {}  # ruleset -> one of its fights; the workers are known to play these alike
        self.expected: dict[str, str] = {}

    @property
    def deaths(self) -> tuple[type[BaseException], ...]:
        """What is raised when workers keep dying over a piece."""
        return (_distributed().scheduler.KilledWorker,)

    def processes(self) -> int:
        """How many pieces can be played at once."""
        with self._clear_if_lost():
            return max(1, sum(self.client.ncores().values()))

    def check(self, *scenarios: Scenario) -> None:
        """Refuse workers that would play something else: other versions, or no fairfight at all.

        Asked again where a game comes up that was not checked before.
        """
        found = {scenario.ruleset.name: scenario for scenario in scenarios}
        if found.keys() <= self.games.keys():
            return
        self.games = found | self.games
        fights = tuple(self.games.values())
        self.expected = versions_here(fights)
        problems = []
        with self._clear_if_lost():
            answers = self.client.run(versions_here, fights, on_error="return")
        for worker, found in sorted(answers.items()):
            if isinstance(found, BaseException):
                problems.append(Problem(worker, f"cannot play: {_first_line(found)}; install the same fairfight there"))
            else:
                problems += [Problem(worker, what) for what in differences(self.expected, found)]
        if problems:
            raise InputError(problems)

    def play(self, work: Callable[[P], R], pieces: Sequence[P]) -> Generator[R]:
        """What the work makes of each piece, in order. Pieces of a worker that dies go to another one."""
        from joblib import Parallel, delayed, parallel_config

        results: Generator[R] | None = None
        try:
            with self._clear_if_lost():
                with parallel_config(backend="dask"):
                    parallel = Parallel(n_jobs=-1, return_as="generator", batch_size=1, pre_dispatch="all")
                    results = parallel(delayed(in_checked_worker)(self.expected, work, piece) for piece in pieces)
                yield from results
        finally:
            if results is not None:
                with suppress(*_LOST):  # it tells the cluster, which may be gone
                    results.close()

    @contextmanager
    def _clear_if_lost(self) -> Iterator[None]:
        """Says clearly that the cluster does not answer any more."""
        try:
            yield
        except _LOST as error:
            where = self.address or "this machine"
            raise SimError(
                f"the cluster at {where} was lost: {_first_line(error)}; "
                "with --out what is finished is kept, and --resume goes on with it"
            ) from error

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        for part in (getattr(self, "client", None), self.local):
            if part is not None:
                with suppress(*_LOST):
                    part.close()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


@contextmanager
def cluster_for(means: Means, scenarios: Sequence[Scenario]) -> Iterator[Cluster | None]:
    """The cluster to play these on, its workers checked; None for this machine's own processes."""
    if means.backend == "local":
        yield None
        return
    with Cluster(means.address, means.jobs) as cluster:
        cluster.check(*scenarios)
        yield cluster


def versions_here(scenarios: Sequence[Scenario] = ()) -> dict[str, str]:
    """The versions in this process of everything that decides a result."""
    found = {"python": ".".join(platform.python_version_tuple()[:2]), "numpy": np.__version__, "fairfight": VERSION}
    for scenario in scenarios:
        found[f"ruleset {scenario.ruleset.name}"] = str(scenario.ruleset.version)
    return found


@lru_cache(maxsize=64)
def _versions_of(rulesets: tuple[str, ...]) -> dict[str, str]:
    known = ruleset_names()
    return versions_here() | {f"ruleset {name}": str(ruleset(name).version) for name in rulesets if name in known}


def differences(expected: dict[str, str], found: dict[str, str]) -> list[str]:
    """Where two sets of versions differ, in words.

    >>> differences({"numpy": "2.4.6"}, {"numpy": "2.0.0"})
    ['has numpy 2.0.0, expected 2.4.6']
    """
    return [
        f"has {name} {found.get(name, '(none)')}, expected {version}"
        for name, version in expected.items()
        if found.get(name) != version
    ]


def in_checked_worker(expected: dict[str, str], work: Callable[[P], R], piece: P) -> R:
    """Do a piece of work in a worker, unless its versions differ: workers may join at any time.

    A ruleset that is not registered came with the piece, so it is the same.
    """
    rulesets = tuple(name.removeprefix("ruleset ") for name in expected if name.startswith("ruleset "))
    found = _versions_of(rulesets)
    if wrong := differences({name: version for name, version in expected.items() if name in found}, found):
        raise SimError(f"a worker on {platform.node()} {'; '.join(wrong)}: every machine needs the same versions")
    return work(piece)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        message = "dask needs the package distributed, which is not installed; pip install 'fairfight[dask]'"
        raise InputError(Problem("--backend", message)) from None
    return distributed


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
