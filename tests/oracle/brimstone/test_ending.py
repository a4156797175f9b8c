"""XP, loot, breath and recovery."""

from __future__ import annotations

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.brimstone.chances import FixedLuck
from tests.oracle.brimstone.scenes import scene
from tests.oracle.luck import PythonLuck


@pytest.mark.rule("BF-F8", "BF-F9")
@pytest.mark.parametrize(
    ("switch", "elites", "expected"), [("per_attack", [], 40), ("per_hit", [], 50), ("per_attack", [2], 45)]
)
def test_we26_xp_of_wounds(switch: str, elites: list[int], expected: int) -> None:
    kind = {"type": "night_terrors", "elites": elites}
    fight = scene(PythonLuck(1), [{"class": "lawman"}], [(kind, None)], board="none", switches={"xp_base": switch})
    attack = bf.Attack(fight.heroes[0])

    for wounds in (2, 4):
        fight.wound_enemy(fight.slots[0], wounds, attack, "BF-A11/armor", 0, 0)

    assert fight.heroes[0].xp == expected


@pytest.mark.rule("BF-F8")
def test_we26_xp_of_a_kill_with_two_elite_abilities() -> None:
    kind = {"type": "tentacles", "elites": [5, 6]}
    fight = scene(PythonLuck(1), [{"class": "lawman"}], [(kind, None)] * 2, board="none")

    fight.wound_enemy(fight.slots[0], 9, bf.Attack(fight.heroes[0]), "BF-A11/armor", 0, 0)

    assert (fight.heroes[0].xp, fight.heroes[0].dealt) == (40, 4)


@pytest.mark.rule("BF-F7", "BF-U3")
@pytest.mark.parametrize(("cards", "loot"), [(2, 2), (5, 3)])
def test_we26_loot(cards: int, loot: int) -> None:
    posse = [{"class": "lawman"}, {"class": "lawman", "ally": True, "move": 4}]
    fight = scene(PythonLuck(1), posse, board="none")
    fight.threat_cards = cards

    result = fight.result("win", "enemies")

    assert [hero.loot for hero in result.heroes] == [loot, 0]


@pytest.mark.rule("BF-F3", "BF-F4", "BF-F5")
def test_we27_catch_your_breath() -> None:
    posse = [{"class": "lawman", "health": 10, "sanity": 10, "wounds": 7, "sdmg": 6}, {"class": "lawman"}]
    fight = scene(FixedLuck({"BF-F3": 3}), posse, board="none")
    fight.heroes[0].turn_acted = fight.turn

    result = fight.result("win", "enemies")

    assert (result.heroes[0].hp, result.heroes[0].mind) == (5, 5)
    assert (result.heroes[1].grit, result.heroes[1].grit_gained) == (2, 1)


@pytest.mark.rule("BF-F6")
def test_we27_recovery() -> None:
    posse = [{"class": "lawman", "health": 10, "sanity": 10, "sdmg": 4}, {"class": "lawman"}]
    fight = scene(FixedLuck({"BF-F6": [2, 3]}), posse, board="none", switches={"revive_tokens": 0})
    fight.wound_hero(fight.heroes[0], 10)

    result = fight.result("win", "enemies")

    hurt = result.heroes[0]
    assert (hurt.hp, hurt.mind, hurt.hp_end, hurt.injuries, hurt.madness, hurt.ko_count) == (5, 6, 0, 1, 0, 1)


def test_allies_have_no_grit_no_criticals_and_no_xp() -> None:
    ally = {"class": "lawman", "ally": True, "move": 3}
    fight = scene(PythonLuck(1), [ally, {"class": "lawman"}], [("hellbats", None)] * 2, board="none")
    unit = fight.heroes[0]

    fight.wound_enemy(fight.slots[0], 1, bf.Attack(unit), "BF-A11/armor", 0, 0)
    fight.wound_hero(unit, 50)

    assert (unit.max_grit, unit.xp, unit.kills, unit.removed) == (0, 0, 1, True)
    assert unit.sheet.modes[0].critical == bf.NO_CRITICAL
    assert fight.move_roll(unit) == 3
