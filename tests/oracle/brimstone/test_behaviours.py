"""How models move and choose, by behaviour."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.brimstone.chances import FixedLuck, TreeLuck, chance, chances
from tests.oracle.brimstone.scenes import act, hero_at, scene, targets, xy

F = Fraction


def goes_to(
    luck: TreeLuck, kind: Any, start: tuple[int, int], posse: list[dict[str, Any]], board: Any, **more: Any
) -> tuple[tuple[int, int], int | None]:
    fight = scene(luck, posse, [(kind, start)], board, **more)
    act(fight, fight.slots[0])
    return xy(fight, fight.slots[0].sq), targets(fight)[0]


@pytest.mark.rule("BF-E5.2", "BF-E5.3", "BF-E5.4")
@pytest.mark.parametrize(
    ("move", "squares"),
    [
        (2, [(3, 3), (4, 3), (5, 3)]),
        (3, [(3, 2), (5, 2)]),
        (4, [(3, 1), (4, 1), (5, 1)]),
        (9, [(3, 1), (4, 1), (5, 1)]),
    ],
)
def test_we7_a_melee_enemy_goes_to_the_far_side(move: int, squares: list[tuple[int, int]]) -> None:
    kind = {"type": "tentacles", "move": move}

    found = chances(lambda luck: goes_to(luck, kind, (4, 5), [hero_at(4, 2)], (7, 7)))

    assert found == {(square, 0): F(1, len(squares)) for square in squares}


def test_we7_one_step_is_not_within_movement_range() -> None:
    kind = {"type": "tentacles", "move": 1}

    found = chances(lambda luck: goes_to(luck, kind, (4, 5), [hero_at(4, 2)], (7, 7)))

    assert {target for _, target in found} == {None}


def test_we7_occupied_squares_are_left_out() -> None:
    def where(luck: TreeLuck) -> tuple[int, int]:
        others = [("corpse_pile", square) for square in ((3, 1), (4, 1), (5, 1))]
        fight = scene(luck, [hero_at(4, 2)], [("tentacles", (4, 5)), *others])
        act(fight, fight.slots[0])
        return xy(fight, fight.slots[0].sq)

    assert chances(where) == {(3, 2): F(1, 2), (5, 2): F(1, 2)}


@pytest.mark.rule("BF-E5.3")
def test_reposition_when_adjacent_can_be_switched_off() -> None:
    def where(luck: TreeLuck, switch: str) -> tuple[tuple[int, int], int | None]:
        return goes_to(
            luck, "tentacles", (4, 3), [hero_at(4, 2)], (7, 7), switches={"reposition_when_adjacent": switch}
        )

    assert chances(lambda luck: where(luck, "off")) == {((4, 3), 0): 1}
    assert chances(lambda luck: where(luck, "on")) == {((x, 1), 0): F(1, 3) for x in (3, 4, 5)}


@pytest.mark.rule("BF-E14")
def test_best_for_party_takes_the_square_next_to_the_fewest_heroes() -> None:
    posse = [hero_at(4, 1), hero_at(3, 1), hero_at(5, 1)]

    found = chances(
        lambda luck: goes_to(
            luck, {"type": "tentacles", "move": 3}, (4, 5), posse, (7, 7), switches={"party_choice": "best_for_party"}
        )
    )

    assert ((3, 2), 0) in found
    assert ((4, 2), 0) not in found


@pytest.mark.rule("BF-E5.4", "BF-E11")
def test_we8_out_of_reach_it_comes_closer_without_a_target() -> None:
    kind = {"type": "tentacles", "move": 3}

    found = chances(lambda luck: goes_to(luck, kind, (9, 2), [hero_at(2, 2)], (9, 3)))

    assert found == {((6, y), None): F(1, 3) for y in (1, 2, 3)}


@pytest.mark.rule("BF-E6.1", "BF-E6.2", "BF-E6.3")
@pytest.mark.parametrize(("move", "column", "target"), [(4, 9, 0), (2, 10, None)])
def test_we10_a_sniper_comes_until_it_has_a_shot(move: int, column: int, target: int | None) -> None:
    kind = {"type": "gulch_snipers", "move": move}

    found = chances(lambda luck: goes_to(luck, kind, (12, 2), [hero_at(1, 2)], (12, 3)))

    assert found == {((column, y), target): F(1, 3) for y in (1, 2, 3)}


@pytest.mark.rule("BF-E6.3")
def test_we10_a_sniper_prefers_adjacent_heroes() -> None:
    def target(luck: TreeLuck) -> int | None:
        posse = [hero_at(3, 4), hero_at(5, 4), hero_at(1, 1)]
        enemies = [("gulch_snipers", square) for square in ((4, 4), (7, 7), (7, 6))]
        fight = scene(luck, posse, enemies)
        fight.ranged(fight.slots[0], 3, 3)
        assert fight.slots[0].shoots
        assert xy(fight, fight.slots[0].sq) == (4, 4)
        return targets(fight)[0]

    assert chances(target) == {0: F(1, 2), 1: F(1, 2)}


@pytest.mark.rule("BF-E7.1", "BF-E7.4")
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((3, 3), (5, 5), {(0, False): 1}),
        ((1, 1), (5, 5), {(1, False): 1}),
        ((1, 1), (7, 7), {(0, True): F(1, 2), (1, True): F(1, 2)}),
    ],
)
def test_we11_melee_or_ranged(first: tuple[int, int], second: tuple[int, int], expected: dict[Any, Any]) -> None:
    def choice(luck: TreeLuck) -> tuple[int | None, bool]:
        fight = scene(luck, [hero_at(*first), hero_at(*second)], [("crimson_hand", (4, 4))])
        model = fight.slots[0]
        model.target = fight.heroes[0]
        fight.prepared.switches["targeting_spread"] = "always_random"
        act(fight, model)
        assert xy(fight, model.sq) == (4, 4)
        return targets(fight)[0], model.shoots

    assert chances(choice) == expected


@pytest.mark.rule("BF-E7.2", "BF-E7.3")
def test_a_cultist_avoids_squares_next_to_heroes_if_it_can() -> None:
    kind = {"type": "crimson_hand", "move": 9, "weapon": {"range": 2, "shots": 1, "damage": 5}}
    corridor = "....................."

    free = chances(lambda luck: goes_to(luck, kind, (10, 1), [hero_at(1, 1)], corridor))
    forced = kind | {"weapon": {"range": 1, "shots": 1, "damage": 5}}
    beside = chances(lambda luck: goes_to(luck, forced, (10, 1), [hero_at(1, 1)], corridor))

    assert free == {((3, 1), 0): 1}
    assert beside == {((2, 1), 0): 1}


@pytest.mark.rule("BF-E8.3", "BF-E8.4")
def test_we12_shootout_markers_spread_the_shots() -> None:
    def shot_at(luck: TreeLuck) -> tuple[int | None, ...]:
        posse = [hero_at(x, 1) for x in (2, 4, 6)]
        fight = scene(luck, posse, [("bandits", (3, 5)), ("bandits", (5, 5))])
        for model in fight.slots:
            fight.shootout(model, 3, 2)
            assert model.shoots
        return targets(fight)

    found = chances(shot_at)

    assert all(first != second for first, second in found)
    assert sum(p for pair, p in found.items() if 0 in pair) == F(2, 3)


@pytest.mark.rule("BF-E8.1", "BF-E8.2")
def test_we12_an_adjacent_bandit_retreats_half_of_the_time() -> None:
    def shoots(luck: TreeLuck) -> bool:
        fight = scene(luck, [hero_at(4, 1)], [("bandits", (4, 2))])
        fight.shootout(fight.slots[0], 1, 1)
        assert fight.slots[0].shoots == (not fight.adjacent_heroes(fight.slots[0].sq))
        return fight.slots[0].shoots

    assert chance(shoots) == F(1, 2)


@pytest.mark.rule("BF-E8.5")
def test_a_bandit_without_a_shot_at_its_choice_comes_closer_and_takes_another() -> None:
    def choice(luck: TreeLuck) -> tuple[int | None, int]:
        posse = [hero_at(1, 1), hero_at(20, 1)]
        fight = scene(luck, posse, [({"type": "bandits", "move": 2}, (16, 1))], "." * 20)
        fight.shootout(fight.slots[0], 2, 1)
        return targets(fight)[0], xy(fight, fight.slots[0].sq)[0]

    assert chances(choice) == {(1, 16): F(1, 2), (1, 14): F(1, 2)}


@pytest.mark.rule("BF-E12", "BF-A1")
def test_a_turret_shoots_bursts_and_explodes() -> None:
    rolls = {"BF-A1": [6, 1, 4], "Burst": 5, "BF-A2/defense": 1, "Explode": 2}
    enemies = [("auto_turrets", (2, 2)), ("auto_turrets", (3, 3)), ("tentacles", (7, 7))]
    fight = scene(FixedLuck(rolls), [hero_at(1, 1, health=30)], enemies)
    hero = fight.heroes[0]
    fight.immobile(fight.slots[0], 1, 2)
    fight.phase_b(fight.slots[0].group)
    assert hero.taken == 12

    fight.slots[1].wounds = 10
    fight.wound_enemy(fight.slots[0], 12, bf.Attack(hero), "BF-A11/armor", 0, 0)
    fight.explosions()

    # The first explosion (2 wounds) kills the second turret, which explodes out of the hero's reach.
    assert [model.alive for model in fight.slots] == [False, False, True]
    assert hero.taken == 14
    assert hero.kills == 1
