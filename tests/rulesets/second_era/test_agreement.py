"""Engine and referee agree run by run: outcome, rounds, places, hit points and every count."""

from __future__ import annotations

import tomllib
from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.lanes import Lanes
from sim.core.outcomes import Outcomes
from sim.rulesets.second_era import RULESET
from sim.rulesets.second_era.state import State
from tests.oracle import second_era as referee
from tests.oracle.luck import TABLE, AddressedLuck
from tests.oracle.random_second_era import random_bestiary_scenario, random_scenario

POLICIES = ("random", "aggressive", "cautious", "focus_fire", "hold_entrance")
SCENARIOS = sorted(RULESET.folder.glob("scenarios/*.toml"))
UNITS = ("hp", "regained", "prevented_defense", "statuses")
LEDGER = ("damage_dealt", "damage_taken", "kills")
HEROES = (
    "prevented_guard", "prevented_bonus", "light", "over", "drained", "tenacity_gained", "engages", "hexes",
)  # fmt: skip
THEIR_NAMES = {"regained": "healed", "damage_dealt": "dealt", "damage_taken": "taken"}

CHUNKS = 16
EACH_TIME = 4  # of these; the others in the soak
PER_CHUNK = 20
RUNS_OF_EACH = 3
MADE_UP = 32
MADE_UP_IN_A_SOAK = 260


def engine_runs(scenario: dict[str, Any], seed: int, runs: int) -> list[dict[str, Any]]:
    """What the engine finds, run by run, in the words of the referee."""
    model = RULESET.scenario_model.model_validate(scenario)
    assert not RULESET.problems(model)
    encounter = RULESET.compile(model)
    found: dict[int, dict[str, Any]] = {}
    harvest = encounter.harvest

    def listen(s: State, at: Lanes, numbers: Any) -> Outcomes:
        for lane, number in zip(at, numbers, strict=True):
            found[int(number)] = told(s, int(lane))
        return harvest(s, at, numbers)

    encounter.harvest = listen  # type: ignore[method-assign]
    outcomes = play(encounter, seed, np.arange(runs))
    return [{**found[run], "xp": int(outcomes.xp[run])} for run in range(runs)]


def told(s: State, lane: int) -> dict[str, Any]:
    """One lane of a finished state."""

    def column(table: Any) -> list[int]:
        return [int(number) for number in table[:, lane]]

    actors = [*(int(actor) for actor in s.facts.actor), TABLE]
    harm = s.harm[:, :, lane]
    coords = s.facts.ground.board.coords
    return {
        "outcome": "retreat" if s.retreated[lane] else ("win", "loss", "draw")[s.outcome[lane]],
        "rounds": int(s.rounds[lane]),
        "hex": [None if cell < 0 else coords[cell] for cell in s.cell[:, lane]],
        "harm": {(actors[a], actors[b]): int(harm[a, b]) for a, b in np.argwhere(harm)},
        **{THEIR_NAMES.get(name, name): column(getattr(s, name)) for name in (*UNITS, *HEROES)},
        **{THEIR_NAMES.get(name, name): column(getattr(s.ledger, name)) for name in LEDGER},
    }


def referee_run(prepared: referee.Prepared, seed: int, run: int, keys: Any) -> dict[str, Any]:
    """The same from the referee."""
    result = referee.play(prepared, AddressedLuck(seed, run))
    answer = {key: getattr(result, key) for key in keys}
    answer["hex"] = [None if spot is None else tuple(spot) for spot in result.hex]
    answer["harm"] = {pair: lost for pair, lost in result.harm.items() if lost}
    return answer


def assert_agreement(scenario: dict[str, Any], seed: int, runs: int) -> None:
    prepared = referee.prepare(scenario)
    for run, mine in enumerate(engine_runs(scenario, seed, runs)):
        theirs = referee_run(prepared, seed, run, mine)
        differs = {key: (mine[key], theirs[key]) for key in mine if mine[key] != theirs[key]}
        assert not differs, f"{scenario['title']}, seed {seed}, run {run}: {differs}"


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_shipped_scenarios_agree(path: Any, policy: str) -> None:
    scenario = tomllib.loads(path.read_text(encoding="utf-8")) | {"policy": policy}

    assert_agreement(scenario, 11, 6)


@pytest.mark.parametrize(
    "chunk", [pytest.param(one, marks=[] if one < EACH_TIME else pytest.mark.soak) for one in range(CHUNKS)]
)
def test_random_scenarios_agree(chunk: int) -> None:
    for seed in range(chunk * PER_CHUNK, (chunk + 1) * PER_CHUNK):
        assert_agreement(random_scenario(seed), seed, RUNS_OF_EACH)


@pytest.mark.parametrize("chunk", range(4))
def test_random_made_up_enemies_and_classes_agree(chunk: int) -> None:
    for seed in range(chunk, MADE_UP, 4):
        assert_agreement(random_bestiary_scenario(seed), seed, RUNS_OF_EACH)


@pytest.mark.soak
def test_many_more_made_up_enemies_and_classes_agree() -> None:
    for seed in range(MADE_UP, MADE_UP + MADE_UP_IN_A_SOAK):
        assert_agreement(random_bestiary_scenario(seed), seed, RUNS_OF_EACH)
