"""Grit: won and spent (BF-H4 to BF-H7)."""

from __future__ import annotations

from sim.core.lanes import Lanes, cut, keep
from sim.rulesets.brimstone.state import State


def gain_grit(s: State, hero: int, at: Lanes) -> None:
    """BF-H7: one Grit, unless the hero holds all it can; none without `grit_use`."""
    if s.facts.is_on("grit_use", "off"):
        return
    room = keep(at, cut(s.grit[hero], at) < cut(s.max_grit[hero], at))
    s.grit[hero, room] += 1
    s.grit_gained[hero, room] += 1
    if s.tell:
        s.tell.event("BF-H7", "gains_grit", room, who=hero, grit=s.grit[hero, room])


def spend_grit(s: State, hero: int, at: Lanes, use: str) -> None:
    """BF-H4, BF-H6: one Grit spent, for this hero's own dice alone; `use` names what for, for the telling."""
    s.grit[hero, at] -= 1
    s.grit_spent[hero, at] += 1
    if s.tell:
        s.tell.event("BF-H4", "spends_grit", at, who=hero, grit=s.grit[hero, at], use=use)
