"""When Purge dice are spent."""

from __future__ import annotations

import numpy as np

from sim.core.choose import first, narrow
from sim.core.lanes import Lanes, Mask, Small, Whole, add, columns, cut, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import EMPTY, PRAY, PURGE
from sim.rulesets.second_era.rules.damage import Cure, heal, missing
from sim.rulesets.second_era.rules.slots import leave_slot, slots_of
from sim.rulesets.second_era.rules.statuses import lose
from sim.rulesets.second_era.rules.track import enter
from sim.rulesets.second_era.state import State

HARM = np.uint8(sum(1 << status for status in data.HARMFUL))


def use_purges(s: State, at: Lanes) -> None:
    """SE-A18: at the end of every adventurer and enemy turn, active Purge dice are spent where they help."""
    for owner in range(s.heroes):
        if not s.facts.heroes[owner].has("purge"):
            continue
        holding = at[cut(s.slot_die[owner, 0], at) != EMPTY]
        while len(holding):
            place = first(slots_of(s, owner, holding)[0] == PURGE)
            holding, place = holding[place >= 0], place[place >= 0]
            if len(holding):
                holding = _purge(s, owner, place, holding)


def _purge(s: State, owner: int, place: Whole, at: Lanes) -> Lanes:
    """SE-A18: one Purge die; the lanes in which it was spent."""
    gone = missing(s, at)
    needed = (gone >= 2).any(axis=0) | ((cut(s.status[: s.heroes], at) & HARM) != 0).any(axis=0)
    if not needed.all():
        at, place, gone = at[needed], place[needed], columns(gone, which(needed))
    patient, status = _patient(s, gone, at)
    some = which(patient >= 0)
    if not len(some):
        return at[some]
    patient, status, at = patient[some], status[some], at[some]
    enter(s, owner, leave_slot(s, owner, place[some], at), at)
    if s.tell:
        s.tell.event("SE-A18", "purges", at, who=owner, whom=patient)
    for harm in data.HARMFUL:
        cured = which(status == harm)
        if len(cured):
            lose(s, patient[cured], harm, at[cured])
    heal(s, owner, patient, 1, at, Cure("Purge", "SE-A18"))
    add(s.ledger.uses, int(s.facts.ability[PRAY, owner]), at, 1)
    return at


def _patient(s: State, gone: Small, at: Lanes) -> tuple[Whole, Whole]:
    """SE-A18: (lanes,) who is helped, and the status that is removed; -1 for none.

    The first harmful status that anybody has, and of those who have it the one missing most HP; without a status,
    whoever misses most, if that is 2 or more.
    """
    standing: Mask = s.adventurers(at)
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
    return np.where(patient < 0, chosen, patient), status
