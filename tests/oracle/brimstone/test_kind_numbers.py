"""Numbers of kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.luck import AddressedLuck
from tests.oracle.random_brimstone import random_scenario

MADE = len(bf.TYPES)  # the number of the first kind made by a line, if it takes no other
STRONG_TENTACLES = {"type": "tentacles", "health": 9}
STRONG_DEAD = {"type": "hungry_dead", "health": 3}


def numbers_of(enemies: list[dict[str, Any]], posse: Sequence[dict[str, Any]] = bf.FOUR, **more: Any) -> list[int]:
    """The kind numbers of all enemy lines of a fight."""
    prepared = bf.prepare({"board": "none", "heroes": list(posse), "enemies": enemies} | more)
    return [line.kind for line in [*prepared.lines, *(line for event in prepared.events for line in event.lines)]]


def own_or_type(number: int, line: dict[str, Any]) -> str:
    return "type" if number == bf.TYPE_NUMBER[line["type"]] else "own"


def test_a_changed_line_takes_the_number_of_its_type_and_leaves_a_gap() -> None:
    lines = [STRONG_TENTACLES, {"type": "bandits", "move": 3}, {"type": "bandits"}, {"type": "goliath", "health": 9}]

    tentacles, bandits, goliath = (bf.TYPE_NUMBER[name] for name in ("tentacles", "bandits", "goliath"))
    assert numbers_of(lines) == [tentacles, MADE + 1, bandits, goliath]
    assert numbers_of([], events=[{"turn": 2, "enemies": [STRONG_TENTACLES]}]) == [tentacles]


@pytest.mark.parametrize(
    "other",
    [{"type": "tentacles"}, {"type": "tentacles", "move": 4}, {"type": "tentacles", "count": 0}, {"type": "strong"}],
    ids=["plain", "changed", "of nobody", "by name"],
)
@pytest.mark.parametrize("late", [False, True])
def test_another_line_of_the_type_keeps_the_numbers_apart(other: dict[str, Any], late: bool) -> None:
    line = STRONG_TENTACLES | {"name": "strong"}

    if late:
        numbers = numbers_of([line], events=[{"turn": 2, "enemies": [other]}])
    else:
        numbers = numbers_of([line, other])

    plain = bf.TYPE_NUMBER["tentacles"]
    assert numbers == [MADE, MADE if other["type"] == "strong" else MADE + 1 if "move" in other else plain]


def test_two_changed_lines_of_a_name_keep_their_own_numbers() -> None:
    lines = [STRONG_TENTACLES | {"name": "strong"}, {"type": "strong", "move": 4}]

    assert numbers_of(lines) == [MADE, MADE + 1]


@pytest.mark.parametrize(
    ("kind", "threat", "heroes", "expected"),
    [
        ("tentacles", ["med"], 4, "own"),
        ("tentacles", "med:5", 4, "own"),
        ("tentacles", ["med:1"], 4, "type"),  # only that card
        ("stranglers", ["med:3"], 4, "own"),  # calls for low cards
        ("stranglers", ["med:5"], 4, "type"),
        ("bandits", ["med"], 4, "type"),
        ("tentacles", "auto", 2, "type"),  # low
        ("tentacles", "auto", 3, "own"),  # med
        ("goliath", ["epic"], 4, "own"),
        ("goliath", ["epic"], 2, "type"),  # high for two heroes
        ("goliath", ["epic:1"], 2, "own"),  # a certain card stays
        ("tentacles", ["epic:1"], 2, "type"),  # its further cards are low
        ("tentacles", ["epic:1"], 3, "own"),  # its further cards are med
        ("bandits", ["epic"], 2, "own"),
        ("bandits", ["epic"], 4, "type"),
        ("gulch_snipers", ["low", "med", "high", "epic"], 4, "type"),  # on no card
    ],
)
def test_a_card_that_may_be_drawn_keeps_the_numbers_apart(
    kind: str, threat: str | list[str], heroes: int, expected: str
) -> None:
    line = {"type": kind, "health": 7}

    assert own_or_type(numbers_of([line], bf.FOUR[:heroes], threat=threat)[0], line) == expected


def test_allies_make_the_list_of_the_posse() -> None:
    allies = [{"class": "lawman", "ally": True, "move": 4}] * 3
    line = {"type": "tentacles", "health": 7}

    numbers = numbers_of([line], bf.FOUR[:2] + allies, threat="auto")

    assert own_or_type(numbers[0], line) == "own"


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ({"type": "corpse_pile"}, "own"),
        ({"type": "corpse_pile", "health": 2}, "own"),  # a changed pile still spawns
        ({"type": "corpse_pile", "abilities": {"fear": 1}}, "type"),  # abilities are replaced
        ({"type": "goliath", "abilities": {"spawn": [4, "hungry_dead"]}}, "own"),
        ({"type": "goliath", "abilities": {"spawn": [4, "corpse_pile"]}}, "own"),  # what it spawns spawns
        ({"type": "goliath", "abilities": {"spawn": [4, "bandits"]}}, "type"),
    ],
)
def test_a_spawner_keeps_the_numbers_apart(other: dict[str, Any], expected: str) -> None:
    for lines in ([STRONG_DEAD, other], [other, STRONG_DEAD]):
        assert own_or_type(numbers_of(lines)[lines.index(STRONG_DEAD)], STRONG_DEAD) == expected
    late = numbers_of([STRONG_DEAD], events=[{"turn": 3, "enemies": [other]}])
    assert own_or_type(late[0], STRONG_DEAD) == expected


def test_a_kind_that_spawns_its_own_type_keeps_its_own_number() -> None:
    spiders = {"type": "void_spiders", "abilities": {"spawn": [4, "void_spiders"]}}

    assert numbers_of([spiders]) == [MADE]


@pytest.mark.parametrize("spawners", ["on", "off"])
def test_the_switch_of_spawners_renumbers_nobody(spawners: str) -> None:
    lines = [STRONG_DEAD, {"type": "corpse_pile"}]

    assert numbers_of(lines, switches={"spawners": spawners})[0] == MADE


@pytest.mark.parametrize("name", ["tentacle_hall", "rat_ambush", "strangler_den", "rat_ambush_mid", "high_noon"])
def test_a_line_that_repeats_a_figure_of_its_type_meets_the_same_luck(name: str) -> None:
    scenario = bf.SCENARIOS[name] | {"level": 4}  # with Elite rolls
    same = [line | {"health": bf.TYPES[bf.TYPE_NUMBER[line["type"]]].health} for line in scenario["enemies"]]

    before, after = bf.prepare(scenario), bf.prepare(scenario | {"enemies": same})

    assert [bf.play(before, AddressedLuck(5, run)) for run in range(4)] == [
        bf.play(after, AddressedLuck(5, run)) for run in range(4)
    ]


def test_random_scenarios_make_kinds_of_both_sorts() -> None:
    sorts: Counter[str] = Counter()
    for seed in range(200):
        scenario = random_scenario(seed)
        prepared = bf.prepare(scenario)
        lines = [*prepared.lines, *(line for event in prepared.events for line in event.lines)]
        written = [*scenario["enemies"], *(line for event in scenario.get("events", []) for line in event["enemies"])]
        for line, text in zip(lines, written, strict=True):
            if set(text) - {"type", "count"}:
                sorts["own" if line.kind >= MADE else "type"] += 1

    assert min(sorts["own"], sorts["type"]) >= 60, sorts
