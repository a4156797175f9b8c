"""The roll of an adventurer's engage: its dice, and what has come of them so far."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sim.core.lanes import Lanes, Mask, Small, Tiny, Whole, cut
from sim.rulesets.second_era.data import MAIM
from sim.rulesets.second_era.rules.dice import Dice
from sim.rulesets.second_era.state import State


@dataclass(frozen=True, slots=True)
class Die:
    """One die of an engage, in all lanes that rolled it."""

    code: int
    face: Whole  # (lanes that have it,) 0 to 5
    place: Whole  # (lanes that have it,) its place in the gather order
    lane: Lanes  # which lanes of the roll have it
    at: Lanes  # the same as lanes of the batch


@dataclass(slots=True)
class Roll:
    """An engage in progress."""

    hero: int
    form: int
    at: Lanes
    target: Whole  # (lanes,) rows, -1 without a target
    aimed: Mask  # (lanes,) has a target
    number: Whole  # (lanes,) which engage of the round this is
    combat: Small  # (lanes,) sum of Combat dice, which Maim halves
    other: Small  # (lanes,) damage of other dice
    misses: Small  # (lanes,) dice that deal no damage
    ignore: Small  # (lanes,) defense that does not count
    tired: Small  # (lanes,) light fatigue from results
    hides: Mask  # (lanes,) gains Stealth
    bane: Mask  # (lanes,) gains Bane after the engage
    maim: Mask  # (lanes,) was under Maim when the dice were rolled
    pile: Dice  # exhausted dice by type
    instances: list[tuple[bool, Small]] = field(default_factory=list)  # per_die: whether a Combat die, and its damage

    def exhaust(self, code: int, lane: Lanes, number: int | Mask = 1) -> None:
        """So many dice of a type go to the pile in some lanes of the roll."""
        if code not in self.pile:
            self.pile[code] = np.zeros(len(self.at), dtype=np.int8)
        self.pile[code][lane] += number

    def in_all_lanes(self, value: Small | Tiny, lane: Lanes) -> Small:
        """(lanes,). A value that some lanes have; 0 elsewhere."""
        wide = np.zeros(len(self.at), dtype=np.int16)
        wide[lane] = value
        return wide


def new_roll(s: State, hero: int, form: int, target: Whole, at: Lanes) -> Roll:
    """An engage of which no die has been rolled."""
    size = len(at)
    return Roll(
        hero=hero,
        form=form,
        at=at,
        target=target,
        aimed=target >= 0,
        number=cut(s.engages_round[hero], at).astype(np.int64),  # wide, since it is multiplied
        combat=np.zeros(size, dtype=np.int16),
        other=np.zeros(size, dtype=np.int16),
        misses=np.zeros(size, dtype=np.int16),
        ignore=np.zeros(size, dtype=np.int16),
        tired=np.zeros(size, dtype=np.int16),
        hides=np.zeros(size, dtype=bool),
        bane=np.zeros(size, dtype=bool),
        maim=s.under(MAIM, hero, at),
        pile={},
    )
