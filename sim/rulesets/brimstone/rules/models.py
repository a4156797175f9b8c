"""What models lose: wounds and death, and the XP for it (BF-A11, BF-A12, BF-F8, BF-F9)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import order_by
from sim.core.lanes import Lanes, Mask, Small, Whole, add, cut, each, keep, put, which
from sim.rulesets.brimstone.rules.damage import heal_sanity, heal_wounds
from sim.rulesets.brimstone.rules.ending import check_win
from sim.rulesets.brimstone.rules.grit import gain_grit
from sim.rulesets.brimstone.rules.places import lift_model
from sim.rulesets.brimstone.state import State

CLEANING_UP_XP = 10


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
    s: State, slot: Whole, at: Lanes, wounds: NDArray[np.integer], hero: int | None, rule: str
) -> tuple[Mask, Small]:
    """BF-A11(7), BF-A12, BF-F8, BF-F9: wounds are placed, those beyond Health are lost.

    `hero` gets the damage, the kill and the XP; None for explosions. The lanes must be live and the models alive.
    Returns where the model died, and the wounds placed.
    """
    profile = each(s.profile, slot, at)
    left = s.figure("health", profile) - each(s.hurt, slot, at)
    placed = np.minimum(wounds, left).astype(np.int16)
    add(s.hurt, slot, at, placed)
    dies = placed >= left
    kind = each(s.kind, slot, at)
    if s.tell and len(at):
        s.tell(rule, model_name(s, slot, at), "is hit", at, wounds=placed, left=left - placed)
    if hero is not None:
        s.dealt[hero, at] += placed
        if not s.facts.plot.heroes[hero].ally:
            count_xp(s, hero, slot, at, placed, dies)
        s.kills[hero, keep(at, dies)] += 1
    for row in np.unique(kind):
        of_kind = kind == row
        s.ledger.damage_taken[s.facts.unit_row[int(row)]][keep(at, of_kind)] += keep(placed, of_kind)
    if dies.any():
        kill(s, keep(slot, dies), keep(at, dies), hero)
    return dies, placed


def count_xp(s: State, hero: int, slot: Whole, at: Lanes, placed: Small, dies: Mask) -> None:
    """BF-F8: kill XP, or for "A + B each" the base once per attack and model plus B per wound placed."""
    profile = each(s.profile, slot, at)
    base = s.figure("xp", profile).astype(np.int32) + 5 * s.figure("elites", profile)
    if "xp_each" not in s.facts.any_has:
        s.xp[hero, at] += base * dies
        return
    per_wound = s.figure("xp_each", profile)
    wounded = placed > 0
    counts = wounded if s.facts.is_on("xp_base", "per_hit") else wounded & ~each(s.marked, slot, at)
    put(s.marked, keep(slot, wounded), keep(at, wounded), True)
    s.xp[hero, at] += np.where(per_wound > 0, base * counts + per_wound * placed, base * dies)


def kill(s: State, slot: Whole, at: Lanes, hero: int | None) -> None:
    """BF-A12: the model is removed; upgrades that follow a kill; BF-T10: the last one ends the fight."""
    add(s.killed, each(s.kind, slot, at), at, 1)
    if s.tell:
        s.tell("BF-A12", model_name(s, slot, at), "is killed", at)
    lift_model(s, slot, at)
    if hero is not None:
        after_a_kill(s, hero, slot, at)
    check_win(s, at)
    if "explode" in s.facts.any_has:
        lit = cut(s.live, at) & (s.figure("explode", each(s.profile, slot, at)) > 0)
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
        heal_wounds(s, hero, at, one)
        heal_sanity(s, hero, at, one)
        if not facts.ally:
            s.xp[hero, at] += CLEANING_UP_XP


def in_order(s: State, at: Lanes) -> list[Whole]:
    """The slots of every lane in the order of creation: one array (lanes,) per place."""
    if not s.facts.reuse:
        return [np.full(len(at), slot, dtype=np.int64) for slot in range(s.slots)]
    return list(order_by((cut(s.serial, at),)))


def model_name(s: State, slot: Whole, at: Lanes) -> str:
    """The name of the model in the first lane, for telling."""
    kind = int(s.kind[slot[0], at[0]])
    return f"{s.facts.plot.kinds[kind].name} {int(s.serial[slot[0], at[0]]) + 1}"
