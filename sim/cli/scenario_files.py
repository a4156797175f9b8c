"""check, schema, new: writing scenario files."""

from __future__ import annotations

import json
from pathlib import Path

import click

from sim.cli.terminal import say
from sim.core.registry import ruleset as find_ruleset
from sim.core.registry import ruleset_names
from sim.errors import InputError, Problem, SimError
from sim.scenario import load
from sim.scenario.adventure_starter import adventure_text
from sim.scenario.bestiary import is_bestiary
from sim.scenario.shape import scenario_schema
from sim.scenario.starter import base_scenario, starter_text
from sim.scenario.toml_reader import read_toml
from sim.scenario.types_alone import load_bestiary
from sim.scenario.wording import readable


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def check(files: tuple[str, ...]) -> int:
    """Check scenario files and report every problem at once.

    Bestiary files, which hold monsters and classes for scenarios, are checked too.

    Each problem names the file, the line, the key, what was found and what was expected. The exit status is 0 if all
    files are in order and 2 if not.

    \b
    Examples:
      fairfight check my-fight.toml
      fairfight check fights/*.toml
    """
    problems = 0
    for file in files:
        try:
            if _names_a_bestiary(file):
                game, tables = load_bestiary(Path(file), file)
                counted = ", ".join(f"{len(entries)} {table}" for table, entries in tables.items())
                say(f"{file}: OK, {counted} ({game.title})")
                continue
            fight = load(file)
        except InputError as error:
            problems += len(error.problems)
            say(str(error), err=True)
        except SimError as error:
            problems += 1
            say(f"{file}: {error}", err=True)
        else:
            say(f"{file}: OK, {fight.title} ({fight.ruleset.title}, policy {readable(fight.policy)})")
            for remark in fight.ruleset.remarks(fight.model):
                say(f"{file}: note: {remark}")
    if problems:
        say(f"{problems} {'problem' if problems == 1 else 'problems'} found", err=True)
    return 2 if problems else 0


def _names_a_bestiary(file: str) -> bool:
    """Whether this is a bestiary file; what cannot be read at all is told when it is read as a scenario."""
    path = Path(file)
    try:
        return file.endswith(".toml") and path.is_file() and is_bestiary(read_toml(path, file).table)
    except SimError:
        return False


@click.command()
@click.argument("ruleset", required=False)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write it to this file.")
def schema(ruleset: str | None, out: Path | None) -> None:
    """Write the JSON Schema of scenario files, for editors.

    RULESET may be left out where only one is installed. Editors such as VS Code (Even Better TOML) read the schema
    if the first line of the scenario says where it is:

    \b
      fairfight schema overhill --out overhill.schema.json
      #:schema ./overhill.schema.json          <- the first line of my-fight.toml
    """
    known = list(ruleset_names())
    if ruleset is None and len(known) > 1:
        raise click.UsageError(f"which ruleset? One of {', '.join(known)}")
    text = _schema_text(find_ruleset(ruleset or known[0]).name)
    if out is None:
        say(text, nl=False)
    else:
        write_text(out, text)
        say(f"wrote {out}")


def _schema_text(ruleset: str) -> str:
    return json.dumps(scenario_schema(find_ruleset(ruleset)), indent=2, ensure_ascii=False) + "\n"


@click.command()
@click.argument("ruleset")
@click.argument("file", required=False)
@click.option("--from", "base", metavar="SCENARIO", help="Begin with this fight and not with the ruleset's own choice.")
@click.option("--adventure", is_flag=True, help="Write an adventure: a party and scenes that it plays in order.")
@click.option("--no-schema", is_flag=True, help="Do not write the JSON Schema for editors beside the file.")
@click.option("--force", is_flag=True, help="Overwrite a file that is there.")
def new(ruleset: str, file: str | None, base: str | None, adventure: bool, no_schema: bool, force: bool) -> None:
    """Write a commented scenario file to begin with.

    FILE is RULESET-fight.toml if not given, and - for standard output. The file can be played as it is; every other
    key of the game stands in it as a comment. A JSON Schema is put beside it, so that editors can complete the keys.

    \b
    Examples:
      fairfight new overhill
      fairfight new overhill my-fight.toml
      fairfight new overhill crypt.toml --from overhill/crypt-swarm
      fairfight new overhill evening.toml --adventure
    """
    game = find_ruleset(ruleset)
    start = load(base) if base else base_scenario(game)
    if start.ruleset_name != game.name:
        raise InputError(Problem("--from", f"{start.name} belongs to {start.ruleset_name}, not to {game.name}"))
    write = adventure_text if adventure else starter_text
    if file == "-":
        say(write(start), nl=False)
        return
    path = Path(file or f"{game.name}-{'adventure' if adventure else 'fight'}.toml")
    if path.exists() and not force:
        raise InputError(Problem("", "is there already; give another name, or --force to overwrite it", str(path)))
    schema_path = None if no_schema or adventure else path.with_name(f"{game.name}.schema.json")
    if schema_path is not None and not force and not _is_free(schema_path, _schema_text(game.name)):
        message = "is there already and says something else; --no-schema leaves it alone, --force overwrites it"
        raise InputError(Problem("", message, str(schema_path)))
    write_text(path, write(start, str(path), f"./{schema_path.name}" if schema_path else None))
    if schema_path is not None:
        write_text(schema_path, _schema_text(game.name))
    say(f"wrote {path}" + (f" and {schema_path}" if schema_path else ""))
    say(f"next: fairfight run {path}")


def _is_free(path: Path, text: str) -> bool:
    """Whether nothing is lost by writing this text to a file: there is none, or it says the same."""
    if not path.exists() and not path.is_symlink():
        return True
    try:
        return path.read_text(encoding="utf-8") == text
    except (OSError, ValueError):
        return False


def write_text(path: Path, text: str) -> None:
    """Write a file, and the folders that it lies in."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(Problem("", f"cannot be written: {error.strerror}", str(path))) from None
