"""What models lose: wounds, death, explosions, and the XP for it (7.4, BF-F8, BF-F9)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Whole, add, each, put
from sim.rulesets.brimstone.rules.damage import heal_sanity, heal_wounds
from sim.rulesets.brimstone.rules.ending import check_win
from sim.rulesets.brimstone.rules.grit import gain_grit
from sim.rulesets.brimstone.rules.places import lift_model
from sim.rulesets.brimstone.state import State


def armor_of_model(
    s: State, slot: Whole, at: Lanes, wounds: Whole, purpose: str, actor: Any, first: Any
) -> Whole:
    """(lanes,). BF-A11(6): the wounds that are left after the Armor of models, one D6 per wound."""
    if "armor" not in s.facts.any_has:
        return wounds
    number = s.figure("armor", each(s.profile, slot, at))
    left = wounds.copy()
    for w in range(int(wounds.max(initial=0))):
        more = np.flatnonzero((wounds > w) & (number > 0))
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
    most = s.figure("endurance", each(s.profile, slot, at)).astype(np.int64)
    return np.minimum(wounds, most + 1000 * (most == 0))


def hurt_model(s: State, slot: Whole, at: Lanes, wounds: NDArray[Any], hero: int | None, rule: str) -> NDArray[Any]:
    """BF-A11(7), BF-A12, BF-F8, BF-F9: wounds are placed, those beyond Health are lost. Returns where it died.

    `hero` gets the damage, the kill and the XP; None for explosions. The lanes must be live and the models alive.
    """
    profile = each(s.profile, slot, at)
    left = s.figure("health", profile) - each(s.hurt, slot, at)
    placed = np.minimum(wounds, left).astype(np.int16)
    add(s.hurt, slot, at, placed)
    dies = placed >= left
    kind = each(s.kind, slot, at).astype(np.int64)
    if s.tell and len(at):
        s.tell(rule, model_name(s, slot, at), "is hit", at, wounds=placed, left=left - placed)
    if hero is not None:
        s.dealt[hero, at] += placed
        if not s.facts.plot.heroes[hero].ally:
            count_xp(s, hero, slot, at, profile, placed, dies)
        s.kills[hero, at[dies]] += 1
    for row in np.unique(kind):
        s.ledger.damage_taken[s.facts.unit_row[int(row)]][at[kind == row]] += placed[kind == row]
    if dies.any():
        kill(s, slot[dies], at[dies], hero)
    return dies


def count_xp(
    s: State, hero: int, slot: Whole, at: Lanes, profile: NDArray[Any], placed: NDArray[Any], dies: NDArray[Any]
) -> None:
    """BF-F8: kill XP, or for "A + B each" the base once per attack and model plus B per wound placed."""
    base = s.figure("xp", profile).astype(np.int32) + 5 * s.figure("elites", profile)
    if "xp_each" not in s.facts.any_has:
        s.xp[hero, at] += base * dies
        return
    per_wound = s.figure("xp_each", profile)
    wounded = placed > 0
    first = wounded & ~each(s.marked, slot, at)
    if s.facts.is_on("xp_base", "per_hit"):
        first = wounded
    put(s.marked, slot[wounded], at[wounded], True)
    gained = np.where(per_wound > 0, base * first + per_wound * placed, base * dies)
    s.xp[hero, at] += gained


def kill(s: State, slot: Whole, at: Lanes, hero: int | None) -> None:
    """BF-A12, 11.1: the model is removed; upgrades that follow a kill; BF-T10: the last one ends the fight."""
    kind = each(s.kind, slot, at).astype(np.int64)
    add(s.killed, kind, at, 1)
    if s.tell:
        s.tell("BF-A12", model_name(s, slot, at), "is killed", at)
    lift_model(s, slot, at)
    if hero is not None:
        facts = s.facts.plot.heroes[hero]
        if facts.upgrade == "rolling_thunder":
            die = s.luck.die(6, "rolling_thunder", s.round, hero, each(s.serial, slot, at).astype(np.int64), at)
            gain_grit(s, hero, at[die >= 4])
        elif facts.upgrade == "cleaning_up":
            heal_wounds(s, hero, at, np.ones(len(at), np.int16))
            heal_sanity(s, hero, at, np.ones(len(at), np.int16))
            if not facts.ally:
                s.xp[hero, at] += 10
    check_win(s, at)
    if "explode" in s.facts.any_has:
        lit = s.live.take(at) & (s.figure("explode", each(s.profile, slot, at)) > 0)
        if lit.any():
            put(s.fuse, slot[lit], at[lit], s.fuse.take(at[lit], axis=1).max(axis=0) + 1)


def in_order(s: State, at: Lanes) -> list[Whole]:
    """The slots of every lane in the order of creation: one array (lanes,) per place."""
    if not s.facts.reuse:
        return [np.full(len(at), slot, dtype=np.int64) for slot in range(s.slots)]
    return list(np.argsort(s.serial.take(at, axis=1), axis=0, kind="stable"))


def model_name(s: State, slot: Whole, at: Lanes) -> str:
    """The name of the model in the first lane, for telling."""
    kind = int(s.kind[slot[0], at[0]])
    return f"{s.facts.plot.kinds[kind].name} {int(s.serial[slot[0], at[0]]) + 1}"


