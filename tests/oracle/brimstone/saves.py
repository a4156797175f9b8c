"""Section 7.1 and 7.2: hits, Horror Hits and Corruption Hits on a hero."""

from __future__ import annotations

from .addresses import STRIDE
from .rulebook import LAST_CHANCE
from .tokens import Tokens
from .units import Group, Hero, Hit


class Saves(Tokens):
    """How a hero takes a batch of hits."""

    def take_hits(self, hero: Hero, hits: list[Hit], batch: str, number: int, group: Group) -> None:
        """BF-A3. The batch's name and number are the address of its dice."""
        me, base = hero.number, STRIDE * number
        if hero.sheet.cover:
            hits = [hit for i, hit in enumerate(hits) if self.die(6, f"{batch}/cover", me, base + i) < hero.sheet.cover]
        unsaved = self.defend(hero, hits, batch, base)
        self.last_chance(hero, unsaved, batch, base)
        total, sure = 0, 0  # `sure`: wounds that Armor cannot prevent
        for i, hit in enumerate(unsaved):
            damage = hit.fixed + (self.die(6, f"{batch}/damage", me, base + i) if hit.dice else 0)
            damage = damage * (2 if hit.double else 1) + (2 if hero.status["death_mark"] else 0)
            total += damage
            sure += damage if hit.no_armor else 0
        wounds = sure + self.after_armor(hero, total - sure, f"{batch}/armor", base)
        revivals = hero.revivals
        self.wound_hero(hero, wounds, group)
        if wounds >= 10:
            self.dangerous_dynamite(hero, f"{batch}/dangerous", base)
        if not hero.standing or hero.revivals != revivals:
            return
        if wounds and batch == "BF-A2":
            self.side_effects(hero, group, any(hit.melee for hit in unsaved))
            if hero.revivals != revivals:
                return
        horror = [hit.horror for hit in hits if hit.horror]
        if horror:
            self.horror(hero, horror, batch, number)

    def defend(self, hero: Hero, hits: list[Hit], batch: str, base: int) -> list[Hit]:
        """BF-A3(2), (3), BF-P6: the hits that are not saved, in batch order."""
        me = hero.number
        number = self.clamp(hero.sheet.defense + bool(hero.status["stunned"]) + bool(hero.status["ensnared"]))
        rolled = [i for i, hit in enumerate(hits) if not hit.no_defense]
        failed = {i: rank for rank, i in enumerate(rolled) if self.die(6, f"{batch}/defense", me, base + rank) < number}
        if failed and hero.grit >= 1 and hero.policy != "random_legal":
            sure = sum(self.expected(hero, hit) for hit in hits if hit.no_defense)
            all_of_it = sure + sum(self.expected(hero, hits[i]) for i in failed)
            if all_of_it >= hero.hp and sure < hero.hp:
                self.spend_grit(hero)
                failed = {
                    i: rank
                    for i, rank in failed.items()
                    if self.die(6, f"{batch}/defense again", me, base + rank) < number
                }
        return [hit for i, hit in enumerate(hits) if hit.no_defense or i in failed]

    @staticmethod
    def expected(hero: Hero, hit: Hit) -> float:
        """BF-P6: the damage of a hit, a D6 counting 3.5."""
        damage = hit.fixed + 3.5 * hit.dice
        return damage * (2 if hit.double else 1) + (2 if hero.status["death_mark"] else 0)

    def last_chance(self, hero: Hero, unsaved: list[Hit], batch: str, base: int) -> None:
        """BF-A3(4), BF-P8."""
        if not unsaved or hero.policy not in LAST_CHANCE or not hero.bag.get("bandages"):
            return
        threat = sum(self.expected(hero, hit) for hit in unsaved)
        used = 0
        while (
            threat >= hero.hp
            and hero.wounds
            and self.use_token(hero, "bandages", purpose=f"{batch}/bandages", index=base + used)
        ):
            used += 1

    def side_effects(self, hero: Hero, group: Group, in_melee: bool) -> None:
        """BF-A3(8): markers on wounded heroes, Cursed."""
        kind = group.kind
        for marker in kind.on_wound:
            self.mark(hero, marker)
        if in_melee:
            for marker in kind.on_melee_wound:
                self.mark(hero, marker)
        if hero.hp <= 0:
            self.fall(hero)
            return
        if in_melee and kind.cursed:
            self.corrupt(hero, 1, "BF-A2", group.number)

    def horror(self, hero: Hero, hits: list[int], batch: str, number: int) -> None:
        """BF-A6, BF-P6: Horror Hits with their sanity damage."""
        if not hero.standing:
            return
        me, base, needed = hero.number, STRIDE * number, self.clamp(hero.sheet.willpower)
        failed = [i for i in range(len(hits)) if self.die(6, f"{batch}/willpower", me, base + i) < needed]
        if failed and hero.grit >= 1 and hero.policy != "random_legal" and sum(hits[i] for i in failed) >= hero.mind:
            self.spend_grit(hero)
            failed = [i for i in failed if self.die(6, f"{batch}/willpower again", me, base + i) < needed]
        points = sum(hits[i] for i in failed)
        if hero.sheet.spirit_armor:
            saved = (self.die(6, f"{batch}/spirit armor", me, base + i) for i in range(points))
            points -= sum(roll >= hero.sheet.spirit_armor for roll in saved)
        placed = min(points, hero.mind)
        hero.sdmg += placed
        hero.sanity_taken += placed
        if placed and self.trace is not None:
            self.say(f"{hero.name} loses {placed} Sanity, {hero.mind} left")
        if hero.mind <= 0:
            self.fall(hero)

    def corrupt(self, hero: Hero, hits: int, batch: str, number: int) -> None:
        """BF-A7."""
        needed = self.clamp(hero.sheet.willpower)
        for i in range(hits):
            roll = self.die(6, f"{batch}/corruption", hero.number, STRIDE * number + i)
            hero.corruption += roll < needed

    def dynamite_at_hand(self, hero: Hero) -> bool:
        return not self.board.none and bool(hero.bag.get("dynamite"))

    def dangerous_dynamite(self, hero: Hero, purpose: str, base: int) -> None:
        """Section 9: a hero's own Dynamite after 10 or more wounds from one batch."""
        if self.switches["dangerous_dynamite"] == "off" or not self.dynamite_at_hand(hero):
            return
        rolls = [self.die(6, purpose, hero.number, base + i) for i in range(hero.bag["dynamite"])]
        square = hero.sq
        for roll in rolls:
            if roll <= 2:
                hero.bag["dynamite"] -= 1
                self.blast(hero, square)
