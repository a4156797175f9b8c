"""The engine and the scalar referee agree on whole evenings, run by run: on random ones, and on the shipped ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.evening import Evening
from sim.core.outcomes import Outcome
from sim.rulesets.p52 import RULESET
from sim.scenario import Scenario, from_dict, load
from sim.scenario.catalogue import adventures_in
from tests.oracle.p52.evening import play_evening
from tests.oracle.random_p52_evenings import as_file, random_adventure

SEED = 4711
RUNS = 4
EVENINGS = 240
QUICK = 10  # evenings that are looked at each time; the others are for a soak
PER_UNIT = ("damage_dealt", "damage_taken", "healing", "kills", "downs")
PARTY = ("attacks", "hits", "defences", "defended", "stamina_used", "items_used", "stuns", "deaths", "drops")


def assert_agreement(scenario: Scenario, adventure: dict[str, Any], runs: int) -> set[str]:
    """Every run of the engine is what the referee makes of it; how they ended."""
    evening = scenario.encounter()
    assert isinstance(evening, Evening)
    tables = play(evening, SEED, np.arange(runs))
    heroes = len(evening.cast.party)
    seen = set()
    for run in range(runs):
        referee = play_evening(adventure, SEED, run)
        assert referee.party is not None
        fights = referee.fights
        by_engine: dict[str, Any] = {
            "outcome": Outcome(tables.outcome[run]).name.lower(),
            "rounds": int(tables.rounds[run]),
            "scenes": int(tables.counts["scenes"][run]),
            "xp": (int(tables.xp[run]), int(tables.counts["xp_dead"][run])),
            "hp": tables.hp[:heroes, run].tolist(),
        }
        by_referee: dict[str, Any] = {
            "outcome": referee.outcome,
            "rounds": referee.rounds,
            "scenes": referee.scenes,
            "xp": referee.xp,
            "hp": [unit.hp for unit in fights[-1].heroes],
        }
        for name in PER_UNIT:
            by_engine[name] = getattr(tables, name)[:heroes, run].tolist()
            by_referee[name] = [sum(getattr(f.heroes[hero].counts, name) for f in fights) for hero in range(heroes)]
        for name in PARTY:
            by_engine[f"party {name}"] = int(tables.counts[name][run])
            by_referee[f"party {name}"] = sum(getattr(unit.counts, name) for f in fights for unit in f.heroes)
        assert by_engine == by_referee, f"{scenario.name}, run {run}"
        seen.add(referee.outcome)
    return seen


def conditions_as_data(adventure: dict[str, Any]) -> dict[str, Any]:
    for scene in adventure["scenes"]:
        if "unless" in scene:
            ask, _, below = scene["unless"].partition(" < ")
            scene["unless"] = {"ask": ask, "below": float(below)}
    return adventure


@pytest.mark.rule("P52-V1", "P52-V2", "P52-V3", "P52-V4", "P52-V5")
@pytest.mark.parametrize("name", adventures_in(RULESET))
def test_shipped_evenings_agree(name: str) -> None:
    scenario = load(name)

    seen = assert_agreement(scenario, conditions_as_data(scenario.data), 12)

    assert "win" in seen


@pytest.mark.rule("P52-V1", "P52-V2", "P52-V3", "P52-V4", "P52-V5")
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
