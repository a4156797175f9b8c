"""The engine and the scalar referee agree on whole evenings, run by run: on random ones, and on the shipped ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.evening import Evening
from sim.core.outcomes import Outcome
from sim.rulesets.overhill import RULESET
from sim.scenario import Scenario, from_dict, load
from sim.scenario.catalogue import adventures_in
from tests.oracle.overhill.evening import play_evening
from tests.oracle.random_overhill_evenings import as_file, random_adventure

SEED = 4711
RUNS = 20
EVENINGS = 240
QUICK = 20  # evenings that are looked at each time; the others are for a soak


def assert_agreement(scenario: Scenario, adventure: dict[str, Any], runs: int) -> set[str]:
    """Every run of the engine is what the referee makes of it; how they ended."""
    evening = scenario.encounter()
    assert isinstance(evening, Evening)
    tables = play(evening, SEED, np.arange(runs))
    heroes = len(evening.cast.party)
    seen = set()
    for run in range(runs):
        referee = play_evening(adventure, SEED, run)
        by_engine = {
            "outcome": Outcome(tables.outcome[run]).name.lower(),
            "rounds": int(tables.rounds[run]),
            "scenes": int(tables.counts["scenes"][run]),
            "xp": int(tables.xp[run]),
            "health": tables.hp[:heroes, run].tolist(),
            "kills": tables.kills[:heroes, run].tolist(),
            "damage taken": tables.damage_taken[:heroes, run].tolist(),
            "restored": int(tables.counts["restored"][run]),
            "standing": int(tables.counts["standing"][run]),
        }
        fights = referee.fights
        by_referee = {
            "outcome": referee.outcome,
            "rounds": referee.rounds,
            "scenes": referee.scenes,
            "xp": referee.xp,
            "health": fights[-1].health,
            "kills": [sum(fight.kills[hero] for fight in fights) for hero in range(heroes)],
            "damage taken": [sum(fight.damage_taken[hero] for fight in fights) for hero in range(heroes)],
            "restored": sum(sum(fight.restored) for fight in fights),
            "standing": fights[-1].standing,
        }
        assert by_engine == by_referee, f"{scenario.name}, run {run}"
        seen.add(referee.outcome)
    return seen


@pytest.mark.rule("OU-V1", "OU-V2", "OU-V3", "OU-V4", "OU-V5")
@pytest.mark.parametrize("name", adventures_in(RULESET))
def test_shipped_evenings_agree(name: str) -> None:
    scenario = load(name)
    adventure = scenario.data
    for scene in adventure["scenes"]:
        if "unless" in scene:
            ask, _, below = scene["unless"].partition(" < ")
            scene["unless"] = {"ask": ask, "below": float(below)}

    seen = assert_agreement(scenario, adventure, 80)

    assert {"win", "loss"} <= seen


@pytest.mark.rule("OU-V1", "OU-V2", "OU-V3", "OU-V4", "OU-V5")
def test_random_evenings_agree() -> None:
    seen: set[str] = set()
    for seed in range(QUICK):
        adventure = random_adventure(seed)
        seen |= assert_agreement(from_dict(as_file(adventure), name=f"random evening {seed}"), adventure, RUNS)

    assert {"win", "loss", "draw", "turned_back"} <= seen


@pytest.mark.soak
@pytest.mark.parametrize("first", range(QUICK, EVENINGS, 20))
def test_many_random_evenings_agree(first: int) -> None:
    for seed in range(first, first + 20):
        adventure = random_adventure(seed)
        assert_agreement(from_dict(as_file(adventure), name=f"random evening {seed}"), adventure, RUNS)
