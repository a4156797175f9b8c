"""Boards, targets and ways of enemies: the worked examples, shown by the scalar referee."""

from __future__ import annotations

import pytest

from tests.oracle.p52.board import Board
from tests.oracle.p52.enemies import choose_target, enemy_turn, flee_spots
from tests.oracle.p52.state import Fight, Hero
from tests.oracle.p52_table import foe, table


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
