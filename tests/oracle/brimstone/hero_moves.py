"""Section 5.3, BF-P1, BF-P13 and the movement of section 10.2."""

from __future__ import annotations

from collections import deque

from .saves import Saves
from .targets import Targets
from .units import Hero, Hit, Model


class HeroMoves(Targets, Saves):
    """Escape, reach, and the square that a policy takes."""

    def movement(self, hero: Hero, points: int) -> None:
        if self.board.none:
            return
        square = self.choose_square(hero, points)
        if hero.standing and square != hero.sq:
            if self.trace is not None:
                self.say(f"{hero.name} moves to {self.place(square)}")
            self.relocate(hero, square)

    def try_escape(self, hero: Hero, near: list[Model]) -> int:
        """BF-H9: 0 if failed, else the highest Escape number of enemies that the hero may leave this turn."""
        highest = max(model.kind.escape for model in near)
        roll = self.die(6, "BF-H9", hero.number)
        if roll >= highest:
            return roll if self.switches["escape_roll"] == "once_per_turn" else highest
        for group in self.groups_near(hero, "cut"):
            if hero.standing:
                self.take_hits(hero, [Hit(0, 2)] * 3, "cut", group.number, group)
        return 0

    def reach(self, hero: Hero, points: int, limit: int) -> dict[int, int]:
        """BF-P1: the squares a hero can end on, with their steps. It leaves no square next to an enemy whose Escape
        number is above `limit`."""
        escape: dict[int, int] = {}
        for model in self.living:
            for square in self.board.neighbours[model.sq]:
                if model.kind.escape > escape.get(square, 0):
                    escape[square] = model.kind.escape
        steps = {hero.sq: 0}
        queue = deque([hero.sq])
        while queue:
            here = queue.popleft()
            if steps[here] == points or escape.get(here, 0) > limit:
                continue
            for there in self.board.neighbours[here]:
                if there not in steps and self.occupant[there] is None:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        return steps

    def choose_square(self, hero: Hero, points: int) -> int:
        """Where the policy moves."""
        near = self.adjacent_enemies(hero.sq)
        if hero.policy == "random_legal":
            return self.random_square(hero, points, near)
        if hero.policy == "aggressive" or (hero.policy == "cautious" and not hero.sheet.guns):
            return self.aggressive_square(hero, points, near)
        if hero.policy == "cautious":
            return self.cautious_square(hero, points, near)
        return self.focus_square(hero, points, near)

    def random_square(self, hero: Hero, points: int, near: list[Model]) -> int:
        """10.2, `random_legal`."""
        limit = 0
        if near:
            if points == 0 or self.luck.below(2, "random_legal/escape", self.turn, hero.number) == 0:
                return hero.sq
            limit = self.try_escape(hero, near)
            if not limit:
                return hero.sq
        return int(self.pick(sorted(self.reach(hero, points, limit)), "random_legal/square", hero.number))

    def aggressive_square(self, hero: Hero, points: int, near: list[Model]) -> int:
        """10.2, `aggressive`."""
        if near or self.best_mode(hero, hero.sq):
            return hero.sq
        reach = self.reach(hero, points, 0)
        keys = {}
        for square, steps in reach.items():
            best = self.best_mode(hero, square)
            if best:
                keys[square] = (-best[0], steps)
        return self.least(hero, keys) if keys else self.approach(hero, reach)

    def cautious_square(self, hero: Hero, points: int, near: list[Model]) -> int:
        """10.2, `cautious` with a gun."""
        reach = self.reach_after_escape(hero, points, near, tries=True)
        if not hero.standing:
            return hero.sq
        guns = [mode for mode in hero.sheet.modes if mode.sort == "gun"]
        keys = {}
        for square, steps in reach.items():
            if self.adjacent_enemies(square):
                continue
            if any(self.legal_targets(mode, square) for mode in guns):
                keys[square] = (-self.steps_to_enemy(square), steps)
        if keys:
            return self.least(hero, keys)
        if self.best_mode(hero, hero.sq):
            return hero.sq
        return self.approach(hero, reach)

    def focus_square(self, hero: Hero, points: int, near: list[Model]) -> int:
        """10.2, `focus_fire`, `bomber` and `provider`."""
        tries = bool(hero.sheet.guns) and 3 * hero.hp <= hero.health
        reach = self.reach_after_escape(hero, points, near, tries)
        if not hero.standing:
            return hero.sq
        keys = {}
        for square, steps in reach.items():
            best = self.best_mode(hero, square)
            if best:
                keys[square] = (-best[0], len(self.adjacent_enemies(square)), steps)
        if near and tries:
            safe = {square: key for square, key in keys.items() if key[1] == 0}
            keys = safe or keys
        return self.least(hero, keys) if keys else self.approach(hero, reach)

    def reach_after_escape(self, hero: Hero, points: int, near: list[Model], tries: bool) -> dict[int, int]:
        if not near:
            return self.reach(hero, points, 0)
        limit = self.try_escape(hero, near) if tries and points > 0 else 0
        return self.reach(hero, points, limit) if limit else {hero.sq: 0}

    def least(self, hero: Hero, keys: dict[int, tuple[int, ...]]) -> int:
        """The square with the smallest key, ties random."""
        least = min(keys.values())
        return int(self.pick(sorted(s for s, key in keys.items() if key == least), "move", hero.number))

    def approach(self, hero: Hero, reach: dict[int, int]) -> int:
        """BF-P13."""
        return self.least(hero, {square: (self.steps_to_enemy(square), steps) for square, steps in reach.items()})
