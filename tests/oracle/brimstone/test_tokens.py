"""Tokens of the side bag on oneself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.brimstone.chances import FixedLuck
from tests.oracle.brimstone.scenes import BIG, OFF, scene
from tests.oracle.brimstone.start_lines import StartLine
from tests.oracle.luck import PythonLuck


@pytest.mark.rule("BF-H26", "BF-H5", "BF-P7", "BF-P11")
def test_tokens() -> None:
    bag = {"bandages": 1, "herbs": 1, "whiskey": 1, "tonic": 1}
    hero = {"class": "lawman", "health": 12, "wounds": 10, "sdmg": 9, "bag": bag, "policy": "cautious", "grit": 0}
    rolls = {"bandages": 1, "herbs": [2, 3], "whiskey": 4, "treat/bandages": 1}
    fight = scene(FixedLuck(rolls), [hero, hero | {"bag": {"bandages": 1}}], [("tentacles", None)], board="none")
    first, second = fight.heroes

    fight.use_tokens(first)
    fight.use_token(second, "bandages", on=first)

    assert (first.wounds, first.sdmg, first.grit, first.tokens_used) == (3, 5, 1, 4)
    assert second.xp == 5


@pytest.mark.rule("BF-H26")
def test_a_fine_cigar_is_armor_three_until_the_end_of_the_turn() -> None:
    heroes = [{"class": "lawman", "bag": {"fine_cigar": 1}, "armor": armor} for armor in (0, 5, 2)]
    fight = scene(FixedLuck({"BF-A2/armor": [3, 2, 5, 3, 2, 2, 2]}), heroes, [(BIG, None)], board="none")

    for hero in fight.heroes:
        fight.use_token(hero, "fine_cigar")
    this_turn = [fight.after_armor(hero, 2, "BF-A2/armor", 0) for hero in fight.heroes]
    fight.turn += 1

    assert this_turn == [1, 0, 0]
    assert fight.after_armor(fight.heroes[0], 2, "BF-A2/armor", 0) == 2


@pytest.mark.parametrize(("late", "expected"), [(False, [2, 0, 2]), (True, [0, 0, 2])])
def test_flash_slows_the_enemies_until_the_end_of_the_next_turn(late: bool, expected: list[int]) -> None:
    fight = scene(PythonLuck(1), [{"class": "lawman", "bag": {"flash": 2}}], [(BIG, None)], board="none")
    group = fight.slots[0].group
    if not late:  # the Initiative of the turn is already fixed
        fight.initiative(group)

    fight.use_token(fight.heroes[0], "flash")
    initiatives = []
    for _ in range(3):
        initiatives.append(fight.initiative(group))
        fight.turn += 1

    assert initiatives == expected


def test_flash_leaves_the_order_of_the_turn_under_way_alone() -> None:
    # Hellbats 6 against heroes of Initiative 9 and 5: without Flash they act between the two, with it after both
    heroes = [
        {"class": "lawman", "init": 9, "bag": {"flash": 1}},
        {"class": "lawman", "init": 5},
    ]
    fight = scene(PythonLuck(1), heroes, [({"type": "hellbats", "health": 99}, None)], board="none", turn=0)
    acted: list[Any] = []

    def activate(who: bf.Hero | bf.Group) -> bool:
        acted.append(who.number if isinstance(who, bf.Hero) else "bats")
        if len(acted) == 1:
            fight.use_token(fight.heroes[0], "flash")
        return True

    fight.activate = activate  # type: ignore[method-assign]

    for _ in range(3):
        fight.play_turn()

    assert acted == [0, "bats", 1, 0, 1, "bats", 0, "bats", 1]


def test_flash_slows_newcomers_of_its_turn_but_not_those_whose_initiative_is_fixed() -> None:
    heroes = [{"class": "lawman", "init": 9, "bag": {"flash": 1}}, {"class": "lawman", "init": 5}]
    fight = scene(PythonLuck(1), heroes, [("hellbats", None)], board="none")
    pending = fight.slots_of(fight.standing, fight.groups_that_act())
    known = {group.number for group in fight.groups_that_act()}

    fight.use_token(fight.heroes[0], "flash")
    fight.join(fight.group_of(bf.TYPE_NUMBER["tentacles"], 1), 1)
    pending = fight.with_newcomers(pending[1:], known, pending[0][0])

    assert [-slot[0] for slot in pending] == [6, 5, 0]


def test_spice_is_for_one_hit_and_costs_a_wound() -> None:
    rolls = {"spice": 2, "BF-A11": 3, "spice/armor": 4}
    heroes = [{"class": "lawman", "bag": {"spice": 1}, "armor": armor} for armor in (0, 4)]
    fight = scene(FixedLuck(rolls), heroes, [(BIG, None)], board="none")
    plain, armored = fight.heroes
    model = fight.slots[0]

    for hero in fight.heroes:
        fight.use_token(hero, "spice")
    fight.turn += 1
    dealt = []
    for _ in range(2):
        before = model.taken
        fight.resolve_hit(bf.Attack(plain), plain.sheet.modes[0], 4, 0)
        dealt.append(model.taken - before)

    assert (plain.taken, armored.taken) == (1, 0)
    assert dealt == [3 + 2 - 2, 3 - 2]
    assert (plain.spice, armored.spice) == (0, 2)


def test_spice_can_knock_the_user_out_and_ends_its_activation() -> None:
    bag = {"spice": 1, "tonic": 1}
    hero = {"class": "lawman", "wounds": 11, "bag": bag, "policy": "provider", "grit": 2}
    fight = scene(FixedLuck({}), [hero, {"class": "lawman"}], [(BIG, None)], board="none", switches=OFF)
    user = fight.heroes[0]

    fight.start_line(user, StartLine("spice"))

    assert not user.standing
    assert fight.start_lines(user) == 0
    assert user.bag == {"spice": 0, "tonic": 1}
