"""The cooldown track and status dice."""

from __future__ import annotations

import pytest

from tests.oracle.second_era.creatures import companion_turn
from tests.oracle.second_era.examples import ARCHER, battle_of, enemy, unit
from tests.oracle.second_era.track import enter, gain_status, recover


@pytest.mark.rule("SE-A10")
@pytest.mark.parametrize(
    ("track", "cooldown", "left"),
    [(["combat", "O", "L", "shield_discipline"], 2, ["L", "shield_discipline", "O"]), (["O"], 2, ["O"])],
)
def test_w12_recovery_sends_overfatigue_round(track: list[str], cooldown: int, left: list[str]) -> None:
    battle = battle_of([unit(5, 0, 0, track=track, cooldown=cooldown)], [enemy("ogre", 1, 0)])
    hero = battle.heroes[0]

    recover(battle, hero, hero.cooldown)

    assert hero.track == left
    assert hero.available.get("combat", 0) == 1


@pytest.mark.rule("SE-A13", "SE-A14")
def test_w13_a_full_track_drains_the_new_die_and_one_more() -> None:
    track = ["L"] * 10 + ["combat", "O", "O"]
    battle = battle_of([{**ARCHER, "track": track}], [enemy("ogre", 2, 0)])
    hero = battle.heroes[0]

    entered = enter(battle, hero, "snipe")

    assert not entered
    assert hero.track == ["L"] * 10 + ["O", "O", "O"]
    assert (hero.drained, hero.over) == (2, 1)


@pytest.mark.rule("SE-A12")
def test_a_second_copy_of_a_status_moves_to_the_right_end() -> None:
    battle = battle_of([unit(5, 0, 0, track=["Bane", "L"])], [enemy("ogre", 1, 0)])

    gain_status(battle, battle.heroes[0], "Bane", battle.enemies[0])

    assert battle.heroes[0].track == ["L", "Bane"]
    assert battle.heroes[0].statuses_gained == 0


def test_quest_units_refuse_statuses_of_the_party() -> None:
    hound = {"type": "hound", "hex": [0, 0], "skills": ["Bane"], "combat": 0}
    for kind, marked in (("champion", False), ("ogre", True)):
        battle = battle_of([unit(5, -2, 0)], [enemy(kind, 1, 0)], companions=[hound])
        companion_turn(battle, battle.companions[0])
        assert battle.enemies[0].has("Bane") == marked
