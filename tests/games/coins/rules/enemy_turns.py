"""What foes do."""

from __future__ import annotations

from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, cut, keep
from tests.games.coins.rules.flips import flip
from tests.games.coins.state import State


def foe_turn(s: State, foe: int, at: Lanes) -> None:
    """CD-F5: a foe who was bluffed misses this turn; the others flip against a hero by lot."""
    bluffed = cut(s.bluffed[foe], at)
    acting = keep(at, ~bluffed)
    s.bluffed[foe][at] = False
    has_coins = cut(s.coins[: s.facts.heroes], acting) > 0
    target = pick(has_coins, lot=draw_lot(s.luck, "CD-F5", s.round, s.facts.actor(foe), 0, acting))
    flip(s, foe, target, acting)
