"""The state of one run, and the small words that all its rules use."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Any

from .kit import FIGURES
from .levels import raise_by_chart
from .prepare import Prepared
from .sheets import Sheet, finish_sheet
from .units import Group, Hero, Model


@dataclass
class Traveller:
    """BF-V1: what a hero takes along from one fight to the next."""

    sheet: Sheet
    wounds: int
    sdmg: int
    grit: int
    status: dict[str, int]
    bag: dict[str, int]
    dead: bool
    removed: bool


@dataclass
class Posse:
    """BF-V1: what all of them take along."""

    heroes: list[Traveller]
    revive: int
    darkness: int


class Table:
    """What lies on the table: the board, the units, the counters."""

    def __init__(
        self, prepared: Prepared, luck: Any, trace: list[str] | None = None, arriving: Posse | None = None
    ) -> None:
        self.prepared, self.luck, self.trace, self.arriving = prepared, luck, trace, arriving
        self.switches, self.board = prepared.switches, prepared.board
        self.turn = 0
        self.heroes = [Hero(sheet) for sheet in self.sheets()]
        if arriving:
            self.come_from(arriving)
        self.standing = [hero for hero in self.heroes if hero.standing]
        self.slots: list[Model] = []
        self.living: list[Model] = []  # in slot order
        self.groups: dict[int, Group] = {}
        self.occupant: list[Hero | Model | None] = [None] * len(self.board.tile)
        for hero in self.standing:
            self.occupant[hero.sq] = hero
        self.given: dict[int, list[int]] = {}  # squares still to be taken by models of the start, by kind
        self.serials = 0
        self.revive = arriving.revive if arriving else prepared.revive
        self.threat_cards = 0
        self.darkness, self.depth_events, self.ignored = prepared.darkness, 0, 0
        if arriving:
            self.darkness = arriving.darkness
        self.flashed: set[int] = set()  # turns in which enemies are slower (Flash)
        self.exploding: deque[Model] = deque()
        self.in_blast = False
        self.daunting = False

    def sheets(self) -> list[Sheet]:
        """11.7: with `level_model` = chart the heroes of every run are rolled anew."""
        prepared = self.prepared
        if self.switches["level_model"] == "fixed":
            return prepared.sheets
        rolled = []
        for sheet in prepared.sheets:
            mine, known = replace(sheet), 1
            if self.arriving:  # what was rolled before an earlier fight stays
                before = self.arriving.heroes[sheet.number].sheet
                known = before.level
                for figure in (*FIGURES, "max_grit", "move_bonus", "shot_bonus"):
                    setattr(mine, figure, getattr(before, figure))
            raise_by_chart(mine, self.luck, known)
            finish_sheet(mine, self.switches, prepared.dice_cap)
            rolled.append(mine)
        return rolled

    def come_from(self, posse: Posse) -> None:
        """BF-V1: the heroes as the fight before, or a rest, has left them."""
        for hero, one in zip(self.heroes, posse.heroes, strict=True):
            hero.wounds, hero.sdmg = one.wounds, one.sdmg
            hero.grit = min(one.grit, hero.max_grit) if self.switches["grit_use"] == "on" else 0
            hero.status, hero.bag = dict(one.status), dict(one.bag)
            hero.dead, hero.removed = one.dead, one.removed
            hero.standing = not (one.dead or one.removed)

    def leave(self) -> Posse:
        """BF-V1: what everybody takes along; a Death Mark ends with the fight (7.5)."""
        travellers = [
            Traveller(
                hero.sheet,
                hero.wounds,
                hero.sdmg,
                hero.grit,
                hero.status | {"death_mark": 0},
                dict(hero.bag),
                hero.dead,
                hero.removed,
            )
            for hero in self.heroes
        ]
        return Posse(travellers, self.revive, self.darkness)

    def say(self, text: str) -> None:
        if self.trace is not None:
            self.trace.append(f"{self.turn}: {text}")

    def place(self, square: int) -> str:
        """A square as a reader sees it."""
        board = self.board
        return "-" if board.none else f"({board.xs[square] + 1},{board.ys[square] + 1})"

    def pick(self, candidates: list[Any], purpose: str, actor: int, index: int = 0) -> Any:
        """One of the candidates at random."""
        if len(candidates) == 1:
            return candidates[0]
        return candidates[self.luck.below(len(candidates), purpose, self.turn, actor, index)]

    def die(self, sides: int, purpose: str, actor: int, index: int = 0) -> int:
        return int(self.luck.die(sides, purpose, self.turn, actor, index))

    def successes(self, dice: int, number: int, purpose: str, actor: int, index: int) -> int:
        """BF-X2: how many dice of a skill test show the number or more."""
        return sum(self.die(6, purpose, actor, index + i) >= number for i in range(dice))

    @staticmethod
    def clamp(number: int, sides: int = 6) -> int:
        return max(2, min(sides, number))

    def adjacent_enemies(self, square: int) -> list[Model]:
        near = self.board.near[square]
        return [model for model in self.living if model.sq in near]

    def adjacent_heroes(self, square: int) -> list[Hero]:
        near = self.board.near[square]
        return [hero for hero in self.standing if hero.sq in near]

    def beside_heroes(self) -> set[int]:
        """All squares adjacent to a standing hero."""
        return set().union(*(self.board.near[hero.sq] for hero in self.standing))

    def groups_near(self, hero: Hero, keyword: str) -> list[Group]:
        """The groups with a keyword that have a model adjacent to the hero, by kind number."""
        found = {m.group.number for m in self.adjacent_enemies(hero.sq) if getattr(m.kind, keyword)}
        return [self.groups[number] for number in sorted(found)]

    def heroes_in_range(self, square: int, reach: int) -> list[Hero]:
        return [hero for hero in self.standing if self.board.in_range(square, hero.sq, reach)]

    def steps_to_hero(self, square: int) -> int:
        row = self.board.steps(square)
        return min(row[hero.sq] for hero in self.standing)

    def free_neighbours(self, square: int) -> list[int]:
        return sorted(other for other in self.board.neighbours[square] if self.occupant[other] is None)

    def relocate(self, unit: Hero | Model, square: int) -> None:
        if square != unit.sq:
            self.occupant[unit.sq] = None
            self.occupant[square] = unit
            unit.sq = square

    def spread(self, group: Group, heroes: list[Hero], standing: int, models: int) -> list[Hero]:
        """BF-E3: the heroes among whom the lot decides."""
        switch = self.switches["targeting_spread"]
        even = standing > models if switch == "seed" else switch == "always_even"
        return self.fewest_targeted(group, heroes) if even else heroes

    def fewest_targeted(self, group: Group, heroes: list[Hero]) -> list[Hero]:
        held = {hero.number: 0 for hero in self.heroes}
        for model in self.living:
            if model.group is group and model.target:
                held[model.target.number] += 1
        fewest = min(held[hero.number] for hero in heroes)
        return [hero for hero in heroes if held[hero.number] == fewest]

    def best_for_party(self, squares: list[int]) -> list[int]:
        """BF-E14."""
        if self.switches["party_choice"] == "random":
            return squares
        fewest = min(len(self.adjacent_heroes(square)) for square in squares)
        return [square for square in squares if len(self.adjacent_heroes(square)) == fewest]
