"""The starter file and the JSON Schema: always valid, made from the ruleset's own declaration."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft7Validator

from sim.core.registry import ruleset
from sim.scenario import from_dict, load, scenarios_of
from sim.scenario.shape import Shape, scenario_schema
from sim.scenario.starter import base_scenario, starter_text
from tests.games.coins import RULESET

OURS = ["overhill", "p52", "brimstone", "second_era"]
GAMES = ["coins", *OURS]
COINS = ["coins/brawl", "coins/duel", "coins/gang"]


def misfits(schema: dict[str, Any], data: Any) -> set[str]:
    """Where a scenario does not fit the schema, as dotted paths; an unknown key by its own path."""
    places: set[str] = set()
    for error in Draft7Validator(schema).iter_errors(data):
        path = ".".join(str(step) for step in error.absolute_path)
        if error.validator == "additionalProperties":
            unknown = set(error.instance) - set(error.schema["properties"])
            places |= {f"{path}.{key}".lstrip(".") for key in unknown}
        else:
            places.add(path)
    return places


@pytest.mark.parametrize("name", [*COINS, *(name for game in OURS for name in scenarios_of(ruleset(game)))])
def test_a_starter_file_is_a_valid_scenario_that_plays_its_base(name: str) -> None:
    base = load(name)

    starter = from_dict(tomllib.loads(starter_text(base)))

    assert starter.digest == base.digest


@pytest.mark.parametrize("name", [*COINS, "overhill/warband", *(base_scenario(ruleset(game)).name for game in OURS)])
def test_every_line_of_a_starter_file_can_be_switched_on(name: str) -> None:
    base = load(name)
    text = starter_text(base)
    switchable = list(re.finditer(r'^#[\w"]+ = .*(\n#    ".*)*(\n#\])?$', text, re.MULTILINE))  # a list may be long

    assert len(switchable) >= 5
    for found in switchable:
        switched_on = text[: found.start()] + re.sub("^#", "", found[0], flags=re.MULTILINE) + text[found.end() :]
        assert from_dict(tomllib.loads(switched_on)).digest == base.digest, found[0]


def test_a_starter_file_speaks_of_every_key() -> None:
    text = starter_text(load("coins/brawl"), "gate.toml", "./coins.schema.json")

    assert text.startswith("#:schema ./coins.schema.json\n")
    assert "fairfight check gate.toml" in text
    for word in ("heads_takes", "mood", "bluff", "charms", "prize", "strongest", "brutal"):
        assert word in text


@pytest.mark.parametrize(
    ("game", "part"),
    [("p52", "[[encounters]]"), ("p52", "[enemy_deck]"), ("brimstone", "[[events]]"), ("second_era", "[[companions]]")],
)
def test_what_the_starter_fight_has_not_is_shown_as_another_fight_writes_it(game: str, part: str) -> None:
    text = starter_text(base_scenario(ruleset(game)))

    _, _, after = text.partition(f"\n# {part}: ")
    other = re.search(r"^# As in (\S+):\n((?:#.*\n)+)", after, re.MULTILINE)

    assert other is not None
    example = tomllib.loads(re.sub(r"^#( {5})?", "", other[2].replace("#     ...\n", ""), flags=re.MULTILINE))
    key = part.strip("[]")
    assert set(example) == {key}
    written = load(other[1]).data[key]
    assert example[key][0].items() <= written[0].items() if isinstance(written, list) else example[key] == written


def keys_of(shape: Shape, depth: int = 0) -> Iterator[str]:
    """The keys of a file with those of its tables and of the entries of its lists."""
    for key in shape.keys:
        yield key
        if depth < 2 and key != "policies":
            yield from keys_of(shape.at((key,)), depth + 1)
            yield from keys_of(shape.at((key, 0)), depth + 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_starter_file_tells_every_key_of_its_game_and_every_name_that_fits(game: str) -> None:
    shape = Shape.of(ruleset(game))
    text = starter_text(base_scenario(ruleset(game)))

    told = set(re.findall(r"[\w-]+", text))
    assert not set(keys_of(shape)) - told - {"description"}
    names = [*shape.at(("heroes", 0, "class")).choices, *shape.at(("enemies", 0, "type")).choices]
    words = " ".join(line.lstrip("# ") for line in text.splitlines())
    assert not [name for name in names if f"'{name}'" not in words]


def test_a_starter_file_tells_how_to_write_a_type_of_ones_own() -> None:
    text = starter_text(base_scenario(ruleset("overhill")))

    assert "# [monsters.NAME]: Monsters of your own" in text
    assert "#     traits: See `fairfight show overhill traits` (a list with any of 'leader'," in text
    assert '#     [classes.my_warrior]\n#     like = "warrior"\n' in text


def test_a_starter_file_explains_what_its_fight_does_not_have() -> None:
    text = starter_text(base_scenario(ruleset("p52")))

    assert "# [[encounters]]: " in text
    assert "#         the same keys as in [[enemies]]" in text
    assert "# [enemy_deck]: " in text
    assert "#     spots: " in text


def test_a_ruleset_may_choose_the_fight_to_start_from(monkeypatch: pytest.MonkeyPatch) -> None:
    assert base_scenario(RULESET).name == "coins/brawl"

    monkeypatch.setattr(RULESET, "starter", "duel", raising=False)

    assert base_scenario(RULESET).name == "coins/duel"


@pytest.mark.parametrize("game", GAMES)
def test_the_schema_is_a_schema_by_the_draft_that_it_names(game: str) -> None:
    schema = scenario_schema(ruleset(game))

    assert schema["$schema"] == Draft7Validator.META_SCHEMA["$id"]
    Draft7Validator.check_schema(schema)


@pytest.mark.parametrize("game", GAMES)
def test_the_schema_is_plain(game: str) -> None:
    text = json.dumps(scenario_schema(ruleset(game)))

    for word in ("prefixItems", '"null"', "$defs", "discriminator"):
        assert word not in text


@pytest.mark.parametrize("game", GAMES)
def test_the_schema_takes_every_built_in_scenario_and_its_resolved_form(game: str) -> None:
    schema = scenario_schema(ruleset(game))

    for name in scenarios_of(ruleset(game)):
        assert misfits(schema, load(name).data) == set()
        assert misfits(schema, load(name).resolved()) == set()


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"level": 11}, "level"),
        ({"levl": 1}, "levl"),
        ({"policy": "frist"}, "policy"),
        ({"preset": "brutl"}, "preset"),
        ({"switches": {"mood": "sad"}}, "switches.mood"),
        ({"switches": {"moood": "calm"}}, "switches.moood"),
        ({"ruleset": "overhill"}, "ruleset"),
        ({"prize": ["a", 2]}, "prize.0"),
        ({"heroes": [{"class": "bankr"}]}, "heroes.0.class"),
        ({"enemies": [{"type": "urchin"}]}, "enemies.0"),
    ],
)
def test_the_schema_sees_the_mistakes_that_an_editor_should_mark(change: dict[str, Any], key: str) -> None:
    data = load("coins/duel").data | change

    assert misfits(scenario_schema(RULESET), data) == {key}


def test_the_schema_describes_switches_for_the_editor() -> None:
    switches = scenario_schema(RULESET)["properties"]["switches"]["properties"]

    assert switches["mood"] == {
        "description": "changes nothing but the mood",
        "default": "calm",
        "enum": ["calm", "merry", "1"],
    }
