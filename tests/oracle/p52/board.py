"""Boards (2.3): spots, steps, range, line of sight, and where a unit can walk."""

from __future__ import annotations

import heapq
from typing import NamedTuple

from .data import BOARDS

FAR = 10**6


class Way(NamedTuple):
    """How a spot is reached: the label that the walk makes as small as possible, and the spot before."""

    cost: int
    passed: int  # enemy spots left behind
    traps: int
    before: int


class Board:
    """P52-U6: the spots, numbered row by row from the top left, and tables between them."""

    def __init__(self, text: str, entrance: tuple[int, int] | None, way_out: tuple[int, int] | None) -> None:
        rows = [row.replace(" ", "") for row in BOARDS.get(text, text).strip().splitlines()]
        self.spots = [(x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != "#"]
        letters = [rows[y][x] for x, y in self.spots]
        strange = sorted(set(letters) - set(".OHTSX"))
        if strange:
            raise ValueError(f"board: unknown letters {strange}; use . # O H T S X")
        self.number = {spot: index for index, spot in enumerate(self.spots)}
        self.obstructed = [letter == "O" for letter in letters]
        self.hidden = [letter == "H" for letter in letters]
        self.trap = [letter == "T" for letter in letters]
        self.entrance = self.number[entrance] if entrance else letters.index("S") if "S" in letters else 0
        self.exit = self.number[way_out] if way_out else letters.index("X") if "X" in letters else None
        self.next_to = [
            sorted(self.number[s] for s in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if s in self.number)
            for x, y in self.spots
        ]
        self.around = [frozenset(neighbours) for neighbours in self.next_to]
        everywhere = range(len(self.spots))
        self.range = [[abs(xa - xb) + abs(ya - yb) for xb, yb in self.spots] for xa, ya in self.spots]  # P52-U9
        plain = [1] * len(self.spots)
        enemy_cost = [2 if here else 1 for here in self.obstructed]  # P52-U12
        hero_cost = [cost + here for cost, here in zip(enemy_cost, self.trap, strict=True)]  # P52-Y5
        self.step_cost = enemy_cost
        self.steps = [self.costs_to(goal, plain) for goal in everywhere]  # P52-U8; the same both ways
        self.enemy_to_go = [self.costs_to(goal, enemy_cost) for goal in everywhere]  # [goal][spot]
        self.hero_to_go = [self.costs_to(goal, hero_cost) for goal in everywhere]
        if any(cost >= FAR for cost in self.steps[0]):
            raise ValueError("board: all spots must hang together (P52-U6)")
        holes = self.holes()
        self.sight = [[self.clear(a, b, holes) for b in everywhere] for a in everywhere]
        self.known_walks: dict[tuple[int, int, int, bool, int | None, bool], dict[int, Way]] = {}

    def holes(self) -> set[tuple[int, int]]:
        """The cells without a card inside the smallest rectangle around the board."""
        width = 1 + max(x for x, _ in self.spots)
        height = 1 + max(y for _, y in self.spots)
        return {(x, y) for x in range(width) for y in range(height)} - set(self.spots)

    def clear(self, a: int, b: int, holes: set[tuple[int, int]]) -> bool:
        """P52-U10: line of sight."""
        (xa, ya), (xb, yb) = self.spots[a], self.spots[b]
        dx, dy = xb - xa, yb - ya
        length = abs(dx) + abs(dy)
        touching: list[tuple[int, int, int]] = []
        for x in range(min(xa, xb), max(xa, xb) + 1):
            for y in range(min(ya, yb), max(ya, yb) + 1):
                if (x, y) not in holes:
                    continue
                q = dx * (y - ya) - dy * (x - xa)
                if 2 * abs(q) < length:
                    return False
                if 2 * abs(q) == length:
                    touching.append((x, y, q))
        return not any(
            abs(x - u) == 1 and abs(y - w) == 1 and q * p < 0 for x, y, q in touching for u, w, p in touching
        )

    def costs_to(self, goal: int, cost: list[int]) -> list[int]:
        """The movement cost from every spot to the goal; a spot's cost is paid on entering it."""
        costs = [FAR] * len(self.spots)
        costs[goal] = 0
        queue = [(0, goal)]
        while queue:
            so_far, spot = heapq.heappop(queue)
            if so_far > costs[spot]:
                continue
            for before in self.next_to[spot]:
                if so_far + cost[spot] < costs[before]:
                    costs[before] = so_far + cost[spot]
                    heapq.heappush(queue, (costs[before], before))
        return costs

    def walks(
        self, start: int, movement: int, blockers: int, through: bool, wade: int | None, floats: bool = False
    ) -> dict[int, Way]:
        """The spots reachable in one turn, the present one excluded, and how (P52-H2, P52-E10).

        `blockers` is a bit mask of the spots with living opponents: with `through` they are only counted, otherwise the
        walk may end there but not continue. Movement 1 reaches an obstructed neighbour for 2 points by wading, or for 1
        if it is already wading into it (P52-U12).
        """
        key = (start, movement, blockers, through, wade if movement == 1 else None, floats)
        found = self.known_walks.get(key)
        if found is None:
            found = self.known_walks[key] = self.find_walks(*key)
        return found

    def find_walks(
        self, start: int, movement: int, blockers: int, through: bool, wade: int | None, floats: bool
    ) -> dict[int, Way]:
        if movement <= 0:
            return {}
        cost = [1] * len(self.spots) if floats else self.step_cost
        if movement == 1:
            reached = {
                spot: Way(1 if spot == wade else cost[spot], 0, int(self.trap[spot]), start)
                for spot in self.next_to[start]
            }
            return dict(sorted(reached.items()))
        labels: dict[int, Way] = {start: Way(0, 0, 0, -1)}
        queue = [(0, 0, 0, start)]
        while queue:
            *label, spot = heapq.heappop(queue)
            way = labels[spot]
            if tuple(label) != way[:3]:
                continue
            opposed = spot != start and bool(blockers >> spot & 1)
            if opposed and not through:
                continue
            for after in self.next_to[spot]:
                step = Way(way.cost + cost[after], way.passed + opposed, way.traps + self.trap[after], spot)
                if step.cost > movement or after == start:
                    continue
                known = labels.get(after)
                if known is None or step < known:  # `before` comes last, so equals go to the lowest spot
                    labels[after] = step
                    heapq.heappush(queue, (*step[:3], after))
        del labels[start]
        return dict(sorted(labels.items()))

    def path(self, walks: dict[int, Way], start: int, end: int) -> list[int]:
        """The spots entered on the way to `end`, in order."""
        spots = [end]
        while walks[spots[-1]].before != start:
            spots.append(walks[spots[-1]].before)
        return spots[::-1]


def mask(spots: list[int]) -> int:
    """The spots as a bit mask."""
    bits = 0
    for spot in spots:
        bits |= 1 << spot
    return bits
