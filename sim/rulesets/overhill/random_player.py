"""The policy `random_legal`: anything legal, by lot. The order of choices is in the README."""

from __future__ import annotations

import numpy as np

from sim.core.choose import count, nth
from sim.core.lanes import Lanes, Mask, Whole, columns, cut, each, which
from sim.rulesets.overhill import data
from sim.rulesets.overhill.rules import hero_actions, hero_moves, items, magic, prayers
from sim.rulesets.overhill.state import State


def anything_legal(s: State, hero: int, among: tuple[str, ...], at: Lanes) -> None:
    """Choose a kind uniformly among those with a choice, then one of its choices uniformly, and do it."""
    choices = np.stack([number_of_choices(s, hero, kind, at) for kind in among])  # (kinds, lanes)
    open_kinds = choices > 0
    kind = nth(open_kinds, s.luck.below(count(open_kinds), "kind", s.round, hero, 0, at))
    able = which(kind >= 0)
    at, kind, choices = at[able], kind[able], columns(choices, able)
    drawn = s.luck.below(each(choices, kind, np.arange(len(at))), "choice", s.round, hero, 0, at)
    for code, name in enumerate(among):
        chosen = which(kind == code)
        if len(chosen):
            do_choice(s, hero, name, at[chosen], drawn[chosen])


def number_of_choices(s: State, hero: int, kind: str, at: Lanes) -> Whole:
    """(lanes,). How many choices a kind of action has."""
    if kind == "heal":
        return count(prayers.may_heal(s, hero, at)) * (s.facts.switches["bump_max"] + 1)
    if kind == "bless":
        return count(blessings_open(s, hero, at))
    if kind == "item":
        return count(items_open(s, hero, at))
    if kind == "move":
        return count((hero_moves.may_move_back(s, hero, at) | hero_moves.may_move_up(s, hero, at))[None])
    groups = count(hero_actions.reach(s, hero, kind, at))
    return groups * (magic.most_pushes(s.facts.heroes[hero].level) + 1) if kind == "dart" else groups


def do_choice(s: State, hero: int, kind: str, at: Lanes, drawn: Whole) -> None:
    """Carry out the drawn choice of a kind."""
    if kind == "heal":
        per_hero = s.facts.switches["bump_max"] + 1
        prayers.heal(s, hero, nth(prayers.may_heal(s, hero, at), drawn // per_hero), at, drawn % per_hero)
    elif kind == "bless":
        target, attribute = np.divmod(nth(blessings_open(s, hero, at), drawn), len(data.ATTRIBUTES))
        prayers.bless(s, hero, target, at, attribute)
    elif kind == "item":
        use_drawn_item(s, hero, at, nth(items_open(s, hero, at), drawn))
    elif kind == "move":
        back = hero_moves.may_move_back(s, hero, at)
        for moving, to_front in ((at[back], False), (at[~back], True)):
            if len(moving):
                hero_moves.move(s, hero, moving, to_front)
    else:
        legal = hero_actions.reach(s, hero, kind, at)
        groups = count(legal)
        hero_actions.attack(s, hero, kind, nth(legal, drawn % groups), at, drawn // groups)


def blessings_open(s: State, hero: int, at: Lanes) -> Mask:
    """(heroes x attributes, lanes). Every standing hero and attribute not yet blessed, hero by hero."""
    free = np.stack([prayers.may_bless(s, hero, attribute, at) for attribute in range(len(data.ATTRIBUTES))], axis=1)
    return np.concatenate(free)  # from (heroes, attributes, lanes)


def items_open(s: State, hero: int, at: Lanes) -> Mask:
    """(3 + 2 x groups, lanes). Potion, tonic, oil, then the groups for smoke and the groups for acid."""
    living = cut(s.n, at) > 0
    hurt = cut(s.health[hero], at) < s.own(s.facts.heroes[hero].max_health, at)
    potion = items.carries(s, hero, data.POTION, at) & hurt
    rows = [potion, items.carries(s, hero, data.TONIC, at), items.carries(s, hero, data.OIL, at)]
    smoke = living & items.carries(s, hero, data.SMOKE, at)
    acid = living & items.carries(s, hero, data.ACID, at)
    return np.concatenate([np.stack(rows), smoke, acid])


def use_drawn_item(s: State, hero: int, at: Lanes, row: Whole) -> None:
    """Use the item that a row of `items_open` stands for."""
    spans = [(data.POTION, 0, 1), (data.TONIC, 1, 2), (data.OIL, 2, 3)]
    spans += [(data.SMOKE, 3, 3 + s.groups), (data.ACID, 3 + s.groups, 3 + 2 * s.groups)]
    for item, first, last in spans:
        chosen = which((row >= first) & (row < last))
        if len(chosen):
            items.use_item(s, hero, item, at[chosen], row[chosen] - first)
