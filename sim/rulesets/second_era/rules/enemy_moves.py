"""How enemies move: to the closest hex that covers somebody, or toward the closest unit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.core.board import FAR, Bits
from sim.core.board.bits import Cell
from sim.core.board.sets import fewest, most, nearest, pick_cell, tally, where
from sim.core.choose import Keys, draw_lot, narrow, pick
from sim.core.lanes import Lanes, Mask, Row, Small, Whole, columns, cut, each, lookup, which
from sim.rulesets.second_era.data import BLIND, COMBAT, SHIELD
from sim.rulesets.second_era.rules.blind import blind_covered, cover_sets_of_all, others
from sim.rulesets.second_era.rules.places import closest, stand
from sim.rulesets.second_era.rules.targets import cover_sets, covered, in_play
from sim.rulesets.second_era.state import State


@dataclass(frozen=True, slots=True)
class Mover:
    """The enemies that move, one per lane."""

    e: Whole  # (lanes,) rows
    at: Lanes
    step: int  # 0 for the Move step, 1 for the second one of Rush

    def only(self, some: Lanes) -> Mover:
        """Some of them: places in `at`."""
        return Mover(self.e[some], self.at[some], self.step)

    def cell(self, s: State) -> Small:
        """(lanes,). Where they stand."""
        return each(s.cell, self.e, self.at)


def guard_value(s: State, at: Lanes, side: slice) -> Small:
    """(units of the side, lanes). SE-E9: g: X on active preventing dice + bonus HP, or the Defense of others."""
    value = s.find(s.facts.defense, at, cut(s.kind, at))
    for hero in range(s.heroes):
        dice, x = cut(s.slot_die[hero], at), cut(s.slot_x[hero], at)
        active = ((dice == SHIELD) | (dice == COMBAT)) * x
        value[hero] = active.sum(axis=0, dtype=np.int16) + cut(s.bonus[hero], at)
    return value[side]


def steps_of(s: State, who: Row, at: Lanes, usual: int) -> Small:
    """(lanes,). SE-M6, SE-K19: movement; with Swift the round counter, 6 in rounds of fatigue (I27)."""
    steps = np.full(len(at), usual, dtype=np.int16)
    if "Swift" in s.facts.present:
        begins = s.facts.switches["fatigue_from"]
        swift = 6 if begins != "off" and s.round >= begins else min(s.round, 6)
        steps[s.has("Swift", who, at)] = swift
    return steps


def move(s: State, e: Whole, at: Lanes, step: int) -> Mask:
    """SE-E4, SE-M1: an enemy with somebody in cover stays; every other one moves. (lanes,) who moved.

    Args:
        step: 0 for the Move step, 1 for the second one of Rush.
    """
    mover = Mover(e, at, step)
    before = mover.cell(s)
    blind = s.under(BLIND, e, at)
    if blind.any():
        move_blind(s, mover.only(which(blind)))
    party = slice(0, s.party)
    visible = in_play(s, e, at, party)
    stays = (covered(s, e, at, party) & visible).any(axis=0) | blind
    goes = which(~stays)
    if len(goes):
        walk_to_cover(s, mover.only(goes), cut(visible, goes))
    moved: Mask = mover.cell(s) != before
    return moved


# With a destination.


def walk_to_cover(s: State, mover: Mover, visible: Mask) -> None:
    """SE-M2 to SE-M9: fix a destination and walk; without one, the fallback."""
    sets = cover_sets(s, mover.e, mover.at, slice(0, s.party), visible)  # by unit
    goals = np.bitwise_or.reduce(sets, axis=0)
    occupied = cut(s.occupied, mover.at)
    tied, walk = closest(s, mover.cell(s), goals & ~occupied, occupied)
    bits = s.facts.ground.board.bits
    has_goal = walk < FAR
    rule = s.facts.switches["dest_tiebreak"]
    if rule == "nearest_unit":  # the older text: several destinations count as none
        has_goal &= bits.count(tied) <= 1
    lost, found = which(~has_goal), which(has_goal)
    if len(lost):
        fall_back(s, mover.only(lost))
    if not len(found):
        return
    if len(lost):
        mover, walk, tied = mover.only(found), walk[found], cut(tied, found)
        sets = [cut(cover, found) for cover in sets]
    if rule != "nearest_unit":
        many = which(bits.count(tied) > 1)
        if len(many):
            kept = [columns(cover, many) for cover in sets]
            tied[:, many] = break_ties(s, mover.only(many), columns(tied, many), kept, rule)
    goal = choose_hex(s, mover, tied, sets, "SE-M4", mover.step)
    walk_toward(s, mover, goal, walk, sets)


def break_ties(s: State, mover: Mover, tied: Bits, sets: list[Bits], rule: str) -> Bits:
    """SE-M3, SE-M5, SE-M12: keep the hexes that cover a unit of the wanted HP P; the number of units plays no part.

    `most_targets` first keeps the hexes with the largest cover; `priority_near` then those nearest to a unit of HP P.
    """
    at = mover.at
    if rule == "most_targets":
        tied = most(tied, tally(sets))
    coverable = np.stack([(cover & tied).any(axis=0) for cover in sets])  # (party, lanes)
    wanted = narrow(coverable, cut(s.hp[: s.party], at) * s.stat(s.facts.sign, mover.e, at))
    covers_wanted = [where(cover, mask) for cover, mask in zip(sets, wanted, strict=True)]
    kept = tied & np.bitwise_or.reduce(covers_wanted, axis=0)
    if rule != "priority_near":
        return kept
    cells = cut(s.cell[: s.party], at)

    def hexes_at(distance: int) -> Bits:
        ring = s.facts.ground.rings[:, distance]
        parts = [columns(ring, cell) & cover for cell, cover in zip(cells, covers_wanted, strict=True)]
        return np.asarray(np.bitwise_or.reduce(parts, axis=0))

    return nearest(kept, (hexes_at(distance) for distance in range(1, s.facts.ground.most + 1)))


def choose_hex(s: State, mover: Mover, tied: Bits, sets: list[Bits], rule: str, index: int) -> Whole:
    """(lanes,). SE-M4, SE-G11: of the tied hexes one by lot, or the one with the fewest units in cover, then (q,r)."""
    bits = s.facts.ground.board.bits
    if s.facts.is_on("party_choice", "best_for_party"):
        return bits.nth(fewest(tied, tally(sets)), 0)
    if int(bits.count(tied).max(initial=0)) <= 1:
        return bits.nth(tied, 0)
    return pick_cell(bits, tied, draw_lot(s.luck, rule, s.round, s.actor(mover.e, mover.at), index, mover.at))


def walk_toward(s: State, mover: Mover, goal: Whole, walk: Small, sets: list[Bits]) -> None:
    """SE-M6, SE-M7, SE-M8: along a shortest unoccupied route, up to m steps; it ends at the destination."""
    steps = steps_of(s, mover.e, mover.at, s.facts.switches["enemy_move"])
    near, far = which(walk <= steps), which(walk > steps)
    arriving = mover.only(near)
    stand(s, arriving.e, goal[near], arriving.at, "SE-M6", walk[near])
    if not len(far):
        return
    mover, goal, steps = mover.only(far), goal[far], steps[far]
    sets = [cut(cover, far) for cover in sets]
    board = s.facts.ground.board
    place: Cell = mover.cell(s)
    fill = board.reach(goal, int(walk[far].max()), blocked=cut(s.occupied, mover.at) & ~board.bits.at(place))
    for number in range(int(steps.max())):
        onward = fill.back(place)
        following = choose_hex(s, mover, onward, sets, "SE-M8", 100 * mover.step + number)
        place = np.where((steps > number) & (following >= 0), following, place)
    stand(s, mover.e, place, mover.at, "SE-M6", steps)


# Without a destination.


def fall_back(s: State, mover: Mover) -> None:
    """SE-M9: toward the closest opposing unit, hidden ones included; ties by priority, then party choice."""
    party, at = slice(0, s.party), mover.at
    on_the_map = cut(s.cell[party], at) >= 0
    unit = closest_unit(s, mover, on_the_map, cut(s.hp[party], at) * s.stat(s.facts.sign, mover.e, at))
    approach(s, mover, unit)


def closest_unit(s: State, mover: Mover, candidates: Mask, key: Keys) -> Whole:
    """(lanes,). SE-M9, SE-T5: the candidate at the smallest finite range, then by key, then party choice; or -1."""
    rows, at = len(candidates), mover.at
    distance = lookup(s.facts.ground.range, mover.cell(s), cut(s.cell[:rows], at))
    left = narrow(narrow(candidates & (distance < FAR), distance), key)
    if s.facts.is_on("party_choice", "best_for_party"):
        return pick(left, by=(-guard_value(s, at, slice(0, rows)),))
    return pick(left, lot=draw_lot(s.luck, "SE-M9", s.round, s.actor(mover.e, at), mover.step, at))


def approach(s: State, mover: Mover, unit: Whole) -> None:
    """SE-M10, SE-M11: to the hex within reach nearest to the unit, of these the closest; stay if none is better.

    `planned` looks at every hex that can be walked to and goes part of the way. Where `unit` is -1, nobody moves.
    """
    some = which(unit >= 0)
    if not len(some):
        return
    mover, unit = mover.only(some), unit[some]
    ground, at = s.facts.ground, mover.at
    steps = steps_of(s, mover.e, at, s.facts.switches["enemy_move"])
    planned = s.facts.is_on("fallback_move", "planned")
    fill = ground.board.reach(mover.cell(s), None if planned else steps, blocked=cut(s.occupied, at))
    tied, walk = fill.nearest(ground.nearest(fill.all, each(s.cell, unit, at)))
    goes = which((walk > 0) & (walk < FAR))
    if len(goes):
        go_to_one_of(s, mover.only(goes), columns(tied, goes), walk[goes], "SE-M10")


def go_to_one_of(s: State, mover: Mover, tied: Bits, walk: Small, rule: str) -> None:
    """SE-M4, SE-M6: to one of the tied hexes, by party choice."""
    best = s.facts.is_on("party_choice", "best_for_party")
    sets = cover_sets_of_all(s, mover.e, mover.at) if best else []  # what party choice counts
    walk_toward(s, mover, choose_hex(s, mover, tied, sets, rule, mover.step), walk, sets)


# Blind.


def move_blind(s: State, mover: Mover) -> None:
    """SE-F2: without cover it goes next to the closest other unit that is not hidden, the strongest on a tie."""
    mover = mover.only(which(~np.asarray(blind_covered(s, mover.e, mover.at).any(axis=0))))
    if not len(mover.at):
        return
    unit = closest_unit(s, mover, others(s, mover.e, mover.at), -cut(s.hp, mover.at))
    lost = which(unit < 0)
    if len(lost):
        move_lost(s, mover.only(lost))
    some = which(unit >= 0)
    if len(some):
        go_beside(s, mover.only(some), unit[some])


def move_lost(s: State, mover: Mover) -> None:
    """SE-M9, SE-F2: a Blind enemy for whom everybody hides: everybody counts, hidden or not."""
    on_the_map = cut(s.cell, mover.at) >= 0
    on_the_map[mover.e, np.arange(len(mover.at))] = False
    key = cut(s.hp, mover.at) * s.stat(s.facts.sign, mover.e, mover.at)
    approach(s, mover, closest_unit(s, mover, on_the_map, key))


def go_beside(s: State, mover: Mover, unit: Whole) -> None:
    """SE-F2: to the closest free hex next to a unit; if there is none, as near as possible."""
    occupied = cut(s.occupied, mover.at)
    beside = columns(s.facts.ground.rings[:, 1], each(s.cell, unit, mover.at))
    tied, walk = closest(s, mover.cell(s), beside & ~occupied, occupied)
    blocked, free = which(walk == FAR), which(walk < FAR)
    if len(blocked):
        approach(s, mover.only(blocked), unit[blocked])
    if len(free):
        go_to_one_of(s, mover.only(free), columns(tied, free), walk[free], "SE-M4")
