"""The cooldown track of adventurers: dice enter at the right end and come back from the left."""

from __future__ import annotations

from collections import Counter

import numpy as np

from sim.core.choose import first
from sim.core.lanes import Lanes, Mask, Row, Small, Tiny, Whole, add, columns, cut, each, per_lane, put, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import EMPTY, FIRST_STATUS, OVER, STEALTH, TIRED, TRACK
from sim.rulesets.second_era.rules.hiding import out_of_hiding
from sim.rulesets.second_era.state import State

SKILL_DICE = len(data.DICE)  # codes below this are skill dice
PLACES = np.arange(TRACK)[:, None]  # (13, 1)


def track_of(s: State, hero: Row, at: Lanes) -> Tiny:
    """(13, lanes). The track of one adventurer per lane; a copy."""
    return columns(s.track[hero], at) if isinstance(hero, int) else each(s.track, (hero, PLACES), at)


def write_track(s: State, hero: Row, at: Lanes, dice: Tiny) -> None:
    """The track of one adventurer per lane is now this."""
    if isinstance(hero, int) and len(at) == s.size:
        s.track[hero] = dice
    else:
        put(s.track, (hero, PLACES), at, dice)


# Entering.


def enter(s: State, hero: Row, code: int | Tiny, at: Lanes) -> Mask:
    """SE-A11, SE-A13: a die enters at the right end. (lanes,) whether it found room.

    Into a full track it does not come: it is drained (a skill die) or discarded, and the rightmost die that is no `O`
    is replaced by `O`, the replaced one drained or discarded likewise.
    """
    who = per_lane(hero, at)
    code = np.broadcast_to(np.asarray(code, dtype=np.int8), len(at))
    length = each(s.length, who, at)
    room = length < TRACK
    if room.all():
        put(s.track, (who, length), at, code)
        add(s.length, who, at, 1)
        return room
    inside = which(room)
    put(s.track, (who[inside], length[inside]), at[inside], code[inside])
    add(s.length, who[inside], at[inside], 1)
    full = which(~room)
    _crowd(s, who[full], code[full], at[full])
    return room


def _crowd(s: State, who: Whole, code: Tiny, at: Lanes) -> None:
    """SE-A13: the track is full."""
    add(s.drained, who, at, code < SKILL_DICE)
    place = (TRACK - 1) - first(track_of(s, who, at)[::-1] != OVER)  # the rightmost that is no O; TRACK if all are
    some = which(place < TRACK)
    who, at, place = who[some], at[some], place[some]
    replaced = each(s.track, (who, place), at)
    put(s.track, (who, place), at, OVER)
    add(s.over, who, at, 1)
    add(s.drained, who, at, replaced < SKILL_DICE)
    if s.tell and len(at):
        s.tell.event("SE-A13", "crowded", at, who=who, die=data.CALLED[replaced[0]])
    for status in range(len(data.STATUSES)):
        gone = which(replaced == FIRST_STATUS + status)
        if len(gone):
            status_ends(s, who[gone], status, at[gone])


def tire(s: State, hero: Row, number: int | Small | Tiny, at: Lanes, rule: str = "SE-A3") -> None:
    """SE-A3, SE-A14: gain light fatigue; defeated adventurers gain none. The rule is for whoever listens."""
    who = per_lane(hero, at)
    number = np.broadcast_to(np.asarray(number, dtype=np.int16), len(at)) * (each(s.hp, who, at) > 0)
    for gained in range(int(number.max(initial=0))):
        more = which(number > gained)
        add(s.light, who[more], at[more], 1)
        enter(s, who[more], TIRED, at[more])
    if s.tell and len(at) and number[0] > 0:
        s.tell.event(rule, "tires", at, who=who, dice=number)


def overtire(s: State, hero: Row, at: Lanes) -> None:
    """SE-R2, SE-A14: gain one `O`."""
    add(s.over, hero, at, 1)
    enter(s, hero, OVER, at)


def exhaust(s: State, hero: int, dice: dict[int, Tiny], at: Lanes) -> None:
    """SE-A9: exhausted dice go to the track, sorted by the archetype's type order; `dice` is type -> (lanes,)."""
    for code in s.facts.heroes[hero].order:
        number = dice.get(code)
        if number is None:
            continue
        for copy in range(int(number.max(initial=0))):
            more = number > copy
            enter(s, hero, code, at if more.all() else at[more])


# Leaving.


def take_out(s: State, hero: Row, place: Whole, at: Lanes) -> None:
    """The die at a place of the track leaves it; those behind it move up."""
    dice = track_of(s, hero, at)
    moved = np.concatenate([dice[1:], np.full((1, len(at)), EMPTY, dtype=np.int8)])
    write_track(s, hero, at, np.where(place <= PLACES, moved, dice))
    add(s.length, hero, at, -1)


def recover(s: State, hero: int, number: int | Tiny, at: Lanes) -> None:
    """SE-A10: the leftmost dice leave: skill dice become available, `L` and statuses leave play, `O` goes to the right.

    The step never runs longer than there were dice at its start, so that every `O` is met at most once.
    """
    if isinstance(number, int):
        _recover(s, hero, number, at)
        return
    for many in np.unique(number):
        _recover(s, hero, int(many), at[number == many])


def _recover(s: State, hero: int, number: int, at: Lanes) -> None:
    """SE-A10: the same number in all lanes."""
    at = at[cut(s.length[hero], at) > 0]
    if not len(at) or number <= 0:
        return
    dice = track_of(s, hero, at)
    taken, left = dice[:number], dice[number:]
    count = np.minimum(cut(s.length[hero], at), number)
    for code in range(SKILL_DICE):
        if s.facts.heroes[hero].has(data.DICE[code]):
            s.available[hero, code][at] += (taken == code).sum(axis=0, dtype=np.int8)
    again = (taken == OVER).sum(axis=0, dtype=np.int8)
    moved = np.full_like(dice, EMPTY)
    moved[: TRACK - number] = left
    length = cut(s.length[hero], at) - count  # (lanes,) int8
    for extra in range(int(again.max(initial=0))):
        more = which(again > extra)
        moved[length[more] + extra, more] = OVER
    write_track(s, hero, at, moved)
    s.length[hero][at] = length + again
    if s.tell:
        words = Counter(data.CALLED[code] for code in taken[:, 0] if code != EMPTY)
        listed = " and ".join(f"{number} {word}" for word, number in words.items())
        s.tell.event("SE-A10", "recovers", at, who=hero, dice=listed, left=length + again)
    if (taken >= FIRST_STATUS).any():
        for status in range(len(data.STATUSES)):
            gone = which((taken == FIRST_STATUS + status).any(axis=0))
            if len(gone):
                status_ends(s, hero, status, at[gone])


def status_ends(s: State, who: Row, status: int, at: Lanes) -> None:
    """SE-F1 to SE-F6: a status has left, and its die if there was one; a Nightblade may come out of hiding."""
    put(s.status, who, at, each(s.status, who, at) & np.uint8(0xFF ^ (1 << status)))
    if s.tell and len(at):
        s.tell.event(f"SE-F{status + 1}", "loses_status", at, who=who, status=data.STATUSES[status])
    if status == STEALTH and s.facts.classes:
        out_of_hiding(s, who, at)
