"""Values of a scenario in words for people."""

import pytest

import sim
from sim.scenario.wording import place_in_words, plural, setting_in_words

FIGHT = sim.load("overhill/playtest-1").data


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("enemies.skeleton.count", 7, "seven skeletons"),
        ("enemies.0.count", 1, "one skeleton"),
        ("enemies[0].count", 20, "20 skeletons"),
        ("enemies.skeleton.blunt_defence", 2, "blunt defence of the skeleton 2"),
        ("heroes.*.level", 3, "level of all heroes 3"),
        ("heroes.magic_user.items.war_tonic", 1, "items war tonic of the magic user 1"),
        ("level", 4, "level 4"),
        ("switches.monster_damage", "one", "switch monster damage one"),
        ("policy", "focus_expert", "policy focus expert"),
    ],
)
def test_a_setting_reads_as_people_say_it(path: str, value: object, words: str) -> None:
    assert setting_in_words(path, value, FIGHT) == words


def test_no_underscore_or_key_path_is_left_of_any_number_of_a_fight() -> None:
    for group in ("heroes", "enemies"):
        for at, entry in enumerate(FIGHT[group]):
            for key in entry:
                words = place_in_words(f"{group}[{at}].{key}", FIGHT)
                assert "_" not in words
                assert "." not in words


def test_a_plural_is_not_made_twice() -> None:
    assert plural(plural("wolf")) == "wolves"
