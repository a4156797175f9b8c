"""What is wrong with a scenario beyond its schema."""

from __future__ import annotations

from typing import Any

import pytest

from sim.errors import ScenarioError
from sim.rulesets.brimstone import RULESET
from sim.scenario import from_dict


@pytest.mark.rule("BF-A8")
@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"wounds": 12}, "heroes[0].wounds"),
        ({"wounds": 3, "status": {"bleeding": 3}}, "heroes[0].wounds"),
        ({"status": {"bleeding": 4}}, "heroes[0].status.bleeding"),
        ({"sdmg": 12}, "heroes[0].sdmg"),
    ],
)
def test_nobody_comes_to_a_fight_knocked_out(changes: dict[str, Any], key: str) -> None:
    fight = {"ruleset": "brimstone", "title": "T", "board": "none", "enemies": [{"type": "tentacles"}]}

    with pytest.raises(ScenarioError) as caught:
        from_dict(fight | {"heroes": [{"class": "lawman", **changes}]})
    from_dict(fight | {"heroes": [{"class": "lawman", "level": 3, **changes}]})  # 16 Health and Sanity

    assert [problem.key for problem in caught.value.problems] == [key]


@pytest.mark.parametrize(
    ("changes", "most"), [({"grit": 3}, 2), ({"grit": 2, "max_grit": 1}, 1), ({"grit": 1, "ally": True, "move": 4}, 0)]
)
def test_nobody_begins_with_more_grit_than_it_can_hold(changes: dict[str, Any], most: int) -> None:
    fight = {"ruleset": "brimstone", "title": "T", "board": "none", "enemies": [{"type": "tentacles"}]}
    heroes = [{"class": "preacher"}, {"class": "lawman", **changes}]

    with pytest.raises(ScenarioError, match=rf"heroes\[1\].grit: expected at most max_grit, which is {most}, found"):
        from_dict(fight | {"heroes": heroes})


def test_policies_of_a_scenario_are_checked_even_if_nobody_follows_them() -> None:
    found = RULESET.policy_problems({"idle": {"start": [{"do": "treat"}], "action": [{"do": "flash"}]}})

    assert [problem.key for problem in found] == ["policies.idle.start[0].token", "policies.idle.action[0].do"]
