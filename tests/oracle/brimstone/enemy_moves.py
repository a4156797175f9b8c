"""BF-G8, E6.2, E9 to E11: how models move."""

from __future__ import annotations

from collections import deque

from .table import Table
from .units import Model


class EnemyMoves(Table):
    """Reach and paths of models."""

    def model_reach(self, model: Model) -> dict[int, int]:
        """BF-G8, E9, E10: the squares on which a model can end its move, with their steps."""
        start, move = model.sq, model.kind.move
        if self.board.none or move == 0:
            return {start: 0}
        occupant, neighbours, passes = self.occupant, self.board.neighbours, model.kind.passes
        steps = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            if steps[here] == move:
                break
            for there in neighbours[here]:
                if there not in steps and (occupant[there] is None or passes or self.may_enter(model, there)):
                    steps[there] = steps[here] + 1
                    queue.append(there)
        return {
            square: count
            for square, count in steps.items()
            if occupant[square] is None or square == start or self.displaces(model, square)
        }

    def may_enter(self, model: Model, square: int) -> bool:
        other = self.occupant[square]
        if model.kind.behaviour == "shootout":
            return isinstance(other, Model) and other.group is model.group
        return self.displaces(model, square)

    def displaces(self, model: Model, square: int) -> bool:
        """BF-E10."""
        kind, other = model.kind, self.occupant[square]
        if kind.size != "L" or kind.passes or kind.behaviour == "shootout" or not isinstance(other, Model):
            return False
        if self.switches["large_displace"] == "off":
            return False
        return other.kind.size != "L" and other.kind.behaviour != "immobile"

    def move_model(self, model: Model, square: int) -> None:
        """A Large model pushes smaller ones back along its path; the others simply arrive."""
        if square == model.sq:
            return
        if self.trace is not None:
            self.say(f"{model.kind.name} {model.slot} moves to {self.place(square)}")
        if model.kind.size != "L" or model.kind.passes or model.kind.behaviour == "shootout":
            self.relocate(model, square)
            return
        for there in self.path(model, square):
            other = self.occupant[there]
            here = model.sq
            self.occupant[here] = None
            if isinstance(other, Model):
                other.sq = here
                self.occupant[here] = other
            model.sq = there
            self.occupant[there] = model

    def path(self, model: Model, goal: int) -> list[int]:
        """BF-E10: the shortest path with the fewest displaced models, then by step order."""
        neighbours = self.board.neighbours
        steps = self.model_reach(model)
        pushed = {square: int(self.displaces(model, square)) for square in steps}
        cost = {goal: pushed[goal]}  # models displaced from this square to the goal, this square included
        layer = [goal]
        for count in range(steps[goal] - 1, -1, -1):
            before: dict[int, int] = {}
            for there in layer:
                for here in neighbours[there]:
                    if steps.get(here) == count:
                        price = cost[there] + pushed[here]
                        before[here] = min(price, before.get(here, price))
            cost |= before
            layer = list(before)
        path: list[int] = []
        here = model.sq
        while here != goal:
            ahead = [s for s in neighbours[here] if s in cost and steps[s] == steps[here] + 1]
            here = min(ahead, key=lambda square: cost[square])  # the first of equals: step order
            path.append(here)
        return path

    def move_toward(self, model: Model, reach: dict[int, int]) -> None:
        """BF-E11."""
        row = self.board.steps(model.sq)
        nearest = min(row[hero.sq] for hero in self.standing)
        closest = self.pick([hero for hero in self.standing if row[hero.sq] == nearest], "BF-E11", model.actor, 0)
        self.move_to_least(model, {s: (self.board.steps(s)[closest.sq], n) for s, n in reach.items()}, "BF-E11", 1)

    def move_to_least(self, model: Model, keys: dict[int, tuple[int, ...]], purpose: str, index: int = 0) -> None:
        least = min(keys.values())
        squares = sorted(square for square, key in keys.items() if key == least)
        self.move_model(model, self.pick(squares, purpose, model.actor, index))

    def seek_shot(self, model: Model, avoid_heroes: bool) -> None:
        """BF-E6.2, E7.2."""
        reach = self.model_reach(model)
        keys = {
            square: (steps, self.steps_to_hero(square))
            for square, steps in reach.items()
            if self.heroes_in_range(square, model.kind.range)
        }
        if avoid_heroes:
            beside = self.beside_heroes()
            apart = {square: key for square, key in keys.items() if square not in beside}
            keys = apart or keys
        if keys:
            self.move_to_least(model, keys, "BF-E6.2")
        else:
            self.move_toward(model, reach)
