"""The turns of enemies: start, Move, Engage, end. Companions share the start and the end."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Mask, Tiny, Whole, each, lookup, per_lane, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import BANE, DAZE, NECROTIC, STEALTH
from sim.rulesets.second_era.rules.damage import Blow, Cure, amount_of, deal, heal, unowned
from sim.rulesets.second_era.rules.enemy_attacks import by_priority, candidates, engage
from sim.rulesets.second_era.rules.enemy_moves import move
from sim.rulesets.second_era.rules.statuses import gain, lose
from sim.rulesets.second_era.rules.turns import begin_telling, begin_turn, tell_if_idle
from sim.rulesets.second_era.state import State


def enemy_turn(s: State, e: Whole, at: Lanes) -> None:
    """SE-E3, SE-E4, SE-E5, SE-E6: start of turn, Move, Engage, end of turn. `e` is (lanes,): the enemy that acts."""
    told = begin_telling(s)
    e, at = start_turn(s, e, at)
    if not len(at):
        return
    walked = move(s, e, at, 0)
    rushed, walked_on = rush(s, e, at)
    moved = walked | walked_on
    some = which(~rushed & may_engage(s, e, at, moved))
    if len(some):
        fighter, fighting = e[some], at[some]
        targets = by_priority(s, fighter, fighting, candidates(s, fighter, fighting))
        engage(s, fighter, fighting, targets, moved[some])
    end_turn(s, e, at, moved)
    tell_if_idle(s, e, told, at, "SE-E7")


def start_turn(s: State, who: Whole, at: Lanes) -> tuple[Whole, Lanes]:
    """SE-E3, SE-F1, SE-K16: Bane, then Recover. Who is defeated by it does nothing more."""
    begin_turn(s, who, at)
    if s.facts.possible[BANE]:
        bane = which(s.under(BANE, who, at))
        if len(bane):
            unowned(s, who[bane], 1, at[bane], "bane")
            alive = s.here(who, at)
            who, at = who[alive], at[alive]
    if "Recover" in s.facts.present:
        some = which(s.has("Recover", who, at))
        heal(s, who[some], who[some], s.heroes, at[some], Cure("Recover", "SE-K16"))
    return who, at


def rush(s: State, e: Whole, at: Lanes) -> tuple[Mask, Mask]:
    """SE-K18: without a targetable unit after the Move step, move again and skip the Engage step.

    (lanes,) each: who rushed, and who came to another hex by it.
    """
    rushed, walked_on = np.zeros((2, len(at)), dtype=bool)
    able = which(s.has("Rush", e, at))
    if len(able):
        idle = able[~candidates(s, e[able], at[able]).any(axis=0)]
        if len(idle):
            rushed[idle] = True
            walked_on[idle] = move(s, e[idle], at[idle], 1)
    return rushed, walked_on


def may_engage(s: State, e: Whole, at: Lanes, moved: Mask) -> Mask:
    """(lanes,). SE-F3: a Dazed enemy that has moved completes an engage without dice, or with `skip` none at all."""
    if s.facts.is_on("daze_engage", "skip"):
        return ~(moved & s.under(DAZE, e, at))
    return np.ones(len(at), dtype=bool)


# End of turn.


def end_turn(s: State, who: Whole, at: Lanes, moved: Mask) -> None:
    """SE-E6, SE-F3, SE-F7: end-of-turn skills in chip order, then Daze is removed."""
    kind = each(s.kind, who, at)
    for chips in s.facts.end_of_turn:
        code = lookup(chips, kind)
        for skill, name in enumerate(data.END_OF_TURN):
            if name in s.facts.present:
                able = (code == skill) & s.here(who, at)
                if able.any():
                    some = which(able & s.has(name, who, at))
                    if len(some):
                        end_skill(s, who[some], name, at[some], moved[some])
    if s.facts.possible[DAZE]:
        alive = which(s.here(who, at))
        lose(s, who[alive], DAZE, at[alive])


def end_skill(s: State, who: Whole, name: str, at: Lanes, moved: Mask) -> None:
    """SE-K15, SE-K17, SE-K20, SE-K26, SE-K27: Ritual, Bide, Necrotic, Retreat, Decay."""
    if name == "Ritual":
        number = s.number("Ritual", who, at)
        for ally in range(s.units):
            ritual(s, who, ally, number, at)
    elif name == "Bide":
        still = which(~moved)
        heal(s, who[still], who[still], 2, at[still], Cure("Bide", "SE-K17"))
    elif name == "Necrotic":
        if s.tell and s.facts.ground.adjacent[each(s.cell, who, at)[0], s.cell[:, 0]].any():
            s.tell.event("SE-K20", "necrotic", at, who=who)
        for unit in range(s.units):
            necrotic(s, who, unit, at)
    elif name == "Retreat":
        calm = which(~s.hurt[at])
        gain(s, who[calm], STEALTH, at[calm])
        heal(s, who[calm], who[calm], 1, at[calm], Cure("Retreat", "SE-K26"))
    elif name == "Decay":
        unowned(s, who, 1, at, "decay")


def ritual(s: State, who: Whole, ally: int, number: Tiny, at: Lanes) -> None:
    """SE-K15: one ally in sight heals; the unit itself does not."""
    friend = (s.is_enemy(who) == (ally >= s.party)) & (who != ally)
    some = which(friend & s.between(s.facts.ground.sees, who, ally, at))
    if len(some):
        heal(s, who[some], ally, number[some], at[some], Cure("Ritual", "SE-K15"))


def necrotic(s: State, who: Whole, unit: int, at: Lanes) -> None:
    """SE-K20: 1 true damage to one unit, if it is adjacent."""
    some = which(s.between(s.facts.ground.adjacent, who, unit, at) & s.here(who, at))
    if len(some):
        near = at[some]
        deal(s, Blow(who[some], per_lane(unit, near), amount_of(1, near), near, NECROTIC, true=True))
