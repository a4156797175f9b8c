"""Section 11.6: threat cards, and how numbers of models are written."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

PERIL = (3, 3, 4, 4, 5, 6)
# 11.6: cards as lists of (count, type or list of cards).
THREATS: dict[str, list[list[tuple[str, str]]]] = {
    "low": [
        [("P", "stranglers")],
        [("P", "void_spiders"), ("P", "stranglers")],
        [("1", "night_terrors"), ("P", "void_spiders")],
        [("P", "scourge_rats")],
        [("P+1", "crimson_hand")],
        [("2P", "void_spiders")],
    ],
    "med": [
        [("6", "hellbats")],
        [("1", "slashers"), ("P", "hellbats")],
        [("2", "low cards")],
        [("2P", "hungry_dead"), ("2", "corpse_pile")],
        [("6", "tentacles")],
        [("D3", "slashers")],
        [("6", "undead_outlaws")],
        [("P", "tentacles"), ("2P", "hungry_dead"), ("2", "corpse_pile")],
        [("1", "slashers"), ("1", "low cards")],
    ],
    "high": [
        [("D3", "night_terrors"), ("6", "stranglers")],
        [("6", "stranglers"), ("12", "void_spiders")],
        [("P", "stranglers"), ("P", "tentacles"), ("2P", "void_spiders")],
        [("3", "slashers")],
        [("3", "night_terrors")],
        [("6", "bandits"), ("1", "low cards")],
        [("6", "tentacles"), ("6", "hellbats")],
        [("2", "med cards")],
        [("12", "crimson_hand")],
        [("6", "undead_outlaws"), ("1", "med cards")],
        [("6", "hellbats"), ("2P", "hungry_dead"), ("3", "corpse_pile")],
        [("1", "slashers"), ("2", "low cards")],
        [("1", "night_terrors"), ("1", "med cards")],
    ],
    "epic": [
        [("1", "goliath"), ("1", "auto cards")],
        [("D3", "night_terrors"), ("2", "auto cards")],
        [("D3", "slashers"), ("2", "auto cards")],
    ],
}


def cards_for(called: str, posse_list: str) -> list[list[tuple[str, str]]]:
    """BF-S2: the cards among which the draw decides; a certain card such as "med:3" stands alone.

    `posse_list` is the list that belongs to the posse. Epic becomes High for one or two heroes, a certain Epic card
    stays.
    """
    listed, _, chosen = called.partition(":")
    if listed == "auto":
        listed = posse_list
    elif listed == "epic" and not chosen and posse_list == "low":
        listed = "high"
    return [THREATS[listed][int(chosen) - 1]] if chosen else THREATS[listed]


class Count(NamedTuple):
    """A number or dice such as "P", "2P", "P+1", "D3", "2D6+1"."""

    dice: tuple[str, ...]
    plus: int

    @property
    def most(self) -> int:
        return self.plus + sum({"P": 6, "D3": 3, "D6": 6}[die] for die in self.dice)


@cache
def read_count(text: str | int) -> Count:
    """A count as written in a scenario or on a card.

    >>> read_count("2P"), read_count("P+1"), read_count(3)
    (Count(dice=('P', 'P'), plus=0), Count(dice=('P',), plus=1), Count(dice=(), plus=3))
    """
    dice: list[str] = []
    plus = 0
    for term in str(text).upper().replace(" ", "").split("+"):
        match = re.fullmatch(r"(\d*)(P|D3|D6)", term)
        if match:
            dice += [match[2]] * int(match[1] or 1)
        else:
            plus += int(term)
    return Count(tuple(dice), plus)
