"""The round: step-up, stances, hero phase, monster phase, round end (section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.lanes import Lanes, which
from sim.core.outcomes import Outcome
from sim.core.policy import truth
from sim.rulesets.overhill.plans import STANCES
from sim.rulesets.overhill.rules.damage import check_win
from sim.rulesets.overhill.rules.monsters import monster_phase
from sim.rulesets.overhill.rules.moves import step_up
from sim.rulesets.overhill.state import AGGRESSIVE, DEFENSIVE, NEUTRAL, State

if TYPE_CHECKING:
    from sim.rulesets.overhill.policy import Heroes

MANNERS = {AGGRESSIVE: "aggressively", DEFENSIVE: "defensively"}  # neutral heroes are no news


def play_round(s: State, heroes: Heroes) -> None:
    """OU-R1: one round."""
    start_round(s)
    choose_stances(s, heroes)
    hero_phase(s, heroes)
    monster_phase(s)
    end_round(s)


def start_round(s: State) -> None:
    """OU-R2: step-up; a cast block set last round becomes active, an active one ends."""
    step_up(s)
    s.cast_blocked[:] = s.strained
    s.strained[:] = False
    s.accepted[:] = False


# Stances.


def choose_stances(s: State, heroes: Heroes) -> None:
    """OU-R3, OU-R8: every standing, not paralysed front hero gets a stance from the policy; all others are neutral."""
    s.stance[:] = NEUTRAL
    for hero in range(s.heroes):
        at = which(s.live & (s.health[hero] > 0) & (s.paralysed[hero] == 0) & s.front[hero])
        if len(at):
            choose_stance(s, heroes, hero, at)
            if s.tell and (manner := MANNERS.get(int(s.stance[hero, at[0]]))):
                s.tell("OU-R3", hero, f"fights {manner}", at)


def choose_stance(s: State, heroes: Heroes, hero: int, at: Lanes) -> None:
    """OU-R3: by lot, by the first line that holds, or the one with the best score."""
    plan = heroes.plan
    if plan.random_stance:
        drawn = s.luck.below(3, "stance", s.round, hero, 0, at)
        s.stance[hero, at] = np.array(list(STANCES.values()), dtype=np.int16)[drawn]
    elif plan.stance_score is not None:
        best_stance(s, heroes, hero, at)
    else:
        for choice in plan.stances:
            holds = truth(choice.when, heroes, s, hero, at)
            s.stance[hero, at[holds]] = STANCES[choice.take]
            at = at[~holds]
            if not len(at):
                break


def best_stance(s: State, heroes: Heroes, hero: int, at: Lanes) -> None:
    """Section 10: the stance with the highest score of strike and risk; ties the earlier one."""
    score_of = heroes.plan.stance_score
    assert score_of is not None
    best = np.full(len(at), -np.inf)
    chosen = np.zeros(len(at), dtype=np.int16)
    outlook = heroes.scales.outlook(s, at)
    for name in heroes.plan.best_of:
        stance = STANCES[name]
        s.stance[hero, at] = stance

        def about(asked: str, stance: int = stance) -> Any:
            if asked == "strike":
                return heroes.strike_value(s, hero, at, outlook)
            if asked == "risk":
                return heroes.scales.risk(s, hero, at, stance, outlook)
            return heroes.ask(s, hero, asked, at)

        score = np.broadcast_to(np.asarray(score_of(about), dtype=np.float64), len(at))
        better = score > best + 1e-12
        chosen[better] = stance
        best = np.where(better, score, best)
    s.stance[hero, at] = chosen


# Phases.


def hero_phase(s: State, heroes: Heroes) -> None:
    """OU-R4, OU-R5: in roster order each standing, not paralysed hero acts once; then paralysis wears off by one."""
    lost = np.zeros((s.heroes, s.size), dtype=bool)  # who loses this phase to paralysis
    for hero in range(s.heroes):
        standing = s.live & (s.health[hero] > 0)
        lost[hero] = standing & (s.paralysed[hero] > 0)
        at = which(standing & ~lost[hero] & ~s.risen[hero])
        if len(at):
            heroes.turn(s, hero, at)
            check_win(s, at)
    s.paralysed -= lost & (s.health > 0)


def end_round(s: State) -> None:
    """OU-R7, OU-Z3: clear `bashed`, remember the kills, and at the round cap call it a draw."""
    s.bashed[:] = 0
    s.risen[:] = False
    s.kills_prev, s.kills_now = s.kills_now, s.kills_prev
    s.kills_now[:] = 0
    s.emptied[(s.n == 0) & (s.emptied < 0)] = s.round
    if s.round >= s.facts.switches["round_cap"]:
        undecided = which(s.live)
        s.decide(undecided, Outcome.DRAW)
        if s.tell and len(undecided):
            s.tell("OU-R7", "", "The round cap is reached: a draw.", undecided)
