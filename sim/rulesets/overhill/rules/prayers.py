"""Prayers of priests: Heal and Bless."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Mask, Row, Whole, cut, each, put, written
from sim.core.telling import Roll, dice
from sim.rulesets.overhill import data
from sim.rulesets.overhill.rolls import check
from sim.rulesets.overhill.rules.damage import restore
from sim.rulesets.overhill.rules.dice import die_of, roll
from sim.rulesets.overhill.state import State


def may_pray(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). OU-Y1: a priest who has not lapsed, from either guard."""
    if s.facts.heroes[hero].hero_class != "priest":
        return np.zeros(len(at), dtype=bool)
    return ~cut(s.lapsed[hero], at)


def healable(s: State, at: Lanes) -> Mask:
    """(heroes, lanes). OU-Y4: standing heroes; with `heal_downed` = yes the fallen too."""
    if s.facts.is_on("heal_downed", "yes"):
        return np.ones((s.heroes, len(at)), dtype=bool)
    return s.standing(at)


def may_heal(s: State, hero: int, at: Lanes) -> Mask:
    """(heroes, lanes). OU-Y1, OU-Y4: whom a priest may heal: who lacks health."""
    if len(at) < s.size and s.most(at):
        return cut(may_heal(s, hero, s.everyone), at)
    return healable(s, at) & (cut(s.health, at) < s.own(s.facts.max_health, at)) & may_pray(s, hero, at)


def may_bless(s: State, hero: int, attribute: int, at: Lanes) -> Mask:
    """(heroes, lanes). OU-Y1, OU-Y5: whom a priest may bless on an attribute: nobody twice."""
    return s.standing(at) & ~cut(s.blessed[attribute], at) & may_pray(s, hero, at)


def pray(s: State, hero: int, at: Lanes, prayer_level: Row, risk: Row, name: str) -> tuple[Mask, list[Roll]]:
    """OU-Y1, OU-Y2, OU-Y3: (lanes,) where the prayer works. Risk first: below it the priest lapses.

    A prayer that fails is told here; one that works tells with the roll what it brings.
    """
    s.ledger.uses[s.ability(hero, name)][at] += 1
    wise, level = die_of(s, hero, data.WISE, at), s.facts.heroes[hero].level
    by_total = not s.facts.is_on("risk_roll", "natural")
    die = roll(s, wise, "OU-Y1", at)
    lapses = die + level * by_total < risk
    works = ~lapses & (die + level > prayer_level)
    s.lapsed, s.lapses = written(s.lapsed), written(s.lapses)
    s.lapsed[hero][at[lapses]] = True
    s.lapses[at] += lapses
    s.ledger.hits[s.ability(hero, name)][at] += works
    rolls = []
    if s.tell:
        least, asked = (int(np.asarray(number).flat[0]) for number in (risk, prayer_level))
        rolls = check(
            wise.thrown, "to be heard", lambda face: face + level * by_total >= least and face + level > asked, works
        )
        s.tell.event("OU-Y2", "prayer_fails", at[~works], who=hero, rolls=rolls, prayer=name, lapses=lapses)
    return works, rolls


def heal(s: State, hero: int, target: Whole, at: Lanes, bumps: Row) -> None:
    """OU-Y4: one hero regains 1d6, each bump adds 1 to level and risk and 1d6 to the healing."""
    entry = data.prayers()["heal"]
    bumps = np.broadcast_to(bumps, len(at))
    works, rolls = pray(s, hero, at, entry["level"] + bumps, entry["risk"] + bumps, "heal")
    at, target, bumps = at[works], target[works], bumps[works]
    if not len(at):
        return
    shown = np.stack(
        [s.luck.die(6, "OU-Y4", s.round, hero, i, at) * (bumps >= i) for i in range(int(bumps.max()) + 1)]
    )  # (dice, lanes)
    fallen = each(s.health, target, at) == 0
    gained = restore(s, target, hero, at, shown.sum(axis=0))
    if fallen.any():
        s.risen = written(s.risen)
        put(s.risen, target[fallen], at[fallen], True)  # stands up in his guard and acts again from the next round
    if s.tell:
        rolls.append(dice(shown, 6, purpose="healing"))
        facts = {"healed": gained, "health": each(s.health, target, at), "gets_up": fallen, "own": target == hero}
        s.tell.event("OU-Y4", "heals", at, who=hero, whom=target, rolls=rolls, **facts)


def bless(s: State, hero: int, target: Whole, at: Lanes, attribute: Row) -> None:
    """OU-Y5: one standing hero is blessed on one attribute; its next roll has advantage."""
    entry = data.prayers()["bless"]
    works, rolls = pray(s, hero, at, entry["level"], entry["risk"], "bless")
    chosen = attribute if isinstance(attribute, int) else attribute[works]
    s.blessed = written(s.blessed)
    s.blessed[chosen, target[works], at[works]] = True
    s.bless_given = True
    if s.tell and works.any():
        name = data.ATTRIBUTES[chosen if isinstance(chosen, int) else int(chosen[0])]
        own = target == hero
        s.tell.event("OU-Y5", "blesses", at[works], who=hero, whom=target, rolls=rolls, attribute=name, own=own)
