"""The round: step-up, stances, hero phase, monster phase, round end."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import is_still
from sim.rulesets.overhill.player import Player
from sim.rulesets.overhill.rules.ending import check_cap
from sim.rulesets.overhill.rules.enemy_turns import monster_phase
from sim.rulesets.overhill.rules.hero_moves import step_up
from sim.rulesets.overhill.rules.hero_turns import choose_stances, hero_phase
from sim.rulesets.overhill.state import State, no_kills


def play_round(s: State, player: Player) -> None:
    """OU-R1: one round."""
    start_round(s)
    choose_stances(s, player)
    hero_phase(s, player)
    monster_phase(s)
    end_round(s)


def start_round(s: State) -> None:
    """OU-R2: step-up; a cast block set last round becomes active, an active one ends."""
    step_up(s)
    s.cast_blocked, s.strained = s.strained, s.cast_blocked
    clear(s.strained, s.accepted)


def end_round(s: State) -> None:
    """OU-R7: clear `bashed`, remember the kills, and at the round cap call it a draw."""
    s.kills_prev, s.kills_now = s.kills_now, no_kills(s.heroes, s.groups, s.size)
    clear(s.bashed, s.risen)
    s.emptied += ((s.n == 0) & (s.emptied < 0)) * np.int16(s.round + 1)  # from -1 to the round
    check_cap(s)


def clear(*tables: NDArray[Any]) -> None:
    """Nothing and nobody any more; where nobody ever was, there is nothing to do."""
    for table in tables:
        if not is_still(table):
            table[:] = 0
