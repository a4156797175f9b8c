"""Boards, sight, walking, fleeing and advancing (sections 2.3 and 6.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.errors import ScenarioError
from sim.rulesets.p52.ground import make_ground, read_board
from sim.rulesets.p52.rules.counters import attack
from sim.rulesets.p52.rules.decisions import is_weak
from sim.rulesets.p52.rules.enemy_moves import flee_spot
from sim.rulesets.p52.rules.enemy_turns import enemy_turn
from sim.rulesets.p52.rules.hero_moves import walk
from sim.rulesets.p52.rules.traps import spring_traps
from sim.rulesets.p52.state import State
from sim.scenario import from_dict
from tests.rulesets.p52.fights import ONE, begin, flips, foe, hero, stack, told


def sees(board: str, a: tuple[int, int], b: tuple[int, int]) -> tuple[bool, int, int]:
    """Sight, range and steps between two spots."""
    ground = make_ground(*read_board(board, None, None, "board"))
    pair = ground.board.find(a), ground.board.find(b)
    return bool(ground.sight[pair]), int(ground.range[pair]), int(ground.steps[pair])


def place_of(s: State, enemy: int = 0) -> tuple[int, int]:
    return s.space.ground.board.coords[int(s.foe_spot[enemy, 0])]


@pytest.mark.rule("P52-U6", "P52-U8", "P52-U9", "P52-U10", "P52-U11", "P52-U15")
def test_w32_line_of_sight() -> None:
    a, b, c = ".....\n.###.\n.....", "#...#\n..#..\n#...#", "..#\n.#.\n..."

    assert sees(a, (0, 0), (4, 0)) == (True, 4, 4)
    assert not sees(a, (0, 0), (2, 2))[0]
    assert sees(a, (3, 0), (4, 1))[:2] == (True, 2)
    assert not sees(a, (2, 0), (4, 1))[0]
    assert sees(a, (0, 1), (4, 1)) == (False, 4, 6)
    assert sees(b, (2, 2), (4, 1))[:2] == (True, 3)
    assert not sees(b, (2, 2), (3, 0))[0]
    assert sees(c, (1, 0), (2, 1)) == (False, 2, 6)


@pytest.mark.rule("P52-U7", "P52-U16")
def test_units_share_spots() -> None:
    _, s = begin([hero("fighter"), hero("rogue")], [foe("J clubs"), foe("K clubs")])

    assert s.spot[:, 0].tolist() == [0, 0]
    assert s.foe_spot[:, 0].tolist() == [0, 0]
    assert (int(s.standing[0]), int(s.alive[0]), s.round) == (2, 2, 0)


@pytest.mark.rule("P52-U12", "P52-E8", "P52-E10")
@pytest.mark.parametrize(
    ("start", "movement", "stops"),
    [
        ((1, 0), 2, [(2, 0)]),
        ((1, 0), 3, [(3, 0)]),
        ((0, 0), 2, [(1, 0)]),
        ((1, 0), 1, [(1, 0), (2, 0), (3, 0), (4, 0)]),
    ],
)
def test_w35_advance_over_an_obstructed_spot(start: tuple[int, int], movement: int, stops: list[Any]) -> None:
    _, s = begin(
        [hero("fighter", at=(4, 0))], [foe("K hearts", *start, movement=movement)], board="..O..\n.###.\n....."
    )

    found = []
    for _ in stops:
        enemy_turn(s, 0, ONE)
        found.append(place_of(s))

    assert found == stops


@pytest.mark.rule("P52-E11")
def test_w35_enemies_stop_on_the_spot_of_a_hero_and_ignore_traps() -> None:
    _, s = begin(
        [hero("fighter", at=(5, 0)), hero("fighter", at=(2, 0))], [foe("K hearts", 0, 0, movement=3)], board=".T....."
    )
    s.last[0] = 0

    enemy_turn(s, 0, ONE)

    assert place_of(s) == (2, 0)
    assert int(s.foe_hp[0, 0]) == 12


def weak_enemy(board: str, at: tuple[int, int], movement: int, *heroes: tuple[int, int], **more: Any) -> State:
    _, s = begin(
        [hero("fighter", at=spot) for spot in heroes],
        [foe("K hearts", *at, movement=movement, hp=1)],
        board=board,
        **more,
    )
    return s


@pytest.mark.rule("P52-E1", "P52-E2", "P52-E3", "P52-E9")
def test_w34_flee() -> None:
    lane, ring, tee = ".......", "....\n.##.\n....", ".....\n##.##\n##.##"

    s = weak_enemy(lane, (3, 0), 1, (1, 0), (6, 0))
    enemy_turn(s, 0, ONE)
    assert place_of(s) == (3, 0)
    assert int(s.foe_hp[0, 0]) == 2
    s = weak_enemy(lane, (3, 0), 1, (1, 0), (0, 0))
    enemy_turn(s, 0, ONE)
    assert place_of(s) == (4, 0)
    assert int(flee_spot(weak := weak_enemy(ring, (1, 0), 2, (0, 0), (3, 2)), 0, weak.facts.types[0], ONE)[0]) == -1
    s = weak_enemy(ring, (1, 0), 2, (0, 0), (0, 2))
    enemy_turn(s, 0, ONE)
    assert place_of(s) == (3, 0)
    s = weak_enemy(tee, (2, 0), 2, (2, 2), party_choice="best_for_party")
    enemy_turn(s, 0, ONE)
    assert place_of(s) == (0, 0)
    s = weak_enemy(tee, (2, 0), 2, (2, 2), (0, 0))
    enemy_turn(s, 0, ONE)
    assert place_of(s) == (4, 0)


def test_w17_weak_is_strictly_less_than_a_quarter() -> None:
    _, s = begin([hero("fighter")], [foe("J clubs")])
    for max_hp, weak in ((8, [1]), (9, [1, 2]), (12, [1, 2]), (60, list(range(1, 15)))):
        found = []
        for hp in range(1, max_hp + 1):
            s.foe_hp[0] = hp
            found += [hp] if is_weak(s, 0, ONE, max_hp)[0] else []
        assert found == weak


def test_a_tired_enemy_fights_on() -> None:
    s = weak_enemy(".......", (3, 0), 1, (1, 0), flee_limit=0)

    enemy_turn(s, 0, ONE)

    assert place_of(s) == (2, 0)  # it advances instead


@pytest.mark.rule("P52-U13")
@pytest.mark.parametrize(("balance", "move", "hurt"), [(2, 2, range(1, 9)), (5, 5, range(1, 3)), (6, 6, range(0))])
def test_w19_traps(balance: int, move: int, hurt: range) -> None:
    for value in range(1, 14):
        _, s = begin(
            [hero("fighter", at=(1, 0), balance=balance, move=move)], [foe("J clubs")], board="ST", stamina_start=0
        )
        stack(s, value)
        before = int(s.hp[0, 0])

        spring_traps(s, 0, ONE)

        assert before - int(s.hp[0, 0]) == (2 if value in hurt else 0)


@pytest.mark.rule("P52-U14")
def test_a_hero_on_a_hidden_spot_is_attacked_only_from_there() -> None:
    _, s = begin([hero("fighter", at=(2, 0))], [foe("J spades", 0, 0), foe("J hearts", 2, 0)], board="..H")

    for enemy in (0, 1):
        enemy_turn(s, enemy, ONE)

    assert int(s.ledger.uses[[row for row, a in enumerate(s.facts.cast.abilities) if a.unit == 1]].sum()) == 0
    assert flips(s, "enemy_attacks") == 1


@pytest.mark.rule("P52-H2")
def test_a_move_ends_stance_and_aim() -> None:
    _, s = begin([hero("rogue", at=(0, 0))], [foe("J spades", 6, 0)], board="lane")
    s.aim[0], s.stance[0] = 2, 1

    walk(s, 0, np.array([2]), ONE)

    assert (int(s.spot[0, 0]), int(s.aim[0, 0]), int(s.stance[0, 0])) == (2, 0, 0)


@pytest.mark.rule("P52-H3", "P52-T4")
@pytest.mark.parametrize(("value", "end", "hit"), [(10, 2, 0), (11, 2, 1), (13, 1, 1)])
def test_w18_a_passing_attack_has_a_higher_target_and_a_king_stops(value: int, end: int, hit: int) -> None:
    _, s = begin([hero("rogue", at=(0, 0))], [foe("J clubs", 1, 0)], board="...", stamina_start=0)
    stack(s, value, 1)

    walk(s, 0, np.array([2]), ONE, past_enemies=True)

    assert int(s.spot[0, 0]) == end
    assert (len(told(s, "passing_misses")), len(told(s, "passing_strikes"))) == (1 - hit, hit)


@pytest.mark.rule("P52-H10", "P52-I38")
def test_a_thrown_knife_lies_where_it_fell_until_its_owner_comes() -> None:
    _, s = begin([hero("rogue", 5, at=(0, 0))], [foe("J clubs", 2, 0)], board="...", stamina_start=0)
    throw = next(way for way in s.facts.kits[0].attacks if way.name == "knife_throw")
    stack(s, 2, 2)

    attack(s, 0, throw, np.array([0]), ONE, None)
    assert int(s.knife_at[0, 0]) == 2
    walk(s, 0, np.array([2]), ONE)

    assert int(s.knife_at[0, 0]) == -1


DUEL = {"ruleset": "p52", "title": "duel", "policy": "brawler", "board": "...", "heroes": [{"class": "rogue"}]}
HALL = "\n".join(["." * 40] * 40)


@pytest.mark.rule("P52-U6")
def test_a_hall_of_forty_by_forty_is_played() -> None:
    scenario, _ = begin([hero("rogue", at=(0, 0))], [foe("J clubs", 3, 3)], board=HALL)

    ground = scenario.facts.spaces[0].ground
    assert ground.size == 1600
    assert ground.steps.max() == ground.range.max() == 78
    assert ground.no_nearer.nbytes < 50_000_000  # by goal and steps, not by pairs of spots


def test_the_spots_of_a_gauntlet_are_counted_together() -> None:
    part = {"enemies": [{"card": "J clubs", "spot": [0, 0]}]}
    fight = DUEL | {"board": "\n".join(["." * 30] * 30), "encounters": [part, part]}

    with pytest.raises(ScenarioError, match="at most 1,600 spots together, found 1,800"):
        from_dict(fight)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("movement", 10**9, "enemies[0].movement: expected 0 to 99 at level 1, found 1000000000"),
        ("initiative", 499_503, "enemies[0].initiative: expected -999 to 9999 at level 1, found 499503"),
        ("initiative", "-1000 * L", "enemies[0].initiative: expected -999 to 9999 at level 1, found -1000"),
        ("movement", -1, "enemies[0].movement: expected 0 to 99 at level 1, found -1"),
        ("max_hp", 499_503, "enemies[0].max_hp: expected 1 to 9999 at level 1, found 499503"),
        ("max_hp", 0, "enemies[0].max_hp: expected 1 to 9999 at level 1, found 0"),
        ("max_hp", "-5 * L", "enemies[0].max_hp: expected 1 to 9999 at level 1, found -5"),
        ("hp", 9, "enemies[0].hp: expected 1 to 8, which is its max_hp, at level 1, found 9"),
        ("melee", {"damage": -3}, "enemies[0].melee.damage: expected 0 to 9999 at level 1, found up to -3"),
        ("melee", {"reach": [1, 0]}, "reach: expected the shortest range and then the longest, found 1 and 0"),
        ("melee", {"target": -499_503}, "enemies[0].melee.target: expected -999 to 999 at level 1, found -499503"),
    ],
)
def test_figures_of_enemies_have_bounds_that_are_told(key: str, value: Any, expected: str) -> None:
    fight = DUEL | {"enemies": [{"card": "J clubs", "spot": [0, 0], key: value}]}

    with pytest.raises(ScenarioError) as refused:
        from_dict(fight)

    assert expected in str(refused.value)


@pytest.mark.parametrize("part", [{"hp": 36}, {"max_hp": 20, "hp": 21}])
def test_a_hero_does_not_begin_with_more_than_the_maximum(part: dict[str, int]) -> None:
    most = part.get("max_hp", 35)
    fight = DUEL | {"heroes": [{"class": "fighter"} | part], "enemies": [{"card": "J clubs", "spot": [0, 0]}]}

    with pytest.raises(ScenarioError, match=rf"heroes\[0\].hp: expected 0 to {most}, which is its max_hp, found"):
        from_dict(fight)
