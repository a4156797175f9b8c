"""A replay tells everything that takes or gives hit points: the story adds up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.telling import Event, Recorder
from sim.scenario import from_dict, load
from sim.scenario.scenario import Scenario
from tests.rulesets.p52.fights import foe, hero, written


def events_of(fight: Scenario, run: int) -> list[Event]:
    recorder = Recorder()
    play(fight.encounter(), 1, np.array([run]), recorder)
    return recorder.events


def gaps(events: list[Event]) -> list[str]:
    """Where the hit points told of a unit are not those told before, less what it lost and more what it got since."""
    known: dict[str, int] = {}
    found = []
    for event in events:
        facts = {name: value for name, value in event.facts.items() if not isinstance(value, str)}
        if event.rule in ("P52-X5", "P52-C22", "P52-E17"):
            known.pop(event.who, None)  # a rest, or a new life
        change = facts.get("healed", 0) - facts.get("damage", 0) - facts.get("harm", 0)
        if event.who in known:
            known[event.who] += change
        if "hp" in facts:
            if known.setdefault(event.who, facts["hp"]) != facts["hp"]:
                found.append(f"{event.rule} {event.who} {event.what}: hp {facts['hp']}, expected {known[event.who]}")
            known[event.who] = facts["hp"]
    return found


ELIXIRS = {"fire_elixir": 2, "ice_elixir": 1, "water_elixir": 2}
SHOWN: dict[str, tuple[dict[str, Any], list[str]]] = {
    "elixirs": (
        {"heroes": [hero("rogue", 9, consumables=ELIXIRS)], "enemies": [foe("K clubs"), foe("K hearts")]},
        ["throws fire elixir", "freezes", "is hit"],
    ),
    "wave": (
        {"heroes": [hero("cleric", 5, max_hp=300)], "enemies": [foe("K hearts", max_hp=300)]},
        ["has nowhere to go"],
    ),
    "iron shield": (
        {
            "heroes": [hero("fighter", 14)],
            "enemies": [foe("K hearts", max_hp=3000)],
            "ban": ["body_block", "parry", "dodge"],
            "stamina_start": 0,
        },
        ["flips for the iron shield"],
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_told_adds_up(name: str) -> None:
    parts, wanted = SHOWN[name]
    fight = from_dict(written(**parts, policy="focus_fire"))
    told = [event for run in range(12) for event in events_of(fight, run)]

    assert [words for words in wanted if not any(event.what == words for event in told)] == []
    assert [gap for run in range(12) for gap in gaps(events_of(fight, run))] == []


@pytest.mark.parametrize("name", ["p52/great-room", "p52/calico-lair", "p52/four-on-four", "p52/mountain-pass"])
def test_stories_of_the_reference_fights_add_up(name: str) -> None:
    fight = load(name, policy="focus_fire")

    assert [gap for run in range(6) for gap in gaps(events_of(fight, run))] == []
