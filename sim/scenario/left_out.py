"""What stands in the tables and lists that a scenario leaves to class or type.

A file may say nothing of an archer's dice; then they are those of the class. To set one of them,

    --set heroes.archer.dice.combat=3

all of them must be written, because a table of dice, where there is one, takes the place of the class's as a whole. So
before one value of such a table or list is set, it is filled in with what stands there in the resolved fight. Tables
with keys of their own (an enemy's weapon) need no filling: a ruleset reads them key by key.
"""

from __future__ import annotations

import copy
import json
from typing import Any

from pydantic import ValidationError

from sim.core.ruleset import Ruleset
from sim.errors import SimError
from sim.scenario.paths import KeyPath


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
