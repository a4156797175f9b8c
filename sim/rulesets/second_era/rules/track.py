"""The cooldown track and the active slots of adventurers, and the statuses of everybody (sections 5.3, 7.4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.choose import nth
from sim.core.lanes import Lanes, Mask, Tiny, add, cut, each, put, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import FIRST_STATUS, OVER, SLOTS, STEALTH, TIRED, TRACK
from sim.rulesets.second_era.state import EMPTY, State, Who, rows

SKILL_DICE = len(data.DICE)  # codes below this are skill dice


def track_rows(s: State, hero: Who, at: Lanes) -> Tiny:
    """(13, lanes). The track of one adventurer per lane; a copy."""
    return _block(s.track, hero, TRACK, at)


def _block(table: Any, hero: Who, size: int, at: Lanes) -> Any:
    if isinstance(hero, int):
        part = table[hero * size : (hero + 1) * size]
        return part.take(at, axis=-1)
    return table.reshape(-1).take(_places(table, hero, size, at))


def _places(table: Any, hero: Who, size: int, at: Lanes) -> Any:
    """(size, lanes). Where the dice of an adventurer lie in the flat table."""
    return (hero * size + np.arange(size)[:, None]) * table.shape[-1] + at


def _write(table: Any, hero: Who, size: int, at: Lanes, block: Any) -> None:
    if isinstance(hero, int) and len(at) == table.shape[-1]:
        table[hero * size : (hero + 1) * size] = block
    else:
        table.reshape(-1)[_places(table, hero, size, at)] = block


# Entering.


def enter(s: State, hero: Who, code: Any, at: Lanes) -> Mask:
    """SE-A11, SE-A13: a die enters at the right end. (lanes,) whether it found room.

    Into a full track it does not come: it is drained (a skill die) or discarded, and the rightmost die that is no `O`
    is replaced by `O`, the replaced one drained or discarded likewise.
    """
    who = rows(hero, at)
    code = np.broadcast_to(np.asarray(code, dtype=np.int8), len(at))
    length = each(s.length, who, at)
    room = length < TRACK
    if room.all():
        put(s.track, who * TRACK + length, at, code)
        add(s.length, who, at, np.int8(1))
        return room
    inside = which(room)
    put(s.track, who[inside] * TRACK + length[inside], at[inside], code[inside])
    add(s.length, who[inside], at[inside], np.int8(1))
    full = which(~room)
    _crowd(s, who[full], code[full], at[full])
    return room


def _crowd(s: State, who: Any, code: Tiny, at: Lanes) -> None:
    """SE-A13: the track is full."""
    add(s.drained, who, at, (code < SKILL_DICE).astype(np.int16))
    block = track_rows(s, who, at)
    place = (TRACK - 1) - nth(block[::-1] != OVER, 0)  # the rightmost that is no O; TRACK if all are
    some = which(place < TRACK)
    who, at, place = who[some], at[some], place[some]
    replaced = each(s.track, who * TRACK + place, at)
    put(s.track, who * TRACK + place, at, np.int8(OVER))
    add(s.over, who, at, np.int16(1))
    add(s.drained, who, at, (replaced < SKILL_DICE).astype(np.int16))
    if s.tell:
        s.tell("SE-A13", int(who[0]) if len(who) else "", "has a full track: a die is replaced by O", at)
    for status in range(len(data.STATUSES)):
        gone = which(replaced == FIRST_STATUS + status)
        if len(gone):
            _clear(s, who[gone], status, at[gone])


def tire(s: State, hero: Who, number: Any, at: Lanes) -> None:
    """SE-A3, SE-A14: gain light fatigue; defeated adventurers gain none."""
    number = np.broadcast_to(np.asarray(number, dtype=np.int16), len(at))
    number = number * (each(s.hp, rows(hero, at), at) > 0)
    for turn in range(int(number.max(initial=0))):
        more = which(number > turn)
        who = rows(hero, at)[more]
        add(s.light, who, at[more], np.int16(1))
        enter(s, who, TIRED, at[more])
    if s.tell and len(at) and number[0] > 0:
        s.tell("SE-A3", int(rows(hero, at)[0]), "gains light fatigue", at, dice=number)


def overtire(s: State, hero: Who, at: Lanes) -> None:
    """SE-R2, SE-A14: gain one `O`."""
    who = rows(hero, at)
    add(s.over, who, at, np.int16(1))
    enter(s, who, OVER, at)


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


def take_out(s: State, hero: Who, place: Any, at: Lanes) -> Tiny:
    """(lanes,). The die at a place of the track leaves it; those behind it move up."""
    block = track_rows(s, hero, at)
    who = rows(hero, at)
    code = each(s.track, who * TRACK + place, at)
    behind = np.arange(TRACK)[:, None] >= place  # (13, lanes)
    moved = np.concatenate([block[1:], np.full((1, len(at)), EMPTY, dtype=np.int8)])
    _write(s.track, hero, TRACK, at, np.where(behind, moved, block))
    add(s.length, who, at, np.int8(-1))
    return code


def recover(s: State, hero: int, number: Any, at: Lanes) -> None:
    """SE-A10: the leftmost dice leave: skill dice become available, `L` and statuses leave play, `O` goes to the right.

    The step never runs longer than there were dice at its start, so that every `O` is met at most once.
    """
    if isinstance(number, int):
        _recover(s, hero, number, at)
        return
    for many in np.unique(number):
        _recover(s, hero, int(many), at[number == many])


def _recover(s: State, hero: int, number: int, at: Lanes) -> None:
    at = at[cut(s.length[hero], at) > 0]
    if not len(at) or number <= 0:
        return
    block = track_rows(s, hero, at)
    taken, left = block[:number], block[number:]
    count = np.minimum(cut(s.length[hero], at), number)
    for code in range(SKILL_DICE):
        if s.facts.heroes[hero].dice.get(data.DICE[code]):
            back = (taken == code).sum(axis=0, dtype=np.int8)
            s.available[hero * SKILL_DICE + code, at] += back
    again = (taken == OVER).sum(axis=0, dtype=np.int8)
    moved = np.full_like(block, EMPTY)
    moved[: TRACK - number] = left
    length = cut(s.length[hero], at) - count  # (lanes,) int8
    for extra in range(int(again.max(initial=0))):
        more = which(again > extra)
        moved[length[more] + extra, more] = OVER
    _write(s.track, hero, TRACK, at, moved)
    s.length[hero, at] = length + again
    if s.tell:
        s.tell("SE-A10", hero, "recovers dice", at, dice=count, left=length + again)
    statuses = taken >= FIRST_STATUS
    if statuses.any():
        for status in range(len(data.STATUSES)):
            gone = which((taken == FIRST_STATUS + status).any(axis=0))
            if len(gone):
                _clear(s, hero, status, at[gone])


# Active slots.


def place_die(s: State, hero: int, code: int, x: Any, at: Lanes, pile: dict[int, Tiny], lane: Lanes) -> None:
    """SE-A15: a die goes to an active slot; if all are full the lowest X leaves first, into the engage's pile.

    `lane` are the places of `at` in the lanes of the pile.
    """
    full = which(s.slot_die[hero * SLOTS + SLOTS - 1][at] != EMPTY)
    if len(full):
        place = lowest_slot(s, hero, at[full])
        gone = leave_slot(s, hero, place, at[full])
        for kind in np.unique(gone):
            of_kind = lane[full[gone == kind]]
            pile.setdefault(int(kind), np.zeros(len(next(iter(pile.values()))), dtype=np.int8))[of_kind] += 1
    used = (_block(s.slot_die, hero, SLOTS, at) != EMPTY).sum(axis=0, dtype=np.int64)
    put(s.slot_die, hero * SLOTS + used, at, np.int8(code))
    put(s.slot_x, hero * SLOTS + used, at, np.asarray(x, dtype=np.int8))


def lowest_slot(s: State, hero: Who, at: Lanes) -> Any:
    """(lanes,). SE-A15, SE-K21: the active die with the lowest X, the earliest placed on a tie; -1 without one."""
    dice, x = _block(s.slot_die, hero, SLOTS, at), _block(s.slot_x, hero, SLOTS, at)
    key = np.where(dice == EMPTY, np.int8(99), x)
    return np.where(dice[0] == EMPTY, -1, key.argmin(axis=0))


def leave_slot(s: State, hero: Who, place: Any, at: Lanes) -> Tiny:
    """(lanes,). The die at a slot leaves it; those placed later move up. Where it goes is the caller's business."""
    dice, x = _block(s.slot_die, hero, SLOTS, at), _block(s.slot_x, hero, SLOTS, at)
    lane = np.arange(len(at))
    code = dice[place, lane]
    behind = np.arange(SLOTS)[:, None] >= place
    nothing = np.full((1, len(at)), EMPTY, dtype=np.int8)
    _write(s.slot_die, hero, SLOTS, at, np.where(behind, np.concatenate([dice[1:], nothing]), dice))
    _write(s.slot_x, hero, SLOTS, at, np.where(behind, np.concatenate([x[1:], nothing]), x))
    return code


def slots(s: State, hero: Who, at: Lanes) -> tuple[Tiny, Tiny]:
    """(4, lanes) each. The dice in the active slots, and their X."""
    return _block(s.slot_die, hero, SLOTS, at), _block(s.slot_x, hero, SLOTS, at)


def recycle(s: State, hero: int, at: Lanes) -> None:
    """Section 10, SE-R8: while the track holds fewer dice than come back, active dice but Purge go there, in order."""
    cooldown = s.facts.heroes[hero].cooldown
    while len(at):
        dice = _block(s.slot_die, hero, SLOTS, at)
        place = nth((dice != EMPTY) & (dice != data.PURGE), 0)
        able = (place >= 0) & (cut(s.length[hero], at) < cooldown)
        at, place = at[able], place[able]
        if len(at):
            enter(s, hero, leave_slot(s, hero, place, at), at)
            if s.tell:
                s.tell("SE-R8", hero, "takes an active die back into the track", at)


# Statuses.


def gain(s: State, who: Who, status: int, at: Lanes, by_party: Any = False) -> None:
    """SE-F1 to SE-F6, SE-A12: gain a status. Quest units gain none from the party; the defeated gain none.

    A status die already in the track moves to its right end; a second copy has no effect on others.
    """
    who = rows(who, at)
    able = each(s.hp, who, at) > 0
    if np.any(by_party):
        able &= ~(by_party & s.stat(s.facts.quest, who, at))
    if not able.all():
        who, at = who[able], at[able]
    had = s.under(status, who, at)
    hero = who < s.heroes
    again = which(had & hero)
    if len(again):
        block = track_rows(s, who[again], at[again])
        take_out(s, who[again], nth(block == FIRST_STATUS + status, 0), at[again])
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
    add(s.statuses, who, at, np.int16(1))
    if s.tell and len(at):
        s.tell(f"SE-F{status + 1}", int(who[0]), f"is under {data.STATUSES[status]}", at)


def lose(s: State, who: Who, status: int, at: Lanes) -> None:
    """Section 7.4: a status leaves, and with it an adventurer's status die."""
    who = rows(who, at)
    had = s.under(status, who, at)
    who, at = who[had], at[had]
    if not len(at):
        return
    heroes = which(who < s.heroes)
    if len(heroes):
        block = track_rows(s, who[heroes], at[heroes])
        take_out(s, who[heroes], nth(block == FIRST_STATUS + status, 0), at[heroes])
    _clear(s, who, status, at)


def _clear(s: State, who: Who, status: int, at: Lanes) -> None:
    """A status has left: the bit is cleared, and a Nightblade that came out of hiding may move (section 11.7)."""
    who = rows(who, at)
    put(s.status, who, at, each(s.status, who, at) & np.uint8(0xFF ^ (1 << status)))
    if s.tell and len(at):
        s.tell(f"SE-F{status + 1}", int(who[0]), f"is no longer under {data.STATUSES[status]}", at)
    if status == STEALTH and s.facts.classes:
        from sim.rulesets.second_era.rules.classes import out_of_hiding

        out_of_hiding(s, who, at)
