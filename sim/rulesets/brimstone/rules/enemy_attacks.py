"""Phase B of a group: every model with a target attacks (7.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Tiny, Whole, columns, each, lookup
from sim.rulesets.brimstone.rules.saves import Hits, take_batch
from sim.rulesets.brimstone.state import MODEL, State

NO_AIM, MELEE_AIM, RANGED_AIM = 0, 1, 2


@dataclass(slots=True)
class Volley:
    """Hits as they fall, gathered model by model and die by die; sorted out by hero afterwards."""

    hero: list[NDArray[Any]] = field(default_factory=list)
    parts: list[Hits] = field(default_factory=list)

    def add(self, hero: NDArray[Any], hits: Hits) -> None:
        """More hits, each on a hero."""
        if len(hero):
            self.hero.append(hero)
            self.parts.append(hits)

    def all(self) -> tuple[NDArray[Any], Hits] | None:
        """The heroes hit and the hits, in order; None if there are none."""
        if not self.parts:
            return None
        parts = (np.concatenate([getattr(part, name) for part in self.parts]) for name in Hits.__slots__)
        return np.concatenate(self.hero), Hits(*parts)


def attack_phase(s: State, kind: int, at: Lanes, aim: Tiny) -> None:
    """BF-A1, BF-A2: all dice are rolled, then the heroes take their batches in posse order. `aim` is (slots, runs)."""
    volley = Volley()
    flails = s.kind_may(kind, "flail")
    acting = columns(s.alive, at) & (columns(s.kind, at) == kind)
    aims = columns(aim, at) * (columns(s.target, at) >= 0)
    for slot in np.flatnonzero(acting.any(axis=1)).tolist():
        mine = acting[slot]
        if flails:
            flailing = mine & np.broadcast_to(np.asarray(s.of_kind("flail", kind, at)) > 0, len(at))
            flail(s, kind, slot, at[flailing], volley)
            mine = mine & ~flailing
        fighting = at[mine & (aims[slot] == MELEE_AIM)]
        if len(fighting):
            melee_dice(s, kind, slot, fighting, volley)
        shooting = at[mine & (aims[slot] == RANGED_AIM)]
        if len(shooting):
            ranged_dice(s, kind, slot, shooting, volley)
    fallen = volley.all()
    if fallen is None:
        return
    target, hits = fallen
    for hero in range(s.heroes):
        open_to = (s.live & s.standing[hero])[hits.lane] & (target == hero)
        if open_to.any():
            take_batch(s, hero, hits.only(open_to), "BF-A2", kind, kind)


def melee_dice(s: State, kind: int, slot: int, at: Lanes, volley: Volley) -> None:
    """BF-A1: Combat dice on an adjacent target; Pack adds dice, Zealot damage."""
    target = s.target[slot].take(at)
    if s.ground is not None:
        goal = each(s.cell, target, at)
        beside = lookup(s.ground.adjacent, goal, s.spot[slot].take(at))
        at, target = at[beside], target[beside]
    if not len(at):
        return
    combat: Any = s.of_kind("combat", kind, at)
    if s.kind_may(kind, "pack") and s.ground is not None:
        combat = combat + pack_mates(s, kind, slot, at) * s.of_kind("pack", kind, at)
    melee_hits(s, kind, slot, at, target, combat, 0, volley)


def pack_mates(s: State, kind: int, slot: int, at: Lanes) -> NDArray[Any]:
    """(lanes,). Pack: other living models of the kind next to this one."""
    assert s.ground is not None
    near = s.alive.take(at, axis=1) & (s.kind.take(at, axis=1) == kind)
    near &= lookup(s.ground.adjacent, s.spot.take(at, axis=1), s.spot[slot].take(at))
    return near.sum(axis=0, dtype=np.int16)


def flail(s: State, kind: int, slot: int, at: Lanes, volley: Volley) -> None:
    """Flail: its dice against every standing hero within range and in sight, with or without a target."""
    for hero in range(s.heroes):
        near = s.standing[hero].take(at)
        if s.ground is not None:
            cell, spot = s.cell[hero].take(at), s.spot[slot].take(at)
            near = near & (lookup(s.ground.range, cell, spot) <= s.of_kind("flail_range", kind, at))
            near &= lookup(s.ground.sight, cell, spot)
        some = at[near]
        if len(some):
            target = np.full(len(some), hero, dtype=np.int8)
            melee_hits(s, kind, slot, some, target, s.of_kind("flail", kind, some), 100 * hero, volley)


def melee_hits(
    s: State, kind: int, slot: int, at: Lanes, target: Tiny, dice: Any, first: int, volley: Volley
) -> None:
    """BF-A1: melee dice of one model, and what its natural 6s do."""
    needed = s.of_kind("th_melee", kind, at)
    damage = s.of_kind("damage", kind, at)
    with_die = np.asarray(s.of_kind("damage_dice", kind, at)) > 0
    damage = stated(damage, with_die)
    if s.kind_may(kind, "zealot"):
        damage = damage + s.hurt[slot].take(at) * s.of_kind("zealot", kind, at)
    scare = 0
    if s.kind_may(kind, "nightmare"):
        scare = s.of_kind("nightmare", kind, at)
        scare = scare + s.of_kind("horror_bonus", kind, at) * (np.asarray(scare) > 0)
    double = np.asarray(s.of_kind("double_first", kind, at)) > 0
    most = int(np.max(dice, initial=0))
    for i in range(most):
        face = to_hit(s, kind, slot, at, first + i, "BF-A1")
        hit = (face >= needed) & (np.asarray(needed) > 0) & (i < np.asarray(dice))
        where = np.flatnonzero(hit)
        if not len(where):
            continue
        if s.kind_may(kind, "six"):
            six = np.broadcast_to(np.asarray(s.of_kind("six", kind, at)), len(at))[where]
            where = np.repeat(where, np.where((face[where] == 6) & (six > 0), six, 1))
        send(s, kind, at, where, face, target, damage, with_die, True, scare, double, volley)


def ranged_dice(s: State, kind: int, slot: int, at: Lanes, volley: Volley) -> None:
    """BF-A1: Shots on a target in range."""
    target = s.target[slot].take(at)
    if s.ground is not None:
        cell, spot = each(s.cell, target, at), s.spot[slot].take(at)
        sees = (lookup(s.ground.range, cell, spot) <= s.of_kind("range", kind, at)) & lookup(s.ground.sight, cell, spot)
        at, target = at[sees], target[sees]
    if not len(at):
        return
    needed = s.of_kind("th_ranged", kind, at)
    dice = s.of_kind("shots", kind, at)
    if s.kind_may(kind, "opening"):
        dice = dice + 2 * (s.first_turn[kind].take(at) == s.round) * s.of_kind("opening", kind, at)
    with_die = np.asarray(s.of_kind("shot_dice", kind, at)) > 0
    damage = stated(s.of_kind("shot_damage", kind, at), with_die)
    for i in range(int(np.max(dice, initial=0))):
        face = to_hit(s, kind, slot, at, i, "BF-A1")
        hit = (face >= needed) & (np.asarray(needed) > 0) & (i < np.asarray(dice))
        where = np.flatnonzero(hit)
        if not len(where):
            continue
        copies = np.ones(len(where), dtype=np.int64)
        sixes = face[where] == 6
        if s.kind_may(kind, "hail"):
            hail = np.broadcast_to(np.asarray(s.of_kind("hail", kind, at)), len(at))[where]
            copies = np.where(sixes & (hail > 0), hail, copies)
        if s.kind_may(kind, "burst"):
            burst = np.broadcast_to(np.asarray(s.of_kind("burst", kind, at)), len(at))[where] > 0
            die = s.luck.die(6, "Burst", s.round, MODEL + slot, i, at[where])
            copies = np.where(sixes & burst, die, copies)
        where = np.repeat(where, copies)
        more = damage
        if s.kind_may(kind, "six_shot_bonus"):
            more = damage + s.of_kind("six_shot_bonus", kind, at) * (face == 6)
        send(s, kind, at, where, face, target, more, with_die, False, 0, np.zeros(1, dtype=bool), volley)


def stated(damage: Any, with_die: Mask) -> Any:
    """BF-A4: a hit whose damage is not stated does 1."""
    return damage + ((np.asarray(damage) == 0) & ~with_die)


def to_hit(s: State, kind: int, slot: int, at: Lanes, index: int, purpose: str) -> Whole:
    """(lanes,). One To Hit die of a model; some kinds re-roll a 1 once."""
    face = s.luck.die(6, purpose, s.round, MODEL + slot, index, at)
    if s.kind_may(kind, "again_on_one"):
        again = (face == 1) & (np.asarray(s.of_kind("again_on_one", kind, at)) > 0)
        some = np.flatnonzero(again)
        face[some] = s.luck.die(6, f"{purpose}/again", s.round, MODEL + slot, index, at[some])
    return face


def send(
    s: State,
    kind: int,
    at: Lanes,
    where: Whole,
    face: Whole,
    target: Tiny,
    damage: Any,
    with_die: Any,
    melee: bool,
    scare: Any,
    double: Any,
    volley: Volley,
) -> None:
    """Put hits into the volley; `where` are places in `at`, one per hit."""
    n = len(where)

    def picked(value: Any, kind_of: Any) -> NDArray[Any]:
        value = np.asarray(value)
        if value.ndim == 0 or len(value) == 1:
            return np.full(n, value.reshape(-1)[0], dtype=kind_of)
        return value[where].astype(kind_of)

    six = face[where] == 6
    no = np.zeros(n, dtype=bool)
    smash = six & picked(s.of_kind("smash", kind, at), bool) if s.kind_may(kind, "smash") else no
    pierce = six & picked(s.of_kind("six_pierces", kind, at), bool) if s.kind_may(kind, "six_pierces") else no
    volley.add(
        target[where],
        Hits(
            at[where],
            picked(damage, np.int16),
            picked(with_die, bool),
            smash,
            np.full(n, melee),
            pierce,
            picked(scare, np.int16),
            picked(double, bool),
        ),
    )
