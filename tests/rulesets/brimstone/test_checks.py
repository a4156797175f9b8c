"""What is wrong with a scenario beyond its schema."""

from __future__ import annotations

from typing import Any

import pytest

import sim
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


@pytest.mark.rule("BF-G9")
@pytest.mark.parametrize(
    ("lines", "key", "message"),
    [
        ([41], "enemies[0].count", "at most 40 models live at once, found 41"),
        ([3, "8P"], "enemies[1].count", "at most 40 models live at once, found 8P, up to 48"),
        ([30, "2P"], "enemies", "at most 40 models live at once, found up to 42 that come together"),
    ],
)
def test_more_models_than_can_live_at_once_are_refused(lines: list[Any], key: str, message: str) -> None:
    enemies = [{"type": "tentacles", "count": count, "health": 3 + row} for row, count in enumerate(lines)]
    fight = {"ruleset": "brimstone", "title": "T", "board": "none", "heroes": [{"class": "lawman"}]}
    later = [{"turn": 2, "enemies": enemies}]

    for place, said in (("", {"enemies": enemies}), ("events[0].", {"threat": "low", "events": later})):
        with pytest.raises(ScenarioError) as caught:
            from_dict(fight | said)

        assert [(problem.key, problem.message) for problem in caught.value.problems] == [(place + key, message)]
    from_dict(fight | {"enemies": [{"type": "tentacles", "count": 40}]})


@pytest.mark.parametrize(
    ("threat", "key", "message"),
    [
        ("", "threat", "unknown threat list ''"),
        (["med", "hihg"], "threat[1]", "unknown threat list 'hihg'; did you mean 'high'?"),
        ("med:99", "threat", "expected a card such as 'med:3' (the third of its list), found 'med:99'"),
    ],
)
def test_a_card_that_does_not_exist_is_refused_beside_enemies_too(threat: Any, key: str, message: str) -> None:
    fight = {"ruleset": "brimstone", "title": "T", "board": "none", "heroes": [{"class": "lawman"}], "threat": threat}

    for enemies in ([], [{"type": "tentacles"}]):
        with pytest.raises(ScenarioError) as caught:
            from_dict(fight | {"enemies": enemies})

        assert [(problem.key, problem.message) for problem in caught.value.problems] == [(key, message)]


@pytest.mark.rule("BF-G9")
def test_models_of_cards_that_find_no_place_are_said() -> None:
    cards = {"ruleset": "brimstone", "title": "T", "board": "none", "threat": ["high:2"] * 4}

    result = sim.run(from_dict(cards | {"heroes": [{"class": "lawman"}]}), runs=20, jobs=1, progress=False)

    said = [str(caution) for caution in result.warnings if caution.code == "ignored"]
    assert said == ["Some enemies were left out: models that found no place, 32 per fight."]  # 72 are more than 40


@pytest.mark.rule("BF-S12")
@pytest.mark.parametrize(
    ("line", "fight", "key"),
    [
        ({"count": 2, "squares": [[1, 1], [1, 1]]}, {}, "enemies[0].squares[1]"),
        ({"count": 2, "squares": [[3, 1], [9, 9]]}, {}, "enemies[0].squares[1]"),
        ({"count": 2, "squares": [[2, 1], [1, 2]]}, {}, "enemies[0].squares[0]"),  # where the hero stands
        ({"count": 1, "squares": [[1, 1], [1, 2]]}, {}, "enemies[0].squares"),
        ({"count": "P", "squares": [[1, 1]]}, {}, "enemies[0].squares"),
        ({"count": 2, "squares": [[1, 1]]}, {"ambush": True}, "enemies[0].squares"),
        ({"count": 9}, {}, "enemies"),
        ({"count": 9, "squares": [[1, 1], [1, 2]]}, {}, "enemies"),  # 8 squares are free, given ones among them
    ],
)
def test_squares_of_enemies_are_floor_and_nobody_elses(line: dict[str, Any], fight: dict[str, Any], key: str) -> None:
    ground = {"ruleset": "brimstone", "title": "T", "width": 3, "height": 3, "heroes": [{"class": "lawman"}]}

    with pytest.raises(ScenarioError) as caught:
        from_dict(ground | fight | {"enemies": [{"type": "tentacles"} | line]})

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
