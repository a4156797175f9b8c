"""What an attack is worth, and whom a policy prefers (BF-P2 to BF-P5).

The lanes may repeat: a policy that weighs squares asks about a run once for every square.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from sim.core.choose import Keys, first, narrow, several
from sim.core.lanes import Lanes, Mask, Small, Tiny, Whole, Wide, columns, lookup, which
from sim.rulesets.brimstone.build import UNIT, Mode
from sim.rulesets.brimstone.facts import Facts, may_dodge
from sim.rulesets.brimstone.plan import Order
from sim.rulesets.brimstone.rules.modes import dice_of, number_needed, off_hand_dice
from sim.rulesets.brimstone.rules.places import Cell, ranges
from sim.rulesets.brimstone.state import State

Worth: TypeAlias = Wide  # (slots, lanes) in 576ths
Weighing: TypeAlias = "Worth | Callable[[Lanes, Cell], Worth]"  # the worth, or how to find it out where somebody asks

OF_ANY_MODE = frozenset({"their_range", "their_threat", "their_health"})  # names that mean the same for every mode


class Scales:
    """What every hero's modes are worth; a mode is numbered as in `HeroFacts.modes`, free modes follow."""

    def __init__(self, facts: Facts) -> None:
        self.dodging = may_dodge(facts.plot)
        self.modes: list[tuple[Mode, ...]] = [(*hero.modes, *hero.free_modes) for hero in facts.plot.heroes]
        self.tables = facts.die_worth

    def per_die(self, s: State, hero: int, mode: int, at: Lanes, needed: Tiny, distance: Small | None) -> Worth:
        """(slots, lanes). BF-P3: the worth of one die against every model, in 576ths."""
        table, profile = self.tables[hero][mode], columns(s.profile, at)
        return lookup(table, needed, profile) if distance is None else lookup(table, needed, profile, distance)

    def worth(self, s: State, hero: int, mode: int, at: Lanes, cell: Cell, distance: Small | None = None) -> Worth:
        """(slots, lanes). BF-P3: AV in 576ths of a mode against every model, from a cell."""
        facts = self.modes[hero][mode]
        if not self.dodging:
            distance = None
        elif distance is None:
            distance = ranges(s, cell, at)
        needed = number_needed(s, hero, facts, at, cell)
        dice = dice_of(s, hero, mode, at)
        value = self.per_die(s, hero, mode, at, needed, distance)
        if not facts.first_shots:
            return value * dice
        off = off_hand_dice(s, hero, facts, dice, at)
        harder = self.per_die(s, hero, mode, at, np.minimum(needed + 1, 6), distance)
        return value * (dice - off) + harder * off


def preferred_enemy(
    s: State, hero: int, legal: Mask, at: Lanes, cell: Cell, worth: Weighing, distance: Small | None = None
) -> Whole:
    """(lanes,). BF-P4, BF-P5: the first legal enemy in the policy's order; -1 where there is none."""
    to_weigh = which(several(legal))
    if 4 * len(to_weigh) > 3 * len(at):
        return first_in_order(s, hero, legal, at, cell, worth, distance)
    chosen = first(legal)  # of one there is nothing to weigh
    if len(to_weigh):
        weighing = worth if callable(worth) else columns(worth, to_weigh)
        ranges_to = None if distance is None else columns(distance, to_weigh)
        legal, at, cell = columns(legal, to_weigh), columns(at, to_weigh), columns(cell, to_weigh)
        chosen[to_weigh] = first_in_order(s, hero, legal, at, cell, weighing, ranges_to)
    return chosen


def first_in_order(
    s: State, hero: int, legal: Mask, at: Lanes, cell: Cell, worth: Weighing, distance: Small | None
) -> Whole:
    """(lanes,). The same where all legal enemies are weighed."""
    left = legal
    for key, largest in keys_of(s, s.facts.plans[hero].order, at, cell, worth, distance):
        left = narrow(left, key if key.shape == left.shape else np.broadcast_to(key, left.shape), largest)
    if s.facts.reuse:
        left = narrow(left, columns(s.serial, at))
    return first(left)


def keys_of(
    s: State, order: Order, at: Lanes, cell: Cell | None, worth: Weighing, distance: Small | None = None
) -> Iterator[tuple[Keys, bool]]:
    """The keys of a policy's order, each (slots, lanes) or (slots, 1), and whether the largest comes first.

    The cell may be left out where no key asks about the range.
    """
    asked: dict[str, Keys] = {}

    def about(name: str) -> Keys:
        if name not in asked:
            asked[name] = enemy_fact(s, name, at, cell, worth, distance)
        return asked[name]

    for key, largest in order:
        # A bare name is looked up as it is: its kind of number is smaller, and so faster, than that of formulas.
        value = np.asarray(about(key.text) if key.text in key.names else key(about))
        if value.dtype == np.float64:
            value = value.view(np.int64)  # positive numbers keep their order as bits
        yield value, largest


def enemy_fact(
    s: State, name: str, at: Lanes, cell: Cell | None, worth: Weighing, distance: Small | None
) -> Keys:
    """(slots, lanes). What a name about enemies means."""
    if name == "their_range":
        if distance is not None:
            return distance
        assert cell is not None
        return ranges(s, cell, at)
    if name == "their_threat":
        return s.figure("threat", columns(s.profile, at))
    left = s.figure("health", columns(s.profile, at)) - columns(s.hurt, at)
    if name == "their_health":
        return left
    if callable(worth):
        assert cell is not None
        worth = worth(at, cell)
    if name == "their_worth":
        return worth
    # BF-P3: whole numbers divided once are equal as floats exactly when the quotients are equal.
    low = worth * 100 < UNIT
    effort = left * float(UNIT) / np.maximum(worth, 1)
    return np.where(low, left * 100.0, effort)
