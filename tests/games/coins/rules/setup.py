"""Everything before the first flip."""

from __future__ import annotations

from sim.core.lanes import which
from sim.core.luck import TABLE, Luck
from sim.core.outcomes import Outcome
from sim.core.telling import Recorder
from tests.games.coins.facts import Facts
from tests.games.coins.state import State, blank_state


def set_up(facts: Facts, luck: Luck, tell: Recorder | None) -> State:
    """CD-S1, CD-S2: purses are filled, some stay at home."""
    s = blank_state(facts, luck, tell)
    meet(s)
    turn_up(s)
    return s


def meet(s: State) -> None:
    """CD-S2: peace, or nobody, or a duel."""
    fate = s.luck.below(100, "CD-S2 fate", 0, TABLE)
    peace = fate < s.facts.avoid_percent
    nobody = ~peace & (fate < s.facts.avoid_percent + s.facts.empty_percent)
    s.decide(which(peace), Outcome.AVOIDED)
    s.decide(which(nobody), Outcome.EMPTY)


def turn_up(s: State) -> None:
    """CD-S2: each foe comes by a roll of its own; who stays at home brings no coins."""
    for number, percent in enumerate(s.facts.turns_up):
        if percent < 100:
            foe = s.facts.heroes + number
            at = which(s.luck.below(100, "CD-S2", 0, s.facts.actor(foe)) >= percent)
            s.present[foe][at] = False
            s.coins[foe][at] = 0
