"""Enemies hit heroes, who save."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.oracle.brimstone.chances import FixedLuck, TreeLuck, chances, mean
from tests.oracle.brimstone.scenes import OFF, scene

F = Fraction


def wounds_from(luck: Any, enemy: Any, **hero: Any) -> int:
    fight = scene(luck, [{"class": "lawman", "health": 40} | hero], [(enemy, None)], board="none", switches=OFF)
    fight.slots[0].target = fight.heroes[0]
    fight.phase_b(fight.slots[0].group)
    return fight.heroes[0].taken


@pytest.mark.rule("BF-A1", "BF-A3", "BF-A4")
def test_we19_a_tentacle_attacks() -> None:
    assert chances(lambda luck: wounds_from(luck, "tentacles")) == {
        0: F(8, 27),
        3: F(4, 9),
        6: F(2, 9),
        9: F(1, 27),
    }


@pytest.mark.rule("BF-A1")
def test_we19_a_strangler_attacks() -> None:
    one_die = {"type": "stranglers", "combat": 1}

    assert 4 * mean(lambda luck: wounds_from(luck, one_die, defense=3)) == F(4, 3)
    # To Hit 6 or more stops the save from mattering: with no Defense worth having every hit on 5 in 6 goes through.
    assert 4 * mean(lambda luck: wounds_from(luck, one_die, defense=6)) == 4 * F(5, 6)


@pytest.mark.rule("BF-A6", "BF-H3")
@pytest.mark.parametrize(("willpower", "average", "none"), [(4, 2, F(1, 16)), (3, F(4, 3), F(16, 81))])
def test_we21_terror(willpower: int, average: Fraction, none: Fraction) -> None:
    def lost(luck: TreeLuck) -> int:
        posse = [{"class": "lawman", "willpower": willpower}]
        fight = scene(luck, posse, [("night_terrors", None)] * 2, board="none", switches=OFF)
        fight.fear(fight.heroes[0])
        return fight.heroes[0].sanity_taken

    found = chances(lost)

    assert sum(points * p for points, p in found.items()) == average
    assert found[0] == none


@pytest.mark.rule("BF-X1", "BF-A5")
def test_markers_worsen_defense_and_death_mark_adds_damage() -> None:
    base = chances(lambda luck: wounds_from(luck, {"type": "tentacles", "combat": 1}))
    marked = chances(
        lambda luck: wounds_from(
            luck, {"type": "tentacles", "combat": 1}, status={"stunned": 2, "ensnared": 1, "death_mark": 1}
        )
    )

    assert base == {0: F(2, 3), 3: F(1, 3)}
    assert marked == {0: F(1, 2) + F(1, 3) * F(1, 6), 5: F(1, 6) + F(1, 3) * F(5, 6)}


@pytest.mark.rule("BF-P6", "BF-P8")
def test_a_hero_in_mortal_danger_spends_grit_then_bandages() -> None:
    rolls = {"BF-A1": 4, "BF-A2/defense": 1, "BF-A2/defense again": [1, 1, 6], "BF-A2/bandages": 6}
    hero = {"class": "lawman", "health": 12, "wounds": 6, "grit": 1, "policy": "focus_fire"}
    fight = scene(FixedLuck(rolls), [hero], [("tentacles", None)], board="none")
    fight.slots[0].target = fight.heroes[0]

    fight.phase_b(fight.slots[0].group)

    lawman = fight.heroes[0]
    assert (lawman.grit, lawman.tokens_used, lawman.wounds, lawman.taken) == (0, 1, 6, 6)
