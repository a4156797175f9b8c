"""The table, for whoever listens to one run."""

from __future__ import annotations

from sim.core.telling import Scene, Token
from tests.games.coins.state import State


def look(s: State) -> Scene:
    """Everybody who turned up, with what is left in the purse."""
    return Scene(tuple(token(s, unit) for unit in range(len(s.coins)) if s.present[unit, 0]))


def token(s: State, unit: int) -> Token:
    """One duellist."""
    who, coins = s.facts.cast.units[unit], int(s.coins[unit, 0])
    return Token(
        key=who.name,
        side=who.side,
        hp=coins,
        max_hp=who.max_hp or coins,
        down=coins == 0,
        marks=(*(["ruined"] if s.ruined[unit, 0] else []), *(["bluffed"] if s.bluffed[unit, 0] else [])),
        proper=who.name[0].isupper(),
    )
