"""What heroes lose and get back: wounds, sanity damage, KO, revival, healing, tokens (BF-A8, BF-A9)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Small, anyone, cut, keep, nobody_where
from sim.core.outcomes import Outcome
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.data import BLEEDING, BY_HEROES, POISON, STUNNED
from sim.rulesets.brimstone.look import health_shown
from sim.rulesets.brimstone.rules.ending import end_fight
from sim.rulesets.brimstone.rules.grit import gain_grit
from sim.rulesets.brimstone.rules.places import lift_hero
from sim.rulesets.brimstone.state import State

Amount = NDArray[np.integer]

SOURCES = {"BF-H23": "dynamite"}  # of wounds that come without hits, where the rule has no name


def is_up(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). Whether the fight goes on and the hero stands; who falls in mid-turn stops at once (BF-H1)."""
    return cut(s.live, at) & cut(s.standing[hero], at)


def still_up(s: State, hero: int, at: Lanes) -> Lanes:
    """The lanes in which the fight goes on and the hero stands."""
    return keep(at, is_up(s, hero, at))


def wound(s: State, hero: int, at: Lanes, amount: Amount, name: str, kind: int | None = None) -> tuple[Small, Mask]:
    """BF-A8: wounds that come without hits are placed, those beyond remaining Health are lost; `name` is their source.

    Returns the wounds placed, and whether a revive token was spent.
    """
    placed = place(s, hero, at, amount, kind)
    if s.tell:
        source = SOURCES.get(name, name.lower())
        s.tell.event("BF-A8", "is_hurt", at, who=hero, damage=placed, left=s.health_left(hero, at), source=source)
    return placed, check_ko(s, hero, at)


def place(s: State, hero: int, at: Lanes, amount: Amount, kind: int | None) -> Small:
    """(lanes,). BF-A8: wounds are placed, as far as there is Health; they are the deed of a kind. Returns them."""
    placed = np.minimum(amount, np.maximum(s.health_left(hero, at), 0)).astype(np.int16)
    s.wounds[hero, at] += placed
    s.taken[hero, at] += placed
    if kind is not None:
        s.group_dealt[kind, at] += placed
    return placed


def frighten(s: State, hero: int, at: Lanes, amount: Amount) -> Small:
    """(lanes,). BF-A6, BF-A8: sanity damage is placed, as far as there is Sanity. Returns the points."""
    placed = np.minimum(amount, np.maximum(s.sanity_left(hero, at), 0)).astype(np.int16)
    s.sdmg[hero, at] += placed
    s.sanity_taken[hero, at] += placed
    return placed


def check_ko(s: State, hero: int, at: Lanes) -> Mask:
    """BF-A8, BF-A9: KO'd at once when a track runs out, unless a revive token is left. Returns who was revived."""
    revived = np.zeros(len(at), dtype=bool)
    gone = (s.health_left(hero, at) <= 0) | (s.sanity_left(hero, at) <= 0)
    if not gone.any():
        return revived
    if s.facts.is_on("revive_timing", "immediate") and not s.facts.plot.heroes[hero].ally:
        revived = gone & (cut(s.tokens, at) > 0)
        if revived.any():
            revive(s, hero, keep(at, revived))
    fell = keep(at, gone & ~revived)
    if len(fell):
        knock_out(s, hero, fell)
    return revived


def revive(s: State, hero: int, at: Lanes) -> None:
    """BF-A9: a revive token restores the hero: no damage, no markers, 1 Grit."""
    before = health_shown(s, hero) if s.tell else 0
    s.tokens[at] -= 1
    s.revivals[hero, at] += 1
    s.restored[hero, at] += cut(s.wounds[hero], at) + cut(s.sdmg[hero], at)
    s.wounds[hero, at] = 0
    s.sdmg[hero, at] = 0
    s.status[:, hero, at] = 0
    if s.tell:
        healed = health_shown(s, hero) - before
        s.tell.event("BF-A9", "is_revived", at, who=hero, healed=healed, left=s.tokens[at])
    gain_grit(s, hero, at)


def knock_out(s: State, hero: int, at: Lanes) -> None:
    """BF-A8: KO'd; enemies lose the target, markers go, the spent track stays at 0. BF-U3: allies are removed."""
    no_health = keep(at, s.health_left(hero, at) <= 0)
    before = health_shown(s, hero) if s.tell else 0
    for marker in (BLEEDING, POISON, STUNNED):
        s.status[marker, hero, at] = 0
    s.wounds[hero, no_health] = s.health[hero, no_health]
    no_sanity = keep(at, s.sanity_left(hero, at) <= 0)
    s.sdmg[hero, no_sanity] = s.sanity[hero, no_sanity]
    lift_hero(s, hero, at)
    s.barred[hero, at] = True
    s.ko_count[hero, at] += 1
    s.ledger.fell(hero, at, s.round)
    if s.facts.plot.heroes[hero].ally:
        s.removed[hero, at] = True
    targets = cut(s.target, at)
    s.target[:, at] = nobody_where(targets == hero, targets)
    if s.tell:
        healed, ally = health_shown(s, hero) - before, s.facts.plot.heroes[hero].ally
        mad = not len(no_health)
        s.tell.event("BF-A8", "falls", at, who=hero, mad=mad, ally=ally, healed=healed)
    nobody = keep(at, ~anyone(cut(s.standing, at)))
    if len(nobody):
        end_fight(s, nobody, Outcome.LOSS, BY_HEROES)


def heal_wounds(s: State, hero: int, at: Lanes, amount: Amount) -> Amount:
    """(lanes,). Wounds healed, never more than there are. Returns the points healed."""
    healed = np.minimum(amount, cut(s.wounds[hero], at))
    s.wounds[hero, at] -= healed.astype(np.int16)
    s.healed[hero, at] += healed
    return healed


def heal_sanity(s: State, hero: int, at: Lanes, amount: Amount) -> Amount:
    """(lanes,). Sanity damage healed, never more than there is. Returns the points healed."""
    healed = np.minimum(amount, cut(s.sdmg[hero], at))
    s.sdmg[hero, at] -= healed.astype(np.int16)
    s.healed[hero, at] += healed
    return healed


def spend_token(s: State, hero: int, at: Lanes, token: int) -> None:
    """BF-H26: a token that is no attack leaves the side bag."""
    if not len(at):
        return
    s.bag[token, hero, at] -= 1
    s.tokens_used[hero, at] += 1
    s.ledger.uses[s.facts.ability_row[hero, data.TOKENS[token]]][at] += 1
