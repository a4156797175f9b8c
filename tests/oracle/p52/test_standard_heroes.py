"""Standard heroes by level: the check values."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.p52.build import HeroSheet, build_hero
from tests.oracle.p52.prepare import all_switches


def standard(role: str, level: int, **switches: Any) -> HeroSheet:
    return build_hero({"class": role, "level": level}, {}, all_switches({"switches": switches}), "hero")


CALICO = """
fighter 1: 8 4 1 3 2 35 1 7 0 0 body_block 1 parry 1 sword 1
fighter 5: 13 8 2 4 3 107 2 10 3 3 sword 4 body_block 3
fighter 10: 19 13 4 6 5 250 2 16 8 8 sword 6 body_block 5 power_thrust 5
fighter 20: 33 22 7 9 8 729 3 25 12 20 sword 10 body_block 10 power_thrust 10
rogue 1: 4 4 5 5 1 19 2 7 0 0 bow 1 lock_picking 1 dodge 1 knife 1
rogue 5: 7 6 9 7 2 45 2 11 4 4 bow 3 dodge 3 knife 3
rogue 10: 10 10 14 11 3 103 3 17 8 8 bow 6 dodge 5 knife 5
rogue 20: 16 16 24 17 7 259 5 31 12 20 bow 10 dodge 10 knife 10
wizard 1: 4 8 2 1 1 35 1 3 0 0 fire_ball 1 scholar 1 counter_spell 1 ice_storm 1
wizard 5: 8 13 3 2 2 107 1 6 4 4 fire_ball 3 counter_spell 3 ice_storm 2
wizard 10: 13 19 5 4 4 250 2 12 8 8 fire_ball 5 counter_spell 5 ice_storm 5
wizard 20: 22 33 8 7 7 729 2 21 12 20 fire_ball 10 counter_spell 9 ice_storm 9
cleric 1: 3 6 1 3 3 21 1 9 0 0 heal 1 grapple 1 dodge 1 tidal_wave 1
cleric 5: 7 10 2 5 4 73 2 13 3 3 heal 3 grapple 3 dodge 3
cleric 10: 12 15 4 8 6 183 3 20 8 8 heal 5 grapple 6 dodge 5
cleric 20: 21 25 7 15 9 528 4 33 12 20 heal 10 grapple 10 dodge 10
captain 1: 4 3 2 2 5 15 1 12 0 0 knife 1 threaten 1 body_block 1 parry 1
captain 5: 8 7 4 3 6 59 1 15 4 4 knife 3 body_block 3 sword 3
captain 10: 13 11 8 5 8 146 2 21 8 8 knife 6 body_block 6 sword 5
captain 20: 23 21 14 8 11 486 3 30 12 20 knife 11 body_block 11 sword 11
"""
MOUNTAIN = """
fighter 1: 7 4 1 3 2 31
fighter 10: 18 13 4 6 5 237
thief 1: 4 4 5 5 1 19
wizard 1: 3 8 2 3 1 27
cleric 1: 3 6 3 1 4 21
captain 1: 4 3 1 3 6 15
"""


@pytest.mark.rule("P52-D1", "P52-D2", "P52-D3", "P52-D4", "P52-D6", "P52-D7", "P52-U1", "P52-U2", "P52-U3")
@pytest.mark.parametrize("line", CALICO.strip().splitlines())
def test_standard_heroes_of_calico(line: str) -> None:
    role, level, *numbers = line.replace(":", "").split()
    hero = standard(role, int(level))
    cores = [hero.lift, hero.think, hero.balance, hero.move, hero.lead]
    derived = [hero.max_hp, hero.movement, hero.initiative, hero.armour, hero.magic_armour]
    assert [*cores, *derived] == [int(number) for number in numbers[:10]]
    shown = dict(zip(numbers[10::2], map(int, numbers[11::2]), strict=True))
    raised = {name: level for name, level in hero.abilities.items() if level > 1}
    assert (hero.abilities if level == "1" else raised) == shown


@pytest.mark.rule("P52-D1", "P52-D9")
@pytest.mark.parametrize("line", MOUNTAIN.strip().splitlines())
def test_standard_heroes_of_the_mountain(line: str) -> None:
    role, level, *numbers = line.replace(":", "").split()
    hero = standard(role, int(level), data_set="mountain")
    cores = [hero.lift, hero.think, hero.balance, hero.move, hero.lead]
    assert [*cores, hero.max_hp] == [int(number) for number in numbers]
    if level == "10":
        assert {"sword_play": 5, "block": 5, "power_thrust": 5}.items() <= hero.abilities.items()
    if role == "captain":
        assert hero.abilities == {"hand_to_hand": 1, "threaten": 1, "block": 1}  # the pick is lost
