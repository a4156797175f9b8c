"""Text maps: a board as a designer draws it in a TOML file.

    map = '''
    . . O . .
    . # # # .
    S . . . .
    '''

Every letter stands for a cell; a legend says what is special about it. `.` is plain, `#` is a wall (no cell at all) and
a digit is a plain cell of the tile with that number, unless the legend says otherwise. On square maps blanks between
the letters are ignored. On hex maps they draw the rows, each half a hex to the side of the one above:

      . . .
     . . # .
    . . . . .
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sim.core.board.distances import Coord
from sim.errors import Problem, ScenarioError, did_you_mean

WALL = "wall"
MOST_CELLS = 1_600  # of a board: what tables of two cells hold without trouble, a hall of 40 by 40
MOST_SIDE = 100  # of a drawing: letters across, and lines
PLAIN: dict[str, str] = {".": "", "#": WALL}

Legend: TypeAlias = Mapping[str, str | Sequence[str]]  # letter -> feature or features; "" is plain, "wall" no cell


@dataclass(frozen=True, slots=True)
class Drawn:
    """One letter of a map and what it means."""

    letter: str
    features: tuple[str, ...]
    tile: str
    is_wall: bool


def open_map(columns: int, rows: int) -> str:
    """The text map of a board without walls.

    >>> print(open_map(3, 2))
    . . .
    . . .
    """
    return "\n".join([" ".join("." * columns)] * rows)


def _rows(text: str) -> list[str]:
    """The lines of a map, without the blank ones above and below it."""
    lines = [line.rstrip() for line in text.expandtabs().splitlines()]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines


class _Reader:
    """Reads letters by a legend and keeps a list of what it could not read."""

    def __init__(self, legend: Legend | None, key: str) -> None:
        self.meaning = {**PLAIN, **(legend or {})}
        self.key = key
        self.problems: list[Problem] = []

    def complain(self, message: str) -> None:
        self.problems.append(Problem(self.key, message))

    def read(self, letter: str, row: int, column: int) -> Drawn | None:
        """What a letter means; None, and a problem, if it means nothing. Rows and columns count from 1."""
        if letter in self.meaning:
            entry = self.meaning[letter]
            features = tuple(entry.split()) if isinstance(entry, str) else tuple(entry)
            return Drawn(letter, tuple(name for name in features if name != WALL), "1", WALL in features)
        if letter.isdecimal():
            return Drawn(".", (), letter, False)
        known = ", ".join(f"'{known}' {meaning or 'plain'}" for known, meaning in self.meaning.items())
        nearest = did_you_mean(letter.swapcase(), self.meaning)  # o for O is the usual slip
        self.complain(f"row {row}, column {column}: unknown letter '{letter}'{nearest} (known: {known}, 1-9 tiles)")
        return None

    def too_large(self, rows: int, columns: int) -> bool:
        """Whether a drawing is out of all proportion, and a problem if it is."""
        if max(rows, columns) > MOST_SIDE:
            self.complain(f"a board may have at most {MOST_SIDE} rows and columns, found {rows:,} by {columns:,}")
        return bool(self.problems)

    def finish(self, places: Mapping[Coord, Drawn]) -> None:
        cells = sum(not drawn.is_wall for drawn in places.values())
        if cells > MOST_CELLS:
            self.complain(f"a board may have at most {MOST_CELLS:,} cells, found {cells:,}")
        if not self.problems and all(drawn.is_wall for drawn in places.values()):
            self.complain("the map has no cells: draw at least one '.'")
        if self.problems:
            raise ScenarioError(self.problems)


def read_square_map(text: str, legend: Legend | None = None, key: str = "board.map") -> dict[Coord, Drawn]:
    """(column, row) -> what is drawn there, both counted from 0 at the top left, in reading order.

    Raises ScenarioError with every problem: row and column (counted from 1, in cells) of a letter that the legend does
    not know, rows of different length, a map without cells.
    """
    reader = _Reader(legend, key)
    places: dict[Coord, Drawn] = {}
    lines = ["".join(line.split()) for line in _rows(text)]
    if reader.too_large(len(lines), max(map(len, lines), default=0)):
        raise ScenarioError(reader.problems)
    width = 0
    for row, letters in enumerate(lines):
        width = width or len(letters)
        if len(letters) != width:
            reader.complain(f"row {row + 1}: {len(letters)} cells, but row 1 has {width}; draw '#' where there is none")
        for column, letter in enumerate(letters):
            if drawn := reader.read(letter, row + 1, column + 1):
                places[column, row] = drawn
    reader.finish(places)
    return places


def read_hex_map(
    text: str, legend: Legend | None = None, first: Coord = (0, 0), key: str = "board.map"
) -> dict[Coord, Drawn]:
    """(q, r) -> what is drawn there, in reading order; the first letter of the map is the hex `first`.

    One step to the right is two characters, one row down is half a step to the right:

          . .         (0,0) (1,0)
         . . .     (-1,1) (0,1) (1,1)

    Raises ScenarioError with every problem; columns are characters of the line, counted from 1.
    """
    reader = _Reader(legend, key)
    places: dict[Coord, Drawn] = {}
    start: int | None = None  # the character of the line at which the first letter stands
    lines = _rows(text)
    if reader.too_large(len(lines), max(map(len, lines), default=0) // 3):  # slanted rows take three characters a hex
        raise ScenarioError(reader.problems)
    for row, line in enumerate(lines):
        for character, letter in enumerate(line):
            if letter == " ":
                continue
            start = character if start is None else start
            across = character - start - row
            if across % 2:
                reader.complain(
                    f"row {row + 1}, column {character + 1}: '{letter}' is not in line with the rows above; "
                    "one step to the right is two characters, the next row begins one character to the side"
                )
            elif drawn := reader.read(letter, row + 1, character + 1):
                places[first[0] + across // 2, first[1] + row] = drawn
    reader.finish(places)
    return places
