"""The round."""

from __future__ import annotations

from sim.core.lanes import which
from tests.games.coins.player import Player
from tests.games.coins.rules.ending import end_round
from tests.games.coins.rules.enemy_turns import foe_turn
from tests.games.coins.state import State


def play_round(s: State, player: Player) -> None:
    """CD-F1: first the heroes, then the foes, then a look into the purses."""
    for hero in range(s.facts.heroes):
        if s.tell:
            s.tell.turn()
        player.turn(s, hero, which(s.live & (s.coins[hero] > 0) & s.foes_stand))
    for foe in range(s.facts.heroes, len(s.coins)):
        if s.tell:
            s.tell.turn()
        foe_turn(s, foe, which(s.live & (s.coins[foe] > 0) & s.party_stands))
    end_round(s)
