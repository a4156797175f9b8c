"""Adventure files: what they may say, what is wrong with them, and what they are made into."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sim.core.engine import play
from sim.errors import ScenarioError
from sim.scenario import from_dict, load
from sim.scenario.adventure_starter import adventure_text
from sim.scenario.wording import setting_in_words

CRYPT = "overhill/crypt-under-the-hill"
RUNS = np.arange(100)


def problems(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "evening.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        load(file)
    return [f"{problem.line}: {problem.key}: {problem.message}" for problem in caught.value.problems]


def evening(scenes: str, head: str = 'party_of = "playtest-1"') -> str:
    return f'ruleset = "overhill"\ntitle = "An evening"\n{head}\n{scenes}'


def test_everything_that_is_wrong_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    text = evening(
        """
[[scenes]]
fight = "gobbo-trioo"
[[scenes]]
rest = "shrt"
[[scenes]]
fight = "p52/duel"
[[scenes]]
fight = "crypt-swarm"
set = { "enemies.skelton.count" = 4 }
[[scenes]]
[scenes.fight]
heroes = [{ class = "rogue" }]
enemies = [{ type = "skelton", count = 3 }]
"""
    )

    found = problems(tmp_path, text)

    assert [line.partition(": the")[0].partition("; ")[0] for line in found] == [
        "6: scenes[0].fight: unknown scenario 'overhill/gobbo-trioo'",
        "8: scenes[1].rest: unknown rest 'shrt'",
        "10: scenes[2].fight: p52/duel belongs to p52, and this is an adventure of overhill",
        "13: scenes[3].set: no entry of enemies is called 'skelton'",
        "16: scenes[4].fight.heroes",
        "17: scenes[4].fight.enemies[0].type: unknown monster 'skelton'",
    ]


@pytest.mark.parametrize(
    ("scenes", "said"),
    [
        (
            '[[scenes]]\nname = "nothing"',
            "scenes[0]: expected one of fight, random, rest and level_up, found none of them",
        ),
        ('[[scenes]]\nrest = "short"', "scenes: there is no fight in it"),
        (
            '[[scenes]]\nfight = "gobbo-trio"\nrest = "short"',
            "scenes[0]: expected one of fight, random, rest and level_up",
        ),
        ('[[scenes]]\nfight = "gobbo-trio"\nunless = "party_hp < 0.3"', "nothing has happened before the first fight"),
        (
            '[[scenes]]\nfight = "gobbo-trio"\n[[scenes]]\nfight = "gobbo-trio"\nunless = "grit < 2"',
            "scenes[1].unless: unknown name 'grit'",
        ),
        ('order = [1, 3]\n[[scenes]]\nfight = "gobbo-trio"', "order[1]: expected a scene from 1 to 1, found 3"),
        ('order = [1, "nap"]\n[[scenes]]\nfight = "gobbo-trio"', "order[1]: unknown rest 'nap'"),
        ('[[scenes]]\nfight = "gobbo-trio"\nset = { "heroes.0.level" = 2 }', "heroes.0.level is the party's"),
        ('[[scenes]]\nfight = "crypt-under-the-hill"', "unknown scenario 'overhill/crypt-under-the-hill'"),
    ],
)
def test_a_scene_that_cannot_be_is_refused(tmp_path: Path, scenes: str, said: str) -> None:
    found = problems(tmp_path, evening(scenes))

    if "is an adventure" in found[0]:  # it is found, and is none that can be a scene
        assert "expected a single fight" in found[0]
    else:
        assert len(found) == 1
        assert said in found[0]


def test_a_condition_that_cannot_be_asked_is_told_beside_what_else_is_wrong(tmp_path: Path) -> None:
    scenes = (
        '[[scenes]]\nfight = "gobbo-trio"\n[[scenes]]\nfight = "gobbo-trio"\nset = { "enemies.0.count" = "many" }\n'
        '[[scenes]]\nfight = "gobbo-trio"\nunless = "grit < 2"\n[[scenes]]\nfight = "gobbo-quartet"'
    )

    found = problems(tmp_path, evening(scenes))

    assert len(found) == 3
    assert any("scenes[2].unless: unknown name 'grit'" in line for line in found)


def test_a_level_above_the_highest_is_told_at_the_scene_that_brings_it(tmp_path: Path) -> None:
    scenes = '[[scenes]]\nfight = "gobbo-trio"\n[[scenes]]\nlevel_up = true\n[[scenes]]\nfight = "gobbo-trio"'

    found = problems(tmp_path, evening(scenes, 'party_of = "playtest-1"\nlevel = 10'))

    assert found == ["8: scenes[1].level_up: heroes[0].level: expected a whole number from 1 to 10, found 11"] + [
        line for line in found[1:] if "level_up" in line
    ]


def test_a_game_that_does_not_say_what_is_carried_has_no_second_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    from sim.rulesets.overhill import Overhill

    monkeypatch.setattr(Overhill, "carries", lambda self: {})
    table = {"ruleset": "overhill", "title": "t", "party_of": "gobbo-trio", "scenes": [{"fight": "gobbo-trio"}] * 2}

    with pytest.raises(ScenarioError, match=r"scenes\[1\]: cannot follow"):
        from_dict(table)


def test_a_fight_may_be_a_file_beside_the_adventure(tmp_path: Path) -> None:
    (tmp_path / "gate.toml").write_text(
        'ruleset = "overhill"\ntitle = "Gate"\npolicy = "plain"\n[[heroes]]\nclass = "rogue"\n'
        '[[enemies]]\ntype = "zombie"\ncount = 2\n',
        encoding="utf-8",
    )
    file = tmp_path / "evening.toml"
    file.write_text(evening('[[scenes]]\nfight = "gate.toml"\n[[scenes]]\nfight = "gate"\n'), encoding="utf-8")

    data = load(file).data

    assert [scene["fight"]["enemies"] for scene in data["scenes"]] == [[{"type": "zombie", "count": 2}]] * 2
    assert [hero["class"] for hero in data["heroes"]] == ["warrior", "rogue", "priest", "magic_user"]
    assert "heroes" not in data["scenes"][0]["fight"]


def test_the_party_may_stand_in_a_table_of_its_own(tmp_path: Path) -> None:
    head = '[party]\npolicy = "plain"\nheroes = [{ class = "warrior" }]'
    file = tmp_path / "evening.toml"
    file.write_text(evening('[[scenes]]\nfight = "gobbo-trio"\n', head), encoding="utf-8")

    assert load(file).data["heroes"] == [{"class": "warrior"}]


def test_overrides_reach_into_a_scene_by_its_name_and_fights_can_be_swapped() -> None:
    more = load(CRYPT, sets=["scenes.the swarm.fight.enemies.zombie.count=9", "scenes.the door.fight=gobbo-trio"])

    door, swarm = more.data["scenes"][:2]
    assert {enemy["type"]: enemy["count"] for enemy in swarm["fight"]["enemies"]} == {"skeleton": 4, "zombie": 9}
    assert [enemy["type"] for enemy in door["fight"]["enemies"]] == ["gobbo"]


def test_the_digest_is_that_of_what_is_played() -> None:
    plain = load(CRYPT)

    assert load(CRYPT, sets=["title=other"]).digest == plain.digest
    assert load(CRYPT, sets=["scenes.2.rest=long"]).digest != plain.digest
    assert load(CRYPT, values={"order": [1, 3, 4, 5]}).digest != plain.digest


def test_changes_of_an_adventure_are_said_by_scene() -> None:
    data = load(CRYPT).data

    assert setting_in_words("scenes.1.fight.enemies.zombie.count", 7, data) == "seven zombies in scene 2 (the swarm)"
    wights = setting_in_words("scenes.the court.fight.enemies.wight.melee", 3, data)
    assert wights == "melee of the wight 3 in scene 5 (the court)"
    assert setting_in_words("scenes.2.rest", "long", data) == "long rest in scene 3"
    assert setting_in_words("order", [1, 1, 2], data) == "scenes in the order 1, 1, 2"
    assert setting_in_words("order", [1, 3, 4, 5], data) == "without scene 2"
    assert setting_in_words("order", [1, 2, "long", 3, 4, 5], data) == "one long rest more after scene 2"


@pytest.mark.parametrize("name", ["overhill/playtest-1", "overhill/warband"])
def test_the_starter_is_in_order_and_every_line_of_it_can_be_switched_on(tmp_path: Path, name: str) -> None:
    text = adventure_text(load(name))
    plain, full = tmp_path / "plain.toml", tmp_path / "full.toml"
    plain.write_text(text, encoding="utf-8")
    full.write_text("\n".join(line.removeprefix("#") if line[:1] == "#" and line[1:2] not in (" ", "") else line
                              for line in text.splitlines()), encoding="utf-8")  # fmt: skip

    assert [scene.get("rest") for scene in load(plain).data["scenes"]] == [None, "short", None]
    scenes = load(full).data["scenes"]
    assert {"level_up": True} in scenes


def test_wrong_repetitions_generators_levels_and_house_values_are_told_at_once(tmp_path: Path) -> None:
    text = evening(
        """
[evening]
short_rest_dye = 8
level_xp = 0
short_rest_die = 7
[[scenes]]
random = "gobo_room"
times = 30
[[scenes]]
level_up = "x"
[[scenes]]
fight = "warband"
random = "gobbo_room"
"""
    )

    found = problems(tmp_path, text)

    assert found == [
        "6: evening.short_rest_dye: unknown key; did you mean 'short_rest_die'?",
        "7: evening.level_xp: expected a whole number from 1 to 100000, found 0",
        "8: evening.short_rest_die: expected one of 2, 4, 6, 8, 10, 12, found 7",
        "10: scenes[0].random: unknown generator 'gobo_room'; did you mean 'gobbo_room'?",
        "11: scenes[0].times: expected a whole number from 1 to 20, found 30",
        "13: scenes[1].level_up: expected true or false or 'xp', found 'x'; did you mean 'xp'?",
        "14: scenes[2]: expected one of fight, random, rest and level_up, found fight and random",
    ]


def test_a_level_that_would_be_above_the_highest_is_told_where_it_stands(tmp_path: Path) -> None:
    fight = '[[scenes]]\nfight = "gobbo-trio"\n'
    text = evening(f'{fight}[[scenes]]\nlevel_up = "xp"\n[[scenes]]\nlevel_up = true\n{fight}', "level = 9").replace(
        "level = 9", 'level = 9\nparty_of = "playtest-1"'
    )

    (found,) = problems(tmp_path, text)

    assert found.startswith("10: scenes[2].level_up: heroes who have gained levels by XP before it would rise above")


def test_what_a_generator_makes_is_the_fight_that_it_stands_for() -> None:
    head = {"ruleset": "overhill", "title": "rooms", "party_of": "gobbo-dungeon"}

    made, named = (
        from_dict({**head, "scenes": [{"name": "a room", key: value}]}).data["scenes"][0]
        for key, value in (("random", "gobbo_room"), ("fight", "gobbo-dungeon"))
    )

    assert made == named


def test_a_repeated_scene_is_several_scenes_each_with_a_luck_of_its_own() -> None:
    head = {"ruleset": "overhill", "title": "rooms", "party_of": "gobbo-dungeon"}
    room, rest = {"random": "gobbo_room"}, {"rest": "long"}

    three = from_dict({**head, "scenes": [{**room, "times": 3}, rest]}).encounter()
    once = from_dict({**head, "scenes": [room, rest]}).encounter()

    assert list(three.cast.rooms) == ["gobbo room 1", "gobbo room 2", "gobbo room 3", "long rest"]
    tables, first = play(three, 5, RUNS), play(once, 5, RUNS)
    assert_array_equal(tables.counts["room_1_rounds"], first.counts["room_1_rounds"])
    rounds = [tables.counts[f"room_{room}_rounds"] for room in (1, 2, 3)]
    assert (rounds[0] != rounds[1]).any()
    assert (rounds[1] != rounds[2]).any()


def test_house_values_of_an_adventure_hold_on_its_evening_and_can_be_set() -> None:
    crypt = load(CRYPT)

    generous = crypt.changed(values={"evening.short_rest_dice": 6})

    assert generous.data["evening"] == {"short_rest_dice": 6}
    health = [play(one.encounter(), 5, RUNS).counts["room_3_party_hp"].mean() for one in (crypt, generous)]
    assert health[1] > health[0]


def test_the_starter_lists_house_values_and_what_the_rules_make_anew() -> None:
    text = adventure_text(load("brimstone/high_noon"))

    assert "#[evening]\n" in text
    assert "#short_rest_dice = 2" in text
    assert '#random = "threat"' in text
    assert 'with "xp" who has earned one' in text
