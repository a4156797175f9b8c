"""BF-E1, E2, BF-A1, A2: the activation of a group and the dice of its attacks."""

from __future__ import annotations

from .addresses import KINDS
from .behaviours import Behaviours
from .saves import Saves
from .units import Group, Hero, Hit, Model

BEHAVIOURS = {
    "melee": Behaviours.melee,
    "ranged": Behaviours.ranged,
    "melee_or_ranged": Behaviours.melee_or_ranged,
    "shootout": Behaviours.shootout,
    "immobile": Behaviours.immobile,
}


def stated(dice: int, fixed: int) -> int:
    """BF-A4: a hit whose damage is not stated does 1."""
    return fixed if dice or fixed else 1


class EnemyTurns(Behaviours, Saves):
    """A group's slot in the turn: phase A, then phase B."""

    def activate_group(self, group: Group) -> None:
        """BF-E1, E2."""
        models = [model for model in self.living if model.group is group]
        if self.trace is not None:
            self.say(f"{group.kind.name} act, {len(models)} of them")
        heroes, count = len(self.standing), len(models)
        self.drop_targets(group, models)
        ties = [model.slot for model in models]
        if len(ties) > 1:
            ties = self.luck.order(ties, "BF-E2", self.turn, KINDS + group.number)
        place = {slot: i for i, slot in enumerate(ties)}
        for model in sorted(models, key=lambda model: (self.steps_to_hero(model.sq), place[model.slot])):
            model.shoots = False
            BEHAVIOURS[group.kind.behaviour](self, model, heroes, count)
            if group.kind.free_shot:
                self.free_shot(model)
        self.phase_b(group)

    def phase_b(self, group: Group) -> None:
        """BF-A1, A2: all dice first, then the batches in posse order."""
        batches: dict[int, list[Hit]] = {}
        for model in self.living:
            if model.group is not group:
                continue
            if group.kind.flail:
                dice, reach = group.kind.flail
                for hero in self.heroes_in_range(model.sq, reach):
                    self.roll_melee(model, hero, dice, 100 * hero.number, batches)
            elif model.target and model.shoots:
                if self.board.in_range(model.sq, model.target.sq, group.kind.range):
                    self.roll_shots(model, model.target, batches)
            elif model.target and model.target.sq in self.board.near[model.sq]:
                dice = group.kind.combat
                if group.kind.pack:
                    dice += sum(other.group is group for other in self.adjacent_enemies(model.sq))
                self.roll_melee(model, model.target, dice, 0, batches)
        for hero in self.heroes:
            if hero.number in batches and hero.standing:
                self.take_hits(hero, batches[hero.number], "BF-A2", group.number, group)

    def enemy_die(self, model: Model, purpose: str, index: int) -> int:
        """A To Hit die of an enemy, with the re-roll of Elite Drowned Dead."""
        roll = self.die(6, purpose, model.actor, index)
        if roll == 1 and model.kind.again_on_one:
            roll = self.die(6, f"{purpose}/again", model.actor, index)
        return roll

    def roll_melee(self, model: Model, hero: Hero, dice: int, index: int, batches: dict[int, list[Hit]]) -> None:
        kind = model.kind
        if not kind.th_melee:
            return
        fixed = stated(kind.damage_dice, kind.damage) + (model.wounds if kind.zealot else 0)
        horror = kind.nightmare + kind.horror_bonus if kind.nightmare else 0
        for i in range(dice):
            roll = self.enemy_die(model, "BF-A1", index + i)
            if roll < kind.th_melee:
                continue
            six = roll == 6
            batch = batches.setdefault(hero.number, [])
            for _ in range(kind.six if six else 1):
                double = kind.double_first and not batch
                batch.append(
                    Hit(kind.damage_dice, fixed, six and kind.smash, six and kind.six_pierces, True, horror, double)
                )

    def roll_shots(self, model: Model, hero: Hero, batches: dict[int, list[Hit]]) -> None:
        kind = model.kind
        if not kind.th_ranged:
            return
        shots = kind.shots + (2 if kind.opening and model.group.first_turn == self.turn else 0)
        for i in range(shots):
            roll = self.enemy_die(model, "BF-A1", i)
            if roll < kind.th_ranged:
                continue
            six = roll == 6
            copies = 1
            if six:
                copies = self.die(6, "Burst", model.actor, i) if kind.burst else kind.hail
            fixed = stated(kind.shot_dice, kind.shot_damage) + (kind.six_shot_bonus if six else 0)
            hit = Hit(kind.shot_dice, fixed, six and kind.smash, six and kind.six_pierces)
            batches.setdefault(hero.number, []).extend([hit] * copies)

    def free_shot(self, model: Model) -> None:
        """I45: the shot of Elite Drowned Dead, (5, 2, D6), at the end of the model's move."""
        heroes = self.heroes_in_range(model.sq, 5)
        if not heroes:
            return
        hero = self.pick(heroes, "free_shot/target", model.actor)
        hits = []
        for i in range(2):
            roll = self.enemy_die(model, "free_shot", i)
            if roll >= (model.kind.th_ranged or 5):
                hits.append(Hit(1, 0, roll == 6 and model.kind.smash, roll == 6 and model.kind.six_pierces))
        if hits:
            self.take_hits(hero, hits, "free_shot", model.slot, model.group)
