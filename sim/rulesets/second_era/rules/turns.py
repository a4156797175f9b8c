"""What every turn begins with, whoever takes it."""

from __future__ import annotations

from sim.core.lanes import Lanes, Row, cut, each, lookup
from sim.rulesets.second_era.data import STEALTH
from sim.rulesets.second_era.state import State


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
