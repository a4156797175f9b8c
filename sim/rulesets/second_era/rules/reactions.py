"""Racial and class abilities that answer damage by preventing it; all behind their switches."""

from __future__ import annotations

from sim.core.lanes import Lanes, Mask, Small, Whole, cut, each, lookup, put, which
from sim.rulesets.second_era.data import STEALTH
from sim.rulesets.second_era.rules.statuses import lose
from sim.rulesets.second_era.rules.tenacity import strengthen
from sim.rulesets.second_era.state import State

SHADE, OATH = 1, 2  # bits of `used`


def imperial(s: State, target: Whole, left: Small, at: Lanes) -> Small:
    """Imperial: prevents the first enemy instance of 1 to 3 after Guard, and gains as much tenacity."""
    able = (left >= 1) & (left <= 3) & _unspent(s, "Imperial", target, at)
    some = which(able)
    if not len(some):
        return left
    put(s.spent, target[some], at[some], True)
    strengthen(s, target[some], left[some], at[some])
    if s.tell:
        s.tell.event("SE-S7", "imperial", at[some], who=target[some], prevented=left[some])
    return left * ~able


def argonian(s: State, target: Whole, left: Small, at: Lanes) -> Small:
    """Argonian: prevents an enemy instance that would cost 3 HP or more, or defeat it."""
    grave = (left >= 3) | (left >= each(s.hp, target, at))
    able = (left > 0) & grave & _unspent(s, "Argonian", target, at)
    some = which(able)
    if not len(some):
        return left
    put(s.spent, target[some], at[some], True)
    if s.tell:
        s.tell.event("SE-S7", "argonian", at[some], who=target[some])
    return left * ~able


def _unspent(s: State, race: str, hero: Whole, at: Lanes) -> Mask:
    """(lanes,). Whether an adventurer is of a race and has not used its ability."""
    return lookup(s.facts.races[race], hero) & ~each(s.spent, hero, at)


def shade(s: State, source: Whole | None, target: Whole, loss: Small, at: Lanes) -> Small:
    """Nightblade: Summon Shade prevents damage by an enemy that would defeat a party member, or with a switch any."""
    fatal = (loss > 0) & (loss >= each(s.hp, target, at)) & (target < s.party)
    if s.facts.is_on("shade_answers", "enemies"):
        if source is None:
            return loss
        fatal &= s.is_enemy(source)
    for hero in range(s.heroes):
        if not s.facts.has_class_ability(hero, "summon_shade") or not fatal.any():
            continue
        able = fatal & (cut(s.hp[hero], at) > 0) & s.under(STEALTH, hero, at) & (cut(s.tenacity[hero], at) >= 1)
        able &= (cut(s.used[hero], at) & SHADE) == 0
        summoning = at[able]
        if len(summoning):
            s.tenacity[hero][summoning] -= 1
            s.used[hero][summoning] |= SHADE
            loss = loss * ~able
            fatal &= ~able
            if s.tell:
                s.tell.event("SE-R8", "summons_shade", summoning, who=hero, whom=target[able])
            lose(s, hero, STEALTH, summoning)
    return loss
