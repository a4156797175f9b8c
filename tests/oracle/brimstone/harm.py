"""Wounds, kills, KO and revival (BF-A8, A9, A11, A12), blasts, healing, Grit and XP."""

from __future__ import annotations

from .addresses import NEWCOMERS, STRIDE
from .kit import AT_MOST_ONE, MARKERS
from .table import Table
from .units import Attack, FightEnds, Group, Hero, Model


class Harm(Table):
    """What hurts, kills, heals and pays, on both sides."""

    def gain_grit(self, hero: Hero) -> None:
        """BF-H7."""
        if self.switches["grit_use"] == "on" and hero.grit < hero.max_grit:
            hero.grit += 1
            hero.grit_gained += 1

    def spend_grit(self, hero: Hero) -> None:
        hero.grit -= 1
        hero.grit_spent += 1

    def gain_xp(self, hero: Hero, xp: int) -> None:
        if not hero.ally:  # BF-U3
            hero.xp += xp

    def heal_wounds(self, hero: Hero, points: int) -> int:
        healed = min(points, hero.wounds)
        hero.wounds -= healed
        hero.healed += healed
        return healed

    def heal_sanity(self, hero: Hero, points: int) -> int:
        healed = min(points, hero.sdmg)
        hero.sdmg -= healed
        hero.healed += healed
        return healed

    def wound_enemy(
        self, model: Model, wounds: int, attack: Attack | None, purpose: str, actor: int, index: int
    ) -> None:
        """BF-A11(5) to (7), BF-A12, BF-F8, F9."""
        kind = model.kind
        if kind.endurance is not None:
            wounds = min(wounds, kind.endurance)
        if kind.armor:
            wounds -= sum(self.die(6, purpose, actor, index + i) >= kind.armor for i in range(wounds))
        placed = min(wounds, model.hp)
        if placed <= 0:
            return
        model.wounds += placed
        model.taken += placed
        if self.trace is not None:
            self.say(f"{kind.name} {model.slot} takes {placed}, {model.hp} left")
        if attack:
            self.reward_wounds(attack, model, placed)
        if model.hp <= 0:
            self.kill(model, attack)

    def reward_wounds(self, attack: Attack, model: Model, placed: int) -> None:
        """BF-F8 for types of "A + B each"."""
        hero, kind = attack.hero, model.kind
        hero.dealt += placed
        if kind.xp_b:
            if model.serial not in attack.wounded or self.switches["xp_base"] == "per_hit":
                self.gain_xp(hero, kind.xp_a + 5 * len(model.group.elites))
            self.gain_xp(hero, kind.xp_b * placed)
        attack.wounded.add(model.serial)

    def kill(self, model: Model, attack: Attack | None) -> None:
        """BF-A12, BF-F8, BF-T10."""
        kind = model.kind
        model.alive = False
        model.group.killed += 1
        self.living.remove(model)
        if not self.board.none:
            self.occupant[model.sq] = None
        if attack:
            hero = attack.hero
            attack.kills += 1
            hero.kills += 1
            if not kind.xp_b:
                self.gain_xp(hero, kind.xp_a + 5 * len(model.group.elites))
            self.after_kill(hero, model)
        if not self.living:
            raise FightEnds("win", "enemies")
        if kind.explode:
            self.exploding.append(model)

    def after_kill(self, hero: Hero, model: Model) -> None:
        """11.1: the upgrades of the US Marshal."""
        if hero.sheet.upgrade == "rolling_thunder":
            if self.die(6, "rolling_thunder", hero.number, model.serial) >= 4:
                self.gain_grit(hero)
        elif hero.sheet.upgrade == "cleaning_up":
            self.heal_wounds(hero, 1)
            self.heal_sanity(hero, 1)
            self.gain_xp(hero, 10)

    def explosions(self) -> None:
        """11.4, Explode: one after the other, in the order of death, when the hit or blast that caused them is over."""
        while self.exploding and not self.in_blast:
            model = self.exploding.popleft()
            sides, actor = model.kind.explode, NEWCOMERS + model.serial
            self.in_blast = True
            near = self.board.near[model.sq]
            for other in sorted(self.living, key=lambda other: other.serial):
                if other.alive and other.sq in near:
                    wounds = self.die(sides, "Explode", actor, other.slot)
                    self.wound_enemy(other, wounds, None, "Explode/armor", actor, 100 * other.slot)
            for hero in self.adjacent_heroes(model.sq):
                if hero.standing:
                    wounds = self.die(sides, "Explode", actor, 100 + hero.number)
                    self.direct_wounds(hero, wounds, "Explode", STRIDE * model.slot, model.group)
            self.in_blast = False

    def blast(self, owner: Hero, square: int) -> None:
        """BF-H23, I34: enemies by index, then heroes in posse order."""
        number = 8 * owner.number + owner.blasts
        owner.blasts += 1
        near = self.board.near[square] | {square}
        attack = Attack(owner)
        outer, self.in_blast = self.in_blast, True
        for model in sorted(self.living, key=lambda model: model.serial):
            if model.alive and model.sq in near:
                wounds = self.die(6, "BF-H23", model.actor, number)
                self.wound_enemy(model, wounds, attack, "BF-H23/armor", model.actor, 100 * number)
        for hero in list(self.standing):
            if hero.standing and hero.sq in near:
                wounds = self.die(6, "BF-H23", hero.number, number)
                self.direct_wounds(hero, wounds, "BF-H23", STRIDE * number)
        self.in_blast = outer
        self.explosions()

    def after_armor(self, hero: Hero, wounds: int, purpose: str, base: int) -> int:
        """BF-A3(6)."""
        armor = hero.sheet.armor
        if hero.cigar_turn == self.turn:
            armor = min(armor or 3, 3)
        if armor:
            wounds -= sum(self.die(6, purpose, hero.number, base + i) >= armor for i in range(wounds))
        return wounds

    def direct_wounds(self, hero: Hero, wounds: int, source: str, base: int, group: Group | None = None) -> None:
        """Wounds that come without a hit: only Armor saves."""
        self.wound_hero(hero, self.after_armor(hero, wounds, f"{source}/armor", base), group)

    def wound_hero(self, hero: Hero, wounds: int, group: Group | None = None) -> None:
        """BF-A8. The wounds placed are counted for the group before the last KO ends the fight."""
        placed = min(wounds, hero.hp)
        if placed <= 0:
            return
        hero.wounds += placed
        hero.taken += placed
        if group is not None:
            group.dealt += placed
        if self.trace is not None:
            self.say(f"{hero.name} takes {placed}, {hero.hp} left")
        if hero.hp <= 0:
            self.fall(hero)

    def fall(self, hero: Hero) -> None:
        """BF-A8, A9: a revive token or KO."""
        if self.switches["revive_timing"] == "immediate" and self.revive > 0 and not hero.ally:
            self.revive -= 1
            self.restore(hero)
            return
        if hero.hp <= 0:
            hero.wounds = hero.health
        if hero.mind <= 0:
            hero.sdmg = hero.sanity
        for marker in ("bleeding", "poison", "stunned"):
            hero.status[marker] = 0
        hero.standing = False
        hero.removed = hero.ally
        hero.ko_count += 1
        if self.trace is not None:
            self.say(f"{hero.name} is KO'd")
        if not self.board.none:
            self.occupant[hero.sq] = None
        for model in self.living:
            if model.target is hero:
                model.target = None
        self.standing = [each for each in self.heroes if each.standing]
        if not self.standing:
            raise FightEnds("loss", "heroes")

    def restore(self, hero: Hero) -> None:
        """BF-A9: what a revive token does."""
        hero.wounds = hero.sdmg = 0
        hero.status.update(dict.fromkeys(MARKERS, 0))  # in place: the start of an activation is looking at it
        hero.revivals += 1
        self.gain_grit(hero)
        if self.trace is not None:
            self.say(f"{hero.name} is revived")

    def mark(self, hero: Hero, marker: str, count: int = 1) -> None:
        """7.5."""
        hero.status[marker] += count
        if marker in AT_MOST_ONE:
            hero.status[marker] = 1
        if self.trace is not None:
            self.say(f"{hero.name}: {count} {marker}")
