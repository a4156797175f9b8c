"""What a hero meets on a spot that it has come to: a trap, or its own thrown knife (P52-U13, P52-H10)."""

from __future__ import annotations

from sim.core.lanes import Lanes, cut, keep, lookup
from sim.rulesets.p52 import faces
from sim.rulesets.p52.rules.cards import flip
from sim.rulesets.p52.rules.damage import hurt_hero
from sim.rulesets.p52.rules.ending import check_end
from sim.rulesets.p52.state import IN_HAND, State

SNAP = 2  # hit points that a trap costs


def spring_traps(s: State, hero: int, at: Lanes) -> None:
    """P52-U13: a hero who has entered a trap flips; 2 damage below 13 less Balance and Move."""
    ground = s.space.ground
    if not ground.any_trap:
        return
    caught = keep(at, lookup(ground.trap, cut(s.spot[hero], at)))
    if not len(caught):
        return
    value = flip(s, caught, "P52-U13", hero)
    cores = s.facts.kits[hero].facts.cores
    safe_from = 13 - (s.own(cores["Bc"], caught) + s.own(cores["Mv"], caught))
    damage = SNAP * (value < safe_from)
    roll = [faces.flipped(s, faces.values >= safe_from, "to escape it", f"{safe_from} or more")] if s.tell else []

    def told() -> None:
        assert s.tell is not None
        s.tell.event("P52-U13", "trapped", caught, who=hero, rolls=roll, damage=damage, left=s.left(hero, caught))

    hurt_hero(s, hero, caught, damage, told=told if s.tell else None)
    check_end(s, caught)


def find_knife(s: State, hero: int, at: Lanes) -> None:
    """P52-H10: a living hero picks up its thrown knife where it ends a move."""
    if s.facts.knives and s.facts.kits[hero].has_knife:
        lies_here = (cut(s.knife_at[hero], at) == cut(s.spot[hero], at)) & (cut(s.hp[hero], at) >= 0)
        finding = keep(at, lies_here)
        s.knife_at[hero][finding] = IN_HAND
        if s.tell:
            s.tell.event("P52-H10", "finds_knife", finding, who=hero)
