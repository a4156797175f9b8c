"""When Purge dice are spent (SE-A18)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.choose import first, narrow
from sim.core.lanes import Lanes, add, cut, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import PURGE, SLOTS
from sim.rulesets.second_era.rules import track
from sim.rulesets.second_era.rules.damage import heal, missing
from sim.rulesets.second_era.state import EMPTY, PRAY, State

HARM = np.uint8(sum(1 << status for status in data.HARMFUL))


def use_purges(s: State, at: Lanes) -> None:
    """SE-A18: at the end of every adventurer and enemy turn, active Purge dice are spent where they help."""
    for owner in range(s.heroes):
        if not s.facts.heroes[owner].dice.get("purge"):
            continue
        lane = at[(s.slot_die[owner * SLOTS][at] != EMPTY)]
        while len(lane):
            place = first(track.slots(s, owner, lane)[0] == PURGE)
            lane, place = lane[place >= 0], place[place >= 0]
            if not len(lane):
                break
            lane = _purge(s, owner, place, lane)


def _purge(s: State, owner: int, place: Any, at: Lanes) -> Lanes:
    """SE-A18: one Purge die; the lanes in which it was spent."""
    standing = s.adventurers(at)
    gone = missing(s, at)
    needed = (gone >= 2).any(axis=0) | ((cut(s.status[: s.heroes], at) & HARM) != 0).any(axis=0)
    if not needed.all():
        at, place, gone, standing = at[needed], place[needed], gone[:, needed], standing[:, needed]
    patient = np.full(len(at), -1, dtype=np.int64)
    status = np.full(len(at), -1, dtype=np.int64)
    for harm in data.HARMFUL:
        if not s.facts.possible[harm]:
            continue
        under = (cut(s.status[: s.heroes], at) & np.uint8(1 << harm)) != 0
        chosen = first(narrow(under & standing, gone, largest=True))
        new = (patient < 0) & (chosen >= 0)
        patient[new], status[new] = chosen[new], harm
    chosen = first(narrow(standing & (gone >= 2), gone, largest=True))
    patient = np.where(patient < 0, chosen, patient)
    some = which(patient >= 0)
    if not len(some):
        return at[some]
    patient, status, at = patient[some], status[some], at[some]
    if s.tell:
        s.tell("SE-A18", owner, f"spends Purge for {s.tell.names[int(patient[0])]}", at)
    track.enter(s, owner, track.leave_slot(s, owner, place[some], at), at)
    for harm in data.HARMFUL:
        cured = which(status == harm)
        if len(cured):
            track.lose(s, patient[cured], harm, at[cured])
    heal(s, owner, patient, 1, at)
    add(s.ledger.uses, s.facts.ability[PRAY, owner], at, 1)
    return at
