"""The heroes' part of a round: stances, then one action each."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import is_still, which
from sim.rulesets.overhill.data import NEUTRAL
from sim.rulesets.overhill.player import Player
from sim.rulesets.overhill.rules.ending import check_win
from sim.rulesets.overhill.state import State


def choose_stances(s: State, player: Player) -> None:
    """OU-R3, OU-R8: every standing, not paralysed front hero gets a stance from the policy; all others are neutral."""
    if not is_still(s.stance):
        s.stance[:] = NEUTRAL
    if player.always_neutral:
        return
    outlook = player.look_ahead(s)
    for hero in range(s.heroes):
        at = which(s.live & (s.health[hero] > 0) & (s.paralysed[hero] == 0) & s.front[hero])
        if len(at):
            player.choose_stance(s, hero, at, outlook)
            if s.tell and (stance := int(s.stance[hero, at[0]])) != NEUTRAL:  # neutral heroes are no news
                s.tell.event("OU-R3", "takes_stance", at, who=hero, aggressive=stance > 0)


def hero_phase(s: State, player: Player) -> None:
    """OU-R4, OU-R5: in roster order each standing, not paralysed hero acts once; then paralysis wears off by one."""
    lost = np.zeros((s.heroes, s.size), dtype=bool)  # who loses this phase to paralysis
    for hero in range(s.heroes):
        standing = s.live & (s.health[hero] > 0)
        if not is_still(s.paralysed):
            lost[hero] = standing & (s.paralysed[hero] > 0)
        at = which(standing & ~lost[hero] & ~s.risen[hero])
        if s.tell and standing[0]:
            s.tell.turn()
            s.tell.event("OU-R5", "loses_turn", which(lost[hero]), who=hero, turns=s.paralysed[hero])
        if len(at):
            player.turn(s, hero, at)
            check_win(s)
    if not is_still(s.paralysed):
        s.paralysed -= lost & (s.health > 0)
