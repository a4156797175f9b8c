"""A board as a matplotlib figure: cells, features, tiles and units.

Colours are those of Okabe and Ito, which the colour-blind can tell apart; features also differ in their hatching and
sides in their shape, so that a black and white print says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, cos, pi, sin, sqrt
from typing import TYPE_CHECKING, TypeAlias

from sim.core.board.board import Board
from sim.core.board.distances import Coord

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Unit: TypeAlias = tuple[int, str, str]  # cell, label, side
Point: TypeAlias = tuple[float, float]

FLOOR, WALL, LINE, TILE_LINE, INK = "#FBFAF7", "#4A4A4A", "#B9B5AC", "#2F2F2F", "#1F1F1F"
FEATURE_LOOKS = [  # face, hatching and its colour, one after the other for the features of a board
    ("#F7EFC0", "////", "#9A8300"),
    ("#D3E9F7", "....", "#0072B2"),
    ("#F6D9CC", "xxxx", "#C44E00"),
    ("#D2EBDF", "oo", "#009E73"),
    ("#F0DCE8", "\\\\\\\\", "#A3507F"),
    ("#E6E6E6", "++++", "#6B6B6B"),
]
SIDE_LOOKS = [("#0072B2", "circle"), ("#D55E00", "square"), ("#009E73", "diamond"), ("#CC79A7", "circle")]


def draw(
    board: Board,
    units: Iterable[Unit] = (),
    ax: Axes | None = None,
    *,
    title: str = "",
    coordinates: bool = False,
    legend: bool = True,
) -> Axes:
    """Draw a board with units on it, each (cell, label, side), and return the axes.

    Without axes a figure of a fitting size is made: `draw(board, units).figure.savefig("fight.png")`. The first side
    gets blue circles, the second orange squares. Units that share a cell stand side by side.
    """
    from matplotlib.figure import Figure
    from matplotlib.patches import Polygon

    units = list(units)
    shapes = _Shapes(board)
    if ax is None:
        wide, high = shapes.size
        scale = max(0.28, min(0.62, 9 / wide, 9 / high))  # inches per cell
        figure = Figure(figsize=(max(3.0, wide * scale + 0.6) + (1.7 if legend else 0), max(1.6, high * scale + 0.8)))
        figure.set_layout_engine("constrained")
        ax = figure.add_subplot()
        ax.set_anchor("NW")
    looks = {name: FEATURE_LOOKS[number % len(FEATURE_LOOKS)] for number, name in enumerate(sorted(board.features))}

    for wall in sorted(board.walls):
        ax.add_patch(Polygon(shapes.outline(wall), facecolor=WALL, edgecolor=WALL, linewidth=0.8))
    for cell, coord in enumerate(board.coords):
        corners = shapes.outline(coord)
        ax.add_patch(Polygon(corners, facecolor=FLOOR, edgecolor=LINE, linewidth=0.8))
        for name in sorted(board.features):
            if board.features[name][cell]:
                face, hatch, ink = looks[name]
                ax.add_patch(Polygon(corners, facecolor=face, edgecolor=ink, hatch=hatch, linewidth=0, alpha=0.9))
        if board.features:  # the hatching has covered the line
            ax.add_patch(Polygon(corners, fill=False, edgecolor=LINE, linewidth=0.8))
    _draw_tile_borders(ax, board, shapes)

    low, high_corner = shapes.box
    ax.set_xlim(low[0], high_corner[0])
    ax.set_ylim(low[1], high_corner[1])
    ax.set_aspect("equal")
    points = _points_per_cell(ax, shapes)
    _draw_names(ax, board, shapes, points, coordinates)
    room = 0.64 if board.kind == "hex" and coordinates else 0.78  # of a cell, for the units that stand on it
    _draw_units(ax, board, shapes, units, points, room)
    if title:
        ax.set_title(title, fontsize=11, color=INK, loc="left")
    if legend:
        _draw_legend(ax, board, units, looks)
    return ax


class _Shapes:
    """Where cells lie on the page: squares and zones of side 1, pointy-top hexes one apart."""

    def __init__(self, board: Board) -> None:
        self.board = board
        places = [self.centre(coord) for coord in (*board.coords, *board.walls)]
        x, y = [place[0] for place in places], [place[1] for place in places]
        half = 1 / sqrt(3) if board.kind == "hex" else 0.5
        above = 0.4 if board.kind == "zones" else 0.1  # zones have their names above them
        self.box = (min(x) - 0.6, min(y) - half - 0.1), (max(x) + 0.6, max(y) + half + above)
        self.size = (self.box[1][0] - self.box[0][0], self.box[1][1] - self.box[0][1])

    def centre(self, coord: Coord) -> Point:
        first, second = coord
        if self.board.kind == "hex":
            return first + second / 2, -second * sqrt(3) / 2
        if self.board.kind == "zones":
            return first * 1.5, 0.0
        return float(first), float(-second * self.board.page_down)

    def outline(self, coord: Coord) -> list[Point]:
        """The corners of a cell, clockwise from the top right."""
        x, y = self.centre(coord)
        if self.board.kind == "hex":
            angles = [pi / 6 - corner * pi / 3 for corner in range(6)]
            return [(x + cos(angle) / sqrt(3), y + sin(angle) / sqrt(3)) for angle in angles]
        return [(x + 0.5, y + 0.5), (x + 0.5, y - 0.5), (x - 0.5, y - 0.5), (x - 0.5, y + 0.5)]


def _draw_tile_borders(ax: Axes, board: Board, shapes: _Shapes) -> None:
    """A heavy line where two cells of different tiles meet."""
    from matplotlib.collections import LineCollection

    def edges(coord: Coord) -> set[frozenset[tuple[float, float]]]:
        corners = [(round(x, 6), round(y, 6)) for x, y in shapes.outline(coord)]
        return {frozenset(pair) for pair in zip(corners, corners[1:] + corners[:1], strict=True)}

    if len(board.tiles) == 1:
        return
    tile_at: dict[frozenset[Point], int] = {}
    borders = []
    for cell, coord in enumerate(board.coords):
        for edge in edges(coord):
            if tile_at.setdefault(edge, int(board.tile[cell])) != board.tile[cell]:
                borders.append(sorted(edge))
    ax.add_collection(LineCollection(borders, colors=TILE_LINE, linewidths=2.2, capstyle="round"))


def _points_per_cell(ax: Axes, shapes: _Shapes) -> float:
    """How large a cell will be on the page, in points, for the size of letters."""
    pixels = min(ax.bbox.width / shapes.size[0], ax.bbox.height / shapes.size[1])
    return float(72 * pixels / ax.figure.dpi)


def _draw_names(ax: Axes, board: Board, shapes: _Shapes, points: float, coordinates: bool) -> None:
    """Names of zones; numbers along the edges of squares; coordinates inside hexes."""
    from matplotlib.patheffects import AbstractPathEffect, withStroke

    if board.kind == "square" and coordinates:
        ax.set_xticks(*_ticks({coord[0]: shapes.centre(coord)[0] for coord in board.coords}))
        ax.set_yticks(*_ticks({coord[1]: shapes.centre(coord)[1] for coord in board.coords}))
        ax.tick_params(length=0, labelsize=8, colors="#6B6B6B")
        for spine in ax.spines.values():
            spine.set_visible(False)
        return
    ax.set_axis_off()
    # A halo, so that hatching does not run through the letters.
    halo: list[AbstractPathEffect] = [withStroke(linewidth=2.0, foreground=FLOOR)]
    above, size = (0.66, points * 0.2) if board.kind == "zones" else (-0.37, points * 0.15)
    if board.kind == "zones" or coordinates:
        for name, coord in zip(board.names, board.coords, strict=True):
            x, y = shapes.centre(coord)
            size = max(3.5, min(9.0, size))
            text = ax.text(x, y + above, name.strip("()"), ha="center", va="center", fontsize=size, color="#6B6B6B")
            text.set_path_effects(halo)


def _ticks(places: dict[int, float]) -> tuple[list[float], list[str]]:
    return list(places.values()), [str(number) for number in places]


def _draw_units(ax: Axes, board: Board, shapes: _Shapes, units: Sequence[Unit], points: float, room: float) -> None:
    sides = list(dict.fromkeys(side for _, _, side in units))
    together: dict[int, list[Unit]] = {}
    for unit in units:
        together.setdefault(unit[0], []).append(unit)
    for cell, company in together.items():
        x, y = shapes.centre(board.coords[cell])
        y += (0.78 - room) / 2
        columns = max(ceil(sqrt(len(company))), 2 if board.kind == "zones" else 1)
        rows = ceil(len(company) / columns)
        pitch = room / columns
        for number, (_, label, side) in enumerate(company):
            in_row = min(columns, len(company) - number // columns * columns)
            across = (number % columns - (in_row - 1) / 2) * pitch
            down = (number // columns - (rows - 1) / 2) * pitch
            colour, shape = SIDE_LOOKS[sides.index(side) % len(SIDE_LOOKS)]
            _draw_token(ax, (x + across, y - down), pitch * 0.46, colour, shape)
            size = min(11.0, points * pitch * 0.8 / max(1.6, 0.75 * len(label)))
            ax.text(
                x + across, y - down, label, ha="center", va="center_baseline",
                fontsize=size, color="white", fontweight="bold", zorder=5,
            )  # fmt: skip


def _draw_token(ax: Axes, place: Point, radius: float, colour: str, shape: str) -> None:
    from matplotlib.patches import Circle, Patch, Rectangle, RegularPolygon

    x, y = place
    token: Patch
    if shape == "circle":
        token = Circle(place, radius)
    elif shape == "square":
        token = Rectangle((x - 0.88 * radius, y - 0.88 * radius), 1.76 * radius, 1.76 * radius)
    else:
        token = RegularPolygon(place, 4, radius=1.15 * radius)
    token.set(facecolor=colour, edgecolor="white", linewidth=1.0, zorder=4)
    ax.add_patch(token)


def _draw_legend(ax: Axes, board: Board, units: Sequence[Unit], looks: dict[str, tuple[str, str, str]]) -> None:
    from matplotlib.artist import Artist
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    markers = {"circle": "o", "square": "s", "diamond": "D"}
    entries: list[Artist] = []
    for number, side in enumerate(dict.fromkeys(side for _, _, side in units)):
        colour, shape = SIDE_LOOKS[number % len(SIDE_LOOKS)]
        entries.append(Line2D([], [], linestyle="", marker=markers[shape], markersize=9, color=colour, label=side))
    for name, (face, hatch, ink) in looks.items():
        entries.append(Patch(facecolor=face, hatch=hatch, edgecolor=ink, linewidth=0, label=name))
    if board.walls:
        entries.append(Patch(facecolor=WALL, label="wall"))
    if len(board.tiles) > 1:
        entries.append(Line2D([], [], color=TILE_LINE, linewidth=2.2, label="tile border"))
    if entries:
        ax.legend(
            handles=entries, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False,
            fontsize=9, handlelength=1.6, handleheight=1.2, borderaxespad=0.0, labelcolor=INK,
        )  # fmt: skip
