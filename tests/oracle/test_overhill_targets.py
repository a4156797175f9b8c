"""The referee's formation and targets against the worked examples W33 to W44."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.overhill import damage, data, enemy_turns, hero_attacks, hero_moves, policies, state
from tests.oracle.overhill_courses import F, M, P, R, Scripted, W, every_course, fight_of


@pytest.mark.rule("OU-P2")
def test_w33_rear_capacity() -> None:
    capacities = {
        room: [hero_moves.rear_capacity(front, data.ROOMS[room]) for front in range(7)] for room in data.ROOMS
    }

    assert capacities["standard"] == [0, 0, 1, 1, 2, 2, 3]
    assert capacities["narrow"] == [0, 1, 2, 3, 4, 5, 6]
    assert capacities["wide"] == [0, 0, 0, 1, 1, 1, 2]
    assert capacities["open"] == [0] * 7


@pytest.mark.rule("OU-P2", "OU-S6")
def test_w34_the_largest_legal_rear() -> None:
    rears = [hero_moves.rear_count(fight_of([M] * heroes, [("gobbo", 1)])) for heroes in range(1, 8)]

    assert rears == [0, 0, 1, 1, 1, 2, 2]


@pytest.mark.rule("OU-F2")
def test_w35_a_shield_wall_screens_one_hero() -> None:
    fight = fight_of([W, M], [("gobbo", 1)], level=3)

    assert [hero.front for hero in fight.heroes] == [True, False]


def undead(skeletons: int, zombies: int, **hero: Any) -> state.Fight:
    """W36 to W39: front W, R, P, rear M; W and M have killed a skeleton each in the previous round."""
    fight = fight_of([{"class": W, **hero}, R, P, M], [("skeleton", skeletons), ("zombie", zombies)])
    fight.kills_prev = [[1, 0], [0, 0], [0, 0], [1, 0]]
    return fight


def top_targets(fight: state.Fight, group: int) -> str:
    """Whom a monster of the group would draw its target from."""
    monsters = fight.groups[group]
    tied = enemy_turns.most_threatening(fight, monsters, enemy_turns.legal_targets(fight, monsters))
    return "".join("WRPM"[hero.index] for hero in tied)


@pytest.mark.rule("OU-E3", "OU-E6", "OU-E7")
def test_w36_an_outnumbered_front_opens_the_rear() -> None:
    fight = undead(3, 2)

    assert [hero.front for hero in fight.heroes] == [True, True, True, False]
    assert (top_targets(fight, 0), top_targets(fight, 1)) == ("WM", "WRPM")


@pytest.mark.rule("OU-E3", "OU-E7")
def test_w36_each_tied_hero_is_as_likely() -> None:
    def target(luck: Any) -> int:
        fight = undead(3, 2)
        fight.luck = luck
        zombies = fight.groups[1]
        return enemy_turns.choose_target(fight, zombies, enemy_turns.legal_targets(fight, zombies), 0, []).index

    assert every_course(target) == dict.fromkeys(range(4), F(1, 4))


@pytest.mark.rule("OU-E3")
def test_w37_an_equal_front_screens_the_rear() -> None:
    fight = undead(2, 1)

    assert (top_targets(fight, 0), top_targets(fight, 1)) == ("W", "WRP")


@pytest.mark.rule("OU-E5")
def test_w38_targets_are_judged_anew_before_every_attack() -> None:
    fight = undead(2, 1)

    damage.lose_health(fight, fight.heroes[0], 99)

    assert (top_targets(fight, 0), top_targets(fight, 1)) == ("M", "RPM")


@pytest.mark.rule("OU-F2", "OU-E3")
def test_w39_a_shield_wall_counts_twice_against_numbers() -> None:
    fight = undead(3, 1, feats=["shield_wall"])

    assert (state.monster_front(fight), state.hero_front(fight)) == (4, 4)
    assert "M" not in top_targets(fight, 0)


@pytest.mark.rule("OU-E4", "OU-E6")
@pytest.mark.parametrize("rogue_in_front", [True, False])
def test_w40_archers_find_the_rogue_anywhere(rogue_in_front: bool) -> None:
    fight = fight_of([W, R, P, M], [("gobbo_archer", 2)])
    fight.kills_prev = [[0], [1], [0], [0]]
    fight.heroes[1].front = rogue_in_front

    assert top_targets(fight, 0) == "R"


@pytest.mark.rule("OU-E8")
def test_w41_spread_goes_down_the_ranking() -> None:
    def targets(luck: Any) -> str:
        fight = fight_of([W, R, P], [("skeleton", 4)], room="open", switches={"monster_targeting": "spread"})
        fight.kills_prev = [[2], [1], [0]]
        skeletons = fight.groups[0]
        order = luck.order(range(3), "OU-E8", 1, 1000)
        legal = enemy_turns.legal_targets(fight, skeletons)
        return "".join("WRP"[enemy_turns.choose_target(fight, skeletons, legal, m, order).index] for m in range(4))

    assert every_course(targets) == {"WRPW": 1}


@pytest.mark.rule("OU-E2", "OU-P3")
def test_w42_a_narrow_room() -> None:
    luck = Scripted()
    fight = fight_of([W, P, R, M], [("zombie", 6)], luck, room="narrow")
    numbers = state.monster_front(fight), state.hero_front(fight)

    enemy_turns.monster_phase(fight)

    assert [hero.front for hero in fight.heroes] == [True, True, False, False]
    assert numbers == (2, 2)
    assert [m for purpose, _, _, m in luck.log if purpose == "OU-D2"] == [0, 1]
    assert sum(hero.dodged + (hero.damage_taken > 0) for hero in fight.heroes[2:]) == 0


@pytest.mark.rule("OU-P5", "OU-G7")
def test_w43_a_lone_screen_is_not_enough() -> None:
    fight = fight_of([W, R, M], [("zombie", 3)])
    damage.lose_health(fight, fight.heroes[1], 99)

    hero_moves.step_up(fight)

    assert fight.heroes[2].front
    assert policies.plain_action(fight, fight.heroes[2])[0] == "melee"


@pytest.mark.rule("OU-A4")
def test_w44_an_empty_front_lays_the_rear_open() -> None:
    fight = fight_of([W], [("gobbo", 1), ("gobbo_archer", 2)])
    screened = hero_attacks.melee_targets(fight)
    fight.groups[0].n = 0

    assert screened == [fight.groups[0]]
    assert hero_attacks.melee_targets(fight) == [fight.groups[1]]
