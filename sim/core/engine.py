"""The loop: play(encounter, seed, runs) -> outcomes.

All runs of a batch are played in lock-step, round by round. Finished runs are harvested and, when fewer than half of
the batch is still live, compacted away, so that the last long fights do not drag the rest along.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Batch, Lanes, lanes, only
from sim.core.luck import Luck
from sim.core.outcomes import Cast, Outcomes
from sim.core.telling import Recorder

S = TypeVar("S", bound=Batch)


class Encounter(ABC, Generic[S]):
    """A fight ready to be played: a ruleset's compiled scenario. Playing never changes it."""

    cast: Cast

    @abstractmethod
    def start(self, luck: Luck, tell: Recorder | None) -> S:
        """Everything before round 1, for as many runs as the luck is for."""

    @abstractmethod
    def play_round(self, s: S) -> None:
        """One round of all live runs; `s.round` has been counted up. Decides the runs that end in it."""

    @abstractmethod
    def harvest(self, s: S, at: Lanes, runs: NDArray[np.int64]) -> Outcomes:
        """The tables of the runs in these lanes, which are over; `runs` are their numbers."""


def play(encounter: Encounter[Any], seed: int, runs: NDArray[np.int64], tell: Recorder | None = None) -> Outcomes:
    """Play the runs with these numbers to their end. Run k is run k, whatever it is played together with."""
    if tell is not None:
        tell.names = [unit.name for unit in encounter.cast.units]
    s = encounter.start(Luck.of(seed, runs), tell)
    waiting = np.asarray(runs, dtype=np.int64)  # the numbers of the runs in the batch, finished or not
    harvested: list[Outcomes] = []
    while True:
        live = int(np.count_nonzero(s.live))
        if live == 0 or 2 * live < s.size:
            over = lanes(~s.live)
            harvested.append(encounter.harvest(s, over, waiting[over]))
            if live == 0:
                break
            going = lanes(s.live)
            waiting = waiting[going]
            s = only(s, going)
        s.round += 1
        s.rounds[s.live] = s.round
        if tell is not None:
            tell.round = s.round
        encounter.play_round(s)
    return _in_order(harvested, runs)


def _in_order(parts: list[Outcomes], runs: NDArray[np.int64]) -> Outcomes:
    """One table from the parts, with the runs in the order in which they were asked for."""
    place = np.empty(len(runs), dtype=np.int64)  # where the k-th run asked for stands in the joined parts
    place[np.argsort(runs, kind="stable")] = np.argsort(np.concatenate([part.run for part in parts]), kind="stable")

    def joined(name: str) -> Any:
        values = [getattr(part, name) for part in parts]
        if isinstance(values[0], dict):
            return {key: np.concatenate([value[key] for value in values])[place] for key in values[0]}
        return np.concatenate(values, axis=-1).take(place, axis=-1)

    return Outcomes(**{field.name: joined(field.name) for field in fields(Outcomes)})
