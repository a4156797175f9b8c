"""How the models of a group move and choose, by behaviour."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.brimstone.rules.behaviours import melee, ranged
from sim.rulesets.brimstone.rules.enemy_attacks import MELEE_AIM, NO_AIM, RANGED_AIM
from sim.rulesets.brimstone.rules.enemy_turns import activate_group
from sim.rulesets.brimstone.state import State
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import (
    RUNS,
    aims,
    ends,
    move_model,
    near,
    on_open_ground,
    one_enemy,
    phase_a,
    tough_at,
)


@pytest.mark.rule("BF-E6.1", "BF-E6.3")
def test_we10_a_sniper_stays_and_shoots_an_adjacent_hero_first() -> None:
    heroes = [tough_at(4, 2), tough_at(6, 2), tough_at(1, 1)]
    _, s = on_open_ground((9, 5), heroes, [{"type": "gulch_snipers", "count": 3}])
    move_model(s, 0, 5, 3)

    target, aim = aims(s)

    assert [near(float((target == hero).mean()), chance) for hero, chance in enumerate((1 / 2, 1 / 2, 0))] == [True] * 3
    assert (aim == RANGED_AIM).all()
    assert set(ends(s)) == {(5, 3)}


@pytest.mark.rule("BF-E7.2", "BF-E7.4")
def test_a_rifle_keeps_away_from_heroes_where_it_can() -> None:
    weapon = {"range": 2, "shots": 1, "damage": 5}
    _, s = on_open_ground((9, 3), [tough_at(1, 2)], [{"type": "crimson_hand", "weapon": weapon, "move": 6}])
    move_model(s, 0, 6, 2)

    target, aim = aims(s)

    assert sorted(ends(s)) == [(3, 1), (3, 2), (3, 3)]
    assert all(near(share, 1 / 3) for share in ends(s).values())
    assert (target == 0).all()
    assert (aim == RANGED_AIM).all()


@pytest.mark.rule("BF-E7.3")
def test_and_fights_hand_to_hand_where_it_cannot() -> None:
    weapon = {"range": 1, "shots": 1, "damage": 5}
    _, s = on_open_ground((9, 3), [tough_at(1, 2)], [{"type": "crimson_hand", "weapon": weapon, "move": 6}], 50)
    move_model(s, 0, 6, 2)

    target, aim = aims(s)

    assert {x for x, _ in ends(s)} == {2}
    assert (target == 0).all()
    assert (aim == MELEE_AIM).all()


@pytest.mark.rule("BF-E8.1", "BF-E8.2", "BF-E8.4")
def test_we12_an_adjacent_bandit_retreats_on_4_or_more() -> None:
    _, s = on_open_ground((7, 7), [tough_at(4, 4)], [{"type": "bandits"}])
    move_model(s, 0, 4, 5)
    die = s.luck.die(6, "BF-E8.1", 1, 1000, 0, np.arange(RUNS))

    target, aim = aims(s)

    assert (aim == np.where(die >= 4, RANGED_AIM, MELEE_AIM)).all()
    assert (target == 0).all()
    assert sorted(ends(s)) == [(3, 6), (4, 5), (4, 6), (5, 6)]
    assert near(ends(s)[4, 5], 1 / 2)


@pytest.mark.rule("BF-E8.2")
def test_a_bandit_with_nowhere_to_go_fights_hand_to_hand() -> None:
    _, s = on_open_ground((2, 2), [tough_at(1, 1)], [{"type": "bandits"}], 100)

    target, aim = aims(s)

    assert (target == 0).all()
    assert (aim == MELEE_AIM).all()


@pytest.mark.rule("BF-E8.4", "BF-E8.5")
@pytest.mark.parametrize(("move", "column", "shoots"), [(6, 7, True), (3, 7, True), (2, 8, False), (1, 9, False)])
def test_a_bandit_takes_the_fewest_steps_to_a_shot_or_comes_closer(move: int, column: int, shoots: bool) -> None:
    _, s = on_open_ground((12, 3), [tough_at(1, 2)], [{"type": "bandits", "move": move}], 300)
    move_model(s, 0, 10, 2)

    target, aim = aims(s)

    assert {x for x, _ in ends(s)} == {column}
    assert (target == (0 if shoots else -1)).all()
    assert (aim == (RANGED_AIM if shoots else NO_AIM)).all()


@pytest.mark.rule("BF-E12", "BF-E6.3")
@pytest.mark.parametrize(("kind", "aim"), [("auto_turrets", RANGED_AIM), ("corpse_pile", NO_AIM)])
def test_immobile_models_stay(kind: str, aim: int) -> None:
    _, s = on_open_ground((6, 6), [tough_at(1, 1)], [{"type": kind, "init": 5}], 20)
    before = ends(s)

    _, how = aims(s)

    assert ends(s) == before
    assert (how == aim).all()


@pytest.mark.rule("BF-E14", "BF-E5.3")
@pytest.mark.parametrize(("choice", "columns"), [("random", {3, 4, 5}), ("best_for_party", {4, 5})])
def test_melee_models_too(choice: str, columns: set[int]) -> None:
    enemies = [{"type": "tentacles", "move": 4}]
    _, s = on_open_ground((7, 7), [tough_at(4, 2), tough_at(2, 1)], enemies, 1000, switches={"party_choice": choice})
    move_model(s, 0, 4, 5)

    target, _ = aims(s)

    behind = {s.ground.board.coords[int(spot)] for spot in s.spot[0, target == 0]}
    assert behind == {(x, 1) for x in columns}  # (3,1) is next to the other hero


@pytest.mark.rule("BF-E5.2", "BF-E5.3")
@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (2, [(3, 3), (4, 3), (5, 3)]),
        (3, [(3, 2), (5, 2)]),
        (4, [(3, 1), (4, 1), (5, 1)]),
        (6, [(3, 1), (4, 1), (5, 1)]),
    ],
)
def test_we7_melee_enemies_go_to_the_far_side(move: int, expected: list[tuple[int, int]]) -> None:
    s = one_enemy("tentacles", (4, 2), (4, 5), (7, 7), move=move)

    phase_a(s, melee)

    assert sorted(ends(s)) == sorted(expected)
    assert all(near(share, 1 / len(expected)) for share in ends(s).values())


@pytest.mark.rule("BF-E6.1", "BF-E6.2", "BF-E6.3", "BF-G5")
@pytest.mark.parametrize(("move", "column", "shoots"), [(4, 9, True), (2, 10, False)])
def test_we10_ranged_enemies_stop_as_soon_as_they_have_a_shot(move: int, column: int, shoots: bool) -> None:
    s = one_enemy("gulch_snipers", (1, 2), (12, 2), (12, 3), move=move)

    phase_a(s, ranged)

    assert sorted(ends(s)) == [(column, 1), (column, 2), (column, 3)]
    assert (s.target[0] == (0 if shoots else -1)).all()


@pytest.mark.rule("BF-E8.3", "BF-E4")
def test_we12_bandits_share_out_their_targets() -> None:
    heroes = [{"class": "lawman", "square": [x, 1]} for x in (1, 4, 7)]
    _, s = ready({"width": 7, "height": 6, "heroes": heroes, "enemies": [{"type": "bandits", "count": 2}]}, RUNS)
    s.round = 1
    seen = {}

    def listen(s: State, kind: int, at: Any, aim: Any) -> None:
        seen["targets"] = s.target.copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sim.rulesets.brimstone.rules.enemy_turns.attack_phase", listen)
        activate_group(s, 13, np.arange(RUNS))

    assert (seen["targets"][0] != seen["targets"][1]).all()
    assert near(float((seen["targets"] == 0).any(axis=0).mean()), 2 / 3)


@pytest.mark.rule("BF-E4", "BF-E7.1", "BF-E7.4", "BF-E13")
@pytest.mark.parametrize(
    ("a", "b", "chances", "aim"),
    [
        ([3, 3], [5, 5], [1, 0], MELEE_AIM),  # the kept target is adjacent
        ([1, 1], [5, 5], [0, 1], MELEE_AIM),  # it has gone, the other one is adjacent
        ([1, 1], [7, 7], [1 / 2, 1 / 2], RANGED_AIM),  # nobody is adjacent, both are in range
    ],
)
def test_we11_melee_or_ranged(a: list[int], b: list[int], chances: list[float], aim: int) -> None:
    heroes = [{"class": "lawman", "square": a}, {"class": "lawman", "square": b}]
    _, s = on_open_ground((8, 8), heroes, [{"type": "crimson_hand"}])
    move_model(s, 0, 4, 4)
    s.target[0] = 0

    target, how = aims(s)

    assert [near(float((target == hero).mean()), chances[hero]) for hero in (0, 1)] == [True, True]
    assert (how == aim).all()
    assert set(ends(s)) == {(4, 4)}
