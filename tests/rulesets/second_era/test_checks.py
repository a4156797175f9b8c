"""What is wrong with a scenario is found and explained."""

from __future__ import annotations

from typing import Any

import pytest

from sim.errors import ScenarioError
from sim.rulesets.second_era import RULESET
from sim.scenario import from_dict


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"enemies": []}, "nobody to fight"),
        ({"objective": "eliminate"}, "needs an enemy marked"),
        ({"switches": {"retreat": "soon"}}, "hp<k"),
        ({"switches": {"ban": ["hnor_duel"]}}, "unknown ability 'hnor_duel'; did you mean 'honor_duel'"),
        ({"policy": "focus"}, "did you mean 'focus_fire'"),
        ({"heroes": [{"class": "knight", "track": ["snipe"]}]}, "more snipe dice"),
        ({"enemies": [{"type": "mudcrab", "hex": [99, 0]}]}, "not on the map"),
        ({"map": "pair", "enemies": [{"type": "mudcrab", "count": 2}]}, "too few numbered"),
    ],
)
def test_mistakes_are_found_and_explained(changes: dict[str, Any], message: str) -> None:
    scenario = {
        "ruleset": "second_era",
        "title": "T",
        "policy": "focus_fire",
        "heroes": [{"class": "knight"}],
        "enemies": [{"type": "mudcrab"}],
        **changes,
    }

    problems = RULESET.problems(RULESET.scenario_model.model_validate(scenario))

    assert any(message in problem.message for problem in problems)


def test_the_number_of_a_skill_ends_at_99() -> None:
    scenario = {"ruleset": "second_era", "title": "T", "policy": "random", "heroes": [{"class": "knight"}]}

    with pytest.raises(ScenarioError, match="'Riposte 200': expected a number up to 99"):
        from_dict(scenario | {"enemies": [{"type": "mudcrab", "skills": ["Riposte 200"]}]})
    from_dict(scenario | {"enemies": [{"type": "mudcrab", "skills": ["Riposte 99"]}]})


@pytest.mark.parametrize(("value", "good"), [(0.29, True), (2, True), (0, False), (-1.5, False), ("much", False)])
def test_the_pool_can_be_scaled_by_any_number_above_0(value: Any, good: bool) -> None:
    problems = RULESET.switchboard.problems(None, {"ep_mult": value})

    assert (not problems) == good


def test_dice_bought_with_the_xp_goal_of_a_part_may_lie_in_the_track() -> None:
    scenario = {
        "ruleset": "second_era",
        "title": "T",
        "policy": "focus_fire",
        "level": "part2",
        "heroes": [{"class": "knight", "track": ["heroic_slash"]}],
        "enemies": [{"type": "mudcrab"}],
    }

    assert not RULESET.problems(RULESET.scenario_model.model_validate(scenario))


@pytest.mark.parametrize(
    ("part", "entry", "wrong"),
    [
        ("heroes", {"class": "archer", "health": 5, "hp": 6}, "heroes[0].hp: expected at most its health of 5"),
        ("enemies", {"type": "mudcrab", "hp": 3}, "enemies[0].hp: expected at most its health of 2"),
        ("companions", {"type": "hound", "hp": 9}, "companions[0].hp: expected at most its health of 4"),
    ],
)
def test_nobody_begins_with_more_hit_points_than_health(part: str, entry: dict[str, Any], wrong: str) -> None:
    fight = {"ruleset": "second_era", "title": "T", "policy": "random", "heroes": [{"class": "archer"}]}
    fight |= {"enemies": [{"type": "mudcrab"}]}

    with pytest.raises(ScenarioError) as caught:
        from_dict(fight | {part: [entry]})

    assert wrong in str(caught.value)
