"""A policy, read and checked."""

from __future__ import annotations

from dataclasses import dataclass

from sim.core.policy import Line, read_entry, read_lines, split_dial, with_slips
from sim.core.ruleset import read_table
from sim.errors import ScenarioError
from tests.games.coins.data import FOLDER
from tests.games.coins.schema import CoinScenario
from tests.games.coins.vocabulary import VOCABULARY

BY_LOT = [{"do": "flip", "target": "random"}]  # what a careless hero does


@dataclass(frozen=True, slots=True)
class Plan:
    """A policy ready to be followed."""

    turn: tuple[Line, ...]
    bluff: bool


def read_plan(scenario: CoinScenario) -> Plan:
    """The plan of the scenario's policy; raises ScenarioError with all that is wrong in it."""
    name, slip = split_dial(scenario.policy)
    entry, problems = read_entry(name, read_table(FOLDER, "policies.toml"), keys=("about", "turn"))
    lines, wrong = read_lines(entry.get("turn", []), VOCABULARY, f"policies.{name}.turn")
    if problems + wrong:
        raise ScenarioError(problems + wrong)
    return Plan(with_slips(lines, BY_LOT, VOCABULARY, slip), scenario.policy_options.bluff)
