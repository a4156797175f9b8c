"""Struct-of-arrays state for a batch of runs: lanes, compaction when runs have finished, and joining what is left."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.core.lanes import Lanes, Mask, Row, Small, Tiny, Wide, columns, is_still, lookup, still, which
from sim.core.ledger import Ledger
from sim.core.luck import Luck
from sim.core.outcomes import Cast, Outcome
from sim.core.telling import Recorder
from sim.core.varying import Varying

T = TypeVar("T")
N = TypeVar("N", bound=np.generic)

# What a party takes along from one scene of an evening to the next: name -> array, whose last axis is the run; rows of
# heroes in roster order. As in {"health": (heroes, runs), "items": (items, heroes, runs), "darkness": (runs,)}.
Carried: TypeAlias = dict[str, NDArray[Any]]


@dataclass(slots=True)
class Batch:
    """What every game's state has. Games add their own arrays; the last axis is always the run."""

    luck: Luck
    live: Mask  # (runs,) still being played
    outcome: Tiny  # (runs,) an Outcome; DRAW until decided
    rounds: Small  # (runs,) rounds begun
    ledger: Ledger
    round: int  # the round being played, the same for all live runs; 0 before the first
    tell: Recorder | None  # listens to one run when somebody wants to hear it, else None
    variant: Small | None  # (runs,) which of several variants of the fight, where they share the batch; else None

    def __post_init__(self) -> None:
        """Whoever listens looks at the newest state; a compacted batch is a new one."""
        if self.tell is not None:
            self.tell.state = self

    @property
    def size(self) -> int:
        """How many runs the batch holds, finished ones included."""
        return len(self.live)

    @property
    def everyone(self) -> Lanes:
        """All lanes of the batch."""
        return np.arange(self.size)

    def most(self, at: Lanes) -> bool:
        """Whether these are so many that it is quicker to work something small out for all lanes, and cut that."""
        return 3 * len(at) > self.size

    def decide(self, at: Lanes, outcome: Outcome) -> None:
        """These runs are over."""
        self.outcome[at] = outcome
        self.live[at] = False

    def own(self, fact: Any, at: Lanes) -> Any:
        """A number or a column of numbers in these lanes, which may repeat: itself unless variants differ in it."""
        if not isinstance(fact, Varying):
            return fact
        assert self.variant is not None
        return fact.of(self.variant.take(at))

    def find(self, table: NDArray[Any] | Varying, at: Lanes, *index: Row) -> NDArray[Any]:
        """`lookup(table, *index)` in the table of each lane's variant; the lanes may repeat."""
        if not isinstance(table, Varying):
            return lookup(table, *index)
        assert self.variant is not None
        return lookup(table.table, self.variant.take(at), *index)

    def find_columns(self, table: NDArray[Any] | Varying, at: Lanes, *index: NDArray[np.integer]) -> NDArray[Any]:
        """`columns(table, *index)` in the table of each lane's variant; the lanes may repeat."""
        if not isinstance(table, Varying):
            return columns(table, *index)
        assert self.variant is not None
        return table.columns(self.variant.take(at), *index)

    def apart(self, fact: int, at: Lanes) -> Iterator[tuple[int, Lanes | slice]]:
        """A number that a rule needs as one number: each of its values, and the places in `at` that have it."""
        if not isinstance(fact, Varying):
            yield fact, slice(None)
            return
        own = self.own(fact, at)
        for value in np.unique(own).tolist():
            yield value, which(own == value)

    def match(self, other: Self) -> None:
        """Give both batches tables of one height before they are joined; for games whose tables grow in play."""


def beginning(luck: Luck, cast: Cast, tell: Recorder | None, unopened: Collection[str] = ()) -> dict[str, Any]:
    """What every game's state begins with: `State(**beginning(luck, facts.cast, tell), hp=..., ...)`.

    `unopened` are accounts of the ledger that begin still.
    """
    runs = len(luck.keys)
    return {
        "luck": luck,
        "live": np.ones(runs, dtype=bool),
        "outcome": np.full(runs, Outcome.DRAW, dtype=np.int8),
        "rounds": np.zeros(runs, dtype=np.int16),
        "ledger": Ledger.blank(len(cast.units), len(cast.abilities), runs, unopened),
        "round": 0,
        "tell": tell,
        "variant": None if cast.variants == 1 else variants_of(runs, cast.variants),
    }


def variants_of(runs: int, variants: int) -> Small:
    """(runs,). The variant of every lane: the first lanes are of the first, as many of the second, and so on."""
    return np.repeat(np.arange(variants, dtype=np.int16), runs // variants)


class Blank:
    """Makes the arrays of a fresh state, one row for each of so many things; without any rows one value per run.

    Those of `still` are for what many fights leave as it is: they have no room of their own until somebody has
    `written` to them.
    """

    def __init__(self, runs: int, variants: int = 1, keeps_still: bool = False) -> None:
        self.runs = runs
        self.variants = variants
        self.keeps_still = keeps_still
        self.variant = None if variants == 1 else variants_of(runs, variants)

    @property
    def still(self) -> Blank:
        """Makes arrays that are still."""
        return Blank(self.runs, self.variants, keeps_still=True)

    def tiny(self, *rows: int, value: int = 0) -> Tiny:
        """Numbers up to 127."""
        return self._full(rows, value, np.int8)

    def small(self, *rows: int, value: int = 0) -> Small:
        """Numbers up to 32,767."""
        return self._full(rows, value, np.int16)

    def wide(self, *rows: int, value: int = 0) -> Wide:
        """Numbers up to two thousand million."""
        return self._full(rows, value, np.int32)

    def mask(self, *rows: int, value: bool = False) -> Mask:
        """Yes or no."""
        return self._full(rows, value, np.bool_)

    def _full(self, rows: tuple[int, ...], value: int, kind: type[N]) -> NDArray[N]:
        if self.keeps_still:
            return still(np.full(rows, value, dtype=kind), self.runs)
        return np.full((*rows, self.runs), value, dtype=kind)

    def alike(self, values: ArrayLike, kind: type[np.generic] = np.int16) -> NDArray[Any]:
        """The same values in every run: from (rows,) to (rows, runs), from (rows, more) to (rows, more, runs).

        Of what varies, the value of each run's variant.
        """
        if self.variant is not None:
            return np.ascontiguousarray(self._by_variant(values), dtype=kind)
        column = np.asarray(values, dtype=kind)
        return still(column, self.runs) if self.keeps_still else np.repeat(column[..., None], self.runs, axis=-1)

    def _by_variant(self, values: Any) -> NDArray[Any]:
        """(..., runs). The same where variants share the batch."""
        if isinstance(values, Varying):
            return values.of(self.variant) if self.variant is not None else values.table
        if isinstance(values, (list, tuple)) and values:
            return np.stack([self._by_variant(value) for value in values])
        return np.repeat(np.asarray(values)[..., None], self.runs, axis=-1)


def only(state: T, at: Lanes) -> T:
    """The same state for some of its runs: every array cut along its last axis, at any depth.

    A frozen dataclass holds facts of the encounter that are the same for all runs, and is handed on as it is; so is the
    recorder, who goes on listening.
    """
    some: T = _only(state, at)
    return some


def joined(one: T, other: T) -> T:
    """One state from two that stand at the same point of the same encounter: the opposite of `only`.

    A yes or no about the whole batch ("somebody was blessed") holds if it holds for either.
    """
    both: T = _joined(one, other)
    return both


def leaves(part: Any) -> Iterator[NDArray[Any]]:
    """Every array that a part of a state holds, at any depth: all that its runs do not share."""
    kind: type = type(part)
    if isinstance(part, np.ndarray):
        yield part
    elif isinstance(part, dict):
        yield from leaves(list(part.values()))
    elif kind in (list, tuple):
        for value in part:
            yield from leaves(value)
    elif names := _parts(kind):  # none of luck, which is the run's own for good
        for name in names:
            yield from leaves(getattr(part, name))


# ---------------------------------------------------------------------------------------------------------------------
# At any depth
# ---------------------------------------------------------------------------------------------------------------------


def _only(part: Any, at: Lanes) -> Any:
    if isinstance(part, np.ndarray):
        return _still_for(part, len(at)) if is_still(part) else part.take(at, axis=-1)
    if isinstance(part, Luck):
        return part.only(at)
    if isinstance(part, dict):
        return type(part)((name, _only(value, at)) for name, value in part.items())
    if type(part) in (list, tuple):
        return type(part)(_only(value, at) for value in part)
    kind: type = type(part)
    if names := _parts(kind):
        return kind(**{name: _only(getattr(part, name), at) for name in names})
    return part


def _joined(one: Any, other: Any) -> Any:
    if isinstance(one, Batch):
        one.match(other)
    if isinstance(one, np.ndarray):
        if is_still(one) and is_still(other) and np.array_equal(one[..., :1], other[..., :1]):
            return _still_for(one, one.shape[-1] + other.shape[-1])
        return np.concatenate([one, other], axis=-1)
    if isinstance(one, Luck):
        return one.and_of(other)
    if isinstance(one, dict):
        return type(one)((name, _joined(value, other[name])) for name, value in one.items())
    if type(one) in (list, tuple):
        return type(one)(_joined(mine, theirs) for mine, theirs in zip(one, other, strict=True))
    kind: type = type(one)
    if names := _parts(kind):
        return kind(**{name: _joined(getattr(one, name), getattr(other, name)) for name in names})
    if isinstance(one, bool):
        return one or other
    if isinstance(one, int) and one != other:
        raise ValueError(f"cannot join batches that differ in a number that all their runs share: {one} and {other}")
    return one


def _still_for(table: NDArray[N], runs: int) -> NDArray[N]:
    """A table that is still, for so many runs."""
    if runs <= table.shape[-1]:
        return table[..., :runs]
    return np.broadcast_to(table[..., :1], (*table.shape[:-1], runs))


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    """The fields of a kind of state; none of what all runs share (facts, the recorder) and of what is no state."""
    made_by = getattr(kind, "__dataclass_params__", None)
    if made_by is None or made_by.frozen or issubclass(kind, Recorder):
        return ()
    return tuple(field.name for field in dataclasses.fields(kind))
