"""Enemy attacks, defences of heroes, targets and special enemies (sections 6 and 7)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import sim
from sim.core.luck import Luck
from sim.rulesets.p52.rules.boss_returns import comes_back
from sim.rulesets.p52.rules.counters import attack, strike
from sim.rulesets.p52.rules.damage import hurt_hero
from sim.rulesets.p52.rules.decisions import is_weak
from sim.rulesets.p52.rules.defence import Stand, damage_after, defend
from sim.rulesets.p52.rules.enemy_attacks import choose_target, reachable_heroes
from sim.rulesets.p52.rules.enemy_turns import decide, enemy_turn
from sim.rulesets.p52.state import State
from tests.rulesets.p52.fights import ONE, begin, flips, foe, hero, hold, stack, told

NONE = np.array([0])


def raw_of(card: str, level: int, distance: int = 0, attack: int = 0, **more: Any) -> list[int]:
    """Raw damage by flip 2 to 13, -1 for a miss, the King's part included."""
    _, s = begin([hero("fighter", level)], [foe(card, 0, 0)], board="lane", **more)
    table = s.facts.raw[attack, 0, distance, 2:].tolist()
    return [*table[:-1], int(s.facts.king[table[-1]]) if table[-1] >= 0 else -1]


@pytest.mark.rule("P52-C11", "P52-C12")
def test_w2_to_w6_hits_and_raw_damage_of_enemies() -> None:
    assert [raw for raw in raw_of("J clubs", 1) if raw >= 0] == [3, 4, 5, 12]
    assert sum(raw >= 0 for raw in raw_of("J clubs", 1, enemy_hit="meet")) == 5
    assert sum(raw >= 0 for raw in raw_of("J clubs", 7)) == 11
    assert Fraction(sum(raw for raw in raw_of("J clubs", 1, enemy_king="extra") if raw > 0), 13) == Fraction(20, 13)
    assert not [raw for raw in raw_of("J spades", 1, 6, 1) if raw >= 0]
    assert [raw for raw in raw_of("J spades", 1, 2, 1) if raw >= 0] == [2, 3, 8]
    assert not [raw for raw in raw_of("K spades", 1, 4, 1) if raw >= 0]
    assert [raw for raw in raw_of("K spades", 1, 4, 1, enemy_hit="meet") if raw >= 0] == [4]
    kings = raw_of("K hearts", 19)
    assert (min(kings), kings[5], kings[-1]) == (kings[0], 76, 164)


@pytest.mark.rule("P52-C10")
def test_an_enemy_ace_fails_and_the_hero_counters() -> None:
    _, s = begin([hero("fighter")], [foe("J clubs")], stamina_start=0)
    stack(s, 1, 13, 1, 5)

    strike(s, NONE, NONE, NONE, ONE)

    assert int(s.hp[0, 0]) == 35
    assert flips(s, "attacks") == 1


def taken(s: State, raw: int, name: str, magic: bool = False) -> list[int]:
    """Damage by flip when the hero defends with one ability."""
    table = s.facts.kits[0].defence
    result = table.outcome[table.names.index(name), 1:14].astype(np.int64)
    stand = Stand(result, np.zeros(13, dtype=bool), np.zeros(13, dtype=np.int64))
    armour = s.facts.kits[0].facts.magic_armour if magic else s.facts.kits[0].facts.armour
    return damage_after(stand, np.full(13, raw), armour).tolist()


@pytest.mark.rule("P52-C15", "P52-C16", "P52-Y3")
def test_w12_w13_mean_damage_of_defences() -> None:
    _, s = begin([hero("fighter")], [foe("J clubs")])

    assert sum(taken(s, 12, "body_block")) == 121
    assert sum(taken(s, 12, "parry")) == 144 == sum(taken(s, 12, "dodge"))
    assert int(s.facts.kits[0].defence.best[0, 0, 0, 12]) == s.facts.kits[0].defence.names.index("body_block")
    _, s = begin([hero("rogue")], [foe("J clubs")])
    assert taken(s, 12, "dodge") == [12] * 8 + [6] * 3 + [0] * 2


@pytest.mark.rule("P52-C17")
@pytest.mark.parametrize(("level", "penalty"), [(1, 3), (4, 3), (5, 2), (9, 2), (10, 1), (20, 1)])
def test_w14_untrained_defences(level: int, penalty: int) -> None:
    for way, more in (("scaled", penalty), ("flat3", 3)):
        _, s = begin([hero("fighter", level, abilities={"sword": 1})], [foe("J clubs")], untrained_defence=way)
        table = s.facts.kits[0].defence
        row = table.outcome[table.names.index("counter_spell")]
        assert int(np.argmax(row >= 0)) == 8 - 1 + more


@pytest.mark.rule("P52-C13")
def test_w15_armour_takes_its_share_after_the_defence() -> None:
    gear = ["leather_cap", "leather_jacket", "leather_bracers", "leather_greaves"]
    _, s = begin([hero("fighter", 1, gear=gear, balance=3)], [foe("J clubs")])

    assert taken(s, 12, "dodge")[0] == 8
    assert taken(s, 12, "body_block")[-1] == 3
    assert 2 in taken(s, 12, "dodge")


@pytest.mark.rule("P52-C20", "P52-C21")
@pytest.mark.parametrize(("damage", "hp"), [(5, 0), (6, -1), (4, 1)])
def test_w16_stun_and_death(damage: int, hp: int) -> None:
    _, s = begin([hero("fighter", hp=5), hero("rogue")], [foe("J clubs")])
    s.last[0] = 0

    hurt_hero(s, 0, ONE, np.array([damage]))

    assert int(s.hp[0, 0]) == hp
    assert (int(s.tally["stuns"][0]), int(s.tally["deaths"][0])) == (int(hp == 0), int(hp < 0))
    assert int(s.last[0, 0]) == (-1 if hp < 0 else 0)


@pytest.mark.rule("P52-C18")
def test_a_parry_by_three_grants_a_counter_attack() -> None:
    _, s = begin(
        [hero("fighter", abilities={"parry": 1, "sword": 1})],
        [foe("J clubs", melee={"damage": "1"})],
        ban=["body_block", "dodge"],
        stamina_start=0,
    )
    stack(s, 12, 12, 13, 1, 5)

    strike(s, NONE, NONE, NONE, ONE)

    assert flips(s, "attacks") == 1


@pytest.mark.rule("P52-C19")
@pytest.mark.parametrize(("switch", "aim"), [("one", 1), ("all", 0)])
def test_a_hit_costs_aim_and_an_attempt_all_of_it(switch: str, aim: int) -> None:
    every = ["body_block", "parry", "dodge", "shield_block", "counter_spell"]
    _, s = begin([hero("fighter")], [foe("J clubs")], ban=every, aim_loss_on_hit=switch)
    s.aim[0] = 2
    defend(s, 0, np.array([5]), np.array([False]), ONE)
    assert int(s.aim[0, 0]) == aim

    _, s = begin([hero("fighter")], [foe("J clubs")], aim_loss_on_hit=switch)
    s.aim[0] = 2
    defend(s, 0, np.array([5]), np.array([False]), ONE)
    assert int(s.aim[0, 0]) == 0


def lane_of_three(preset: str, *present: int, kings: int = 1) -> State:
    """P52-W33: K clubs at x = 2; A at 2 (20 hp), B at 1 (5), C at 3 (9)."""
    spots, hits = ((2, 0), (1, 0), (3, 0)), (20, 5, 9)
    heroes = [hero("fighter", at=spots[i], hp=hits[i], max_hp=20, lift=4) for i in present]
    _, s = begin(heroes, [foe("K clubs", 2, 0)] * kings, board=".....", preset=preset)
    return s


def chosen(s: State, enemy: int = 0) -> int:
    rows = reachable_heroes(s, enemy, enemy, ONE)
    return int(choose_target(s, enemy, s.facts.types[enemy], rows, ONE)[0])


@pytest.mark.rule("P52-E4", "P52-E6", "P52-E7", "P52-I33")
def test_w33_target_choice() -> None:
    new, old = (lane_of_three(preset, 0, 1, 2, kings=4) for preset in ("p52-1.4", "p52-draft"))
    assert (chosen(new), chosen(old)) == (0, 1)
    new.last[0] = old.last[0] = 2
    assert (chosen(new), chosen(old)) == (2, 1)
    assert chosen(lane_of_three("p52-1.4", 1, 2)) == 0 == chosen(lane_of_three("p52-draft", 1, 2))
    order = []
    for enemy in range(4):
        order.append(chosen(old, enemy))
        old.received[order[-1]] += 1
    assert order == [1, 0, 2, 1]

    pair = [hero("fighter", at=(1, 0), hp=9, max_hp=30, lift=4), hero("fighter", at=(3, 0), hp=9, max_hp=40, lift=6)]
    for preset, target in (("p52-1.4", 0), ("p52-draft", 1)):
        _, s = begin(pair, [foe("K clubs", 2, 0)], board=".....", preset=preset)
        assert chosen(s) == target


@pytest.mark.rule("P52-E8b")
@pytest.mark.parametrize(("way", "healed"), [("heal", 1), ("skip", 0)])
def test_an_idle_enemy(way: str, healed: int) -> None:
    _, s = begin([hero("fighter", at=(0, 0))], [foe("J hearts", 8, 0, hp=5)], board=".........", idle_enemy=way)

    enemy_turn(s, 0, ONE)

    assert int(s.foe_hp[0, 0]) == 5 + healed


@pytest.mark.rule("P52-E12", "P52-T3")
@pytest.mark.parametrize(("switch", "hp"), [("off", 5), ("on", 6)])
def test_a_frozen_enemy_loses_its_turn(switch: str, hp: int) -> None:
    freezer = hero("wizard", abilities={"ice_storm": 1})
    _, s = begin([freezer], [foe("J clubs", hp=5)], frozen_recovers=switch)
    s.frozen[0] = 2

    enemy_turn(s, 0, ONE)

    assert (int(s.frozen[0, 0]), int(s.foe_hp[0, 0]), flips(s, "enemy_attacks")) == (1, hp, 0)


@pytest.mark.rule("P52-E12a", "P52-E12b")
def test_the_ranged_attack_goes_first_and_movement_0_stays() -> None:
    _, s = begin([hero("fighter", at=(2, 0))], [foe("J hearts", 0, 0)], board="lane")
    enemy_turn(s, 0, ONE)
    assert told(s, "strikes", "misses", weapon="the bow")

    _, s = begin([hero("fighter", at=(6, 0))], [foe("J hearts", 0, 0, hp=1)], board=".........")
    enemy_turn(s, 0, ONE)
    assert int(s.foe_spot[0, 0]) == 0
    assert int(s.foe_hp[0, 0]) == 2


@pytest.mark.rule("P52-E12c")
def test_the_jack_of_diamonds_attacks_again_and_keeps_away() -> None:
    _, s = begin(
        [hero("fighter", at=(0, 0))], [foe("J diamonds", 2, 0)], board="lane", stamina_start=0, counter_depth=0
    )
    stack(s, 2, 2)
    enemy_turn(s, 0, ONE)
    assert flips(s, "enemy_attacks") == 2

    _, s = begin([hero("fighter", at=(0, 0))], [foe("J diamonds", 1, 0)], board="lane")
    enemy_turn(s, 0, ONE)
    assert int(s.foe_spot[0, 0]) == 2


@pytest.mark.rule("P52-E12d")
@pytest.mark.parametrize(("way", "spot"), [("as_listed", 0), ("retreat_all", 2)])
def test_the_queen_of_hearts_too_close(way: str, spot: int) -> None:
    _, s = begin([hero("fighter", at=(0, 0))], [foe("Q hearts", 1, 0)], board="lane", ranged_only_close=way)

    enemy_turn(s, 0, ONE)

    assert int(s.foe_spot[0, 0]) == spot


@pytest.mark.rule("P52-E12e", "P52-E12f")
def test_ice_magic_freezes_and_water_magic_pushes() -> None:
    every = ["dodge", "counter_spell"]
    _, s = begin([hero("fighter", at=(2, 0))], [foe("Q hearts", 0, 0)], board="lane", stamina_start=0, ban=every)
    stack(s, 12)
    enemy_turn(s, 0, ONE)
    assert int(s.lost[0, 0]) == 1

    _, s = begin([hero("fighter", at=(2, 0))], [foe("Q diamonds", 0, 0)], board="lane", stamina_start=0, ban=every)
    stack(s, 12)
    enemy_turn(s, 0, ONE)
    assert int(s.spot[0, 0]) == 3


@pytest.mark.rule("P52-E12g")
def test_the_bow_of_a_king_must_be_made_ready() -> None:
    _, s = begin(
        [hero("fighter", at=(2, 0))], [foe("K diamonds", 0, 0)], board="lane", stamina_start=0, counter_depth=0
    )
    stack(s, 2)
    enemy_turn(s, 0, ONE)
    assert not s.loaded[0, 0]

    enemy_turn(s, 0, ONE)

    assert flips(s, "enemy_attacks") == 1
    assert s.loaded[0, 0]
    assert int(s.foe_spot[0, 0]) == 2


@pytest.mark.rule("P52-E14")
def test_the_apprentice_never_flees() -> None:
    _, s = begin([hero("fighter", at=(2, 0))], [foe("apprentice", 0, 0, hp=1)], board="lane")

    decide(s, 0, s.facts.types[0], 0, ONE)

    assert flips(s, "enemy_attacks") == 1


@pytest.mark.rule("P52-E15", "P52-I40")
def test_the_cave_beast_comes_to_distant_heroes_hidden_or_not() -> None:
    _, s = begin(
        [hero("fighter", at=(0, 0)), hero("rogue", at=(1, 0))],
        [foe("calico", 8, 0)],
        board="H........",
        stamina_start=0,
    )
    s.tell.events.clear()  # type: ignore[union-attr]
    s.foe_spot[0] = 8
    stack(s, 2, 2)

    decide(s, 0, s.facts.types[0], 0, ONE)

    assert len(told(s, "strikes", "misses", weapon="a cave beast")) == 2
    assert int(s.foe_spot[0, 0]) == 6


@pytest.mark.rule("P52-E16")
def test_a_weak_calico_flees_and_heals_a_flip_in_one_turn() -> None:
    _, s = begin([hero("fighter", at=(0, 0))], [foe("calico", 3, 0, hp=2)], board=".........", stamina_start=0)
    s.foe_spot[0], s.foe_hp[0] = 3, 2
    stack(s, 7)

    decide(s, 0, s.facts.types[0], 0, ONE)

    assert (int(s.foe_spot[0, 0]), int(s.foe_hp[0, 0])) == (5, 9)


@pytest.mark.rule("P52-E17")
def test_w29_calico_may_return() -> None:
    back = {}
    for value in range(1, 14):
        _, s = begin([hero("fighter", 2)], [foe("calico")], stamina_start=0)
        stack(s, value)
        back[value] = int(s.foe_hp[0, 0]) if comes_back(s, 0, ONE)[0] else 0

    assert back == {1: 12, **dict.fromkeys(range(2, 6), 6), **dict.fromkeys(range(6, 14), 0)}


@pytest.mark.rule("P52-E18")
def test_calico_suffers_more_from_ice_and_water() -> None:
    _, s = begin([hero("cleric", 1, abilities={"tidal_wave": 1})], [foe("calico", hp=25)], stamina_start=0)
    wave = next(way for way in s.facts.kits[0].attacks if way.name == "tidal_wave")
    stack(s, 12, 1)

    lost = attack(s, 0, wave, NONE, ONE, None)

    assert int(lost[0]) == (2 + 12 - 8) * 3 // 2 + 2


@pytest.mark.rule("P52-E19")
def test_the_warlock_heals_when_weak_and_may_rise() -> None:
    _, s = begin([hero("fighter")], [foe("warlock", hp=1)], data_set="mountain", stamina_start=0)
    stack(s, 9, 6)
    decide(s, 0, s.facts.types[0], 0, ONE)
    assert int(s.foe_hp[0, 0]) == 10

    assert comes_back(s, 0, ONE)[0]
    assert int(s.foe_hp[0, 0]) == 6


@pytest.mark.rule("P52-Y4")
def test_smart_defence_plays_a_card_when_much_is_at_stake() -> None:
    for raw, cards in ((17, 1), (18, 0)):
        _, s = begin([hero("fighter", hp=35)], [foe("J clubs")], policy="focus_fire", stamina_start=0)
        hold(s, 0, 5)
        defend(s, 0, np.array([raw]), np.array([False]), ONE)
        assert int(s.cards[0, 0]) == cards


@pytest.mark.rule("P52-E1")
@pytest.mark.parametrize(("hp", "weak"), [(9_999, False), (2_500, False), (2_499, True), (1, True)])
def test_a_quarter_of_very_many_hit_points_is_reckoned_without_overflow(hp: int, weak: bool) -> None:
    fight = sim.load("p52/duel", set={"enemies.0.max_hp": 9_999, "enemies.0.hp": 9_999})
    s = fight.encounter().start(Luck.of(1, np.arange(3)), None)
    s.foe_hp[0] = hp

    assert is_weak(s, 0, s.everyone, 9_999).tolist() == [weak] * 3
