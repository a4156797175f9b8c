"""Section 5.4: the attacks of heroes."""

from __future__ import annotations

from .rulebook import CLEVER
from .saves import Saves
from .sheets import Mode
from .targets import Targets, defences
from .units import Attack, Hero


class HeroAttacks(Targets, Saves):
    """To Hit, re-rolls, hits one after the other."""

    def attack(self, hero: Hero, mode: Mode, number: int) -> None:
        """BF-H12 to H19. `number` is 0 for the action and 1, 2, 3 for Free Attacks."""
        cap, base = self.prepared.dice_cap, 100 * number
        dice = mode.dice
        if number == 0 and self.fans(hero, mode):
            self.spend_grit(hero)
            dice = min(cap, 2 * mode.shots + hero.sheet.shot_bonus)
        needed = self.needed(hero, mode, hero.sq)
        numbers = [needed] * (dice - mode.off_hand) + [min(mode.sides, needed + 1)] * mode.off_hand
        rolls = self.to_hit(hero, numbers, mode.sides, base)
        attack = Attack(hero)
        if self.trace is not None:
            self.say(f"{hero.name} attacks with {mode.name}: {rolls}, needs {needed}")
        hits = [i for i, roll in enumerate(rolls) if roll >= numbers[i]]
        for i in sorted(hits, key=lambda i: (-rolls[i], i)):
            self.resolve_hit(attack, mode, rolls[i], base + i)
            if not hero.standing:
                return
        if mode.sort == "melee" and hero.sheet.upgrade == "sword_master":
            extra = 0
            while hero.standing and extra < min(3, attack.kills) and dice + extra < cap:
                self.extra_die(attack, mode, needed, base + dice + extra)
                extra += 1
        elif mode.shotgun and "double_shot" in hero.sheet.talents and attack.kills and dice < cap:
            self.extra_die(attack, mode, needed, base + dice)  # Double-Shot

    @staticmethod
    def fans(hero: Hero, mode: Mode) -> bool:
        """11.1, Pistol Fanning; 10.2 says who pays for it."""
        able = mode.one_handed and hero.sheet.upgrade == "pistol_fanning"
        return able and hero.policy in CLEVER and hero.grit >= 1

    def extra_die(self, attack: Attack, mode: Mode, needed: int, address: int) -> None:
        """I36, I37: a die that nobody re-rolls."""
        roll = self.die(mode.sides, "BF-H16", attack.hero.number, address)
        if roll >= needed:
            self.resolve_hit(attack, mode, roll, address)

    def to_hit(self, hero: Hero, numbers: list[int], sides: int, base: int) -> list[int]:
        """BF-H16 with the re-rolls of BF-H4 (10.2) and BF-P10."""
        me = hero.number
        rolls = [self.die(sides, "BF-H16", me, base + i) for i in range(len(numbers))]
        missed = [i for i, roll in enumerate(rolls) if roll < numbers[i]]
        if missed and self.rerolls_misses(hero, len(missed) == len(rolls)):
            self.spend_grit(hero)
            for i in missed:
                rolls[i] = self.die(sides, "BF-H4", me, base + i)
            missed = [i for i in missed if rolls[i] < numbers[i]]
        if missed and hero.fortune and hero.fortune_turn != self.turn and hero.policy != "random_legal":
            hero.fortune -= 1
            hero.fortune_turn = self.turn
            rolls[missed[0]] = self.die(sides, "BF-P10", me, base + missed[0])
        return rolls

    def rerolls_misses(self, hero: Hero, all_missed: bool) -> bool:
        """10.2, Grit on To Hit."""
        if hero.grit < 1 or hero.policy == "random_legal":
            return False
        if hero.policy == "aggressive":
            return all_missed
        if hero.policy == "cautious":
            return hero.grit == hero.max_grit
        return all_missed or hero.grit >= 2

    def resolve_hit(self, attack: Attack, mode: Mode, natural: int, address: int) -> None:
        """BF-H18, BF-P5, BF-A11."""
        hero = attack.hero
        targets = self.legal_targets(mode, hero.sq)
        if not targets:
            return
        if hero.policy == "random_legal":
            model = self.pick(targets, "BF-P5", hero.number, address)
        else:
            model = self.first_enemy(hero, mode, hero.sq, targets)
        kind = model.kind
        if kind.cover and self.die(6, "BF-A11/cover", hero.number, address) >= kind.cover:
            return
        damage = self.die(mode.sides, "BF-A11", hero.number, address) + mode.bonus
        damage += (mode.six_bonus if natural >= 6 else 0) + hero.spice
        hero.spice = 0
        full, critical = defences(kind, mode.sort, self.board.ranges[hero.sq][model.sq])
        wounds = max(0, damage - (critical if natural >= mode.critical else full))
        self.wound_enemy(model, wounds, attack, "BF-A11/armor", hero.number, 100 * address)
        self.explosions()
