"""The worked examples and check values of P52, shown by its scalar referee."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from .luck import AddressedLuck
from .p52 import SCENARIOS, actions, play, prepare
from .p52.attacks import enemy_attack, hero_attack, hit_hero, usable_strike
from .p52.board import Board
from .p52.build import HeroSheet, build_hero
from .p52.data import PRESETS
from .p52.enemies import choose_target, enemy_turn, flee_spots
from .p52.expect import best_defence, expected, worth
from .p52.harm import hurt_enemy, hurt_hero, settle
from .p52.play import leave_space, rest, start_flip
from .p52.policies import strike, support_hits
from .p52.prepare import all_switches, average_level
from .p52.scenarios import exact_duel
from .p52.state import Deck, Fight, Hero
from .p52_table import ALL_DEFENCES, CARDS, ability, defence, foe, table


def standard(role: str, level: int, **switches: Any) -> HeroSheet:
    return build_hero({"class": role, "level": level}, {}, all_switches({"switches": switches}), "hero")


def undefended_blow(value: int, enemy: dict[str, Any], r: int = 0, level: int = 1, **switches: Any) -> Fight:
    """One enemy attack with this flip on a hero who cannot defend or counter, r spots away on a lane."""
    hero = {"class": "fighter", "spot": [r, 0], "max_hp": 10_000, "armour": 0, "magic_armour": 0}
    fight = table([value], [hero], [enemy], "." * 11, level, ban=ALL_DEFENCES, counter_depth=0, **switches)
    strike_at = usable_strike(fight, fight.enemies[0], fight.heroes[0])
    assert strike_at is not None
    enemy_attack(fight, fight.enemies[0], strike_at, fight.heroes[0])
    return fight


def blows(enemy: dict[str, Any], r: int = 0, level: int = 1, **switches: Any) -> tuple[list[int], list[int]]:
    """The cards that hit, and the damage of each of the 13 cards."""
    fights = [undefended_blow(value, enemy, r, level, **switches) for value in CARDS]
    hits = [value for value, fight in zip(CARDS, fights, strict=True) if fight.enemies[0].counts.hits]
    return hits, [fight.heroes[0].counts.damage_taken for fight in fights]


# ---------------------------------------------------------------------------------------------------------------------
# Enemy attacks
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P52-W1", "P52-U5", "P52-C9")
def test_the_average_level_is_rounded_down_and_gives_one_per_five_levels() -> None:
    assert average_level([3, 5, 6]) == 4
    bonus = [level // all_switches({})["enemy_level_bonus"] for level in (4, 5, 7, 14, 15, 19, 20)]
    assert bonus == [0, 1, 1, 2, 3, 3, 4]


@pytest.mark.rule("P52-W2")
def test_the_knife_of_j_clubs_hits_as_often_as_written() -> None:
    assert blows(foe("J clubs"))[0] == [10, 11, 12, 13]
    assert blows(foe("J clubs"), enemy_hit="meet")[0] == [9, 10, 11, 12, 13]
    assert blows(foe("J clubs"), level=7)[0] == list(range(3, 14))


@pytest.mark.rule("P52-W3")
def test_the_knife_of_j_clubs_does_the_written_damage() -> None:
    assert sum(blows(foe("J clubs"))[1]) == 24
    assert sum(blows(foe("J clubs"), enemy_king="extra")[1]) == 20


@pytest.mark.rule("P52-W4")
def test_j_spades_never_hits_at_the_end_of_its_range() -> None:
    assert blows(foe("J spades"), r=6)[0] == []
    hits, damage = blows(foe("J spades"), r=2)
    assert hits == [11, 12, 13]
    assert damage[10:] == [2, 3, 8]


@pytest.mark.rule("P52-W5")
def test_the_bow_of_k_spades_at_four_needs_the_meeting_rule() -> None:
    assert blows(foe("K spades"), r=4)[0] == []
    hits, damage = blows(foe("K spades"), r=4, enemy_hit="meet")
    assert hits == [13]
    assert damage[12] == 4


@pytest.mark.rule("P52-W6")
def test_k_hearts_at_nineteen_fails_on_an_ace_alone() -> None:
    hits, damage = blows(foe("K hearts"), level=19)
    assert hits == list(range(2, 14))
    assert damage[6] == 76
    assert damage[12] == 164


# ---------------------------------------------------------------------------------------------------------------------
# Hero attacks
# ---------------------------------------------------------------------------------------------------------------------

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


# ---------------------------------------------------------------------------------------------------------------------
# Defence, damage, weakness
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P52-W12", "P52-Y3")
def test_fighter_one_defends_best_with_body_block() -> None:
    hero = table().heroes[0]
    means = {name: worth(hero, defence(hero, name), 12, "melee", 0)[0] for name in ("body_block", "parry", "dodge")}
    chosen = best_defence(hero, 12, "melee", 0)
    assert means == {"body_block": 121, "parry": 144, "dodge": 144}
    assert chosen is not None
    assert chosen.name == "body_block"


@pytest.mark.rule("P52-W12")
def test_parry_grants_a_counter_attack_on_twelve_and_thirteen() -> None:
    others = [name for name in ALL_DEFENCES if name != "parry"]
    granted = []
    for value in CARDS:
        fight = table([value], ban=others)
        if hit_hero(fight, fight.heroes[0], 12, "melee", None)[2]:
            granted.append(value)
    assert granted == [12, 13]


@pytest.mark.rule("P52-W13")
def test_a_trained_dodge_halves_or_avoids() -> None:
    others = [name for name in ALL_DEFENCES if name != "dodge"]
    taken = []
    for value in CARDS:
        fight = table([value], [{"class": "rogue"}], ban=others)
        taken.append(hit_hero(fight, fight.heroes[0], 12, "melee", None)[0])
    assert taken == [12] * 8 + [6] * 3 + [0] * 2


@pytest.mark.rule("P52-W14", "P52-C17")
def test_the_untrained_penalty_shrinks_with_the_level() -> None:
    def penalty(level: int, **switches: Any) -> int:
        hero = table(heroes=[{"class": "fighter", "level": level, "abilities": {"sword": 1}}], **switches).heroes[0]
        return defence(hero, "dodge").target() - 9

    assert [penalty(level) for level in (1, 4, 5, 9, 10, 20)] == [3, 3, 2, 2, 1, 1]
    assert [penalty(level, untrained_defence="flat3") for level in (1, 10, 20)] == [3, 3, 3]
    hero = table(heroes=[{"class": "captain", "level": 12, "abilities": {"sword": 1}}]).heroes[0]
    assert defence(hero, "counter_spell").target() == 8


@pytest.mark.rule("P52-W15", "P52-C14")
def test_armour_comes_off_last() -> None:
    fighter = {"class": "fighter", "armour": 4, "max_hp": 100}
    undefended = table([], [fighter], ban=ALL_DEFENCES)
    dodged = table([12], [{**fighter, "abilities": {"dodge": 1}}], ban=["body_block", "parry"])
    blocked = table([7], [fighter], ban=["dodge", "parry"])
    assert hit_hero(undefended, undefended.heroes[0], 12, "melee", None)[0] == 8
    assert hit_hero(dodged, dodged.heroes[0], 12, "melee", None)[0] == 0
    assert hit_hero(blocked, blocked.heroes[0], 12, "melee", None)[0] == 3
    half = table([9], [{**fighter, "abilities": {"dodge": 1}}], ban=["body_block", "parry"])
    assert hit_hero(half, half.heroes[0], 12, "melee", None)[0] == 2


@pytest.mark.rule("P52-W16", "P52-C20", "P52-C21")
def test_zero_stuns_and_less_kills() -> None:
    def after(hp: int, damage: int) -> Hero:
        fight = table(heroes=[{"class": "fighter", "hp": hp}, {"class": "fighter"}])
        hurt_hero(fight, fight.heroes[0], damage)
        return fight.heroes[0]

    assert after(5, 5).stunned
    assert not after(5, 6).alive
    assert after(5, 4).hp == 1
    assert after(0, 0).stunned
    assert not after(0, 1).alive


@pytest.mark.rule("P52-W17", "P52-E1")
@pytest.mark.parametrize(("max_hp", "weak"), [(8, [1]), (9, [1, 2]), (12, [1, 2]), (60, list(range(1, 15)))])
def test_weak_is_less_than_a_quarter(max_hp: int, weak: list[int]) -> None:
    enemy = table(enemies=[foe("J clubs", max_hp=max_hp)]).enemies[0]
    found = []
    for hp in range(1, max_hp + 1):
        enemy.hp = hp
        if enemy.weak:
            found.append(hp)
    assert found == weak


@pytest.mark.rule("P52-W18", "P52-H3")
def test_a_passing_attack_is_harder_and_a_king_stops_the_hero() -> None:
    hits = stops = 0
    for value in CARDS:
        hero = {"class": "rogue", "max_hp": 100, "movement": 2, "policy": "random_legal"}
        fight = table([value], [hero], [foe("J clubs", 1)], "S..", ban=ALL_DEFENCES, counter_depth=0)
        walker = fight.heroes[0]
        actions.move(fight, walker, 2, actions.walks_of(fight, walker, through=True))
        hits += fight.enemies[0].counts.hits
        stops += walker.spot == 1
    assert (hits, stops) == (3, 1)


@pytest.mark.rule("P52-W19", "P52-U13")
@pytest.mark.parametrize(("balance", "move", "harmed"), [(2, 2, 8), (5, 5, 2), (6, 6, 0), (11, 4, 0)])
def test_a_trap_harms_the_clumsy(balance: int, move: int, harmed: int) -> None:
    damage = 0
    for value in CARDS:
        fight = table([value], [{"class": "fighter", "balance": balance, "move": move}], board="ST")
        actions.move(fight, fight.heroes[0], 1, actions.walks_of(fight, fight.heroes[0]))
        damage += fight.heroes[0].counts.damage_taken
    assert damage == 2 * harmed


@pytest.mark.rule("P52-W20", "P52-X5")
def test_leaving_a_space_rests_by_the_flip() -> None:
    hero = table(heroes=[{"class": "fighter", "hp": 10}]).heroes[0]
    rest(hero, 9)
    assert hero.hp == 21
    for preset, hp in zip(PRESETS, (21, 10), strict=True):
        fight = table([9], [{"class": "fighter", "hp": 10}], preset=preset)
        leave_space(fight)
        assert fight.heroes[0].hp == hp
        assert len(fight.heroes[0].stamina) == 1


@pytest.mark.rule("P52-W21", "P52-R3", "P52-S4")
@pytest.mark.parametrize(("heroes", "flips"), [(4, 19), (1, 34)])
def test_the_deck_is_reshuffled_at_a_quarter(heroes: int, flips: int) -> None:
    prepared = prepare({**SCENARIOS["duel"], "heroes": [{"class": "fighter"}] * heroes})
    deck = Deck(AddressedLuck(1, 0), prepared.switches)
    for kit in prepared.kits:
        hero = Hero(0, kit)
        for _ in range(5):
            deck.give(hero)
    for _ in range(flips):
        deck.flip()
    assert deck.shuffles == 0
    deck.flip()
    assert deck.shuffles == 1
    assert len(deck.draw) + len(deck.discard) == 52 - 5 * heroes


# ---------------------------------------------------------------------------------------------------------------------
# Abilities
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P52-W22", "P52-C5", "P52-C6")
def test_fire_ball_spreads() -> None:
    def burnt(flips: list[int]) -> list[int]:
        enemies = [foe("K hearts", 2, magic_defence=0), foe("K hearts", 2, magic_defence=0), foe("K hearts", 3)]
        wizard = {"class": "wizard", "abilities": {"fire_ball": 1}, "gear": []}
        fight = table(flips, [wizard], enemies, "S....", level=10)
        hero = fight.heroes[0]
        hero_attack(fight, hero, ability(hero, "fire_ball"), fight.enemies[0], stamina=False)
        return [enemy.counts.damage_taken for enemy in fight.enemies]

    assert burnt([12, 1, 1, 1]) == [4, 2, 1]
    assert burnt([13, 1, 1, 1]) == [10, 5, 2]
    assert burnt([13, 13, 1, 1]) == [2, 5, 2]


@pytest.mark.rule("P52-W23")
def test_power_thrust_strikes_all_on_the_spot() -> None:
    enemies = [foe("K hearts", max_hp=500), foe("K hearts", max_hp=500)]
    fight = table([9, 1, 1], [{"class": "fighter", "level": 7}], enemies, level=7)
    hero = fight.heroes[0]
    hero_attack(fight, hero, ability(hero, "power_thrust"), fight.enemies[0], stamina=False)
    assert [enemy.counts.damage_taken for enemy in fight.enemies] == [13, 13]


@pytest.mark.rule("P52-W24", "P52-I35")
@pytest.mark.parametrize(("flips", "taken", "suffered"), [([12, 1, 1, 1], 2, 0), ([1, 5], 0, 5)])
def test_charge_runs_into_all_of_them(flips: list[int], taken: int, suffered: int) -> None:
    enemies = [foe("K hearts", 2, max_hp=100) for _ in range(3)]
    fight = table(flips, [{"class": "fighter", "abilities": {"charge": 1}}], enemies, "S..")
    hero = fight.heroes[0]
    charge = hero.kit.charge
    assert charge is not None
    assert actions.charge_to(fight, hero, fight.enemies[0])
    hero_attack(fight, hero, charge, fight.enemies[0], stamina=False)
    assert [enemy.counts.damage_taken for enemy in fight.enemies] == [taken] * 3
    assert hero.counts.damage_taken == suffered
    assert hero.spot == fight.enemies[0].spot


@pytest.mark.rule("P52-W25", "P52-I36")
@pytest.mark.parametrize(("hp", "attacks", "left"), [(10, 2, -1), (11, 1, 6)])
def test_double_tap_follows_only_on_a_weak_enemy(hp: int, attacks: int, left: int) -> None:
    hero = {"class": "fighter", "abilities": {"sword": 1, "double_tap": 1}, "gear": ["light_sword"]}
    enemy = foe("K hearts", max_hp=24, hp=hp, melee_defence=0)
    fight = table([9, 1, 11, 1, 5], [hero], [enemy])
    strike(fight, fight.heroes[0], ability(fight.heroes[0], "sword"), fight.enemies[0])
    assert fight.heroes[0].counts.attacks == attacks
    assert fight.enemies[0].hp == left  # 5 damage first, then 6 by the Double Tap


@pytest.mark.rule("P52-W26", "P52-H8")
def test_heal_and_healing_glow() -> None:
    def healed(flip: int, spell: str, gear: list[str]) -> list[int]:
        cleric = {"class": "cleric", "hp": 1, "abilities": {"heal": 1, "healing_glow": 1}, "gear": gear}
        fight = table([flip], [cleric, {"class": "fighter", "hp": 1}])
        if spell == "heal":
            actions.heal(fight, fight.heroes[0], fight.heroes[0])
        else:
            actions.healing_glow(fight, fight.heroes[0])
        return [hero.hp - 1 for hero in fight.heroes]

    assert healed(9, "heal", []) == [5, 0]
    assert healed(9, "heal", ["magic_wand"]) == [6, 0]
    assert healed(10, "healing_glow", []) == [2, 2]


@pytest.mark.rule("P52-W27")
def test_threaten_works_as_often_as_written() -> None:
    fight = table(heroes=[{"class": "captain"}])
    target = fight.heroes[0].kit.support_target("threaten", 0, 1)
    pairs = sum(a + b >= target for a, b in product(CARDS, CARDS))
    values = [card % 13 + 1 for card in range(52)]
    two_cards = sum(values[a] + values[b] >= target for a, b in product(range(52), range(52)) if a != b)
    assert target == 10
    assert support_hits(fight, target) == 4
    assert Fraction(pairs, 169) == Fraction(133, 169)
    assert Fraction(two_cards, 52 * 51) == Fraction(523, 663)


@pytest.mark.rule("P52-W28", "P52-I39")
def test_a_tidal_wave_against_the_wall_hurts_more() -> None:
    wizard = {"class": "wizard", "level": 3, "abilities": {"tidal_wave": 1}, "gear": []}
    fight = table([8, 1], [wizard], [foe("K hearts", max_hp=100, magic_defence=0)])
    hero = fight.heroes[0]
    dealt = hero_attack(fight, hero, ability(hero, "tidal_wave"), fight.enemies[0], stamina=False)
    assert dealt == 2 + 6


@pytest.mark.rule("P52-W29", "P52-E17")
def test_calico_comes_back_on_low_cards() -> None:
    ends = []
    for value in CARDS:
        fight = table([value], enemies=[foe("calico", max_hp=80)], board="S....")
        enemy = fight.enemies[0]
        hurt_enemy(fight, enemy, 80, fight.heroes[0], "sword")
        settle(fight, enemy, fight.heroes[0])
        ends.append("gone" if enemy.gone else enemy.hp)
    assert ends == [20] + [10] * 4 + ["gone"] * 8


@pytest.mark.rule("P52-W30", "P52-D2", "P52-D3", "P52-D4")
def test_the_standard_fighter_of_level_seven() -> None:
    hero = standard("fighter", 7)
    assert [hero.lift, hero.think, hero.balance, hero.move, hero.lead] == [15, 10, 3, 5, 4]
    assert (hero.max_hp, hero.movement, hero.initiative, hero.armour, hero.left_over) == (153, 2, 13, 4, 27)
    assert hero.abilities == {
        "sword": 4, "body_block": 4, "power_thrust": 3, "parry": 1, "shield_block": 1, "charge": 1,
    }  # fmt: skip


@pytest.mark.rule("P52-W31", "P52-S5", "P52-S6")
def test_order_of_play_and_the_free_pass_of_an_ace() -> None:
    heroes = [{"class": "fighter"}, {"class": "rogue"}, {"class": "captain"}]
    trace: list[str] = []
    fight = table([1, *[2] * 40], heroes, [foe("J clubs"), foe("K clubs")])
    assert [unit.sheet.name for unit in fight.order] == ["captain", "K clubs", "J clubs", "fighter", "rogue"]
    fight.trace = trace
    start_flip(fight)
    assert [line.split()[1:3] for line in trace if " on " in line] == [["enemy", "1"], ["enemy", "0"]]


# ---------------------------------------------------------------------------------------------------------------------
# Boards
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P52-W32", "P52-U8", "P52-U9", "P52-U10")
@pytest.mark.parametrize(
    ("text", "a", "b", "clear", "r", "steps"),
    [
        (".....\n.###.\n.....", (0, 0), (4, 0), True, 4, 4),
        (".....\n.###.\n.....", (0, 0), (2, 2), False, 4, 4),
        (".....\n.###.\n.....", (3, 0), (4, 1), True, 2, 2),
        (".....\n.###.\n.....", (2, 0), (4, 1), False, 3, 3),
        (".....\n.###.\n.....", (0, 1), (4, 1), False, 4, 6),
        ("#...#\n..#..\n#...#", (2, 2), (4, 1), True, 3, 3),
        ("#...#\n..#..\n#...#", (2, 2), (3, 0), False, 3, 3),
        ("..#\n.#.\n...", (1, 0), (2, 1), False, 2, 6),
    ],
)
def test_line_of_sight(
    text: str, a: tuple[int, int], b: tuple[int, int], clear: bool, r: int, steps: int
) -> None:
    board = Board(text, None, None)
    one, other = board.number[a], board.number[b]
    assert board.sight[one][other] is board.sight[other][one] is clear
    assert board.range[one][other] == r
    assert board.steps[one][other] == steps


def pikes(preset: str, places: dict[str, int], hp: dict[str, int], count: int = 1) -> Fight:
    heroes = [{"class": "fighter", "name": name, "spot": [x, 0], "max_hp": 20, "hp": hp[name]}
              for name, x in places.items()]  # fmt: skip
    return table([], heroes, [foe("K clubs", 2)] * count, ".....", preset=preset)


@pytest.mark.rule("P52-W33", "P52-E6", "P52-E7")
@pytest.mark.parametrize(("preset", "after_c", "order"), [("p52-1.4", "C", "AAAA"), ("p52-draft", "B", "BACB")])
def test_whom_the_pikes_attack(preset: str, after_c: str, order: str) -> None:
    places, hp = {"A": 2, "B": 1, "C": 3}, {"A": 20, "B": 5, "C": 9}
    fight = pikes(preset, places, hp)
    fight.enemies[0].last_attacker = fight.heroes[2]
    assert named(choose_target(fight, fight.enemies[0])) == after_c
    fight = pikes(preset, places, hp, 4)
    chosen = []
    for enemy in fight.enemies:
        target = choose_target(fight, enemy)
        assert target is not None
        target.k += 1
        chosen.append(target.sheet.name)
    assert "".join(chosen) == order
    fight = pikes(preset, {"B": 1, "C": 3}, hp)
    assert named(choose_target(fight, fight.enemies[0])) == "B"


def named(hero: Hero | None) -> str:
    assert hero is not None
    return hero.sheet.name


@pytest.mark.rule("P52-W33")
@pytest.mark.parametrize(("preset", "lift"), [("p52-1.4", 4), ("p52-draft", 6)])
def test_ties_go_to_the_weaker_arm_or_the_larger_frame(preset: str, lift: int) -> None:
    heroes = [{"class": "fighter", "spot": [1, 0], "max_hp": 30, "hp": 9, "lift": 4},
              {"class": "fighter", "spot": [3, 0], "max_hp": 40, "hp": 9, "lift": 6}]  # fmt: skip
    fight = table([], heroes, [foe("K clubs", 2)], ".....", preset=preset)
    target = choose_target(fight, fight.enemies[0])
    assert target is not None
    assert target.sheet.lift == lift


@pytest.mark.rule("P52-W34", "P52-E2", "P52-E3", "P52-E9")
@pytest.mark.parametrize(
    ("text", "enemy", "movement", "heroes", "spots"),
    [
        (".......", (3, 0), 1, [(1, 0), (6, 0)], []),
        (".......", (3, 0), 1, [(1, 0), (0, 0)], [(4, 0)]),
        ("....\n.##.\n....", (1, 0), 2, [(0, 0), (3, 2)], []),
        ("....\n.##.\n....", (1, 0), 2, [(0, 0), (0, 2)], [(3, 0)]),
        (".....\n##.##\n##.##", (2, 0), 2, [(2, 2)], [(0, 0), (4, 0)]),
        (".....\n##.##\n##.##", (2, 0), 2, [(2, 2), (0, 0)], [(4, 0)]),
    ],
)
def test_where_a_weak_enemy_flees(
    text: str, enemy: tuple[int, int], movement: int, heroes: list[tuple[int, int]], spots: list[tuple[int, int]]
) -> None:
    party = [{"class": "fighter", "spot": list(spot)} for spot in heroes]
    fight = table([], party, [foe("J clubs", *enemy, max_hp=20, hp=2, movement=movement)], text,
                  party_choice="best_for_party")  # fmt: skip
    runner = fight.enemies[0]
    assert [fight.board.spots[spot] for spot in flee_spots(fight, runner, None)] == spots
    enemy_turn(fight, runner)
    assert fight.board.spots[runner.spot] == (spots[0] if spots else enemy)
    assert runner.hp == (2 if spots else 3)


@pytest.mark.rule("P52-W35", "P52-E10", "P52-U12")
@pytest.mark.parametrize(
    ("start", "movement", "path"),
    [
        ((1, 0), 2, [(2, 0)]),
        ((1, 0), 3, [(3, 0)]),
        ((1, 0), 1, [(1, 0), (2, 0), (3, 0), (4, 0)]),
        ((0, 0), 2, [(1, 0)]),
    ],
)
def test_how_an_enemy_advances(start: tuple[int, int], movement: int, path: list[tuple[int, int]]) -> None:
    fight = table([], [{"class": "fighter", "spot": [4, 0]}], [foe("J clubs", *start, movement=movement)],
                  "..O..\n.###.\n.....")  # fmt: skip
    walked = []
    for _ in path:
        enemy_turn(fight, fight.enemies[0])
        walked.append(fight.board.spots[fight.enemies[0].spot])
    assert walked == path


@pytest.mark.rule("P52-W35")
def test_a_hero_in_the_way_stops_an_enemy() -> None:
    heroes = [{"class": "fighter", "spot": [5, 0]}, {"class": "fighter", "spot": [2, 0]}]
    fight = table([], heroes, [foe("J clubs", movement=3)], ".......")
    fight.enemies[0].last_attacker = fight.heroes[0]
    enemy_turn(fight, fight.enemies[0])
    assert fight.enemies[0].spot == 2


# ---------------------------------------------------------------------------------------------------------------------
# Exact duels
# ---------------------------------------------------------------------------------------------------------------------

DUELS = [
    ("fighter", 1, "J clubs", {}, "p52-1.4", 0.993633, 4.54711),
    ("fighter", 1, "J clubs", {}, "p52-draft", 0.999317, 4.55455),
    ("fighter", 1, "K hearts", {}, "p52-1.4", 0.973118, 5.74430),
    ("fighter", 1, "K hearts", {}, "p52-draft", 0.994903, 5.80161),
    ("fighter", 4, "K hearts", {}, "p52-1.4", 0.833399, 8.84677),
    ("fighter", 4, "K hearts", {}, "p52-draft", 0.908007, 9.23908),
    ("captain", 1, "K hearts", {}, "p52-1.4", 0.673535, 5.96002),
    ("captain", 1, "K hearts", {}, "p52-draft", 0.771131, 6.53418),
    ("fighter", 4, "K hearts", {"cornered_enemy": "fight"}, "p52-1.4", 0.766496, None),
    ("fighter", 4, "K hearts", {"enemy_hit": "meet"}, "p52-1.4", 0.817019, None),
    ("fighter", 4, "K hearts", {"counter_depth": 0}, "p52-1.4", 0.847631, None),
    ("fighter", 4, "K hearts", {"counter_depth": 1}, "p52-1.4", 0.833151, None),
]


@pytest.mark.rule("P52-W36")
@pytest.mark.parametrize(("role", "level", "card", "switches", "preset", "win", "rounds"), DUELS)
def test_duels_come_out_as_computed(
    role: str, level: int, card: str, switches: dict[str, Any], preset: str, win: float, rounds: float | None
) -> None:
    prepared = prepare(exact_duel(role, level, card, preset=preset, switches=switches))
    runs = 2_000
    results = [play(prepared, AddressedLuck(52, run)) for run in range(runs)]

    wins = sum(result.outcome == "win" for result in results) / runs
    assert abs(wins - win) < 4 * math.sqrt(win * (1 - win) / runs)
    if rounds is not None:
        mean = sum(result.rounds for result in results) / runs
        spread = sum((result.rounds - mean) ** 2 for result in results) / runs
        assert abs(mean - rounds) < 4 * math.sqrt(spread / runs)


# ---------------------------------------------------------------------------------------------------------------------
# Check values of 11.3
# ---------------------------------------------------------------------------------------------------------------------

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
