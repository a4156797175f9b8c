"""Turns of enemies: Daze, Rush, and the skills at the end of a turn."""

from __future__ import annotations

import pytest

from sim.rulesets.second_era import data
from tests.rulesets.second_era.table import FEW, battle, begin, foe, hero, lone, places, status, turn, victims


@pytest.mark.rule("SE-F3", "SE-K5", "SE-E6")
@pytest.mark.parametrize(("switch", "dazed"), [("zero_dice", True), ("skip", False)])
def test_w31_a_dazed_enemy_that_moved_rolls_nothing(switch: str, dazed: bool) -> None:
    enemy = foe((2, 0), combat=3, skills=["Daze"], statuses=["Daze"])
    s = begin(battle([hero((0, 0), 9)], [enemy], switches={"daze_engage": switch}), FEW)

    turn(s)

    assert places(s, s.party) != {(2, 0): 1.0}
    assert (s.hp[0] == 9).all()
    assert (status(s, 0, data.DAZE) == dazed).all()
    assert not status(s, s.party, data.DAZE).any()


@pytest.mark.rule("SE-K15", "SE-K16", "SE-K17", "SE-U2")
def test_ritual_recover_and_bide_heal() -> None:
    skills = ["Ritual 1", "Ritual 2", "Recover", "Bide"]
    enemies = [foe((1, 0), health=9, hp=2, skills=skills), foe((2, 0), health=9, hp=2)]
    s = begin(battle([hero((0, 0), 30), hero((0, 1), 30)], enemies), FEW)

    turn(s)

    assert (s.hp[2] == 2 + 2 + 2).all()  # Recover by party size, Bide 2; Ritual not itself
    assert (s.hp[3] == 2 + 2).all()  # the higher of two numbers


@pytest.mark.rule("SE-K18")
def test_rush_moves_again_and_does_not_engage() -> None:
    row = {"tiles": [{"name": "A", "hexes": [[q, 0] for q in range(8)]}]}
    s = begin(battle([hero((0, 0), 9)], [foe((5, 0), combat=5, skills=["Rush"])], row), FEW)

    turn(s)

    assert places(s, s.party) == {(1, 0): 1.0}
    assert victims(s) == [False]


@pytest.mark.rule("SE-K20")
def test_necrotic_hurts_friend_and_foe() -> None:
    enemies = [foe((1, 0), combat=0, skills=["Necrotic"], health=5), foe((2, 0), health=5)]
    s = begin(battle([hero((0, 0), 9), hero((-2, 0), 9)], enemies), FEW)

    turn(s)

    assert s.hp[:, 0].tolist() == [8, 9, 5, 4]


@pytest.mark.rule("SE-K26")
def test_retreat_hides_and_heals_in_a_turn_without_damage() -> None:
    s = begin(battle([hero((-2, 0))], [foe((2, 0), skills=["Retreat"], health=5, hp=2)], "clash"), FEW)

    turn(s)

    assert (s.hp[1] == 3).all()
    assert status(s, 1, data.STEALTH).all()


@pytest.mark.rule("SE-K27", "SE-D11")
def test_decay_takes_a_hit_point_and_is_nobodys() -> None:
    s = lone({"combat": 0, "skills": ["Decay"], "health": 1})

    turn(s)

    assert (s.hp[1] == 0).all()
    assert s.ledger.kills.sum() == 0
