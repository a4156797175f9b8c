"""Health lost and regained, going down, and the end of the encounter (sections 7 and 8)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Whole, add, cut, each, put
from sim.core.outcomes import Outcome
from sim.rulesets.overhill.state import State


def wound(s: State, hero: int | Whole, at: Lanes, amount: NDArray[Any], rule: str) -> NDArray[Any]:
    """OU-D4, OU-U4: health falls, never below 0; at 0 the hero is down. Returns the health really lost.

    OU-Z2: the encounter is lost at once if nobody stands any more.
    """
    who = np.full(len(at), hero) if isinstance(hero, int) else hero
    before = each(s.health, who, at)
    lost = np.minimum(before, amount)
    put(s.health, who, at, before - lost)
    if s.tell and len(at):
        s.tell(rule, int(who[0]), "loses health", at, damage=lost, health=before - lost)
    fell = (before > 0) & (lost == before)
    if fell.any():
        go_down(s, who[fell], at[fell])
    return lost


def go_down(s: State, hero: Whole, at: Lanes) -> None:
    """OU-D4: the hero is down; paralysis and blessings end. OU-Z2: with the last one the encounter is lost."""
    put(s.paralysed, hero, at, 0)
    if s.bless_given:
        s.blessed[:, hero, at] = False
    s.ledger.fell(hero, at, s.round)
    if s.tell:
        s.tell("OU-D4", int(hero[0]), "goes down", at)
    nobody = at[~s.standing(at).any(axis=0)]
    if len(nobody):
        s.decide(nobody, Outcome.LOSS)
        if s.tell:
            s.tell("OU-Z2", "", "No hero stands: the party has lost.", nobody)


def restore(s: State, hero: int | Whole, healer: int, at: Lanes, amount: NDArray[Any]) -> NDArray[Any]:
    """OU-D11: health rises, never above the maximum. Returns the health really regained."""
    who = np.full(len(at), hero) if isinstance(hero, int) else hero
    before = each(s.health, who, at)
    gained = np.minimum(amount, s.facts.max_health[:, 0].take(who) - before)
    put(s.health, who, at, before + gained)
    add(s.regained, who, at, gained)
    s.ledger.healing[healer][at] += gained
    return gained


def remove_monsters(s: State, hero: int, group: Whole, at: Lanes, hits: NDArray[Any], ability: str) -> NDArray[Any]:
    """OU-A1, OU-U5, OU-U7: each hit removes one monster of the group, surplus hits are lost, kills are remembered."""
    there = each(s.n, group, at)
    removed = np.minimum(hits, there)
    put(s.n, group, at, there - removed)
    add(s.kills_now[hero], group, at, removed)
    row = s.ability(hero, ability)
    s.ledger.hits[row][at] += removed > 0
    s.ledger.damage[row][at] += removed
    return removed


def check_win(s: State, at: Lanes) -> None:
    """OU-Z1: with no monster left and a hero standing the encounter is won at once."""
    won = at[s.live.take(at) & ~cut(s.n, at).any(axis=0)]
    if len(won):
        s.decide(won, Outcome.WIN)
        if s.tell:
            s.tell("OU-Z1", "", "No monster is left: the party has won.", won)
