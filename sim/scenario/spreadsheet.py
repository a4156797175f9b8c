"""Monsters and classes as a spreadsheet: one row each, a column for every key of the game's model.

    monster,name,like,melee,range,defence,traits,early.melee
    bone_lord,bone lord,skeleton,4,,5,leader; life_drain,

An empty cell says nothing. The entries of a list stand in one cell with semicolons between them (`[]` for none), and
what lies in a table has a column of its own (`early.melee`). A list of tables stands in its cell as a scenario file
would have it.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.own_types import LIKE
from sim.core.ruleset import OwnTypes, Ruleset
from sim.core.schema import unknown_name
from sim.errors import InputError, Problem
from sim.scenario.shape import Shape, model_shape
from sim.scenario.toml_writer import value_text
from sim.scenario.types_alone import misfits_of_types
from sim.scenario.values import KeyPath

BETWEEN = "; "  # the entries of a list
YES = {"yes": True, "true": True, "no": False, "false": False}
MOST_ROWS = 5_000
DEEPEST = 3  # tables within tables that get columns of their own
_WHOLE = re.compile(r"[+-]?\d+")
_NUMBER = re.compile(r"[+-]?\d+\.\d+")


# ------------------------------------------------------------------------------------------------------------- writing


def to_csv(kind: OwnTypes, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """The entries as the text of a CSV file, with every column that they or the model have."""
    shape = model_shape(kind.model)
    rows = [{kind.what: name} | dict(_cells(entry, shape)) for name, entry in entries.items()]
    used = [column for row in rows for column in row]
    order = {key: place for place, key in enumerate([kind.what, "name", LIKE, *kind.model.model_fields][::-1])}
    columns = list(dict.fromkeys([kind.what, *_columns(shape), *used]))
    columns.sort(key=lambda column: -order.get(column.partition(".")[0], -1))  # stable: a table stays together
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _cells(table: Mapping[str, Any], shape: Shape, before: str = "") -> Iterator[tuple[str, str]]:
    """Every value of an entry with the column in which it stands."""
    for key, value in table.items():
        below = shape.at((key,))
        if isinstance(value, Mapping) and value:
            yield from _cells(value, below, f"{before}{key}.")
        elif isinstance(value, list) and value and not _takes_anything(below) and not _holds_tables(value):
            yield f"{before}{key}", BETWEEN.join(_plain(one) for one in value)
        else:
            yield f"{before}{key}", _plain(value)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else value_text(value)


def _columns(shape: Shape, before: str = "", depth: int = 1) -> Iterator[str]:
    """The columns of a table: a key each; a table with keys of its own has theirs."""
    for key in shape.keys:
        below = shape.at((key,))
        if depth < DEEPEST and any(option.get("properties") for option in below.options):
            yield from _columns(below, f"{before}{key}.", depth + 1)
        elif not _is_open_table(below):
            yield f"{before}{key}"


def _takes_anything(shape: Shape) -> bool:
    """Whether the model leaves open what stands here: then lists look like lists."""
    return any(not option for option in shape.options)


def _holds_tables(value: list[Any]) -> bool:
    return any(isinstance(one, (Mapping, list)) for one in value)


def _is_open_table(shape: Shape) -> bool:
    """A table whose keys are free, such as the growth of a class: it has the columns that somebody uses."""
    return shape.takes("object") and not shape.takes("string") and not shape.takes("array")


# ------------------------------------------------------------------------------------------------------------- reading


@dataclass(frozen=True, slots=True)
class _Cell:
    row: int  # as spreadsheets count: the line of the headings is row 1
    column: str
    text: str


def from_csv(text: str, ruleset: Ruleset[Any], file: str) -> tuple[str, dict[str, dict[str, Any]]]:
    """The table ("monsters", "classes") and its entries; InputError with every mistake, by row and column."""
    headings, rows = _read(text, file)
    table = _table_of(headings, ruleset, file)
    kind = ruleset.own_types()[table]
    shape = model_shape(kind.model)
    problems = list(_of_the_headings(headings, kind, shape, file))
    known = [column for column in headings if column == kind.what or shape.at(_path(column))]
    entries: dict[str, dict[str, Any]] = {}
    row_of: dict[str, int] = {}
    for number, cells in rows:
        row = {cell.column: cell for cell in cells if cell.text}
        if not row:
            continue
        filled = max(at for at, cell in enumerate(cells, 1) if cell.text)
        problems += _too_long(number, filled, headings, file)
        name = row[kind.what].text if kind.what in row else ""
        if not name or name in entries:
            said = f"a {kind.what} needs a name" if not name else f"'{name}' stands in row {row_of[name]} already"
            problems.append(_problem(number, kind.what, said, file))
            name = f"in_row_{number}"  # so that its other cells are checked all the same
        entries[name], row_of[name] = {}, number
        for column in known:
            if column in row and column != kind.what:
                _put(entries[name], _path(column), _value(row[column].text, shape.at(_path(column))))
    if not entries and not problems:
        problems.append(_problem(2, kind.what, f"no {kind.what} in this file", file))
    for path, message in misfits_of_types({table: entries}, ruleset):
        column = ".".join(map(str, (step for step in path[2:] if isinstance(step, str)))) or kind.what
        problems.append(_problem(row_of.get(str(path[1]), 1) if len(path) > 1 else 1, column, message, file))
    if problems:
        raise InputError(sorted(problems, key=lambda problem: _row_of(problem.key)))
    return table, entries


def _problem(row: int, column: str, message: str, file: str) -> Problem:
    return Problem(f"row {row}, column {column}", message, file)


def _row_of(key: str) -> int:
    found = re.match(r"row (\d+)", key)
    return int(found[1]) if found else 0


def _read(text: str, file: str) -> tuple[list[str], list[tuple[int, list[_Cell]]]]:
    """The headings and the rows below them, with commas, semicolons or tabs between the cells."""
    text = text.removeprefix("\ufeff")
    first = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise InputError(Problem("", f"is no CSV file: {error}", file)) from None
    numbered = [(number, [cell.strip() for cell in line]) for number, line in enumerate(lines, 1)]
    filled = [(number, line) for number, line in numbered if any(line)]
    if not filled:
        raise InputError(Problem("", "is empty; expected a line of headings, and a row for each", file))
    if len(filled) > MOST_ROWS:
        raise InputError(Problem("", f"has more than {MOST_ROWS:,} rows", file))
    headings = [re.sub(r"[ -]+", "_", cell.lower()) for cell in filled[0][1]]
    while headings and not headings[-1]:
        headings.pop()  # a comma at the end of the line
    return headings, [
        (number, [_Cell(number, headings[at] if at < len(headings) else "", cell) for at, cell in enumerate(line)])
        for number, line in filled[1:]
    ]


def _table_of(headings: list[str], ruleset: Ruleset[Any], file: str) -> str:
    kinds = ruleset.own_types()
    for table, kind in kinds.items():
        if kind.what in headings:
            return table
    expected = " or ".join(f"'{kind.what}'" for kind in kinds.values())
    raise InputError(Problem("row 1", f"no column {expected}, which holds the names that scenarios use", file))


def _of_the_headings(headings: list[str], kind: OwnTypes, shape: Shape, file: str) -> Iterator[Problem]:
    known = [kind.what, *_columns(shape)]
    for place, column in enumerate(headings):
        if not column:
            yield Problem("row 1", f"column {place + 1} has no heading", file)
        elif column in headings[:place]:
            yield _problem(1, column, "stands there twice", file)
        elif column != kind.what and not shape.at(_path(column)):
            yield _problem(1, column, unknown_name(column, known, "column"), file)


def _too_long(row: int, cells: int, headings: list[str], file: str) -> list[Problem]:
    if cells <= len(headings):
        return []
    return [Problem(f"row {row}", f"has {cells} cells, and there are {len(headings)} headings", file)]


def _path(column: str) -> KeyPath:
    return tuple(column.split("."))


def _put(entry: dict[str, Any], path: KeyPath, value: Any) -> None:
    for step in path[:-1]:
        below = entry.setdefault(str(step), {})
        if not isinstance(below, dict):
            return  # the cell of the table itself has a value; the checks tell that it is none
        entry = below
    entry[str(path[-1])] = value


def _value(text: str, shape: Shape) -> Any:
    """What a cell says, by what may stand there; a text that nothing fits is left for the checks."""
    if text[0] in "[{" and (shape.takes("array") or shape.takes("object")):
        try:
            return tomllib.loads(f"value = {text}")["value"]
        except (ValueError, KeyError, RecursionError):
            return text
    if shape.takes("array") and not _takes_anything(shape) and not _fits_as_one(text, shape):
        entry = shape.at((0,))
        return [_single(part.strip(), entry) for part in text.split(BETWEEN.strip()) if part.strip()]
    return _single(text, shape)


def _fits_as_one(text: str, shape: Shape) -> bool:
    """Where a list or a single value may stand: whether this is a single value."""
    if ";" in text:
        return False
    is_yes_or_no = shape.takes("boolean") and text.lower() in YES
    return text in shape.choices or is_yes_or_no or (shape.takes("integer") and bool(_WHOLE.fullmatch(text)))


def _single(text: str, shape: Shape) -> Any:
    if text in shape.choices:
        return text
    if _WHOLE.fullmatch(text) and shape.takes("integer") and len(text) < 20:
        return int(text)
    if _NUMBER.fullmatch(text) and shape.takes("number"):
        return float(text)
    if shape.takes("boolean") and text.lower() in YES:
        return YES[text.lower()]
    return text
