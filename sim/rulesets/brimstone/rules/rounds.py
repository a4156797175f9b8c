"""A turn: its start, the activations in Initiative order, its end (BF-T1 to BF-T9)."""

from __future__ import annotations

import numpy as np

from sim.core.choose import order_by
from sim.core.lanes import Lanes, Mask, Small, Tiny, anyone, cut, either, keep, nobody_where, which
from sim.core.luck import TABLE
from sim.core.outcomes import Outcome
from sim.core.telling import dice
from sim.rulesets.brimstone.build import Arrival
from sim.rulesets.brimstone.data import BY_CAP, BY_DARKNESS, BY_FLIGHT
from sim.rulesets.brimstone.look import model_key
from sim.rulesets.brimstone.player import Player
from sim.rulesets.brimstone.rules.arrivals import Entrance, enter_all, roll_count
from sim.rulesets.brimstone.rules.damage import revive
from sim.rulesets.brimstone.rules.ending import aftermath, end_fight
from sim.rulesets.brimstone.rules.enemy_turns import activate_group
from sim.rulesets.brimstone.rules.help import come_back
from sim.rulesets.brimstone.rules.hero_turns import activate_hero
from sim.rulesets.brimstone.rules.spawners import spawn_models
from sim.rulesets.brimstone.state import LINE, State

ESCAPED = 16  # where the darkness marker means the end
OPENING_INITIATIVE = 6
LAST = 255  # the rank of who has no slot: -1 as a number without a sign
NEVER = -99  # the Initiative of who is never activated
LOT_BITS = np.uint64(33)  # so many bits less, Initiative and a lot are sorted as one number, which is quicker


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
        dying = ~s.standing & ~s.removed & ~s.dead & s.live
        s.dead |= dying
        if s.tell:
            for hero in range(s.heroes):
                s.tell.event("BF-A10", "dies", which(dying[hero]), who=hero)
    if s.facts.flee_turn == s.round:
        end_fight(s, which(s.live), Outcome.LOSS, BY_FLIGHT)
    for arrival in s.facts.plot.arrivals:
        if arrival.turn == s.round and not arrival.after:
            arrive(s, arrival, which(s.live), s.round, s.round)
    if s.facts.is_on("darkness_track"):
        hold_back_darkness(s)
    if "regen" in s.facts.any_has:
        regenerate(s)
    going = s.live
    for clear in (s.acted, s.fortune_used, s.double_shot, s.fanned, s.barred):
        clear &= ~going
    s.free_used *= ~going
    s.broken_off &= ~going


def regenerate(s: State) -> None:
    """BF-T2(c): Regeneration n heals n wounds of every model."""
    heals = np.minimum(s.figure("regen", s.profile) * (s.alive & s.live), s.hurt)
    s.hurt = (s.hurt - heals).astype(np.int16)
    if s.tell and heals.any():
        whom = [model_key(s, slot) for slot in which(heals[:, 0] > 0).tolist()]
        s.tell.event("BF-T2", "regenerates", None, whom=whom, healed=heals[:, 0].sum())


def hold_back_darkness(s: State) -> None:
    """BF-T9: 2D6; doubles are a depth event, otherwise below the stage the marker moves; at 16 the fight is lost."""
    at = which(s.live)
    first = s.luck.die(6, "BF-T9", s.round, TABLE, 0, at)
    second = s.luck.die(6, "BF-T9", s.round, TABLE, 1, at)
    doubles = first == second
    s.depth[at] += doubles
    s.marker[at] += ~doubles & (first + second < s.facts.stage)
    if s.tell:
        moved = ~doubles & (first + second < s.facts.stage)
        shown = [dice(np.array([first, second]), 6, purpose="to hold back the darkness")]
        told = {"doubles": doubles, "moved": moved, "marker": s.marker[at]}
        s.tell.event("BF-T9", "holds_back", at, rolls=shown, **told)
    lost = keep(at, cut(s.marker, at) >= ESCAPED)
    if len(lost):
        end_fight(s, lost, Outcome.LOSS, BY_DARKNESS)


def arrive(s: State, arrival: Arrival, at: Lanes, turn: int, bonus: int) -> None:
    """BF-T7: the enemies of an event enter; `turn` is the first of new groups, `bonus` that of an ambush."""
    if not len(at):
        return
    wanted = np.zeros((len(s.facts.plot.kinds), s.size), dtype=np.int16)
    for line in arrival.lines:
        wanted[line.kind, at] += roll_count(s, line.count, LINE + line.number, 0, at).astype(np.int16)
    s.cards[at] += anyone(cut(wanted, at) > 0)
    if s.tell:
        s.tell.event("BF-T7", "arrival", at, ambush=arrival.ambush)
    enter_all(s, at, wanted, Entrance(arrival.ambush, arrival.tile, turn, bonus, arrival.number))


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
        self.init[: s.heroes] = s.init
        self.slot[: s.heroes] = s.standing
        for row, kind in enumerate(self.kinds, start=s.heroes):
            self.init[row] = group_initiative(s, kind)
            self.slot[row] = in_play(s, kind) & (self.init[row] > NEVER)
        self.rank = self.ranks()

    def ranks(self) -> Tiny:
        """(units, runs). BF-T4: places in the order of play, smallest first; ties by lot, or as the party says."""
        s = self.s
        side = np.zeros(len(self.init), dtype=np.int16)
        side[: s.heroes] = 1 if s.facts.is_on("initiative_ties", "enemies_first") else -1
        base = (100 - self.init) * 4 + 1 + side[:, None]
        lot = np.zeros(base.shape, dtype=np.uint64)
        chosen = s.heroes if s.facts.is_on("party_choice", "best_for_party") else 0  # so many choose among themselves
        lot[:chosen] = np.arange(chosen)[:, None]
        for row in range(chosen, len(base)):
            rivals = (base == base[row]) & self.slot & self.slot[row]
            rivals[row] = False
            if rivals.any():
                index = row if row < s.heroes else 100 + self.kinds[row - s.heroes]
                lot[row] = s.luck.bits("BF-T4", s.round, TABLE, index) >> LOT_BITS
        order = order_by((base, lot))
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
                    waiting[row] &= in_play(s, kind)
            waiting &= s.live & ~s.broken_off
            rank = nobody_where(~waiting, self.rank).view(np.uint8)  # nobody, -1, comes last
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
        if s.tell:
            s.tell.turn()
        if unit < s.heroes:
            activate_hero(s, self.player, unit, at)
        else:
            activate_group(s, self.kinds[unit - s.heroes], at)
        if self.events:
            self.number[at] += 1
            for row, event in enumerate(self.events):
                waits = ~cut(self.came[row], at) & cut(s.live, at)
                due = keep(at, waits & (cut(self.number, at) >= event.after))
                self.event(row, due, self.init[unit])

    def event(self, row: int, at: Lanes, current: Small | None) -> None:
        """BF-T6, BF-T7: an arrival; an ambush breaks the turn off, and whatever was still due comes at once.

        `current` is the Initiative (runs,) of the unit that has just acted; None after the last activation.
        """
        s = self.s
        event = self.events[row]
        if not len(at):
            return
        self.came[row, at] = True
        before = {kind: in_play(s, kind) for kind in self.kinds}
        arrive(s, event, at, s.round + 1 if event.ambush else s.round, s.round + 1)
        if event.ambush:
            s.broken_off[at] = True
            for other in range(len(self.events)):
                self.event(other, keep(at, ~cut(self.came[other], at)), None)
        elif current is not None:
            self.join_in(at, before, current)

    def join_in(self, at: Lanes, before: dict[int, Mask], current: Small) -> None:
        """BF-T7: a group that is new in play acts in this turn if its Initiative is lower than the current one."""
        s = self.s
        changed = False
        for place, kind in enumerate(self.kinds, start=s.heroes):
            new = keep(at, (~before[kind] & in_play(s, kind) & ~self.slot[place])[at])
            if not len(new):
                continue
            init = cut(group_initiative(s, kind), new)
            in_time = (init > NEVER) & (init < cut(current, new)) & ~cut(s.broken_off, new)
            acts = keep(new, in_time)
            self.init[place, acts] = keep(init, in_time)
            self.slot[place, acts] = True
            changed |= len(acts) > 0
        if changed:
            self.rank = self.ranks()

    def late_events(self) -> None:
        """BF-T7: with too few activations an event comes after the last one; nobody new acts."""
        s = self.s
        for row in range(len(self.events)):
            self.event(row, which(s.live & ~self.came[row]), None)


def in_play(s: State, kind: int) -> Mask:
    """(runs,). Whether a model of the kind lives."""
    return anyone(s.alive & (s.kind == kind))


def group_initiative(s: State, kind: int) -> Small:
    """(runs,). BF-S18, BF-T2(d): Initiative with all bonuses; NEVER for a printed 0, which never activates."""
    base = np.broadcast_to(np.asarray(s.of_kind("init", kind, s.everyone), dtype=np.int16), s.size)
    never = base == 0
    if s.kind_may(kind, "opening"):
        opening = s.kind_has("opening", kind, s.everyone) & (s.first_turn[kind] == s.round)
        base = either(opening, OPENING_INITIATIVE, base)
    base = base + s.facts.switches["ambush_bonus"] * (s.bonus_turn[kind] == s.round)
    base = base - 2 * (s.flash_until >= s.round)
    return either(never, NEVER, base)


# End of turn.


def end_turn(s: State) -> None:
    """BF-T8: spawners, revive tokens, what lasts until the end of the turn, the round cap."""
    if s.facts.is_on("spawners"):
        spawn_models(s)
    if s.facts.is_on("revive_timing", "end_of_turn"):
        late_revival(s)
    s.cigar[:] = False
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
        if s.tell:
            s.tell.event("BF-T8", "stands_again", at, who=hero)
