"""What models lose: wounds and death, and the XP for it (BF-A11, BF-A12, BF-F8, BF-F9)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import order_by
from sim.core.lanes import Lanes, Mask, Small, Spots, Whole, Wide, add, cut, each, keep, lookup, put, spots, which
from sim.core.telling import Roll
from sim.rulesets.brimstone.look import model_key
from sim.rulesets.brimstone.rules.damage import heal_sanity, heal_wounds
from sim.rulesets.brimstone.rules.ending import check_win
from sim.rulesets.brimstone.rules.grit import gain_grit
from sim.rulesets.brimstone.rules.places import lift_model
from sim.rulesets.brimstone.state import State

CLEANING_UP_XP = 10


@dataclass(frozen=True, slots=True)
class Blow:
    """What hurts a model, for whoever listens."""

    rule: str
    kind: str  # of the event
    rolls: tuple[Roll, ...] = ()
    critical: bool = False


NO_BLOW = Blow("", "")  # where nobody listens


def armor_of_model(
    s: State, slot: Whole, at: Lanes, wounds: Whole, purpose: str, actor: int | Whole, first: int | Whole
) -> Whole:
    """(lanes,). BF-A11(6): the wounds that are left after the Armor of models, one D6 per wound.

    The dice are those of the actor, their indices count from `first`: one for all lanes, or one per lane.
    """
    if "armor" not in s.facts.any_has:
        return wounds
    number = s.figure("armor", each(s.profile, slot, at))
    left = wounds.copy()
    for w in range(int(wounds.max(initial=0))):
        more = which((wounds > w) & (number > 0))
        if not len(more):
            break
        who = actor[more] if isinstance(actor, np.ndarray) else actor
        index = (first[more] if isinstance(first, np.ndarray) else first) + w
        left[more] -= s.luck.die(6, purpose, s.round, who, index, at[more]) >= number[more]
    return left


def endured(s: State, slot: Whole, at: Lanes, wounds: Whole) -> Whole:
    """(lanes,). BF-A11(5): Endurance n lets at most n wounds through."""
    if "endurance" not in s.facts.any_has:
        return wounds
    most = s.figure("endurance", each(s.profile, slot, at))
    return np.where(most > 0, np.minimum(wounds, most), wounds)


def hurt_model(
    s: State, slot: Whole, at: Lanes, wounds: NDArray[np.integer], hero: int | None, blow: Blow
) -> tuple[Mask, Small]:
    """BF-A11(7), BF-A12, BF-F8, BF-F9: wounds are placed, those beyond Health are lost.

    `hero` gets the damage, the kill and the XP; None for explosions. The lanes must be live and the models alive.
    Returns where the model died, and the wounds placed. `blow` is for whoever listens.
    """
    place = spots(s.hurt, slot, at)
    left = s.figure("health", each(s.profile, place, at)) - each(s.hurt, place, at)
    placed = np.minimum(wounds, left).astype(np.int16)
    add(s.hurt, place, at, placed)
    dies = placed >= left
    earned = np.zeros(len(at), dtype=np.int32)
    if hero is not None:
        s.dealt[hero][at] += placed
        if not s.facts.plot.heroes[hero].ally:
            earned = count_xp(s, hero, slot, place, at, placed, dies)
        s.kills[hero][keep(at, dies)] += 1
    if s.tell and len(at):
        whom, told = model_key(s, slot), {"damage": placed, "left": left - placed, "xp": earned}
        s.tell.event(
            blow.rule, blow.kind, at, who=hero, whom=whom, rolls=blow.rolls, critical=blow.critical, **told
        )
    add(s.ledger.damage_taken, lookup(s.facts.unit_rows, each(s.kind, place, at)), at, placed)
    if dies.any():
        kill(s, keep(slot, dies), keep(at, dies), hero)
    return dies, placed


def count_xp(s: State, hero: int, slot: Whole, place: Spots, at: Lanes, placed: Small, dies: Mask) -> Wide:
    """(lanes,). BF-F8: kill XP, or for "A + B each" the base once per attack and model plus B per wound placed.

    `place` is where the values of the slots lie.
    """
    profile = each(s.profile, place, at)
    base = s.figure("xp", profile).astype(np.int32) + 5 * s.figure("elites", profile)
    if "xp_each" not in s.facts.any_has:
        earned = base * dies
        s.xp[hero][at] += earned
        return earned
    per_wound = s.figure("xp_each", profile)
    wounded = placed > 0
    counts = wounded if s.facts.is_on("xp_base", "per_hit") else wounded & ~each(s.marked, place, at)
    put(s.marked, keep(slot, wounded), keep(at, wounded), True)
    earned = np.where(per_wound > 0, base * counts + per_wound * placed, base * dies)
    s.xp[hero, at] += earned
    return earned


def kill(s: State, slot: Whole, at: Lanes, hero: int | None) -> None:
    """BF-A12: the model is removed; upgrades that follow a kill; BF-T10: the last one ends the fight."""
    place = spots(s.kind, slot, at)
    add(s.killed, each(s.kind, place, at), at, 1)
    lift_model(s, place, at)
    if s.tell:
        s.tell.event("BF-A12", "is_killed", at, who=hero, whom=model_key(s, slot))
    if hero is not None:
        after_a_kill(s, hero, slot, at)
    check_win(s, at)
    if "explode" in s.facts.any_has:
        lit = cut(s.live, at) & (s.figure("explode", each(s.profile, place, at)) > 0)
        if lit.any():
            burning = keep(at, lit)
            put(s.fuse, keep(slot, lit), burning, cut(s.fuse, burning).max(axis=0) + 1)


def after_a_kill(s: State, hero: int, slot: Whole, at: Lanes) -> None:
    """Rolling Thunder: Grit on 4 or more; Cleaning Up: a wound and a point of sanity healed, and XP."""
    facts = s.facts.plot.heroes[hero]
    if facts.upgrade == "rolling_thunder":
        die = s.luck.die(6, "rolling_thunder", s.round, hero, each(s.serial, slot, at).astype(np.int64), at)
        gain_grit(s, hero, keep(at, die >= 4))
    elif facts.upgrade == "cleaning_up":
        one = np.ones(len(at), dtype=np.int16)
        healed = heal_wounds(s, hero, at, one)
        points = heal_sanity(s, hero, at, one)
        if not facts.ally:
            s.xp[hero, at] += CLEANING_UP_XP
        if s.tell:
            xp = 0 if facts.ally else CLEANING_UP_XP
            s.tell.event("BF-A12", "cleans_up", at, who=hero, healed=healed, points=points, xp=xp)


def in_order(s: State, at: Lanes) -> list[Whole]:
    """The slots of every lane in the order of creation: one array (lanes,) per place."""
    if not s.facts.reuse:
        return [np.full(len(at), slot, dtype=np.int64) for slot in range(s.slots)]
    return list(order_by((cut(s.serial, at),)))
