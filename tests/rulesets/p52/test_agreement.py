"""The engine and the scalar referee agree run by run: on every shipped fight under every policy, and on random fights.

The referee (tests/oracle/p52/) was written from the specification and from the README's draw points alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome, Outcomes
from sim.rulesets.p52 import RULESET
from sim.rulesets.p52.encounter import P52Encounter
from sim.scenario import Scenario, from_dict, load, scenarios_of
from tests.oracle import p52 as oracle
from tests.oracle.luck import AddressedLuck
from tests.oracle.random_p52 import random_scenario

SEED = 4711
SHIPPED_RUNS = 4
RANDOM_RUNS = 2
RANDOM_FIGHTS = 300
CHUNK = 20  # random fights in one test
EACH_TIME = 40  # random fights; the others in the soak
FEW_AND_MANY = [
    pytest.param(first, marks=[] if first < EACH_TIME else pytest.mark.soak)
    for first in range(0, RANDOM_FIGHTS, CHUNK)
]
PER_UNIT = ("damage_dealt", "damage_taken", "healing", "kills", "downs", "down_round")
PARTY = ("attacks", "hits", "defences", "defended", "stamina_used", "items_used", "stuns", "deaths")
PARTY += ("friendly_damage", "drops", "core_gain")
ENEMY = ("attacks", "hits", "defences", "defended")


def assert_agreement(scenario: Scenario, runs: int) -> None:
    """Every run of the engine is what the referee makes of it."""
    encounter = scenario.encounter()
    assert isinstance(encounter, P52Encounter)
    outcomes = play(encounter, SEED, np.arange(runs))
    prepared = oracle.prepare(scenario.data)
    for run in range(runs):
        by_engine = told_by_engine(encounter, outcomes, run)
        by_referee = told_by_referee(oracle.play(prepared, AddressedLuck(SEED, run)))
        assert by_engine == by_referee, f"{scenario.name}, run {run}"


def told_by_referee(result: oracle.Result) -> dict[str, Any]:
    """What both must agree on, in the referee's words; enemies sorted, since drawn ones have rows by card."""
    parts: dict[str, Any] = {
        "outcome": result.outcome,
        "rounds": result.rounds,
        "hp": [unit.hp for unit in result.heroes],
        "enemy hp": sorted(unit.hp for unit in result.enemies),
        "xp": (result.xp, result.xp_dead),
        "routed": result.routed,
        "stalemate": int(result.stalemate),
    }
    for name in PER_UNIT:
        parts[name] = [getattr(unit.counts, name) for unit in result.heroes]
        parts[f"enemy {name}"] = sorted(getattr(unit.counts, name) for unit in result.enemies)
    for name in PARTY:
        parts[f"party {name}"] = sum(getattr(unit.counts, name) for unit in result.heroes)
    for name in ENEMY:
        parts[f"enemies {name}"] = sum(getattr(unit.counts, name) for unit in result.enemies)
    used = [(str(number), unit) for number, unit in enumerate(result.heroes)]
    used += [("enemy", unit) for unit in result.enemies]
    parts["abilities"] = sorted(
        (who, name, *figures) for who, unit in used for name, figures in unit.counts.abilities.items() if any(figures)
    )
    return parts


def told_by_engine(encounter: P52Encounter, outcomes: Outcomes, run: int) -> dict[str, Any]:
    """The same, from the engine's tables."""
    heroes = len(encounter.facts.kits)
    met = [row for row in range(heroes, len(encounter.cast.units)) if outcomes.present[row, run]]
    parts: dict[str, Any] = {
        "outcome": Outcome(outcomes.outcome[run]).name.lower(),
        "rounds": int(outcomes.rounds[run]),
        "hp": outcomes.hp[:heroes, run].tolist(),
        "enemy hp": sorted(outcomes.hp[met, run].tolist()),
        "xp": (int(outcomes.xp[run]), int(outcomes.counts["xp_dead"][run])),
        "routed": int(outcomes.counts["routed"][run]),
        "stalemate": int(outcomes.counts["stalemate"][run]),
    }
    for name in PER_UNIT:
        table = getattr(outcomes, name)
        parts[name] = table[:heroes, run].tolist()
        parts[f"enemy {name}"] = sorted(table[met, run].tolist())
    for name in PARTY:
        parts[f"party {name}"] = int(outcomes.counts[name][run])
    for name in ENEMY:
        parts[f"enemies {name}"] = int(outcomes.counts[f"enemy_{name}"][run])
    used = []
    for row, ability in enumerate(encounter.cast.abilities):
        figures = (int(outcomes.uses[row, run]), int(outcomes.hits[row, run]), int(outcomes.damage[row, run]))
        if any(figures):
            used.append((str(ability.unit) if ability.unit < heroes else "enemy", ability.name, *figures))
    parts["abilities"] = sorted(used)
    return parts


@pytest.mark.parametrize("policy", RULESET.policies)
@pytest.mark.parametrize("name", scenarios_of(RULESET))
def test_every_shipped_fight_agrees_under_every_policy(name: str, policy: str) -> None:
    long = name.endswith("mountain-pass")
    for preset in RULESET.switchboard.presets:
        assert_agreement(load(name, policy=policy, preset=preset), 2 if long else SHIPPED_RUNS)


@pytest.mark.parametrize("first", FEW_AND_MANY)
def test_random_fights_agree(first: int) -> None:
    for seed in range(first, first + CHUNK):
        assert_agreement(from_dict(random_scenario(seed)), RANDOM_RUNS)
