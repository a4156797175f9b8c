"""Which kind made by a line takes the number of its type (the README of the ruleset, "Numbers that addresses use")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from .bestiary import TYPES, Kind
from .cards import cards_for


def own_numbers(
    kinds: Sequence[Kind], number: Mapping[str, int], lines: Sequence[int], on_cards: set[str], spawned: set[str]
) -> list[int]:
    """The kinds that take the number of their type, because nobody else of that type can come into the fight.

    Every line counts, whatever its number of models, and a line that names a made kind counts for the type which that
    kind was made from. An own type as it is counts once, however many lines and Spawns bring it.
    """
    own = {line for line in lines if kinds[line].own}
    own |= {number[name] for name in spawned if number[name] >= len(TYPES)}
    met = [line for line in lines if not kinds[line].own] + sorted(own)
    of_base = Counter(kinds[one].base for one in met)

    def takes(one: int) -> bool:
        base = kinds[one].base
        itself = number.get(base) == one
        return of_base[base] == 1 and base in number and (itself or base not in on_cards | spawned)

    return [one for one in met if takes(one)]


def types_on_cards(threat: Iterable[str], posse_list: str) -> set[str]:
    """The types on all cards that may be drawn, those included which other cards call for."""
    types: set[str] = set()
    seen: set[str] = set()
    waiting = list(threat)
    while waiting:
        called = waiting.pop()
        if called in seen:
            continue
        seen.add(called)
        for card in cards_for(called, posse_list):
            for _, what in card:
                if what.endswith(" cards"):
                    waiting.append(what.removesuffix(" cards"))
                else:
                    types.add(what)
    return types
