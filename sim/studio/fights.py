"""A fight at an address: as its file says, as it is changed, and what does not fit."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sim.core.registry import ruleset as find_ruleset
from sim.core.registry import ruleset_names
from sim.errors import InputError, Problem, ScenarioError
from sim.scenario import Scenario, load
from sim.scenario.catalogue import scenarios_of, shipped_by
from sim.scenario.changes import value_now
from sim.scenario.overrides import from_text
from sim.scenario.shape import Shape
from sim.scenario.toml_writer import value_text
from sim.scenario.values import key_path, spell
from sim.storage.files import digest_of
from sim.studio.address import Variant, path_of
from sim.studio.fields import Choice
from sim.studio.folder import DIGITS, Folder


@dataclass(frozen=True, slots=True)
class OpenFight:
    """A fight on the workbench."""

    variant: Variant
    base: Scenario  # as the file says
    scenario: Scenario  # with everything set that fits
    problems: tuple[Problem, ...] = ()  # of the settings that do not
    digest: str = ""  # of the file in the folder; empty for a shipped fight

    @property
    def refused(self) -> set[str]:
        """The settings that do not fit."""
        fitting = {change.removeprefix("--set ") for change in self.scenario.changes}
        return {setting for setting in self.variant.sets if setting not in fitting}


def open_fight(variant: Variant, folder: Folder) -> OpenFight:
    """The fight of an address.

    Raises Refused for a name that leads nowhere, and ScenarioError where the file itself is not in order.
    """
    if is_shipped(variant.fight):
        return _opened(variant, variant.fight, "")
    path = folder.file(variant.fight)
    content = folder.read(variant.fight)  # refuses what is no plain file before anybody else opens it
    return _opened(variant, path, digest_of(content)[:DIGITS])


def is_shipped(name: str) -> bool:
    """Whether a fight is one of those that come with a game."""
    game = name.partition("/")[0]
    return game in ruleset_names() and name in shipped_by(find_ruleset(game))


def other_fights(fight: OpenFight, folder: Folder) -> tuple[Choice, ...]:
    """The other fights of the same game, those that come with it and those of the folder."""
    game = fight.scenario.ruleset
    found = [Choice(name, title_of(path)) for name, path in scenarios_of(game).items()]
    found += [Choice(one.name, one.title) for one in folder.scenarios() if one.ruleset == game.name]
    return tuple(one for one in found if one.typed != fight.variant.fight and "," not in one.typed)


def title_of(path: Path) -> str:
    """The title of a shipped fight, quickly and without a check."""
    return str(tomllib.loads(path.read_text(encoding="utf-8")).get("title", path.stem))


@lru_cache(maxsize=32)
def _base(where: str | Path, _digest: str) -> Scenario:
    """The fight as the file says, which most changes begin with."""
    return load(where)


@lru_cache(maxsize=128)
def _opened(variant: Variant, where: str | Path, digest: str) -> OpenFight:
    base = _base(where, digest)
    if not variant.sets:
        return OpenFight(variant, base, base, (), digest)
    try:
        return OpenFight(variant, base, load(where, sets=variant.sets), (), digest)
    except ScenarioError as error:
        problems = error.problems
    return OpenFight(variant, base, _as_far_as_it_fits(where, variant.sets, problems, base), problems, digest)


def _as_far_as_it_fits(
    where: str | Path, sets: tuple[str, ...], problems: tuple[Problem, ...], base: Scenario
) -> Scenario:
    """The fight without the settings that are complained about; without the last ones if that does not help."""
    blamed = {problem.file for problem in problems}
    left = [setting for setting in sets if f"--set {setting}" not in blamed]
    while left:
        try:
            return load(where, sets=left)
        except ScenarioError as error:
            blamed = {problem.file for problem in error.problems}
            fewer = [setting for setting in left if f"--set {setting}" not in blamed]
            left = fewer if len(fewer) < len(left) else left[:-1]
    return base


# ------------------------------------------------------------------------------------------------------------- changes


def with_value(fight: OpenFight, path: str, typed: str) -> Variant:
    """The variant after somebody has typed a value; one that puts back what the file says is no change."""
    variant = fight.variant.with_value(path, typed)
    setting = from_text(f"{path}={typed}")
    if isinstance(setting, Problem) or _inside_what_is_set(variant, path):
        return variant
    before = value_in(fight.base, path)
    unchanged = before == setting.value and isinstance(before, bool) == isinstance(setting.value, bool)
    return fight.variant.without(path) if unchanged else variant


def with_place(fight: OpenFight, path: str, place: str, line: str = "") -> Variant:
    """The variant after somebody has put a token elsewhere.

    The path may lead to an entry of a list (`enemies[0].squares[1]`), which is written as a whole, as it stands now or
    as `line` says: the entry is replaced, or is one more where the list is shorter.
    """
    steps = key_path(path)
    if not isinstance(steps[-1], int):
        return with_value(fight, path, place)
    whole, at = spell(steps[:-1]), steps[-1]
    said = from_text(f"{whole}=[{line}]")
    stand = said.value if line and not isinstance(said, Problem) and isinstance(said.value, list) else None
    there = [on_one_line(entry) for entry in stand or value_in(fight.scenario, whole) or []]
    return with_value(fight, whole, f"[{', '.join([*there[:at], place, *there[at + 1 :]])}]")


def _inside_what_is_set(variant: Variant, path: str) -> bool:
    """Whether a list or table around a path is set as a whole: then the file's own value counts no more."""
    whole = key_path(path)
    return any(whole[: len(path_of(one))] == path_of(one) != whole for one in variant.sets)


def value_in(scenario: Scenario, path: str) -> Any:
    """What stands at a path of a fight; None where nothing does."""
    try:
        return value_now(scenario, path)
    except (InputError, LookupError, ValueError):
        return None


def with_entry(fight: OpenFight, key: str, name_key: str, name: str) -> Variant:
    """One more hero or enemy: of this class or type, and where more is needed as the last one is."""
    entries = fight.scenario.data.get(key, [])
    required = [one for one in _required(fight, key) if one != name_key]
    last = entries[-1] if entries else {}
    entry = {name_key: name} | {one: last[one] for one in required if one in last}
    return fight.variant.with_value(key, on_one_line([*entries, entry]))


def without_entry(fight: OpenFight, key: str, place: int) -> Variant:
    """One hero or enemy less."""
    entries = fight.scenario.data.get(key, [])
    left = [entry for at, entry in enumerate(entries) if at != place]
    if left == fight.base.data.get(key):
        return fight.variant.without(key)
    return fight.variant.with_value(key, on_one_line(left))


def _required(fight: OpenFight, key: str) -> list[str]:
    shape = Shape.of(fight.scenario.ruleset).at((key, 0))
    return [name for name in shape.keys if shape.at((name,)).required]


def on_one_line(value: Any) -> str:
    """A value as `--set` takes it, on one line."""
    if isinstance(value, str):
        return value_text([value])[1:-1]
    return " ".join(line.strip() for line in value_text(value).splitlines())
