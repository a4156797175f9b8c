"""Heroes hit enemies."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.brimstone.chances import FixedLuck, TreeLuck, chance, chances
from tests.oracle.brimstone.scenes import BIG, OFF, hero_at, scene
from tests.oracle.luck import PythonLuck

F = Fraction


def wounds_of(luck: Any, cls: str, mode: str, enemy: Any = BIG, **more: Any) -> int:
    fight = scene(luck, [{"class": cls, "policy": "aggressive"}], [(enemy, None), ("tentacles", None)], board="none",
                  switches=OFF, **more)  # fmt: skip
    hero, model = fight.heroes[0], fight.slots[0]
    fight.first_enemy = lambda *_: model  # type: ignore[method-assign]
    fight.attack(hero, next(each for each in hero.sheet.modes if each.name == mode), 0)
    return model.taken


@pytest.mark.rule("BF-H16", "BF-H17", "BF-A11", "BF-P3", "BF-P4")
def test_we15_shotgun() -> None:
    found = chances(lambda luck: wounds_of(luck, "us_marshal", "shotgun"))

    assert sum(wounds * p for wounds, p in found.items()) == F(75, 32)
    assert sum(p for wounds, p in found.items() if wounds >= 4) == F(21, 64)
    assert found[0] == F(7, 16)


@pytest.mark.rule("BF-P3", "BF-P4")
def test_we15_the_marshal_prefers_the_shotgun() -> None:
    fight = scene(PythonLuck(1), [{"class": "us_marshal"}], [("tentacles", None)], board="none")
    hero = fight.heroes[0]
    values = {m.name: F(bf.attack_value(m, 4, fight.slots[0].kind, 1), bf.AV_PARTS) for m in hero.sheet.modes}

    assert values == {"melee": F(41, 18), "shotgun": F(75, 32)}
    best = fight.best_mode(hero, hero.sq)
    assert best is not None
    assert best[1].name == "shotgun"


@pytest.mark.rule("BF-A11", "BF-A12")
def test_we16_melee_against_a_fresh_tentacle() -> None:
    found = chances(lambda luck: wounds_of(luck, "lawman", "melee", "tentacles"))

    assert found[4] == F(389, 1296)
    assert found[0] == F(121, 324)


@pytest.mark.rule("BF-A11")
@pytest.mark.parametrize(
    ("kind", "distance", "normal", "critical"),
    [
        ("slashers", 1, 1, 3),
        ("goliath", 1, 2, 2),
        ("tentacles", 1, 3, 5),
        ("crimson_hand", 1, 3, 3),
        ("xenocyte_impalers", 3, 0, 5),
    ],
)
def test_we17_kinds_of_defence(kind: str, distance: int, normal: int, critical: int) -> None:
    for natural, expected in ((5, normal), (6, critical)):
        tough = {"type": kind, "health": 30}
        fight = scene(FixedLuck({"BF-A11": 5}), [hero_at(1, 1)], [(tough, (1 + distance, 1))])
        hero = fight.heroes[0]
        gun = hero.sheet.modes[1]
        fight.resolve_hit(bf.Attack(hero), gun, natural, 0)
        assert fight.slots[0].taken == expected


@pytest.mark.rule("BF-A11")
def test_we18_armor() -> None:
    def placed(luck: TreeLuck) -> int:
        kind = {"type": "drowned_dead", "health": 9}
        fight = scene(luck, [hero_at(1, 1)], [(kind, (2, 1)), (kind, (7, 7))])
        for hit, wounds in enumerate((1, 2)):
            fight.wound_enemy(fight.slots[0], wounds, None, "BF-A11/armor", 0, 100 * hit)
        return fight.slots[0].taken

    found = chances(placed)

    assert sum(wounds * p for wounds, p in found.items()) == 2
    assert found[0] == F(1, 27)
    assert found[2] + found[3] == F(20, 27)


@pytest.mark.rule("BF-H14")
@pytest.mark.parametrize(("preset", "dice"), [("seed", 6), ("later_draft", 8), ("published", 8)])
def test_we22_dice_cap(preset: str, dice: int) -> None:
    hero = {"class": "bandido", "combat": 7, "upgrade": "swindler"}
    fight = scene(PythonLuck(1), [hero], board="none", preset=preset)

    assert fight.heroes[0].sheet.modes[0].dice == dice


@pytest.mark.rule("BF-H15")
def test_we22_number_caps() -> None:
    hero = {"class": "us_marshal", "th_melee": 6, "th_ranged": 6, "status": {"venom": 1}}
    fight = scene(PythonLuck(1), [hero, {"class": "lawman", "th_melee": 1}], board="none")
    melee, shotgun = fight.heroes[0].sheet.modes

    assert fight.needed(fight.heroes[0], melee, 0) == 6
    assert fight.needed(fight.heroes[0], shotgun, 0) == 7
    assert fight.needed(fight.heroes[1], melee, 0) == 2


@pytest.mark.rule("BF-H4")
def test_we22_grit_on_two_missing_dice() -> None:
    def hits(luck: TreeLuck) -> bool:
        fight = scene(luck, [{"class": "lawman", "policy": "aggressive", "grit": 1}], board="none")
        return max(fight.to_hit(fight.heroes[0], [4, 4], 6, 0)) >= 4

    assert chance(hits) == F(15, 16)


@pytest.mark.rule("BF-H24", "BF-H25", "BF-P9")
@pytest.mark.parametrize(("limit", "used"), [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_free_attacks(limit: int, used: int) -> None:
    hero = hero_at(2, 2, "saloon_girl", bag={"hatchet": 1, "shiv": 1})
    fight = scene(PythonLuck(1), [hero], [(BIG, (2, 3))], switches={"free_attack_limit": limit})

    fight.free_attacks(fight.heroes[0])

    girl = fight.heroes[0]
    assert girl.free_used == used
    assert (girl.bag["hatchet"], girl.bag["shiv"], len(girl.used_items)) == (
        int(limit < 2),
        int(limit < 3),
        int(limit >= 1),
    )


@pytest.mark.rule("BF-H19")
def test_two_guns_have_no_criticals_and_a_weaker_off_hand() -> None:
    hero = {"class": "gunslinger", "guns": ["pistol", "gunfighters_pistol"], "two_guns": True, "shot_bonus": 2}
    mode = bf.prepare({"board": "none", "heroes": [hero]}).sheets[0].modes[-1]

    assert (mode.dice, mode.off_hand, mode.range, mode.critical) == (6, 2, 6, bf.NO_CRITICAL)
    tentacle = bf.TYPES[bf.TYPE_NUMBER["tentacles"]]
    assert F(bf.attack_value(mode, 3, tentacle, 1), bf.AV_PARTS) == (4 * F(4, 6) + 2 * F(3, 6)) * F(10, 6)


def test_upgrades_and_class_abilities() -> None:
    def modes(cls: str, upgrade: str, **more: Any) -> dict[str, bf.Mode]:
        sheet = bf.prepare({"board": "none", "heroes": [{"class": cls, "upgrade": upgrade} | more]}).sheets[0]
        return {mode.name: mode for mode in sheet.modes}

    assert modes("bandido", "twin_guns", level=4)["pistol"].dice == 5
    assert modes("bandido", "swindler")["melee"].dice == 3
    assert modes("wandering_samurai", "none")["melee"].dice == 3
    assert modes("gambler", "high_roller")["pistol"].six_bonus == 1
    assert (
        bf.prepare({"board": "none", "heroes": [{"class": "us_marshal", "upgrade": "cleaning_up"}]}).sheets[0].max_grit
        == 3
    )
    with pytest.raises(ValueError, match="is not for"):
        modes("lawman", "swindler")


def test_double_shot_and_sword_master_roll_more_dice() -> None:
    enemies = [("hellbats", None)] * 6
    rolls = {"BF-H16": 8, "BF-A11": 6}
    marshal = scene(FixedLuck(rolls), [{"class": "us_marshal"}], enemies, board="none")
    marshal.attack(marshal.heroes[0], marshal.heroes[0].sheet.modes[1], 0)
    assert marshal.heroes[0].kills == 2

    rolls = {"BF-H16": 6, "BF-A11": 6}
    samurai = scene(FixedLuck(rolls), [{"class": "wandering_samurai", "upgrade": "sword_master", "combat": 1}],
                    [*enemies, ("hellbats", None)], board="none")  # fmt: skip
    samurai.attack(samurai.heroes[0], samurai.heroes[0].sheet.modes[0], 0)
    assert samurai.heroes[0].kills == 5


def test_pistol_fanning_is_paid_by_those_who_plan() -> None:
    hero = {"class": "gunslinger", "upgrade": "pistol_fanning", "policy": "focus_fire", "grit": 1}
    fight = scene(FixedLuck({"BF-H16": 6, "BF-A11": 6}), [hero], [("hellbats", None)] * 6, board="none")

    fight.attack(fight.heroes[0], fight.heroes[0].sheet.modes[1], 0)

    assert (fight.heroes[0].kills, fight.heroes[0].grit) == (4, 0)


@pytest.mark.rule("BF-P10")
def test_fortune_saves_one_missing_die_a_turn() -> None:
    fight = scene(FixedLuck({"BF-H16": 1, "BF-P10": 6}), [{"class": "gambler", "grit": 0}], board="none")
    hero = fight.heroes[0]

    assert fight.to_hit(hero, [4, 4], 6, 0) == [6, 1]
    assert fight.to_hit(hero, [4, 4], 6, 100) == [1, 1]
    assert hero.fortune == 2
