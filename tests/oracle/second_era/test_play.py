"""Rounds, the end, whole battles."""

from __future__ import annotations

import re
import tomllib
from math import sqrt
from pathlib import Path
from textwrap import dedent

import pytest

from tests.oracle.luck import AddressedLuck, PythonLuck
from tests.oracle.random_second_era import random_scenario
from tests.oracle.second_era import SCENARIOS, Result, play, prepare
from tests.oracle.second_era import data as tables
from tests.oracle.second_era.examples import (
    ARCHER,
    HALF,
    KNIGHT,
    TWO,
    Faces,
    battle_of,
    enemy,
    every_outcome,
    scenario,
    unit,
)
from tests.oracle.second_era.play import enemy_order, fatigue, hero_turn, play_round
from tests.oracle.second_era.state import Battle

RATES = {  # of the reference scenarios, indicative to 0.03
    "se_duel": (0.92, 1.00, 1.00, 1.00, 1.00),
    "se_jailbreak": (0.91, 1.00, 1.00, 1.00, 1.00),
    "se_patrol": (0.22, 0.36, 0.48, 0.69, 0.33),
    "se_wolves": (0.15, 0.37, 0.89, 0.95, 0.62),
    "se_clash_scaled": (0.13, 0.82, 0.96, 0.95, 0.75),
    "se_dungeon": (0.00, 0.69, 0.89, 0.92, 0.41),
    "se_champion": (0.10, 0.73, 0.82, 0.83, 0.24),
    "se_hound": (0.12, 0.69, 0.63, 0.77, 0.29),
}


def readme_examples() -> list[str]:
    """The indented TOML examples of the ruleset's page."""
    page = Path(__file__).parents[3] / "sim" / "rulesets" / "second_era" / "README.md"
    text = page.read_text(encoding="utf-8").split("## Draw points")[0]
    blocks = re.findall(r"(?:^(?:    .*)?\n)+", text, flags=re.MULTILINE)
    return [dedent(block) for block in blocks if " = " in block]


def check_books(result: Result, heroes: int) -> None:
    """Counts that must agree with each other in every battle."""
    assert sum(result.harm.values()) == sum(result.taken)
    assert all(hp >= 0 for hp in result.hp)
    assert (result.outcome == "loss") == (not any(result.hp[:heroes]))
    places = [place for place in result.hex if place is not None]
    assert len(set(places)) == len(places)
    assert all((place is None) or hp > 0 for place, hp in zip(result.hex, result.hp, strict=True))


@pytest.mark.rule("SE-F1", "SE-R8")
def test_w12_bane_hurts_first_and_then_leaves() -> None:
    hero = unit(5, -2, 0, track=["Bane", "combat"], cooldown=1, stamina=1)
    battle = battle_of([hero], [enemy("ogre", 2, 0)], luck=PythonLuck(1))

    hero_turn(battle, battle.heroes[0])

    assert battle.heroes[0].taken == 1
    assert battle.harm == {(tables.TABLE, 0): 1}
    assert "Bane" not in battle.heroes[0].track


@pytest.mark.rule("SE-R2")
@pytest.mark.parametrize(("track", "losses"), [([], [1, 2, 2]), (["O"], [2, 3, 0])])
def test_w14_fatigue_takes_one_more_every_round(track: list[str], losses: list[int]) -> None:
    battle = battle_of([unit(5, 0, 0, track=track)], [enemy("ogre", 2, 0)])
    hero = battle.heroes[0]
    taken = []

    for number in (6, 7, 8):
        battle.round, before = number, hero.hp
        fatigue(battle)
        taken.append(before - hero.hp)

    assert taken == losses
    assert not hero.standing


@pytest.mark.rule("SE-E1", "SE-E2")
def test_w16_enemies_act_by_level_and_equal_levels_by_lot() -> None:
    kinds = ("skeever", "draugr", "giant", "draugr", "champion")
    ready = prepare(scenario([{**KNIGHT}], [{"type": kind} for kind in kinds], "clash"))

    chances = every_outcome(lambda luck: tuple(one.number for one in enemy_order(Battle(ready, luck))))

    assert chances == {(4, 2, 1, 3, 0): HALF, (4, 2, 3, 1, 0): HALF}


@pytest.mark.rule("SE-X2", "SE-X3")
def test_w32_the_round_is_played_to_its_end() -> None:
    archer = {**ARCHER, "hex": [0, 0], "policy": "aggressive"}
    healer = {"class": "healer", "hex": [-2, 0], "hp": 1, "track": ["L", "L", "Bane"], "policy": "aggressive"}
    crab = enemy("skeever", 2, 0, hp=1)
    battle = battle_of([archer, healer], [crab], luck=Faces(SE_A6=[TWO, TWO, TWO]))

    outcome = play_round(battle)

    assert outcome == "win"
    assert [hero.standing for hero in battle.heroes] == [True, False]


@pytest.mark.rule("SE-X4")
def test_w32_a_companion_cannot_win_alone() -> None:
    knight = unit(1, -2, 0, track=["Bane"])
    battle = battle_of([knight], [enemy("skeever", 1, 0, hp=1)], companions=[{"type": "hound", "hex": [0, 0]}])

    assert play_round(battle) == "loss"


@pytest.mark.rule("SE-X2")
def test_end_check_immediate_stops_after_the_deciding_turn() -> None:
    archer = {**ARCHER, "hex": [0, 0], "policy": "aggressive"}
    healer = {"class": "healer", "hex": [-2, 0], "hp": 1, "track": ["L", "L", "Bane"]}
    luck = Faces(SE_A6=[TWO, TWO, TWO])
    battle = battle_of([archer, healer], [enemy("skeever", 2, 0, hp=1)], luck=luck, switches={"end_check": "immediate"})

    outcome = play_round(battle)

    assert outcome == "win"
    assert battle.heroes[1].standing


@pytest.mark.rule("SE-X5", "SE-X6", "SE-X8")
def test_retreat_comes_before_the_cap_and_only_a_win_earns_xp() -> None:
    far = scenario([unit(5, -2, 0, policy="hold_entrance")], [enemy("ogre", 2, 0, combat=0, skills=[])])
    cap = {**far, "switches": {"round_cap": 3}}
    fled = {**far, "switches": {"round_cap": 1, "retreat": "hp<6"}}

    drawn, retreated = play(prepare(cap), PythonLuck(1)), play(prepare(fled), PythonLuck(1))

    assert (drawn.outcome, drawn.rounds, drawn.xp) == ("draw", 3, 0)
    assert (retreated.outcome, retreated.rounds, retreated.xp) == ("retreat", 1, 0)
    assert play(prepare({**SCENARIOS["se_duel"], "reward": 5}), PythonLuck(1)).xp == 5


@pytest.mark.rule("SE-X1")
def test_eliminate_needs_only_the_marked_enemies() -> None:
    archer = {**ARCHER, "hex": [0, 0], "policy": "aggressive"}
    crabs = [enemy("skeever", 2, 0, hp=1, objective=True), enemy("ogre", -2, 0, combat=0)]
    battle = battle_of([archer], crabs, luck=Faces(SE_A6=[TWO] * 6), objective="eliminate")

    assert play_round(battle) == "win"
    assert battle.enemies[1].standing


@pytest.mark.parametrize("name", list(RATES))
def test_reference_scenarios_are_won_about_as_often_as_the_table_says(name: str) -> None:
    runs = 120
    for policy, rate in zip(tables.POLICY_NAMES, RATES[name], strict=True):
        ready = prepare({**SCENARIOS[name], "policy": policy})
        luck = PythonLuck(11)

        wins = sum(play(ready, luck).outcome == "win" for _ in range(runs))

        likely = min(max(rate, 0.03), 0.97)  # the table is good to 0.03
        assert abs(wins / runs - rate) <= 0.03 + 4 * sqrt(likely * (1 - likely) / runs), (policy, wins / runs)


def test_the_scenario_file_of_the_readme_can_be_played() -> None:
    battle, own_types, drawn_map = (tomllib.loads(block) for block in readme_examples())

    result = play(prepare(battle), AddressedLuck(1, 0))
    squire = {"heroes": [{"class": "squire"}], "enemies": [{"type": "bone_lord"}]}
    own = play(prepare({**SCENARIOS["se_jailbreak"], **own_types, **squire}), AddressedLuck(1, 0))
    own_map = prepare({**SCENARIOS["se_jailbreak"], **drawn_map, "heroes": [{"class": "mage"}]})

    assert result.names[:2] == ["Ann", "hound"]
    assert len(result.names) > 4
    assert own.names == ["squire", "Bone lord", "ogre"]
    assert len(own_map.board.spots) == 22


@pytest.mark.rule("SE-X7")
def test_random_battles_end_and_their_books_balance() -> None:
    outcomes = set()
    for seed in range(250):
        setup = random_scenario(seed)
        ready = prepare(setup)

        result = play(ready, AddressedLuck(seed, 0))

        check_books(result, len(setup["heroes"]))
        assert result.rounds <= ready.switches["round_cap"]
        outcomes.add(result.outcome)
    assert outcomes == {"win", "loss", "draw", "retreat"}


def test_the_same_run_is_the_same_battle_with_or_without_a_trace() -> None:
    for seed in range(20):
        ready = prepare(random_scenario(seed))
        trace: list[str] = []

        first, second = play(ready, AddressedLuck(5, seed)), play(ready, AddressedLuck(5, seed), trace)

        assert first == second
        assert trace
    assert random_scenario(3) == random_scenario(3)
