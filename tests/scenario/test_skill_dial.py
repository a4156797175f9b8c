"""The skill dial: a policy that does anything legal in some of its turns, drawn at addresses of its own."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.core.engine import play, play_with
from sim.core.luck import Luck
from sim.core.mixed_luck import EVERYTHING, Addresses, MixedLuck, Part
from sim.core.outcomes import Outcome, Outcomes
from sim.errors import ScenarioError
from sim.scenario import Scenario, from_dict, load
from sim.testing import assert_same

RUNS = np.arange(200)
FIGHTS = ["overhill/playtest-1-ladder", "p52/corridor-ambush", "brimstone/tentacle_hall", "second_era/se_hound"]


def played(scenario: Scenario) -> Outcomes:
    return play(scenario.encounter(), 1, RUNS)


@pytest.mark.parametrize("name", FIGHTS)
def test_at_0_it_is_the_policy_itself_bit_for_bit(name: str) -> None:
    fight = load(name)

    dialled = fight.changed(policy=f"{fight.policy}@0")

    assert_same(played(dialled), played(fight), name)


@pytest.mark.parametrize("name", FIGHTS)
def test_the_higher_the_chance_the_more_fights_go_another_way(name: str) -> None:
    fight = load(name)
    own = played(fight)

    some = played(fight.changed(policy=f"{fight.policy}@0.05"))
    many = played(fight.changed(policy=f"{fight.policy}@0.6"))

    differ = [(own.damage_dealt != other.damage_dealt).any(axis=0).mean() for other in (some, many)]
    assert 0 < differ[0] < differ[1]


@pytest.mark.parametrize("name", ["overhill/playtest-1-ladder", "p52/corridor-ambush", "second_era/se_hound"])
def test_a_party_that_errs_always_loses_more_often(name: str) -> None:
    fight = load(name)

    wins = [
        np.count_nonzero(played(fight.changed(policy=f"{fight.policy}@{chance}")).outcome == Outcome.WIN)
        for chance in (0, 1)
    ]

    assert wins[0] > wins[1] + 15


def test_who_errs_when_is_drawn_at_an_address_of_its_own() -> None:
    fight = load("overhill/playtest-1-ladder", policy="plain@0.3").encounter()
    luck = Luck.of(1, RUNS)
    without_slips = Addresses((Part(purposes=("slip",)),)).opposite()

    own = play_with(fight, RUNS, MixedLuck.mixed(luck, EVERYTHING))
    others = play_with(fight, RUNS, MixedLuck.mixed(luck, without_slips))

    assert (own.uses != others.uses).any(axis=0).mean() > 0.5


def test_single_heroes_may_err_too() -> None:
    fight = load("second_era/se_jailbreak")

    dialled = fight.changed(values={"heroes[0].policy": "aggressive@0.5"})

    assert "aggressive@0.5" in dialled.data["policies"]
    assert (played(dialled).hp != played(fight.changed(values={"heroes[0].policy": "aggressive"})).hp).any()


def test_a_dialled_fight_written_out_plays_the_same_and_leaves_nothing_behind() -> None:
    fight = load("overhill/playtest-1", policy="plain@0.2")

    assert_same(played(from_dict(fight.resolved())), played(fight), "written out")
    assert fight.changed(policy="plain").digest == load("overhill/playtest-1").digest
    assert list(fight.changed(policy="plain@0.3").data["policies"]) == ["plain@0.3"]


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("plian@0.2", "policy: unknown policy 'plian'; did you mean 'plain'?"),
        ("plain@often", "policy: expected a chance from 0 to 1 after the @, as in plain@0.2, found 'often'"),
        ("plain@1.2", "found '1.2'"),
        ("plain@nan", "found 'nan'"),
        ("plain@", "found ''"),
        ("@0.5", "unknown policy ''"),
    ],
)
def test_a_dial_that_cannot_be_read_is_told(policy: str, said: str) -> None:
    with pytest.raises(ScenarioError) as raised:
        load("overhill/playtest-1", policy=policy)

    assert said in str(raised.value)


def test_a_line_with_a_chance_that_is_none_is_told_with_its_place() -> None:
    own = {"mine": {"like": "plain", "action": [{"do": "melee", "chance": 2}, {"do": "melee", "chnce": 0.1}]}}

    with pytest.raises(ScenarioError) as raised:
        load("overhill/playtest-1", policy="mine", values={"policies": own})

    assert "policies.mine.action[0].chance: expected a number from 0 to 1, found 2" in str(raised.value)
    assert "did you mean 'chance'" in str(raised.value)


def test_the_ladder_takes_dialled_rungs() -> None:
    answer = sim.ladder(
        "overhill/playtest-1-ladder", policies=["plain@0.5", "plain"], abilities=["dart"], runs=200, progress=False
    )

    assert {row["fight"] for row in answer.table("policies").rows} == {"plain@0.5", "plain"}
