"""The referee's defence, damage and touches against the worked examples W23 to W32."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.oracle.overhill import data, enemy_attacks, play, prepare, state
from tests.oracle.overhill_courses import F, M, P, R, Scripted, W, chances_of, fight_of


def attacked(hero: int = 0, group: int = 0, **before: Any) -> Callable[[state.Fight], state.Hero]:
    """One attack of a group on a hero; `before` sets fields of the hero."""

    def do(fight: state.Fight) -> state.Hero:
        for name, value in before.items():
            setattr(fight.heroes[hero], name, value)
        enemy_attacks.monster_attack(fight, fight.groups[group], fight.heroes[hero], 0)
        return fight.heroes[hero]

    return do


def hit_chance(heroes: Sequence[str], enemies: Sequence[tuple[str, Any]], more: Any = None, **how: Any) -> F:
    """The chance that one attack hits."""
    attack = attacked(**how)
    return chances_of(lambda fight: attack(fight).damage_taken > 0, heroes, enemies, **(more or {})).get(True, F(0))


@pytest.mark.rule("OU-D1", "OU-D2")
def test_w23_a_skeleton_hits_a_warrior() -> None:
    duel = [W], [("skeleton", 1)]

    assert [hit_chance(*duel, stance=stance) for stance in data.STANCES] == [F(3, 8), F(1, 2), F(1, 4)]
    assert hit_chance(*duel, more={"switches": {"dodge_threshold": "meet"}}) == F(1, 4)


@pytest.mark.rule("OU-D2")
def test_w24_a_zombie_hits_a_rogue() -> None:
    duel = [R], [("zombie", 1)]

    assert hit_chance(*duel) == 1
    assert hit_chance(*duel, stance="defensive") == F(3, 4)


@pytest.mark.rule("OU-D3")
def test_w25_damage_of_a_hit() -> None:
    kinds = ("one", "attack", "margin")

    assert [enemy_attacks.damage_of_hit(4, 2, kind, False) for kind in kinds] == [1, 4, 3]
    assert [enemy_attacks.damage_of_hit(4, 4, kind, False) for kind in kinds] == [1, 4, 1]
    assert enemy_attacks.damage_of_hit(4, 2, "margin", True) == 2


@pytest.mark.rule("OU-D4")
def test_w26_w27_health_after_hits() -> None:
    def healths(hero: str, enemy: str, hits: int) -> tuple[list[int], int]:
        fight = fight_of([hero], [(enemy, 1)], Scripted(high=False))
        shown = [fight.heroes[0].health]
        for m in range(hits):
            enemy_attacks.monster_attack(fight, fight.groups[0], fight.heroes[0], m)
            shown.append(fight.heroes[0].health)
        return shown, fight.heroes[0].damage_taken

    assert healths(P, "zombie", 2) == ([8, 4, 0], 8)
    assert healths(W, "skeleton", 4) == ([11, 8, 5, 2, 0], 11)


def blessed_dodge(fight: state.Fight) -> int:
    fight.heroes[0].blessed.add("vigor")
    enemy_attacks.monster_attack(fight, fight.groups[0], fight.heroes[0], 0)
    return fight.heroes[0].dodged


@pytest.mark.rule("OU-U8")
def test_w28_a_blessed_defence() -> None:
    duel = [R], [("skeleton", 1)]

    assert 1 - hit_chance(*duel) == F(1, 4)
    assert chances_of(blessed_dodge, *duel)[1] == F(7, 16)


@pytest.mark.rule("OU-D7")
def test_w29_a_ghoul_paralyses() -> None:
    attack = attacked()
    by_hero = [chances_of(lambda fight: attack(fight).paralysed > 0, [hero], [("ghoul", 1)]) for hero in (W, R)]

    assert [chances[True] for chances in by_hero] == [F(1, 32), F(1, 8)]


@pytest.mark.rule("OU-D8")
def test_w30_a_wight_drains() -> None:
    attack = attacked()
    warrior = chances_of(lambda fight: attack(fight).vigor, [W], [("wight", 1)])
    weakest = chances_of(
        lambda fight: (attack(fight).vigor, fight.heroes[0].damage_taken > 0),
        [{"class": W, "vigor": 2}],
        [("wight", 1)],
    )

    assert warrior == {8: F(15, 16), 6: F(1, 16)}
    assert weakest == {(2, True): 1}
    assert fight_of([W], [("wight", 1)]).rules.check_target > 2


@pytest.mark.rule("OU-R5", "OU-D10")
def test_w31_the_length_of_paralysis() -> None:
    # Two ghouls too tough to kill. In round 3 the first one hits (1), the check fails (1), the d4 shows 2.
    luck = Scripted({("OU-D2", 3, 0): 1, ("OU-D7", 3, 0): 1, ("OU-D7", 3, 2000): 2})
    scenario = {
        "heroes": [{"class": W, "max_health": 50}],
        "enemies": [{"type": "ghoul", "count": 2, "defence": 20}],
        "switches": {"round_cap": 7},
    }

    play(prepare(scenario), luck)
    acted = [round for purpose, round, _, _ in luck.log if purpose == "OU-A3"]
    defended = [(round, m) for purpose, round, _, m in luck.log if purpose == "OU-D2"]

    assert acted == [1, 2, 3, 6, 7]
    assert defended == [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (5, 0), (5, 1), (6, 0), (6, 1), (7, 0), (7, 1)]


@pytest.mark.rule("OU-D1", "OU-E9")
def test_w32_archers_and_their_leader() -> None:
    alone = [("gobbo_archer", 1)]
    led = [("gobbo_archer", 1), ("gobbo_warchief", 1)]

    assert [hit_chance([hero], alone) for hero in (M, W)] == [F(1, 2), F(1, 3)]
    assert [hit_chance([hero], led) for hero in (M, W)] == [F(3, 4), F(1, 2)]
