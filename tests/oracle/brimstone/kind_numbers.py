"""Which kind made by a line takes the number of its type (the README of the ruleset, "Numbers that addresses use")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .bestiary import TYPE_NUMBER, TYPES, Kind
from .cards import cards_for


def taken_places(of_lines: Sequence[Kind], on_cards: set[str], spawned: set[str]) -> list[bool]:
    """For the kind of every enemy line: whether its type cannot come into the fight in another way.

    Every line counts, whatever its number of models, and a line that names a made kind counts for the type which that
    kind was made from.
    """
    lines_of = Counter(kind.base for kind in of_lines)
    return [lines_of[kind.base] == 1 and kind.base not in on_cards | spawned for kind in of_lines]


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


def spawned_kinds(of_lines: Iterable[Kind], on_cards: set[str], named: dict[str, Kind]) -> set[str]:
    """The names that anything in the fight spawns: kinds of lines, types of cards, and what these spawn in turn.

    Elite results change how often a kind spawns, never what.
    """
    spawned: set[str] = set()
    waiting = [*of_lines, *(TYPES[TYPE_NUMBER[name]] for name in on_cards)]
    while waiting:
        spawn = waiting.pop().spawn
        if spawn and spawn[1] not in spawned:
            spawned.add(spawn[1])
            waiting.append(named[spawn[1]])
    return spawned
