"""Situations and luck for the worked examples of Second Era, against the scalar referee.

Chances are computed exactly: `every_outcome` plays a situation once for every sequence of random numbers that it can
ask for, and adds up the fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from math import factorial
from typing import Any

from tests.oracle.second_era import prepare
from tests.oracle.second_era.creatures import enemy_turn
from tests.oracle.second_era.engage import engage, gather
from tests.oracle.second_era.play import hero_turns
from tests.oracle.second_era.state import Battle, Creature, Hero

HALF = Fraction(1, 2)
Entry = dict[str, Any]


class OneBranch:
    """Luck that answers from a list and notes how many answers each question had."""

    def __init__(self, answers: Sequence[int]) -> None:
        self.answers = list(answers)
        self.sizes: list[int] = []

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        place = len(self.sizes)
        self.sizes.append(n)
        if place >= len(self.answers):
            self.answers.append(0)
        return self.answers[place]

    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return 1 + self.below(sides, purpose, round, actor, index)

    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]:
        number = self.below(factorial(len(items)), purpose, round, actor)
        return list(list(permutations(items))[number])


def every_outcome(once: Callable[[OneBranch], Any]) -> dict[Any, Fraction]:
    """The exact chance of everything that `once` can return."""
    chances: dict[Any, Fraction] = defaultdict(Fraction)
    open_branches: list[list[int]] = [[]]
    while open_branches:
        start = open_branches.pop()
        luck = OneBranch(start)
        seen = once(luck)
        chance = Fraction(1)
        for size in luck.sizes:
            chance /= size
        chances[seen] += chance
        for place in range(len(start), len(luck.sizes)):
            for answer in range(1, luck.sizes[place]):
                open_branches.append([*luck.answers[:place], answer])
    return dict(chances)


class Faces:
    """Luck with given dice: one list of numbers per purpose; ties go to the first candidate."""

    def __init__(self, **dice: Sequence[int]) -> None:
        self.dice = {purpose.replace("_", "-"): list(numbers) for purpose, numbers in dice.items()}

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return 0

    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return self.dice[purpose].pop(0)

    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]:
        return list(items)


# A standard enemy die shows 0 on number 1, 1 on 2 to 5, 2 on 6; T,1,1,1,1,2 dice likewise show T, 1, 2.
MISS, ONE, TWO = 1, 2, 6


def unit(health: int, q: int, r: int, **more: Any) -> Entry:
    """A party unit that only stands there: no dice to guard with."""
    return {"class": "knight", "health": health, "hex": [q, r], **more}


def enemy(kind: str = "skeever", q: int | None = None, r: int = 0, **more: Any) -> Entry:
    entry: Entry = {"type": kind, **more}
    if q is not None:
        entry["hex"] = [q, r]
    return entry


def scenario(heroes: list[Entry], enemies: list[Entry], board: Any = "tile19", **more: Any) -> Entry:
    return {"heroes": heroes, "enemies": enemies, "map": board, "level": 2, **more}


def battle_of(
    heroes: list[Entry], enemies: list[Entry], board: Any = "tile19", luck: Any = None, **more: Any
) -> Battle:
    return Battle(prepare(scenario(heroes, enemies, board, **more)), luck or Faces())


def walker(q: int, r: int, **more: Any) -> Entry:
    """An enemy that marks whom it targets with Bane and deals no damage."""
    return enemy("skeever", q, r, **{"combat": 0, "skills": ["Bane"], **more})


def enemy_moves(heroes: list[Entry], enemies: list[Entry], board: Any = "tile19", **more: Any) -> dict[Any, Fraction]:
    """Where the first enemy ends its turn and which adventurers it targets, with exact chances."""
    ready = prepare(scenario(heroes, enemies, board, **more))

    def once(luck: OneBranch) -> Any:
        battle = Battle(ready, luck)
        enemy_turn(battle, battle.enemies[0])
        return battle.board.spots[battle.enemies[0].hex], tuple(h.actor for h in battle.heroes if h.has("Bane"))

    return every_outcome(once)


def engage_once(battle: Battle, hero: Hero, form: str, target: Creature | None, types: Sequence[str]) -> None:
    battle.start_turn(hero)
    hero.engages_this_turn = 0
    engage(battle, hero, form, target, gather(hero, types, form))


def mean(chances: dict[int, Fraction]) -> Fraction:
    return sum((value * chance for value, chance in chances.items()), Fraction(0))


KNIGHT = {"class": "knight"}
ARCHER = {"class": "archer"}
MAGE = {"class": "mage"}
ROCK = {"tiles": [{"name": "A", "disks": [[0, 0, 2]]}], "impassable": [[0, 0]]}


def engaging(
    hero: Entry, form: str, types: Sequence[str], numbers: Sequence[int], foe: Entry | None = None, **more: Any
) -> Battle:
    """One engage from (0,0) at an enemy on (1,0), or at nobody."""
    target = foe or {"type": "troll", "health": 20}
    luck = Faces(SE_A6=numbers, SE_E10=[], **{"SE_5.4": [ONE] * 4, "SE_11.6": [TWO]})
    battle = battle_of([{**hero, "hex": [0, 0]}], [{"hex": [1, 0], **target}], luck=luck, **more)
    engage_once(battle, battle.heroes[0], form, battle.enemies[0] if foe is not None else None, types)
    return battle


FOE: Entry = {"type": "troll", "health": 20}


def turn_of(hero: Entry, others: Sequence[Entry] = (), foes: Sequence[Entry] = (), **more: Any) -> Battle:
    """The battle after the first adventurer's turn, with ones on every die."""
    luck = Faces(**{name: [ONE] * 40 for name in ("SE_A6", "SE_5.4", "SE_11.6", "SE_11.7", "SE_E10")})
    battle = battle_of([hero, *others], list(foes) or [enemy("ogre", 2, 0, health=30)], luck=luck, **more)
    hero_turns(battle, battle.heroes[0])
    return battle
