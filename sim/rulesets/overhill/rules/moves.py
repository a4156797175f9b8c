"""Front guard and rear guard: formation, stepping up, moving; and using items (sections 3.2, 5 and 11.4)."""

from __future__ import annotations

import numpy as np

from sim.core.choose import pick
from sim.core.lanes import Lanes, Mask, Whole, cut, which
from sim.rulesets.overhill import data
from sim.rulesets.overhill.rules.damage import restore
from sim.rulesets.overhill.state import NEUTRAL, Facts, State

REAR_FIRST = ("magic_user", "rogue", "priest")
POTION, TONIC, OIL, SMOKE, ACID = range(5)


# Formation. Before the fight begins everybody stands, so it is the same in all runs unless it is drawn.


def standard_formation(facts: Facts) -> Mask:
    """(heroes,). OU-S6, OU-P2: who stands in front when everybody with a rear attack goes to the rear who may."""
    return _send_back(facts, REAR_FIRST)


def casters_rear(facts: Facts) -> Mask:
    """(heroes,). OU-S6: only magic users go to the rear."""
    return _send_back(facts, ("magic_user",))


def _send_back(facts: Facts, classes: tuple[str, ...]) -> Mask:
    front = np.ones(len(facts.heroes), dtype=bool)
    for hero_class in classes:
        for h, hero in enumerate(facts.heroes):
            if hero.hero_class == hero_class and hero.rear_attack and _fits(facts, front, h):
                front[h] = False
    return fit_front(facts, front[:, None])[:, 0]


def _fits(facts: Facts, front: Mask, h: int) -> bool:
    """OU-P2: whether hero h may go to the rear too."""
    weight = sum(hero.weight for i, hero in enumerate(facts.heroes) if front[i] and i != h)
    in_rear = int((~front).sum()) + 1
    return in_rear <= weight * facts.rear // facts.per_front


def random_formation(s: State) -> Mask:
    """(heroes, runs). OU-S6: in roster order each hero goes to the rear by the toss of a coin, if legal."""
    facts = s.facts
    front = np.ones((s.heroes, s.size), dtype=bool)
    for h in range(s.heroes):
        wants = s.luck.below(2, "formation", 0, h) == 1
        others = front.copy()
        others[h] = False
        weight = (others * facts.weight).sum(axis=0)
        fits = (~front).sum(axis=0) + 1 <= weight * facts.rear // facts.per_front
        front[h] = ~(wants & fits)
    return fit_front(facts, front)


def fit_front(facts: Facts, front: Mask) -> Mask:
    """(heroes, runs). OU-P3: while the front exceeds `front_max`, heroes move to the rear, warriors last."""
    order = [h for c in (*REAR_FIRST, "warrior") for h, hero in enumerate(facts.heroes) if hero.hero_class == c]
    front = front.copy()
    for h in order:
        front[h] &= front.sum(axis=0) <= facts.front_max
    return front


def step_up(s: State) -> None:
    """OU-P5: while the rear holds too many and the front has room, the healthiest rear hero goes to the front."""
    at = which(s.live)
    while len(at):
        crowded = s.rear_count(at) > s.rear_capacity(s.front_weight(at))
        room = s.front_count(at) < s.facts.front_max
        at = at[crowded & room]
        if not len(at):
            break
        able = s.standing(at) & ~cut(s.front, at) & (cut(s.paralysed, at) == 0)
        hero = pick(able, by=(-cut(s.health, at),))
        found = hero >= 0
        at, hero = at[found], hero[found]
        if len(at):
            s.front[hero, at] = True
            if s.tell:
                s.tell("OU-P5", int(hero[0]), "steps up to the front guard", at)


# Moving as an action.


def may_move_back(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). OU-A9: the rear must still be covered by the front that is left."""
    left = s.front_weight(at) - s.facts.heroes[hero].weight
    return cut(s.front[hero], at) & (s.rear_count(at) + 1 <= s.rear_capacity(left))


def may_move_up(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). OU-A9: unless the front is full."""
    return ~cut(s.front[hero], at) & (s.front_count(at) < s.facts.front_max)


def move(s: State, hero: int, at: Lanes, to_front: bool) -> None:
    """OU-A9, OU-R8: change guard; neutral until the end of the round."""
    s.ledger.uses[s.ability(hero, "move"), at] += 1
    s.front[hero, at] = to_front
    s.stance[hero, at] = NEUTRAL
    if s.tell:
        s.tell("OU-A9", hero, f"moves to the {'front' if to_front else 'rear'} guard", at)


# Items.


def carries(s: State, hero: int, item: int, at: Lanes) -> Mask:
    """(lanes,). OU-A6: whether the item is in the inventory."""
    return cut(s.items[item, hero], at) > 0


def use_item(s: State, hero: int, item: int, at: Lanes, group: Whole | None = None) -> None:
    """OU-A6, 11.4: the item is used up and works: on its user, or on a group."""
    name = data.ITEMS[item]
    s.items[item, hero, at] -= 1
    s.ledger.uses[s.ability(hero, name), at] += 1
    if item == POTION:
        gained = restore(s, hero, hero, at, s.luck.die(6, "OU-A6", s.round, hero, 0, at))
        if s.tell:
            s.tell("OU-A6", hero, "drinks a healing potion", at, gained=gained, health=s.health[hero, at])
        return
    if item == TONIC:
        s.tonic[hero, at] += 1
    elif item == OIL:
        s.oil[hero, at] += 1
    elif group is not None:
        table = s.attack_mod if item == SMOKE else s.defence_mod
        table[group, at] -= 1
    if s.tell:
        s.tell("OU-A6", hero, f"uses a {name.replace('_', ' ')}", at)
