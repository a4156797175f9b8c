"""BF-H1(4): the action, Dynamite (section 5.5) and Free Attacks (section 5.6)."""

from __future__ import annotations

from .hero_attacks import HeroAttacks
from .recovery import Recovery
from .rulebook import CLEVER, LAST_CHANCE, THROWS
from .sheets import Mode
from .units import Attack, Hero


class Actions(HeroAttacks, Recovery):
    """What a hero does after moving."""

    def action(self, hero: Hero) -> None:
        """BF-H1(4)."""
        if hero.policy == "random_legal":
            self.random_action(hero)
            return
        if hero.policy in CLEVER and self.dynamite_at_hand(hero):
            square = self.best_throw(hero)
            if square is not None:
                self.throw_dynamite(hero, square)
                return
        best = self.best_mode(hero, hero.sq)
        if best:
            self.attack(hero, best[1], 0)
        elif hero.policy in LAST_CHANCE:
            self.help(hero)

    def random_action(self, hero: Hero) -> None:
        """10.2, `random_legal`(3)."""
        modes: list[Mode | None] = [mode for mode in hero.sheet.modes if self.legal_targets(mode, hero.sq)]
        squares = []
        if self.dynamite_at_hand(hero):
            reach = hero.sheet.strength + 3
            squares = [model.sq for model in self.living if self.board.in_range(hero.sq, model.sq, reach)]
        if squares:
            modes.append(None)
        if not modes:
            return
        mode = self.pick(modes, "random_legal/mode", hero.number)
        if mode is None:
            self.throw_dynamite(hero, self.pick(squares, "random_legal/throw", hero.number))
        else:
            self.attack(hero, mode, 0)

    def best_throw(self, hero: Hero) -> int | None:
        """10.2, `focus_fire`(3), `bomber` and `provider`."""
        board = self.board
        enough, clear = THROWS[hero.policy]
        if len(self.living) < enough:
            return None
        reach = hero.sheet.strength + 3
        keys = {}
        for square in board.floor:
            ranges = board.ranges[square]
            caught = [model for model in self.living if ranges[model.sq] <= 1]
            if len(caught) < enough or any(ranges[other.sq] <= clear for other in self.standing):
                continue
            if board.in_range(hero.sq, square, reach):
                keys[square] = (-len(caught), -sum(model.group.threat for model in caught))
        if not keys:
            return None
        least = min(keys.values())
        return int(self.pick([square for square, key in keys.items() if key == least], "BF-H20", hero.number))

    def throw_dynamite(self, hero: Hero, square: int) -> None:
        """BF-H20 to H22."""
        hero.bag["dynamite"] -= 1
        hero.tokens_used += 1
        needed = self.clamp(hero.sheet.th_ranged + self.penalty(hero, hero.sq))
        roll = self.to_hit(hero, [needed], 6, 0)[0]
        if roll < needed:
            for bounce in range(self.die(3, "BF-H21", hero.number, 0)):
                square = self.board.bounce(square, self.die(8, "BF-H21", hero.number, 1 + bounce))
        if self.trace is not None:
            self.say(f"{hero.name} throws Dynamite; it lies on {self.place(square)}")
        self.blast(hero, square)

    def free_attacks(self, hero: Hero) -> None:
        if hero.policy == "random_legal":
            return
        while hero.standing and hero.free_used < self.switches["free_attack_limit"]:
            mode = self.ready_item(hero)
            if mode is None:
                return
            hero.free_used += 1
            if mode.sort == "shiv":
                model = self.first_enemy(hero, mode, hero.sq, self.legal_targets(mode, hero.sq))
                address = 100 * hero.free_used
                wounds = self.die(6, "BF-A11", hero.number, address)
                self.wound_enemy(model, wounds, Attack(hero), "BF-A11/armor", hero.number, 100 * address)
                self.explosions()
            else:
                self.attack(hero, mode, hero.free_used)

    def ready_item(self, hero: Hero) -> Mode | None:
        """BF-P9: the first item with a legal target; it is used up."""
        modes = hero.sheet.free_modes
        for i, item in enumerate(hero.sheet.free_items):
            if i not in hero.used_items and self.legal_targets(modes[item], hero.sq):
                hero.used_items.add(i)
                return modes[item]
        for token in ("hatchet", "shiv"):
            if token == "shiv" and "shiv" not in hero.sheet.talents:
                continue
            if hero.bag.get(token) and self.legal_targets(modes[token], hero.sq):
                hero.bag[token] -= 1
                hero.tokens_used += 1
                return modes[token]
        return None
