"""Attacks of heroes: dice, re-rolls, assignment, hits (5.4, 5.6, 7.4, BF-P4, BF-P5)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import count, nth
from sim.core.lanes import Lanes, Whole, columns, each, lookup
from sim.rulesets.brimstone.build import MELEE, Mode
from sim.rulesets.brimstone.data import HATCHET, SHIV
from sim.rulesets.brimstone.rules.explosions import go_off
from sim.rulesets.brimstone.rules.grit import spend_grit
from sim.rulesets.brimstone.rules.models import armor_of_model, endured, hurt_model, model_name
from sim.rulesets.brimstone.state import State
from sim.rulesets.brimstone.worth import Scales, dice_of, legal_targets, number_needed, preferred

SHIV_CLASSES = ("saloon_girl", "gambler")


def strike(s: State, scales: Scales, hero: int, mode: int, at: Lanes, number: int = 0) -> None:
    """BF-H12, BF-H16, BF-H19: one attack with a mode; `number` is 0 for the action, then the Free Attacks."""
    facts = scales.modes[hero][mode]
    cell = s.cell[hero].take(at)
    row = s.facts.ability_row[hero, facts.name]
    s.ledger.uses[row][at] += 1
    dice = fan(s, hero, facts, dice_of(s, hero, mode, at), at) if number == 0 else dice_of(s, hero, mode, at)
    needed = number_needed(s, hero, facts, at, cell)
    most = int(dice.max(initial=0))
    faces = np.zeros((most, len(at)), dtype=np.int8)
    goal = np.broadcast_to(needed, (most, len(at)))
    if facts.first_shots:  # BF-H19: the off-hand dice come last and need 1 more
        off = np.maximum(0, dice - facts.first_shots - s.shot_bonus[hero].take(at))
        goal = np.minimum(goal + (np.arange(most)[:, None] >= dice - off), 6)
    for j in range(most):
        faces[j] = s.luck.die(facts.sides, "BF-H16", s.round, hero, 100 * number + j, at)
    rolled = np.arange(most)[:, None] < dice
    improve(s, hero, at, faces, goal, rolled, facts.sides, number)
    hit = rolled & (faces >= goal)
    if s.tell and len(at):
        s.tell("BF-H16", hero, f"attacks: {facts.name}", at, dice=dice, needed=needed, hits=hit.sum(axis=0))
    if "xp_each" in s.facts.any_has:
        s.marked[:, at] = False
    kills = np.zeros(len(at), dtype=np.int8)
    naturals = faces * hit
    order = np.argsort(-naturals, axis=0, kind="stable") if most > 1 else np.zeros((most, len(at)), dtype=np.int64)
    spots = np.arange(len(at))
    for place in range(most):
        die = order[place]
        natural = naturals.reshape(-1).take(die * len(at) + spots)
        some = np.flatnonzero((natural > 0) & can_go_on(s, hero, at))
        if not len(some):
            break
        kills[some] += one_hit(s, scales, hero, mode, at[some], natural[some], die[some], number)
    extra_dice(s, scales, hero, mode, at, needed, dice, kills, number)


def can_go_on(s: State, hero: int, at: Lanes) -> NDArray[np.bool_]:
    """(lanes,). BF-H1: a hero whom an explosion knocks out in the middle of its attack stops at once."""
    return np.asarray(s.live.take(at) & s.standing[hero].take(at))


def fan(s: State, hero: int, mode: Mode, dice: NDArray[Any], at: Lanes) -> NDArray[Any]:
    """Pistol Fanning: once per turn 1 Grit doubles the printed Shots of a one-handed gun (I38)."""
    plan = s.facts.plans[hero]
    if s.facts.plot.heroes[hero].upgrade != "pistol_fanning" or not (plan.fanning and mode.one_handed):
        return dice
    pays = (s.grit[hero].take(at) > 0) & ~s.fanned[hero].take(at)
    spend_grit(s, hero, at[pays])
    s.fanned[hero, at[pays]] = True
    doubled = np.minimum(2 * mode.shots + s.shot_bonus[hero].take(at), s.facts.dice_cap)
    return np.where(pays, doubled, dice)


def improve(
    s: State, hero: int, at: Lanes, faces: NDArray[np.int8], goal: Any, rolled: Any, sides: int, number: int
) -> None:
    """BF-H4, BF-P10: missing dice re-rolled for Grit, as the policy says; then one for Fortune. Changes `faces`."""
    plan = s.facts.plans[hero]
    missing = rolled & (faces < goal)
    missed = missing.sum(axis=0, dtype=np.int16)
    grit = s.grit[hero].take(at)
    able = np.flatnonzero((grit > 0) & (missed > 0))
    if len(able) and s.facts.is_on("grit_use"):
        known = {
            "missed": missed[able],
            "dice": rolled.sum(axis=0, dtype=np.int16)[able],
            "grit": grit[able],
            "max_grit": s.max_grit[hero].take(at[able]),
        }
        wants = np.broadcast_to(np.asarray(plan.reroll(lambda name: known[name]), dtype=bool), len(able))
        pays = able[wants]
        if len(pays):
            spend_grit(s, hero, at[pays])
            for j in range(len(faces)):
                again = pays[missing[j, pays]]
                faces[j, again] = s.luck.die(sides, "BF-H4", s.round, hero, 100 * number + j, at[again])
    if plan.fortune and s.facts.plot.heroes[hero].hero_class == "gambler":
        missing = rolled & (faces < goal)
        ready = (s.fortune[hero].take(at) > 0) & ~s.fortune_used[hero].take(at) & missing.any(axis=0)
        some = np.flatnonzero(ready)
        if len(some):
            s.fortune[hero, at[some]] -= 1
            s.fortune_used[hero, at[some]] = True
            die = missing[:, some].argmax(axis=0)
            faces[die, some] = s.luck.die(sides, "BF-P10", s.round, hero, 100 * number + die, at[some])
            if s.tell:
                s.tell("BF-P10", hero, "uses a Fortune token", at[some])


def one_hit(
    s: State, scales: Scales, hero: int, mode: int, at: Lanes, natural: NDArray[Any], die: Whole, number: int
) -> NDArray[np.bool_]:
    """(lanes,). BF-P5, BF-H18: a hit goes to the first living enemy in order; lost without one. Returns kills."""
    facts = scales.modes[hero][mode]
    cell = s.cell[hero].take(at)
    legal = legal_targets(s, hero, facts, at, cell)
    index = 100 * number + die
    if s.facts.plans[hero].by_lot:
        number_left = count(legal)
        slot = nth(legal, s.luck.below(number_left, "BF-P5", s.round, hero, index, at))
    else:
        slot = preferred(
            s, hero, s.facts.plans[hero], legal, at, cell, lambda: scales.worth(s, hero, mode, at, cell)
        )
    killed = np.zeros(len(at), dtype=bool)
    some = np.flatnonzero(slot >= 0)
    if len(some):
        killed[some] = resolve_hit(s, hero, facts, slot[some], at[some], natural[some], index[some])
        go_off(s, at[some])
    return killed


def resolve_hit(
    s: State, hero: int, mode: Mode, slot: Whole, at: Lanes, natural: NDArray[Any], index: Whole
) -> NDArray[np.bool_]:
    """(lanes,). BF-A11, BF-H17: Cover, damage, Defense, Endurance, Armor, wounds. Returns where it was killed."""
    row = s.facts.ability_row[hero, mode.name]
    s.ledger.hits[row][at] += 1
    profile = each(s.profile, slot, at)
    wounds = s.luck.die(mode.sides, "BF-A11", s.round, hero, index, at) + mode.bonus
    if mode.six:
        wounds += mode.six * (natural >= 6)
    stopped = covered(s, hero, profile, at, index)
    if s.facts.plot.heroes[hero].bag.get("spice"):
        wounds += spiced(s, hero, at, stopped)
    defense = s.figure("defense", profile)
    if "dodge" in s.facts.any_has:
        defense = defense + (s.figure("dodge", profile) > 0) * range_to(s, hero, slot, at)
    if "gun_ward" in s.facts.any_has and mode.sort != MELEE:
        defense = defense + s.figure("gun_ward", profile)
    floor = s.figure("crit_floor", profile)
    least = floor * (floor < defense)
    if "tough" in s.facts.any_has:
        least = np.where(s.figure("tough", profile) > 0, defense, least)
    wounds -= np.where(natural >= mode.crit, least, defense)
    np.maximum(wounds, 0, out=wounds)
    wounds = endured(s, slot, at, wounds)
    wounds = armor_of_model(s, slot, at, wounds, "BF-A11/armor", hero, 100 * index)
    if stopped is not None:
        wounds = wounds * ~stopped
    before = s.dealt[hero].take(at)
    killed = hurt_model(s, slot, at, wounds, hero, "BF-A11")
    s.ledger.damage[row][at] += s.dealt[hero].take(at) - before
    return killed


def covered(s: State, hero: int, profile: NDArray[Any], at: Lanes, index: Whole) -> NDArray[np.bool_] | None:
    """(lanes,). BF-A11(1): where the Cover of the model cancels the hit; None where nobody has any."""
    if "cover" not in s.facts.any_has:
        return None
    cover = s.figure("cover", profile)
    die = s.luck.die(6, "BF-A11/cover", s.round, hero, index, at)
    return np.asarray((cover > 0) & (die >= cover))


def spiced(s: State, hero: int, at: Lanes, stopped: NDArray[np.bool_] | None) -> NDArray[Any]:
    """(lanes,). 11.3: the damage that waiting Spice adds to this hit and is gone; a cancelled hit leaves it waiting."""
    more = s.spice[hero].take(at)
    if stopped is not None:
        more = more * ~stopped
    s.spice[hero, at] -= more
    return more


def range_to(s: State, hero: int, slot: Whole, at: Lanes) -> NDArray[Any]:
    """(lanes,). BF-G5: `range` between the hero and a model."""
    if s.ground is None:
        return np.ones(len(at), dtype=np.int16)
    return lookup(s.ground.range, s.cell[hero].take(at), each(s.spot, slot, at))


def extra_dice(
    s: State,
    scales: Scales,
    hero: int,
    mode: int,
    at: Lanes,
    needed: Any,
    dice: Any,
    kills: NDArray[np.int8],
    number: int,
) -> None:
    """Double-Shot and Sword Master: further dice after kills, as far as the dice cap allows (BF-H14, I37)."""
    facts = scales.modes[hero][mode]
    plot = s.facts.plot.heroes[hero]
    if facts.shotgun and plot.hero_class == "us_marshal":
        open_to = (kills > 0) & ~s.double_shot[hero].take(at) & (dice < s.facts.dice_cap)
        some = np.flatnonzero(open_to & can_go_on(s, hero, at))
        s.double_shot[hero, at[some]] = True
        more_die(s, scales, hero, mode, at[some], needed[some], dice[some].astype(np.int64), number)
    if plot.upgrade == "sword_master" and facts.sort == MELEE:
        for extra in range(3):
            some = np.flatnonzero((kills > extra) & (dice + extra < s.facts.dice_cap) & can_go_on(s, hero, at))
            if not len(some):
                return
            die = dice[some].astype(np.int64) + extra
            kills[some] += more_die(s, scales, hero, mode, at[some], needed[some], die, number)


def more_die(
    s: State, scales: Scales, hero: int, mode: int, at: Lanes, needed: Any, die: Whole, number: int
) -> NDArray[np.bool_]:
    """(lanes,). One die more in this attack, not re-rolled. Returns kills."""
    killed = np.zeros(len(at), dtype=bool)
    if not len(at):
        return killed
    face = s.luck.die(scales.modes[hero][mode].sides, "BF-H16", s.round, hero, 100 * number + die, at)
    some = np.flatnonzero(face >= needed)
    if len(some):
        killed[some] = one_hit(s, scales, hero, mode, at[some], face[some], die[some], number)
    return killed


# Free Attacks.


def use_free_items(s: State, scales: Scales, hero: int, at: Lanes) -> None:
    """BF-H24, BF-P9: the first ready item that has a legal target: free items, then Hatchet, then Shiv."""
    plot = s.facts.plot.heroes[hero]
    holdout = len(plot.modes)
    for attack in range(1, s.facts.switches["free_attack_limit"] + 1):
        at = at[s.live.take(at) & s.standing[hero].take(at)]
        undecided = np.ones(len(at), dtype=bool)
        cell = s.cell[hero].take(at)
        for mode, ready in (
            (holdout, s.holdouts[hero].take(at) > 0),
            (holdout + 1, s.bag[HATCHET, hero].take(at) > 0),
        ):
            some = np.flatnonzero(undecided & ready)
            if len(some):
                legal = legal_targets(s, hero, scales.modes[hero][mode], at[some], cell[some])
                some = some[legal.any(axis=0)]
            if len(some):
                undecided[some] = False
                if mode == holdout:
                    s.holdouts[hero, at[some]] -= 1
                else:
                    s.bag[HATCHET, hero, at[some]] -= 1
                    s.tokens_used[hero, at[some]] += 1
                s.free_used[hero, at[some]] += 1
                strike(s, scales, hero, mode, at[some], attack)
        if plot.hero_class in SHIV_CLASSES:
            use_shiv(s, scales, hero, at[undecided & (s.bag[SHIV, hero].take(at) > 0)], attack)


def use_shiv(s: State, scales: Scales, hero: int, at: Lanes, number: int) -> None:
    """11.3: D6 wounds to an adjacent enemy, ignoring Defense, without a roll to hit (BF-A13, I35)."""
    at = at[s.live.take(at)]
    if not len(at):
        return
    cell = s.cell[hero].take(at)
    legal = legal_targets(s, hero, scales.modes[hero][0], at, cell)
    slot = preferred(s, hero, s.facts.plans[hero], legal, at, cell, lambda: shiv_worth(s, at))
    some = np.flatnonzero(slot >= 0)
    at, slot = at[some], slot[some]
    if not len(at):
        return
    s.bag[SHIV, hero, at] -= 1
    s.tokens_used[hero, at] += 1
    s.free_used[hero, at] += 1
    row = s.facts.ability_row[hero, "shiv"]
    s.ledger.uses[row][at] += 1
    s.ledger.hits[row][at] += 1
    if "xp_each" in s.facts.any_has:
        s.marked[:, at] = False
    if s.tell:
        s.tell("BF-H25", hero, f"stabs {model_name(s, slot, at)} with a Shiv", at)
    wounds = endured(s, slot, at, s.luck.die(6, "BF-A11", s.round, hero, 100 * number, at))
    wounds = armor_of_model(s, slot, at, wounds, "BF-A11/armor", hero, 10_000 * number)
    before = s.dealt[hero].take(at)
    hurt_model(s, slot, at, wounds, hero, "BF-A11")
    s.ledger.damage[row][at] += s.dealt[hero].take(at) - before
    go_off(s, at)


def shiv_worth(s: State, at: Lanes) -> NDArray[Any]:
    """(slots, lanes). The expected wounds of a Shiv, in 576ths: a plain D6, at most the Endurance."""
    most = s.figure("endurance", columns(s.profile, at)).astype(np.int64)
    means = np.array([6 * 7 // 2 * 96] + [96 * sum(min(face, n) for face in range(1, 7)) for n in range(1, 61)])
    return means[np.minimum(most, 60)]
