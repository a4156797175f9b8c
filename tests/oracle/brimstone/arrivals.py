"""Section 3: setting up, cards, placement, ambush."""

from __future__ import annotations

from collections import deque

from tests.oracle.luck import TABLE

from .addresses import CARDS, KINDS, LINES, MOST_MODELS, NEWCOMERS
from .bestiary import TYPE_NUMBER
from .cards import PERIL, Count, cards_for, read_count
from .elites import chart_of, in_play
from .prepare import Line
from .table import Table
from .units import FightEnds, Group, Hero, Model


class Arrivals(Table):
    """How enemies enter the fight."""

    def set_up(self) -> None:
        """BF-S2 to S5, S9 to S18."""
        prepared = self.prepared
        counts: dict[int, int] = {}
        listed = sum(self.roll_line(line, counts) for line in prepared.lines)
        self.threat_cards += int(listed > 0)
        self.draw_cards(counts)
        for line in prepared.lines:
            for x, y in line.squares:
                self.given.setdefault(line.kind, []).append(self.board.at(x - 1, y - 1))
        self.arrive(counts, prepared.ambush, prepared.tile, TABLE, 0, first_turn=1, bonus_turn=1)
        self.given = {}
        if not self.living:
            raise FightEnds("win", "enemies")

    def roll_line(self, line: Line, counts: dict[int, int]) -> int:
        """BF-S3: the number of models of an enemy line."""
        number = self.roll_count(line.count, LINES + line.number, 0)
        counts[line.kind] = counts.get(line.kind, 0) + number
        return number

    def roll_count(self, count: Count, actor: int, index: int) -> int:
        total = count.plus
        for i, die in enumerate(count.dice):
            if die == "P":
                total += PERIL[self.luck.below(6, "BF-S3", self.turn, actor, index + i)]
            else:
                total += self.die(int(die[1:]), "BF-S3", actor, index + i)
        return total

    def draw_cards(self, counts: dict[int, int]) -> None:
        """BF-S2, S3: threat cards, in the order in which they are called for."""
        queue = deque(self.prepared.threat)
        number = 0
        while queue:
            cards = cards_for(queue.popleft(), self.prepared.threat_list)
            card = cards[self.luck.below(len(cards), "BF-S2", 0, TABLE, number) if len(cards) > 1 else 0]
            added = 0
            for entry, (count, what) in enumerate(card):
                rolled = self.roll_count(read_count(count), CARDS + number, 10 * entry)
                if what.endswith(" cards"):
                    queue.extend([what.removesuffix(" cards")] * rolled)
                else:
                    counts[TYPE_NUMBER[what]] = counts.get(TYPE_NUMBER[what], 0) + rolled
                    added += rolled
            self.threat_cards += int(added > 0)
            number += 1

    def group_of(self, number: int, first_turn: int) -> Group:
        """BF-S5: the group of a kind; a kind that appears for the first time rolls its Elite abilities."""
        if number not in self.groups:
            kind = self.prepared.kinds[number]
            brutal = self.prepared.brutal if kind.brutal is None else kind.brutal
            chart = chart_of(kind, brutal)
            elites = list(kind.elites)
            for i in range(len(elites), self.prepared.owed):
                left = [n for n in range(1, len(chart) + 1) if chart[n - 1] is not None and n not in elites]
                if not left:
                    break
                elites.append(left[self.luck.below(len(left), "BF-S5", 0, KINDS + number, i)])
            kind = in_play(kind, brutal, tuple(sorted(elites)))
            self.groups[number] = Group(number, kind, tuple(sorted(elites)), first_turn)
            self.daunting = self.daunting or kind.daunt
        return self.groups[number]

    def arrive(
        self,
        counts: dict[int, int],
        ambush: bool,
        tile: int,
        actor: int,
        event: int,
        first_turn: int,
        bonus_turn: int,
    ) -> None:
        """Enemies enter the fight by 3.1 or 3.2. `event` is 0 at setup, else 1 + the event's number."""
        groups = [self.group_of(number, first_turn) for number, count in sorted(counts.items()) if count]
        late = [group for group in groups if ambush or group.kind.always_ambush]
        for group in self.ordered(groups, "BF-S9", actor, sign=1):
            if group not in late:
                self.place_normally(group, counts[group.number], tile)
        for group in self.ordered(late, "BF-S14", actor, sign=-1):
            group.bonus_turn = bonus_turn  # BF-S18
            self.place_in_ambush(group, counts[group.number], event)

    def ordered(self, groups: list[Group], purpose: str, actor: int, sign: int) -> list[Group]:
        """BF-S9, S14: types by Initiative, ties in random order; in an ambush immobile types come first (BF-S17)."""
        if len(groups) < 2:
            return groups
        ties = self.luck.order([group.number for group in groups], purpose, self.turn, actor)
        first = {group.number: sign == -1 and group.kind.behaviour == "immobile" for group in groups}
        return sorted(groups, key=lambda g: (not first[g.number], sign * g.kind.init, ties.index(g.number)))

    def join(self, group: Group, square: int) -> Model:
        """A new model. It takes the first slot never used, or, when all are used, the first without a living model."""
        if len(self.slots) < MOST_MODELS:
            slot = len(self.slots)
        else:
            slot = next(i for i, model in enumerate(self.slots) if not model.alive)
        model = Model(group, slot, self.serials, 1 if self.board.none else square)
        if slot == len(self.slots):
            self.slots.append(model)
        else:
            self.slots[slot] = model
        if group.first_serial < 0:
            group.first_serial = self.serials
        group.created += 1
        self.serials += 1
        self.living = [each for each in self.slots if each.alive]
        if not self.board.none:
            self.occupant[square] = model
        if self.trace is not None:
            self.say(f"{group.kind.name} {model.slot} enters on {self.place(model.sq)}")
        return model

    def room_for_one(self) -> bool:
        """BF-G9."""
        if len(self.living) < MOST_MODELS:
            return True
        self.ignored += 1
        return False

    def place_normally(self, group: Group, count: int, tile: int) -> None:
        """BF-S10 to S12."""
        for _ in range(count):
            if not self.room_for_one():
                continue
            if self.board.none:
                self.join(group, 1)
                continue
            own = self.given.get(group.number, [])
            others = {square for squares in self.given.values() for square in squares}
            open_squares = (
                s for s in self.board.placement.get(tile, []) if self.occupant[s] is None and s not in others
            )
            square = own.pop(0) if own else next(open_squares, None)
            if square is None:
                self.ignored += 1  # I42
            else:
                self.join(group, square)

    def place_in_ambush(self, group: Group, count: int, event: int) -> None:
        """BF-S14 to S17."""
        hero = None
        if group.kind.behaviour in ("shootout", "immobile") and not self.board.none:
            hero = self.pick(self.standing, "BF-S17", KINDS + group.number, event)
        for placed in range(count):
            if not self.room_for_one():
                continue
            if self.board.none:
                self.join(group, 1)
            elif hero is not None:
                self.place_far(group, hero)
            else:
                self.place_beside_hero(group, count - placed)

    def place_far(self, group: Group, hero: Hero) -> None:
        """BF-S17."""
        board = self.board
        free = [s for s in board.floor if board.tile[s] == board.tile[hero.sq] and self.occupant[s] is None]
        if not free:
            self.ignored += 1
            return
        farthest = max(self.steps_to_hero(square) for square in free)
        free = [square for square in free if self.steps_to_hero(square) == farthest]
        self.join(group, self.pick(free, "BF-S17", NEWCOMERS + self.serials))

    def place_beside_hero(self, group: Group, still_to_come: int) -> None:
        """BF-S15, S16."""
        actor = NEWCOMERS + self.serials
        heroes = [hero for hero in self.standing if self.free_neighbours(hero.sq)]
        if not heroes:
            free = [square for square in self.board.floor if self.occupant[square] is None]
            if not free:
                self.ignored += 1
                return
            nearest = min(self.steps_to_hero(square) for square in free)
            free = [square for square in free if self.steps_to_hero(square) == nearest]
            self.join(group, self.pick(free, "BF-S16", actor))
            return
        spread = self.switches["ambush_spread"]
        if spread == "even":
            heroes = self.fewest_targeted(group, heroes)
        elif spread == "follow_targeting":
            here = sum(model.group is group for model in self.living)
            heroes = self.spread(group, heroes, len(self.standing), here + still_to_come)
        hero = self.pick(heroes, "BF-S15", actor, 0)
        squares = self.best_for_party(self.free_neighbours(hero.sq))
        self.join(group, self.pick(squares, "BF-S15", actor, 1)).target = hero
