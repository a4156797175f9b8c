"""A turn: its start, the activations in Initiative order, its end (section 4)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Tiny, which
from sim.core.luck import TABLE
from sim.core.outcomes import Outcome
from sim.rulesets.brimstone.build import Arrival
from sim.rulesets.brimstone.data import BY_CAP, BY_DARKNESS, BY_FLIGHT
from sim.rulesets.brimstone.player import Player
from sim.rulesets.brimstone.rules.arrivals import enter_all, roll_count
from sim.rulesets.brimstone.rules.damage import revive
from sim.rulesets.brimstone.rules.ending import aftermath, end_fight
from sim.rulesets.brimstone.rules.enemy_turns import activate_group
from sim.rulesets.brimstone.rules.help import come_back
from sim.rulesets.brimstone.rules.hero_turns import activate_hero
from sim.rulesets.brimstone.rules.show import show_board
from sim.rulesets.brimstone.rules.spawners import spawn_models
from sim.rulesets.brimstone.state import LINE, State

ESCAPED = 16  # where the darkness marker means the end
OPENING_INITIATIVE = 6
LAST = 120  # the rank of who has no slot


def play_turn(s: State, player: Player) -> None:
    """BF-T1: start of turn, activations, end of turn."""
    start_turn(s)
    if s.live.any():
        Activations(s, player).play()
    end_turn(s)
    aftermath(s)


# Start of turn.


def start_turn(s: State) -> None:
    """BF-T2, BF-A10, BF-H28: deaths, flight, events, darkness, Regeneration; markers of the turn are cleared."""
    if s.facts.is_on("hard_core") and s.round > 1:
        s.dead |= ~s.standing & ~s.removed & s.live
    if s.facts.flee_turn == s.round:
        end_fight(s, which(s.live), Outcome.LOSS, BY_FLIGHT)
    for arrival in s.facts.plot.arrivals:
        if arrival.turn == s.round and not arrival.after:
            arrive(s, arrival, which(s.live), s.round, s.round)
    if s.facts.is_on("darkness_track"):
        hold_back_darkness(s)
    if "regen" in s.facts.any_has:
        heals = s.figure("regen", s.profile) * (s.alive & s.live)
        s.hurt = np.maximum(s.hurt - heals, 0).astype(np.int16)
    going = s.live
    for clear in (s.acted, s.fortune_used, s.double_shot, s.fanned, s.barred):
        clear &= ~going
    s.free_used *= ~going
    s.broken_off &= ~going


def hold_back_darkness(s: State) -> None:
    """BF-T9: 2D6; doubles are a depth event, otherwise below the stage the marker moves; at 16 the fight is lost."""
    at = which(s.live)
    first = s.luck.die(6, "BF-T9", s.round, TABLE, 0, at)
    second = s.luck.die(6, "BF-T9", s.round, TABLE, 1, at)
    doubles = first == second
    s.depth[at] += doubles
    s.marker[at] += ~doubles & (first + second < s.facts.stage)
    if s.tell and len(at):
        s.tell("BF-T9", "", "Hold Back the Darkness", at, roll=first + second, marker=s.marker[at])
    lost = at[s.marker.take(at) >= ESCAPED]
    if len(lost):
        end_fight(s, lost, Outcome.LOSS, BY_DARKNESS)


def arrive(s: State, arrival: Arrival, at: Lanes, turn: int, bonus: int) -> None:
    """BF-T7: the enemies of an event enter; `turn` is the first of new groups, `bonus` that of an ambush."""
    wanted = np.zeros((len(s.facts.plot.kinds), s.size), dtype=np.int16)
    if not len(at):
        return
    for line in arrival.lines:
        wanted[line.kind, at] += roll_count(s, line.count, LINE + line.number, 0, at).astype(np.int16)
    s.cards[at] += wanted[:, at].any(axis=0)
    if s.tell:
        s.tell("BF-T7", "", "Ambush!" if arrival.ambush else "More enemies arrive.", at)
    enter_all(s, at, wanted, arrival.ambush, arrival.tile, arrival.number, turn, bonus)


# Activations.


class Activations:
    """The activations of one turn, run by run in Initiative order (BF-T3 to BF-T7)."""

    def __init__(self, s: State, player: Player) -> None:
        self.s = s
        self.player = player
        self.kinds = list(s.facts.plot.bestiary.wanted)
        units = s.heroes + len(self.kinds)
        self.init = np.zeros((units, s.size), dtype=np.int16)  # (units, runs) fixed for the turn
        self.slot = np.zeros((units, s.size), dtype=bool)  # has or had a slot in this turn
        self.done = np.zeros((units, s.size), dtype=bool)
        self.number = np.zeros(s.size, dtype=np.int16)  # activations so far
        self.events = sorted(
            (a for a in s.facts.plot.arrivals if a.turn == s.round and a.after), key=lambda a: (a.after, a.number)
        )
        self.came = np.zeros((len(self.events), s.size), dtype=bool)
        self.fix()

    def fix(self) -> None:
        """BF-T2(d): Initiative values for the turn; who has a slot."""
        s = self.s
        for hero in range(s.heroes):
            self.init[hero] = s.init[hero]
            self.slot[hero] = s.standing[hero]
        for row, kind in enumerate(self.kinds, start=s.heroes):
            self.init[row] = group_initiative(s, kind)
            self.slot[row] = (s.alive & (s.kind == kind)).any(axis=0) & (self.init[row] > -99)
        self.rank = self.ranks()

    def ranks(self) -> Tiny:
        """(units, runs). BF-T4: places in the order of play, smallest first."""
        s = self.s
        side = np.zeros(len(self.init), dtype=np.int64)
        side[: s.heroes] = 1 if s.facts.is_on("initiative_ties", "enemies_first") else -1
        base = (100 - self.init.astype(np.int64)) * 4 + 1 + side[:, None]
        whole: NDArray[np.int64] = base << 32
        if s.facts.is_on("party_choice", "best_for_party"):
            whole[: s.heroes] += np.arange(s.heroes)[:, None]
        for row in range(len(base)):
            rivals = (base == base[row]) & self.slot & self.slot[row]
            rivals[row] = False
            if not rivals.any() or (row < s.heroes and s.facts.is_on("party_choice", "best_for_party")):
                continue
            index = row if row < s.heroes else 100 + self.kinds[row - s.heroes]
            key = s.luck.bits("BF-T4", s.round, TABLE, index)
            whole[row] += (key >> np.uint64(33)).astype(np.int64)
        order = np.argsort(whole, axis=0, kind="stable")
        rank = np.empty(order.shape, dtype=np.int8)
        np.put_along_axis(rank, order, np.arange(len(order), dtype=np.int8)[:, None], axis=0)
        return rank

    def play(self) -> None:
        """BF-T3, BF-T5: the unit with the highest Initiative that has not acted acts, until nobody is left."""
        s = self.s
        while True:
            waiting = self.slot & ~self.done
            waiting[: s.heroes] &= s.standing & ~s.barred
            for row, kind in enumerate(self.kinds, start=s.heroes):
                if waiting[row].any():
                    waiting[row] &= (s.alive & (s.kind == kind)).any(axis=0)
            waiting &= s.live & ~s.broken_off
            rank = np.where(waiting, self.rank, np.int8(LAST))
            first = rank.min(axis=0)
            going = first < LAST
            if not going.any():
                break
            for unit in range(len(rank)):
                at = which((rank[unit] == first) & going)
                if len(at):
                    self.activate(unit, at)
        self.late_events()

    def activate(self, unit: int, at: Lanes) -> None:
        """One activation, then the events that wait for it."""
        s = self.s
        self.done[unit, at] = True
        if unit < s.heroes:
            if s.tell:
                s.tell("BF-T3", unit, "acts", at)
            activate_hero(s, self.player, unit, at)
        else:
            activate_group(s, self.kinds[unit - s.heroes], at)
        if self.events:
            self.number[at] += 1
            for row, event in enumerate(self.events):
                due = at[(self.number.take(at) >= event.after) & ~self.came[row].take(at) & s.live.take(at)]
                self.event(row, due, self.init[unit])

    def event(self, row: int, at: Lanes, current: NDArray[Any] | None) -> None:
        """BF-T6, BF-T7: an arrival; an ambush breaks the turn off, and whatever was still due comes at once."""
        s = self.s
        event = self.events[row]
        if not len(at):
            return
        self.came[row, at] = True
        before = {kind: (s.alive & (s.kind == kind)).any(axis=0) for kind in self.kinds}
        arrive(s, event, at, s.round + 1 if event.ambush else s.round, s.round + 1)
        if event.ambush:
            s.broken_off[at] = True
            for other in range(len(self.events)):
                self.event(other, at[~self.came[other].take(at)], None)
            return
        if current is None:
            return
        changed = False
        for place, kind in enumerate(self.kinds, start=s.heroes):
            new = at[~before[kind].take(at) & (s.alive & (s.kind == kind)).any(axis=0).take(at)]
            new = new[~self.slot[place].take(new)]
            if not len(new):
                continue
            init = group_initiative(s, kind)
            acts = new[(init.take(new) > -99) & (init.take(new) < current.take(new)) & ~s.broken_off.take(new)]
            self.init[place, acts] = init[acts]
            self.slot[place, acts] = True
            changed |= len(acts) > 0
        if changed:
            self.rank = self.ranks()

    def late_events(self) -> None:
        """BF-T7: with too few activations an event comes after the last one; nobody new acts."""
        s = self.s
        for row in range(len(self.events)):
            self.event(row, which(s.live & ~self.came[row]), None)


def group_initiative(s: State, kind: int) -> NDArray[np.int16]:
    """(runs,). BF-S18, BF-T2(d): Initiative with all bonuses; -99 for a printed 0, which never activates."""
    everyone = np.arange(s.size)
    base = np.broadcast_to(np.asarray(s.of_kind("init", kind, everyone)), s.size).astype(np.int16)
    never = base == 0
    if s.kind_may(kind, "opening"):
        opening = (np.asarray(s.of_kind("opening", kind, everyone)) > 0) & (s.first_turn[kind] == s.round)
        base = np.where(opening, np.int16(OPENING_INITIATIVE), base)
    base = base + s.facts.switches["ambush_bonus"] * (s.bonus_turn[kind] == s.round)
    base = base - 2 * (s.flash_until >= s.round)
    return np.where(never, np.int16(-99), base).astype(np.int16)


# End of turn.


def end_turn(s: State) -> None:
    """BF-T8: spawners, revive tokens, what lasts until the end of the turn, the round cap."""
    if s.facts.is_on("spawners"):
        spawn_models(s)
    if s.facts.is_on("revive_timing", "end_of_turn"):
        late_revival(s)
    s.cigar[:] = False
    if s.tell and s.live.any():
        show_board(s)
    if s.round >= s.facts.switches["round_cap"]:
        end_fight(s, which(s.live), Outcome.DRAW, BY_CAP)


def late_revival(s: State) -> None:
    """BF-T8(b), BF-A9: with `revive_timing` = end_of_turn KO'd heroes take revive tokens in posse order."""
    for hero, facts in enumerate(s.facts.plot.heroes):
        if facts.ally:
            continue
        at = which(s.live & ~s.standing[hero] & ~s.dead[hero] & (s.tokens > 0))
        if not len(at):
            continue
        revive(s, hero, at)
        come_back(s, hero, at, "BF-T8", hero, 0)
