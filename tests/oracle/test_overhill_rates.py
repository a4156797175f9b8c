"""The referee against exact encounters and win rates sampled elsewhere."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.oracle.luck import PythonLuck
from tests.oracle.overhill import SCENARIOS, play, prepare, scenarios
from tests.oracle.overhill_courses import R, W


def win_rate(scenario: dict[str, Any], runs: int) -> float:
    """Wins among the runs that are not empty, with a fixed seed."""
    prepared = prepare(scenario)
    luck = PythonLuck(2024)
    outcomes = [play(prepared, luck).outcome for _ in range(runs)]
    return outcomes.count("win") / (runs - outcomes.count("empty"))


@pytest.mark.parametrize(
    ("heroes", "enemies", "more", "chance"),
    [
        pytest.param([W], [("skeleton", 4)], {}, 0.847387172783, id="X03"),
        pytest.param([W], [("skeleton", 4)], {"switches": {"defense_die": "quick"}}, 0.748013710012, id="X03h"),
        pytest.param([R], [("gobbo", 3)], {"policy_options": {"rogue_sneak": True}}, 0.671307595485, id="X05a"),
        pytest.param([R], [("ghoul", 4)], {}, 0.811881264582, id="X08a"),
        pytest.param(
            [W, R], [("skeleton", 2), ("zombie", 1)], {"switches": {"monster_targeting": "spread"}}, 0.958816984137,
            id="X07c",
        ),
    ],
)  # fmt: skip
def test_exact_encounters(heroes: Any, enemies: Any, more: Any, chance: float) -> None:
    runs = 4000

    rate = win_rate(scenarios.scenario(heroes, enemies, **more), runs)

    assert abs(rate - chance) < 4 * math.sqrt(chance * (1 - chance) / runs)


@pytest.mark.parametrize(
    ("name", "policy", "percent", "runs"),
    [
        ("solo-four-skeletons", "random_legal", 86.2, 2000),
        ("solo-four-skeletons", "cautious", 84.2, 2000),
        ("solo-four-skeletons", "focus_expert", 88.7, 1000),
        ("playtest-1", "random_legal", 91.3, 1500),
        ("playtest-1", "plain", 98.7, 3000),
        ("crypt-swarm", "random_legal", 44.3, 1000),
        ("crypt-swarm", "plain", 69.1, 2000),
        ("crypt-swarm", "aggressive", 92.0, 1500),
        ("crypt-swarm", "cautious", 72.6, 1500),
        ("crypt-swarm", "focus_expert", 95.8, 800),
        ("ghoul-pack", "random_legal", 96.2, 1000),
        ("wight-court", "random_legal", 64.6, 1000),
        ("wight-court", "plain", 78.9, 1000),
        ("warband", "random_legal", 40.6, 800),
        ("warband", "plain", 84.6, 1000),
        ("warband", "aggressive", 88.2, 800),
        ("warband", "cautious", 81.7, 800),
        ("warband", "focus_expert", 97.5, 500),
        ("narrow-stair", "random_legal", 93.2, 1000),
        ("gobbo-dungeon", "random_legal", 94.1, 1500),
    ],
)
def test_sampled_win_rates(name: str, policy: str, percent: float, runs: int) -> None:
    expected = percent / 100

    rate = win_rate({**SCENARIOS[name], "policy": policy}, runs)

    # the table itself was sampled with 20 000 runs
    assert abs(rate - expected) < 4 * math.sqrt(expected * (1 - expected) * (1 / runs + 1 / 20_000))


@pytest.mark.parametrize(
    ("level", "policy", "percent"),
    [(3, "plain", 80.9), (5, "plain", 10.5), (5, "focus_expert", 93.9), (7, "focus_expert", 50.6)],
)
def test_sampled_win_rates_of_the_ladder(level: int, policy: str, percent: float) -> None:
    runs, expected = 500, percent / 100

    rate = win_rate({**SCENARIOS["playtest-1-ladder"], "level": level, "policy": policy}, runs)

    assert abs(rate - expected) < 4 * math.sqrt(expected * (1 - expected) * (1 / runs + 1 / 5_000))
