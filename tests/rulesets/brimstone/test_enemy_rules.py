"""Enemies: every rule that no worked example shows, on a scene of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.brimstone.rules import enemy_attacks
from sim.rulesets.brimstone.rules.enemy_attacks import MELEE_AIM, NO_AIM, RANGED_AIM
from sim.rulesets.brimstone.rules.enemy_turns import activate_group
from sim.rulesets.brimstone.rules.saves import Hits
from sim.rulesets.brimstone.state import State
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import RUNS, aims, ends, move_model, near, on_open_ground

TOUGH = {"class": "lawman", "health": 40, "sanity": 40}


def at(x: int, y: int) -> dict[str, Any]:
    """A hero who can take much, on a square."""
    return TOUGH | {"square": [x, y]}


@pytest.mark.rule("BF-E1", "BF-A2")
def test_all_of_a_group_aim_before_any_attacks_and_their_hits_are_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    fight = {"board": "none", "heroes": [TOUGH | {"health": 1}, TOUGH], "enemies": [{"type": "tentacles", "count": 3}]}
    _, s = ready(fight, 400)
    s.round = 1
    batches: list[tuple[int, int]] = []
    save = enemy_attacks.take_batch

    def listen(s: State, hero: int, hits: Hits, *rest: Any) -> None:
        assert (s.target[:3] >= 0).all() or hero == 1  # only a knock-out of hero 0 takes a target away
        batches.append((hero, int(np.bincount(hits.lane).max())))
        save(s, hero, hits, *rest)

    monkeypatch.setattr(enemy_attacks, "take_batch", listen)
    activate_group(s, int(s.kind[0, 0]), np.arange(400))

    assert [hero for hero, _ in batches] == [0, 1]
    assert max(most for _, most in batches) > 3  # hits of several models together


@pytest.mark.rule("BF-E2")
def test_the_nearest_model_goes_first() -> None:
    _, s = on_open_ground((9, 1), [at(1, 1)], [{"type": "tentacles", "count": 2, "move": 7}], 50)
    move_model(s, 0, 8, 1)
    move_model(s, 1, 6, 1)

    aims(s)

    assert set(ends(s, 1)) == {(2, 1)}
    assert set(ends(s, 0)) == {(3, 1)}


@pytest.mark.rule("BF-E6.1", "BF-E6.3")
def test_we10_a_sniper_stays_and_shoots_an_adjacent_hero_first() -> None:
    _, s = on_open_ground((9, 5), [at(4, 2), at(6, 2), at(1, 1)], [{"type": "gulch_snipers", "count": 3}])
    move_model(s, 0, 5, 3)

    target, aim = aims(s)

    assert [near(float((target == hero).mean()), chance) for hero, chance in enumerate((1 / 2, 1 / 2, 0))] == [True] * 3
    assert (aim == RANGED_AIM).all()
    assert set(ends(s)) == {(5, 3)}


@pytest.mark.rule("BF-E7.2", "BF-E7.4")
def test_a_rifle_keeps_away_from_heroes_where_it_can() -> None:
    weapon = {"range": 2, "shots": 1, "damage": 5}
    _, s = on_open_ground((9, 3), [at(1, 2)], [{"type": "crimson_hand", "weapon": weapon, "move": 6}])
    move_model(s, 0, 6, 2)

    target, aim = aims(s)

    assert sorted(ends(s)) == [(3, 1), (3, 2), (3, 3)]
    assert all(near(share, 1 / 3) for share in ends(s).values())
    assert (target == 0).all()
    assert (aim == RANGED_AIM).all()


@pytest.mark.rule("BF-E7.3")
def test_and_fights_hand_to_hand_where_it_cannot() -> None:
    weapon = {"range": 1, "shots": 1, "damage": 5}
    _, s = on_open_ground((9, 3), [at(1, 2)], [{"type": "crimson_hand", "weapon": weapon, "move": 6}], 50)
    move_model(s, 0, 6, 2)

    target, aim = aims(s)

    assert {x for x, _ in ends(s)} == {2}
    assert (target == 0).all()
    assert (aim == MELEE_AIM).all()


@pytest.mark.rule("BF-E8.1", "BF-E8.2", "BF-E8.4")
def test_we12_an_adjacent_bandit_retreats_on_4_or_more() -> None:
    _, s = on_open_ground((7, 7), [at(4, 4)], [{"type": "bandits"}])
    move_model(s, 0, 4, 5)
    die = s.luck.die(6, "BF-E8.1", 1, 1000, 0, np.arange(RUNS))

    target, aim = aims(s)

    assert (aim == np.where(die >= 4, RANGED_AIM, MELEE_AIM)).all()
    assert (target == 0).all()
    assert sorted(ends(s)) == [(3, 6), (4, 5), (4, 6), (5, 6)]
    assert near(ends(s)[4, 5], 1 / 2)


@pytest.mark.rule("BF-E8.2")
def test_a_bandit_with_nowhere_to_go_fights_hand_to_hand() -> None:
    _, s = on_open_ground((2, 2), [at(1, 1)], [{"type": "bandits"}], 100)

    target, aim = aims(s)

    assert (target == 0).all()
    assert (aim == MELEE_AIM).all()


@pytest.mark.rule("BF-E8.4", "BF-E8.5")
@pytest.mark.parametrize(("move", "column", "shoots"), [(6, 7, True), (3, 7, True), (2, 8, False), (1, 9, False)])
def test_a_bandit_takes_the_fewest_steps_to_a_shot_or_comes_closer(move: int, column: int, shoots: bool) -> None:
    _, s = on_open_ground((12, 3), [at(1, 2)], [{"type": "bandits", "move": move}], 300)
    move_model(s, 0, 10, 2)

    target, aim = aims(s)

    assert {x for x, _ in ends(s)} == {column}
    assert (target == (0 if shoots else -1)).all()
    assert (aim == (RANGED_AIM if shoots else NO_AIM)).all()


@pytest.mark.rule("BF-E9", "BF-G8")
@pytest.mark.parametrize(("kind", "place"), [("hellbats", (2, 1)), ("stranglers", (4, 1))])
def test_only_models_that_pass_cross_occupied_squares(kind: str, place: tuple[int, int]) -> None:
    _, s = on_open_ground((6, 1), [at(1, 1)], [{"type": "tentacles"}, {"type": kind}], 5)
    move_model(s, 1, 6, 1)
    move_model(s, 0, 3, 1)
    move_model(s, 1, 4, 1)

    aims(s, slot=1)

    assert set(ends(s, 1)) == {place}
    assert set(ends(s, 0)) == {(3, 1)}


@pytest.mark.rule("BF-E10", "BF-G8")
@pytest.mark.parametrize(("switch", "large", "small"), [("on", (2, 1), (4, 1)), ("off", (4, 1), (3, 1))])
def test_large_models_push_smaller_ones_aside(switch: str, large: tuple[int, int], small: tuple[int, int]) -> None:
    enemies = [{"type": "tentacles"}, {"type": "slashers"}]
    _, s = on_open_ground((6, 1), [at(1, 1)], enemies, 5, switches={"large_displace": switch})
    move_model(s, 1, 6, 1)
    move_model(s, 0, 3, 1)
    move_model(s, 1, 4, 1)

    aims(s, slot=1)

    assert set(ends(s, 1)) == {large}
    assert set(ends(s, 0)) == {small}


@pytest.mark.rule("BF-E10")
def test_nobody_pushes_what_cannot_be_moved() -> None:
    _, s = on_open_ground((6, 1), [at(1, 1)], [{"type": "corpse_pile"}, {"type": "slashers"}], 5)
    move_model(s, 1, 6, 1)
    move_model(s, 0, 3, 1)
    move_model(s, 1, 4, 1)

    aims(s, slot=1)

    assert set(ends(s, 1)) == {(4, 1)}
    assert set(ends(s, 0)) == {(3, 1)}


@pytest.mark.rule("BF-E12", "BF-E6.3")
@pytest.mark.parametrize(("kind", "aim"), [("auto_turrets", RANGED_AIM), ("corpse_pile", NO_AIM)])
def test_immobile_models_stay(kind: str, aim: int) -> None:
    _, s = on_open_ground((6, 6), [at(1, 1)], [{"type": kind, "init": 5}], 20)
    before = ends(s)

    _, how = aims(s)

    assert ends(s) == before
    assert (how == aim).all()


@pytest.mark.rule("BF-E14", "BF-S15")
@pytest.mark.parametrize("choice", ["random", "best_for_party"])
def test_ambushers_stand_next_to_few_heroes_if_the_party_chooses(choice: str) -> None:
    fight = {"ambush": True, "switches": {"party_choice": choice}}
    _, s = on_open_ground((7, 5), [at(3, 3), at(5, 3)], [{"type": "scourge_rats"}], 1000, **fight)

    between = any(x == 4 for x, _ in ends(s))

    assert between == (choice == "random")


@pytest.mark.rule("BF-E14", "BF-E5.3")
@pytest.mark.parametrize(("choice", "columns"), [("random", {3, 4, 5}), ("best_for_party", {4, 5})])
def test_melee_models_too(choice: str, columns: set[int]) -> None:
    enemies = [{"type": "tentacles", "move": 4}]
    _, s = on_open_ground((7, 7), [at(4, 2), at(2, 1)], enemies, 1000, switches={"party_choice": choice})
    move_model(s, 0, 4, 5)

    target, _ = aims(s)

    behind = {s.ground.board.coords[int(spot)] for spot in s.spot[0, target == 0]}
    assert behind == {(x, 1) for x in columns}  # (3,1) is next to the other hero


@pytest.mark.rule("BF-A4")
def test_a_hit_whose_damage_is_not_stated_does_1() -> None:
    enemy = {"type": "tentacles", "damage": 0, "th_melee": 2, "abilities": {"smash": True}}
    fight = {"board": "none", "heroes": [TOUGH | {"defense": 6}], "enemies": [enemy]}
    _, s = ready(fight, 500)
    s.round = 1

    activate_group(s, int(s.kind[0, 0]), np.arange(500))

    assert set(s.wounds[0].tolist()) == {0, 1, 2, 3}
