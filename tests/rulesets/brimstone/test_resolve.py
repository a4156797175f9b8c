"""The fight as it stands on the table."""

from __future__ import annotations

from typing import Any

import sim


def enemy(name: str, **changes: Any) -> dict[str, Any]:
    """The first line of enemies of a shipped fight, as played."""
    entry: dict[str, Any] = sim.load(name, set=changes).as_played()["enemies"][0]
    return entry


def test_elite_abilities_that_may_be_drawn_are_shown_with_their_number() -> None:
    plain, elite = enemy("brimstone/high_noon", level=2), enemy("brimstone/high_noon", level=4)

    assert "drawn_from" not in plain
    assert elite["elite_abilities_drawn"] == 2
    assert [text[0] for text in elite["drawn_from"].split("; ")] == ["1", "2", "3", "4", "5", "6"]
    assert "4 Health +4, Regeneration 1" in elite["drawn_from"]


def test_given_elite_abilities_are_shown_and_not_drawn_again() -> None:
    given = enemy("brimstone/high_noon", **{"level": 3, "enemies[0].elites": [4]})

    assert given["elite"] == "Health +4, Regeneration 1"
    assert "drawn_from" not in given  # one is owed at level 3


def test_results_that_are_not_modelled_are_not_drawn() -> None:
    cultists = enemy("brimstone/cult_rifles", **{"switches.extra_elite": 1})

    assert len(cultists["drawn_from"].split("; ")) == 5  # the sixth result is not


def test_threat_cards_are_shown_with_what_they_bring() -> None:
    gate = sim.load("brimstone/goliath_gate").as_played()["threat_cards"]

    assert len(gate) == 9
    assert gate["med 5"] == "6 tentacles"
    assert gate["med 9"] == "1 slashers, 1 card of low"
    one = sim.load("brimstone/goliath_gate", set={"threat": "epic:1"}).as_played()["threat_cards"]
    assert one == {"epic 1": "1 goliath, 1 card for the posse"}


def test_what_is_shown_for_reading_stands_in_no_file() -> None:
    gate = sim.load("brimstone/goliath_gate", set={"level": 4})

    assert "threat_cards" not in gate.resolved()
    assert "drawn_from" not in gate.resolved()["enemies"][0]
