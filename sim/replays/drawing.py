"""The table as SVG: the board, and everybody on it. Colours are classes, so that the page's style sheet chooses them.

Whatever a scenario says goes through `escape`: it stays text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from markupsafe import Markup, escape

from sim.core.board import Board
from sim.core.telling import Token
from sim.replays.ground_plan import CELL, NOWHERE, TITLE, Grid, Place, Plan, Point, Rows, Spot
from sim.scenario.wording import readable

Features: TypeAlias = frozenset[str]
Looks: TypeAlias = dict[Features, int]  # what is special about a cell -> how it is drawn

# The hatching of special cells, one after the other; the same order as the colours in viewer.css.
HATCHINGS = (
    '<path d="M-2 2l4-4M0 8l8-8M6 10l4-4"/>',
    '<circle cx="2" cy="2" r="1"/><circle cx="6" cy="6" r="1"/>',
    '<path d="M0 0l8 8M8 0l-8 8"/>',
    '<circle cx="4" cy="4" r="2.4" fill="none"/>',
    '<path d="M-2 6l4 4M0 0l8 8M6-2l4 4"/>',
    '<path d="M4 0v8M0 4h8"/>',
)
RING = 99  # how long a ring is said to be, a little less than 100: full health leaves no gap
UNIT = 10.0  # radius for which a token is drawn


def looks_of(boards: Iterable[Board]) -> Looks:
    """How the special cells of the boards are drawn: cells with the same features look alike."""
    kinds = {features for board in boards for features in features_by_cell(board) if features}
    return {features: number for number, features in enumerate(sorted(kinds, key=sorted))}


def features_by_cell(board: Board) -> list[Features]:
    """By cell: the names of its features."""
    return [frozenset(name for name, has in board.features.items() if has[cell]) for cell in range(len(board))]


def hatchings(looks: Looks, prefix: str) -> Markup:
    """The patterns with which special cells are filled, for the whole page."""
    patterns = "".join(
        f'<pattern id="{prefix}-look-{number}" class="look look-{number % len(HATCHINGS)}" width="8" height="8" '
        f'patternUnits="userSpaceOnUse"><rect width="8" height="8"/>{HATCHINGS[number % len(HATCHINGS)]}</pattern>'
        for number in looks.values()
    )
    return Markup(f'<svg class="hatchings" width="0" height="0" aria-hidden="true"><defs>{patterns}</defs></svg>')


def swatch(number: int, prefix: str) -> Markup:
    """A special cell for the legend."""
    cell = f'<rect width="20" height="14" fill="url(#{prefix}-look-{number})"/>'
    return Markup(f'<svg class="swatch" viewBox="0 0 20 14">{cell}</svg>')


# ---------------------------------------------------------------------------------------------------------------------
# The board
# ---------------------------------------------------------------------------------------------------------------------


def board_svg(plan: Plan, looks: Looks, prefix: str) -> Markup:
    """The board without anybody on it, as the inside of an SVG."""
    if isinstance(plan, Rows):
        return _rows(plan)
    assert isinstance(plan, Grid)
    board = plan.board
    special = features_by_cell(board)
    parts = [_path("floor", [plan.outline(place) for place in board.coords])]
    for features, number in looks.items():
        cells = [plan.outline(board.coords[cell]) for cell, own in enumerate(special) if own == features]
        if cells:
            parts.append(_path("special", cells, f' fill="url(#{prefix}-look-{number})"'))
    if board.walls:
        parts.append(_path("wall", [plan.outline(place) for place in sorted(board.walls)]))
    parts += [_tile_borders(plan), _letters(plan), _coordinates(plan)]
    if plan.has_beside:
        parts.append(_text(plan.left, plan.below - 4, "zone-name", NOWHERE))
    return Markup("".join(parts))


def _rows(plan: Rows) -> Markup:
    parts = []
    sides = {"enemy": "enemies", "party": "the party"} if plan.board is None else {}
    for row in plan.rows:
        parts.append(
            f'<rect class="floor" x="0" y="{_n(row.top)}" width="{_n(plan.width)}" height="{_n(row.height)}" rx="5"/>'
        )
        parts.append(_text(7, row.top + TITLE - 4, "zone-name", readable(sides.get(row.name, row.name))))
    return Markup("".join(parts))


def _path(css: str, shapes: Iterable[Sequence[Point]], more: str = "") -> str:
    """Several shapes as one element: each begins at its first corner and goes on from corner to corner."""
    lines = []
    for corners in shapes:
        steps = [f"{_n(x - from_x)} {_n(y - from_y)}" for (from_x, from_y), (x, y) in pairwise(corners)]
        lines.append(f"M{_n(corners[0][0])} {_n(corners[0][1])}l{' '.join(steps)}z")
    return f'<path class="{css}"{more} d="{"".join(lines)}"/>'


def _tile_borders(plan: Grid) -> str:
    """A heavy line where two cells of different tiles meet."""
    board = plan.board
    if len(board.tiles) == 1:
        return ""
    tile_at: dict[frozenset[Point], int] = {}
    borders = []
    for cell, place in enumerate(board.coords):
        corners = [(round(x, 2), round(y, 2)) for x, y in plan.outline(place)]
        for edge in zip(corners, corners[1:] + corners[:1], strict=True):
            if tile_at.setdefault(frozenset(edge), int(board.tile[cell])) != board.tile[cell]:
                borders.append(edge)
    lines = "".join(f"M{_n(x)} {_n(y)}L{_n(end_x)} {_n(end_y)}" for (x, y), (end_x, end_y) in borders)
    return f'<path class="tile-border" d="{lines}"/>'


def _letters(plan: Grid) -> str:
    """The letters of the map, in a corner of their cells."""
    shift = 0.38 if plan.board.kind == "square" else 0.3
    return "".join(
        _text(x - shift * CELL, y - 0.25 * CELL, "letter", letter)
        for letter, place in zip(plan.board.letters, plan.board.coords, strict=True)
        if letter != "."
        for x, y in [plan.centre(place)]
    )


def _coordinates(plan: Grid) -> str:
    """Numbers along the edges of squares; inside of hexes."""
    board = plan.board
    if board.kind == "hex":
        return "".join(
            _text(x, y + 0.47 * CELL, "coordinate", f"{place[0]},{place[1]}")
            for place in board.coords
            for x, y in [plan.centre(place)]
        )
    every: list[Place] = [*board.coords, *board.walls]
    low = max(y for _, y in (plan.centre(place) for place in every)) + CELL / 2
    columns = "".join(
        _text(plan.centre((x, 0))[0], low + 10, "coordinate", str(x)) for x in sorted({x for x, _ in every})
    )
    rows = "".join(
        _text(plan.box[0] + 8, plan.centre((0, y))[1] + 3, "coordinate", str(y)) for y in sorted({y for _, y in every})
    )
    return columns + rows


# ---------------------------------------------------------------------------------------------------------------------
# Those on it
# ---------------------------------------------------------------------------------------------------------------------


def token_svg(token: Token, short: str, codes: Mapping[str, str], spot: Spot | None) -> Markup:
    """One unit: its side by shape and colour, its health as a ring, its conditions as small marks.

    Without a spot it is not on the table yet; the page shows it when it comes.
    """
    party = token.side == "party"
    classes = " ".join(["token", token.side, *(["down"] if token.down else []), *([] if spot else ["absent"])])
    health = 100 * max(token.hp, 0) / token.max_hp if token.max_hp > 0 else 0
    ring = '<circle r="9.2" {}/>' if party else '<rect x="-8.6" y="-8.6" width="17.2" height="17.2" rx="2" {}/>'
    turned = ' transform="rotate(-90)"' if party else ""
    long = " long" if len(short) > 2 else ""
    place = f' style="transform: {css_transform(spot)};"' if spot else ""
    return Markup(
        f'<g class="{classes}"{place}><title>{escape(in_full(token))}</title>'
        + ring.format('class="body"')
        + ring.format('class="lost"')
        + ring.format(f'class="health" pathLength="{RING}" stroke-dasharray="{health:.3g} 100"{turned}')
        + f'<text class="short{long}" y="2.9">{escape(short)}</text>'
        + f'<text class="count" x="11" y="-5.5">{escape(group_size(token))}</text>'
        + f'<text class="marks" y="14.5">{escape(mark_codes(token, codes))}</text></g>'
    )


def place_svg(plan: Plan, place: Place, said: str, name: str) -> Markup:
    """A cell or a wall onto which a token can be put: `said` is how a scenario file says it."""
    x, y = plan.centre(place)
    data = f' data-to="{escape(said)}" data-name="{escape(name)}" data-x="{_n(x)}" data-y="{_n(y)}"'
    return Markup(_path("place", [plan.outline(place)], data))


def css_transform(spot: Spot) -> str:
    """Where a token is moved to: also what the page's script sets."""
    return f"translate({_n(spot.x)}px, {_n(spot.y)}px) scale({_n(spot.radius / UNIT)})"


def group_size(token: Token) -> str:
    """How many of a group are left."""
    return "" if token.count is None else f"×{token.count}"


def mark_codes(token: Token, codes: Mapping[str, str]) -> str:
    """The conditions of a unit, as they stand below it."""
    return " ".join(codes[mark] for mark in token.marks)


def in_full(token: Token) -> str:
    """What there is to say about a unit."""
    left = f"{max(token.hp, 0)} of {token.max_hp}"
    return ", ".join(
        [name_of(token), left, *(["fallen"] if token.down else []), *map(readable, token.marks + token.notes)]
    )


def name_of(token: Token) -> str:
    """Its name, without an article."""
    return readable(token.name or token.key)


def _text(x: float, y: float, css: str, text: str) -> str:
    return f'<text class="{css}" x="{_n(x)}" y="{_n(y)}">{escape(text)}</text>'


def _n(number: float) -> str:
    """A length without needless digits."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
