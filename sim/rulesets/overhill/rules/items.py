"""Using items."""

from __future__ import annotations

from sim.core.lanes import Lanes, Mask, Whole, add, cut, written
from sim.core.telling import dice
from sim.rulesets.overhill.data import ACID, ITEMS, OIL, POTION, SMOKE, TONIC
from sim.rulesets.overhill.rules.damage import restore
from sim.rulesets.overhill.state import State


def carries(s: State, hero: int, item: int, at: Lanes) -> Mask:
    """(lanes,). OU-A6: whether the item is in the inventory."""
    return cut(s.items[item, hero], at) > 0


def use_item(s: State, hero: int, item: int, at: Lanes, group: Whole) -> None:
    """OU-A6: the item is used up and works: on its user, or on a group."""
    name = ITEMS[item]
    s.items = written(s.items)
    s.items[item, hero][at] -= 1
    s.ledger.uses[s.ability(hero, name)][at] += 1
    if item == POTION:
        drink_potion(s, hero, at)
        return
    if item == TONIC:
        s.tonic = written(s.tonic)
        s.tonic[hero][at] += 1
    elif item == OIL:
        s.oil = written(s.oil)
        s.oil[hero][at] += 1
    elif item == SMOKE:
        s.attack_mod = written(s.attack_mod)
        add(s.attack_mod, group, at, -1)
    else:
        s.defence_mod = written(s.defence_mod)
        add(s.defence_mod, group, at, -1)
    if s.tell:
        on = int(s.unit[group[0], at[0]]) if item in (SMOKE, ACID) else None
        s.tell.event("OU-A6", "uses", at, who=hero, whom=on, item=name)


def drink_potion(s: State, hero: int, at: Lanes) -> None:
    """OU-A6, OU-D11: the user regains 1d6."""
    die = s.luck.die(6, "OU-A6", s.round, hero, 0, at)
    gained = restore(s, hero, hero, at, die)
    if s.tell:
        healing = [dice(die, 6, purpose="healing")]
        s.tell.event(
            "OU-A6", "drinks_potion", at, who=hero, rolls=healing, healed=gained, health=cut(s.health[hero], at)
        )
