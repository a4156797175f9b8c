"""Enemy skills and statuses (sections 7.4 and 7.6), each on a board laid out by hand; W29 to W31 among them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.second_era import data
from sim.rulesets.second_era.rules.companions import companion_turn
from sim.rulesets.second_era.rules.damage import deal
from sim.rulesets.second_era.rules.enemy_moves import steps_of
from sim.rulesets.second_era.rules.enemy_turns import combat_dice
from sim.rulesets.second_era.rules.places import begin_turn
from sim.rulesets.second_era.rules.track import gain
from sim.rulesets.second_era.state import State
from tests.rulesets.second_era.table import (
    battle,
    begin,
    cell,
    everybody,
    first_enemy,
    foe,
    hero,
    near,
    places,
    turn,
    victims,
)  # fmt: skip

RUNS = 64


def lone(enemy: dict[str, Any], *heroes: Any, runs: int = RUNS, **more: Any) -> State:
    """An enemy at (1,0), an adventurer with 9 HP at (0,0) unless others are given."""
    return begin(battle(list(heroes) or [hero((0, 0), 9)], [foe((1, 0), **enemy)], **more), runs)


def status(s: State, row: int, which: int) -> Any:
    """(lanes,). Whether a unit is under a status."""
    return (s.status[row] & (1 << which)) != 0


@pytest.mark.rule("SE-E11", "SE-E12", "SE-E13", "SE-E9", "SE-K3", "SE-K28")
def test_w29_one_roll_for_all_and_bane_for_who_is_left() -> None:
    heroes = [hero((0, 0), 5), hero((0, 1), 2, "mage"), hero((1, -1), 2, "archer")]
    s = begin(battle(heroes, [foe((2, 0), "lich", skills=["Bane", "Ritual 1"], combat=2)]), 4_000)

    turn(s)

    three = s.hp[0] == 2
    assert near(float(three.mean()), 8 / 36, 4_000)
    assert (s.hp[1:3, three] == 0).all()
    assert status(s, 0, data.BANE)[three].all()
    assert not status(s, 1, data.BANE)[three].any()


@pytest.mark.rule("SE-E10", "SE-K3")
def test_w30_combat_0_still_gives_bane() -> None:
    s = lone({"combat": 0, "skills": ["Bane"]})

    turn(s)

    assert (s.hp[0] == 9).all()
    assert status(s, 0, data.BANE).all()


@pytest.mark.rule("SE-F3", "SE-K5", "SE-E6")
@pytest.mark.parametrize(("switch", "dazed"), [("zero_dice", True), ("skip", False)])
def test_w31_a_dazed_enemy_that_moved_rolls_nothing(switch: str, dazed: bool) -> None:
    enemy = foe((2, 0), combat=3, skills=["Daze"], statuses=["Daze"])
    s = begin(battle([hero((0, 0), 9)], [enemy], switches={"daze_engage": switch}), RUNS)

    turn(s)

    assert places(s, s.party) != {(2, 0): 1.0}
    assert (s.hp[0] == 9).all()
    assert (status(s, 0, data.DAZE) == dazed).all()
    assert not status(s, s.party, data.DAZE).any()


@pytest.mark.rule("SE-K2", "SE-D3")
def test_arcane_damage_is_true_and_maim_does_not_halve_it() -> None:
    s = lone({"combat": 4, "skills": ["Arcane"], "statuses": ["Maim"]}, hero((0, 0), 20, bonus_hp=9))
    plain = lone({"combat": 4}, hero((0, 0), 20, bonus_hp=9))

    turn(s)
    turn(plain)

    assert (s.bonus[0] == 9).all()
    assert ((20 - s.hp[0]) == (9 - plain.bonus[0])).all()  # the same dice, not halved


@pytest.mark.rule("SE-K4", "SE-K6", "SE-K7", "SE-F4", "SE-F7")
def test_after_engage_skills_reach_the_track_in_chip_order() -> None:
    s = lone({"skills": ["Enfeeble 2", "Maim", "Intimidate"]})

    turn(s)

    track = [data.TRACK_WORDS[code] for code in s.track[: data.TRACK, 0] if code >= 0]
    assert track == ["L", "L", "Maim", "Fear"]


@pytest.mark.rule("SE-K6")
def test_intimidate_takes_fear_away_again() -> None:
    s = lone({"skills": ["Intimidate"]}, hero((0, 0), 30))

    turn(s)
    assert status(s, 0, data.FEAR).all()
    turn(s)

    assert not status(s, 0, data.FEAR).any()


@pytest.mark.rule("SE-F4")
def test_an_enemy_under_fear_forgets_its_skills() -> None:
    s = lone({"skills": ["Bane", "Recover"], "statuses": ["Fear"], "health": 9, "hp": 5})

    turn(s)

    assert not status(s, 0, data.BANE).any()
    assert (s.hp[s.party] == 5).all()


@pytest.mark.rule("SE-K10")
def test_stalwart_loses_one_hit_point_per_turn() -> None:
    s = lone({"health": 9, "skills": ["Stalwart"]})
    begin_turn(s, 0, everybody(s))

    deal(s, 0, 1, 5, everybody(s), 0)
    deal(s, 0, 1, 5, everybody(s), 0, true=True)

    assert (s.hp[1] == 8).all()


@pytest.mark.rule("SE-K11")
@pytest.mark.parametrize(("spot", "lost"), [((0, 0), 3), ((-2, 0), 0)])
def test_elusive_ignores_who_came_from_afar(spot: tuple[int, int], lost: int) -> None:
    s = lone({"health": 9, "skills": ["Elusive"]}, hero(spot, 9))
    begin_turn(s, 0, everybody(s))

    deal(s, 0, 1, 3, everybody(s), 0)

    assert (s.hp[1] == 9 - lost).all()


@pytest.mark.rule("SE-K13")
@pytest.mark.parametrize(("form", "lost"), [("light", 1), ("magic", 3)])
def test_ethereal_prevents_party_size_outside_magic_form(form: str, lost: int) -> None:
    s = lone({"health": 9, "skills": ["Ethereal"]}, hero((0, 0), form=form), hero((0, 1)))

    deal(s, 0, 2, 3, everybody(s), 0)

    assert (s.hp[2] == 9 - lost).all()


@pytest.mark.rule("SE-K14")
@pytest.mark.parametrize(("spot", "lost"), [((0, 0), 3), ((-1, 0), 2)])
def test_iron_bark_hardens_against_who_is_not_adjacent(spot: tuple[int, int], lost: int) -> None:
    s = lone({"health": 9, "skills": ["Iron Bark"]}, hero(spot))

    deal(s, 0, 1, 3, everybody(s), 0)

    assert (s.hp[1] == 9 - lost).all()


@pytest.mark.rule("SE-K15", "SE-K16", "SE-K17", "SE-U2")
def test_ritual_recover_and_bide_heal() -> None:
    skills = ["Ritual 1", "Ritual 2", "Recover", "Bide"]
    enemies = [foe((1, 0), health=9, hp=2, skills=skills), foe((2, 0), health=9, hp=2)]
    s = begin(battle([hero((0, 0), 30), hero((0, 1), 30)], enemies), RUNS)

    turn(s)

    assert (s.hp[2] == 2 + 2 + 2).all()  # Recover by party size, Bide 2; Ritual not itself
    assert (s.hp[3] == 2 + 2).all()  # the higher of two numbers


@pytest.mark.rule("SE-K18")
def test_rush_moves_again_and_does_not_engage() -> None:
    row = {"tiles": [{"name": "A", "hexes": [[q, 0] for q in range(8)]}]}
    s = begin(battle([hero((0, 0), 9)], [foe((5, 0), combat=5, skills=["Rush"])], row), RUNS)

    turn(s)

    assert places(s, s.party) == {(1, 0): 1.0}
    assert victims(s) == [False]


@pytest.mark.rule("SE-K19", "SE-R1")
@pytest.mark.parametrize(("round_number", "steps"), [(1, 1), (4, 4), (6, 6), (9, 6)])
def test_swift_walks_as_far_as_the_round_counter(round_number: int, steps: int) -> None:
    s = lone({"skills": ["Swift"]})
    s.round = round_number

    assert (steps_of(s, first_enemy(s), everybody(s), 2) == steps).all()


@pytest.mark.rule("SE-K20")
def test_necrotic_hurts_friend_and_foe() -> None:
    enemies = [foe((1, 0), combat=0, skills=["Necrotic"], health=5), foe((2, 0), health=5)]
    s = begin(battle([hero((0, 0), 9), hero((-2, 0), 9)], enemies), RUNS)

    turn(s)

    assert s.hp[:, 0].tolist() == [8, 9, 5, 4]


@pytest.mark.rule("SE-K21")
def test_disrupt_exhausts_the_lowest_active_die() -> None:
    s = lone({"combat": 0, "skills": ["Disrupt"]})
    s.slot_die[:2], s.slot_x[:2] = data.COMBAT, np.array([[2], [1]])

    turn(s)

    assert (s.slot_x[0] == 2).all()
    assert (s.slot_die[1] == -1).all()


@pytest.mark.rule("SE-K22")
@pytest.mark.parametrize(("spot", "lost"), [((0, 0), 2), ((-1, 0), 0)])
def test_bladed_adds_two_against_an_adjacent_target(spot: tuple[int, int], lost: int) -> None:
    s = lone({"combat": 0, "range": 2, "skills": ["Bladed"]}, hero(spot, 9))

    turn(s)

    assert (s.hp[0] == 9 - lost).all()


@pytest.mark.rule("SE-K23", "SE-K24")
@pytest.mark.parametrize(("skills", "dice"), [(["Vindictive", "Smite"], 8), (["Smite", "Vindictive"], 6)])
def test_vindictive_and_smite_work_in_chip_order(skills: list[str], dice: int) -> None:
    s = lone({"combat": 2, "skills": skills}, hero((0, 0)), hero((-2, 0)))

    number = combat_dice(s, first_enemy(s), everybody(s), [np.zeros(RUNS, dtype=int)])

    assert (number == dice).all()


@pytest.mark.rule("SE-K26")
def test_retreat_hides_and_heals_in_a_turn_without_damage() -> None:
    s = begin(battle([hero((-2, 0))], [foe((2, 0), skills=["Retreat"], health=5, hp=2)], "clash"), RUNS)

    turn(s)

    assert (s.hp[1] == 3).all()
    assert status(s, 1, data.STEALTH).all()


@pytest.mark.rule("SE-K27", "SE-D11")
def test_decay_takes_a_hit_point_and_is_nobodys() -> None:
    s = lone({"combat": 0, "skills": ["Decay"], "health": 1})

    turn(s)

    assert (s.hp[1] == 0).all()
    assert s.ledger.kills.sum() == 0


@pytest.mark.rule("SE-F6")
def test_an_enemy_leaves_stealth_when_it_deals_damage() -> None:
    s = lone({"combat": 9, "statuses": ["Stealth"]}, hero((0, 0), 30))

    turn(s)

    assert not status(s, 1, data.STEALTH).any()


@pytest.mark.rule("SE-E14", "SE-F1")
def test_quest_units_gain_no_status_from_the_party() -> None:
    enemies = [foe((1, 0), "champion"), foe((2, 0))]
    s = begin(battle([hero((0, 0))], enemies), 1)

    for row in (1, 2):
        gain(s, row, data.BANE, everybody(s), by_party=True)

    assert not status(s, 1, data.BANE).any()
    assert status(s, 2, data.BANE).all()


@pytest.mark.rule("SE-U1", "SE-R9", "SE-R4")
def test_a_companion_walks_to_the_closest_target_and_bites_the_weakest() -> None:
    companion = {"type": "hound", "combat": 9, "hex": [-2, 0]}
    enemies = [foe((1, 0), health=30), foe((1, -1), health=20)]
    s = begin(battle([hero((-2, 1))], enemies, companions=[companion]), RUNS)

    companion_turn(s, 1, everybody(s))

    assert (s.cell[1] == cell(s, (0, -1))).all()  # two steps, the first in (q,r) order
    assert (s.hp[2] == 30).all()
    assert (s.hp[3] < 20).all()


@pytest.mark.rule("SE-S6")
def test_a_companion_without_a_hex_waits_and_then_enters() -> None:
    s = begin(battle([hero()], [foe()], "pair", companions=[{"type": "hound"}]), 1)
    assert s.cell[1, 0] == -1

    companion_turn(s, 1, everybody(s))
    assert s.cell[1, 0] == -1

    deal(s, 2, 0, 99, everybody(s), 8, true=True)
    companion_turn(s, 1, everybody(s))

    assert s.cell[1, 0] == cell(s, (0, 0))
