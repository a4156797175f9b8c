"""What heroes lose: wounds, knock-outs, status markers."""

from __future__ import annotations

import pytest

from tests.oracle.brimstone.chances import FixedLuck
from tests.oracle.brimstone.scenes import OFF, scene
from tests.oracle.luck import PythonLuck


@pytest.mark.rule("BF-A8", "BF-U1")
@pytest.mark.parametrize(("before", "more", "stands", "taken"), [(6, 3, True, 3), (7, 3, False, 3), (9, 6, False, 1)])
def test_we20_ko_at_exactly_zero(before: int, more: int, stands: bool, taken: int) -> None:
    posse = [{"class": "lawman", "health": 10, "wounds": before}, {"class": "lawman"}]
    fight = scene(PythonLuck(1), posse, [("tentacles", None)], board="none", switches=OFF)
    hero = fight.heroes[0]

    fight.wound_hero(hero, more)

    assert hero.standing == stands
    assert hero.taken == taken
    assert hero.hp == (1 if stands else 0)


@pytest.mark.rule("BF-A8", "BF-A9", "BF-H11")
@pytest.mark.parametrize("tokens", [0, 1])
def test_we20_a_bleeding_marker_can_knock_out(tokens: int) -> None:
    posse = [{"class": "lawman", "health": 10, "wounds": 8, "sdmg": 3}, {"class": "lawman"}]
    switches = {"revive_tokens": tokens}
    luck = FixedLuck({"Tail": 1})
    fight = scene(luck, posse, [("xenocyte_impalers", None)], board="none", switches=switches)
    hero = fight.heroes[0]

    fight.end_of_move(hero)

    if tokens:
        assert (hero.standing, hero.wounds, hero.sdmg, hero.grit) == (True, 0, 0, 2)
    else:
        assert (hero.standing, hero.hp) == (False, 0)
    assert hero.status["bleeding"] == 0


@pytest.mark.rule("BF-X1", "BF-X2", "BF-H3")
def test_status_markers() -> None:
    status = {"burning": 2, "ensnared": 1, "poison": 2, "stunned": 2, "webbed": 3, "venom": 1, "death_mark": 1}
    rolls = {"Ensnared": [1, 1, 5], "Poison": [2, 6], "Stunned": 4, "Webbed": [5, 5, 1], "BF-H2": 6}
    fight = scene(FixedLuck(rolls), [{"class": "lawman", "status": status}], [("tentacles", None)], board="none")
    hero = fight.heroes[0]

    fight.markers(hero)

    left = {marker: count for marker, count in hero.status.items() if count}
    assert left == {"burning": 1, "death_mark": 1, "poison": 1, "stunned": 1, "webbed": 1, "venom": 1}
    assert hero.taken == 3
    assert fight.movement_points(hero, 6) == 5


@pytest.mark.rule("BF-P11")
def test_a_cautious_hero_pays_for_bleeding_only_with_full_grit() -> None:
    hero = {"class": "lawman", "policy": "cautious", "grit": 2, "status": {"bleeding": 2}}
    fight = scene(PythonLuck(1), [hero], [("tentacles", None)], board="none")

    fight.markers(fight.heroes[0])

    assert (fight.heroes[0].grit, fight.heroes[0].status["bleeding"]) == (1, 1)
