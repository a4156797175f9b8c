"""Rewards, gauntlets and whole runs, shown by the scalar referee."""

from __future__ import annotations

import pytest

from tests.oracle.luck import AddressedLuck, PythonLuck
from tests.oracle.p52 import SCENARIOS, play, prepare
from tests.oracle.p52.attacks import hero_attack
from tests.oracle.p52.data import CHOICES, PRESETS
from tests.oracle.p52.play import reward
from tests.oracle.p52_table import ability, foe, table
from tests.oracle.random_p52 import random_scenario


@pytest.mark.rule("P52-X2", "P52-X3", "P52-C7")
def test_a_kill_gives_experience_and_perhaps_an_item() -> None:
    fight = table([13, 1, 11], [{"class": "fighter"}], [foe("J clubs", hp=1)])
    hero = fight.heroes[0]
    hero_attack(fight, hero, ability(hero, "sword"), fight.enemies[0], stamina=False)
    reward(fight)
    assert fight.outcome == "win"
    assert (hero.counts.xp, hero.counts.kills, hero.counts.drops) == (1 + 3 + 5, 1, 1)


@pytest.mark.rule("P52-X5")
def test_a_gauntlet_deals_its_enemies_without_replacement() -> None:
    scenario = {
        "board": "hall",
        "heroes": [{"class": "fighter", "level": 9, "max_hp": 9000}],
        "level": 1,
        "encounters": [{"enemy_deck": {"spots": [[0, 0]] * 4}} for _ in range(3)],
        "switches": {"round_cap": 300, "flee_limit": 0},
    }
    prepared = prepare(scenario)
    for run in range(10):
        result = play(prepared, AddressedLuck(3, run))
        cards = [enemy.name for enemy in result.enemies]
        assert len(set(cards)) == len(cards) == 4 * result.encounters


def test_a_chase_without_end_is_a_stalemate() -> None:
    scenario = {
        "board": "S..\n.#.\n...",
        "heroes": [{"class": "fighter", "movement": 1, "abilities": {"sword": 1}}],
        "enemies": [foe("J clubs", 2, 2, movement=3, max_hp=1000, hp=1)],
        "switches": {"round_cap": 20, "drop_mode": "off"},
    }
    result = play(prepare(scenario), AddressedLuck(1, 0))
    assert (result.outcome, result.rounds, result.stalemate) == ("draw", 20, True)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_reference_scenario_ends_in_both_data_sets(name: str, preset: str) -> None:
    for data_set in CHOICES["data_set"]:
        scenario = dict(SCENARIOS[name])
        scenario["preset"] = preset
        scenario["switches"] = {**scenario.get("switches", {}), "data_set": data_set}
        prepared = prepare(scenario)
        for run in range(3):
            result = play(prepared, AddressedLuck(7, run))
            assert result.outcome in ("win", "loss", "draw")
            assert result.stalemate <= (result.outcome == "draw")


def test_random_scenarios_play_to_their_end_and_repeat_themselves() -> None:
    for seed in range(60):
        prepared = prepare(random_scenario(seed))
        first = play(prepared, AddressedLuck(seed, 1))
        again = play(prepare(random_scenario(seed)), AddressedLuck(seed, 1), trace=[])
        assert (first.outcome, first.rounds, first.xp) == (again.outcome, again.rounds, again.xp)
        assert [unit.hp for unit in first.heroes + first.enemies] == [unit.hp for unit in again.heroes + again.enemies]


def test_the_referee_also_plays_with_common_luck() -> None:
    result = play(prepare(SCENARIOS["great-room"]), PythonLuck(1))
    assert result.rounds > 0
