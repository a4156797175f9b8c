"""Engine and referee agree on whole evenings, run by run: outcome, rounds, hit points and how parties come along."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.evening_cast import PARTS, scene_counts
from sim.core.outcomes import Outcome, room_counts
from sim.rulesets.second_era import RULESET
from sim.scenario import Scenario, from_dict, load
from sim.scenario.catalogue import adventures_in
from tests.oracle.evenings import in_turn
from tests.oracle.luck import AddressedLuck
from tests.oracle.random_second_era import random_adventure
from tests.oracle.second_era.evening import Evening, play_evening

OUTCOMES = {"win": Outcome.WIN, "loss": Outcome.LOSS, "draw": Outcome.DRAW, "turned back": Outcome.TURNED_BACK}
ASKED = ("party_hp", "standing", "dead", "dice_ready", "fatigue", "overfatigue", "tenacity")
SHARES = ("party_hp", "dice_ready")
RUNS = 3
FEW = 32
IN_A_SOAK = 240


def theirs(told: Evening, adventure: dict[str, Any], heroes: int) -> dict[str, Any]:
    """What the referee says, as the engine's tables would have it."""
    scenes = len(list(in_turn(adventure)))
    found: dict[str, Any] = {
        "outcome": OUTCOMES[told.outcome],
        "rounds": sum(told.rounds),
        "xp": told.xp,
        "hp": told.party[-1][:heroes],
    }
    for place in range(scenes):
        reached, won, rounds, _ = room_counts(place)
        through = place < len(told.after)
        found[reached], found[won] = int(place < len(told.rounds)), int(through)
        found[rounds] = told.rounds[place] if place < len(told.rounds) else 0
        for name, column in scene_counts(place, ASKED).items():
            value = told.after[place].get(name, 0) if through else 0
            found[column] = int(np.rint(value * PARTS)) if name in SHARES else value
    return found


def assert_agreement(scenario: Scenario, seed: int, runs: int) -> list[str]:
    """The outcomes, for those who ask how far the evenings went."""
    adventure = scenario.data
    heroes = len(adventure["heroes"])
    outcomes = play(scenario.encounter(), seed, np.arange(runs))
    ended = []
    for run in range(runs):
        told = play_evening(adventure, AddressedLuck(seed, run))
        expected = theirs(told, adventure, heroes)
        mine: dict[str, Any] = {name: int(outcomes.counts[name][run]) for name in expected if name in outcomes.counts}
        mine |= {"outcome": outcomes.outcome[run], "rounds": int(outcomes.rounds[run]), "xp": int(outcomes.xp[run])}
        mine["hp"] = outcomes.hp[:heroes, run].tolist()
        differs = {name: (mine[name], expected[name]) for name in expected if mine[name] != expected[name]}
        assert not differs, f"{adventure['title']}, seed {seed}, run {run}: {differs}"
        ended.append(told.outcome)
    return ended


@pytest.mark.rule("SE-V5")
def test_random_evenings_agree_and_end_in_every_way() -> None:
    ended: list[str] = []
    for seed in range(FEW):
        ended += assert_agreement(from_dict(random_adventure(seed)), seed, RUNS)

    assert set(ended) >= {"win", "loss", "turned back"}


@pytest.mark.soak
def test_many_more_random_evenings_agree() -> None:
    for seed in range(FEW, FEW + IN_A_SOAK):
        assert_agreement(from_dict(random_adventure(seed)), seed, RUNS)


@pytest.mark.parametrize("name", adventures_in(RULESET))
def test_shipped_adventures_agree(name: str) -> None:
    assert_agreement(load(name), 11, 20)
