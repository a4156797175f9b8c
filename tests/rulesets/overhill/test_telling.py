"""What is told of a fight is what happened: health, monsters, places, conditions, dice and their chances."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcomes
from sim.core.telling import ROUND_ENDS, START, Event, Recorder, Scene, Token
from sim.replays.sentences import Narrator
from sim.rulesets.overhill import RULESET
from sim.rulesets.overhill.encounter import OverhillEncounter
from sim.rulesets.overhill.look import FOES_FRONT, FOES_REAR, FRONT, REAR
from sim.rulesets.overhill.rolls import HIGHER, LOWER, Throw, check, roll_for
from sim.rulesets.overhill.state import State
from sim.scenario import from_dict, load, scenarios_of
from tests.oracle.random_overhill import random_scenario
from tests.rulesets.overhill.fights import compiled, table

SEED = 31
RANDOM_FIGHTS = 150
SHIPPED_RUNS = 3

Story = tuple[str, list[Event], Outcomes, OverhillEncounter]


def tell(encounter: OverhillEncounter, run: int, seed: int = SEED) -> tuple[list[Event], Outcomes]:
    """One run, told."""
    recorder = Recorder()
    outcomes = play(encounter, seed, np.array([run]), recorder)
    return recorder.events, outcomes


@cache
def stories() -> list[Story]:
    """Many fights, told: random ones, and every shipped one under every policy. Each has luck of its own."""
    told: list[Story] = []
    for seed in range(RANDOM_FIGHTS):
        encounter = compiled(random_scenario(seed))
        told.append((f"random fight {seed}", *tell(encounter, len(told)), encounter))
    for name in scenarios_of(RULESET):
        for policy in RULESET.policies:
            encounter = compiled(load(name, policy=policy).data)
            for _ in range(SHIPPED_RUNS):
                told.append((f"{name}, {policy}, {len(told)}", *tell(encounter, len(told)), encounter))
    return told


def steps() -> Iterator[tuple[str, Event, Scene]]:
    """Every event with the table before it, from the moment at which everybody has taken a place."""
    for name, events, _, _ in stories():
        for before, event in pairwise(events):
            yield f"{name}, round {event.round}: {event.kind}", event, before.after


def test_a_story_begins_with_everybody_in_place() -> None:
    for name, events, _, encounter in stories():
        assert [event.kind for event in events].count(START) == 1, name
        assert events[0].kind == START, name
        assert [token.key for token in events[0].after.tokens][: len(encounter.facts.heroes)] == [
            hero.name for hero in encounter.facts.heroes
        ]


def test_everything_that_can_be_told_is_told_in_some_fight() -> None:
    kinds = Counter(event.kind for _, events, _, _ in stories() for event in events)

    assert set(RULESET.sentences) - set(kinds) == set()
    assert set(kinds) - set(RULESET.sentences) == {START, ROUND_ENDS}


def test_every_sentence_reads_as_one() -> None:
    for name, events, _, _ in stories():
        narrator = Narrator(RULESET.sentences)
        for event in events:
            words = narrator.say(event)
            assert not [sign for sign in ("_", "OU-", "  ", "(") if sign in words], f"{name}: {words}"


def test_told_losses_and_gains_add_up_event_by_event() -> None:
    for name, event, before in steps():
        had = {token.key: token.hp for token in before.tokens}
        has = {token.key: token.hp for token in event.after.tokens}
        assert list(had) == list(has), name
        change = {key: has[key] - had[key] for key in has if has[key] != had[key]}
        told = int(event.facts.get("healed", 0)) - int(event.facts.get("damage", 0))
        (who,) = event.whom or (event.who,) if told else ("",)

        assert change == ({who: told} if told else {}), name


def test_what_is_left_is_told_as_it_is() -> None:
    for name, event, _ in steps():
        now = {token.key: token.hp for token in event.after.tokens}
        for fact in ("left", "health"):
            if fact in event.facts:
                assert event.facts[fact] == now[(event.whom or (event.who,))[0]], name


def test_the_last_scene_is_how_it_ended() -> None:
    for name, events, outcomes, encounter in stories():
        left = {unit.name: int(outcomes.hp[row, 0]) for row, unit in enumerate(encounter.cast.units)}
        there = {unit.name for row, unit in enumerate(encounter.cast.units) if outcomes.present[row, 0]}

        assert {token.key: token.hp for token in events[-1].after.tokens} == {key: left[key] for key in there}, name


def test_who_goes_down_has_just_lost_the_last_health_and_keeps_a_place() -> None:
    for name, event, before in steps():
        if event.kind == "goes_down":
            (fallen,) = [token for token in event.after.tokens if token.key == event.who]
            assert (fallen.down, fallen.hp) == (True, 0), name
            assert not {"paralysed"} & set(fallen.marks), name
            assert [token.place for token in before.tokens if token.key == event.who] == [fallen.place], name
            assert fallen.place in (FRONT, REAR), name


class Watched(OverhillEncounter):
    """A fight whose guards are written down whenever somebody looks at the table."""

    def __init__(self, fight: OverhillEncounter) -> None:
        super().__init__(fight.facts, fight.player.plan)
        self.seen: list[tuple[Scene, dict[str, int]]] = []

    def look(self, s: State) -> Scene:
        scene = super().look(s)
        guards = {hero.name: FRONT if s.front[h, 0] else REAR for h, hero in enumerate(self.facts.heroes)}
        for group in range(s.groups):
            if s.started[group, 0]:
                name = self.cast.units[int(s.unit[group, 0])].name
                guards[name] = FOES_REAR if s.rear_group[group, 0] else FOES_FRONT
        self.seen.append((scene, guards))
        return scene


@pytest.mark.parametrize("seed", range(0, 60, 5))
def test_places_are_those_of_the_state(seed: int) -> None:
    fight = Watched(compiled(random_scenario(seed)))

    tell(fight, seed)

    for scene, guards in fight.seen:
        assert {token.key: token.place for token in scene.tokens} == guards


# Conditions.


def token_of(events: list[Event], key: str, kind: str) -> Token:
    """Somebody right after the first event of a kind."""
    after = next(event.after for event in events if event.kind == kind)
    return next(token for token in after.tokens if token.key == key)


def first_with(kind: str, fight: dict[str, Any], runs: int = 60) -> list[Event]:
    """The first run of a fight in which something of this kind happens."""
    encounter = compiled(fight)
    told = (tell(encounter, run)[0] for run in range(runs))
    return next(events for events in told if any(event.kind == kind for event in events))


def test_paralysis_and_drain_are_marked_on_the_table() -> None:
    ghouls = first_with("is_paralysed", table(["warrior", "rogue"], [("ghoul", 8)]))
    numb = next(event for event in ghouls if event.kind == "is_paralysed")
    wights = first_with("is_drained", table(["warrior"], [("wight", 4)]))

    paralysed = token_of(ghouls, numb.who, "is_paralysed")
    turns = int(numb.facts["turns"])
    assert "paralysed" in paralysed.marks
    assert f"loses {turns} turn{'s' if turns > 1 else ''}" in paralysed.notes
    assert "drained" in token_of(wights, "warrior", "is_drained").marks
    assert "vigor d6" in token_of(wights, "warrior", "is_drained").notes


def test_stances_items_and_smoke_are_noted() -> None:
    stand = table(["warrior"], [("zombie", 3)], policy_options={"stance": "defensive"})
    carries = {"class": "warrior", "items": {"smoke_flask": 1, "healing_potion": 2}}
    lines = {"mine": {"action": [{"do": "smoke"}, {"do": "melee"}]}}
    smoke = first_with("uses", table([carries], [("zombie", 3)], policy="mine", policies=lines))

    assert "defensive" in token_of(tell(compiled(stand), 0)[0], "warrior", "takes_stance").notes
    assert token_of(smoke, "warrior", START).notes == ("2 healing potions", "smoke flask")
    assert token_of(smoke, "warrior", "uses").notes == ("2 healing potions",)
    assert token_of(smoke, "zombie", "uses").marks == ("in smoke",)
    assert token_of(smoke, "zombie", "uses").notes == ("attack 3", "defence 3")


def test_kin_are_led_while_the_leader_lives() -> None:
    events, _ = tell(compiled(table(["warrior"] * 3, [("gobbo_warchief", 1), ("gobbo", 3)])), 2)

    marks = [{token.key: token for token in event.after.tokens} for event in events]

    assert "led" in marks[0]["gobbo"].marks
    assert marks[0]["gobbo"].notes[0] == "attack 2"
    assert all(("led" in now["gobbo"].marks) == (now["gobbo_warchief"].hp > 0) for now in marks if now["gobbo"].hp)


# Dice.


def test_chances_with_two_dice() -> None:
    assert Throw(4, (3,)).chances == {1: 0.25, 2: 0.25, 3: 0.25, 4: 0.25}
    assert Throw(4, (1, 3), HIGHER).chances == {1: 1 / 16, 2: 3 / 16, 3: 5 / 16, 4: 7 / 16}
    assert Throw(4, (1, 3), LOWER).chances == {1: 7 / 16, 2: 5 / 16, 3: 3 / 16, 4: 1 / 16}
    assert (Throw(4, (1, 3), HIGHER).counted, Throw(4, (1, 3), LOWER).counted) == (3, 1)


def test_a_roll_says_what_was_needed_and_the_chance_that_it_had() -> None:
    (hit,) = roll_for(Throw(8, (5,)), "to hit", lambda face: float((face + 1) // 3), 2.0, "monsters")
    (never,) = check(Throw(4, (4,)), "to dodge", lambda face: face > 4, False)
    (blessed,) = check(Throw(6, (2, 6), HIGHER), "to resist", lambda face: face >= 6, True)

    assert (hit.faces, hit.sides, hit.needed, hit.chance) == (("5",), 8, "2 or more", 7 / 8)
    assert hit.expected == pytest.approx((3 * 1 + 3 * 2 + 3) / 8)
    assert (never.needed, never.chance, never.counted) == ("more than 4", 0, (False,))
    assert (blessed.needed, blessed.purpose, blessed.counted) == ("a 6", "to resist, the higher counts", (False, True))
    assert blessed.chance == pytest.approx(11 / 36)


# One roll decides which of these is told, so they belong together.
TOGETHER = {
    "attacks": ("hits", "dodges", "threatens"),
    "prayers": ("heals", "blesses", "prayer_fails"),
    "traps": ("trap", "sees_trap"),
    "touches": ("resists", "is_paralysed", "is_drained"),
}


def test_what_comes_of_rolls_is_what_was_to_be_expected_in_the_long_run() -> None:
    family = {kind: name for name, kinds in TOGETHER.items() for kind in kinds}
    luck = defaultdict(list)
    for _, events, _, _ in stories():
        for event in events:
            for roll in event.rolls:
                if roll.came is not None and roll.expected is not None:
                    luck[family.get(event.kind, event.kind)].append(roll.came - roll.expected)

    assert set(luck) >= {*TOGETHER, "melee", "ranged", "sneak", "frenzy", "dual", "dart", "casts", "bash"}
    for name, differences in luck.items():
        margin = 4 * np.std(differences) / np.sqrt(len(differences))
        assert abs(np.mean(differences)) <= margin + 1e-9, f"{name}: {len(differences)} rolls"


def test_a_hero_with_a_name_is_called_by_it_and_groups_are_many() -> None:
    fight = table([{"class": "warrior", "name": "Bruna"}], [("zombie", 3)])
    narrator = Narrator(RULESET.sentences)

    words = [narrator.say(event) for event in tell(compiled(fight), 1)[0]]

    assert any(line.startswith("Bruna strikes") and "the zombies" in line for line in words)
    assert any(line.startswith("One of the zombies") and "Bruna" in line for line in words)
    assert not any("the Bruna" in line for line in words)


def test_the_front_that_is_outnumbered_is_noted() -> None:
    events, _ = tell(compiled(table(["warrior", "warrior", "rogue"], [("zombie", 4)])), 0)

    noted = {bool(event.after.notes) for event in events if event.after.tokens[3].hp > 2}

    assert noted == {True}


def test_the_width_of_a_narrow_room_is_noted() -> None:
    events, _ = tell(compiled(table(["warrior"], [("zombie", 1)], front_max=3)), 0)

    assert events[0].after.notes == ("room for 3 in front, on either side",)


def test_every_turn_is_counted_once() -> None:
    fight = from_dict(table(["warrior", "rogue"], [("zombie", 3)])).encounter()
    assert isinstance(fight, OverhillEncounter)

    events, _ = tell(fight, 0)

    turns = [event.turn for event in events]
    assert turns == sorted(turns)
    acting = {event.turn: event.who for event in events if event.kind in ("melee", "hits", "dodges")}
    assert acting[1] == "warrior"
    assert acting[2] == "rogue"
    assert acting[3] == "zombie"
