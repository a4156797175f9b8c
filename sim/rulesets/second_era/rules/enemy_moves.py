"""How enemies move (section 6.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.board import FAR, Bits
from sim.core.choose import count, narrow, nth
from sim.core.lanes import Lanes, Mask, Small, cut, each, which
from sim.rulesets.second_era.data import BLIND, COMBAT, SHIELD, SLOTS
from sim.rulesets.second_era.rules.places import (
    closest,
    covered,
    fewest,
    in_play,
    most,
    nearest_to,
    shots,
    stand,
    tally,
    where,
)  # fmt: skip
from sim.rulesets.second_era.state import State


def guard_value(s: State, at: Lanes, side: slice) -> Small:
    """(units of the side, lanes). SE-E9: g: X on active preventing dice + bonus HP, or the Defense of others."""
    value = s.facts.defense.take(cut(s.kind, at))
    for hero in range(s.heroes):
        dice, x = cut(s.slot_die[hero * SLOTS : (hero + 1) * SLOTS], at), cut(s.slot_x[hero * SLOTS :][:SLOTS], at)
        active = ((dice == SHIELD) | (dice == COMBAT)) * x
        value[hero] = active.sum(axis=0, dtype=np.int16) + cut(s.bonus[hero], at)
    return value[side]


def steps_of(s: State, who: Any, at: Lanes, usual: int) -> Small:
    """(lanes,). SE-M6, SE-K19: movement; with Swift the round counter, 6 in rounds of fatigue (I27)."""
    steps = np.full(len(at), usual, dtype=np.int16)
    if "Swift" in s.facts.present:
        begins = s.facts.switches["fatigue_from"]
        swift = 6 if begins != "off" and s.round >= begins else min(s.round, 6)
        steps[s.has("Swift", who, at)] = swift
    return steps


def move(s: State, e: Any, at: Lanes, step: int) -> Mask:
    """SE-E4, SE-M1: an enemy with somebody in cover stays; every other one moves. (lanes,) who moved.

    Args:
        step: 0 for the Move step, 1 for the second one of Rush.
    """
    before = each(s.cell, e, at).copy()
    blind = s.under(BLIND, e, at)
    if blind.any():
        from sim.rulesets.second_era.rules.blind import move_blind

        lanes = which(blind)
        move_blind(s, e[lanes], at[lanes], step)
    party = slice(0, s.party)
    seen = in_play(s, e, at, party)
    stays = (covered(s, e, at, party) & seen).any(axis=0) | blind
    goes = which(~stays)
    if len(goes):
        walk_to_cover(s, e[goes], at[goes], seen[:, goes], step)
    moved: Mask = each(s.cell, e, at) != before
    return moved


def walk_to_cover(s: State, e: Any, at: Lanes, seen: Mask, step: int) -> None:
    """SE-M2 to SE-M9: fix a destination and walk; without one, the fallback."""
    cells = cut(s.cell[: s.party], at)
    sets = [where(seen[unit], shots(s, e, at, cells[unit])) for unit in range(s.party)]  # by unit: its cover
    goals = sets[0].copy()
    for cover in sets[1:]:
        goals |= cover
    occupied = cut(s.occupied, at)
    tied, walk = closest(s, each(s.cell, e, at), goals & ~occupied, occupied)
    bits = s.facts.ground.board.bits
    has_goal = walk < FAR
    rule = s.facts.switches["dest_tiebreak"]
    if rule == "nearest_unit":  # the older text: several destinations count as none
        has_goal &= bits.count(tied) <= 1
    lost = which(~has_goal)
    if len(lost):
        fall_back(s, e[lost], at[lost], step)
    some = which(has_goal)
    if not len(some):
        return
    if len(some) < len(at):
        e, at, tied, walk = e[some], at[some], tied[:, some], walk[some]
        sets = [cover[:, some] for cover in sets]
        seen = seen[:, some]
    if rule != "nearest_unit":
        many = which(bits.count(tied) > 1)
        if len(many):
            kept = [cover[:, many] for cover in sets]
            tied[:, many] = break_ties(s, e[many], at[many], tied[:, many], kept, rule)
    goal = choose_hex(s, e, at, tied, sets, "SE-M4", step)
    walk_toward(s, e, at, goal, walk, sets, step)


def break_ties(s: State, e: Any, at: Lanes, tied: Bits, sets: list[Bits], rule: str) -> Bits:
    """SE-M3, SE-M5, SE-M12: keep the hexes that cover a unit of the wanted HP P; the number of units plays no part.

    `most_targets` first keeps the hexes with the largest cover; `priority_near` then those nearest to a unit of HP P.
    """
    if rule == "most_targets":
        tied = most(tied, tally(sets))
    sign = s.stat(s.facts.sign, e, at)
    coverable = np.stack([(cover & tied).any(axis=0) for cover in sets])  # (party, lanes)
    wanted = narrow(coverable, cut(s.hp[: s.party], at) * sign)
    kept = np.zeros_like(tied)
    for unit, cover in enumerate(sets):
        kept |= where(wanted[unit], cover)
    kept &= tied
    if rule != "priority_near":
        return kept
    rings = s.facts.ground.rings
    near, waiting = np.zeros_like(kept), np.ones(len(at), dtype=bool)
    for distance in range(1, s.facts.ground.most + 1):
        ring = np.zeros_like(kept)
        for unit, cover in enumerate(sets):
            cell = each(s.cell, np.int64(unit), at)  # type: ignore[arg-type]
            ring |= where(wanted[unit] & waiting, rings[:, distance].take(cell, axis=1) & cover)
        ring &= kept
        near |= ring
        waiting &= ~ring.any(axis=0)
    return near


def choose_hex(s: State, e: Any, at: Lanes, tied: Bits, sets: list[Bits], rule: str, index: int) -> Any:
    """(lanes,). SE-M4, SE-G11: of the tied hexes one by lot, or the one with the fewest units in cover, then (q,r)."""
    bits = s.facts.ground.board.bits
    if s.facts.is_on("party_choice", "best_for_party"):
        return bits.nth(fewest(tied, tally(sets)), 0)
    number = bits.count(tied)
    if int(number.max(initial=0)) <= 1:
        return bits.nth(tied, 0)
    return bits.nth(tied, s.luck.below(number, rule, s.round, s.draw(e), index, at))


def walk_toward(s: State, e: Any, at: Lanes, goal: Any, walk: Small, sets: list[Bits], step: int) -> None:
    """SE-M6, SE-M7, SE-M8: along a shortest unoccupied route, up to m steps; it ends at the destination."""
    steps = steps_of(s, e, at, s.facts.switches["enemy_move"])
    near = which(walk <= steps)
    stand(s, e[near], goal[near], at[near])
    far = which(walk > steps)
    if not len(far):
        return
    e, at, goal, steps = e[far], at[far], goal[far], steps[far]
    sets = [cover[:, far] for cover in sets]
    board = s.facts.ground.board
    bits = board.bits
    place = each(s.cell, e, at).astype(np.int64)
    fill = board.reach(goal, int(walk[far].max()), blocked=cut(s.occupied, at) & ~bits.at(place))
    for number in range(int(steps.max())):
        onward = fill.back(place)
        following = choose_hex(s, e, at, onward, sets, "SE-M8", 100 * step + number)
        place = np.where((steps > number) & (following >= 0), following, place)
    stand(s, e, place, at)


# Without a destination.


def fall_back(s: State, e: Any, at: Lanes, step: int) -> None:
    """SE-M9: toward the closest opposing unit, hidden ones included; ties by priority, then party choice."""
    party = slice(0, s.party)
    there = cut(s.cell[party], at) >= 0
    unit = closest_unit(s, e, at, there, cut(s.hp[party], at) * s.stat(s.facts.sign, e, at), step)
    some = which(unit >= 0)
    if len(some):
        approach(s, e[some], at[some], unit[some], step)


def closest_unit(s: State, e: Any, at: Lanes, candidates: Mask, key: Any, step: int) -> Any:
    """(lanes,). SE-M9, SE-T5: the candidate at the smallest finite range, then by key, then party choice; or -1."""
    rows = len(candidates)
    start = each(s.cell, e, at).astype(np.int32) * s.facts.ground.width
    distance = s.facts.ground.range.take(start + cut(s.cell[:rows], at))
    left = narrow(candidates & (distance < FAR), distance)
    left = narrow(left, key)
    if s.facts.is_on("party_choice", "best_for_party"):
        left = narrow(left, guard_value(s, at, slice(0, rows)), largest=True)
        return nth(left, 0)
    return nth(left, s.luck.below(count(left), "SE-M9", s.round, s.draw(e), step, at))


def approach(s: State, e: Any, at: Lanes, unit: Any, step: int) -> None:
    """SE-M10, SE-M11: to the hex within reach nearest to the unit, of these the closest; stay if none is better.

    `planned` looks at every hex that can be walked to and goes part of the way.
    """
    board = s.facts.ground.board
    planned = s.facts.is_on("fallback_move", "planned")
    steps = steps_of(s, e, at, s.facts.switches["enemy_move"])
    start = each(s.cell, e, at).astype(np.int64)
    fill = board.reach(start, None if planned else steps, blocked=cut(s.occupied, at))
    best = nearest_to(s, fill.all, each(s.cell, unit, at))
    tied, walk = fill.nearest(best)
    goes = which((walk > 0) & (walk < FAR))
    if not len(goes):
        return
    e, at, tied, walk = e[goes], at[goes], tied[:, goes], walk[goes]
    sets = _cover_sets(s, e, at)
    goal = choose_hex(s, e, at, tied, sets, "SE-M10", step)
    walk_toward(s, e, at, goal, walk, sets, step)


def _cover_sets(s: State, e: Any, at: Lanes) -> list[Bits]:
    """By opposing unit: the hexes that cover it; what party choice counts. Empty where nobody asks."""
    if not s.facts.is_on("party_choice", "best_for_party"):
        return []
    blind = s.under(BLIND, e, at)
    if blind.any():
        from sim.rulesets.second_era.rules.blind import blind_cover_sets

        return blind_cover_sets(s, e, at, blind)
    seen = in_play(s, e, at, slice(0, s.party))
    cells = cut(s.cell[: s.party], at)
    return [where(seen[unit], shots(s, e, at, cells[unit])) for unit in range(s.party)]
