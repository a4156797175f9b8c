"""The policy `random_legal`: anything legal, by lot (section 10; the order of choices is in the README)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.choose import count, nth
from sim.core.lanes import Lanes, Mask, Whole, cut
from sim.rulesets.overhill.rules import magic, moves, prayers
from sim.rulesets.overhill.state import State

if TYPE_CHECKING:
    from sim.rulesets.overhill.policy import Heroes



def anything(heroes: Heroes, s: State, hero: int, among: tuple[str, ...], at: Lanes) -> None:
    """Choose a kind uniformly among those with a choice, then one of its choices uniformly, and do it."""
    choices = np.stack([number_of_choices(heroes, s, hero, kind, at) for kind in among])  # (kinds, lanes)
    open_kinds = choices > 0
    kind = nth(open_kinds, s.luck.below(count(open_kinds), "kind", s.round, hero, 0, at))
    able = kind >= 0
    at, kind, choices = at[able], kind[able], choices[:, able]
    drawn = s.luck.below(choices[kind, np.arange(len(at))], "choice", s.round, hero, 0, at)
    for code, name in enumerate(among):
        chosen = kind == code
        if chosen.any():
            do_choice(heroes, s, hero, name, at[chosen], drawn[chosen])


def number_of_choices(heroes: Heroes, s: State, hero: int, kind: str, at: Lanes) -> Whole:
    """(lanes,). How many choices a kind of action has."""
    if kind == "heal":
        return count(below_maximum(s, hero, at)) * (s.facts.switches["bump_max"] + 1)
    if kind == "bless":
        return count(blessings_open(s, hero, at))
    if kind == "item":
        return count(items_open(s, hero, at))
    if kind == "move":
        return (moves.may_move_back(s, hero, at) | moves.may_move_up(s, hero, at)).astype(np.int64)
    groups = count(heroes.strike_candidates(s, hero, kind, at))
    return groups * (magic.most_pushes(s.facts.heroes[hero].level) + 1) if kind == "dart" else groups


def do_choice(heroes: Heroes, s: State, hero: int, kind: str, at: Lanes, drawn: Whole) -> None:
    """Carry out the drawn choice of a kind."""
    if kind == "heal":
        per_hero = s.facts.switches["bump_max"] + 1
        prayers.heal(s, hero, nth(below_maximum(s, hero, at), drawn // per_hero), at, drawn % per_hero)
    elif kind == "bless":
        row = nth(blessings_open(s, hero, at), drawn)
        prayers.bless(s, hero, row // 4, at, row % 4)
    elif kind == "item":
        use_drawn_item(s, hero, at, nth(items_open(s, hero, at), drawn))
    elif kind == "move":
        back = moves.may_move_back(s, hero, at)
        for where, to_front in ((at[back], False), (at[~back], True)):
            if len(where):
                moves.move(s, hero, where, to_front)
    else:
        legal = heroes.strike_candidates(s, hero, kind, at)
        groups = count(legal)
        heroes.strike(s, hero, kind, nth(legal, drawn % groups), at, drawn // groups)


def below_maximum(s: State, hero: int, at: Lanes) -> Mask:
    """(heroes, lanes). Whom a priest may heal."""
    return prayers.healable(s, at) & (cut(s.health, at) < s.facts.max_health) & prayers.may_pray(s, hero, at)


def blessings_open(s: State, hero: int, at: Lanes) -> Mask:
    """(heroes x attributes, lanes). Every standing hero and attribute not yet blessed, hero by hero."""
    free = ~cut(s.blessed, at) & s.standing(at)  # (attributes, heroes, lanes)
    pairs = free.transpose(1, 0, 2).reshape(-1, len(at))
    return pairs & prayers.may_pray(s, hero, at)


def items_open(s: State, hero: int, at: Lanes) -> Mask:
    """(3 + 2 x groups, lanes). Potion, tonic, oil, then the groups for smoke and the groups for acid."""
    living = cut(s.n, at) > 0
    potion = moves.carries(s, hero, moves.POTION, at) & (cut(s.health[hero], at) < s.facts.max_health[hero])
    rows = [potion, moves.carries(s, hero, moves.TONIC, at), moves.carries(s, hero, moves.OIL, at)]
    smoke = living & moves.carries(s, hero, moves.SMOKE, at)
    acid = living & moves.carries(s, hero, moves.ACID, at)
    return np.concatenate([np.stack(rows), smoke, acid])


def use_drawn_item(s: State, hero: int, at: Lanes, row: Whole) -> None:
    """Use the item that a row of `items_open` stands for."""
    spans = [(moves.POTION, 0, 1), (moves.TONIC, 1, 2), (moves.OIL, 2, 3)]
    spans += [(moves.SMOKE, 3, 3 + s.groups), (moves.ACID, 3 + s.groups, 3 + 2 * s.groups)]
    for item, first, last in spans:
        chosen = (row >= first) & (row < last)
        if chosen.any():
            moves.use_item(s, hero, item, at[chosen], row[chosen] - first)
