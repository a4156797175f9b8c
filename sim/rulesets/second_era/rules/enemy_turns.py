"""The turns of enemies: targets, one roll, damage, skills (sections 6.2, 6.4, 7.6). Companions share most of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.choose import count, narrow, nth
from sim.core.lanes import Lanes, Mask, add, cut, each, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import BANE, BLIND, DAZE, FEAR, MAIM, STEALTH
from sim.rulesets.second_era.rules import track
from sim.rulesets.second_era.rules.blind import blind_covered
from sim.rulesets.second_era.rules.damage import deal, heal, unowned
from sim.rulesets.second_era.rules.enemy_moves import guard_value, move
from sim.rulesets.second_era.rules.places import begin_turn, covered, in_play
from sim.rulesets.second_era.state import ENGAGE, NECROTIC, State, rows


def enemy_turn(s: State, e: Any, at: Lanes) -> None:
    """SE-E3, SE-E4, SE-E5, SE-E6: start of turn, Move, Engage, end of turn. `e` is (lanes,): the enemy that acts."""
    if s.tell:
        s.tell("SE-E3", int(e[0]), "takes its turn", at, hp=each(s.hp, e, at))
    e, at = start_turn(s, e, at)
    if not len(at):
        return
    moved = move(s, e, at, 0)
    fights = np.arange(len(at))
    if "Rush" in s.facts.present:
        fights = rush(s, e, at, moved)
    if s.facts.possible[DAZE] and s.facts.is_on("daze_engage", "skip"):
        fights = fights[~(moved & s.under(DAZE, e, at))[fights]]
    if len(fights):
        party = slice(0, s.party)
        lanes, who = at[fights], e[fights]
        candidates = covered(s, who, lanes, party) & in_play(s, who, lanes, party)
        blind = s.under(BLIND, who, lanes)
        if blind.any():
            wide = np.zeros((s.units, len(lanes)), dtype=bool)
            wide[: s.party] = candidates & ~blind
            some = which(blind)
            wide[:, some] = blind_covered(s, who[some], lanes[some])
            candidates = wide
        targets = by_priority(s, who, lanes, candidates, blind)
        engage(s, who, lanes, targets, moved[fights])
    end_turn(s, e, at, moved)


def start_turn(s: State, who: Any, at: Lanes) -> tuple[Any, Lanes]:
    """SE-E3, SE-F1, SE-K16: Bane, then Recover. Who is defeated by it does nothing more."""
    begin_turn(s, who, at)
    if s.facts.possible[BANE]:
        bane = which(s.under(BANE, who, at))
        if len(bane):
            unowned(s, who[bane], 1, at[bane])
            alive = s.here(who, at)
            who, at = who[alive], at[alive]
    if "Recover" in s.facts.present:
        some = which(s.has("Recover", who, at))
        heal(s, who[some], who[some], s.heroes, at[some])
    return who, at


def rush(s: State, e: Any, at: Lanes, moved: Mask) -> Any:
    """SE-K18: without a targetable unit after the Move step, move again and skip the Engage step. Who still fights."""
    rushing = s.has("Rush", e, at)
    some = which(rushing)
    if not len(some):
        return np.arange(len(at))
    idle = some[~has_target(s, e[some], at[some])]
    if len(idle):
        moved[idle] |= move(s, e[idle], at[idle], 1)
    fights = np.ones(len(at), dtype=bool)
    fights[idle] = False
    return which(fights)


def has_target(s: State, e: Any, at: Lanes) -> Mask:
    """(lanes,). SE-E7: whether an enemy has a candidate where it stands."""
    party = slice(0, s.party)
    found = np.asarray((covered(s, e, at, party) & in_play(s, e, at, party)).any(axis=0))
    blind = which(s.under(BLIND, e, at))
    if len(blind):
        found[blind] = blind_covered(s, e[blind], at[blind]).any(axis=0)
    return found


# Targets.


def by_priority(s: State, e: Any, at: Lanes, candidates: Mask, blind: Mask) -> list[Any]:
    """SE-E8, SE-E9, SE-T4: the targets in order, each (lanes,) of rows and -1 where there are not so many."""
    units = len(candidates)
    number = np.where(blind, 1, s.stat(s.facts.targets, e, at))
    most = int(np.minimum(number, count(candidates)).max(initial=0))
    key = cut(s.hp[:units], at) * s.stat(s.facts.sign, e, at)
    best_choice = s.facts.is_on("party_choice", "best_for_party")
    value = guard_value(s, at, slice(0, units)) if best_choice and most else None
    left = candidates
    targets = []
    for place in range(most):
        best = narrow(left, key)
        if value is not None:
            best = narrow(best, value, largest=True)
        else:
            tied = which(count(best) > 1)
            if len(tied):
                best = best.copy()
                best[:, tied] = by_order(s, e[tied], at[tied], best[:, tied])
        chosen = nth(best, 0)
        chosen[number <= place] = -1
        targets.append(chosen)
        if place + 1 < most:
            left = left.copy()
            some = which(chosen >= 0)
            left[chosen[some], some] = False
    return targets


def by_order(s: State, e: Any, at: Lanes, tied: Mask) -> Mask:
    """(units, lanes). SE-E9: the first of the tied in the order that the party chose, drawn for this engage."""
    keys = np.full(tied.shape, np.uint64(0xFFFFFFFFFFFFFFFF))
    actor = s.draw(e)
    for unit in np.flatnonzero(tied.any(axis=1)):
        some = which(tied[unit])
        keys[unit, some] = s.luck.bits("SE-E9", s.round, actor[some], int(s.facts.actor[unit]), at[some])
    return narrow(tied, keys)


# Engage.


def engage(s: State, e: Any, at: Lanes, targets: list[Any], moved: Mask) -> None:
    """SE-E10, SE-E11, SE-E12, SE-E13, SE-T6, SE-K2, SE-K22: one roll for all targets, damage one by one, reactions.

    Arcane damage is true, Bladed adds 2 against who is adjacent; Maim halves the dice, rounded down (SE-T7).
    """
    if not targets:
        return
    some = which(targets[0] >= 0)
    if not len(some):
        return
    if len(some) < len(at):
        e, at, moved = e[some], at[some], moved[some]
        targets = [target[some] for target in targets]
    add(s.ledger.uses, s.facts.ability[ENGAGE].take(e), at, 1)
    if s.tell:
        names = [s.tell.names[int(target[0])] for target in targets if target[0] >= 0]
        s.tell("SE-E8", int(e[0]), f"engages {', '.join(names)}", at)
    if "Disrupt" in s.facts.present:
        disrupt(s, e, at, targets)
    dice = combat_dice(s, e, at, targets)
    if s.facts.possible[DAZE]:
        dice = dice * ~(moved & s.under(DAZE, e, at))
    total, misses = roll(s, e, at, dice)
    true: Any = s.has("Arcane", e, at) if "Arcane" in s.facts.present else False
    if s.facts.possible[MAIM]:
        total = np.where(s.under(MAIM, e, at) & ~np.asarray(true), total // 2, total)
    for target in targets:
        open_to = (target >= 0) & s.here(e, at)
        open_to &= each(s.cell, np.maximum(target, 0), at) >= 0
        some = which(open_to)
        if not len(some):
            continue
        amount = total[some]
        if "Bladed" in s.facts.present:
            near = s.between(s.facts.ground.adjacent, e[some], target[some], at[some])
            amount = amount + 2 * (near & s.has("Bladed", e[some], at[some]))
        is_true = true[some] if np.ndim(true) else true
        deal(s, e[some], target[some], amount, at[some], ENGAGE, true=is_true, misses=misses[some])
    after_engage(s, e, at, targets)


def combat_dice(s: State, e: Any, at: Lanes, targets: list[Any]) -> Any:
    """(lanes,). SE-E10, SE-K23, SE-K24, I23: how many dice; Vindictive and Smite in chip order."""
    dice = s.stat(s.facts.combat, e, at).astype(np.int16)
    known = s.facts.present
    extra: Any = 0
    if "Vindictive" in known:
        standing = s.adventurers(at).sum(axis=0, dtype=np.int16)
        extra = standing * s.has("Vindictive", e, at)
    if "Smite" not in known:
        return dice + extra
    chosen = sum((target >= 0).astype(np.int16) for target in targets)
    side = np.arange(s.units)[:, None] < s.party  # (units, 1)
    opposing = (cut(s.cell, at) >= 0) & (side == s.is_enemy(e))
    blind = s.under(BLIND, e, at)
    if blind.any():
        some = which(blind)
        wide = cut(s.cell, at)[:, some] >= 0
        wide[e[some], np.arange(len(some))] = False
        opposing[:, some] = wide
    double = s.has("Smite", e, at) & (opposing.sum(axis=0, dtype=np.int16) > chosen)
    smite_first = s.stat(s.facts.smite_first, e, at)
    return np.where(double, np.where(smite_first, 2 * dice + extra, 2 * (dice + extra)), dice + extra)


def roll(s: State, e: Any, at: Lanes, dice: Any) -> tuple[Any, Any]:
    """SE-E10, SE-K1: the sum of the Combat dice and how many show 0; Aggressive rerolls a 0 once. (lanes,) each."""
    total = np.zeros(len(at), dtype=np.int16)
    misses = np.zeros(len(at), dtype=np.int16)
    if not len(at):
        return total, misses
    actor = s.draw(e)
    one = int(actor[0]) if (actor == actor[0]).all() else None
    again = s.has("Aggressive", e, at)
    rerolls = again.any()
    for die in range(int(dice.max(initial=0))):
        some = which(dice > die)
        every = len(some) == len(at)
        who = one if one is not None else (actor if every else actor[some])
        lanes = at if every else at[some]
        face = s.facts.faces.take(s.luck.below(6, "SE-E10", s.round, who, die, lanes))
        if rerolls:
            repeat = which((face == 0) & again[some])
            if len(repeat):
                who = one if one is not None else actor[some[repeat]]
                face[repeat] = s.facts.faces.take(s.luck.below(6, "SE-K1", s.round, who, die, lanes[repeat]))
        total[some] += face
        misses[some] += face == 0
    if s.tell:
        s.tell("SE-E10", int(e[0]), "rolls", at, dice=dice, total=total)
    return total, misses


def disrupt(s: State, e: Any, at: Lanes, targets: list[Any]) -> None:
    """SE-K21: each target adventurer exhausts the active die with the lowest X."""
    has = s.has("Disrupt", e, at)
    for target in targets:
        some = which(has & (target >= 0) & (target < s.heroes))
        if len(some):
            who, lanes = target[some], at[some]
            place = track.lowest_slot(s, who, lanes)
            able = place >= 0
            who, lanes = who[able], lanes[able]
            if len(lanes):
                track.enter(s, who, track.leave_slot(s, who, place[able], lanes), lanes)


def after_engage(s: State, e: Any, at: Lanes, targets: list[Any]) -> None:
    """SE-E12, SE-E13, SE-K3 to SE-K7, SE-K28: target by target, skills in chip order; the owner must be in play."""
    if not len(s.facts.after):
        return
    kind = each(s.kind, e, at)
    for target in targets:
        for place in range(len(s.facts.after)):
            code = s.facts.after[place].take(kind)
            for skill, name in enumerate(data.AFTER_ENGAGE):
                if name not in s.facts.present:
                    continue
                able = (code == skill) & (target >= 0)
                if not able.any():
                    continue
                able &= s.here(e, at) & (each(s.cell, np.maximum(target, 0), at) >= 0) & s.has(name, e, at)
                some = which(able)
                if len(some):
                    afflict(s, e[some], target[some], name, at[some])


def afflict(s: State, e: Any, target: Any, name: str, at: Lanes) -> None:
    """SE-K3, SE-K4, SE-K5, SE-K6, SE-K7: one after-engage skill on one target."""
    by_party = ~s.is_enemy(e)
    if name == "Enfeeble":
        some = which(target < s.heroes)
        track.tire(s, target[some], s.number("Enfeeble", e[some], at[some]), at[some])
    elif name == "Intimidate":
        afraid = s.under(FEAR, target, at)
        bold, scared = which(~afraid), which(afraid)
        track.gain(s, target[bold], FEAR, at[bold], by_party[bold])
        track.lose(s, target[scared], FEAR, at[scared])
    else:
        track.gain(s, target, data.GIVES[name], at, by_party)


# End of turn.


def end_turn(s: State, who: Any, at: Lanes, moved: Mask) -> None:
    """SE-E6, SE-F3, SE-F7: end-of-turn skills in chip order, then Daze is removed."""
    kind = each(s.kind, who, at)
    for place in range(len(s.facts.ending)):
        code = s.facts.ending[place].take(kind)
        for skill, name in enumerate(data.END_OF_TURN):
            if name in s.facts.present:
                able = (code == skill) & s.here(who, at)
                if able.any():
                    some = which(able & s.has(name, who, at))
                    if len(some):
                        end_skill(s, who[some], name, at[some], moved[some])
    if s.facts.possible[DAZE]:
        alive = which(s.here(who, at))
        track.lose(s, who[alive], DAZE, at[alive])


def end_skill(s: State, who: Any, name: str, at: Lanes, moved: Mask) -> None:
    """SE-K15, SE-K17, SE-K20, SE-K26, SE-K27: Ritual, Bide, Necrotic, Retreat, Decay."""
    if s.tell:
        s.tell("SE-E6", int(who[0]), f"uses {name}", at)
    if name == "Ritual":
        number = s.number("Ritual", who, at)
        for ally in range(s.units):
            _ritual(s, who, ally, number, at)
    elif name == "Bide":
        still = which(~moved)
        heal(s, who[still], who[still], 2, at[still])
    elif name == "Necrotic":
        for unit in range(s.units):
            near = s.between(s.facts.ground.adjacent, who, rows(unit, at), at)
            some = which(near & s.here(who, at))
            if len(some):
                deal(s, who[some], rows(unit, at[some]), 1, at[some], NECROTIC, true=True)
    elif name == "Retreat":
        calm = which(~s.hurt[at])
        track.gain(s, who[calm], STEALTH, at[calm])
        heal(s, who[calm], who[calm], 1, at[calm])
    elif name == "Decay":
        unowned(s, who, 1, at)


def _ritual(s: State, who: Any, ally: int, number: Any, at: Lanes) -> None:
    """SE-K15: one ally in sight heals; the unit itself does not."""
    friend = (s.is_enemy(who) == s.is_enemy(ally)) & (who != ally)
    some = which(friend & s.between(s.facts.ground.sees, who, rows(ally, at), at))
    if len(some):
        heal(s, who[some], ally, number[some], at[some])
