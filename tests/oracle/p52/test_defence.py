"""Defence, damage and weakness: the worked examples, shown by the scalar referee."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.luck import AddressedLuck
from tests.oracle.p52 import SCENARIOS, actions, prepare
from tests.oracle.p52.attacks import hit_hero
from tests.oracle.p52.data import PRESETS
from tests.oracle.p52.expect import best_defence, worth
from tests.oracle.p52.harm import hurt_hero
from tests.oracle.p52.play import leave_space, rest
from tests.oracle.p52.state import Deck, Hero
from tests.oracle.p52_table import ALL_DEFENCES, CARDS, defence, foe, table


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
