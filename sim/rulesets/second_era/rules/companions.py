"""The turns of companions."""

from __future__ import annotations

import numpy as np

from sim.core.board import Bits
from sim.core.choose import count, first, narrow
from sim.core.lanes import Lanes, Mask, Whole, columns, cut, per_lane, which
from sim.rulesets.second_era.data import BLIND, DAZE
from sim.rulesets.second_era.rules.blind import blind_covered, blind_sets
from sim.rulesets.second_era.rules.enemy_attacks import engage, most_targets, without
from sim.rulesets.second_era.rules.enemy_moves import steps_of
from sim.rulesets.second_era.rules.enemy_turns import end_turn, start_turn
from sim.rulesets.second_era.rules.hero_moves import joined, nearest_enemy, toward
from sim.rulesets.second_era.rules.places import stand
from sim.rulesets.second_era.rules.targets import cover_sets, covered, in_play
from sim.rulesets.second_era.rules.turns import begin_telling, tell_if_idle
from sim.rulesets.second_era.state import State

COMPANION_STEPS = 2


def companion_turn(s: State, companion: int, at: Lanes) -> None:
    """SE-R9, SE-S6, SE-U1: deploy if it waits, then move freely and engage; its skills are mandatory."""
    told = begin_telling(s)
    waiting = at[cut(s.cell[companion], at) < 0]
    if len(waiting):
        deploy(s, companion, waiting)
        at = at[cut(s.cell[companion], at) >= 0]
    if not len(at):
        return
    who, at = start_turn(s, per_lane(companion, at), at)
    if not len(at):
        return
    before = columns(s.cell[companion], at)
    fights = companion_move(s, companion, at)
    if "Rush" in s.facts.present:
        idle = at[~fights & s.has("Rush", companion, at)]
        if len(idle):
            companion_move(s, companion, idle)
    moved: Mask = cut(s.cell[companion], at) != before
    some = which(fights)
    if len(some):
        fighting = at[some]
        targets = by_weakness(s, companion, fighting, companion_targets(s, companion, fighting))
        engage(s, who[some], fighting, targets, moved[some])
    end_turn(s, who, at, moved)
    tell_if_idle(s, companion, told, at, "SE-R9")


def deploy(s: State, companion: int, at: Lanes) -> None:
    """SE-S6: a companion that waits takes the first free entrance hex."""
    bits = s.facts.ground.board.bits
    for cell in s.facts.ground.entrance:
        free = ~bits.has(cut(s.occupied, at), per_lane(cell, at))
        entering = at[free]
        s.cell[companion][entering] = cell
        s.occupied[:, entering] |= bits.fixed([cell])
        at = at[~free]
        if s.tell and len(entering):
            s.tell.event("SE-S6", "enters", entering, who=companion)


def companion_sets(s: State, companion: int, at: Lanes) -> Bits:
    """(words, lanes). The hexes from which a companion has a targetable enemy."""
    enemies = slice(s.party, s.units)
    goals = joined(s, cover_sets(s, companion, at, enemies, in_play(s, companion, at, enemies)), at)
    blind = which(s.under(BLIND, companion, at))
    if len(blind):
        goals[:, blind] = joined(s, blind_sets(s, companion, at[blind])[enemies], at[blind])
    return goals


def companion_targets(s: State, companion: int, at: Lanes) -> Mask:
    """(enemies, lanes). Targetable enemies from where the companion stands."""
    enemies = slice(s.party, s.units)
    found = covered(s, companion, at, enemies) & in_play(s, companion, at, enemies)
    blind = which(s.under(BLIND, companion, at))
    if len(blind):
        found[:, blind] = blind_covered(s, companion, at[blind])[enemies]
    return found


def by_weakness(s: State, companion: int, at: Lanes, left: Mask) -> list[Whole]:
    """SE-R9: a companion engages the first `targets` enemies by (HP, index)."""
    number = most_targets(s, companion, at)
    targets = []
    for place in range(int(np.minimum(number, count(left)).max(initial=0))):
        chosen = first(narrow(left, cut(s.hp[s.party :], at)))
        left = without(left, chosen)
        targets.append(np.where((chosen >= 0) & (number > place), chosen + s.party, -1))
    return targets


def companion_move(s: State, companion: int, at: Lanes) -> Mask:
    """SE-R9: to the closest hex with a targetable enemy, else toward the nearest. (lanes,) whether it found one.

    A Dazed one engages from where it stands or only moves.
    """
    board = s.facts.ground.board
    start = cut(s.cell[companion], at)
    fill = board.reach(start, steps_of(s, companion, at, COMPANION_STEPS), blocked=cut(s.occupied, at))
    goals = companion_sets(s, companion, at) & fill.all
    if s.facts.possible[DAZE]:
        goals = np.where(s.under(DAZE, companion, at), goals & board.bits.at(start), goals)
    tied, _ = fill.nearest(goals)
    found: Mask = np.asarray(tied.any(axis=0))
    some, lost = which(found), which(~found)
    stand(s, companion, board.bits.nth(columns(tied, some), 0), at[some], "SE-R9")
    if len(lost):
        moving = at[lost]
        goal = toward(s, nearest_enemy(s, companion, moving), moving, fill.only(lost))
        goes = which(goal >= 0)
        stand(s, companion, goal[goes], moving[goes], "SE-R9")
    return found
