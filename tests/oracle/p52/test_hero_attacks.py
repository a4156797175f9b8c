"""Attacks of heroes: the worked examples, shown by the scalar referee."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.oracle.p52.attacks import hero_attack
from tests.oracle.p52.expect import expected
from tests.oracle.p52.state import Fight
from tests.oracle.p52_table import CARDS, ability, foe, table

SWORDSMAN = {"class": "fighter", "abilities": {"sword": 2}, "gear": ["light_sword"]}


def sword_stroke(flips: list[int], modifier: int = -1, **switches: Any) -> Fight:
    enemy = foe("J clubs", max_hp=1000, melee_defence=modifier)
    fight = table(flips, [SWORDSMAN], [enemy], counter_depth=0, **switches)
    hero_attack(fight, fight.heroes[0], ability(fight.heroes[0], "sword"), fight.enemies[0], stamina=False)
    return fight


@pytest.mark.rule("P52-W7", "P52-W8", "P52-Y1")
@pytest.mark.parametrize(
    ("modifier", "none", "half", "full", "mean"), [(-1, 28, 7, 56, 694), (0, 21, 7, 63, 769), (1, 15, 6, 70, 838)]
)
def test_all_pairs_of_a_sword_stroke(modifier: int, none: int, half: int, full: int, mean: int) -> None:
    seen = {"ace": 0, "miss": 0, "none": 0, "half": 0, "full": 0}
    damage = 0
    for v, d in product(CARDS, CARDS):
        fight = sword_stroke([v, d], modifier)
        hero, enemy = fight.heroes[0], fight.enemies[0]
        damage += enemy.counts.damage_taken
        if v == 1:
            seen["ace"] += 1
        elif not hero.counts.hits:
            seen["miss"] += 1
        elif enemy.counts.defended:
            seen["none"] += 1
        else:
            seen["half" if d == v + modifier else "full"] += 1

    assert seen == {"ace": 13, "miss": 65, "none": none, "half": half, "full": full}
    assert damage == mean
    assert expected(fight, fight.heroes[0], ability(fight.heroes[0], "sword"), fight.enemies[0], 0, 0) == mean


@pytest.mark.rule("P52-W9")
def test_a_ten_does_nine_four_or_nothing() -> None:
    taken = [sword_stroke([10, d]).enemies[0].counts.damage_taken for d in CARDS]
    assert taken == [9] * 8 + [4] + [0] * 4


@pytest.mark.rule("P52-W10", "P52-R4")
def test_a_stamina_card_raises_the_total() -> None:
    seen = []
    for d in CARDS:
        fight = table([4, 6, d], [SWORDSMAN], [foe("J clubs", max_hp=1000, melee_defence=0)])
        fight.heroes[0].stamina = [0]
        hero_attack(fight, fight.heroes[0], ability(fight.heroes[0], "sword"), fight.enemies[0], stamina=True)
        seen.append(fight.enemies[0].counts.damage_taken)
    assert seen == [9] * 9 + [4] + [0] * 3


@pytest.mark.rule("P52-W11", "P52-C2", "P52-C8", "P52-R6")
def test_an_ace_fails_in_spite_of_a_king_of_stamina() -> None:
    fight = table([13, 1, 2], [SWORDSMAN], [foe("J clubs", max_hp=1000)])
    fight.heroes[0].stamina = [0]
    dealt = hero_attack(fight, fight.heroes[0], ability(fight.heroes[0], "sword"), fight.enemies[0], stamina=True)
    assert dealt == 0
    assert fight.enemies[0].counts.attacks == 1
