"""What can go wrong in a scenario file of Overhill: policies of one's own, encounter tables, health, the round cap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.errors import ScenarioError
from sim.scenario import Scenario, from_dict, load

FIGHT: dict[str, Any] = {
    "ruleset": "overhill",
    "title": "A trial",
    "policy": "mine",
    "level": 5,
    "heroes": [{"class": "warrior"}, {"class": "rogue"}, {"class": "magic_user"}, {"class": "priest"}],
    "enemies": [{"type": "skeleton", "count": 6}, {"type": "gobbo_archer", "count": 3}],
}


def with_policy(**policy: Any) -> Scenario:
    return from_dict(FIGHT | {"policies": {"mine": policy}})


def with_lines(*lines: dict[str, Any]) -> Scenario:
    return with_policy(action=list(lines))


def complaints(scenario: dict[str, Any]) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        from_dict(scenario)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("plain", "policies.mine: expected a table"),
        ({"about": "does nothing"}, "policies.mine: missing; expected lines"),
        ({"like": "plian"}, "policies.mine.like: unknown policy 'plian'; did you mean 'plain'?"),
        ({"like": "plain", "stance": [{"whn": "round > 1", "take": "neutral"}]}, "stance[0].whn: unknown key"),
        ({"like": "plain", "stance": {"best_of": [1], "score": "risk"}}, "stance.best_of: unknown stance 1"),
        ({"like": "plain", "stance": {"scor": "3", "score": "risk"}}, "stance.scor: unknown key"),
        ({"action": [{"do": "best", "target": {"by": "least their_number"}}]}, "'best' ranks by itself"),
        ({"action": [{"do": "melee", "when": "__import__(1)"}]}, "unknown function '__import__'"),
    ],
)
def test_a_mistake_in_a_policy_is_named_once_with_its_place(policy: Any, said: str) -> None:
    found = complaints(FIGHT | {"policies": {"mine": policy}})

    assert len(found) == 1
    assert said in found[0]


def test_mistakes_in_policies_are_reported_along_with_all_others_whether_used_or_not() -> None:
    unused = {"action": [{"do": "mele"}]}

    found = complaints(FIGHT | {"room": "standrad", "policies": {"mine": {"like": "plain"}, "other": unused}})

    assert [line.partition(":")[0] for line in found] == ["room", "policies.other.action[0].do"]


@pytest.mark.parametrize(
    "line",
    [
        {"do": "best"},
        {"do": "anything"},
        {"do": "best", "push": "99"},
        {"do": "best", "push": "-3"},
        {"do": "best", "push": "their_number // 2", "target": {"where": "their_number > 1"}},
        {"do": "dart", "push": "1 if their_number > 3 else 0"},
        {"do": "heal", "bumps": "-4"},
    ],
)
def test_every_option_can_be_left_out_overdone_or_speak_of_the_target(line: dict[str, Any]) -> None:
    outcomes = play(with_lines(line, {"do": "melee"}).encounter(), 1, np.arange(50))

    assert outcomes.size == 50


def test_pushes_beyond_the_level_are_those_of_the_level() -> None:
    overdone = play(with_lines({"do": "best", "push": "99"}).encounter(), 1, np.arange(200))

    allowed = play(with_lines({"do": "best", "push": "level // 2"}).encounter(), 1, np.arange(200))

    np.testing.assert_array_equal(overdone.hp, allowed.hp)


def test_best_looks_only_at_the_groups_that_its_target_wants() -> None:
    scenario = with_lines({"do": "best", "target": {"where": "their_rear"}})

    outcomes = play(scenario.encounter(), 1, np.arange(50))

    units = [unit.name for unit in scenario.encounter().cast.units]
    assert (outcomes.hp[units.index("skeleton")] == 6).all()
    assert (outcomes.hp[units.index("gobbo_archer")] < 3).any()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("encounter.roll=banana", "expected dice such as '2d6+1'"),
        ("encounter.rows.0.on=9-3", "from the lower to the higher"),
        ("encounter.rows.0.on=3-99999999999", "up to 9999"),
        ("encounter.rows.0.on=x", "expected a text such as '7' or '3-5'"),
        ("encounter.rows.0.on=3-4", "the total 4 stands in rows[0] already"),
        ("heroes.warrior.health=12", "expected at most the maximum health of 11, found 12"),
        ("rear_ratio=1/0", "rear_ratio: expected a whole number or a share such as '1/2'"),
        ("rear_ratio=0.5", "rear_ratio: expected a text such as '1/2' or '1/3' or a whole number"),
        ("front_max=0", "front_max: expected a whole number from 1 to 99 or 'none'"),
        ("surprise=1", "surprise: expected true or false"),
        ("mishap_table.backlash.up_to=2", "expected 3 or more, where 'fizzle' ends; found 2"),
        ("mishap_table.burnout.up_to=9", "the last row of the table takes all totals above 7"),
        ("mishap_table.backlash.damage=200", "expected 0 to 99 health, found 200"),
        ("mishap_table.backlash.damage=x", "expected dice such as '2d6+1'"),
        ("reaction_table.hostile.avoided=1", "expected true or false"),
        ("reaction_table.hostle.avoided=true", "did you mean 'hostile'?"),
        ("heroes.rogue.guard=raer", "did you mean 'rear'?"),
        ("switches.round_cap=10001", "expected a whole number from 1 to 10000"),
    ],
)
def test_a_number_that_makes_no_sense_is_refused(change: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        load("overhill/gobbo-dungeon", sets=[change])

    assert said in str(caught.value)
