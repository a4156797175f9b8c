"""The engine and the scalar referee agree on whole evenings, run by run: on random ones, and on the shipped ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.evening import Evening
from sim.core.outcomes import Outcome
from sim.rulesets.brimstone import RULESET
from sim.scenario import Scenario, from_dict, load
from sim.scenario.catalogue import adventures_in
from tests.oracle.brimstone.evening import play_evening
from tests.oracle.random_brimstone_evenings import as_file, random_adventure

SEED = 4711
RUNS = 4
EVENINGS = 220
QUICK = 10  # evenings that are looked at each time; the others are for a soak
SUMMED = ("sanity_taken", "loot", "grit_gained", "grit_spent", "tokens_used", "injuries", "madness", "corruption")


def assert_agreement(scenario: Scenario, adventure: dict[str, Any], runs: int) -> set[str]:
    """Every run of the engine is what the referee makes of it; how they ended."""
    evening = scenario.encounter()
    assert isinstance(evening, Evening)
    tables = play(evening, SEED, np.arange(runs))
    heroes = len(evening.cast.party)
    seen = set()
    for run in range(runs):
        referee = play_evening(adventure, SEED, run)
        fights = referee.fights
        by_engine = {
            "outcome": Outcome(tables.outcome[run]).name.lower(),
            "rounds": int(tables.rounds[run]),
            "scenes": int(tables.counts["scenes"][run]),
            "xp": int(tables.xp[run]),
            "hp": tables.hp[:heroes, run].clip(min=0).tolist(),
            "dead": int(tables.counts["dead"][run]),
            "standing": int(tables.counts["standing"][run]),
            "darkness": int(tables.counts["darkness"][run]),
            "kills": tables.kills[:heroes, run].tolist(),
            "taken": tables.damage_taken[:heroes, run].tolist(),
            **{name: int(tables.counts[name][run]) for name in SUMMED},
        }
        last = fights[-1]
        by_referee = {
            "outcome": referee.outcome,
            "rounds": referee.rounds,
            "scenes": referee.scenes,
            "xp": sum(fight.xp for fight in fights),
            "hp": [hero.hp for hero in last.heroes],
            "dead": sum(hero.dead for hero in last.heroes),
            "standing": sum(hero.standing for hero in last.heroes),
            "darkness": last.darkness,
            "kills": [sum(fight.heroes[hero].kills for fight in fights) for hero in range(heroes)],
            "taken": [sum(fight.heroes[hero].taken for fight in fights) for hero in range(heroes)],
            **{name: sum(getattr(hero, name) for fight in fights for hero in fight.heroes) for name in SUMMED},
        }
        assert by_engine == by_referee, f"{scenario.name}, run {run}"
        seen.add(referee.outcome)
    return seen


@pytest.mark.rule("BF-V1", "BF-V2", "BF-V3", "BF-V4", "BF-V5")
@pytest.mark.parametrize("name", adventures_in(RULESET))
def test_shipped_evenings_agree(name: str) -> None:
    scenario = load(name)
    adventure = scenario.data
    for scene in adventure["scenes"]:
        if "unless" in scene:
            ask, _, below = scene["unless"].partition(" < ")
            scene["unless"] = {"ask": ask, "below": float(below)}

    seen = assert_agreement(scenario, adventure, 12)

    assert "win" in seen


@pytest.mark.rule("BF-V1", "BF-V2", "BF-V3", "BF-V4", "BF-V5")
def test_random_evenings_agree() -> None:
    seen: set[str] = set()
    for seed in range(QUICK):
        adventure = random_adventure(seed)
        seen |= assert_agreement(from_dict(as_file(adventure), name=f"random evening {seed}"), adventure, RUNS)

    assert {"win", "loss", "turned_back"} <= seen


@pytest.mark.soak
@pytest.mark.parametrize("first", range(QUICK, EVENINGS, 20))
def test_many_random_evenings_agree(first: int) -> None:
    for seed in range(first, first + 20):
        adventure = random_adventure(seed)
        assert_agreement(from_dict(as_file(adventure), name=f"random evening {seed}"), adventure, RUNS)
