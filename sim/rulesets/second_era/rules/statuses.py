"""Gaining and losing the six statuses: dice in the track of an adventurer, marks on everybody else."""

from __future__ import annotations

import numpy as np

from sim.core.choose import first
from sim.core.lanes import Lanes, Mask, Row, Whole, add, each, per_lane, put, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import FIRST_STATUS
from sim.rulesets.second_era.rules.track import enter, status_ends, take_out, track_of
from sim.rulesets.second_era.state import State


def gain(s: State, who: Row, status: int, at: Lanes, by_party: bool | Mask = False) -> None:
    """SE-F1 to SE-F6, SE-A12: gain a status. Quest units gain none from the party; the defeated gain none.

    A status die already in the track moves to its right end; a second copy has no effect on others.
    """
    who = per_lane(who, at)
    able = each(s.hp, who, at) > 0
    if np.any(by_party):
        able &= ~(by_party & s.stat(s.facts.quest, who, at))
    if not able.all():
        who, at = who[able], at[able]
    had = s.under(status, who, at)
    hero = who < s.heroes
    again = which(had & hero)
    if len(again):
        _remove_die(s, who[again], status, at[again])
        enter(s, who[again], FIRST_STATUS + status, at[again])
    new = which(~had)
    who, at, hero = who[new], at[new], hero[new]
    if hero.any():
        in_track = which(hero)
        room = enter(s, who[in_track], FIRST_STATUS + status, at[in_track])
        if not room.all():
            refused = in_track[~room]
            who, at = np.delete(who, refused), np.delete(at, refused)
    put(s.status, who, at, each(s.status, who, at) | np.uint8(1 << status))
    add(s.statuses, who, at, 1)
    if s.tell and len(at):
        s.tell.event(f"SE-F{status + 1}", "gains_status", at, who=who, status=data.STATUSES[status])


def lose(s: State, who: Row, status: int, at: Lanes) -> None:
    """SE-F1 to SE-F6: a status leaves, and with it an adventurer's status die."""
    who = per_lane(who, at)
    had = s.under(status, who, at)
    who, at = who[had], at[had]
    if not len(at):
        return
    heroes = which(who < s.heroes)
    if len(heroes):
        _remove_die(s, who[heroes], status, at[heroes])
    status_ends(s, who, status, at)


def _remove_die(s: State, hero: Whole, status: int, at: Lanes) -> None:
    """The status die of an adventurer is taken out of the track."""
    take_out(s, hero, first(track_of(s, hero, at) == FIRST_STATUS + status), at)
