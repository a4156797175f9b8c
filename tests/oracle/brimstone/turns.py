"""Section 4: the turn, Initiative, events, spawners."""

from __future__ import annotations

from typing import Any

from tests.oracle.luck import TABLE

from .addresses import EVENTS, KINDS, NEWCOMERS
from .arrivals import Arrivals
from .enemy_turns import EnemyTurns
from .hero_turns import HeroTurns
from .prepare import Event
from .units import FightEnds, Group, Hero, Hit, Model


class Turns(HeroTurns, EnemyTurns, Arrivals):
    """Start of turn, activations, end of turn."""

    def play_turn(self) -> None:
        """BF-T1."""
        self.turn += 1
        self.start_of_turn()
        self.activations()
        self.end_of_turn()

    def start_of_turn(self) -> None:
        """BF-T2, with BF-A10 and BF-H28."""
        if self.switches["hard_core"] == "on":
            for hero in self.heroes:
                hero.dead = hero.dead or not (hero.standing or hero.removed)
        if self.turn == self.prepared.flee_turn:
            raise FightEnds("loss", "fled")
        for event in self.prepared.events:
            if event.turn == self.turn and not event.after:
                self.come(event, first_turn=self.turn, bonus_turn=self.turn)
        if self.switches["darkness_track"] == "on":
            self.hold_back_the_darkness()
        for model in self.living:
            model.wounds = max(0, model.wounds - model.kind.regen)
        for hero in self.heroes:
            hero.free_used = 0

    def hold_back_the_darkness(self) -> None:
        """BF-T9."""
        first, second = self.die(6, "BF-T9", TABLE, 0), self.die(6, "BF-T9", TABLE, 1)
        if first == second:
            self.depth_events += 1
        elif first + second < self.prepared.stage:
            self.darkness += 1
            if self.darkness >= 16:
                raise FightEnds("loss", "darkness")

    def come(self, event: Event, first_turn: int, bonus_turn: int) -> None:
        """BF-T7: a scheduled arrival; it counts as one threat card (I39)."""
        counts: dict[int, int] = {}
        rolled = sum(self.roll_line(line, counts) for line in event.lines)
        self.threat_cards += int(rolled > 0)
        number = event.number
        self.arrive(counts, event.ambush, event.tile, EVENTS + number, 1 + number, first_turn, bonus_turn)

    def initiative(self, group: Group) -> int:
        """BF-T2(d): fixed once in a turn, at its start or when the group arrives."""
        if group.fixed_turn != self.turn:
            group.fixed_turn, group.fixed = self.turn, self.initiative_now(group)
        return group.fixed

    def initiative_now(self, group: Group) -> int:
        """0 means that the group never activates."""
        kind = group.kind
        if kind.init == 0:
            return 0
        init = 6 if kind.opening and group.first_turn == self.turn else kind.init
        if group.bonus_turn == self.turn:
            init += self.switches["ambush_bonus"]
        if self.turn in self.flashed:
            init -= 2
        return init

    def slots_of(self, heroes: list[Hero], groups: list[Group]) -> list[tuple[int, int, int, Hero | Group]]:
        """BF-T3, T4: the slots of the turn, first first: (-Initiative, side, tie, who)."""
        enemy_side = 0 if self.switches["initiative_ties"] == "enemies_first" else 2
        posse = [hero.number for hero in heroes]
        if self.switches["party_choice"] == "random" and len(posse) > 1:
            posse = self.luck.order(posse, "BF-T4", self.turn, TABLE)
        ties = [100 + group.number for group in groups]
        if len(ties) > 1:
            ties = self.luck.order(ties, "BF-T4", self.turn, TABLE)
        slots: list[tuple[int, int, int, Hero | Group]] = []
        slots += [(-hero.sheet.init, 1, posse.index(hero.number), hero) for hero in heroes]
        slots += [(-self.initiative(group), enemy_side, ties.index(100 + group.number), group) for group in groups]
        return sorted(slots, key=lambda slot: slot[:3])

    def groups_that_act(self) -> list[Group]:
        numbers = sorted({model.group.number for model in self.living})
        return [self.groups[number] for number in numbers if self.groups[number].kind.init > 0]

    def activations(self) -> None:
        """BF-T3 to T7."""
        due = [event for event in self.prepared.events if event.turn == self.turn and event.after]
        due.sort(key=lambda event: event.after)
        groups = self.groups_that_act()
        pending = self.slots_of(self.standing, groups)
        known = {group.number for group in groups}
        done, ambushed = 0, False
        while pending and not ambushed:
            slot = pending.pop(0)
            if not self.activate(slot[3]):
                continue
            done += 1
            while due and due[0].after <= done:
                ambushed = ambushed or due[0].ambush
                self.come_late(due.pop(0))
            pending = self.with_newcomers(pending, known, slot[0])
        for event in due:  # fewer activations than the event waits for, or an ambush has ended the turn
            self.come_late(event)

    def come_late(self, event: Event) -> None:
        """BF-T7: an arrival during the activations."""
        self.come(event, first_turn=self.turn + event.ambush, bonus_turn=self.turn + 1)

    def with_newcomers(self, pending: list[Any], known: set[int], now: int) -> list[Any]:
        """BF-T6: groups that have appeared act if their Initiative is lower than that of the slot in progress."""
        fresh = [group for group in self.groups_that_act() if group.number not in known]
        if not fresh:
            return pending
        known.update(group.number for group in fresh)
        heroes = [slot for slot in pending if isinstance(slot[3], Hero)]
        groups = [slot[3] for slot in pending if isinstance(slot[3], Group)]
        groups += [group for group in fresh if -self.initiative(group) > now]
        return sorted(heroes + self.slots_of([], groups), key=lambda slot: slot[:3])

    def activate(self, who: Hero | Group) -> bool:
        """One slot; False if it is skipped (BF-T5)."""
        if isinstance(who, Hero):
            if not who.standing or who.turn_recovered == self.turn:
                return False
            who.turn_acted = self.turn
            self.activate_hero(who)
            return True
        if not any(model.group is who for model in self.living):
            return False
        self.activate_group(who)
        return True

    def end_of_turn(self) -> None:
        """BF-T8."""
        if self.switches["spawners"] == "on":
            self.hordes()
            self.spawners()
        if self.switches["revive_timing"] == "end_of_turn":
            for hero in self.heroes:
                if not (hero.standing or hero.dead or hero.ally) and self.revive > 0:
                    self.revive -= 1
                    self.restore(hero)
                    self.stand_up(hero, "BF-T8", hero.number, 0)
        if self.turn == self.switches["round_cap"]:
            raise FightEnds("draw", "cap")

    def hordes(self) -> None:
        """11.4, Hordes; types in order of first appearance (I43)."""
        for group in sorted(self.groups.values(), key=lambda group: group.first_serial):
            here = sum(model.group is group for model in self.living)
            if not group.kind.hordes or not here:
                continue
            actor = KINDS + group.number
            if self.die(6, "Hordes", actor, 0) <= here:
                continue
            more = max(0, self.die(6, "Hordes", actor, 1) - 3)
            for placed in range(more):
                if not self.room_for_one():
                    continue
                if self.board.none:
                    self.join(group, 1)
                else:
                    self.place_beside_hero(group, more - placed)

    def spawners(self) -> None:
        """11.4, Spawn."""
        spawners = {model.slot: model for model in self.living if model.kind.spawn}
        order = list(spawners)
        if len(order) > 1:
            order = self.luck.order(order, "Spawn/order", self.turn, TABLE)
        for slot in order:
            model = spawners[slot]
            for roll in range(model.kind.spawn_rolls):
                number, what = model.kind.spawn or (7, "")
                if self.die(6, "Spawn", model.actor, roll) >= number:
                    self.spawn(model, self.prepared.kind_number[what], roll)

    def spawn(self, model: Model, kind: int, roll: int) -> None:
        squares = [1] if self.board.none else self.free_neighbours(model.sq)
        if not squares:
            for hero in self.adjacent_heroes(model.sq):
                if hero.standing:
                    self.take_hits(hero, [Hit(0, 3)], "Spawn", 2 * model.slot + roll, model.group)
        elif self.room_for_one():
            group = self.group_of(kind, self.turn + 1)
            self.join(group, self.pick(squares, "Spawn/square", NEWCOMERS + self.serials))
