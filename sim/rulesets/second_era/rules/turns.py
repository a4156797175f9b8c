"""What every turn begins with, whoever takes it."""

from __future__ import annotations

from sim.core.lanes import Lanes, Row, cut, each, lookup, per_lane
from sim.rulesets.second_era.data import STEALTH
from sim.rulesets.second_era.state import State


def begin_telling(s: State) -> int:
    """Whoever listens hears of a new turn. How much has been told so far; 0 if nobody listens."""
    if s.tell is None:
        return 0
    s.tell.turn()
    return len(s.tell.events)


def tell_if_idle(s: State, who: Row, told: int, at: Lanes, rule: str) -> None:
    """A turn in which nothing happened is told too, so that nobody is missed."""
    if s.tell and len(s.tell.events) == told:
        s.tell.event(rule, "does_nothing", at, who=who, enemy=s.is_enemy(per_lane(who, at)))


def begin_turn(s: State, who: Row, at: Lanes) -> None:
    """SE-R10, SE-E3: what is remembered per turn starts anew, and `adj0` is recorded."""
    facts = s.facts
    s.acting[at] = who
    if facts.possible[STEALTH] or "Elusive" in facts.present:
        s.adj0[:, at] = lookup(facts.ground.adjacent, each(s.cell, who, at), cut(s.cell, at))
    # In lanes without a turn nobody looks at these memories before the next turn begins there.
    if "Stalwart" in facts.present:
        s.lost[:] = 0
    if "Riposte" in facts.present:
        s.riposted[:] = False
    s.hurt[:] = False
    s.moves[:] = 0
    s.rolled[:] = False
    s.engaged[:] = 0
    s.healed[:] = False
    s.used[:] = 0
