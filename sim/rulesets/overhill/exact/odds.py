"""What one roll can do, counted face by face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import TypeAlias

Chance: TypeAlias = "Fraction | float"  # a Fraction or a float; one kind throughout a solution
Share: TypeAlias = Callable[[int, int], Chance]  # k out of n

MOST_WAYS = 20_000  # in which one phase can go
MOST_LINKS = 10_000_000  # from states to what can follow them: under a minute of work and 200 MB


class TooLarge(Exception):  # noqa: N818 (a limit, caught by the caller)
    """The fight has more situations than the solver takes on."""


def hits(total: int, defence: int, meet: bool) -> int:
    """OU-A1: none unless the total is above the defence (or reaches it), else how often the defence fits into it.

    >>> [hits(total, 3, meet=False) for total in range(10)]
    [0, 0, 0, 0, 1, 1, 2, 2, 2, 3]
    """
    if total < defence or (total == defence and not meet):
        return 0
    return total // defence


@cache
def attack_ways(die: int, bonus: int, defence: int, meet: bool) -> dict[int, int]:
    """Hits of one attack -> on how many faces."""
    return Counter(hits(face + bonus, defence, meet) for face in range(1, die + 1))


@cache
def low_attack_ways(die: int, bonus: int, defence: int, meet: bool) -> dict[int, int]:
    """OU-U8: hits of an attack with disadvantage -> on how many pairs of faces."""
    faces = range(1, die + 1)
    return Counter(hits(min(one, two) + bonus, defence, meet) for one in faces for two in faces)


@cache
def loss_ways(die: int, bonus: int, attack: int, meet: bool, damage: str) -> dict[int, int]:
    """OU-D2, OU-D3: health lost to one attack -> on how many faces of the defence die; 0 is a dodge."""
    ways: Counter[int] = Counter()
    for face in range(1, die + 1):
        total = face + bonus
        dodged = total > attack or (meet and total == attack)
        margin = attack - total if meet else attack - total + 1
        cost = {"one": 1, "attack": max(1, attack), "margin": max(1, margin)}[damage]
        ways[0 if dodged else cost] += 1
    return ways
