"""Luck for tests: exact chances of small examples, and rolls that are given.

Most examples are small enough to be played with every possible roll: `chances` walks the whole tree of chance and
returns exact probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any

from tests.oracle.luck import AddressedLuck


class TreeLuck:
    """Luck that follows a path of choices and takes the first choice beyond its end."""

    def __init__(self, path: Sequence[int] = ()) -> None:
        self.path = path
        self.taken: list[tuple[int, int]] = []  # choice, out of how many

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        step = len(self.taken)
        choice = self.path[step] if step < len(self.path) else 0
        self.taken.append((choice, n))
        return choice

    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        return 1 + self.below(sides, purpose, round, actor, index)

    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]:
        left, ordered = list(items), []
        while left:
            ordered.append(left.pop(self.below(len(left), purpose, round, actor) if len(left) > 1 else 0))
        return ordered


class FixedLuck(TreeLuck):
    """Luck that answers by purpose: the same roll for every draw of it, or a list used up in turn; else 1."""

    def __init__(self, rolls: dict[str, Any]) -> None:
        super().__init__()
        self.rolls = rolls

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        roll = self.rolls.get(purpose, 1)
        return int(roll.pop(0) if isinstance(roll, list) else roll) - 1


class OnceLuck(AddressedLuck):
    """Luck that notes when it is asked twice at one address, and refuses what is outside the bounds of an address."""

    def __init__(self, seed: int, run: int) -> None:
        super().__init__(seed, run)
        self.asked: set[tuple[str, int, int, int]] = set()
        self.twice: set[tuple[str, int, int, int]] = set()

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int:
        address = (purpose, round, actor, index)
        if address in self.asked:
            self.twice.add(address)
        assert 0 <= round < 2**24, address
        assert 0 <= actor < 2**20, address
        assert 0 <= index < 2**20, address
        self.asked.add(address)
        return super().below(n, purpose, round, actor, index)


def chances(experiment: Callable[[TreeLuck], Hashable]) -> dict[Any, Fraction]:
    """The exact probability of every result of an experiment."""
    results: dict[Any, Fraction] = {}
    paths: list[tuple[int, ...]] = [()]
    while paths:
        path = paths.pop()
        luck = TreeLuck(path)
        result = experiment(luck)
        weight = Fraction(1)
        for _, n in luck.taken:
            weight /= n
        results[result] = results.get(result, Fraction(0)) + weight
        choices = tuple(choice for choice, _ in luck.taken)
        for step in range(len(path), len(choices)):
            paths += [(*choices[:step], other) for other in range(1, luck.taken[step][1])]
    return results


def chance(experiment: Callable[[TreeLuck], bool]) -> Fraction:
    return chances(experiment).get(True, Fraction(0))


def mean(experiment: Callable[[TreeLuck], int]) -> Fraction:
    return sum((value * weight for value, weight in chances(experiment).items()), Fraction(0))
