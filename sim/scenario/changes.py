"""What was changed in a fight before it was played, for people: 'nine skeletons (was three)'.

A title says what the file says. Once `--set`, `--policy`, `--preset` or a variant has changed the fight, whoever names
it says so beside the title, and marks the changed values where they stand.
"""

from __future__ import annotations

import copy
import os
import shlex
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sim.errors import Problem, SimError
from sim.scenario.overrides import from_text, places
from sim.scenario.scenario import Scenario
from sim.scenario.values import KeyPath, is_list_of_tables, readable
from sim.scenario.wording import in_words, setting_in_words, value_in_words


def title_in_full(scenario: Scenario) -> str:
    """The title, and what is no longer as the title's author wrote it."""
    changes = changes_in_words(scenario)
    return f"{scenario.title}, changed: {'; '.join(changes)}" if changes else scenario.title


def command_for(scenario: Scenario, what: str, option: str, number: int, seed: int) -> str:
    """What to type about this fight, with the changes that were made to it: 'fairfight replay ... --run=3 --seed=1'.

    In Python for a fight that has no file.
    """
    if scenario.source is None:
        return f"sim.{what}(table, {option}={number}, seed={seed})  # Python; table = result.scenario.data"
    changes = []
    for change in scenario.changes:  # '--policy cautious', '--set level=3', or from Python 'set level = 3'
        how, _, value = change.partition(" ")
        changes += [how, value] if how.startswith("--") else ["--set", value.replace(" = ", "=", 1)]
    fight = scenario.name if "/" in scenario.name else os.path.relpath(str(scenario.source))
    return shlex.join(["fairfight", what, fight, *changes, f"--{option}={number}", f"--seed={seed}"])


def changes_in_words(scenario: Scenario, since: Scenario | None = None) -> list[str]:
    """Everything that differs from the file, or from the fight `since` which this one was made of.

    The old value stands with it where it can be known; a value set to what it was is no change.
    """
    before = since or _as_written(scenario)
    first = len(since.changes) if since is not None else 0
    latest: dict[Any, tuple[str, Any]] = {}  # place -> path and value; of two changes of one place the later counts
    for change in scenario.changes[first:]:
        path, value = _read(change)
        where = tuple(places(scenario.data, path, scenario.ruleset)) or path
        latest.pop(where, None)
        latest[where] = path, value
    found = []
    for path, value in latest.values():
        old = _known_value(before, path)
        if old is None or old != value:
            was = "" if old is None else f" (was {value_in_words(path, old)})"
            found.append(f"{setting_in_words(path, value, scenario.data)}{was}")
    return found


def changes_since(variant: Scenario, base: Scenario) -> tuple[str, ...] | None:
    """What was asked for to make a variant of a fight, as it is typed; None where it was not made of that fight."""
    made_of_base = variant.name == base.name and variant.changes[: len(base.changes)] == base.changes
    return variant.changes[len(base.changes) :] if made_of_base else None


def asked_for_in_words(sets: Sequence[str], scenario: Scenario) -> str:
    """Settings as typed, in words: the name of a variant to which nobody gave one.

    >>> from sim.scenario import load
    >>> asked_for_in_words(["enemies.skeleton.count=4", "level=2"], load("overhill/playtest-1"))
    'four skeletons and level 2'
    """
    settings = [from_text(text) for text in sets]
    return in_words(
        [
            text if isinstance(setting, Problem) else setting_in_words(setting.path, setting.value, scenario.data)
            for text, setting in zip(sets, settings, strict=True)
        ]
    )


def variant_in_words(variant: Scenario, base: Scenario) -> str:
    """What a variant changes in the fight that it is set against; another fight is named."""
    if variant == base:
        return "nothing"
    if not changes_since(variant, base):
        return f"another fight: {title_in_full(variant)}"
    return "; ".join(changes_in_words(variant, since=base)) or "nothing"


def as_played_marked(scenario: Scenario) -> dict[str, Any]:
    """The fight as it is played, with every value that the changes have moved marked: '9 (was 3)'."""
    played, before = scenario.as_played(), _as_written(scenario)
    if before is None:
        return played
    try:
        written = before.as_played()
    except (SimError, LookupError, ValueError):  # the file alone is no fight that can be played
        return played
    return {key: _marked(value, written.get(key)) for key, value in played.items()}


def value_now(scenario: Scenario, path: str) -> Any:
    """What a value stands at today: in the resolved fight, or among the switches; None where it cannot be told."""
    full = all_values(scenario)
    found = [_at(full, place) for place in places(full, path, scenario.ruleset)]
    return copy.deepcopy(found[0]) if found and all(value == found[0] for value in found) else None


@lru_cache(maxsize=32)  # asked for again with every change of a fight, and for every value
def all_values(scenario: Scenario) -> dict[str, Any]:
    """Every value of a fight as it stands today, to be read: the resolved ones, all switches, policy and preset."""
    return scenario.in_full() | {"switches": scenario.settings, "policy": scenario.policy, "preset": scenario.preset}


# -------------------------------------------------------------------------------------------------------------- pieces


def _read(change: str) -> tuple[str, Any]:
    """Path and value of a change as it was asked for: '--set level=3', '--policy plain'."""
    option, _, rest = change.partition(" ")
    if option != "--set":
        return option.removeprefix("--"), rest
    setting = from_text(rest)
    assert not isinstance(setting, Problem), change  # it has been applied
    return setting.path, setting.value


def _as_written(scenario: Scenario) -> Scenario | None:
    """The fight before any change; None where there was none."""
    if scenario.before is None:
        return None
    return Scenario(scenario.ruleset_name, scenario.name, scenario.before, scenario.source)


def _known_value(scenario: Scenario | None, path: str) -> Any:
    try:
        return None if scenario is None else value_now(scenario, path)
    except (SimError, LookupError, ValueError):  # without its changes it is no fight that can be played
        return None


def _at(table: Any, place: KeyPath) -> Any:
    for step in place:
        if table is None:  # a table that the fight does without
            return None
        table = table.get(step) if isinstance(table, dict) else table[step]
    return table


def _marked(now: Any, before: Any) -> Any:
    """A value, a table or a list of tables; what lies deeper (a weapon's formula) is told in the title alone."""
    if is_list_of_tables(now) and is_list_of_tables(before) and len(now) == len(before):
        return [_marked(one, other) for one, other in zip(now, before, strict=True)]
    if isinstance(now, Mapping) and isinstance(before, Mapping):
        return {key: _marked_value(value, before.get(key)) for key, value in now.items()}
    return _marked_value(now, before)


def _marked_value(now: Any, before: Any) -> Any:
    single = not isinstance(now, (Mapping, list)) and not isinstance(before, (Mapping, list))
    return f"{readable(now)} (was {readable(before)})" if single and now != before else now
