"""`show`, `--set`, `sensitivity` and `tune` reach the same numbers, in every fight that is shipped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sim.errors import SimError
from sim.scenario import Scenario, load, scenario_names
from sim.scenario.changes import value_now
from sim.scenario.values import KeyPath, spell
from sim.studies.moves import WHERE, unit_numbers

NOT_NUMBERS_OF_THE_FIGHT = ("switches", "policies", "policy_options")  # shown as what they are, and set by name
PLACES = (*WHERE, "entrance", "exit")  # where somebody stands or the board opens: no strength, so nothing to rank


def numbers_in(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    """The paths of all numbers."""
    if isinstance(value, dict):
        for key, part in value.items():
            if path or key not in NOT_NUMBERS_OF_THE_FIGHT:
                yield from numbers_in(part, (*path, key))
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from numbers_in(part, (*path, at))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path


def refused(scenario: Scenario, paths: list[KeyPath]) -> list[str]:
    """The paths that `--set` does not take with the value that stands there."""
    values = {spell(path): value_now(scenario, spell(path)) for path in paths}
    try:
        assert scenario.changed(values=values).digest == scenario.digest
    except (SimError, AssertionError):
        if len(paths) == 1:
            return [spell(paths[0])]
        half = len(paths) // 2
        return [*refused(scenario, paths[:half]), *refused(scenario, paths[half:])] or [spell(path) for path in paths]
    return []


@pytest.mark.soak
@pytest.mark.parametrize("name", scenario_names())
def test_every_number_that_show_prints_can_be_set_tuned_and_ranked(name: str) -> None:
    scenario = load(name)

    shown = list(numbers_in(scenario.as_played()))

    assert shown
    not_tuned = [spell(path) for path in shown if not isinstance(value_now(scenario, spell(path)), (int, float))]
    assert not not_tuned, "tune and sweep do not know these"
    assert not refused(scenario, shown), "--set does not take these"
    ranked = {path for path, _, _ in unit_numbers(scenario.in_full())}
    of_units = [path for path in shown if any(isinstance(step, int) for step in path)]
    not_ranked = [spell(path) for path in of_units if path not in ranked and not set(PLACES) & set(path)]
    assert not not_ranked, "sensitivity does not move these"


@pytest.mark.soak
@pytest.mark.parametrize("name", scenario_names())
def test_every_number_that_sensitivity_moves_is_shown(name: str) -> None:
    scenario = load(name)

    moved = {path for path, _, _ in unit_numbers(scenario.in_full())}

    assert not {spell(path) for path in moved - set(numbers_in(scenario.as_played()))}
