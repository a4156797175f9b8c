"""Which scenarios there are: the built-in ones of every ruleset by name, and files by path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sim.core.registry import ruleset, ruleset_names
from sim.core.ruleset import Ruleset
from sim.errors import Problem, ScenarioError, SimError, did_you_mean


def scenarios_of(game: Ruleset[Any]) -> dict[str, Path]:
    """The built-in scenarios of one ruleset: 'overhill/playtest-1' -> its file."""
    files = sorted((game.folder / "scenarios").glob("*.toml"), key=lambda file: file.stem)
    return {f"{game.name}/{file.stem}": file for file in files}


def adventures_in(game: Ruleset[Any]) -> dict[str, Path]:
    """The built-in adventures of one ruleset: 'overhill/gobbo-hole' -> its file."""
    files = sorted((game.folder / "adventures").glob("*.toml"), key=lambda file: file.stem)
    return {f"{game.name}/{file.stem}": file for file in files}


def shipped_by(game: Ruleset[Any]) -> dict[str, Path]:
    """Everything of one ruleset that can be played: its scenarios, then its adventures."""
    return scenarios_of(game) | adventures_in(game)


def scenario_names() -> dict[str, Path]:
    """The built-in scenarios of all rulesets. One that cannot be imported has none; `fairfight list` says why."""
    found: dict[str, Path] = {}
    for name in ruleset_names():
        try:
            found |= shipped_by(ruleset(name))
        except SimError:
            continue
    return found


def find(wanted: str | Path) -> tuple[str, Path]:
    """The name and the file of a scenario: a built-in one by its name, any other by its path."""
    if isinstance(wanted, str) and not _looks_like_a_path(wanted):
        if (game := wanted.partition("/")[0]) in ruleset_names():
            built_in = shipped_by(ruleset(game))
            if wanted in built_in:
                return wanted, built_in[wanted]
        if not Path(wanted).is_file():
            raise ScenarioError(Problem("", _unknown(wanted)))
    path = Path(wanted).expanduser()
    return path.stem, path


def find_beside(wanted: str, game: Ruleset[Any], source: Path | None) -> str | Path:
    """A scenario that a file of a game names: a built-in one, with or without its game, or a file beside it."""
    if wanted.endswith(".toml"):
        return source.parent / wanted if source is not None and not Path(wanted).is_absolute() else wanted
    if "/" in wanted or f"{game.name}/{wanted}" in scenarios_of(game):
        return wanted if "/" in wanted else f"{game.name}/{wanted}"
    beside = None if source is None else source.parent / f"{wanted}.toml"
    return beside if beside is not None and beside.is_file() else f"{game.name}/{wanted}"


def _looks_like_a_path(wanted: str) -> bool:
    return wanted.endswith(".toml") or wanted.startswith((".", "/", "~")) or Path(wanted).is_absolute()


def _unknown(wanted: str) -> str:
    known = scenario_names()
    # Nearest among the full names, or among the names without their ruleset: 'playtest1' means 'overhill/playtest-1'.
    nearest = did_you_mean(wanted, known)
    if not nearest or "/" not in wanted:
        short = {name.partition("/")[2]: name for name in known}
        if by_short := did_you_mean(wanted.rpartition("/")[2], short):
            found = by_short.split("'")[1]
            nearest = f"; did you mean '{short[found]}'?"
    if Path(f"{wanted}.toml").is_file():
        nearest = f"; did you mean the file '{wanted}.toml'?"
    elif Path(wanted).is_dir():
        nearest = "; that is a folder, expected a name or a .toml file"
    return f"unknown scenario '{wanted}'{nearest or '; a file needs its .toml'} ('fairfight list scenarios' shows all)"
