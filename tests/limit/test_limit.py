"""The players in C agree with the engine run by run, and say which fights they do not know."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.scenario import Scenario, from_dict, load
from tests.limit import NoCompiler, Unknown, compiler, player, player_of
from tests.limit.fights import overhill_fight, p52_fight

needs_compiler = pytest.mark.skipif(compiler() is None, reason="needs a C compiler (cc, gcc or clang)")

PLAYTEST, DUEL = "overhill/playtest-1", "p52/duel"
FEW = 5  # random fights each time; the others in the soak


def assert_agreement(scenario: Scenario, seed: int, runs: int, first: int = 0) -> None:
    """Every run of the engine is what the player in C makes of it."""
    numbers = np.arange(first, first + runs)
    by_engine, in_c = play(scenario.encounter(), seed, numbers), player_of(scenario).play(seed, numbers)

    differ = (by_engine.outcome != in_c.outcome) | (by_engine.rounds != in_c.rounds)
    differ |= (by_engine.hp != in_c.hp).any(axis=0)
    where = numbers[differ][:5].tolist()
    assert not where, f"{scenario.name}, seed {seed}: runs {where} differ; {scenario.data}"


# ----------------------------------------------------------------------------------------------------------- agreement


@needs_compiler
@pytest.mark.parametrize("seed", [1, 4711, 2**63 + 5])
@pytest.mark.parametrize("fight", [PLAYTEST, DUEL])
def test_the_fights_they_are_for_agree_run_by_run(fight: str, seed: int) -> None:
    assert_agreement(load(fight), seed, runs=2_000, first=10**9 * (seed % 3))


@needs_compiler
@pytest.mark.parametrize(
    ("values", "outcomes"),
    [
        ({"enemies.skeleton.count": 7}, {"WIN", "LOSS"}),
        ({"enemies.skeleton.count": 20, "enemies.zombie.melee": 1}, {"LOSS"}),
        ({"enemies.zombie.defence": 5, "heroes.warrior.health": 3, "level": 4}, {"WIN", "LOSS"}),
        ({"enemies.skeleton.defence": 6, "enemies.skeleton.melee": 0, "switches.round_cap": 3}, {"WIN", "DRAW"}),
        ({"enemies.skeleton.range": 5, "room": "narrow", "heroes.priest.quick": 12}, {"WIN", "LOSS"}),
        ({"enemies.zombie.blunt_defence": 1, "heroes.magic_user.smart": 2, "room": "wide"}, {"WIN", "LOSS"}),
    ],
)
def test_playtest_1_agrees_with_other_numbers(values: dict[str, Any], outcomes: set[str]) -> None:
    scenario = load(PLAYTEST, values=values)

    assert_agreement(scenario, seed=7, runs=1_000)
    ends = player_of(scenario).play(7, np.arange(1_000)).outcome
    assert {Outcome(end).name for end in ends} >= outcomes


@needs_compiler
@pytest.mark.parametrize(
    ("values", "outcomes"),
    [
        ({"enemies[0].max_hp": 30, "heroes[0].max_hp": 12}, {"WIN", "LOSS"}),
        ({"enemies[0].card": "K hearts", "level": 4}, {"WIN", "LOSS"}),
        ({"enemies[0].melee_defence": -12, "heroes[0].armour": 3, "switches.round_cap": 40}, {"WIN", "DRAW"}),
        ({"heroes[0].abilities": {"sword": 1, "parry": 7}, "enemies[0].max_hp": 60}, {"WIN", "LOSS"}),
        ({"heroes[0].hp": 0, "enemies[0].melee": {"target": "4", "damage": "6 + 2*O"}}, {"WIN", "LOSS"}),
        ({"switches.stamina_start": 1, "switches.reshuffle_at": 40, "enemies[0].max_hp": "25*L"}, {"WIN", "LOSS"}),
    ],
)
def test_the_duel_agrees_with_other_numbers(values: dict[str, Any], outcomes: set[str]) -> None:
    scenario = load(DUEL, values=values)

    assert_agreement(scenario, seed=7, runs=1_000)
    ends = player_of(scenario).play(7, np.arange(1_000)).outcome
    assert {Outcome(end).name for end in ends} >= outcomes


@needs_compiler
@pytest.mark.parametrize("fight", [overhill_fight, p52_fight])
def test_random_parties_and_enemies_agree(fight: Any) -> None:
    for number in range(FEW):
        assert_agreement(from_dict(fight(number), name=f"{fight.__name__}({number})"), seed=number, runs=60)


@needs_compiler
@pytest.mark.soak
@pytest.mark.parametrize("fight", [overhill_fight, p52_fight])
def test_many_random_parties_and_enemies_agree(fight: Any) -> None:
    for number in range(FEW, 150):
        assert_agreement(from_dict(fight(number), name=f"{fight.__name__}({number})"), seed=number, runs=250)


@needs_compiler
def test_run_k_is_run_k() -> None:
    some = np.array([4711, 3, 10**12, 17, 0])
    every = player_of(load(PLAYTEST)).play(1, some)

    alone = [player_of(load(PLAYTEST)).play(1, some[k : k + 1]) for k in range(len(some))]

    assert np.array_equal(every.hp, np.concatenate([played.hp for played in alone], axis=1))


# ------------------------------------------------------------------------------------------------------------- refusal


@pytest.mark.parametrize(
    ("fight", "values", "reason"),
    [
        ("overhill/crypt-swarm", {}, "policy"),
        (PLAYTEST, {"policy": "cautious"}, "the policy cautious"),
        (PLAYTEST, {"policy": "plain@0.2"}, "the policy plain@0.2"),
        (PLAYTEST, {"enemies[0].type": "ghoul"}, "the monster ghoul"),
        (PLAYTEST, {"enemies[0].count": "1d6"}, "a rolled number of monsters"),
        (PLAYTEST, {"switches.monster_damage": "margin"}, "monster_damage = margin"),
        (PLAYTEST, {"policy_options.rogue_sneak": True}, "policy_options"),
        (PLAYTEST, {"surprise": True}, "surprise"),
        (PLAYTEST, {"heroes[0].feats": ["accept_the_blade"]}, "Accept the Blade"),
        (PLAYTEST, {"heroes[0].guard": "rear"}, "guard"),
        (DUEL, {"policy": "guardian"}, "the policy guardian"),
        (DUEL, {"heroes[0].class": "wizard"}, "the ability"),
        (DUEL, {"heroes[0].gear": ["light_sword", "leather_shield"], "heroes[0].balance": 2}, "leather_shield"),
        (DUEL, {"heroes[0].gear": []}, "sword"),
        (DUEL, {"enemies[0].card": "calico"}, "the enemy calico"),
        (DUEL, {"switches.enemy_king": "extra"}, "enemy_king = extra"),
        (DUEL, {"board": ".."}, "boards"),
        ("p52/hall-scaling", {}, "boards"),
        ("brimstone/tentacle_hall", {}, "brimstone"),
        ("overhill/gobbo-hole", {}, "adventures"),
    ],
)
def test_a_fight_that_they_do_not_know_is_refused(fight: str, values: dict[str, Any], reason: str) -> None:
    with pytest.raises(Unknown, match=reason):
        player_of(load(fight, values=values))


def test_a_machine_without_a_compiler_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)

    assert compiler() is None
    with pytest.raises(NoCompiler, match="no C compiler"):
        player.build(tmp_path / "players.so")


# --------------------------------------------------------------------------------------------------------- clean code

SANITIZED = """
import ctypes, sys
import numpy as np
from sim.scenario import from_dict, load
from tests.limit import player, player_of
from tests.limit.fights import overhill_fight, p52_fight

library = ctypes.CDLL(sys.argv[1])
player._library = lambda: library
fights = [load("overhill/playtest-1"), load("p52/duel")]
fights += [from_dict(made(number)) for made in (overhill_fight, p52_fight) for number in range(200)]
for scenario in fights:
    player_of(scenario).play(1, np.arange(500))
print("played", len(fights))
"""


@needs_compiler
@pytest.mark.soak
def test_nothing_undefined_happens(tmp_path: Path) -> None:
    found = subprocess.run([compiler() or "cc", "-print-file-name=libasan.so"], capture_output=True, text=True).stdout
    if not Path(found.strip()).is_absolute():
        pytest.skip("this compiler has no address sanitizer that can be loaded beforehand")
    library = tmp_path / "players.so"
    player.build(library, ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
    environment = os.environ | {"LD_PRELOAD": found.strip(), "ASAN_OPTIONS": "detect_leaks=0"}

    out = subprocess.run(
        [sys.executable, "-c", SANITIZED, str(library)], capture_output=True, text=True, env=environment
    )

    assert out.returncode == 0, out.stderr
    assert out.stdout == "played 402\n"
