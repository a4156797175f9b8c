"""A board as text: in letters, as it is drawn on a text map, with units on it."""

from __future__ import annotations

from collections.abc import Mapping

from sim.core.board.board import Board
from sim.core.board.distances import Coord


def picture(board: Board, marks: Mapping[int, str] | None = None, *, coordinates: bool = False) -> str:
    """The board as text; `marks` are cell -> what to write there instead of its letter.

    >>> from sim.core.board import disk, hex_board, square_board
    >>> print(picture(square_board("..O\\n.#.", {"O": "obstructed"}), {0: "A"}, coordinates=True))
    y=0  A . O
    y=1  . # .
      x= 0 1 2
    >>> print(picture(hex_board({"A": disk((0, 0), 1)}, impassable=[(0, 0)]), {0: "E"}, coordinates=True))
    r=-1   . .
    r=+0  E # .
    r=+1   . .

    Without marks and coordinates it is a text map that can be read in again.
    """
    marks = marks or {}
    if board.kind == "zones":
        return "\n".join(f"{name}: {marks.get(zone, '-')}" for zone, name in enumerate(board.names))
    width = max([1, *(len(mark) for mark in marks.values())])
    drawn = {coord: marks.get(cell, board.letters[cell]) for cell, coord in enumerate(board.coords)}
    drawn |= dict.fromkeys(board.walls, "#" * width)
    rows = list(range(min(second for _, second in drawn), max(second for _, second in drawn) + 1))[:: board.page_down]
    if board.kind == "hex":
        return _hex_rows(drawn, rows, width, coordinates)
    return _square_rows(drawn, rows, width, coordinates)


def _square_rows(drawn: Mapping[Coord, str], rows: list[int], width: int, coordinates: bool) -> str:
    columns = range(min(x for x, _ in drawn), max(x for x, _ in drawn) + 1)
    width = max(width, len(str(columns[-1]))) if coordinates else width
    margin = max(len(f"y={y}") for y in rows) + 1
    lines = []
    for y in rows:
        line = " ".join(f"{drawn.get((x, y), ''):{width}}" for x in columns)
        lines.append(f"{f'y={y}':{margin}} {line}" if coordinates else line)
    if coordinates:
        numbers = " ".join(f"{x:<{width}}" for x in columns)
        lines.append(f"{'x=':>{margin}} {numbers}")
    return "\n".join(line.rstrip() for line in lines)


def _hex_rows(drawn: Mapping[Coord, str], rows: list[int], width: int, coordinates: bool) -> str:
    half = (width + 2) // 2  # characters from a row to the next one; a step to the right is twice as much
    left = min(2 * q + r for q, r in drawn)
    margin = max(len(f"r={r:+}") for r in rows) + 1
    lines = []
    for r in rows:
        line = ""
        for q in sorted(q for q, row in drawn if row == r):
            line = line.ljust((2 * q + r - left) * half) + drawn[q, r]
        lines.append(f"{f'r={r:+}':{margin}} {line}" if coordinates else line)
    return "\n".join(line.rstrip() for line in lines)
