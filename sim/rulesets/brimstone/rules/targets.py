"""Whom the models of a group attack: keeping, dropping and picking targets (BF-E3, BF-E4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import draw_lot, narrow, pick
from sim.core.lanes import Lanes, Mask, Small, Tiny, Whole, cut, each, lookup, nobody_where, put
from sim.rulesets.brimstone.data import IMMOBILE, MELEE, RANGED, SHOOTOUT
from sim.rulesets.brimstone.rules.places import heroes_in_range
from sim.rulesets.brimstone.state import MODEL, State


class Group:
    """A group while it acts: which models, and how heroes and models were counted at the start (BF-E3)."""

    def __init__(self, s: State, kind: int, at: Lanes) -> None:
        self.kind = kind
        self.behaviour = int(s.facts.figure["behaviour"][s.facts.plot.bestiary.first[kind]])
        self.even = np.zeros(s.size, dtype=bool)  # (runs,) targets are spread evenly
        self.aim: Tiny = np.zeros((s.slots, s.size), dtype=np.int8)  # (slots, runs) how models attack in phase B
        spread = s.facts.switches["targeting_spread"]
        if spread == "seed":
            heroes = cut(s.standing, at).sum(axis=0, dtype=np.int16)
            models = (cut(s.alive, at) & (cut(s.kind, at) == kind)).sum(axis=0, dtype=np.int16)
            self.even[at] = heroes > models
        else:
            self.even[at] = spread == "always_even"


def drop_targets(s: State, group: Group, at: Lanes) -> None:
    """BF-E4, BF-E5.1: KO'd and no longer adjacent targets are dropped; some kinds drop every target."""
    targets = cut(s.target, at)
    mine = cut(s.kind, at) == group.kind
    everything = group.behaviour in (RANGED, SHOOTOUT, IMMOBILE)
    everything |= group.behaviour == MELEE and s.facts.is_on("melee_stickiness", "retarget_each_turn")
    if everything:
        drops = mine
    else:
        held = np.maximum(targets, 0)
        keeps = each(s.standing, held, at)
        if s.has_board:
            keeps &= lookup(s.ground.adjacent, each(s.cell, held, at), cut(s.spot, at))
        if s.kind_may(group.kind, "flight"):
            keeps &= ~s.kind_has("flight", group.kind, at)
        drops = mine & ~keeps
    s.target[:, at] = nobody_where(drops, targets)


def holders(s: State, kind: int, at: Lanes) -> Tiny:
    """(heroes, lanes). BF-E3: how many living models of a kind have each hero as their target."""
    return count_targets(s, cut(s.alive, at) & (cut(s.kind, at) == kind), at)


def count_targets(s: State, models: Mask, at: Lanes) -> Tiny:
    """(heroes, lanes). How many of these models (slots, lanes) have each hero as their target."""
    targets = nobody_where(~models, cut(s.target, at))
    return np.stack([(targets == hero).sum(axis=0, dtype=np.int8) for hero in range(s.heroes)])


def pick_target(s: State, group: Group, slot: Whole, at: Lanes, eligible: Mask) -> Whole:
    """(lanes,). BF-E3: a hero at random among the eligible, of those with the fewest holders where spread evenly."""
    even = cut(group.even, at)
    if even.any() and len(eligible) > 1:
        eligible = narrow(eligible, holders(s, group.kind, at) * even)
    return pick(eligible, lot=draw_lot(s.luck, "BF-E3", s.round, MODEL + slot, 0, at))


def take_aim(s: State, group: Group, slot: Whole, at: Lanes, target: NDArray[np.integer], aim: int) -> None:
    """The model will attack this hero in phase B; -1 for nobody."""
    put(s.target, slot, at, target)
    put(group.aim, slot, at, (target >= 0) * np.int8(aim))


def weapon_range(s: State, kind: int, at: Lanes) -> int | Small:
    """The Range of a kind's weapon, which no Elite result changes; 0 for none, which is the same in all runs."""
    if "range" in s.facts.varied:
        return s.of_kind("range", kind, at)
    return int(s.facts.figure["range"][s.facts.plot.bestiary.first[kind]])


def in_weapon_range(s: State, kind: int, slot: Whole, at: Lanes) -> Mask:
    """(heroes, lanes). Standing heroes in range of the model's weapon."""
    if not s.kind_may(kind, "range"):
        return np.zeros((s.heroes, len(at)), dtype=bool)
    return heroes_in_range(s, each(s.spot, slot, at), at, weapon_range(s, kind, at))
