"""Abilities that are no attacks: Heal, Healing Glow, Revive and Threaten (P52-H8)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim.core.lanes import Lanes, Mask, Row, Whole, cut, each, keep, lookup, which
from sim.core.telling import Who
from sim.rulesets.p52 import faces
from sim.rulesets.p52.kits import Support
from sim.rulesets.p52.names import called
from sim.rulesets.p52.rules.cards import card_and_flip
from sim.rulesets.p52.rules.damage import heal_hero, remove, return_to_life
from sim.rulesets.p52.rules.ending import check_end
from sim.rulesets.p52.rules.hero_turns import set_down
from sim.rulesets.p52.state import ROUTED, State
from sim.rulesets.p52.sums import MISS


def attempt(
    s: State,
    hero: int,
    way: Support,
    param: Row,
    at: Lanes,
    with_card: Mask | None = None,
    whom: Who | Sequence[Who] | None = None,
) -> Whole:
    """P52-H8: (lanes,). The amount of a support ability, MISS where it failed. An Ace or King is an ordinary value.

    `whom` it is for, for whoever listens.
    """
    set_down(s, hero, at)
    extra, value = card_and_flip(s, hero, at, with_card, "P52-H8")
    amount = s.find(way.amount, at, param, value + extra).astype(np.int64)
    success = amount != MISS
    s.ledger.uses[way.row][at] += 1
    s.ledger.hits[way.row][at] += success
    s.earned[hero][at] += success * s.facts.switches["other_ability_xp"]
    if s.tell:
        enough = way.amount[faces.first(param)] != MISS
        rolls = [faces.attempt(s, hero, extra, 0, lambda totals: enough[totals], called(way.name))]
        s.tell.event("P52-H8", "tries", at, who=hero, whom=whom, rolls=rolls, ability=called(way.name), success=success)
    return amount


def heal(s: State, hero: int, friend: Whole, at: Lanes) -> None:
    """P52-H8, P52-C23: one living hero in sight."""
    way = s.facts.kits[hero].support["heal"]
    distance = lookup(s.space.ground.hero_range, cut(s.spot[hero], at), each(s.spot, friend, at))
    amount = attempt(s, hero, way, distance, at, whom=friend)
    for number in np.unique(friend).tolist():
        mine = which((friend == number) & (amount != MISS))
        if len(mine):
            heal_hero(s, number, at[mine], amount[mine], hero)


def glow(s: State, hero: int, at: Lanes) -> None:
    """P52-H8, P52-H11: every living hero; a stunned hero only itself."""
    amount = attempt(s, hero, s.facts.kits[hero].support["healing_glow"], 0, at)
    fit = cut(s.hp[hero], at) != 0
    for number in range(s.heroes):
        mine = which((amount != MISS) & (cut(s.hp[number], at) >= 0) & (fit | (number == hero)))
        if len(mine):
            heal_hero(s, number, at[mine], amount[mine], hero)


def revive(s: State, hero: int, friend: Whole, at: Lanes, with_card: Mask | None) -> None:
    """P52-H8, P52-C22: a dead hero in sight returns."""
    way = s.facts.kits[hero].support["revive"]
    for number in np.unique(friend).tolist():
        mine = which(friend == number)
        cards = None if with_card is None else with_card[mine]
        amount = attempt(s, hero, way, number, at[mine], cards, whom=number)  # the amount depends on who is revived
        back = amount != MISS
        if back.any():
            return_to_life(s, number, keep(at[mine], back), keep(amount, back))


def routable(s: State, at: Lanes) -> Mask:
    """P52-E20: (slots, lanes). Enemies that Threaten works on."""
    standing = s.standing_foes(at)
    return standing if s.facts.is_on("boss_rout") else standing & ~lookup(s.facts.type_boss, s.foe_kinds(at))


def threaten(s: State, hero: int, spot: Whole, at: Lanes, with_card: Mask | None) -> None:
    """P52-H8, P52-E20: all enemies on the spot but bosses are routed: no drop, no XP for defeating them."""
    way = s.facts.kits[hero].support["threaten"]
    hit = routable(s, at) & (s.foe_spots(at) == spot)
    whom = faces.units(s, which(hit[:, 0]).tolist()) if s.tell else None
    amount = attempt(s, hero, way, hit.sum(axis=0), at, with_card, whom=whom)
    for slot in range(s.space.slots):
        gone = keep(at, hit[slot] & (amount != MISS))
        if len(gone):
            s.count("routed", gone)
            remove(s, slot, gone, ROUTED)
    check_end(s, at)
