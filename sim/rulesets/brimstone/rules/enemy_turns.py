"""A group's activation: its models move one after the other, then all attack (BF-E1, BF-E2)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sim.core.choose import lots, order_by
from sim.core.lanes import Lanes, Mask, Small, Whole, cut, either, keep, lookup, rows_of, which
from sim.rulesets.brimstone.data import IMMOBILE, MELEE, MELEE_OR_RANGED, RANGED, SHOOTOUT
from sim.rulesets.brimstone.rules.behaviours import immobile, melee, melee_or_ranged, ranged, shootout
from sim.rulesets.brimstone.rules.enemy_attacks import MELEE_AIM, attack_phase, free_shot
from sim.rulesets.brimstone.rules.targets import Group, drop_targets
from sim.rulesets.brimstone.state import GROUP, State

BEHAVIOURS = {
    MELEE: melee,
    RANGED: ranged,
    MELEE_OR_RANGED: melee_or_ranged,
    SHOOTOUT: shootout,
    IMMOBILE: immobile,
}
NOWHERE = 16_000  # farther than any hero
NOT_ACTING = 16_383  # comes after all who act
LOT_BITS = np.uint64(22)  # so many bits less, a lot and a distance are sorted as one number, which is quicker


def activate_group(s: State, kind: int, at: Lanes) -> None:
    """BF-E1: phase A, every model keeps or picks a target and moves; phase B, all attack."""
    group = Group(s, kind, at)
    drop_targets(s, group, at)
    acting = cut(s.alive, at) & (cut(s.kind, at) == kind)
    shots = s.kind_may(kind, "free_shot")
    if group.behaviour == MELEE and not shots:
        keeps = acting & (cut(s.target, at) >= 0)  # BF-E5.1: they do not move, so their place in the order is nothing
        group.aim[:, at] = keeps * np.int8(MELEE_AIM)
        acting &= ~keeps
    for slots, acting_at in in_order_of_distance(s, kind, acting, at):
        live = cut(s.live, acting_at)
        slot, now = keep(slots, live), keep(acting_at, live)
        if not len(now):
            continue
        BEHAVIOURS[group.behaviour](s, group, slot, now)
        if shots:
            free_shot(s, kind, slot, now)
    attack_phase(s, kind, keep(at, cut(s.live, at)), group.aim)


def in_order_of_distance(s: State, kind: int, acting: Mask, at: Lanes) -> Iterator[tuple[Whole, Lanes]]:
    """BF-E2: the acting models (slots, lanes), nearest to a hero first, ties by lot: (slot, lanes) place by place."""
    number = acting.sum(axis=0, dtype=np.int16)
    most = int(number.max(initial=0))
    if most <= 1:
        some = which(number > 0)
        if len(some):
            yield acting[:, some].argmax(axis=0), at[some]
        return
    some = which(number > 0)
    rows = rows_of(acting)
    acts = acting[rows][:, some]
    far = np.stack([distance_to_heroes(s, slot, at[some]) for slot in rows.tolist()])
    lot = lots(s.luck, "BF-E2", s.round, rows.tolist(), at[some], GROUP + kind)
    lot >>= LOT_BITS
    order = rows[order_by((either(acts, far, NOT_ACTING), lot))]
    for place in range(most):
        placed = number[some] > place
        yield keep(order[place], placed), keep(at[some], placed)


def distance_to_heroes(s: State, slot: int, at: Lanes) -> Small:
    """(lanes,). BF-G4: `steps` from a model to the nearest standing hero; 0 without a board."""
    if not s.has_board:
        return np.zeros(len(at), dtype=np.int16)
    steps = lookup(s.ground.steps, cut(s.cell, at), cut(s.spot[slot], at))
    nearest: Small = either(cut(s.standing, at), steps, NOWHERE).min(axis=0)
    return nearest
