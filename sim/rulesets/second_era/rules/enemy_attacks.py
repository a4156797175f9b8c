"""The engages of enemies: targets, one roll, damage, after-engage skills. Companions share all but the targets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim.core.choose import count, first, narrow
from sim.core.lanes import Lanes, Mask, Row, Small, Tiny, Whole, add, columns, cut, each, lookup, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import BLIND, DAZE, ENGAGE, FEAR, MAIM
from sim.rulesets.second_era.rules.blind import blind_covered
from sim.rulesets.second_era.rules.damage import Blow, deal
from sim.rulesets.second_era.rules.enemy_moves import guard_value
from sim.rulesets.second_era.rules.odds import to_defeat
from sim.rulesets.second_era.rules.shown_dice import enemy_dice, reroll
from sim.rulesets.second_era.rules.slots import leave_slot, lowest_slot
from sim.rulesets.second_era.rules.statuses import gain, lose
from sim.rulesets.second_era.rules.targets import covered, in_play
from sim.rulesets.second_era.rules.track import enter, tire
from sim.rulesets.second_era.state import State

LAST = np.uint64(0xFFFFFFFFFFFFFFFF)  # behind every lot


# Whom.


def candidates(s: State, e: Whole, at: Lanes) -> Mask:
    """(units, lanes). SE-E7, SE-F2: whom an enemy can target where it stands; without Blind the party alone."""
    party = slice(0, s.party)
    found = covered(s, e, at, party) & in_play(s, e, at, party)
    blind = which(s.under(BLIND, e, at))
    if not len(blind):
        return found
    of_all = np.zeros((s.units, len(at)), dtype=bool)
    of_all[party] = found
    of_all[:, blind] = blind_covered(s, e[blind], at[blind])
    return of_all


def by_priority(s: State, e: Whole, at: Lanes, left: Mask) -> list[Whole]:
    """SE-E8, SE-E9, SE-T4: the targets in order, each (lanes,) of rows and -1 where there are not so many."""
    units = len(left)
    number = most_targets(s, e, at)
    most = int(np.minimum(number, count(left)).max(initial=0))
    key = cut(s.hp[:units], at) * s.stat(s.facts.sign, e, at)
    best_for_party = s.facts.is_on("party_choice", "best_for_party")
    value = guard_value(s, at, slice(0, units)) if best_for_party and most else None
    targets = []
    for place in range(most):
        best = narrow(left, key)
        if value is not None:
            best = narrow(best, value, largest=True)
        else:
            tied = which(count(best) > 1)
            if len(tied):
                best[:, tied] = by_order(s, e[tied], at[tied], columns(best, tied))
        chosen = first(best)
        chosen[number <= place] = -1
        targets.append(chosen)
        if place + 1 < most:
            left = without(left, chosen)
    return targets


def by_order(s: State, e: Whole, at: Lanes, tied: Mask) -> Mask:
    """(units, lanes). SE-E9: the first of the tied in the order that the party chose, drawn for this engage."""
    keys = np.full(tied.shape, LAST)
    actor = s.actor(e, at)
    for unit in which(np.any(tied, axis=1)):
        some = which(tied[unit])
        keys[unit, some] = s.luck.bits("SE-E9", s.round, actor[some], int(s.facts.actor[unit]), at[some])
    return narrow(tied, keys)


def most_targets(s: State, who: Row, at: Lanes) -> Small:
    """(lanes,). SE-E8, SE-F2: how many units one engage may target; a Blind unit only one."""
    return np.where(s.under(BLIND, who, at), np.int16(1), s.stat(s.facts.targets, who, at))


def without(left: Mask, chosen: Whole) -> Mask:
    """(units, lanes). Those that are left when one has been chosen per lane; -1 for none."""
    left = left.copy()
    some = which(chosen >= 0)
    left[chosen[some], some] = False
    return left


# The engage.


def engage(s: State, e: Whole, at: Lanes, targets: list[Whole], moved: Mask) -> None:
    """SE-E10, SE-E11, SE-E12, SE-E13, SE-T6: one roll for all targets, damage one by one, then reactions."""
    if not targets:
        return
    some = which(targets[0] >= 0)
    if not len(some):
        return
    if len(some) < len(at):
        e, at, moved = e[some], at[some], moved[some]
        targets = [target[some] for target in targets]
    add(s.ledger.uses, lookup(s.facts.ability[ENGAGE], e), at, 1)
    if "Disrupt" in s.facts.present:
        disrupt(s, e, at, targets)
    dice = combat_dice(s, e, at, targets)
    if s.facts.possible[DAZE]:
        dice = dice * ~(moved & s.under(DAZE, e, at))
    total, misses = roll(s, e, at, dice, targets)
    resolve(s, e, at, targets, total, misses)
    after_engage(s, e, at, targets)


def resolve(s: State, e: Whole, at: Lanes, targets: list[Whole], total: Small, misses: Small) -> None:
    """SE-E11, SE-K2, SE-K22: the total is dealt to target after target, while the enemy is in play.

    Arcane damage is true, Bladed adds 2 against who is adjacent; Maim halves the dice, rounded down (SE-T7).
    """
    true = s.has("Arcane", e, at)
    if s.facts.possible[MAIM]:
        total = np.where(s.under(MAIM, e, at) & ~true, total // 2, total)
    for target in targets:
        some = which((target >= 0) & s.here(e, at) & s.here(np.maximum(target, 0), at))
        if not len(some):
            continue
        source, struck, hit_at = e[some], target[some], at[some]
        amount = total[some]
        if "Bladed" in s.facts.present:
            near = s.between(s.facts.ground.adjacent, source, struck, hit_at)
            amount = amount + np.int16(2) * (near & s.has("Bladed", source, hit_at))
        if s.tell and amount[0] <= 0:
            s.tell.event("SE-E11", "no_damage", hit_at, who=source, whom=struck)
        deal(s, Blow(source, struck, amount, hit_at, ENGAGE, true=true[some], misses=misses[some]))


def combat_dice(s: State, e: Whole, at: Lanes, targets: list[Whole]) -> Small:
    """(lanes,). SE-E10, SE-K23, SE-K24, I23: how many dice; Vindictive and Smite in chip order."""
    dice = s.stat(s.facts.combat, e, at)
    extra = np.zeros(len(at), dtype=np.int16)
    if "Vindictive" in s.facts.present:
        extra = s.adventurers(at).sum(axis=0, dtype=np.int16) * s.has("Vindictive", e, at)
    if "Smite" not in s.facts.present:
        return dice + extra
    targeted = np.add.reduce([target >= 0 for target in targets], dtype=np.int16)
    double = s.has("Smite", e, at) & (opposing(s, e, at).sum(axis=0, dtype=np.int16) > targeted)
    smite_first = s.stat(s.facts.smite_first, e, at)
    return np.where(double, np.where(smite_first, 2 * dice + extra, 2 * (dice + extra)), dice + extra)


def opposing(s: State, e: Whole, at: Lanes) -> Mask:
    """(units, lanes). SE-T1, SE-F2: the undefeated units that oppose this one; a Blind one's are all others."""
    on_the_map = cut(s.cell, at) >= 0
    of_party = np.arange(s.units)[:, None] < s.party  # (units, 1)
    itself = np.arange(s.units)[:, None] == e
    return on_the_map & np.where(s.under(BLIND, e, at), ~itself, of_party == s.is_enemy(e))


def roll(s: State, e: Whole, at: Lanes, dice: Small, targets: Sequence[Whole] = ()) -> tuple[Small, Small]:
    """SE-E10, SE-K1: the sum of the Combat dice and how many show 0; Aggressive rerolls a 0 once. (lanes,) each.

    The targets are for whoever listens.
    """
    total = np.zeros(len(at), dtype=np.int16)
    misses = np.zeros(len(at), dtype=np.int16)
    if not len(at):
        return total, misses
    actor = s.actor(e, at)
    one = int(actor[0]) if (actor == actor[0]).all() else None  # the same in all lanes, which is quicker
    again = s.has("Aggressive", e, at)
    shown: list[Tiny] = []
    rerolled: list[Tiny] = []
    for die in range(int(dice.max(initial=0))):
        some = which(dice > die)
        face = _face(s, "SE-E10", actor[some] if one is None else one, die, at[some])
        repeat = which((face == 0) & again[some])
        if s.tell:
            shown.append(face.copy())
        if len(repeat):
            face[repeat] = _face(s, "SE-K1", actor[some[repeat]] if one is None else one, die, at[some[repeat]])
            if s.tell:
                rerolled.append(face[repeat])
        total[some] += face
        misses[some] += face == 0
    if s.tell:
        needed = to_defeat(s, int(e[0]), int(targets[0][0])) if targets else None
        rolls = [enemy_dice(s, shown, rerolled if again[0] else None, needed)] if shown else []
        rolls += [reroll(rerolled)] if rerolled else []
        s.tell.event("SE-E10", "engages", at, who=e, whom=[t for t in targets if t[0] >= 0], rolls=rolls, dice=dice)
    return total, misses


def _face(s: State, purpose: str, actor: int | Whole, die: int, at: Lanes) -> Tiny:
    """(lanes,). The face of an enemy Combat die."""
    return lookup(s.facts.faces, s.luck.below(6, purpose, s.round, actor, die, at))


def disrupt(s: State, e: Whole, at: Lanes, targets: list[Whole]) -> None:
    """SE-K21: each target adventurer exhausts the active die with the lowest X."""
    able = s.has("Disrupt", e, at)
    for target in targets:
        some = which(able & (target >= 0) & (target < s.heroes))
        who, struck = target[some], at[some]
        place = lowest_slot(s, who, struck)
        who, struck, place = who[place >= 0], struck[place >= 0], place[place >= 0]
        if len(struck):
            code = leave_slot(s, who, place, struck)
            enter(s, who, code, struck)
            if s.tell:
                s.tell.event("SE-K21", "disrupts", struck, who=e, whom=who, die=data.CALLED[code[0]])


# After the engage.


def after_engage(s: State, e: Whole, at: Lanes, targets: list[Whole]) -> None:
    """SE-E12, SE-E13, SE-K3 to SE-K7, SE-K28: target by target, skills in chip order; the owner must be in play."""
    if not len(s.facts.after_engage):
        return
    kind = each(s.kind, e, at)
    for target in targets:
        for chips in s.facts.after_engage:
            code = lookup(chips, kind)
            for skill, name in enumerate(data.AFTER_ENGAGE):
                if name not in s.facts.present:
                    continue
                able = (code == skill) & (target >= 0)
                if not able.any():
                    continue
                some = which(able & s.here(e, at) & s.here(np.maximum(target, 0), at) & s.has(name, e, at))
                if len(some):
                    afflict(s, e[some], target[some], name, at[some])


def afflict(s: State, e: Whole, target: Whole, name: str, at: Lanes) -> None:
    """SE-K3, SE-K4, SE-K5, SE-K6, SE-K7: one after-engage skill on one target."""
    by_party = ~s.is_enemy(e)
    if name == "Enfeeble":
        some = which(target < s.heroes)
        tire(s, target[some], s.number("Enfeeble", e[some], at[some]), at[some], "SE-K7")
    elif name == "Intimidate":
        afraid = s.under(FEAR, target, at)
        bold, scared = which(~afraid), which(afraid)
        gain(s, target[bold], FEAR, at[bold], by_party[bold])
        lose(s, target[scared], FEAR, at[scared])
    else:
        gain(s, target, data.GIVES[name], at, by_party)
