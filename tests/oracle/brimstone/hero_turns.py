"""Section 5.1: the activation of a hero, with the effects at its start (BF-H3) and at the end of its move (BF-H11)."""

from __future__ import annotations

from .actions import Actions
from .hero_moves import HeroMoves
from .start_lines import StartLines
from .units import Group, Hero, Hit


class HeroTurns(StartLines, HeroMoves, Actions):
    """A hero's slot in the turn."""

    def activate_hero(self, hero: Hero) -> None:
        """BF-H1."""
        if self.trace is not None:
            self.say(f"{hero.name} acts on {self.place(hero.sq)}, Health {hero.hp}, Sanity {hero.mind}")
        points = self.move_roll(hero)
        self.start_effects(hero)
        if hero.standing:
            self.use_tokens(hero)
            points += self.start_lines(hero)
        if hero.standing and self.switches["free_attack_time"] == "any_time":
            self.free_attacks(hero)
        if hero.standing:
            self.movement(hero, self.movement_points(hero, points))
        if hero.standing:
            self.end_of_move(hero)
        if hero.standing:
            self.free_attacks(hero)
            if hero.standing:
                self.action(hero)
        hero.status["venom"] = hero.status["entangled"] = 0

    def move_roll(self, hero: Hero) -> int:
        """BF-H2."""
        if hero.ally:
            return hero.sheet.move
        rolls = [self.die(6, "BF-H2", hero.number, 0)]
        if hero.sheet.upgrade == "fancy_footwork":
            rolls.append(self.die(6, "BF-H2", hero.number, 1))
        if min(rolls) <= (2 if "wild_card" in hero.sheet.talents else 1):  # Wild Card
            self.gain_grit(hero)
        return 4 if self.switches["hero_move"] == "fixed4" else max(rolls)

    def movement_points(self, hero: Hero, points: int) -> int:
        """BF-H8 and the markers of 7.5."""
        if hero.status["ensnared"] or hero.status["entangled"]:
            return 0
        return max(0, points + hero.sheet.move_bonus - hero.status["webbed"])

    def start_effects(self, hero: Hero) -> None:
        """BF-H3: markers in the order of 7.5, then the Horror Hits, then the rest."""
        self.markers(hero)
        if not hero.standing:
            return
        self.fear(hero)
        for group in self.groups_near(hero, "drag"):
            if not hero.standing:
                return
            index = 100 * group.number
            if not self.successes(hero.sheet.agility, 5, "drag", hero.number, index):
                hits = self.die(6, "drag", hero.number, index + 50)
                self.take_hits(hero, [Hit(0, 1)] * hits, "drag", group.number, group)

    def markers(self, hero: Hero) -> None:
        """7.5, with BF-P11."""
        status, me = hero.status, hero.number
        if hero.policy == "cautious":
            while status["bleeding"] and hero.grit and hero.grit == hero.max_grit:
                self.spend_grit(hero)
                status["bleeding"] -= 1
        if status["burning"]:
            status["burning"] -= 1
            self.direct_wounds(hero, 2, "Burning", 0)
        if hero.standing and status["ensnared"] and self.successes(hero.sheet.strength, 5, "Ensnared", me, 0):
            status["ensnared"] = 0
        if hero.standing and status["poison"]:
            rolls = [self.die(6, "Poison", me, i) for i in range(status["poison"])]
            status["poison"] -= rolls.count(6)
            self.wound_hero(hero, rolls.count(1) + rolls.count(2))
        if hero.standing and status["stunned"] and self.die(6, "Stunned", me) >= 4:
            status["stunned"] -= 1
        if hero.standing and status["webbed"]:
            freed = self.successes(hero.sheet.strength, 5, "Webbed", me, 0)
            status["webbed"] = max(0, status["webbed"] - freed)

    def fear(self, hero: Hero) -> None:
        """11.4: Fear, Terror, Unspeakable Terror as one batch."""
        board = self.board
        near, tile = board.near[hero.sq], board.tile[hero.sq]
        hits: list[int] = []
        for model in self.living:
            kind = model.kind
            if not (kind.fear or kind.terror or kind.uterror):
                continue
            count = kind.fear if model.sq in near else 0
            count += kind.terror if board.tile[model.sq] == tile else 0
            count += kind.uterror if board.tile[model.sq] in board.touching[tile] else 0
            hits += [1 + kind.horror_bonus] * count
        if hits:
            self.horror(hero, hits, "BF-H3", 0)

    def end_of_move(self, hero: Hero) -> None:
        """BF-H11: Tail, and the Corruption Hit of Elite rats, by kind number."""
        near = self.adjacent_enemies(hero.sq)
        if not any(model.kind.tail or model.kind.taint for model in near):
            return
        for number in sorted({model.group.number for model in near}):
            group = self.groups[number]
            if hero.standing and group.kind.tail:
                self.tail(hero, group, sum(model.group is group for model in near))
            if hero.standing and group.kind.taint:
                self.corrupt(hero, 1, "taint", number)

    def tail(self, hero: Hero, group: Group, models: int) -> None:
        """11.4, Tail."""
        kind, index = group.kind, 100 * group.number
        passed = self.successes(hero.sheet.agility, kind.tail, "Tail", hero.number, index)
        if kind.tail_each:
            missing = max(0, models - passed)
        else:
            missing = 0 if passed else 1
        if not missing:
            return
        if kind.tail_d3:
            bleeding = sum(self.die(3, "Tail", hero.number, index + 50 + i) for i in range(missing))
        else:
            bleeding = missing
        self.mark(hero, "bleeding", bleeding)
        if hero.hp <= 0:
            self.fall(hero)
