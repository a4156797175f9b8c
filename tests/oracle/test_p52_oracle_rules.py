"""Further rules of P52, shown by its scalar referee: special enemies, bosses, items, policies, rewards, gauntlets."""

from __future__ import annotations

from typing import Any

import pytest

from .luck import AddressedLuck, PythonLuck
from .p52 import SCENARIOS, actions, play, prepare
from .p52.attacks import enemy_attack, hero_attack, hit_hero, usable_strike
from .p52.data import CHOICES, PRESETS
from .p52.enemies import enemy_turn
from .p52.harm import hurt_hero
from .p52.play import hero_turn, reward, start_flip
from .p52.policies import party_focus
from .p52.state import Fight
from .p52_table import ability, foe, table
from .random_p52 import random_scenario

TOUGH = {"class": "fighter", "max_hp": 500}


def blow(fight: Fight, **more: Any) -> None:
    """The first enemy attacks the first hero."""
    enemy, hero = fight.enemies[0], fight.heroes[0]
    strike = usable_strike(fight, enemy, hero)
    assert strike is not None
    enemy_attack(fight, enemy, strike, hero, **more)


# ---------------------------------------------------------------------------------------------------------------------
# Special enemies and bosses
# ---------------------------------------------------------------------------------------------------------------------


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


# ---------------------------------------------------------------------------------------------------------------------
# Items
# ---------------------------------------------------------------------------------------------------------------------


def thrower(item: str, flips: list[int], enemies: list[dict[str, Any]], **more: Any) -> Fight:
    hero = {"class": "wizard", "level": 5, "consumables": {item: 1}, "policy": "focus_fire", "spot": [0, 0]}
    fight = table(flips, [hero], enemies, "....", **more)
    hero_turn(fight, fight.heroes[0])
    assert fight.heroes[0].counts.items_used == 1
    return fight


@pytest.mark.rule("P52-C25", "P52-H7")
def test_a_fire_elixir_burns_again() -> None:
    fight = thrower("fire_elixir", [10, 1, 13], [foe("K hearts", 1), foe("K hearts", 1)])
    first, second = fight.enemies
    assert (first.max_hp - first.hp, first.burn, second.counts.damage_taken) == (6, 2, 0)
    first.lost_turns = 1
    enemy_turn(fight, first)
    assert (first.max_hp - first.hp, first.burn) == (8, 0)
    unlucky = thrower("strong_fire_elixir", [1], [foe("K hearts", 1), foe("K hearts", 1)])
    assert unlucky.heroes[0].counts.damage_taken == 2


def test_ice_and_water_elixirs() -> None:
    ice = thrower("strong_ice_elixir", [], [foe("K hearts", 1), foe("K hearts", 1)])
    assert [enemy.lost_turns for enemy in ice.enemies] == [2, 2]
    water = thrower("strong_water_elixir", [5, 1, 13], [foe("K hearts", 1), foe("K hearts", 1)])
    assert [enemy.counts.damage_taken for enemy in water.enemies] == [13 * 2, 0]
    assert [enemy.spot for enemy in water.enemies] == [2, 2]


def test_the_ice_of_the_mountain_holds_until_the_next_attack() -> None:
    fight = thrower("ice_elixir", [], [foe("K hearts", 1), foe("K hearts", 1)], data_set="mountain")
    hero, enemy = fight.heroes[0], fight.enemies[0]
    for _ in range(5):
        enemy_turn(fight, enemy)
    assert enemy.frozen
    fight.luck.flips = [3]
    hero_attack(fight, hero, ability(hero, "fire_ball"), enemy, stamina=False)
    assert not enemy.frozen


def test_the_phoenix_feather_and_dragons_blood() -> None:
    heroes = [{"class": "captain", "level": 2, "consumables": {"phoenix_feather": 1, "dragons_blood": 1}},
              {"class": "fighter"}]  # fmt: skip
    fight = table([2, 2, 2, 2], heroes, [foe("K hearts", max_hp=100)])
    captain, fighter = fight.heroes
    hurt_hero(fight, captain, 1000)
    assert not fight.check_end()
    hero_turn(fight, captain)
    assert captain.hp == 6
    hurt_hero(fight, fighter, 1000)
    actions.give_item(fight, captain, "dragons_blood", fighter)
    assert fighter.hp == 2 * 35 // 3


@pytest.mark.rule("P52-U4", "P52-H9")
def test_a_stamina_boost_goes_beyond_the_maximum() -> None:
    fight = table([], [{"class": "rogue", "consumables": {"stamina_boost": 1}}])
    hero = fight.heroes[0]
    actions.pass_turn(fight, hero)
    actions.boost_stamina(fight, hero)
    actions.pass_turn(fight, hero)
    assert len(hero.stamina) == 6


def test_a_thrown_knife_is_fetched_back() -> None:
    rogue = {"class": "rogue", "abilities": {"knife_throw": 1}, "gear": ["hunting_knife"], "spot": [0, 0]}
    fight = table([3], [rogue], [foe("K hearts", 1)], "..")
    hero = fight.heroes[0]
    hero_attack(fight, hero, ability(hero, "knife_throw"), fight.enemies[0], stamina=False)
    assert hero.knife_at == 1
    actions.move(fight, hero, 1, actions.walks_of(fight, hero))
    assert hero.knife_at is None


def test_an_iron_shield_flips_for_itself() -> None:
    fighter = {"class": "fighter", "abilities": {"shield_block": 1}, "gear": ["iron_shield"], "balance": 3}
    seen = {}
    for shield in (1, 7, 13):
        fight = table([9, shield], [fighter], ban=["body_block", "dodge"])
        seen[shield] = (hit_hero(fight, fight.heroes[0], 20, "melee", None), fight.heroes[0].counts.damage_taken)
    assert seen == {1: ((17, True, False), 19), 7: ((11, True, False), 11), 13: ((5, True, True), 5)}


# ---------------------------------------------------------------------------------------------------------------------
# Policies
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P52-Y13", "P52-H5")
def test_the_sniper_aims_twice_before_it_shoots() -> None:
    rogue = {"class": "rogue", "spot": [0, 0], "policy": "sniper"}
    fight = table([9, 1], [rogue], [foe("K hearts", 6)], ".......")
    hero = fight.heroes[0]
    hero_turn(fight, hero)
    hero_turn(fight, hero)
    assert (hero.aim, hero.counts.attacks) == (2, 0)
    hero_turn(fight, hero)
    assert (hero.aim, hero.counts.attacks, hero.counts.hits) == (0, 1, 1)


@pytest.mark.rule("P52-Y7", "P52-Y8", "P52-H11")
@pytest.mark.parametrize(("preset", "hp"), [("p52-1.4", 0), ("p52-draft", 4)])
def test_a_stunned_cleric(preset: str, hp: int) -> None:
    cleric = {"class": "cleric", "hp": 0, "consumables": {"healing_potion": 1}}
    fight = table([8], [cleric], preset=preset)
    hero = fight.heroes[0]
    hero_turn(fight, hero)
    assert hero.hp == 10
    hero.hp = 0
    hero_turn(fight, hero)
    assert hero.hp == hp
    assert hero.stance == (1 if hp == 0 else 0)


@pytest.mark.rule("P52-Y14")
def test_the_medic_revives_then_heals() -> None:
    cleric = {"class": "cleric", "policy": "medic", "abilities": {"revive": 2, "heal": 1}, "consumables": {}}
    fight = table([10, 9], [cleric, {"class": "fighter"}])
    medic, fighter = fight.heroes
    hurt_hero(fight, fighter, 100)
    hero_turn(fight, medic)
    assert fighter.hp == 35 // 4 + 1
    hero_turn(fight, medic)
    assert fighter.hp == 9 + 5


@pytest.mark.rule("P52-Y15")
def test_focus_fire_agrees_on_the_weakest_in_reach() -> None:
    heroes = [{"class": "fighter", "spot": [0, 0]}, {"class": "rogue", "spot": [0, 0]}]
    fight = table([], heroes, [foe("K hearts"), foe("J clubs", 2), foe("J clubs", 40, hp=1)], "." * 41)
    assert party_focus(fight) is fight.enemies[1]


@pytest.mark.rule("P52-Y12")
def test_the_guardian_waits_and_then_walks() -> None:
    fight = table([], [{"class": "fighter", "policy": "guardian", "spot": [0, 0]}], [foe("K hearts", 4)], ".....")
    hero = fight.heroes[0]
    hero_turn(fight, hero)
    assert (hero.stance, hero.spot) == (1, 0)
    fight.round = 6
    hero_turn(fight, hero)
    assert (hero.stance, hero.spot) == (0, 1)


# ---------------------------------------------------------------------------------------------------------------------
# Rewards, gauntlets, whole runs
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P52-X2", "P52-X3", "P52-C7")
def test_a_kill_gives_experience_and_perhaps_an_item() -> None:
    fight = table([13, 1, 11], [{"class": "fighter"}], [foe("J clubs", hp=1)])
    hero = fight.heroes[0]
    hero_attack(fight, hero, ability(hero, "sword"), fight.enemies[0], stamina=False)
    reward(fight)
    assert fight.outcome == "win"
    assert (hero.counts.xp, hero.counts.kills, hero.counts.drops) == (1 + 3 + 5, 1, 1)


@pytest.mark.rule("P52-X5")
def test_a_gauntlet_deals_its_enemies_without_replacement() -> None:
    scenario = {
        "board": "hall",
        "heroes": [{"class": "fighter", "level": 9, "max_hp": 9000}],
        "level": 1,
        "encounters": [{"enemy_deck": {"spots": [[0, 0]] * 4}} for _ in range(3)],
        "switches": {"round_cap": 300, "flee_limit": 0},
    }
    prepared = prepare(scenario)
    for run in range(10):
        result = play(prepared, AddressedLuck(3, run))
        cards = [enemy.name for enemy in result.enemies]
        assert len(set(cards)) == len(cards) == 4 * result.encounters


def test_a_chase_without_end_is_a_stalemate() -> None:
    scenario = {
        "board": "S..\n.#.\n...",
        "heroes": [{"class": "fighter", "movement": 1, "abilities": {"sword": 1}}],
        "enemies": [foe("J clubs", 2, 2, movement=3, max_hp=1000, hp=1)],
        "switches": {"round_cap": 20, "drop_mode": "off"},
    }
    result = play(prepare(scenario), AddressedLuck(1, 0))
    assert (result.outcome, result.rounds, result.stalemate) == ("draw", 20, True)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_reference_scenario_ends_in_both_data_sets(name: str, preset: str) -> None:
    for data_set in CHOICES["data_set"]:
        scenario = dict(SCENARIOS[name])
        scenario["preset"] = preset
        scenario["switches"] = {**scenario.get("switches", {}), "data_set": data_set}
        prepared = prepare(scenario)
        for run in range(3):
            result = play(prepared, AddressedLuck(7, run))
            assert result.outcome in ("win", "loss", "draw")
            assert result.stalemate <= (result.outcome == "draw")


def test_random_scenarios_play_to_their_end_and_repeat_themselves() -> None:
    for seed in range(60):
        prepared = prepare(random_scenario(seed))
        first = play(prepared, AddressedLuck(seed, 1))
        again = play(prepare(random_scenario(seed)), AddressedLuck(seed, 1), trace=[])
        assert (first.outcome, first.rounds, first.xp) == (again.outcome, again.rounds, again.xp)
        assert [unit.hp for unit in first.heroes + first.enemies] == [unit.hp for unit in again.heroes + again.enemies]


def test_the_referee_also_plays_with_common_luck() -> None:
    result = play(prepare(SCENARIOS["great-room"]), PythonLuck(1))
    assert result.rounds > 0
