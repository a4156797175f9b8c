"""Every course that a piece of the game can take, with its exact chance; and luck with chosen faces."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from tests.oracle.overhill import magic, prepare, setup, state

F = Fraction
W, R, P, M = "warrior", "rogue", "priest", "magic_user"
MANY = 50  # a group too large to run out


class Course:
    """Luck that follows a given course of choices and then always takes the first."""

    def __init__(self, path: list[list[int]]) -> None:
        self.path = path
        self.asked = 0
        self.chance = F(1)

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        if self.asked == len(self.path):
            self.path.append([0, n])
        choice = self.path[self.asked][0]
        self.asked += 1
        self.chance /= n
        return choice

    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return 1 + self.below(sides, purpose, round, actor, index)

    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]:
        orders = list(itertools.permutations(items))
        return list(orders[self.below(len(orders), purpose, round, actor)])


def every_course(piece: Callable[[Any], Any]) -> dict[Any, F]:
    """The exact chance of every outcome of a piece of the game."""
    chances: dict[Any, F] = defaultdict(F)
    path: list[list[int]] = []
    while True:
        luck = Course(path)
        outcome = piece(luck)
        chances[outcome] += luck.chance
        while path and path[-1][0] == path[-1][1] - 1:
            path.pop()
        if not path:
            return dict(chances)
        path[-1][0] += 1


class Scripted:
    """Luck with chosen faces: {(purpose, round, index): face}; every other die shows its highest (or lowest) face."""

    def __init__(self, faces: dict[tuple[str, int, int], int] | None = None, high: bool = True) -> None:
        self.faces = faces or {}
        self.high = high
        self.log: list[tuple[str, int, int, int]] = []  # purpose, round, actor, index

    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        self.log.append((purpose, round, actor, index))
        return self.faces.get((purpose, round, index), sides if self.high else 1)

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return self.die(n, purpose, round, actor, index) - 1

    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]:
        return list(items)


def fight_of(
    heroes: Sequence[str | dict[str, Any]], enemies: Sequence[tuple[str, Any]], luck: Any = None, **more: Any
) -> state.Fight:
    """A fight in round 1, formed up, nothing done yet."""
    entries = [hero if isinstance(hero, dict) else {"class": hero} for hero in heroes]
    scenario = {"heroes": entries, "enemies": [{"type": kind, "count": n} for kind, n in enemies], **more}
    fight = setup.set_up(prepare(scenario), luck or Scripted())
    fight.round = 1
    return fight


def chances_of(
    do: Callable[[state.Fight], Any], heroes: Sequence[Any], enemies: Sequence[tuple[str, Any]], **more: Any
) -> dict[Any, F]:
    """The exact chances of what `do` returns, done to a fresh fight."""
    return every_course(lambda luck: do(fight_of(heroes, enemies, luck, **more)))


def kills_of(action: Callable[..., None], hero: int = 0, **before: Any) -> Callable[[state.Fight], int]:
    """The kills of one action of a hero on the first group; `before` sets fields of the hero."""

    def do(fight: state.Fight) -> int:
        for name, value in before.items():
            setattr(fight.heroes[hero], name, value)
        action(fight, fight.heroes[hero], fight.groups[0])
        return fight.heroes[hero].kills

    return do


def in_order(chances: dict[int, F]) -> list[F]:
    return [chances.get(k, F(0)) for k in range(max(chances) + 1)]


def mean(chances: dict[int, F]) -> F:
    return sum((k * chance for k, chance in chances.items()), F(0))


def dart(fight: state.Fight, hero: state.Hero, group: state.Group) -> None:
    magic.magic_dart(fight, hero, group, 0)


def pushed_dart(fight: state.Fight, hero: state.Hero, group: state.Group) -> None:
    magic.magic_dart(fight, hero, group, 1)
