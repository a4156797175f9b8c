"""What is told of a battle is what happened: hit points, places, dice, and a sentence for everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcomes
from sim.core.telling import ROUND_ENDS, START, Event, Recorder, Scene
from sim.replays.sentences import Narrator
from sim.rulesets.second_era import RULESET, data
from sim.rulesets.second_era.encounter import SecondEraEncounter
from sim.rulesets.second_era.look import look
from sim.rulesets.second_era.rules.shown_dice import FACE_WORDS
from sim.rulesets.second_era.state import State
from tests.oracle.random_second_era import random_scenario
from tests.rulesets.second_era.table import bag, battle, begin, foe, hero

Told: TypeAlias = "tuple[list[Event], list[list[int]], Outcomes]"  # events, the cells of all units at each, the end

BATTLES = 60
MAIMED = {"class": "knight", "track": ["O", "O", "Maim"], "cooldown": 1}  # also after the first Recovery
RARE = {"argonian", "imperial", "redguard"}  # seen to in test_abilities.py


class Listening(SecondEraEncounter):
    """A battle that also writes down where everybody stands whenever somebody looks at it."""

    def look(self, s: State) -> Scene:
        """The table, and beside it the cells of the state."""
        self.cells.append([int(cell) for cell in s.cell[:, 0]])
        return super().look(s)

    cells: list[list[int]]


def listened(number: int) -> Told:
    """One run of a random battle, told."""
    compiled = RULESET.compile(RULESET.scenario_model.model_validate(random_scenario(number)))
    compiled.__class__, told = Listening, Recorder()
    assert isinstance(compiled, Listening)
    compiled.cells = []
    outcomes = play(compiled, number, np.array([number]), told)
    return told.events, compiled.cells, outcomes


@pytest.fixture(scope="module")
def tellings() -> list[Told]:
    return [listened(number) for number in range(BATTLES)]


def steps(events: list[Event]) -> Iterator[tuple[Event, dict[str, int], dict[str, int]]]:
    """Every event with the hit points before and after it."""
    before: dict[str, int] = {}
    for event in events:
        after = {token.key: token.hp for token in event.after.tokens}
        yield event, before, after
        before = after


def test_told_losses_and_gains_add_up_to_the_hit_points(tellings: Any) -> None:
    for events, _, outcomes in tellings:
        for event, before, after in steps(events):
            told: Counter[str] = Counter()
            if "damage" in event.facts:
                (loser,) = event.whom or (event.who,)
                told[loser] -= int(event.facts["damage"])
            if "healed" in event.facts:
                told[event.whom[0]] += int(event.facts["healed"])
            changed = {key: hp - before[key] for key, hp in after.items() if key in before and hp != before[key]}

            assert changed == {key: change for key, change in told.items() if change}, event
            if "left" in event.facts and event.kind != "recovers":
                assert after[(event.whom or (event.who,))[0]] == event.facts["left"], event
        assert [token.hp for token in events[-1].after.tokens] == outcomes.hp[:, 0].tolist()


def test_places_told_are_the_places_of_the_state(tellings: Any) -> None:
    for events, cells, _ in tellings:
        fallen: dict[str, int | None] = {}
        for event, now in zip(events, cells, strict=True):
            for row, token in enumerate(event.after.tokens):
                if token.down:
                    assert fallen.setdefault(token.key, token.place) == token.place  # it lies where it fell
                else:
                    cell = now[row]
                    assert token.place == (None if cell < 0 else cell)
                    assert ("waiting" in token.marks) == (cell < 0)


def test_a_move_is_told_of_whoever_moved_and_of_nobody_who_stayed(tellings: Any) -> None:
    for events, _, _ in tellings:
        before: dict[str, int | None] = {}
        for event in events:
            now = {token.key: token.place for token in event.after.tokens if not token.down}
            moved = {key for key, place in now.items() if key in before and before[key] != place}
            if event.kind not in ("enters", START):
                assert moved == ({event.who} if event.kind == "moves" else set()), event
            before = now


def test_everything_that_can_be_told_is_told_in_some_battle(tellings: Any) -> None:
    told = {event.kind for events, _, _ in tellings for event in events}

    assert told - {START, ROUND_ENDS} | RARE == set(RULESET.sentences)


def test_every_event_reads_as_a_sentence_and_cites_a_rule_of_the_book(tellings: Any) -> None:
    for events, _, _ in tellings:
        narrator = Narrator(RULESET.sentences)
        for event in events:
            words = narrator.say(event)
            if event.kind in (START, ROUND_ENDS):
                continue
            assert event.rule in RULESET.rules, event
            assert words[0].isupper(), words
            assert not set("_{}") & set(words), words


def test_dice_told_are_dice_of_the_game(tellings: Any) -> None:
    faces = {face for die in data.skill_dice() for face in die.faces}
    known = {FACE_WORDS.get(face, face) for face in faces} | {"0", "1", "2"}  # as people say it
    for events, _, _ in tellings:
        for roll in (roll for event in events for roll in event.rolls):
            assert set(roll.faces) <= known
            assert roll.chance is None or 0 <= roll.chance <= 1
            assert (roll.came is None) == (roll.expected is None)


def test_rerolled_dice_are_shown_as_they_fell_first_and_then() -> None:
    wolf = foe(kind="alpha_wolf", combat=6, skills=["Aggressive"])
    encounter = battle([hero(hp=60)], [wolf], "pair", switches={"enemy_die": "swingy"})
    shown = 0
    for run in range(20):
        told = Recorder()
        play(encounter, 1, np.array([run]), told)
        for event in told.events:
            if event.kind == "engages" and len(event.rolls) == 2:
                first, again = event.rolls
                assert first.faces.count("0") == len(again.faces)
                assert first.came == sum(map(int, first.faces + again.faces))
                shown += 1
    assert shown


def test_an_adventurer_shows_form_dice_slots_track_and_statuses() -> None:
    entry = hero((0, 0), track=["L", "combat", "Maim"], tenacity=2, bonus_hp=3)
    s = begin(battle([entry], [foe((1, 0), skills=["Riposte 2", "Bide"])]), 1)
    s.slot_die[0, :2, 0], s.slot_x[0, :2, 0] = (data.SHIELD, data.PURGE), (2, 0)

    knight, crab = look(s).tokens

    assert knight.marks == ("maimed",)
    assert knight.notes == (
        "light form",
        "dice: 2 Shield Discipline",
        "active: Shield Discipline 2, Purge",
        "track: light fatigue, Combat, Maim",
        "tenacity 2",
        "3 bonus hit points",
    )
    assert crab.notes == ("Riposte 2", "Bide")


def test_units_of_a_kind_are_told_apart_by_number_and_drawn_ones_by_what_they_are() -> None:
    encounter = battle([hero(hp=9)], [foe(kind="scamp"), foe(kind="scamp")], "clash", pool={"points": 5})

    names = [token.name for token in look(begin(encounter, 1)).tokens]

    assert names[1:3] == ["first scamp", "second scamp"]
    assert names[3] in bag(5)


def first_roll(encounter: SecondEraEncounter, kind: str) -> Any:
    """The last dice of the first engage that is told."""
    told = Recorder()
    play(encounter, 1, np.array([0]), told)
    return next(event.rolls[-1] for event in told.events if event.kind == kind)


@pytest.mark.parametrize(
    ("party", "enemy", "needed", "chance"),
    [
        ({"class": "knight"}, {"type": "mudcrab"}, "3 to defeat", 19 / 27),  # W4
        ({"class": "knight"}, {"type": "high_elf_bandit"}, "enough to defeat", 19 / 27),  # W5
        ({"class": "mage"}, {"type": "draugr", "health": 4, "defense": 0}, "4 to defeat", 5 / 9),  # W7
        ({**MAIMED, "dice": {"combat": 3}}, {"type": "scamp", "health": 1}, "enough to defeat", 203 / 216),  # W3
    ],
)
def test_the_chance_to_defeat_is_exact(
    party: dict[str, Any], enemy: dict[str, Any], needed: str, chance: float
) -> None:
    roll = first_roll(battle([party], [enemy], "pair"), "attacks")

    assert roll.needed == needed
    assert roll.chance == pytest.approx(chance)


def test_an_enemy_needs_what_hit_points_guard_and_bonus_add_up_to() -> None:
    entry = hero(hp=2, bonus_hp=1, dice={})
    encounter = battle([entry], [foe(kind="ogre", combat=3, health=9)], "pair")

    roll = first_roll(encounter, "engages")

    assert roll.needed == "3 to defeat"
    assert roll.chance == pytest.approx((88 + 51 + 12 + 1) / 216)  # W1
    assert roll.expected == pytest.approx(3)


def test_drawn_enemies_have_keys_of_their_own_that_say_what_they_are() -> None:
    encounter = battle([hero(hp=9)], [foe(kind="scamp")], "clash", pool={"points": 7})
    for run in range(20):
        told = Recorder()
        play(encounter, 1, np.array([run]), told)
        keys = [token.key for token in told.events[0].after.tokens]

        assert len(set(keys)) == len(keys) == 5  # knight, scamp, one of level 5, two of level 1
        assert not any(key.startswith("level") for key in keys)
        assert told.events[0].kind == "drawn"
        assert list(told.events[0].whom) == keys[2:]


def test_chances_told_agree_with_what_came_of_them(tellings: Any) -> None:
    fallen, expected, spread = 0, 0.0, 0.0
    for events, _, _ in tellings:
        for place, event in enumerate(events):
            chance = next((roll.chance for roll in reversed(event.rolls) if roll.chance is not None), None)
            if chance is not None:
                fallen += defeats(event, events[place + 1 :])
                expected += chance
                spread += chance * (1 - chance)

    assert expected > 30
    assert abs(fallen - expected) < 4 * spread**0.5


def defeats(engage: Event, further: list[Event]) -> bool:
    """Whether the first damage of an engage to its first target leaves nothing of it."""
    for event in further:
        if event.turn != engage.turn or event.kind in ("attacks", "engages"):
            return False
        if event.kind == "wounds" and event.who == engage.who and event.whom == engage.whom[:1]:
            return event.facts["left"] == 0
    return False
