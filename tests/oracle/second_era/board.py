"""The hex map: tiles, range, sight and walking (section 2.1, 11.1).

Hexes that can be stood on are numbered 0, 1, ... in ascending (q, r) (SE-G11), so "lowest number" is the rules'
deterministic order. Range and sight are tables made once per map (SE-G10).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import cache
from typing import Any

from tests.oracle.second_era.data import FAR

Hex = tuple[int, int]

STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # SE-G1: E, NE, NW, W, SW, SE

MAPS: dict[str, dict[str, Any]] = {  # 11.1
    "pair": {
        "tiles": [{"name": "A", "hexes": [(0, 0), (1, 0)]}],
        "entrance": [(0, 0)],
        "numbered": [(1, 0)],
    },
    "tile19": {
        "tiles": [{"name": "A", "disks": [(0, 0, 2)]}],
        "entrance": [(-2, 0), (-2, 1), (-2, 2), (-1, -1)],
        "numbered": [(2, -1), (2, 0), (1, -2), (1, 1)],
    },
    "clash": {
        "tiles": [{"name": "F", "disks": [(0, 0, 3)]}, {"name": "E", "disks": [(-5, 2, 1)]}],
        "entrance_tile": "E",
        "entrance": [(-4, 1), (-4, 2), (-5, 2), (-5, 1), (-5, 3), (-6, 2), (-6, 3)],
        "numbered": [(2, -1), (1, 1), (1, -2), (3, -1), (2, 1), (2, -3), (3, -3), (3, 0)],
    },
    "dungeon": {
        "tiles": [
            {"name": "E", "disks": [(-4, 2, 1)]},
            {"name": "T1", "disks": [(0, 0, 2)]},
            {"name": "T2", "disks": [(5, -2, 2)]},
            {"name": "T3", "disks": [(10, -4, 2)]},
        ],
        "impassable": [(0, 0), (5, -3), (5, -1), (10, -4)],
        "entrance_tile": "E",
        "entrance": [(-3, 1), (-3, 2), (-4, 2), (-4, 1), (-4, 3), (-5, 2), (-5, 3)],
        "numbered": [(4, -1), (5, -2), (6, -3), (9, -4), (9, -3), (11, -5), (11, -4), (12, -5)],
    },
}


def distance(a: Hex, b: Hex) -> int:
    """Axial distance (SE-G2)."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def disk(q: int, r: int, radius: int) -> list[Hex]:
    """All hexes within an axial distance (11.1)."""
    return [
        (q + dq, r + dr)
        for dq in range(-radius, radius + 1)
        for dr in range(-radius, radius + 1)
        if abs(dq + dr) <= radius
    ]


def tile_of_hexes(tiles: Iterable[dict[str, Any]]) -> dict[Hex, int]:
    """The tile number of every hex (SE-G3)."""
    tile_of: dict[Hex, int] = {}
    for number, tile in enumerate(tiles):
        hexes = [(q, r) for q, r in tile.get("hexes", ())]
        for q, r, radius in tile.get("disks", ()):
            hexes += disk(q, r, radius)
        for spot in dict.fromkeys(hexes):
            if spot in tile_of:
                raise ValueError(f"map: hex {spot} belongs to two tiles")
            tile_of[spot] = number
    return tile_of


class Board:
    """A map with its tables. `spots[h]` is the (q, r) of hex h; `number[(q, r)]` the other way."""

    def __init__(self, layout: dict[str, Any], sight_rule: str) -> None:
        self.tile_of = tile_of_hexes(layout["tiles"])
        self.impassable = {(q, r) for q, r in layout.get("impassable", ())}
        self.spots: list[Hex] = sorted(spot for spot in self.tile_of if spot not in self.impassable)
        self.number = {spot: h for h, spot in enumerate(self.spots)}
        self.neighbours: list[list[int]] = [
            sorted(self.number[spot] for spot in around(place) if spot in self.number) for place in self.spots
        ]
        self.entrance = [self.at(spot) for spot in layout.get("entrance", ())]
        self.numbered = [self.at(spot) for spot in layout.get("numbered", ())]
        self.on_entrance_tile = self.entrance_hexes(layout)
        self.range = [self.ranges_from(h) for h in range(len(self.spots))]
        self.sees = self.sight_table(sight_rule)
        self.near: dict[tuple[int, int, int], frozenset[int]] = {}

    def at(self, spot: Sequence[int]) -> int:
        """The number of a hex that a unit may stand on."""
        place = (spot[0], spot[1])
        if place not in self.number:
            raise ValueError(f"map: {place} is not a hex to stand on")
        return self.number[place]

    def entrance_hexes(self, layout: dict[str, Any]) -> frozenset[int]:
        """The hexes of the entrance tile; none if the map has no such tile."""
        names = [tile.get("name") for tile in layout["tiles"]]
        wanted = layout.get("entrance_tile")
        if wanted is None:
            return frozenset()
        tile = names.index(wanted)
        return frozenset(h for h, spot in enumerate(self.spots) if self.tile_of[spot] == tile)

    def ranges_from(self, start: int) -> list[int]:
        """SE-G6: steps of the shortest chain over hexes to stand on, whoever stands there."""
        steps = [FAR] * len(self.spots)
        for h, count in walk_from(self.neighbours, start, (), FAR).items():
            steps[h] = count
        return steps

    def sight_table(self, rule: str) -> list[list[bool]]:
        """Which hex sees which (SE-G8, SE-G9)."""
        if rule == "none":
            return [[True] * len(self.spots) for _ in self.spots]
        if rule == "line":
            return [[self.sees_by_line(a, b) for b in self.spots] for a in self.spots]
        together = self.tiles_together()
        return [[(self.tile_of[a], self.tile_of[b]) in together for b in self.spots] for a in self.spots]

    def tiles_together(self) -> set[tuple[int, int]]:
        """Pairs of tiles that are the same or adjacent; impassable hexes count (SE-G4)."""
        together = {(tile, tile) for tile in self.tile_of.values()}
        for spot, tile in self.tile_of.items():
            together |= {(tile, self.tile_of[other]) for other in around(spot) if other in self.tile_of}
        return together

    def sees_by_line(self, a: Hex, b: Hex) -> bool:
        """SE-G9: one of two slightly shifted lines is clear."""
        length = distance(a, b)
        if length <= 1:
            return True
        return any(
            all(hex_on_line(a, b, i / length, side) in self.number for i in range(1, length)) for side in (1, -1)
        )

    def within(self, h: int, least: int, most: int) -> frozenset[int]:
        """The hexes that lie at a range of least to most from h and see it (range and sight are mutual)."""
        key = (h, least, most)
        if key not in self.near:
            spots = range(len(self.spots))
            self.near[key] = frozenset(x for x in spots if least <= self.range[x][h] <= most and self.sees[x][h])
        return self.near[key]


def around(spot: Hex) -> list[Hex]:
    """The six neighbours of a hex (SE-G1)."""
    return [(spot[0] + dq, spot[1] + dr) for dq, dr in STEPS]


def hex_on_line(a: Hex, b: Hex, t: float, side: int) -> Hex:
    """The hex that holds the point at t of the shifted line from a to b (SE-G9)."""
    shift = side * 1e-6
    x = a[0] + (b[0] - a[0]) * t + shift
    z = a[1] + (b[1] - a[1]) * t - 3 * shift
    y = -(a[0] + a[1]) - (b[0] + b[1] - a[0] - a[1]) * t + 2 * shift
    rx, ry, rz = round(x), round(y), round(z)
    ex, ey, ez = abs(rx - x), abs(ry - y), abs(rz - z)
    if ex > ey and ex > ez:
        rx = -ry - rz
    elif ey <= ez:
        rz = -rx - ry
    return (rx, rz)


def walk_from(neighbours: list[list[int]], start: int, occupied: Container[int], most: int) -> dict[int, int]:
    """SE-G7: steps to every hex that can be walked to in at most `most` steps, the start included with 0."""
    steps = {start: 0}
    edge = [start]
    count = 0
    while edge and count < most:
        count += 1
        further = []
        for h in edge:
            for other in neighbours[h]:
                if other not in steps and other not in occupied:
                    steps[other] = count
                    further.append(other)
        edge = further
    return steps


@cache
def named_board(name: str, sight_rule: str) -> Board:
    """A map of 11.1, made once."""
    return Board(MAPS[name], sight_rule)


def build_board(layout: str | dict[str, Any], sight_rule: str) -> Board:
    """SE-S1: the map of a scenario, by name or drawn in the file."""
    if isinstance(layout, dict):
        return Board(layout, sight_rule)
    if layout not in MAPS:
        raise ValueError(f"map: unknown map {layout!r}; known: {', '.join(MAPS)}")
    return named_board(layout, sight_rule)
