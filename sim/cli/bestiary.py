"""bestiary: monsters and classes to and from a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from sim.cli.scenario_files import write_text
from sim.cli.terminal import say
from sim.core.registry import ruleset, ruleset_names
from sim.core.ruleset import Ruleset
from sim.errors import InputError, Problem
from sim.scenario import load
from sim.scenario.bestiary import is_bestiary
from sim.scenario.spreadsheet import from_csv, to_csv
from sim.scenario.toml_reader import read_toml
from sim.scenario.toml_writer import to_toml
from sim.scenario.types_alone import load_bestiary

LARGEST_FILE = 20_000_000  # bytes

CLASSES = click.option("--classes", is_flag=True, help="The hero classes, and not the monsters.")
OUT = click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write it to this file.")


@click.group()
def bestiary() -> None:
    """Take monsters and classes to a spreadsheet and back.

    One row is one monster; the columns are the keys that a scenario file has for it. What comes back is a bestiary
    file, which scenarios name by `bestiary = "mine.toml"`; docs/invent-a-monster.md tells the whole way.

    \b
    Examples:
      fairfight bestiary export overhill --out monsters.csv
      fairfight bestiary import monsters.csv overhill --out mine.toml
      fairfight check mine.toml
    """


@bestiary.command(name="export")
@click.argument("source", metavar="GAME|FILE.toml")
@CLASSES
@OUT
def export(source: str, classes: bool, out: Path | None) -> None:
    """Write the monsters of a game, or those of your own file, as a spreadsheet (CSV).

    \b
    Examples:
      fairfight bestiary export overhill --out monsters.csv
      fairfight bestiary export overhill --classes --out classes.csv
      fairfight bestiary export mine.toml --out mine.csv
    """
    game, tables = _types_of(source)
    wanted = "classes" if classes else "monsters"
    if wanted not in game.own_types():
        raise InputError(Problem("", f"{game.title} takes no {wanted} of your own", source))
    entries = tables.get(wanted, {})
    if not entries:
        raise InputError(Problem("", f"has no {wanted}", source))
    _give(to_csv(game.own_types()[wanted], entries), out, f"{len(entries)} {wanted}")


def _types_of(source: str) -> tuple[Ruleset[Any], Mapping[str, Mapping[str, Any]]]:
    """The types of a game, of a bestiary, or of a scenario."""
    if source in ruleset_names() or not source.endswith(".toml"):
        game = ruleset(source)
        return game, {key: kind.built_in for key, kind in game.own_types().items()}
    if is_bestiary(read_toml(Path(source)).table):
        return load_bestiary(Path(source))
    scenario = load(source)
    return scenario.ruleset, scenario.data


@bestiary.command(name="import")
@click.argument("file", metavar="FILE.csv", type=click.Path(path_type=Path))
@click.argument("game")
@OUT
def import_(file: Path, game: str, out: Path | None) -> None:
    """Make a bestiary file of a spreadsheet (CSV), or report every mistake by row and column.

    The first line holds the headings, one of them `monster` (or `class`): the names that scenarios use. An empty cell
    says nothing; lists have semicolons between their entries.

    \b
    Examples:
      fairfight bestiary import monsters.csv overhill
      fairfight bestiary import monsters.csv overhill --out mine.toml
    """
    rules = ruleset(game)
    if not rules.own_types():
        raise InputError(Problem("", f"{rules.title} takes no monsters or classes of your own"))
    table, entries = from_csv(_text(file), rules, str(file))
    _give(to_toml({"ruleset": rules.name, table: entries}), out, f"{len(entries)} {table}")
    if out is not None:
        say(f'next: bestiary = "{out.name}" in a scenario beside it, and fairfight check')


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InputError(Problem("", f"cannot be read: {error.strerror}", str(file))) from None
    if len(content) > LARGEST_FILE:
        raise InputError(Problem("", f"is larger than {LARGEST_FILE // 1_000_000} MB", str(file)))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(Problem("", "is not UTF-8; save it as 'CSV UTF-8'", str(file), line)) from None


def _give(text: str, out: Path | None, what: str) -> None:
    if out is None:
        say(text, nl=False)
    else:
        write_text(out, text)
        say(f"wrote {out}: {what}")
