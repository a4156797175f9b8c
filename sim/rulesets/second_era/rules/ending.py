"""The end of the battle: win, loss, retreat, the round cap."""

from __future__ import annotations

from sim.core.lanes import Lanes, cut, which
from sim.core.outcomes import Outcome
from sim.rulesets.second_era.state import State


def look_for_the_end(s: State, at: Lanes) -> None:
    """SE-X4, I19, I25: all adventurers defeated is a loss at once; with `immediate` a win is looked for as well."""
    standing = s.adventurers(at).any(axis=0)
    lost = at[~standing]
    if len(lost):
        s.decide(lost, Outcome.LOSS)
        if s.tell:
            s.tell.event("SE-X4", "lost", lost)
    if s.facts.is_on("end_check", "immediate"):
        decide_wins(s, at[standing])


def decide_wins(s: State, at: Lanes) -> None:
    """SE-X1, SE-X3: the objective holds and an adventurer stands."""
    left = cut(s.cell[s.party :], at) >= 0
    if s.facts.objective == "eliminate":
        left &= s.facts.objectives[s.party :]
    won = at[~left.any(axis=0) & s.live[at]]
    if len(won):
        s.decide(won, Outcome.WIN)
        if s.tell:
            s.tell.event("SE-X3", "won", won)


def end_round(s: State) -> None:
    """SE-R6, SE-X2, SE-X5, SE-X6, I28: first win or loss, then retreat, then the cap."""
    decide_wins(s, which(s.live))
    if s.facts.retreat_below:
        at = which(s.live)
        weak = at[cut(s.hp[: s.heroes], at).sum(axis=0) < s.facts.retreat_below]
        s.retreated[weak] = True
        s.decide(weak, Outcome.LOSS)
        if s.tell:
            s.tell.event("SE-X6", "retreats", weak)
    if s.round >= s.facts.switches["round_cap"]:
        undecided = which(s.live)
        s.decide(undecided, Outcome.DRAW)
        if s.tell:
            s.tell.event("SE-X5", "draw", undecided)
