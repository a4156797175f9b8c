"""Every problem of a scenario file at once, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, model_validator

from sim.core.registry import ruleset
from sim.core.schema import ScenarioModel, Strict
from sim.errors import Problem, ScenarioError
from sim.scenario import from_dict, load
from sim.scenario.checks import check
from sim.scenario.shape import Shape, in_words, shown
from tests.games.coins import RULESET, Coins

GOOD: dict[str, Any] = {
    "ruleset": "coins",
    "title": "A test",
    "policy": "first",
    "heroes": [{"class": "banker"}, {"class": "pauper", "level": 2}],
    "enemies": [{"type": "urchin", "count": 2}],
}


def messages(**changes: Any) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        from_dict(GOOD | changes)
    return [str(problem) for problem in caught.value.problems]


def test_five_planted_mistakes_are_five_messages_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "gate.toml"
    path.write_text(
        """ruleset = "coins"
title = "The gate"
policy = "frist"
[switches]
moood = "merry"
[[heroes]]
class = "banker"
[[heroes]]
class = "pauper"
level = "three"
[[enemies]]
type = "urchin"
cuont = 4
[[enemies]]
type = "pikpocket"
count = 1
"""
    )

    with pytest.raises(ScenarioError) as caught:
        load(path)

    assert str(caught.value).replace(f"{tmp_path}/", "").splitlines() == [
        "gate.toml:3: policy: unknown policy 'frist'; did you mean 'first'?",
        "gate.toml:5: switches.moood: unknown switch; did you mean 'mood'?",
        "gate.toml:10: heroes[1].level: expected a whole number from 1 to 10, found 'three'",
        "gate.toml:13: enemies[0].cuont: unknown key; did you mean 'count'?",
        "gate.toml:15: enemies[1].type: unknown foe 'pikpocket'; did you mean 'pickpocket'?",
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"level": 11}, "level: expected a whole number from 1 to 10, found 11"),
        ({"level": "3"}, "level: expected a whole number from 1 to 10, found '3' (write it without quotes)"),
        ({"level": 2.5}, "level: expected a whole number from 1 to 10, found 2.5"),
        ({"level": True}, "level: expected a whole number from 1 to 10, found true"),
        ({"level": [1]}, "level: expected a whole number from 1 to 10, found a list of 1 entry"),
        ({"title": 7}, "title: expected a text, found 7 (write it in quotes)"),
        ({"policy_options": {"bluff": "yes"}}, "policy_options.bluff: expected true or false, found 'yes' (write"),
        ({"policy_options": 3}, "policy_options: expected a table, found 3"),
        ({"heroes": []}, "heroes: expected a list of 1 to 4 entries, found a list of 0 entries"),
        ({"heroes": {"class": "banker"}}, "found a table (an entry of a list has two brackets, as in [[heroes]])"),
        ({"heroes": [{"class": "banker", "hat": "tip"}]}, "heroes[0].hat: expected one of 'none', 'top', 'bowler'"),
        ({"heroes": [{"name": "Ada"}]}, "heroes[0].class: missing; expected one of 'pauper', 'burgher', 'banker'"),
        ({"heroes": [{"class": "banker", "name": ""}]}, "heroes[0].name: expected a text that is not empty, found ''"),
        ({"heroes": [{"class": "banker", "charms": {"peny": 1}}]}, "heroes[0].charms.peny: unknown charm 'peny'; did"),
        ({"heroes": [{"class": "banker", "charms": {"penny": -1}}]}, "expected a whole number from 0 to 9, found -1"),
        ({"enemies": [{"type": "urchin", "count": 0}]}, "expected a whole number from 1 to 9 or 'crowd', found 0"),
        ({"enemies": [{"type": "urchin", "count": "crwd"}]}, "or 'crowd', found 'crwd'; did you mean 'crowd'?"),
        ({"prize": [1]}, "prize[1]: missing"),
        ({"prize": [1, 2, 3]}, "prize: expected a list of 2 entries, found a list of 3 entries"),
        ({"preset": "brutl"}, "preset: expected one of 'gentle', 'brutal', found 'brutl'; did you mean 'brutal'?"),
        ({"switches": {"heads_takes": 99}}, "switches.heads_takes: expected a whole number from 1 to 9, found 99"),
        ({"switches": "none"}, "switches: expected a table, found 'none'"),
        ({"enemies": []}, "enemies: a duel needs somebody to fight"),
        ({"nonsense": 1}, "nonsense: unknown key (known: ruleset, title, description, preset,"),
    ],
)
def test_a_mistake_is_one_message(changes: dict[str, Any], expected: str) -> None:
    found = messages(**changes)

    assert len(found) == 1, found
    assert expected in found[0]


def test_a_missing_key_whose_misspelling_is_there_is_said_once() -> None:
    found = messages(enemies=[{"type": "urchin", "cont": 1}])

    assert found == ["enemies[0].cont: unknown key; did you mean 'count'?"]


def test_a_misspelled_ruleset_does_not_hide_the_other_mistakes() -> None:
    found = messages(ruleset="coinz", level=0)

    assert found[0].endswith("found 'coinz'; did you mean 'coins'?")
    assert found[1].startswith("level: expected")


def test_a_misspelled_key_of_the_ruleset_does_not_hide_the_other_mistakes() -> None:
    data = {key: value for key, value in GOOD.items() if key != "ruleset"} | {"rulset": "coins", "level": 0}

    with pytest.raises(ScenarioError) as caught:
        from_dict(data)

    assert [problem.key for problem in caught.value.problems] == ["level", "rulset"]


@pytest.mark.parametrize("ruleset", [{}, [], 3, "", "qqqq", None])
def test_a_ruleset_that_nobody_knows_is_named(ruleset: Any) -> None:
    data = {key: value for key, value in GOOD.items() if key != "ruleset"}
    if ruleset is not None:
        data["ruleset"] = ruleset

    with pytest.raises(ScenarioError, match=r"ruleset: (missing; )?expected one of .*'coins'.*'overhill'"):
        from_dict(data)


class Walk(Strict):
    """On foot."""

    pace: Annotated[int, Field(ge=1)]
    shoes: Literal["boots", "sandals"]


class Ride(Strict):
    """On a horse."""

    horse: str
    saddle: bool


class Journey(ScenarioModel):
    """A model with unions and a check of its own."""

    travel: Walk | Ride | Literal["stay"]
    stops: list[int] | int = 0

    @model_validator(mode="after")
    def _halts(self) -> Journey:
        if self.stops == 13:
            raise ValueError("nobody stops 13 times")
        return self


class Journeys(Coins):
    """Coin Duel with that model."""

    scenario_model = Journey

    def problems(self, scenario: Any) -> list[Problem]:
        """Nothing that the model does not see."""
        return []


def journey(**said: Any) -> list[tuple[str, str]]:
    data = {"ruleset": "coins", "title": "t", "policy": "first"} | said
    return [(".".join(map(str, one.path)), one.message) for one in check(Journeys(), data)[1]]


def test_of_a_union_only_the_nearest_branch_speaks() -> None:
    on_foot = journey(travel={"pace": 0, "shoes": "boots"})
    on_a_horse = journey(travel={"horse": "Nag", "sadle": True})

    assert on_foot == [("travel.pace", "expected a whole number from 1 up, found 0")]
    assert on_a_horse == [("travel.sadle", "unknown key; did you mean 'saddle'?")]


def test_a_value_that_fits_no_branch_hears_of_all_of_them() -> None:
    assert journey(travel="sty") == [("travel", "expected a table or 'stay', found 'sty'; did you mean 'stay'?")]
    assert journey(travel="stay", stops="x") == [("stops", "expected a list or a whole number, found 'x'")]
    assert journey(travel="stay", stops=[1, "x"]) == [("stops.1", "expected a whole number, found 'x'")]


def test_entries_in_order_are_looked_at_although_others_are_not() -> None:
    bad_card = {"card": "K diamond", "spot": [2, 1]}
    enemies = [{"card": "J clubs", "spot": [99, 99]}, bad_card, {"card": "J clubs", "spot": [77, 0]}]
    data = {"ruleset": "p52", "policy": "brawler", "board": "great_room", "heroes": [{"class": "fighter"}]}

    def places(**more: Any) -> list[str]:
        return [".".join(map(str, one.path)) for one in check(ruleset("p52"), data | more)[1]]

    assert sorted(places(enemies=enemies)) == ["enemies.0.spot", "enemies.1.card", "enemies.2.spot", "title"]
    assert places(title="t", enemies=[bad_card]) == ["enemies.0.card"]  # and not that nobody is there to fight
    all_of_them = ["enemies.0.spot", "enemies.1.card", "enemies.2.spot", "level"]
    assert sorted(places(title="t", enemies=enemies, level="high")) == all_of_them


def test_a_wrong_type_hides_no_other_mistake() -> None:
    data = {
        "ruleset": "brimstone",
        "title": "t",
        "width": 6,
        "height": 6,
        "policy": "agressive",
        "threat": "mid",
        "heroes": [{"class": "lawman", "health": "ten", "square": [9, 9]}, {"class": "lawmen"}],
        "enemies": [{"type": "tentacle", "count": 3.5}, {"type": "hellbats", "abilities": {"feer": 1}}],
        "switches": {"round_cap": 2},
    }

    assert sorted(".".join(map(str, one.path)) for one in check(ruleset("brimstone"), data)[1]) == [
        "enemies.0.count",
        "enemies.0.type",
        "enemies.1.abilities.feer",
        "heroes.0.health",
        "heroes.0.square",
        "heroes.1.class",
        "policy",
        "switches.round_cap",
        "threat",
    ]


def test_a_value_that_was_left_out_is_not_missed() -> None:
    board = {"ruleset": "brimstone", "title": "t", "width": "six", "height": 6}
    fight = {"heroes": [{"class": "lawman"}], "enemies": [{"type": "tentacles"}]}

    found = [".".join(map(str, one.path)) for one in check(ruleset("brimstone"), board | fight)[1]]

    assert found == ["width"]  # and not that there is no board


def test_a_check_of_the_rulesets_own_model_speaks_for_itself() -> None:
    assert journey(travel="stay", stops=13) == [("", "nobody stops 13 times")]


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "number", "exclusiveMinimum": 0, "maximum": 1}, "a number above 0 and up to 1"),
        ({"type": "integer", "exclusiveMaximum": 9}, "a whole number below 9"),
        ({"type": "string", "examples": ["1d6", "2d4"]}, "a text such as '1d6' or '2d4'"),
        ({"type": "string", "pattern": "^x$"}, "a text of the form ^x$"),
        ({"type": "array", "minItems": 1}, "a list of at least 1 entry"),
        ({"type": "array", "maxItems": 3, "items": {"enum": ["a"]}}, "a list of at most 3 entries with any of 'a'"),
        ({"enum": [2, 4]}, "one of 2, 4"),
        ({"const": "x"}, "'x'"),
        ({}, "a value"),
    ],
)
def test_a_schema_is_put_in_words(schema: dict[str, Any], words: str) -> None:
    assert in_words(schema) == words


def test_a_long_value_is_cut_short() -> None:
    assert shown("x" * 1000) == "'" + "x" * 44 + "... (1,002 characters)"
    assert len(messages(level="y" * 100_000)[0]) < 200


def test_a_shape_knows_what_may_stand_below() -> None:
    shape = Shape.of(RULESET)

    assert shape.at(("heroes", 3, "level")).expected == "a whole number from 1 to 10"
    assert shape.at(("heroes", 0, "charms")).keys == ["penny", "horseshoe"]
    assert shape.at(("switches",)).keys == ["heads_takes", "mood"]
    assert not shape.at(("heroes", 0, "wings"))
    assert not shape.at(("level", "x"))
