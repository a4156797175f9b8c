"""Section 6: the five behaviours."""

from __future__ import annotations

from .enemy_moves import EnemyMoves
from .units import Group, Hero, Model


class Behaviours(EnemyMoves):
    """Phase A: targets and moves."""

    def drop_targets(self, group: Group, models: list[Model]) -> None:
        """BF-E4, and BF-E5.1 with `melee_stickiness`."""
        kind = group.kind
        drop_all = kind.behaviour in ("ranged", "shootout", "immobile") or kind.flight
        if kind.behaviour == "melee" and self.switches["melee_stickiness"] == "retarget_each_turn":
            drop_all = True
        for model in models:
            target = model.target
            if target and (drop_all or not target.standing or target.sq not in self.board.near[model.sq]):
                model.target = None

    def target_at_random(self, model: Model, heroes: list[Hero], standing: int, models: int) -> Hero:
        """BF-E3."""
        hero: Hero = self.pick(self.spread(model.group, heroes, standing, models), "BF-E3", model.actor)
        model.target = hero
        return hero

    def melee(self, model: Model, standing: int, models: int) -> None:
        """BF-E5."""
        if model.target:
            return
        reach = self.model_reach(model)
        near = self.board.near
        heroes = [hero for hero in self.standing if not near[hero.sq].isdisjoint(reach)]
        if not heroes:
            self.move_toward(model, reach)
            return
        target = self.target_at_random(model, heroes, standing, models)
        beside = [square for square in reach if square in near[target.sq]]
        if self.switches["reposition_when_adjacent"] == "off" and model.sq in beside:
            return
        farthest = max(reach[square] for square in beside)
        squares = self.best_for_party(sorted(square for square in beside if reach[square] == farthest))
        self.move_model(model, self.pick(squares, "BF-E5.3", model.actor))

    def ranged(self, model: Model, standing: int, models: int) -> None:
        """BF-E6."""
        if not self.heroes_in_range(model.sq, model.kind.range):
            self.seek_shot(model, avoid_heroes=False)
        self.take_aim(model, standing, models)

    def take_aim(self, model: Model, standing: int, models: int) -> None:
        """BF-E6.3."""
        heroes = self.adjacent_heroes(model.sq) or self.heroes_in_range(model.sq, model.kind.range)
        if heroes:
            self.target_at_random(model, heroes, standing, models)
            model.shoots = True

    def melee_or_ranged(self, model: Model, standing: int, models: int) -> None:
        """BF-E7."""
        near = self.adjacent_heroes(model.sq)
        if near:
            if not model.target:
                self.target_at_random(model, near, standing, models)
            return
        model.target = None
        if not self.heroes_in_range(model.sq, model.kind.range):
            self.seek_shot(model, avoid_heroes=True)
        near = self.adjacent_heroes(model.sq)
        if near:
            self.target_at_random(model, near, standing, models)
            return
        heroes = self.heroes_in_range(model.sq, model.kind.range)
        if heroes:
            self.target_at_random(model, heroes, standing, models)
            model.shoots = True

    def shootout(self, model: Model, standing: int, models: int) -> None:
        """BF-E8."""
        near = self.adjacent_heroes(model.sq)
        if near and not self.retreat(model):
            model.target = self.pick(near, "BF-E8.2", model.actor)
            return
        chosen = self.pick(self.fewest_marked(model, self.standing), "BF-E8.3", model.actor)
        beside = self.beside_heroes()
        reach = {s: n for s, n in self.model_reach(model).items() if s not in beside}
        shots = {s: (n,) for s, n in reach.items() if self.board.in_range(s, chosen.sq, model.kind.range)}
        if shots:
            self.move_to_least(model, shots, "BF-E8.4")
        else:
            self.move_to_least(model, {s: (self.board.steps(s)[chosen.sq], n) for s, n in reach.items()}, "BF-E8.5")
            heroes = self.heroes_in_range(model.sq, model.kind.range)
            if not heroes:
                return
            chosen = self.pick(self.fewest_marked(model, heroes), "BF-E8.5", model.actor, 1)
        model.target = chosen
        model.shoots = True

    def retreat(self, model: Model) -> bool:
        """BF-E8.1."""
        if self.die(6, "BF-E8.1", model.actor, 0) < 4:
            return False
        beside = self.beside_heroes()
        keys = {s: (n,) for s, n in self.model_reach(model).items() if s not in beside}
        if not keys:
            return False
        self.move_to_least(model, keys, "BF-E8.1", 1)
        return True

    def fewest_marked(self, model: Model, heroes: list[Hero]) -> list[Hero]:
        """BF-E8.3: Shootout markers."""
        marks = {hero.number: 0 for hero in self.heroes}
        for other in self.living:
            if other.group is model.group and other.target and other.shoots:
                marks[other.target.number] += 1
        fewest = min(marks[hero.number] for hero in heroes)
        return [hero for hero in heroes if marks[hero.number] == fewest]

    def immobile(self, model: Model, standing: int, models: int) -> None:
        """BF-E12."""
        if model.kind.range:
            self.take_aim(model, standing, models)
        elif model.kind.combat:
            near = self.adjacent_heroes(model.sq)
            if near:
                self.target_at_random(model, near, standing, models)
