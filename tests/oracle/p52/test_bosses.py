"""Special enemies and bosses, shown by the scalar referee."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.p52 import actions
from tests.oracle.p52.attacks import enemy_attack, hero_attack, usable_strike
from tests.oracle.p52.enemies import enemy_turn
from tests.oracle.p52.play import start_flip
from tests.oracle.p52.state import Fight
from tests.oracle.p52_table import ability, foe, table

TOUGH = {"class": "fighter", "max_hp": 500}


def blow(fight: Fight, **more: Any) -> None:
    """The first enemy attacks the first hero."""
    enemy, hero = fight.enemies[0], fight.heroes[0]
    strike = usable_strike(fight, enemy, hero)
    assert strike is not None
    enemy_attack(fight, enemy, strike, hero, **more)


@pytest.mark.rule("P52-E12c")
def test_the_jack_of_diamonds_shoots_again_after_a_miss_and_keeps_away() -> None:
    lane = table([2, 3], [{**TOUGH, "spot": [3, 0]}], [foe("J diamonds")], "....")
    enemy_turn(lane, lane.enemies[0])
    assert lane.enemies[0].counts.attacks == 2
    near = table([], [{**TOUGH, "spot": [2, 0]}], [foe("J diamonds", 1)], "....")
    enemy_turn(near, near.enemies[0])
    assert near.enemies[0].spot == 0


@pytest.mark.rule("P52-E12d")
@pytest.mark.parametrize(("reading", "spot"), [("as_listed", 2), ("retreat_all", 0)])
def test_the_queen_of_hearts_close_by(reading: str, spot: int) -> None:
    fight = table([], [{**TOUGH, "spot": [2, 0]}], [foe("Q hearts", 1)], "....", ranged_only_close=reading)
    enemy_turn(fight, fight.enemies[0])
    assert fight.enemies[0].spot == spot


@pytest.mark.rule("P52-E12e", "P52-C24")
@pytest.mark.parametrize(("defence", "lost"), [(1, 1), (13, 0)])
def test_ice_magic_freezes_who_fails_to_defend(defence: int, lost: int) -> None:
    fight = table([12, defence], [{**TOUGH, "spot": [2, 0]}], [foe("Q hearts")], "....")
    blow(fight)
    assert fight.heroes[0].lost_turns == lost


@pytest.mark.rule("P52-E12f", "P52-C26")
def test_water_magic_pushes_into_the_trap() -> None:
    fight = table([12, 13, 1], [{**TOUGH, "spot": [2, 0]}], [foe("Q diamonds")], "...T")
    blow(fight)
    assert fight.heroes[0].spot == 3
    assert fight.heroes[0].counts.damage_taken == 2


@pytest.mark.rule("P52-E12g")
def test_a_king_must_walk_before_it_shoots_again() -> None:
    fight = table([2], [{**TOUGH, "spot": [4, 0]}], [foe("K diamonds")], ".....")
    enemy_turn(fight, fight.enemies[0])
    assert not fight.enemies[0].bow_ready
    enemy_turn(fight, fight.enemies[0])
    assert fight.enemies[0].bow_ready
    assert fight.enemies[0].spot == 2


@pytest.mark.rule("P52-E13", "P52-E15", "P52-S7")
def test_calico_sends_the_beast_from_afar_and_comes_nearer() -> None:
    heroes = [{**TOUGH, "spot": [7, 0]}, {"class": "rogue", "spot": [6, 0], "max_hp": 100}]
    fight = table([12, 1, 12, 1], heroes, [foe("calico")], "........")
    start_flip(fight)
    calico = fight.enemies[0]
    assert fight.order[0] is calico
    assert calico.counts.abilities["cave beast"][:2] == [2, 2]
    assert [hero.counts.damage_taken for hero in fight.heroes] == [2, 2]
    assert [hero.k for hero in fight.heroes] == [1, 0]
    assert calico.spot == 2


@pytest.mark.rule("P52-E16")
def test_a_weak_calico_floats_away_and_heals() -> None:
    fight = table([7], [{**TOUGH, "spot": [0, 0]}], [foe("calico", 1, hp=2)], "..OO.")
    enemy_turn(fight, fight.enemies[0])
    assert fight.enemies[0].spot == 3
    assert fight.enemies[0].hp == 9


@pytest.mark.rule("P52-E18")
def test_calico_suffers_more_from_ice_and_water() -> None:
    wizard = {"class": "wizard", "abilities": {"ice_storm": 2}, "gear": [], "spot": [0, 0]}
    fight = table([11, 1], [wizard], [foe("calico", 1)], "..")
    hero = fight.heroes[0]
    assert hero_attack(fight, hero, ability(hero, "ice_storm"), fight.enemies[0], stamina=False) == (4 + 3) * 3 // 2
    assert fight.enemies[0].lost_turns == 2


@pytest.mark.rule("P52-E14")
def test_a_weak_apprentice_fights_on() -> None:
    fight = table([2, 5], [{**TOUGH, "spot": [1, 0]}], [foe("apprentice", hp=1)], "...")
    enemy_turn(fight, fight.enemies[0])
    assert fight.enemies[0].counts.abilities == {"fire ball": [1, 0, 0]}


@pytest.mark.rule("P52-E19")
def test_the_warlock_and_his_creature() -> None:
    heroes = [{**TOUGH, "spot": [5, 0]}, {**TOUGH, "spot": [6, 0]}]
    fight = table([2, 2], heroes, [foe("warlock")], ".......", data_set="mountain")
    enemy_turn(fight, fight.enemies[0])
    assert fight.enemies[0].counts.abilities["creature"][0] == 2
    weak = table([9], [TOUGH], [foe("warlock", hp=1)], data_set="mountain")
    enemy_turn(weak, weak.enemies[0])
    assert weak.enemies[0].hp == 10


@pytest.mark.rule("P52-E19")
@pytest.mark.parametrize(("value", "hp"), [(6, 6), (7, None)])
def test_the_warlock_may_rise_again(value: int, hp: int | None) -> None:
    fighter = {"class": "fighter", "abilities": {"sword_play": 9}}
    fight = table([12, 1, value], [fighter], [foe("warlock", hp=1)], data_set="mountain")
    hero = fight.heroes[0]
    hero_attack(fight, hero, ability(hero, "sword_play"), fight.enemies[0], stamina=False)
    assert fight.enemies[0].gone == ("" if hp else "defeated")
    assert hp is None or fight.enemies[0].hp == hp


@pytest.mark.rule("P52-E20")
@pytest.mark.parametrize(("switch", "routed"), [("off", 1), ("on", 2)])
def test_threaten_routs_all_but_bosses(switch: str, routed: int) -> None:
    captain = {"class": "captain", "abilities": {"threaten": 9}}
    fight = table([13], [captain], [foe("J clubs"), foe("apprentice")], boss_rout=switch)
    actions.threaten(fight, fight.heroes[0], 0, stamina=False)
    assert sum(enemy.gone == "routed" for enemy in fight.enemies) == routed


@pytest.mark.rule("P52-E3")
@pytest.mark.parametrize(("reading", "attacks"), [("heal", 0), ("fight", 1)])
def test_a_cornered_enemy(reading: str, attacks: int) -> None:
    fight = table([2], [TOUGH], [foe("J clubs", hp=1)], cornered_enemy=reading)
    enemy_turn(fight, fight.enemies[0])
    assert fight.enemies[0].counts.attacks == attacks
    assert fight.enemies[0].hp == 2 - attacks


def test_an_enemy_that_has_fled_often_enough_turns_round() -> None:
    fight = table([2], [{**TOUGH, "spot": [1, 0]}], [foe("J clubs", 1, hp=1)], ".......", flee_limit=1)
    enemy_turn(fight, fight.enemies[0])
    assert fight.enemies[0].spot == 3
    fight.heroes[0].spot = 3
    enemy_turn(fight, fight.enemies[0])
    assert fight.enemies[0].counts.attacks == 1


@pytest.mark.rule("P52-E12")
@pytest.mark.parametrize(("preset", "hp"), [("p52-1.4", 2), ("p52-draft", 3)])
def test_a_frozen_enemy_loses_its_turn(preset: str, hp: int) -> None:
    fight = table([], [TOUGH], [foe("K hearts", hp=2)], preset=preset)
    fight.enemies[0].lost_turns = 1
    enemy_turn(fight, fight.enemies[0])
    assert (fight.enemies[0].lost_turns, fight.enemies[0].hp, fight.enemies[0].counts.attacks) == (0, hp, 0)


@pytest.mark.rule("P52-U14")
def test_hidden_spots_conceal_heroes_and_forbid_counters() -> None:
    fight = table([1], [{"class": "rogue", "spot": [0, 0]}], [foe("J spades", 2)], "H...")
    hero = fight.heroes[0]
    assert usable_strike(fight, fight.enemies[0], hero) is None
    hero_attack(fight, hero, ability(hero, "bow"), fight.enemies[0], stamina=False)
    assert fight.enemies[0].counts.attacks == 0
    assert hero.arrows == 9


@pytest.mark.rule("P52-C12", "P52-C13")
@pytest.mark.parametrize(
    ("king", "stage", "damage"),
    [("double", "before_defence", 12 - 11), ("double", "after_defence", 0), ("extra", "before_defence", 0),
     ("extra", "after_defence", 0 + 2)],
)  # fmt: skip
def test_the_king_before_and_after_the_defence(king: str, stage: str, damage: int) -> None:
    hero = {**TOUGH, "abilities": {"body_block": 1}, "lift": 20}  # raw damage 6, Body Block takes 11
    switches = {"enemy_king": king, "king_stage": stage, "enemy_king_extra": 2, "ban": ["parry", "dodge"]}
    fight = table([13, 8], [hero], [foe("J clubs")], **switches)
    blow(fight)
    assert fight.heroes[0].counts.damage_taken == damage


@pytest.mark.rule("P52-C8", "P52-C18")
def test_the_chain_of_counter_attacks_ends() -> None:
    swordsman = {"class": "fighter", "abilities": {"sword": 1}, "gear": ["light_sword"], "max_hp": 500}
    for depth in range(4):
        fight = table([1] * 9, [swordsman], [foe("K hearts")], counter_depth=depth)
        blow(fight)
        assert fight.enemies[0].counts.attacks + fight.heroes[0].counts.attacks == 1 + depth
