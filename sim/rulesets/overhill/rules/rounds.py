"""The round: step-up, stances, hero phase, monster phase, round end."""

from __future__ import annotations

from sim.rulesets.overhill.player import Player
from sim.rulesets.overhill.rules.ending import check_cap
from sim.rulesets.overhill.rules.enemy_turns import monster_phase
from sim.rulesets.overhill.rules.hero_moves import step_up
from sim.rulesets.overhill.rules.hero_turns import choose_stances, hero_phase
from sim.rulesets.overhill.state import State


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
    s.cast_blocked[:] = s.strained
    s.strained[:] = False
    s.accepted[:] = False


def end_round(s: State) -> None:
    """OU-R7: clear `bashed`, remember the kills, and at the round cap call it a draw."""
    s.bashed[:] = 0
    s.risen[:] = False
    s.kills_prev, s.kills_now = s.kills_now, s.kills_prev
    s.kills_now[:] = 0
    s.emptied[(s.n == 0) & (s.emptied < 0)] = s.round
    check_cap(s)
