"""The whole-number arithmetic of attempts: formulas of the tables, targets and what meets them (P52-R7)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from sim.core.expr import Expression, parse
from sim.core.lanes import Whole
from sim.rulesets.p52 import data
from sim.rulesets.p52.build import HeroFacts

TOTALS = 32  # a flip, a stamina card and a bonus of 3: totals run from 0 to 31
MISS = -1
NO_LEAST = -(10**6)  # as good as no least target


@lru_cache(maxsize=1 << 12)
def read_formula(text: str, names: tuple[str, ...]) -> Expression:
    """A formula of the tables, read once."""
    return parse(text, names)


@lru_cache(maxsize=1 << 14)
def _value(text: str, names: tuple[str, ...], values: tuple[int, ...]) -> int:
    """A formula with these values: the same hero asks it again for every kind of enemy and in every fight."""
    return int(read_formula(text, names)(dict(zip(names, values, strict=True))))


def least_target(switches: Mapping[str, Any]) -> int:
    """P52-R7: targets are not below `min_target`."""
    least = switches["min_target"]
    return NO_LEAST if least == "none" else int(least)


class Sums:
    """P52-R7: the whole-number arithmetic of one hero: targets and hits under the switches."""

    def __init__(self, hero: HeroFacts, level: int, switches: Mapping[str, Any]) -> None:
        self.names = {**hero.cores, "Lv": hero.level, "L": level, "max_hp": hero.max_hp}
        self.least = least_target(switches)
        self.strict = 1 if switches["hero_hit"] == "greater" else 0

    def value(self, text: str, **more: int) -> int:
        """A formula of the tables."""
        names = self.names | more
        return _value(text, tuple(names), tuple(names.values()))

    def by_overage(self, text: str, overages: Whole, **more: int) -> Whole:
        """(overages,). A formula of the tables for each overage, not below 0."""
        names = self.names | more
        found = read_formula(text, (*names, "O"))({**names, "O": overages})
        return np.maximum(np.broadcast_to(np.asarray(found, dtype=np.int64), overages.shape), 0)

    def target(self, text: str, extra: int = 0, **more: int) -> int:
        """A target number, not below `min_target`."""
        return max(self.least, self.value(text, **more) + extra)

    def successes(self, target: int) -> Whole:
        """P52-C3, P52-H8: the totals that meet a target."""
        return np.arange(max(0, target + self.strict), TOTALS)


def weapon_of(hero: HeroFacts, serves: str, data_set: str) -> list[Mapping[str, Any]]:
    """The equipped items that serve for something."""
    items = data.of_set(data_set, "gear")
    return [items[item] | {"name": item} for item in hero.gear if serves in items[item].get("serves", ())]
