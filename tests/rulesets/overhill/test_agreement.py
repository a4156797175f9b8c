"""The engine and the scalar referee agree run by run: on every shipped fight under every policy, and on random fights.

The referee (tests/oracle/overhill) was written from the specification and from the README's draw points alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome, Outcomes
from sim.rulesets.overhill import RULESET
from sim.rulesets.overhill.encounter import OverhillEncounter
from sim.scenario import Scenario, from_dict, load, scenarios_of
from tests.oracle import overhill as oracle
from tests.oracle.luck import AddressedLuck
from tests.oracle.random_overhill import made_up_scenario, random_scenario

SEED = 4711
SHIPPED_RUNS = 60
RANDOM_RUNS = 30
RANDOM_FIGHTS = 260
MADE_UP = 40  # random fights with made-up monsters and classes; ten times as many in the soak
CHUNK = 20  # random fights in one test
EACH_TIME = 60  # random fights; the others in the soak
FEW_AND_MANY = [
    pytest.param(first, marks=[] if first < EACH_TIME else pytest.mark.soak)
    for first in range(0, RANDOM_FIGHTS, CHUNK)
]


def assert_agreement(scenario: Scenario, runs: int) -> None:
    """Every run of the engine is what the referee makes of it."""
    encounter = scenario.encounter()
    assert isinstance(encounter, OverhillEncounter)
    outcomes = play(encounter, SEED, np.arange(runs))
    prepared = oracle.prepare(scenario.data)
    for run in range(runs):
        by_engine = told_by_engine(encounter, outcomes, run)
        by_referee = told_by_referee(oracle.play(prepared, AddressedLuck(SEED, run)))
        if "encounter" in scenario.data:  # the tables list every monster that may be met, in another order than the row
            by_engine["monsters left"].sort()
            by_referee["monsters left"].sort()
        assert by_engine == by_referee, f"{scenario.name}, run {run}"


def told_by_referee(result: oracle.Result) -> dict[str, Any]:
    """What both must agree on, in the referee's words."""
    groups = zip(result.monsters_start, result.monsters_left, strict=True)
    return {
        "outcome": result.outcome,
        "rounds": result.rounds,
        "friendly": result.friendly,
        "health": result.health,
        "monsters left": [left for start, left in groups if start],
        "kills": result.kills,
        "damage taken": result.damage_taken,
        "xp": result.xp,
        "standing": result.standing,
        "dodged": sum(result.dodged),
        "mishaps": sum(result.mishaps),
        "lapses": sum(result.lapses),
        "restored": sum(result.restored),
    }


def told_by_engine(encounter: OverhillEncounter, outcomes: Outcomes, run: int) -> dict[str, Any]:
    """The same from the engine's tables."""
    heroes = len(encounter.facts.heroes)
    present = outcomes.present[heroes:, run]
    return {
        "outcome": Outcome(outcomes.outcome[run]).name.lower(),
        "rounds": int(outcomes.rounds[run]),
        "friendly": bool(outcomes.counts["friendly"][run]),
        "health": outcomes.hp[:heroes, run].tolist(),
        "monsters left": outcomes.hp[heroes:, run][present].tolist(),
        "kills": outcomes.kills[:heroes, run].tolist(),
        "damage taken": outcomes.damage_taken[:heroes, run].tolist(),
        "xp": int(outcomes.xp[run]),
        **{name: int(outcomes.counts[name][run]) for name in ("standing", "dodged", "mishaps", "lapses", "restored")},
    }


@pytest.mark.parametrize("policy", sorted(RULESET.policies))
@pytest.mark.parametrize("name", scenarios_of(RULESET))
def test_shipped_fights_agree(name: str, policy: str) -> None:
    assert_agreement(load(name, policy=policy), SHIPPED_RUNS)


@pytest.mark.parametrize("first", FEW_AND_MANY)
def test_random_fights_agree(first: int) -> None:
    for seed in range(first, first + CHUNK):
        assert_agreement(from_dict(random_scenario(seed), name=f"random fight {seed}"), RANDOM_RUNS)


@pytest.mark.parametrize("first", range(0, MADE_UP, CHUNK))
def test_made_up_monsters_and_classes_agree(first: int) -> None:
    for seed in range(first, first + CHUNK):
        assert_agreement(from_dict(made_up_scenario(seed), name=f"made-up fight {seed}"), RANDOM_RUNS)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(MADE_UP, 11 * MADE_UP, CHUNK))
def test_many_made_up_monsters_and_classes_agree(first: int) -> None:
    for seed in range(first, first + CHUNK):
        assert_agreement(from_dict(made_up_scenario(seed), name=f"made-up fight {seed}"), RANDOM_RUNS)


@pytest.mark.rule("OU-C3", "OU-F4")
@pytest.mark.parametrize("policy", ["focus_expert", "random_legal"])
@pytest.mark.parametrize("reading", ["plain", "weapon"])
def test_openings_with_blunt_weapons_agree_under_both_readings(reading: str, policy: str) -> None:
    duellist = {"class": "warrior", "melee_tag": "blunt", "feats": ["dual_wield", "shield_bash"], "quick": 10}
    fight = {
        "ruleset": "overhill",
        "title": "clubs among bones",
        "policy": policy,
        "level": 4,
        "heroes": [duellist, {"class": "rogue", "melee_tag": "blunt", "items": {"acid_flask": 1}}],
        "enemies": [{"type": "skeleton", "count": 9, "defence": 5, "blunt_defence": 3}, {"type": "zombie", "count": 3}],
        "switches": {"opening_defence": reading},
    }

    assert_agreement(from_dict(fight), SHIPPED_RUNS)
