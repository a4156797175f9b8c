"""Struct-of-arrays state for a batch of runs: lanes, compaction when runs have finished, and joining what is left."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.core.ledger import Ledger
from sim.core.luck import Luck
from sim.core.outcomes import Outcome, Outcomes
from sim.core.telling import Recorder

Mask: TypeAlias = NDArray[np.bool_]
Lanes: TypeAlias = NDArray[np.int64]
T = TypeVar("T")
N = TypeVar("N", bound=np.generic)


def lanes(mask: Mask) -> Lanes:
    """The positions in the batch at which the mask holds, in order, each once."""
    return mask.nonzero()[0]


# Looking things up for some lanes. Plain fancy indexing says the same and takes two to five times as long.


def cut(table: NDArray[N], at: Lanes) -> NDArray[N]:
    """`table[..., at]`: all rows for these lanes. Only to read from: for all lanes it is the table itself."""
    return table if len(at) == table.shape[-1] else table.take(at, axis=-1)


def anywhere(at: Lanes, size: int) -> Lanes | slice:
    """The lanes to write to: all of a batch of this size are a slice, which is quicker than naming each."""
    return slice(None) if len(at) == size else at


def keep(values: NDArray[N], mask: Mask) -> NDArray[N]:
    """`values[mask]`, two to five times as quick where the mask is mixed."""
    return values.take(mask.nonzero()[0])


def each(table: NDArray[N], row: NDArray[np.integer], at: Lanes) -> NDArray[N]:
    """(lanes,). `table[row, at]`: one row per lane."""
    return table.reshape(-1).take(_places(table, row, at))


def put(table: NDArray[N], row: NDArray[np.integer], at: Lanes, value: Any) -> None:
    """`table[row, at] = value`: one row per lane; the table must be contiguous, as State arrays are."""
    table.reshape(-1)[_places(table, row, at)] = value


def add(table: NDArray[N], row: NDArray[np.integer], at: Lanes, value: Any) -> None:
    """`table[row, at] += value`: one row per lane, so that no place is named twice."""
    flat: NDArray[Any] = table.reshape(-1)
    flat[_places(table, row, at)] += value


def _places(table: NDArray[N], row: NDArray[np.integer], at: Lanes) -> NDArray[np.int64]:
    """Where one row per lane lies in the flat table; rows of any kind of number, since small ones would overflow."""
    places: NDArray[np.int64] = np.multiply(row, table.shape[-1], dtype=np.int64)
    places += at
    return places


@dataclass(slots=True)
class Batch:
    """What every game's state has. Games add their own arrays; the last axis is always the run."""

    luck: Luck
    live: Mask  # (runs,) still being played
    outcome: NDArray[np.int8]  # (runs,) an Outcome; DRAW until decided
    rounds: NDArray[np.int16]  # (runs,) rounds begun
    ledger: Ledger
    round: int  # the round being played, the same for all live runs; 0 before the first
    tell: Recorder | None  # listens to one run when somebody wants to hear it, else None

    @property
    def size(self) -> int:
        """How many runs the batch holds, finished ones included."""
        return len(self.live)

    def decide(self, at: Lanes, outcome: Outcome) -> None:
        """These runs are over."""
        self.outcome[at] = outcome
        self.live[at] = False

    def outcomes(
        self,
        at: Lanes,
        runs: NDArray[np.int64],
        book: Ledger,
        *,
        xp: NDArray[np.int32],
        counts: dict[str, NDArray[np.int32]],
        hp: NDArray[np.int32],
        present: Mask,
        dead: Mask,
    ) -> Outcomes:
        """The tables of the runs in these lanes; `book` is their part of the ledger, and `runs` are their numbers."""
        accounts = {field.name: getattr(book, field.name) for field in dataclasses.fields(book)}
        return Outcomes(
            run=runs,
            outcome=self.outcome[at],
            rounds=self.rounds[at],
            xp=xp,
            counts=counts,
            hp=hp,
            present=present,
            dead=dead,
            **accounts,
        )

    def match(self, other: Any) -> None:
        """Give both batches tables of one height before they are joined; for games whose tables grow in play."""


def only(state: T, at: Lanes) -> T:
    """The same state for some of its runs: every array cut along its last axis, at any depth.

    A frozen dataclass holds facts of the encounter that are the same for all runs, and is handed on as it is; so is the
    recorder, who goes on listening.
    """
    if isinstance(state, np.ndarray):
        return state.take(at, axis=-1)  # type: ignore[return-value]
    if isinstance(state, Luck):
        return state.only(at)  # type: ignore[return-value]
    if isinstance(state, dict):
        return type(state)((name, only(value, at)) for name, value in state.items())
    if type(state) in (list, tuple):
        return type(state)(only(value, at) for value in state)  # type: ignore[call-arg, attr-defined]
    if dataclasses.is_dataclass(state) and not isinstance(state, type) and not _shared(state):
        parts: dict[str, Any] = {}
        for field in dataclasses.fields(state):
            parts[field.name] = only(getattr(state, field.name), at)
        return type(state)(**parts)
    return state


def joined(one: T, other: T) -> T:
    """One state from two that stand at the same point of the same encounter: the opposite of `only`.

    A yes or no about the whole batch ("somebody was blessed") holds if it holds for either.
    """
    if isinstance(one, Batch):
        one.match(other)
    if isinstance(one, np.ndarray):
        return np.concatenate([one, other], axis=-1)  # type: ignore[return-value]
    if isinstance(one, Luck):
        return one.and_of(other)  # type: ignore[arg-type, return-value]
    if isinstance(one, dict):
        return type(one)((name, joined(value, other[name])) for name, value in one.items())  # type: ignore[index]
    if type(one) in (list, tuple):
        return type(one)(joined(mine, theirs) for mine, theirs in zip(one, other, strict=True))  # type: ignore
    if dataclasses.is_dataclass(one) and not isinstance(one, type) and not _shared(one):
        parts: dict[str, Any] = {}
        for field in dataclasses.fields(one):
            parts[field.name] = joined(getattr(one, field.name), getattr(other, field.name))
        return type(one)(**parts)
    if isinstance(one, bool):
        return one or other
    if isinstance(one, int) and one != other:
        raise ValueError(f"cannot join batches that differ in a number that all their runs share: {one} and {other}")
    return one


def _shared(state: Any) -> bool:
    return isinstance(state, Recorder) or bool(type(state).__dataclass_params__.frozen)
