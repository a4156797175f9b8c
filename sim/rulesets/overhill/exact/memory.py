"""What monsters remember: who killed how many, boiled down to what their choice of a target depends on."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from sim.rulesets.overhill.exact.party import Fight, Party

Kills: TypeAlias = tuple[tuple[int, ...], ...]  # [column][hero]; a column is a group, or all of them together
Numbers: TypeAlias = tuple[int, ...]  # monsters left, group by group


class Memory:
    """OU-E6, OU-U7: the kills that count: of the own group or of all, in the previous round or in this one.

    Only the order of the standing heroes matters, so the kills of a column are kept as ranks: 0 for the fewest. The
    column of a group that is gone is empty. When monsters choose by lot they remember nothing: there is no column.
    """

    def __init__(self, fight: Fight) -> None:
        self.forgetful = fight.on("monster_targeting", "random")
        self.together = fight.on("threat_scope", "all")
        self.present = fight.on("threat_window", "current_round")
        columns = 0 if self.forgetful else 1 if self.together else len(fight.groups)
        self.nothing: Kills = ((0,) * len(fight.heroes),) * columns

    def added(self, kills: Kills, hero: int, before: Numbers, after: Numbers) -> Kills:
        """The kills after a hero has brought the numbers from `before` to `after`."""
        if self.forgetful or before == after:
            return kills
        removed = [old - new for old, new in zip(before, after, strict=True)]
        if self.together:
            removed = [sum(removed)]
        return tuple(
            (*column[:hero], column[hero] + more, *column[hero + 1 :]) if more else column
            for column, more in zip(kills, removed, strict=True)
        )

    def ranked(self, kills: Kills, n: Numbers, party: Party) -> Kills:
        """The kills as ranks among those who stand, for the groups that live."""
        if self.forgetful:
            return kills
        living = (True,) if self.together else tuple(number > 0 for number in n)
        return _ranked(kills, living, tuple(hero.health > 0 for hero in party))

    def of_group(self, ranks: Kills, group: int) -> tuple[int, ...]:
        """The ranks that a group goes by."""
        return () if self.forgetful else ranks[0 if self.together else group]


@cache
def _ranked(kills: Kills, living: tuple[bool, ...], standing: tuple[bool, ...]) -> Kills:
    return tuple(_ranks(column, standing) if alive else () for column, alive in zip(kills, living, strict=True))


def _ranks(column: tuple[int, ...], standing: tuple[bool, ...]) -> tuple[int, ...]:
    """Dense ranks: the fewest kills are 0, the next 1. Heroes who are down, and the already ranked, stay in order.

    >>> _ranks((4, 0, 1, 1), (True, True, True, False))
    (2, 0, 1, 0)
    """
    if not column:
        return column
    values = sorted({kills for kills, stands in zip(column, standing, strict=True) if stands})
    return tuple(values.index(kills) if stands else 0 for kills, stands in zip(column, standing, strict=True))
