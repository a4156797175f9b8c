"""The end of hiding: what a Nightblade does when its Stealth leaves it."""

from __future__ import annotations

from sim.core.lanes import Lanes, Row, cut
from sim.rulesets.second_era.data import DAZE
from sim.rulesets.second_era.rules import hero_moves
from sim.rulesets.second_era.state import State

HIDING_STEPS = 4


def out_of_hiding(s: State, who: Row, at: Lanes) -> None:
    """Nightblade: when its Stealth die leaves the track it may move up to 4 hexes, to the safest."""
    for hero in range(s.heroes):
        if not s.facts.has_class_ability(hero, "out_of_hiding"):
            continue
        leaving = at[(who == hero) & (cut(s.hp[hero], at) > 0) & ~s.under(DAZE, hero, at)]
        if len(leaving):
            fill = hero_moves.reach(s, hero, leaving, HIDING_STEPS)
            safest = hero_moves.safest(s, hero, leaving, fill)
            hero_moves.walk_to(s, hero, safest, leaving, fill, action=False)
