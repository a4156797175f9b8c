"""The heroes' part of a round: stances, then one action each."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import which
from sim.rulesets.overhill.data import AGGRESSIVE, DEFENSIVE, NEUTRAL
from sim.rulesets.overhill.player import Player
from sim.rulesets.overhill.rules.ending import check_win
from sim.rulesets.overhill.state import State

MANNERS = {AGGRESSIVE: "aggressively", DEFENSIVE: "defensively"}  # neutral heroes are no news


def choose_stances(s: State, player: Player) -> None:
    """OU-R3, OU-R8: every standing, not paralysed front hero gets a stance from the policy; all others are neutral."""
    s.stance[:] = NEUTRAL
    for hero in range(s.heroes):
        at = which(s.live & (s.health[hero] > 0) & (s.paralysed[hero] == 0) & s.front[hero])
        if len(at):
            player.choose_stance(s, hero, at)
            if s.tell and (manner := MANNERS.get(int(s.stance[hero, at[0]]))):
                s.tell("OU-R3", hero, f"fights {manner}", at)


def hero_phase(s: State, player: Player) -> None:
    """OU-R4, OU-R5: in roster order each standing, not paralysed hero acts once; then paralysis wears off by one."""
    lost = np.zeros((s.heroes, s.size), dtype=bool)  # who loses this phase to paralysis
    for hero in range(s.heroes):
        standing = s.live & (s.health[hero] > 0)
        lost[hero] = standing & (s.paralysed[hero] > 0)
        at = which(standing & ~lost[hero] & ~s.risen[hero])
        if len(at):
            player.turn(s, hero, at)
            check_win(s, at)
    s.paralysed -= lost & (s.health > 0)
