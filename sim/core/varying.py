"""Facts in which variants of a fight differ that share a batch: one value for every variant.

A fight that is played alone has no such facts: its numbers are numbers and its tables are tables. Where variants share
a batch (`sim.core.variants`), what differs among them is a `Varying`, and `Batch.variant` tells the variant of a lane.
Rules read what may vary with three words of the batch, which cost nothing where nothing varies:

    s.own(kit.max_hp, at)                   a number, or a column of numbers, in these lanes
    s.find(facts.type_hp, at, kind)         an entry of a table per lane: `lookup(facts.type_hp, kind)`
    s.find_columns(space.seen, at, spot)    a column of a table per lane: `columns(space.seen, spot)`

A fact that is read in any other way than by these words raises an error, so that nobody reads another variant's number
by mistake.

Which facts may vary is said where they are declared, in a table beside the fields of a frozen dataclass:

    VARIES: ClassVar[Varies] = may_vary("max_hp", "hp", movement=above_zero)

The names alone may differ freely; with a function they may differ as long as the function says the same of each. A
field that is not named there must be the same in all variants, or they are not played together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import columns

Alike: TypeAlias = Callable[[Any], Hashable]
Varies: TypeAlias = Mapping[str, Alike]

UNION = "union"  # of a mapping: what is asked for in any of the variants
UNREAD = "unread"  # of what is read only to make other facts, which vary with it


class Varying:
    """One value, or one table, for every variant. Read with `own`, `find` and `find_columns` of a batch."""

    __slots__ = ("_columns", "table")

    def __init__(self, table: NDArray[Any]) -> None:
        self.table = table  # (variants, ...)
        self._columns: dict[int, NDArray[Any]] = {}

    @property
    def shape(self) -> tuple[int, ...]:
        """How large the table of each variant is."""
        return self.table.shape[1:]

    def __eq__(self, other: object) -> bool:
        raise TypeError("a fact that varies cannot be compared: read it with `own` or `find` of the batch")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError("a fact that varies is neither true nor false: read it with `own` or `find` of the batch")

    def __sub__(self, number: int) -> Varying:
        return Varying(self.table - number)

    def of(self, variant: NDArray[np.integer]) -> NDArray[Any]:
        """(lanes,) of a number, (rows, lanes) of a column (rows, 1) or of a list (rows,): the value of each lane."""
        if self.table.ndim == 1:
            return self.table.take(variant)
        return self._with_variants_at(0).take(variant, axis=-1)

    def columns(self, variant: NDArray[np.integer], *index: NDArray[np.integer]) -> NDArray[Any]:
        """One column per lane, of the table of its variant."""
        return columns(self._with_variants_at(len(index)), variant, *index)

    def _with_variants_at(self, behind: int) -> NDArray[Any]:
        """The table with the variants as an axis before so many last ones; a last axis of 1 gives way to it."""
        if behind not in self._columns:
            table = self.table
            if behind == 0 and table.ndim > 2 and table.shape[-1] == 1:
                table = table[..., 0]
            self._columns[behind] = np.ascontiguousarray(np.moveaxis(table, 0, -1 - behind))
        return self._columns[behind]


def largest(value: Any) -> int:
    """The largest that a number is in any of the variants: how far a table must reach."""
    return int(value.table.max()) if isinstance(value, Varying) else int(value)


def anyhow(value: Any) -> Hashable:
    """Values may differ freely."""
    return None


def above_zero(value: Any) -> Hashable:
    """Values may differ as long as all of them are above 0, or none is."""
    return bool(value > 0)


def given(value: Any) -> Hashable:
    """Values may differ freely, if there are any: None in one variant is None in all."""
    return value is None


def in_any(value: Any) -> Hashable:
    """Of a mapping: what is in any of them is in all, since what has the same key is the same."""
    return UNION


def unread(value: Any) -> Hashable:
    """Of anything: nobody reads it while the fight is played, only what was made of it before."""
    return UNREAD


def may_vary(*freely: str, **alike: Alike) -> Varies:
    """Which fields may differ among variants: some freely, others as long as a function says the same of each."""
    return dict.fromkeys(freely, anyhow) | alike
