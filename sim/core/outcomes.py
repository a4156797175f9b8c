"""What a run yields: the same tables for every game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Mask, Small, Tiny, Whole, Wide
from sim.core.varying import Varies, may_vary


class Outcome(IntEnum):
    """How an encounter ended, seen from the party."""

    WIN = 0
    LOSS = 1
    DRAW = 2  # the round cap came first
    AVOIDED = 3  # no fight took place: talked or sneaked past
    EMPTY = 4  # there was nobody to fight; left out of every rate
    TURNED_BACK = 5  # of an evening: the party went home before its last scene


@dataclass(frozen=True, slots=True)
class Unit:
    """A row of the units table."""

    name: str
    side: str  # "party" or "enemy"
    kind: str  # class or type
    max_hp: int | None = None  # None where it differs from run to run or has no meaning

    VARIES: ClassVar[Varies] = may_vary("max_hp")


def told_apart(names: Sequence[str]) -> list[str]:
    """Names for units, those that occur more than once with a number.

    >>> told_apart(["wolf", "crab", "wolf"])
    ['wolf 1', 'crab', 'wolf 2']
    """
    seen: dict[str, int] = {}
    told = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        told.append(f"{name} {seen[name]}" if names.count(name) > 1 else name)
    return told


@dataclass(frozen=True, slots=True)
class Ability:
    """A row of the abilities table: what one unit can do."""

    unit: int  # row in `Cast.units`
    name: str
    common: bool = False  # open to everybody, such as a step or a blow: that a unit never used it is no news


def room_counts(room: int) -> tuple[str, str, str, str]:
    """The columns that tell of one room of a gauntlet: reached, won, rounds in it, hit points left when it was won.

    All are 0 in runs that never came there, so that their sums are those of the runs that did.
    """
    return (f"room_{room + 1}_reached", f"room_{room + 1}_won", f"room_{room + 1}_rounds", f"room_{room + 1}_hp")


@dataclass(frozen=True, slots=True)
class Cast:
    """Who and what appears in the tables of an encounter."""

    units: tuple[Unit, ...]
    abilities: tuple[Ability, ...]
    counts: dict[str, str] = field(default_factory=dict)  # further per-run columns of the game: name -> what it counts
    met: tuple[str, ...] = ()  # what chance brings into some runs and not into others, by which results are split
    rooms: tuple[str, ...] = ()  # of a gauntlet or an evening, by name; the counts of `room_counts` tell of each
    kinds: tuple[str, ...] = ()  # of the scenes of an evening: fight, rest or level_up; empty for anything else
    variants: int = 1  # how many variants of the fight share its batches: see `sim.core.variants`

    @property
    def plain_counts(self) -> dict[str, str]:
        """The counts of the fight as a whole, without those of single rooms."""
        of_rooms = tuple(f"room_{room + 1}_" for room in range(len(self.rooms)))
        return {name: about for name, about in self.counts.items() if not name.startswith(of_rooms)}

    @property
    def party(self) -> list[int]:
        """Rows of the party's units."""
        return [row for row, unit in enumerate(self.units) if unit.side == "party"]


@dataclass(slots=True)
class Ending:
    """How some runs ended, as the game counts it; the rest of `Outcomes` is the engine's business."""

    hp: Wide  # (units, runs)
    present: Mask  # (units, runs)
    dead: Mask  # (units, runs)
    xp: Wide  # (runs,)
    counts: dict[str, Wide]  # name -> (runs,)
    met: dict[str, Mask] = field(default_factory=dict)  # name -> (runs,); the names of `Cast.met`


@dataclass(slots=True)
class Outcomes:
    """The tables of a batch of runs. The last axis is the run, in the order of `run`."""

    run: Whole  # (runs,) the run's number
    outcome: Tiny  # (runs,)
    rounds: Small  # (runs,) rounds begun
    xp: Wide  # (runs,)
    counts: dict[str, Wide]  # name -> (runs,); the names of `Cast.counts`

    hp: Wide  # (units, runs) hit points left; for a group, how many are left
    present: Mask  # (units, runs) False where the unit is not in this run's fight
    dead: Mask  # (units, runs) dead or removed at the end
    down_round: Small  # (units, runs) round in which it first went down; -1 if never
    damage_dealt: Wide  # (units, runs)
    damage_taken: Wide
    healing: Wide  # (units, runs) hit points this unit gave back, to anyone
    kills: Wide
    downs: Wide  # how often it went down

    uses: Wide  # (abilities, runs)
    hits: Wide
    damage: Wide

    met: dict[str, Mask] = field(default_factory=dict)  # name -> (runs,); the names of `Cast.met`
    known_luck: NDArray[np.float64] | None = None  # (runs,) what the luck was worth, where account is kept of it

    @property
    def size(self) -> int:
        """How many runs there are."""
        return len(self.run)
