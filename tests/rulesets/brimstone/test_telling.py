"""What is told of a fight: hit points add up event by event, places are those of the state, nothing is left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.luck import Luck
from sim.core.telling import START, Event, Recorder, Token
from sim.replays.sentences import Narrator
from sim.rulesets.brimstone import RULESET
from sim.rulesets.brimstone.bestiary import kind_of_type
from sim.rulesets.brimstone.elite_words import elite_words
from sim.rulesets.brimstone.look import look
from tests.oracle import brimstone as referee
from tests.oracle.random_brimstone import random_scenario
from tests.rulesets.brimstone.fights import encounter_of

RANDOM = range(0, 120, 6)


def story(fight: dict[str, Any], run: int = 0, seed: int = 1) -> list[Event]:
    """What is told of a run."""
    recorder = Recorder()
    play(encounter_of(fight), seed, np.array([run]), recorder)
    return recorder.events


def words(events: list[Event]) -> list[str]:
    """The same as sentences."""
    narrator = Narrator(RULESET.sentences)
    return [narrator.say(event) for event in events]


def tokens(event: Event) -> dict[str, Token]:
    """Everybody on the table after an event."""
    return {token.key: token for token in event.after.tokens}


def check_hit_points(events: list[Event]) -> None:
    """Every loss and gain is told, in full, in an event that names who it concerns."""
    before: dict[str, Token] = {}
    for event in events:
        now = tokens(event)
        changes = {key: token.hp - before[key].hp for key, token in now.items() if key in before}
        changed = {key: change for key, change in changes.items() if change}
        told = int(event.facts.get("healed", 0)) - int(event.facts.get("damage", 0))
        assert set(changed) <= {event.who, *event.whom}, f"{event}: {changed}"
        assert sum(changed.values()) == told or event.kind == START, f"{event}: {changed}"
        before = now


@pytest.mark.parametrize("seed", RANDOM)
def test_told_losses_and_gains_add_up_in_random_fights(seed: int) -> None:
    events = story(random_scenario(seed), run=1, seed=seed)
    told = words(events)

    check_hit_points(events)
    assert all(len(tokens(event)) == len(event.after.tokens) for event in events)  # no key stands for two
    assert all(told[place] for place, event in enumerate(events) if event.kind not in ("start", "round_ends"))


@pytest.mark.parametrize("name", referee.SCENARIOS)
@pytest.mark.parametrize("level", [4, 8])
def test_told_losses_and_gains_add_up_in_shipped_fights(name: str, level: int) -> None:
    fight = referee.SCENARIOS[name] | {"level": level, "policy": "bomber"}

    check_hit_points(story(fight, run=level))


@pytest.mark.parametrize("seed", RANDOM)
def test_scenes_show_the_cells_and_the_health_of_the_state(seed: int) -> None:
    encounter = encounter_of(random_scenario(seed))
    s = encounter.start(Luck.of(seed, np.arange(1)), None)
    while s.live.any() and s.round < 6:
        s.round += 1
        encounter.play_round(s)

        scene = look(s)
        heroes, models = scene.tokens[: s.heroes], scene.tokens[s.heroes :]
        for hero, token in enumerate(heroes):
            assert (token.down, token.hp) == (not s.standing[hero, 0], max(0, s.health_left(hero, s.everyone)[0]))
            if scene.board is not None and token.place is not None:
                assert scene.board.coords[token.place] == s.ground.board.coords[s.cell[hero, 0]]
        assert sum(not token.down for token in models) == s.alive[:, 0].sum()
        if scene.board is not None:
            alive = {scene.board.coords[token.place] for token in models if not token.down and token.place is not None}
            assert alive == {s.ground.board.coords[cell] for cell in s.spot[s.alive[:, 0], 0]}


def test_ambushers_are_told_with_the_hero_they_are_after() -> None:
    events = story(referee.SCENARIOS["rat_ambush"])
    ambush = [event for event in events if event.kind == "springs_up"]

    assert ambush
    for event in ambush:
        (hero,) = event.whom
        assert f"after {hero}" in tokens(event)[event.who].notes


def test_the_pushed_the_missed_and_the_reward_are_told() -> None:
    events = [event for run in range(4) for event in story(referee.SCENARIOS["goliath_gate"], run)]
    hall = [event for run in range(4) for event in story(referee.SCENARIOS["tentacle_hall"], run)]
    said = words(events + hall)

    assert any(event.kind == "pushes" and event.who.startswith("goliath") and event.whom for event in events)
    assert any(sentence.endswith(": a miss") for sentence in said)
    rewards = [event for event in hall if event.kind == "is_rewarded"]
    assert rewards
    assert all(event.facts["xp"] == 180 and event.facts["loot"] == 4 for event in rewards)


def test_xp_that_is_told_adds_up_to_the_xp_of_the_posse() -> None:
    for run in range(6):
        recorder = Recorder()
        outcomes = play(encounter_of(referee.SCENARIOS["high_noon"]), 1, np.array([run]), recorder)
        told = [event for event in recorder.events if event.kind != "is_rewarded"]

        assert sum(int(event.facts.get("xp", 0)) for event in told) == outcomes.xp[0]


def test_elite_abilities_are_told_before_the_fight() -> None:
    fight = referee.SCENARIOS["high_noon"] | {"enemies": [{"type": "undead_outlaws", "count": 3, "elites": [4]}]}
    events = story(fight)

    assert [event.facts["ability"] for event in events if event.kind == "is_elite"] == ["Health +4, Regeneration 1"]
    assert "elite" in tokens(events[-1])["undead_outlaws 1"].notes


def every_result() -> Iterator[tuple[str, bool, int]]:
    """All results of all Elite charts."""
    for name in referee_types():
        for brutal in (False, True):
            for number in range(1, 7):
                yield name, brutal, number


def referee_types() -> list[str]:
    """The names of the enemy types."""
    return list(RULESET.read_table("units.toml")["enemies"])


def test_every_elite_result_has_words() -> None:
    for name, brutal, number in every_result():
        words = elite_words(kind_of_type(name, {}).chart(brutal)[number - 1])
        assert words
        assert "_" not in words


def test_the_luck_of_an_attack_is_what_came_beyond_what_was_to_be_expected() -> None:
    """Over many attacks of one kind the hits that came are as many as were expected."""
    events = [event for run in range(15) for event in story(referee.SCENARIOS["tentacle_hall"], run)]
    rolls = [
        roll for event in events if event.kind in ("attacks", "strikes", "rolls_again") for roll in event.rolls
    ]
    dice = sum(len(roll.faces) for roll in rolls)
    luck = sum(float(roll.came or 0) - float(roll.expected or 0) for roll in rolls)

    assert dice > 300
    assert all(roll.came is not None and roll.expected is not None for roll in rolls)
    assert abs(luck) < 4 * np.sqrt(dice / 4)


def test_dice_that_are_told_are_the_dice_of_the_run() -> None:
    fight = referee.SCENARIOS["duel"]
    events = story(fight, run=5, seed=3)
    luck = Luck.of(3, np.array([5]))
    first = next(event for event in events if event.kind == "attacks")
    shown = first.rolls[0].faces

    faces = [int(luck.die(6, "BF-H16", first.round, 0, j, np.arange(1))[0]) for j in range(len(shown))]

    assert shown == tuple(map(str, faces))
