"""Batches: what a hero saves against, from hits to side effects (7.1, 7.2).

The hits of a batch are flat: one entry per hit, in order within every lane, so that lanes with few hits cost little.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Whole
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.data import BANDAGES, DEATH_MARK, ENSNARED, STUNNED
from sim.rulesets.brimstone.rules.armor import Number, armor_saves, first_index
from sim.rulesets.brimstone.rules.damage import (
    check_ko,
    frighten,
    heal_wounds,
    spend_token,
    still_up,
    wound,
)
from sim.rulesets.brimstone.rules.dynamite import set_off
from sim.rulesets.brimstone.rules.grit import spend_grit
from sim.rulesets.brimstone.state import State

Flags = NDArray[np.bool_]


@dataclass(slots=True)
class Hits:
    """Hits on one hero, one entry each; within a lane in the order of the batch."""

    lane: Whole
    damage: NDArray[np.int16]  # fixed part
    dice: Flags  # and a D6
    ignores: Flags  # no Defense roll
    melee: Flags
    pierces: Flags  # no Armor
    horror: NDArray[np.int16]  # sanity damage of its Horror Hit; 0 for none
    doubled: Flags  # candidates for "the first hit does double damage"

    def only(self, keep: Mask) -> Hits:
        """Some of the hits."""
        kept = keep.nonzero()[0]
        if len(kept) == len(keep):
            return self
        return Hits(*(getattr(self, name).take(kept) for name in self.__slots__))


def plain_hits(lane: Whole, damage: int) -> Hits:
    """Hits without anything special."""
    n = len(lane)
    no = np.zeros(n, dtype=bool)
    return Hits(lane, np.full(n, damage, np.int16), no, no, no, no, np.zeros(n, np.int16), no)


def places(lane: Whole, counted: Mask | None = None) -> Whole:
    """(hits,). The place of every hit among the (counted) hits of its lane, from 0."""
    order = np.argsort(lane, kind="stable")
    sorted_lane = lane[order]
    ones = np.ones(len(lane), dtype=np.int64) if counted is None else counted[order].astype(np.int64)
    running = np.cumsum(ones) - ones
    starts = np.flatnonzero(np.r_[True, sorted_lane[1:] != sorted_lane[:-1]]) if len(lane) else np.zeros(0, np.int64)
    lengths = np.diff(np.r_[starts, len(lane)])
    place = np.empty(len(lane), dtype=np.int64)
    place[order] = running - np.repeat(running[starts], lengths)
    return place


def total(lane: Whole, amount: Any, n: int) -> Whole:
    """(n,). The sum per lane."""
    if isinstance(amount, np.ndarray):
        return np.bincount(lane, weights=amount, minlength=n).astype(np.int64)
    return np.bincount(lane, minlength=n) * amount


def take_batch(
    s: State, hero: int, hits: Hits, name: str, number: Number, kind: int | None = None, last_chance: bool = True
) -> None:
    """BF-A3: a hero saves against a batch; its steps (1) to (8)."""
    hits = not_covered(s, hero, hits, name, number)  # (1)
    if not len(hits.lane):
        return
    saved = save(s, hero, hits, name, number)  # (2), (3)
    unsaved = hits.only(~saved)
    if last_chance and s.facts.plans[hero].last_chance:
        last_bandages(s, hero, unsaved, name, number)  # (4)
    damage = roll_damage(s, hero, unsaved, name, number)  # (5)
    placed, revived = place_wounds(s, hero, unsaved, damage, name, number, kind)  # (6), (7)
    follow_up(s, hero, hits, unsaved, placed, revived, name, number, kind)  # (8)


def not_covered(s: State, hero: int, hits: Hits, name: str, number: Number) -> Hits:
    """BF-A3(1): the hits that Cover does not cancel; of those that count double only the first of a lane does."""
    cover = s.facts.plot.heroes[hero].cover
    if not cover and not hits.doubled.any():
        return hits
    place = places(hits.lane)
    hits.doubled = hits.doubled & (place == 0)
    if not cover:
        return hits
    die = s.luck.die(6, f"{name}/cover", s.round, hero, first_index(number, hits.lane) + place, hits.lane)
    return hits.only(die < cover)


def save(s: State, hero: int, hits: Hits, name: str, number: Number) -> Flags:
    """(hits,). BF-A3(2), BF-A3(3): Defense for every hit that allows it, once more for Grit. Returns the saved ones."""
    lane, rolls = hits.lane, ~hits.ignores
    needed = defense_needed(s, hero)
    index = first_index(number, lane) + places(lane, rolls)
    rolling = np.flatnonzero(rolls)
    who = lane[rolling]
    saved = np.zeros(len(lane), dtype=bool)
    saved[rolling] = s.luck.die(6, f"{name}/defense", s.round, hero, index[rolling], who) >= needed[who]
    pay = pays_for_defense(s, hero, hits, saved)
    if len(pay):
        spend_grit(s, hero, pay)
        paid = np.zeros(s.size, dtype=bool)
        paid[pay] = True
        again = np.flatnonzero(rolls & ~saved & paid[lane])
        who = lane[again]
        die = s.luck.die(6, f"{name}/defense again", s.round, hero, index[again], who)
        saved[again] = die >= needed[who]
    if s.tell:
        at = np.unique(lane)
        count, kept = total(lane, 1, s.size)[at], total(lane, saved, s.size)[at]
        s.tell("BF-A3", hero, "saves against hits", at, hits=count, saved=kept)
    return saved


def pays_for_defense(s: State, hero: int, hits: Hits, saved: Flags) -> Lanes:
    """BF-P6: where failed Defense dice would mean KO and rolling them again could prevent it."""
    n, lane, rolls = s.size, hits.lane, ~hits.ignores
    able = s.facts.plans[hero].saves and s.facts.is_on("grit_use")
    if not able or not (s.grit[hero].take(lane) > 0).any():
        return np.zeros(0, dtype=np.int64)
    twice = expected_twice(s, hero, hits)
    left = 2 * s.health_left(hero, np.arange(n))
    danger = total(lane, twice * ~saved, n) >= left
    hopeless = total(lane, twice * ~rolls, n) >= left
    failed = total(lane, (rolls & ~saved).astype(np.int64), n) > 0
    return np.flatnonzero(danger & ~hopeless & failed & (s.grit[hero] > 0))


def roll_damage(s: State, hero: int, hits: Hits, name: str, number: Number) -> Whole:
    """(hits,). BF-A3(5): the damage of every unsaved hit: its D6, doubled for the first, Death Mark on top."""
    lane = hits.lane
    damage = hits.damage.astype(np.int64)
    rolled = np.flatnonzero(hits.dice)
    if len(rolled):
        who = lane[rolled]
        index = first_index(number, who) + places(lane)[rolled]
        damage[rolled] += s.luck.die(6, f"{name}/damage", s.round, hero, index, who)
    damage *= 1 + hits.doubled
    damage += 2 * (s.status[DEATH_MARK, hero].take(lane) > 0)
    return damage


def place_wounds(
    s: State, hero: int, hits: Hits, damage: Whole, name: str, number: Number, kind: int | None
) -> tuple[Whole, Mask]:
    """(runs,) each. BF-A3(6), BF-A3(7): Armor, then wounds. Returns the wounds placed and who spent a revive token."""
    placed, revived = np.zeros(s.size, dtype=np.int64), np.zeros(s.size, dtype=bool)
    wounds = total(hits.lane, damage, s.size)
    struck = np.flatnonzero(wounds)
    if not len(struck):
        return placed, revived
    open_to_armor = total(hits.lane, damage * ~hits.pierces, s.size)[struck]
    wounds[struck] -= armor_saves(s, hero, struck, open_to_armor, name, first_index(number, struck))
    struck = np.flatnonzero(wounds)
    placed[struck], revived[struck] = wound(s, hero, struck, wounds[struck], "BF-A3", kind)
    if s.facts.is_on("dangerous_dynamite"):
        set_off(s, hero, wounds, name, number)
    return placed, revived


def follow_up(
    s: State,
    hero: int,
    hits: Hits,
    unsaved: Hits,
    placed: Whole,
    revived: Mask,
    name: str,
    number: Number,
    kind: int | None,
) -> None:
    """BF-A3(8): side effects of wounds, then the Horror Hits of all hits; a KO or a revive token ends the batch."""
    goes_on = np.zeros(s.size, dtype=bool)
    goes_on[hits.lane] = True
    goes_on &= s.live & s.standing[hero] & ~revived
    if kind is not None and goes_on.any():
        melee = total(unsaved.lane, unsaved.melee, s.size) > 0
        saved = side_effects(s, hero, np.flatnonzero(goes_on), placed, melee, kind, name, number)
        goes_on &= s.live & s.standing[hero]
        goes_on[saved] = False
    scared = (hits.horror > 0) & goes_on[hits.lane]
    horror(s, hero, hits.lane[scared], hits.horror[scared], name, number)


def defense_needed(s: State, hero: int) -> NDArray[np.int8]:
    """(runs,). BF-A5, BF-X1: the number needed; Ensnared and Stunned raise it by one each."""
    needed = s.defense[hero] + (s.status[ENSNARED, hero] > 0) + (s.status[STUNNED, hero] > 0)
    return np.clip(needed, 2, 6)


def expected_twice(s: State, hero: int, hits: Hits) -> Whole:
    """(hits,). BF-P6: twice the damage of every hit, a D6 counting 3.5."""
    twice = (2 * hits.damage.astype(np.int64) + 7 * hits.dice) * (1 + hits.doubled)
    return twice + 4 * (s.status[DEATH_MARK, hero].take(hits.lane) > 0)


def last_bandages(s: State, hero: int, hits: Hits, name: str, number: Number) -> None:
    """BF-P8, BF-A3(4): Bandages while the unsaved hits would knock the hero out."""
    expected = total(hits.lane, expected_twice(s, hero, hits), s.size)
    at = np.flatnonzero(expected)
    for used in range(5):
        needs = expected[at] >= 2 * s.health_left(hero, at)
        at = at[needs & (s.bag[BANDAGES, hero].take(at) > 0) & (s.wounds[hero].take(at) > 0)]
        if not len(at):
            return
        spend_token(s, hero, at, BANDAGES)
        healing = s.luck.die(6, f"{name}/bandages", s.round, hero, first_index(number, at) + used, at)
        heal_wounds(s, hero, at, healing)
        if s.tell:
            s.tell("BF-P8", hero, "uses Bandages at the last moment", at, roll=healing)


def side_effects(
    s: State, hero: int, at: Lanes, placed: Whole, melee: Mask, kind: int, name: str, number: Number
) -> Lanes:
    """BF-A3(8): markers and Corruption that follow wounds. Returns the lanes in which a revive token was spent."""
    hurt = at[placed[at] > 0]
    saved = np.zeros(0, dtype=np.int64)
    if not len(hurt) or name != "BF-A2":
        return saved
    marked = []
    for code, marker in enumerate(data.MARKERS):
        for key, who in ((f"wound:{marker}", hurt), (f"melee_wound:{marker}", hurt[melee[hurt]])):
            if len(who) and s.kind_may(kind, key):
                given = who[np.broadcast_to(s.of_kind(key, kind, who) > 0, len(who))]
                give_marker(s, hero, given, code)
                if marker == "bleeding":
                    marked.append(given)
    if marked:
        at_risk = np.unique(np.concatenate(marked))
        saved = at_risk[check_ko(s, hero, at_risk)]
    if s.kind_may(kind, "cursed"):
        cursed = still_up(s, hero, np.setdiff1d(hurt[melee[hurt]], saved))
        cursed = cursed[np.broadcast_to(s.of_kind("cursed", kind, cursed) > 0, len(cursed))]
        corrupt(s, hero, cursed, name, number)
    return saved


def give_marker(s: State, hero: int, at: Lanes, marker: int) -> None:
    """7.5: a marker; Death Mark and Ensnared at most one."""
    s.status[marker, hero, at] += 1
    if data.MARKERS[marker] in data.SINGLE_MARKERS:
        s.status[marker, hero, at] = 1
    if s.tell and len(at):
        s.tell("BF-X1", hero, f"gains a marker: {data.MARKERS[marker]}", at)


def horror(s: State, hero: int, lane: Whole, damage: NDArray[Any], name: str, number: Number) -> None:
    """BF-A6, BF-P6: one Willpower D6 per Horror Hit; Grit if the failures would be the end; Spirit Armor per point."""
    if not len(lane):
        return
    facts = s.facts.plot.heroes[hero]
    n = s.size
    index = first_index(number, lane) + places(lane)
    needed = np.clip(s.willpower[hero], 2, 6)[lane]
    failed = s.luck.die(6, f"{name}/willpower", s.round, hero, index, lane) < needed
    if s.facts.plans[hero].saves and s.facts.is_on("grit_use"):
        lost = total(lane, damage * failed, n)
        pay = np.flatnonzero((lost > 0) & (lost >= s.sanity[hero] - s.sdmg[hero]) & (s.grit[hero] > 0))
        if len(pay):
            spend_grit(s, hero, pay)
            paid = np.zeros(n, dtype=bool)
            paid[pay] = True
            again = np.flatnonzero(failed & paid[lane])
            die = s.luck.die(6, f"{name}/willpower again", s.round, hero, index[again], lane[again])
            failed[again] = die < needed[again]
    lost = total(lane, damage * failed, n)
    at = np.flatnonzero(lost)
    if facts.spirit_armor and len(at):
        base = np.broadcast_to(first_index(number, at), len(at))
        points = lost[at]
        for i in range(int(points.max())):
            more = np.flatnonzero(points > i)
            die = s.luck.die(6, f"{name}/spirit armor", s.round, hero, base[more] + i, at[more])
            lost[at[more]] -= die >= facts.spirit_armor
        at = at[lost[at] > 0]
    if len(at):
        frighten(s, hero, at, lost[at], "BF-A6")


def corrupt(s: State, hero: int, at: Lanes, name: str, number: Number) -> None:
    """BF-A7: one Corruption Hit, saved by Willpower; only counted."""
    if not len(at):
        return
    die = s.luck.die(6, f"{name}/corruption", s.round, hero, first_index(number, at), at)
    s.corruption[hero, at] += die < np.clip(s.willpower[hero], 2, 6)[at]
