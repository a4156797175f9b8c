"""The turns of companions (SE-R9, SE-U1, the companion rule of section 10)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.choose import count, narrow, nth
from sim.core.lanes import Lanes, Mask, cut, which
from sim.rulesets.second_era.data import BLIND, DAZE
from sim.rulesets.second_era.rules.blind import blind_covered, blind_sets
from sim.rulesets.second_era.rules.enemy_moves import steps_of
from sim.rulesets.second_era.rules.enemy_turns import end_turn, engage, start_turn
from sim.rulesets.second_era.rules.hero_moves import narrowed, nearest_enemy, toward
from sim.rulesets.second_era.rules.places import covered, in_play, shots, stand, where
from sim.rulesets.second_era.state import State, rows

COMPANION_STEPS = 2


def companion_turn(s: State, companion: int, at: Lanes) -> None:
    """SE-R9, SE-S6, SE-U1: deploy if it waits, then move freely and engage; its skills are mandatory."""
    waiting = at[s.cell[companion, at] < 0]
    if len(waiting):
        deploy(s, companion, waiting)
        at = at[s.cell[companion, at] >= 0]
    if not len(at):
        return
    if s.tell:
        s.tell("SE-R9", companion, "takes its turn", at, hp=s.hp[companion, at])
    who, at = start_turn(s, rows(companion, at), at)
    if not len(at):
        return
    before = s.cell[companion, at].copy()
    fights = companion_move(s, companion, at)
    if "Rush" in s.facts.present:
        idle = which(~fights & s.has("Rush", companion, at))
        if len(idle):
            companion_move(s, companion, at[idle])
    moved = s.cell[companion, at] != before
    some = which(fights)
    if len(some):
        lanes = at[some]
        targets = by_weakness(s, companion, lanes, companion_targets(s, companion, lanes))
        engage(s, who[some], lanes, targets, moved[some])
    end_turn(s, who, at, moved)


def deploy(s: State, companion: int, at: Lanes) -> None:
    """SE-S6: a companion that waits takes the first free entrance hex."""
    bits = s.facts.ground.board.bits
    for cell in s.facts.ground.entrance:
        free = ~bits.has(s.occupied[:, at], np.full(len(at), cell))
        lanes = at[free]
        s.cell[companion, lanes] = cell
        s.occupied[:, lanes] |= bits.fixed([cell])
        at = at[~free]
        if s.tell and len(lanes):
            s.tell("SE-S6", companion, "enters the battle", lanes)


def companion_sets(s: State, companion: int, at: Lanes) -> Any:
    """(words, lanes). The hexes from which a companion has a targetable enemy."""
    enemies = slice(s.party, s.units)
    who = rows(companion, at)
    seen = in_play(s, companion, at, enemies)
    cells = cut(s.cell, at)
    goals = s.facts.ground.board.bits.none(len(at))
    for enemy in range(s.party, s.units):
        goals |= where(seen[enemy - s.party], shots(s, who, at, cells[enemy]))
    blind = which(s.under(BLIND, companion, at))
    if len(blind):
        sets = blind_sets(s, who[blind], at[blind])
        goals[:, blind] = np.bitwise_or.reduce(sets[s.party :], axis=0)
    return goals


def companion_targets(s: State, companion: int, at: Lanes) -> Mask:
    """(enemies, lanes). Targetable enemies from where the companion stands."""
    enemies = slice(s.party, s.units)
    who = rows(companion, at)
    found = covered(s, who, at, enemies) & in_play(s, companion, at, enemies)
    blind = which(s.under(BLIND, companion, at))
    if len(blind):
        found[:, blind] = blind_covered(s, who[blind], at[blind])[enemies]
    return found


def by_weakness(s: State, companion: int, at: Lanes, candidates: Mask) -> list[Any]:
    """Section 10: a companion engages the first `targets` enemies by (HP, index)."""
    number = np.where(s.under(BLIND, companion, at), 1, s.stat(s.facts.targets, companion, at))
    targets = []
    left = candidates.copy()
    for place in range(int(np.minimum(number, count(left)).max(initial=0))):
        chosen = nth(narrow(left, cut(s.hp[s.party :], at)), 0)
        some = which(chosen >= 0)
        left[chosen[some], some] = False
        targets.append(np.where((chosen >= 0) & (number > place), chosen + s.party, -1))
    return targets


def companion_move(s: State, companion: int, at: Lanes) -> Mask:
    """Section 10: to the closest hex with a targetable enemy, else toward the nearest. (lanes,) whether it found one.

    A Dazed one engages from where it stands or only moves.
    """
    board = s.facts.ground.board
    start = s.cell[companion, at].astype(np.int64)
    steps = steps_of(s, rows(companion, at), at, COMPANION_STEPS)
    fill = board.reach(start, steps, blocked=cut(s.occupied, at))
    goals = companion_sets(s, companion, at) & fill.all
    if s.facts.possible[DAZE]:
        goals = np.where(s.under(DAZE, companion, at), goals & board.bits.at(start), goals)
    tied, _ = fill.nearest(goals)
    found = np.asarray(tied.any(axis=0))
    some = which(found)
    stand(s, companion, board.bits.nth(tied[:, some], 0), at[some])
    lost = which(~found)
    if len(lost):
        lanes, layers = at[lost], narrowed(fill, lost)
        goal = toward(s, nearest_enemy(s, companion, lanes), lanes, layers)
        goes = which(goal >= 0)
        stand(s, companion, goal[goes], lanes[goes])
    return found
