"""Overrides: `--set enemies.skeleton.count=4` changes one value of a scenario before it is checked.

A path goes down by key, by the index of a list entry, by its name, type, class or card, or by `*` for all entries:

    level=3    heroes.0.level=2    heroes[0].level=2    heroes.*.level=2    enemies.skeleton.count=4
    heroes.rogue 2.level=3         (the second of several rogues, as the tables call it)
    switches.monster_damage=one    policy_options.engage=talk    heroes.priest.items.healing_potion=2

A value is read as TOML; what is no TOML is a text. A key that the file does not have may be set if the schema knows it.

A file may say nothing of an archer's dice; then they are those of the class. To set one of them,

    --set heroes.archer.dice.combat=3

all of them must be written, because a table of dice, where there is one, takes the place of the class's as a whole. So
before one value of such a table or list is set, it is filled in with what stands there in the resolved fight
(`LeftOut`). Tables with keys of their own (an enemy's weapon) need no filling: a ruleset reads them key by key.
"""

from __future__ import annotations

import contextlib
import copy
import datetime
import json
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import ValidationError

from sim.core.ruleset import Ruleset
from sim.errors import Problem, SimError, did_you_mean
from sim.scenario.shape import Shape, kind_of
from sim.scenario.toml_writer import value_text
from sim.scenario.values import KeyPath, python_values, spell, steps, strange_values

NAMES = ("name", "id", "type", "class", "card", "kind")  # keys by which an entry of a list may be called


@dataclass(frozen=True, slots=True)
class Override:
    """One value to be set, and how it was asked for."""

    path: str
    value: Any
    place: str  # shown with every problem: '--set level=11'
    text: str | None = None  # the value as it was typed, where it was


Filling: TypeAlias = Callable[[KeyPath], Any]  # what stands in a table or list that is left out; None for nothing


class Unfit(Exception):  # noqa: N818 (never leaves this module)
    """An override that leads nowhere; the message says why."""


def from_text(setting: str) -> Override | Problem:
    """An override as typed: `path=value`."""
    place = f"--set {setting}"
    path, equals, typed = setting.partition("=")
    if not equals:
        return Problem("", "expected path=value, as in --set enemies.skeleton.count=4", place)
    return Override(path.strip(), _as_toml(typed.strip()), place, typed.strip())


def from_python(path: str, value: Any) -> Override:
    """An override from Python, shown as it would be typed."""
    own = python_values(value)
    try:
        typed = value_text(own)
    except TypeError:  # no value of TOML; the checks will say so
        typed = repr(own)
    return Override(path.strip(), own, f"--set {path}={typed}")


def _as_toml(typed: str) -> Any:
    """The value as TOML, or the bare text.

    >>> _as_toml("4"), _as_toml("[1, 2]"), _as_toml("one"), _as_toml("2d6")
    (4, [1, 2], 'one', '2d6')
    """
    try:
        table = tomllib.loads(f"value = {typed}")
    except (ValueError, RecursionError):
        return typed
    value = table.pop("value", typed)
    odd = isinstance(value, (datetime.date, datetime.time)) or (isinstance(value, float) and not math.isfinite(value))
    return typed if table or odd else value


def apply(
    data: dict[str, Any], overrides: Sequence[Override], ruleset: Ruleset[Any]
) -> tuple[dict[KeyPath, str], list[Problem]]:
    """Sets the values in `data`. Which paths were set by whom, and the overrides that lead nowhere."""
    touched: dict[KeyPath, str] = {}
    problems = []
    left_out: LeftOut | None = None
    for place, override in enumerate(overrides):

        def what_stands_there(path: KeyPath, before: dict[str, Any] = data, place: int = place) -> Any:
            nonlocal left_out
            if left_out is None:  # everything before this override is set already; what comes after it counts too
                left_out = LeftOut(_with_all_that_can_be_set(before, overrides[place:], ruleset), ruleset)
            try:
                return left_out.at(path)
            except Unresolved:
                raise Unfit(f"{spell(path)} is left to the game; set it when the rest is in order") from None

        try:
            paths = _apply_one(data, override, ruleset, what_stands_there)
        except Unfit as error:
            problems.append(Problem("", str(error), override.place))
        else:
            touched |= dict.fromkeys(paths, override.place)
    return touched, problems


def _apply_one(data: dict[str, Any], override: Override, ruleset: Ruleset[Any], filling: Filling) -> list[KeyPath]:
    """Sets one value wherever it is meant, or nothing at all; the paths that were set."""
    changed = copy.deepcopy(data)
    shape = Shape.of(ruleset)
    paths = _paths(changed, override, shape, ruleset, filling)
    for path in paths:
        value = _fitting(override, shape.at(path))
        if misfits := list(strange_values(value)):
            raise Unfit(misfits[0][1])
        _set(changed, path, value)
    data |= changed
    return paths


def _with_all_that_can_be_set(
    data: dict[str, Any], overrides: Sequence[Override], ruleset: Ruleset[Any]
) -> dict[str, Any]:
    """The scenario with all values that lie in no table or list that is left out: level, switches, cores.

    What stands in those that are left out may depend on them, whatever the order in which they were asked for.
    """

    def waits(path: KeyPath) -> Any:
        raise Unfit(spell(path))

    data = copy.deepcopy(data)
    for override in overrides:
        with contextlib.suppress(Unfit):  # told when its turn comes
            _apply_one(data, override, ruleset, waits)
    return data


def _nothing(path: KeyPath) -> Any:
    return None


def places(data: dict[str, Any], path: str, ruleset: Ruleset[Any]) -> list[KeyPath]:
    """Where in a scenario a path leads, as in `enemies.skeleton.count`; empty where it leads nowhere."""
    try:
        return _paths(copy.deepcopy(data), Override(path.strip(), None, path), Shape.of(ruleset), ruleset, _nothing)
    except Unfit:
        return []


def _paths(
    data: dict[str, Any], override: Override, shape: Shape, ruleset: Ruleset[Any], filling: Filling
) -> list[KeyPath]:
    """The places that an override means: one, or several where it has a `*`. Tables on the way are made in `data`."""
    wanted = steps(override.path)
    if wanted is None:
        raise Unfit(f"'{override.path}' is not a path; write it as in enemies.skeleton.count or heroes[0].level")
    if wanted[0] == "ruleset":
        raise Unfit("a fight belongs to its ruleset; write a file for the other game")
    if wanted[0] == "bestiary":
        raise Unfit("a bestiary is read with the file that names it; change that file")
    if len(wanted) == 1 and wanted[0] not in shape.keys and wanted[0] in ruleset.switchboard.switches:
        raise Unfit(f"unknown key '{wanted[0]}'; did you mean 'switches.{wanted[0]}'?")
    found: list[tuple[KeyPath, Any]] = [((), data)]
    for place, step in enumerate(wanted):
        last = place == len(wanted) - 1
        found = [below for path, value in found for below in _below(path, value, step, shape.at(path), last, filling)]
    return [path for path, _ in found]


def _below(
    path: KeyPath, value: Any, step: str, shape: Shape, last: bool, filling: Filling
) -> list[tuple[KeyPath, Any]]:
    """One step down: the entries of a list that are meant, or the value under a key."""
    if isinstance(value, list):
        return [((*path, index), value[index]) for index in _entries(path, value, step)]
    if not isinstance(value, dict):
        raise Unfit(f"{spell(path)} is a single value; there is no '{step}' in it")
    if step == "*":
        raise Unfit(f"'*' stands for all entries of a list, and {spell(path) or 'a scenario'} is a table")
    there = shape.at((step,))
    if step in value and (last or isinstance(value[step], (dict, list))):
        return [((*path, step), value[step])]
    if not there and step not in value:
        raise Unfit(f"unknown key '{spell((*path, step))}'{_nearest(path, step, value, shape)}")
    if last:
        return [((*path, step), None)]
    if step in value:
        raise Unfit(f"{spell((*path, step))} is a single value; nothing lies below it")
    below = (*path, step)
    content = filling(below) if there.counts_as_a_whole and not there.required else None
    if content is None and there.takes("object"):
        content = {}
    if content is None:
        raise Unfit(f"the scenario has no {spell(below)} to change")
    value[step] = content
    return [(below, content)]


def _nearest(path: KeyPath, step: str, value: Mapping[str, Any], shape: Shape) -> str:
    known = list(dict.fromkeys([*shape.keys, *value]))
    nearest = did_you_mean(step, known)
    return nearest or (f" (known: {', '.join(known)})" if known else "")


def _entries(path: KeyPath, entries: list[Any], step: str) -> list[int]:
    """Which entries of a list are meant: by index, by `*`, or by what they are called."""
    if not entries:
        raise Unfit(f"{spell(path)} has no entries")
    if step == "*":
        return list(range(len(entries)))
    if step.isdecimal():
        index = int(step)
        if index >= len(entries):
            raise Unfit(f"{spell((*path, index))} is not there: {spell(path)} has the entries 0 to {len(entries) - 1}")
        return [index]
    called = _called(entries, step)
    if len(called) == 1:
        return called
    if called:
        which = ", ".join(spell((*path, index)) for index in called)
        raise Unfit(f"'{step}' may be any of {which}; name one by its index or as '{step} 1', or all by '*'")
    base, _, number = step.rpartition(" ")
    if number.isdecimal() and 1 <= int(number) <= len(alike := _called(entries, base)):
        return [alike[int(number) - 1]]
    names = [str(entry[key]) for entry in entries if isinstance(entry, dict) for key in NAMES if key in entry]
    known = ", ".join(dict.fromkeys(names))
    there = f" (there: {known})" if known else ""
    raise Unfit(f"no entry of {spell(path)} is called '{step}'{did_you_mean(step, names)}{there}")


def _called(entries: list[Any], name: str) -> list[int]:
    """The entries of this name; or of this type, and so on."""
    for key in NAMES:
        called = [index for index, entry in enumerate(entries) if isinstance(entry, dict) and entry.get(key) == name]
        if called:
            return called
    return []


def _fitting(override: Override, shape: Shape) -> Any:
    """The value, or the text as typed where only a text fits: a hero may be called 007."""
    value, typed = override.value, override.text
    if typed is None or isinstance(value, str):
        return value
    only_as_text = shape.takes("string") and not shape.takes(kind_of(value))
    listed_as_text = typed in shape.choices and value not in shape.choices
    return typed if only_as_text or listed_as_text else value


def _set(data: Any, path: KeyPath, value: Any) -> None:
    for step in path[:-1]:
        if isinstance(data, dict):
            data = data.setdefault(step, {})
        else:
            data = data[step]
    data[path[-1]] = value


# ------------------------------------------------------------------------------ what a scenario leaves to class or type


class Unresolved(Exception):  # noqa: N818 (told by whoever asked)
    """The scenario is not in order, and so nobody knows what stands there."""


class LeftOut:
    """The numbers of a scenario, for filling in what it leaves out."""

    def __init__(self, data: dict[str, Any], ruleset: Ruleset[Any]) -> None:
        self.data = data
        self.full = _in_full(data, ruleset)

    def at(self, path: KeyPath) -> Any:
        """What stands at a path, a copy of one's own; None for nothing."""
        if self.full is None:
            raise Unresolved
        written: Any = self.data
        found: Any = self.full
        for step in path:
            if isinstance(found, list):
                if not isinstance(written, list) or len(written) != len(found):
                    return None  # not the same entries
                written, found = written[int(step)], found[int(step)]
            elif isinstance(found, dict):
                written, found = written.get(step) if isinstance(written, dict) else None, found.get(step)
            else:
                return None
        return copy.deepcopy(found)


def _in_full(data: dict[str, Any], ruleset: Ruleset[Any]) -> dict[str, Any] | None:
    """Every number of a scenario; None where it cannot be told."""
    try:
        model = ruleset.scenario_model.model_validate_json(json.dumps(data))
    except ValidationError:
        return None
    if ruleset.switchboard.problems(model.preset, model.switches):
        return None
    try:
        return ruleset.in_full(model)
    except (SimError, LookupError, ValueError):
        return None  # names that do not exist, and the like: the ruleset tells them when it is asked for problems
