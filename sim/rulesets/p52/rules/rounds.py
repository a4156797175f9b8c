"""The round as a table of contents, and the way from one encounter to the next (P52-T1, P52-T6, P52-X5)."""

from __future__ import annotations

from sim.core.lanes import Lanes, cut, keep, which
from sim.core.outcomes import Outcome
from sim.rulesets.p52.rules.ending import leave_space, reward
from sim.rulesets.p52.rules.hero_turns import TakeTurn
from sim.rulesets.p52.rules.setup import enter_space
from sim.rulesets.p52.rules.turns import play_turns
from sim.rulesets.p52.state import State


def play_round(s: State, take_turn: TakeTurn) -> None:
    """P52-T1, P52-T6: one round of every encounter that goes on, then the way to the next one."""
    at = which(s.live)
    s.stage_round[at] += 1
    for stage in range(len(s.facts.spaces)):
        mine = at_stage(s, stage, at)
        if len(mine):
            s.space = s.facts.spaces[stage]
            play_turns(s, take_turn, mine)
    tired = keep(at, cut(s.on, at) & (cut(s.stage_round, at) >= s.facts.switches["round_cap"]))
    break_off(s, tired)
    go_on(s, take_turn, at)


def break_off(s: State, at: Lanes) -> None:
    """P52-T6: nobody has won."""
    s.on[at] = False
    s.outcome[at] = Outcome.DRAW
    if s.tell:
        s.tell.event("P52-T6", "is_broken_off", at, rounds=cut(s.stage_round, at))


def at_stage(s: State, stage: int, at: Lanes) -> Lanes:
    """Those of these lanes that are in this encounter of the gauntlet."""
    return at if len(s.facts.spaces) == 1 else keep(at, cut(s.stage, at) == stage)


def go_on(s: State, take_turn: TakeTurn, at: Lanes) -> None:
    """P52-X5: rewards for encounters that are over; the winners go on to the next one, until it goes on or ends."""
    over = keep(at, ~cut(s.on, at))
    last = len(s.facts.spaces) - 1
    while len(over):
        reward(s, over)
        moves_on = (cut(s.stage, over) < last) & (cut(s.outcome, over) == Outcome.WIN)
        s.live[keep(over, ~moves_on)] = False
        moving = keep(over, moves_on)
        leaving = [at_stage(s, stage, moving) for stage in range(last)]
        for mine in leaving:
            if len(mine):
                leave_space(s, mine)
        for stage, mine in enumerate(leaving, start=1):
            if len(mine):
                enter_space(s, take_turn, mine, stage)
        over = keep(moving, ~cut(s.on, moving))
