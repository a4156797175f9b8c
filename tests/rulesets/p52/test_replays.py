"""A replay tells everything that happens: the story adds up, event by event, and every event has its sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from sim.core.telling import ROUND_ENDS, START, Event
from sim.replays.replay import Telling, replay
from sim.replays.sentences import lines_of
from sim.rulesets.p52 import RULESET
from sim.scenario import from_dict, load
from sim.scenario.scenario import Scenario
from tests.oracle.random_p52 import random_scenario
from tests.rulesets.p52.fights import foe, hero, written

REFERENCE = ("p52/great-room", "p52/calico-lair", "p52/four-on-four", "p52/mountain-pass", "p52/random-space")


def told(fight: Scenario, run: int) -> tuple[Event, ...]:
    return replay(fight, run, 1).events


@cache
def random_story(seed: int) -> Telling:
    return replay(from_dict(random_scenario(seed)), seed, 1)


def number(event: Event, *names: str) -> int:
    return sum(int(event.facts.get(name, 0)) for name in names)


def gaps(events: Sequence[Event]) -> list[str]:
    """Where hit points after an event are not those before it, less what it took and more what it gave."""
    found = []
    known: dict[str, int] = {}
    for event in events:
        change = number(event, "healed") - number(event, "damage", "harm")
        concerned = event.whom or ((event.who,) if event.who else ())
        for token in event.after.tokens:
            before = known.get(token.key, token.hp)
            expected = before + (change if token.key in concerned else 0)
            if token.key in known and token.hp != expected:
                found.append(f"{event.rule} {event.kind}: {token.key} has {token.hp}, expected {expected}")
            known[token.key] = token.hp
    return found


def out_of_place(events: Sequence[Event]) -> list[str]:
    """Moves that do not lead to where they are told to lead, and units that change places without a word."""
    found = []
    known: dict[str, int | None] = {}
    for event in events:
        board = event.after.board
        assert board is not None
        for token in event.after.tokens:
            moved = token.key in known and known[token.key] != token.place
            mover = token.key in (event.whom or (event.who,))
            if event.kind in ("moves", "flees", "retreats", "is_pushed") and mover:
                assert token.place is not None
                if board.names[token.place] != event.facts["place"]:
                    found.append(f"{event.kind}: {token.key} is at {board.names[token.place]}, not {event.facts}")
            elif moved and event.kind not in ("charges", "comes_back", "is_routed", "enters"):
                found.append(f"{event.kind}: {token.key} has moved in silence")
            known[token.key] = token.place
    return found


def ends(telling: Telling) -> list[str]:
    """Where the last scene does not show what the tables say."""
    left = {unit["name"]: unit["hp"] for unit in telling.units}
    return [token.key for token in telling.events[-1].after.tokens if token.hp != left[token.key]]


def checked(telling: Telling) -> Telling:
    assert gaps(telling.events) == []
    assert out_of_place(telling.events) == []
    assert ends(telling) == []
    return telling


ELIXIRS = {"fire_elixir": 2, "ice_elixir": 1, "water_elixir": 2}
SHOWN: dict[str, tuple[dict[str, Any], set[str]]] = {
    "elixirs": (
        {"heroes": [hero("rogue", 9, consumables=ELIXIRS)], "enemies": [foe("K clubs"), foe("K hearts")]},
        {"throws", "bursts", "freezes", "area_hurts", "catches_fire"},
    ),
    "wave": (
        {"heroes": [hero("cleric", 5, max_hp=300)], "enemies": [foe("K hearts", max_hp=300)]},
        {"area", "is_crushed"},
    ),
    "iron shield": (
        {
            "heroes": [hero("fighter", 14)],
            "enemies": [foe("K hearts", max_hp=3000)],
            "ban": ["body_block", "parry", "dodge"],
            "stamina_start": 0,
        },
        {"strikes", "misses", "counter_hits", "dies"},
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_told_adds_up(name: str) -> None:
    parts, wanted = SHOWN[name]
    fight = from_dict(written(**parts, policy="focus_fire"))

    kinds = {event.kind for run in range(6) for event in checked(replay(fight, run, 1)).events}

    assert wanted <= kinds


def test_the_iron_shield_is_told_with_its_card_and_what_it_costs() -> None:
    fight = from_dict(written(**SHOWN["iron shield"][0], policy="focus_fire"))
    events = [event for run in range(6) for event in checked(replay(fight, run, 1)).events]

    shields = [event for event in events if any(roll.purpose == "for the iron shield" for roll in event.rolls)]

    assert shields
    for event in shields:
        card = next(roll for roll in event.rolls if roll.purpose == "for the iron shield").faces[0]
        assert event.facts["harm"] == (2 if card.startswith("A") else 0)


@pytest.mark.parametrize("name", REFERENCE)
@pytest.mark.parametrize("policy", ["focus_fire", "random_legal"])
def test_stories_of_the_reference_fights_add_up(name: str, policy: str) -> None:
    fight = load(name, policy=policy, values={"switches.round_cap": 20})

    for run in range(4):
        checked(replay(fight, run, 1))


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_stories_of_random_fights_add_up_and_can_be_put_into_words(first: int) -> None:
    for seed in range(first, first + 10):
        telling = checked(random_story(seed))

        for event, words in zip(telling.events, telling.words, strict=True):
            assert bool(words) == (event.kind not in (START, ROUND_ENDS))
            assert "_" not in words, words


def test_every_kind_of_event_has_a_sentence_and_every_sentence_an_event() -> None:
    source = "\n".join(file.read_text() for file in sorted((RULESET.folder / "rules").glob("*.py")))
    quoted = set(re.findall(r'"([a-z_]+)"', source))
    seen = {event.kind for seed in range(40) for event in random_story(seed).events}

    assert seen - {START, ROUND_ENDS} <= set(RULESET.sentences)
    assert set(RULESET.sentences) - quoted == set()


def test_the_last_line_of_every_sentence_fits_whatever_happens() -> None:
    for kind, entry in RULESET.sentences.items():
        lines = lines_of(entry)
        if "success" not in lines[0].when:
            assert not lines[-1].when, kind


def test_chances_are_those_of_the_cards_that_are_left() -> None:
    came: list[float] = []
    chances: list[float] = []
    for run in range(12):
        for event in told(load("p52/four-on-four", policy="focus_fire"), run):
            for roll in event.rolls:
                assert roll.cards
                assert all(re.fullmatch(r"(A|[2-9]|10|J|Q|K)[♥♦♠♣]", face) for face in roll.faces)
                assert roll.chance is None or 0 <= roll.chance <= 1
                if roll.came is not None and roll.chance is not None:
                    came.append(roll.came)
                    chances.append(roll.chance)

    spread = sum(chance * (1 - chance) for chance in chances) ** 0.5
    assert len(came) > 200
    assert abs(sum(came) - sum(chances)) < 4 * spread


def test_without_a_deck_cards_have_no_suit() -> None:
    fight = load("p52/duel", values={"switches.deck_mode": "iid"})

    faces = [face for event in told(fight, 3) for roll in event.rolls for face in roll.faces]

    assert faces
    assert all(re.fullmatch(r"A|[2-9]|10|J|Q|K", face) for face in faces)


def test_conditions_and_belongings_are_on_the_table() -> None:
    marks: set[str] = set()
    notes: set[str] = set()
    stories = [random_story(seed).events for seed in range(40)]
    for event in (event for story in (*stories, told(load("p52/great-room"), 219)) for event in story):
        for token in event.after.tokens:
            marks |= set(token.marks)
            notes |= {re.sub(r"[^a-z ]", "", note).strip() for note in token.notes}

    assert {"stunned", "frozen", "aiming", "on guard", "wading", "hidden", "dead", "weak", "burning", "routed"} <= marks
    assert {"stamina cards", "arrows", "healing potion", "bow not ready"} <= notes


def test_a_gauntlet_begins_anew_in_every_room() -> None:
    fight = load("p52/mountain-pass", policy="focus_fire")
    stories = (told(fight, run) for run in range(40))
    events = next(story for story in stories if any(event.kind == "enters" for event in story))

    starts = [event for event in events if event.kind == START]

    assert len(starts) == 1 + sum(event.kind == "enters" for event in events)
    assert [event.after.notes[0] for event in starts[:2]] == ["room 1 of 3: The Jacks", "room 2 of 3: The Queens"]
    assert [token.name for token in starts[1].after.tokens if token.side == "enemy"] == [
        "queen of hearts", "queen of diamonds", "queen of spades", "queen of clubs",
    ]  # fmt: skip
