"""Pieces of work across processes: in order, again if a worker dies, and never more in flight than fits."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import TypeVar

P = TypeVar("P")
R = TypeVar("R")

RETRIES = 2  # of a piece whose worker died


def spread(
    work: Callable[[P], R],
    pieces: Sequence[P],
    jobs: int,
    died: Callable[[P, int], Exception],
    window: int | None = None,
) -> Generator[R]:
    """What the work makes of each piece, in the order of the pieces.

    Args:
        work: a function of a module, called in the workers.
        died: the error to raise for a piece whose worker has died so many times.
        window: how many pieces may be under way at once; None for all.
    """
    from concurrent.futures.process import BrokenProcessPool

    from joblib import Parallel, delayed

    at, failures = 0, 0
    while at < len(pieces):
        parallel = Parallel(n_jobs=jobs, return_as="generator", batch_size=1)
        results = parallel(delayed(in_worker)(work, piece) for piece in pieces[at : at + (window or len(pieces))])
        with closing(results):
            try:
                for result in results:
                    at, failures = at + 1, 0
                    yield result
            except BrokenProcessPool as broken:
                failures += 1
                if failures > RETRIES:
                    raise died(pieces[at], failures) from broken


def in_worker(work: Callable[[P], R], piece: P) -> R:
    """Do a piece of work in a worker, where Ctrl-C is the main process's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return work(piece)
