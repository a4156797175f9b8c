"""Everything that is wrong with a scenario, in words that name the key, what was found and what was expected.

The checks are the ruleset's own model, its switchboard and its `problems`; this module turns what they say into one
message per key. Where the value stands (a line of a file, an override) is added by whoever knows it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from sim.core.policy import split_dial
from sim.core.registry import ruleset as find_ruleset
from sim.core.registry import ruleset_names
from sim.core.ruleset import Ruleset
from sim.core.schema import ScenarioModel
from sim.errors import ScenarioError, did_you_mean
from sim.scenario.own_types import TABLES as OWN_TYPES
from sim.scenario.own_types import gone_with, problems_of_own_types
from sim.scenario.shape import Shape, in_words, kind_of, shown
from sim.scenario.values import KeyPath, key_path


@dataclass(frozen=True, slots=True)
class Misfit:
    """One thing that is wrong, at a place in the scenario."""

    path: KeyPath
    message: str


def ruleset_of(data: Mapping[str, Any]) -> tuple[Ruleset[Any] | None, list[Misfit]]:
    """The ruleset a scenario belongs to. A misspelled one is guessed, so that the rest can be checked all the same."""
    known = ruleset_names()
    name = data.get("ruleset")
    if isinstance(name, str) and name in known:
        return find_ruleset(name), []
    if "ruleset" not in data:
        misspelled = get_close_matches("ruleset", [key for key in data if data[key] in list(known)], n=1, cutoff=0.6)
        if misspelled:
            return find_ruleset(data[misspelled[0]]), []  # the model will complain about both keys
        return None, [Misfit(("ruleset",), f"missing; expected {_listed(known)}")]
    guess = get_close_matches(name, known, n=1, cutoff=0.5) if isinstance(name, str) else []
    nearest = did_you_mean(name, known) if isinstance(name, str) else ""
    misfit = Misfit(("ruleset",), f"expected {_listed(known)}, found {shown(name)}{nearest}")
    return (find_ruleset(guess[0]) if guess else None), [misfit]


def check(ruleset: Ruleset[Any], data: Mapping[str, Any]) -> tuple[ScenarioModel | None, list[Misfit]]:
    """The scenario as a model if it is one, and everything that is wrong with it, one message per key."""
    model: ScenarioModel | None = None
    found: list[Misfit] = []
    try:
        # As JSON: lists may fill tuples and texts may fill enums, and yet no text is made a number.
        model = ruleset.scenario_model.model_validate_json(json.dumps(data))
    except ValidationError as error:
        found += _translated(error.errors(include_url=False), data, Shape.of(ruleset))
    found += _chosen_names(ruleset, data)
    found += [Misfit(path, message) for path, message in problems_of_own_types(data, ruleset)]
    if model is not None and not found:
        found += [Misfit(key_path(problem.key), problem.message) for problem in ruleset.problems(model)]
    elif found:
        found += _of_the_others(ruleset, data, found)
    return model, once_per_key(found)


def _of_the_others(ruleset: Ruleset[Any], data: Mapping[str, Any], found: list[Misfit]) -> list[Misfit]:
    """What the ruleset says of everything that is in order, where some values are not.

    Values that do not fit are left out, and whole heroes, enemies and so on that cannot be without them. What is said
    of the fight as a whole, or of a key that the file does not have, may be due to that, and is not told.
    """
    wrong = [misfit.path for misfit in found]
    if () in wrong:
        return []  # a check of the model's own about all of it
    wrong += gone_with(data, ruleset, wrong)
    rest = {"title": "the rest"} | _without(data, wrong) | {"description": ""}
    model, lost = _model_of(ruleset, rest)
    left_out = {(str(path[0]), int(path[1])) for path in lost if _in_an_entry(path, rest)}
    places = {}
    for key in {key for key, _ in left_out}:
        places[key] = [place for place in range(len(rest[key])) if (key, place) not in left_out]
        rest[key] = [rest[key][place] for place in places[key]]
    if left_out:
        model, _ = _model_of(ruleset, rest)
    if model is None:
        return []  # nobody is left, or something about the fight itself is missing
    said = [Misfit(_as_written(key_path(problem.key), places), problem.message) for problem in ruleset.problems(model)]
    return [misfit for misfit in said if _stands_by_itself(misfit.path, data, wrong)]


def _model_of(ruleset: Ruleset[Any], data: Mapping[str, Any]) -> tuple[ScenarioModel | None, list[KeyPath]]:
    """The scenario as a model, or where it is none."""
    try:
        return ruleset.scenario_model.model_validate_json(json.dumps(data)), []
    except ValidationError as error:
        return None, [tuple(error["loc"]) for error in error.errors(include_url=False)]


def _without(value: Any, paths: Iterable[KeyPath]) -> Any:
    """The same value without what stands at these paths; a list with a wrong member is left out as a whole."""
    if not isinstance(value, Mapping | list):
        return value
    inside: dict[str | int, list[KeyPath]] = {}
    for path in paths:
        if path:  # a member of a list that is wrong as a whole stays where it is: the others keep their numbers
            inside.setdefault(path[0], []).append(path[1:])
    if isinstance(value, list):
        return [_without(member, inside.get(place, [])) for place, member in enumerate(value)]
    return {
        key: _without(member, inside.get(key, []))
        for key, member in value.items()
        if not any(_leaves_out(member, path) for path in inside.get(key, []))
    }


def _leaves_out(member: Any, path: KeyPath) -> bool:
    """Whether a member of a table goes as a whole: it is what does not fit, or a list of plain values that has it."""
    plain = isinstance(member, list) and not any(isinstance(entry, Mapping) for entry in member)
    return not path or plain or not isinstance(member, Mapping | list)


def _stands_by_itself(path: KeyPath, data: Mapping[str, Any], wrong: list[KeyPath]) -> bool:
    """Whether a message is about a value of the file, and not about one that was left out or the fight as a whole."""
    if any(path[: len(place)] == place or place[: len(path)] == path for place in wrong):
        return False
    if len(path) > 1 and (isinstance(path[1], int) or path[0] in OWN_TYPES):
        return True
    return len(path) == 1 and isinstance(data.get(str(path[0])), str | int)


def _in_an_entry(path: KeyPath, data: Mapping[str, Any]) -> bool:
    """Whether a path leads into a table of a list, such as one of the enemies."""
    if len(path) < 2 or not isinstance(path[1], int):
        return False
    entries = data.get(str(path[0]))
    return isinstance(entries, list) and path[1] < len(entries) and isinstance(entries[path[1]], Mapping)


def _as_written(path: KeyPath, places: Mapping[str, list[int]]) -> KeyPath:
    """A path into what was left, as a path into the file: entries are counted with those that were left out."""
    if len(path) < 2 or path[0] not in places:
        return path
    key, place, *further = path
    return (key, places[str(key)][int(place)], *further)


def misfits_of(error: ValidationError, data: Mapping[str, Any], shape: Shape) -> list[Misfit]:
    """What a model of ours has to say about a table, in our words; for files that are no scenarios too."""
    return once_per_key(_translated(error.errors(include_url=False), data, shape))


def _chosen_names(ruleset: Ruleset[Any], data: Mapping[str, Any]) -> list[Misfit]:
    """Preset, switches and policies: what is data of the ruleset. What has the wrong type the model reports."""
    preset, switches, policy = data.get("preset"), data.get("switches", {}), data.get("policy")
    problems = ruleset.switchboard.problems(
        preset if isinstance(preset, str) else None, switches if isinstance(switches, dict) else {}
    )
    found = [Misfit(key_path(problem.key), problem.message) for problem in problems]
    own = data.get("policies")
    own = own if isinstance(own, dict) else {}
    found += [Misfit(key_path(problem.key), problem.message) for problem in ruleset.problems_of_policies(data)]
    known = [*ruleset.policies, *own]
    if isinstance(policy, str):
        found += [Misfit(("policy",), problem) for problem in _policy_problems(policy, known)]
    return found


def _policy_problems(policy: str, known: list[str]) -> list[str]:
    try:
        policy, _ = split_dial(policy)
    except ScenarioError as error:
        return [problem.message for problem in error.problems]
    if policy in known:
        return []
    remedy = did_you_mean(policy, known) or f" (known: {', '.join(known)})"
    return [f"unknown policy '{policy}'{remedy}"]


def once_per_key(found: list[Misfit]) -> list[Misfit]:
    """What was said first about each key."""
    return list({misfit.path: misfit for misfit in reversed(found)}.values())[::-1]


def _listed(names: Mapping[str, str]) -> str:
    return in_words({"enum": list(names)})


_PYDANTICS_OWN = frozenset(get_args(ErrorType))  # every other type of error is a ruleset's own

# What pydantic says, in our words. A path in pydantic's sense also names the branch of a union that was tried, as in
# ("enemies", 0, "count", "int"); such words stand for no key and are told from keys by walking along the scenario.


@dataclass(frozen=True, slots=True)
class _Complaint:
    path: KeyPath  # without branches
    branches: tuple[tuple[KeyPath, str], ...]  # (where, which) of every union on the way
    error: ErrorDetails


def _translated(errors: list[ErrorDetails], data: Mapping[str, Any], shape: Shape) -> list[Misfit]:
    complaints = [_located(error, data) for error in errors]
    complaints = _without_echoes(_likeliest_branches(complaints, data), shape)
    by_path: dict[KeyPath, list[_Complaint]] = {}
    for complaint in complaints:
        by_path.setdefault(complaint.path, []).append(complaint)
    return [Misfit(path, _message(same_key, data, shape)) for path, same_key in by_path.items()]


def _located(error: ErrorDetails, data: Mapping[str, Any]) -> _Complaint:
    value: Any = data
    path: list[str | int] = []
    branches: list[tuple[KeyPath, str]] = []
    for place, step in enumerate(error["loc"]):
        last = place == len(error["loc"]) - 1
        in_table = isinstance(value, dict) and step in value
        in_list = isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value)
        if in_table or in_list:
            value = value[step]
            path.append(step)
        elif last and error["type"] == "missing":
            path.append(step)
        elif step != "[key]":
            branches.append((tuple(path), str(step)))
    return _Complaint(tuple(path), tuple(branches), error)


def _likeliest_branches(complaints: list[_Complaint], data: Mapping[str, Any]) -> list[_Complaint]:
    """Of every union that a list or table did not fit, only what the nearest branch has to say.

    The nearest is the one that took the kind of value at all, and among those the one with the fewest complaints.
    """
    tried: dict[KeyPath, dict[str, list[_Complaint]]] = {}
    for complaint in complaints:
        for where, which in complaint.branches:
            tried.setdefault(where, {}).setdefault(which, []).append(complaint)
    dropped: set[int] = set()
    for where, branches in tried.items():
        if isinstance(value_at(data, where), (dict, list)):
            nearest = min(branches, key=lambda which: (_wrong_kind(branches[which], where), len(branches[which])))
            dropped |= {id(one) for which in branches if which != nearest for one in branches[which]}
    return [complaint for complaint in complaints if id(complaint) not in dropped]


def _wrong_kind(complaints: list[_Complaint], where: KeyPath) -> bool:
    """Did the branch refuse the value as a whole, without a look inside?"""
    refusals = _PYDANTICS_OWN - {"too_short", "too_long"}
    return any(complaint.path == where and complaint.error["type"] in refusals for complaint in complaints)


def _without_echoes(complaints: list[_Complaint], shape: Shape) -> list[_Complaint]:
    """A misspelled key is one mistake: that the right one is missing need not be said as well."""
    meant: set[KeyPath] = set()
    for complaint in complaints:
        if complaint.error["type"] == "extra_forbidden":
            table, key = complaint.path[:-1], str(complaint.path[-1])
            meant |= {(*table, near) for near in get_close_matches(key, shape.at(table).keys, n=1, cutoff=0.5)}
    return [one for one in complaints if not (one.error["type"] == "missing" and one.path in meant)]


def _message(complaints: list[_Complaint], data: Mapping[str, Any], shape: Shape) -> str:
    """One sentence for one key, though several branches of a union may have complained."""
    path = complaints[0].path
    types = {complaint.error["type"] for complaint in complaints}
    here = shape.at(path)
    if "extra_forbidden" in types:
        return _unknown_key(str(path[-1]), shape.at(path[:-1]))
    if "missing" in types:
        return f"missing; expected {here.expected}"
    for complaint in complaints:
        if (own_words := _own_words(complaint.error)) is not None:
            return own_words
    value = value_at(data, path)
    nearest = ""
    if isinstance(value, str):
        nearest = did_you_mean(value, [choice for choice in here.choices if isinstance(choice, str)])
    return f"expected {here.expected}, found {shown(value)}{nearest or _remedy(value, here)}"


def _own_words(error: ErrorDetails) -> str | None:
    """The message of a check that a ruleset has written itself."""
    if error["type"] in ("value_error", "assertion_error"):
        return error["msg"].partition(", ")[2]
    return error["msg"] if error["type"] not in _PYDANTICS_OWN else None


def _unknown_key(key: str, table: Shape) -> str:
    nearest = did_you_mean(key, table.keys)
    known = f" (known: {', '.join(table.keys)})" if table.keys and not nearest else ""
    return f"unknown key{nearest}{known}"


def _remedy(value: Any, here: Shape) -> str:
    """What to do about the usual slips."""
    if isinstance(value, str) and not here.takes("string"):
        if here.takes("integer") and value.strip().lstrip("+-").isdigit():
            return " (write it without quotes)"
        if here.takes("boolean") and value.lower() in ("true", "false", "yes", "no", "on", "off"):
            return " (write true or false, without quotes)"
    if isinstance(value, dict) and here.takes("array") and not here.takes("object"):
        return " (an entry of a list has two brackets, as in [[heroes]])"
    texts_only = all(option.get("type") == "string" for option in here.options)
    if texts_only and not here.choices and kind_of(value) in ("integer", "number", "boolean"):
        return " (write it in quotes)"
    return ""


def value_at(data: Any, path: KeyPath) -> Any:
    """The value at a path that is there."""
    for step in path:
        data = data[step]
    return data
