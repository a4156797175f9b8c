"""BF-F5, F6, BF-H27: how KO'd heroes come back."""

from __future__ import annotations

from .harm import Harm
from .units import Hero


class Recovery(Harm):
    """Healing in any mix, Help, return to the board."""

    def help(self, hero: Hero) -> None:
        """BF-H27, BF-P14, I46."""
        board = self.board
        for other in self.heroes:
            if other.standing or other.dead or other.removed:
                continue
            if other.sq != hero.sq and other.sq not in board.near[hero.sq]:
                continue
            if any(board.tile[model.sq] == board.tile[other.sq] for model in self.living):
                continue
            self.recover(other, "BF-H27", hero.number)
            self.stand_up(other, "BF-H27", hero.number, 4)
            if not hero.helped:
                hero.helped = True
                self.gain_xp(hero, 25)
            return

    def recover(self, hero: Hero, purpose: str, actor: int) -> None:
        """BF-F6: the healing."""
        both = hero.hp <= 0 and hero.mind <= 0
        points = self.die(6, purpose, actor, 0) + self.die(6, purpose, actor, 1)
        if both:
            self.heal_wounds(hero, points)
            self.heal_sanity(hero, self.die(6, purpose, actor, 2) + self.die(6, purpose, actor, 3))
            return
        if hero.hp <= 0:
            points -= self.heal_wounds(hero, 1)
        if hero.mind <= 0:
            points -= self.heal_sanity(hero, 1)
        self.heal_any_mix(hero, points)

    def heal_any_mix(self, hero: Hero, points: int) -> None:
        """BF-F5."""
        for _ in range(points):
            if hero.wounds and (hero.hp <= hero.mind or not hero.sdmg):
                self.heal_wounds(hero, 1)
            elif hero.sdmg:
                self.heal_sanity(hero, 1)

    def stand_up(self, hero: Hero, purpose: str, actor: int, index: int) -> None:
        """A KO'd hero returns on its marker or beside it."""
        hero.standing = True
        hero.turn_recovered = self.turn
        if not self.board.none:
            if self.occupant[hero.sq] is not None:
                squares = self.free_neighbours(hero.sq)
                if not squares:
                    row = self.board.steps(hero.sq)
                    free = [square for square in self.board.floor if self.occupant[square] is None]
                    nearest = min(row[square] for square in free)
                    squares = [square for square in free if row[square] == nearest]
                hero.sq = self.pick(squares, purpose, actor, index)
            self.occupant[hero.sq] = hero
        self.standing = [each for each in self.heroes if each.standing]
