"""What an attack is worth, and whom a policy prefers (BF-P2 to BF-P5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import narrow, nth
from sim.core.lanes import Lanes, Mask, Whole, columns, lookup
from sim.rulesets.brimstone.build import HATCHET, MELEE, UNIT, Mode, Plot, value_table
from sim.rulesets.brimstone.data import VENOM
from sim.rulesets.brimstone.plan import Order, Plan
from sim.rulesets.brimstone.rules.places import adjacent_models, models_in_range, ranges
from sim.rulesets.brimstone.state import State

Worth = NDArray[np.int32]


class Scales:
    """The value tables of every hero's modes; a mode is numbered as in `HeroFacts.modes`, free modes follow."""

    def __init__(self, plot: Plot) -> None:
        self.dodging = bool(plot.bestiary.table["dodge"].any()) if plot.bestiary.profiles else False
        distances = 1
        if self.dodging:
            distances = 2 if plot.ground is None else plot.ground.largest_range + 1
        self.distances = distances
        self.profiles = max(1, len(plot.bestiary.profiles))
        self.modes: list[tuple[Mode, ...]] = [(*hero.modes, *hero.free_modes) for hero in plot.heroes]
        known: dict[Mode, NDArray[np.int32]] = {}
        for modes in self.modes:
            for mode in modes:
                if mode not in known:
                    known[mode] = value_table(mode, plot.bestiary, distances)
        self.tables = [[known[mode] for mode in modes] for modes in self.modes]

    def per_die(self, s: State, hero: int, mode: int, at: Lanes, needed: NDArray[Any], distance: NDArray[Any]) -> Worth:
        """(slots, lanes). BF-P3: the worth of one die against every model, in 576ths."""
        table = self.tables[hero][mode]
        place = columns(s.profile, at).astype(np.int32)
        place += needed.astype(np.int32) * self.profiles
        if self.dodging:
            place *= self.distances
            place += distance
        return table.reshape(-1).take(place)

    def worth(
        self, s: State, hero: int, mode: int, at: Lanes, cell: Any, distance: NDArray[Any] | None = None
    ) -> Worth:
        """(slots, lanes). BF-P3: AV in 576ths of a mode against every model, from a cell."""
        facts = self.modes[hero][mode]
        if distance is None:
            distance = ranges(s, cell, at) if self.dodging else np.zeros(1, np.int16)
        needed = number_needed(s, hero, facts, at, cell)
        dice = dice_of(s, hero, mode, at)
        value = self.per_die(s, hero, mode, at, needed, distance)
        if not facts.first_shots:
            return value * dice
        off = np.maximum(0, dice - facts.first_shots - s.shot_bonus[hero].take(at))
        harder = self.per_die(s, hero, mode, at, np.minimum(needed + 1, 6), distance)
        return value * (dice - off) + harder * off


def dice_of(s: State, hero: int, mode: int, at: Lanes) -> NDArray[Any]:
    """(lanes,). BF-H12 to BF-H14: the dice of a mode; 1 for free items (BF-H25)."""
    if mode >= len(s.facts.plot.heroes[hero].modes):
        return np.ones(len(at), dtype=np.int8)
    return s.dice[hero, mode].take(at)


def number_needed(s: State, hero: int, mode: Mode, at: Lanes, cell: Any) -> NDArray[np.int8]:
    """(lanes,). BF-H15: the To Hit number with all modifiers, at least 2 and at most 6, or 8 on a D8."""
    base = s.th_ranged if mode.ranged else s.th_melee
    needed = base[hero].take(at) + (s.status[VENOM, hero].take(at) > 0)
    if "daunt" in s.facts.any_has:
        needed = needed + daunted(s, at, cell)
    return np.clip(needed, 2, mode.sides)


def daunted(s: State, at: Lanes, cell: Any) -> Mask:
    """(lanes,). Elite Hungry Dead: heroes on their tile need 1 more."""
    there = columns(s.alive, at) & (s.figure("daunt", columns(s.profile, at)) > 0)
    if s.ground is not None:
        there &= lookup(s.ground.same_tile, columns(s.spot, at), cell)
    return np.asarray(there.any(axis=0))


def legal_targets(s: State, hero: int, mode: Mode, at: Lanes, cell: Any, adjacent: Mask | None = None) -> Mask:
    """(slots, lanes). BF-P2, BF-H12, BF-H13: melee adjacent enemies; guns adjacent ones first, else those in range."""
    if adjacent is None:
        adjacent = adjacent_models(s, cell, at)
    if mode.sort == MELEE or s.ground is None:
        return adjacent
    reach = s.strength[hero].take(at) + np.int16(3) if mode.sort == HATCHET else mode.reach
    pressed = adjacent.any(axis=0)
    if pressed.all():
        return adjacent
    far = models_in_range(s, cell, at, reach)
    far &= ~pressed
    return far | adjacent


def preferred(
    s: State, hero: int, plan: Plan, legal: Mask, at: Lanes, cell: Any, worth: Any, distance: NDArray[Any] | None = None
) -> Whole:
    """(lanes,). BF-P4, BF-P5: the first legal enemy in the policy's order; -1 where there is none."""
    left = legal
    for key, largest in keys_of(s, plan.order, at, cell, worth, distance):
        left = narrow(left, np.broadcast_to(key, left.shape), largest)
    if s.facts.reuse:
        left = narrow(left, columns(s.serial, at))
    return nth(left, 0)


def keys_of(
    s: State, order: Order, at: Lanes, cell: Any, worth: Any, distance: NDArray[Any] | None = None
) -> Iterator[tuple[NDArray[Any], bool]]:
    """The keys of a policy's order, each (slots, lanes) or (slots, 1), and whether the largest comes first."""
    asked: dict[str, Any] = {}

    def about(name: str) -> Any:
        if name not in asked:
            asked[name] = enemy_fact(s, name, at, cell, worth, distance)
        return asked[name]

    for key, largest in order:
        value = np.asarray(key(about))
        if value.dtype == np.float64:
            value = value.view(np.int64)  # positive numbers keep their order as bits
        yield value, largest


def enemy_fact(s: State, name: str, at: Lanes, cell: Any, worth: Any, distance: NDArray[Any] | None) -> Any:
    """(slots, lanes). What a name about enemies means."""
    if name == "their_range":
        return ranges(s, cell, at) if distance is None else distance
    if name == "their_threat":
        return s.figure("threat", columns(s.profile, at))
    left = s.figure("health", columns(s.profile, at)) - columns(s.hurt, at)
    if name == "their_health":
        return left
    value = worth() if callable(worth) else worth
    if name == "their_worth":
        return value
    # BF-P3: whole numbers divided once are equal as floats exactly when the quotients are equal.
    low = value * 100 < UNIT
    effort = left * float(UNIT) / np.maximum(value, 1)
    return np.where(low, left * 100.0, effort)
