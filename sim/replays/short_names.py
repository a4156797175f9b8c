"""Short names for units, as they stand on a board: no two alike."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST = 3


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Up to three characters for each name: its initials, its number if it has one, more letters where two are alike.

    >>> short_names(["warrior", "magic_user", "skeleton 1", "skeleton 2", "wolf", "K hearts"])
    {'warrior': 'Wa', 'magic_user': 'MU', 'skeleton 1': 'S1', 'skeleton 2': 'S2', 'wolf': 'Wo', 'K hearts': 'KH'}
    """
    wishes = {name: _wishes(name) for name in names}
    first = [next(iter(wish)) for wish in wishes.values()]
    taken: set[str] = set()
    short = {}
    for name, wish in wishes.items():
        alike = first.count(wish[0]) > 1
        ways = wish[1:] + wish[:1] if alike else wish
        short[name] = next((way for way in ways if way not in taken), None) or _numbered(wish[0], taken)
        taken.add(short[name])
    return short


def _wishes(name: str) -> list[str]:
    """The ways to shorten a name, best first."""
    words = re.findall(r"[^\W\d_]+", name) or [name.strip() or "?"]
    number = "".join(re.findall(r"\d+", name))[-2:]
    initials = "".join(word[0] for word in words).upper()
    longer = [words[0][0].upper() + words[0][1:2], words[0][0].upper() + words[0][1:3]]
    if number:
        return [way[: LONGEST - len(number)] + number for way in [initials, *longer]]
    return [initials[:LONGEST], *longer] if len(words) > 1 else [initials, *longer]


def _numbered(initial: str, taken: set[str]) -> str:
    return next(way for number in range(1, 1_000) if (way := f"{initial[0]}{number}") not in taken)
