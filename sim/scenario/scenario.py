"""A scenario that has passed every check, and the way to it from a name, a file or a table.

It is small, comparable, and ready to travel to a worker.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

from sim.core.engine import Encounter
from sim.core.registry import ruleset as find_ruleset
from sim.core.ruleset import ExactResult, Ruleset
from sim.core.schema import ScenarioModel
from sim.errors import Problem, ScenarioError
from sim.scenario.adventure import adventures_of
from sim.scenario.adventure_file import is_adventure, lay_out
from sim.scenario.bestiary import KEY as BESTIARY
from sim.scenario.bestiary import bring_along
from sim.scenario.catalogue import find, find_beside, scenarios_of
from sim.scenario.checks import Misfit, check, once_per_key, ruleset_of
from sim.scenario.overrides import Override, apply, from_python, from_text
from sim.scenario.toml_reader import TomlFile, read_toml
from sim.scenario.values import KeyPath, python_values, spell, strange_values


@dataclass(frozen=True)
class Scenario:
    """A fight, checked. What it says is held as JSON, so that it can be sent anywhere and built again there.

    Made by `sim.scenario.load` and `sim.scenario.from_dict`, which do the checking.
    """

    ruleset_name: str
    name: str  # 'overhill/playtest-1', or the stem of the file
    content: str  # the file after overrides, as JSON
    source: Path | None = field(default=None, compare=False)
    changes: tuple[str, ...] = field(default=(), compare=False)  # the overrides, as they were asked for
    before: str | None = field(default=None, compare=False)  # the content without them; None where there are none

    def __reduce__(self) -> tuple[type[Scenario], tuple[Any, ...]]:
        """Only what it says travels; the rest is made again where it arrives."""
        return Scenario, (self.ruleset_name, self.name, self.content, self.source, self.changes, self.before)

    @property
    def data(self) -> dict[str, Any]:
        """What the file says, after overrides: a copy of your own."""
        found: dict[str, Any] = json.loads(self.content)
        return found

    @cached_property
    def ruleset(self) -> Ruleset[Any]:
        """The game; of an adventure, the game played evening by evening."""
        game = find_ruleset(self.ruleset_name)
        return adventures_of(game) if self.is_adventure else game

    @cached_property
    def is_adventure(self) -> bool:
        """Whether it is an evening of several scenes."""
        return is_adventure(self.data)

    @cached_property
    def model(self) -> ScenarioModel:
        """The scenario as the ruleset's own model."""
        return self.ruleset.scenario_model.model_validate_json(self.content)

    @property
    def title(self) -> str:
        """One line for tables and reports."""
        return self.model.title

    @property
    def description(self) -> str:
        """What the fight is for."""
        return self.model.description

    @property
    def policy(self) -> str:
        """How the party plays."""
        return self.model.policy

    @property
    def preset(self) -> str:
        """The named set of switches it is played with."""
        return self.model.preset or self.ruleset.switchboard.default_preset

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The value of every switch."""
        return self.ruleset.switchboard.settings(self.model.preset, self.model.switches)

    def resolved(self) -> dict[str, Any]:
        """The scenario with every number written out; itself a scenario that plays the same fight."""
        return self.ruleset.resolve(self.model)

    def in_full(self) -> dict[str, Any]:
        """The resolved scenario with the numbers that it leaves unwritten too: where overrides and studies begin."""
        return self.ruleset.in_full(self.model)

    def as_played(self) -> dict[str, Any]:
        """The resolved scenario with the numbers that level and switches make of it: for reading."""
        return self.ruleset.as_played(self.model)

    @cached_property
    def digest(self) -> str:
        """A short name for the fight itself: the same for every file that plays the same under the same rules.

        Made from the resolved numbers, all switches, the policy, and the ruleset's name and version; title and
        description do not count.
        """
        fight = {key: value for key, value in self.resolved().items() if key not in ("title", "description")}
        fight["switches"] = self.ruleset.switchboard.settings(fight.pop("preset", None), fight.get("switches") or {})
        whole = {"ruleset": self.ruleset_name, "version": self.ruleset.version, "fight": fight}
        canonical = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.blake2b(canonical.encode(), digest_size=16).hexdigest()

    def encounter(self) -> Encounter[Any]:
        """The fight ready to be played; compiled once in each process."""
        return _compiled(self)

    def exact(self) -> ExactResult:
        """The exact chances where the fight is small enough; NotSolvable with the reason where not."""
        return self.ruleset.exact(self.model)

    def changed(
        self,
        *,
        sets: Sequence[str] = (),
        values: Mapping[str, Any] | None = None,
        preset: str | None = None,
        policy: str | None = None,
    ) -> Scenario:
        """The same fight with some values changed, checked again: what studies do all day."""
        changed = from_dict(
            self.data, name=self.name, source=self.source, sets=sets, values=values, preset=preset, policy=policy
        )
        changes = (*self.changes, *changed.changes)
        before = changed.before if self.before is None else self.before
        return Scenario(changed.ruleset_name, changed.name, changed.content, self.source, changes, before)


@lru_cache(maxsize=256)  # a study goes to and fro among many fights
def _compiled(scenario: Scenario) -> Encounter[Any]:
    return scenario.ruleset.compile(scenario.model)


# ------------------------------------------------------------------------------------------------------------- loading


def load(
    name_or_path: str | Path,
    *,
    sets: Sequence[str] = (),
    values: Mapping[str, Any] | None = None,
    preset: str | None = None,
    policy: str | None = None,
) -> Scenario:
    """A scenario by name ('overhill/playtest-1') or by path ('fights/gate.toml'), with overrides, checked.

    Args:
        sets: overrides as on the command line: 'enemies.skeleton.count=4'.
        values: overrides from Python: {'enemies.skeleton.count': 4}.

    Raises ScenarioError with every problem that was found.
    """
    name, path = find(name_or_path)
    file = read_toml(path, str(name_or_path))
    return _checked(file.table, name, path, file, _asked_for(sets, values, preset, policy))


def from_dict(
    data: Mapping[str, Any],
    *,
    name: str = "scenario",
    source: Path | None = None,
    sets: Sequence[str] = (),
    values: Mapping[str, Any] | None = None,
    preset: str | None = None,
    policy: str | None = None,
) -> Scenario:
    """A scenario from a table as a file would hold it, with overrides, checked."""
    own = python_values(data)
    if misfits := list(strange_values(own)):
        raise ScenarioError([Problem(spell(path), what) for path, what in misfits])
    return _checked(own, name, source, None, _asked_for(sets, values, preset, policy))


def as_scenario(
    wanted: str | Path | Mapping[str, Any] | Scenario,
    *,
    sets: Sequence[str] = (),
    values: Mapping[str, Any] | None = None,
    preset: str | None = None,
    policy: str | None = None,
) -> Scenario:
    """A scenario from whatever names one: a name, a path, a table or a scenario."""
    if isinstance(wanted, Scenario):
        nothing = not sets and not values and preset is None and policy is None
        return wanted if nothing else wanted.changed(sets=sets, values=values, preset=preset, policy=policy)
    if isinstance(wanted, Mapping):
        return from_dict(wanted, sets=sets, values=values, preset=preset, policy=policy)
    return load(wanted, sets=sets, values=values, preset=preset, policy=policy)


def _checked(
    data: dict[str, Any],
    name: str,
    source: Path | None,
    file: TomlFile | None,
    asked: tuple[list[Override], list[Problem]],
) -> Scenario:
    overrides, problems = asked
    ruleset, misfits = ruleset_of(data)
    touched: dict[KeyPath, str] = {}
    came: dict[KeyPath, TomlFile] = {}
    if ruleset is not None:
        came, of_the_bestiary, of_its_name = bring_along(data, source, ruleset)
        problems += of_the_bestiary
        misfits += [Misfit((BESTIARY,), message) for message in of_its_name]
    if ruleset is not None and is_adventure(data):
        misfits += lay_out(data, ruleset, partial(_table_beside, ruleset, source))
        ruleset = adventures_of(ruleset)
    before = copy.deepcopy(data) if overrides else None
    if ruleset is not None:
        touched, leading_nowhere = apply(data, overrides, ruleset)
        problems += leading_nowhere
        if is_adventure(data) and overrides:
            game = find_ruleset(ruleset.name)
            misfits += lay_out(data, game, partial(_table_beside, game, source))
        misfits += check(ruleset, data)[1]
    problems += [_placed(misfit, file, touched, came) for misfit in once_per_key(misfits)]
    if problems:
        raise ScenarioError(_in_reading_order(problems, overrides, file))
    assert ruleset is not None  # without one there is a problem
    changes = tuple(override.place for override in overrides)
    unchanged = None if before is None else json.dumps(before, default=str)  # a date may have been set right
    return Scenario(ruleset.name, name, json.dumps(data), source, changes, unchanged)


def _table_beside(game: Ruleset[Any], source: Path | None, wanted: str) -> tuple[str, dict[str, Any]]:
    """The name and the table of a scenario that an adventure names, checked: a shipped one, or a file beside it."""
    there = find_beside(wanted, game, source)
    found = _shipped(there) if isinstance(there, str) and there in scenarios_of(game) else load(there)
    return found.name, found.data


@lru_cache(maxsize=128)
def _shipped(name: str) -> Scenario:
    """A fight that comes with a game: it does not change while this process lives, as a file of one's own may."""
    return load(name)


def _asked_for(
    sets: Sequence[str], values: Mapping[str, Any] | None, preset: str | None, policy: str | None
) -> tuple[list[Override], list[Problem]]:
    """Every override in the order in which they count: preset and policy, then the values one by one."""
    overrides: list[Override] = []
    problems: list[Problem] = []
    if preset is not None:
        overrides.append(Override("preset", preset, f"--preset {preset}"))
    if policy is not None:
        overrides.append(Override("policy", policy, f"--policy {policy}"))
    for setting in sets:
        found = from_text(setting)
        if isinstance(found, Override):
            overrides.append(found)
        else:
            problems.append(found)
    for path, value in (values or {}).items():
        overrides.append(from_python(path, value))
    return overrides, problems


def _placed(
    misfit: Misfit, file: TomlFile | None, touched: Mapping[KeyPath, str], came: Mapping[KeyPath, TomlFile]
) -> Problem:
    """The problem with its place: the override that set the value, or else the line of the file that it came from."""
    key = spell(misfit.path)
    for length in range(len(misfit.path), 0, -1):
        if misfit.path[:length] in touched:
            return Problem(key, misfit.message, touched[misfit.path[:length]])
    file = came.get(misfit.path[:2], file)
    if file is None:
        return Problem(key, misfit.message)
    return Problem(key, misfit.message, file.name, file.lines.of(misfit.path))


def _in_reading_order(problems: list[Problem], overrides: list[Override], file: TomlFile | None) -> list[Problem]:
    """Problems of the file from top to bottom, then those of its bestiary and of the overrides."""
    asked = {override.place: place for place, override in enumerate(overrides, 1)}
    own = None if file is None else file.name

    def place(problem: Problem) -> tuple[int, bool, int]:
        return asked.get(problem.file or "", 0), problem.file != own, problem.line or 0

    return sorted(problems, key=place)
