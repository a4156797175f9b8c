"""The heavier checks: false alarms while watching, and verdicts against brute force with independent luck."""

from __future__ import annotations

import math

import pytest

import sim
from sim.results.statistics import rate
from sim.studies.race import other_seed

pytestmark = pytest.mark.soak

FIGHT = "overhill/playtest-1-ladder"


def test_two_equal_variants_watched_100_times_give_under_5_percent_false_alarms() -> None:
    watched, alarms = 100, 0
    for number in range(watched):
        # The same fight with luck of its own, watched at every look until it is decided or 30,000 runs are played. The
        # margin is so small that nothing but a false alarm can decide it.
        answer = sim.compare(
            FIGHT,
            {"the same": {}},
            margin=0.001,
            max_runs=30_000,
            seed=other_seed(1_000, 1_000 + number),
            shared_luck=False,
            progress=False,
        )
        found = answer.row("differences", variant="the same")["win_rate"]
        alarms += found.low > 0 or found.high < 0

    assert alarms < 5


@pytest.mark.parametrize(
    "change",
    [
        {"enemies.skeleton.count": 4},
        {"enemies.skeleton.melee": 4},
        {"enemies.zombie.defence": 4},
        {"heroes.priest.max_health": 11},
        {"policy": "cautious"},
    ],
)
def test_a_verdict_agrees_with_brute_force(change: dict[str, object]) -> None:
    answer = sim.compare(FIGHT, {"variant": change}, progress=False)
    runs = 100 * answer.settings["runs"]

    before = sim.run(FIGHT, runs=runs, seed=other_seed(1, 5), keep="summary", progress=False)
    after = sim.run(FIGHT, runs=runs, seed=other_seed(1, 6), keep="summary", progress=False, set=change)

    found = answer.row("differences", variant="variant")["win_rate"]
    old, new = (rate(result.sums.ended(0), runs, confidence=0.9999) for result in (before, after))
    truth, reach = new.value - old.value, math.hypot(old.margin, new.margin)  # two independent samples
    assert found.low <= truth + reach
    assert truth - reach <= found.high
    assert math.copysign(1, found.value) == math.copysign(1, truth)


def test_a_tuned_value_agrees_with_brute_force() -> None:
    answer = sim.tune("overhill/playtest-1", "enemies.skeleton.count", "win_rate=0.65", progress=False)

    rates = {
        count: sim.run(
            "overhill/playtest-1",
            runs=400_000,
            seed=77,
            keep="summary",
            progress=False,
            set={"enemies.skeleton.count": count},
        ).win_rate.value
        for count in (6, 7)
    }

    place = 6 + (rates[6] - 0.65) / (rates[6] - rates[7])
    assert answer.facts["passes_at_low"] <= place <= answer.facts["passes_at_high"]
    assert answer.facts["confirmed"] == pytest.approx(rates[answer.facts["value"]], abs=0.02)


def test_the_breaks_of_a_scale_agree_with_brute_force() -> None:
    answer = sim.scale(FIGHT, range(1, 8), progress=False)

    rates = [
        sim.run(FIGHT, runs=200_000, seed=99, keep="summary", progress=False, set={"level": level}).win_rate
        for level in range(1, 8)
    ]

    breaks = {one["to"] for one in answer.facts["breaks"]}
    assert breaks == {level + 2 for level in range(6) if rates[level + 1].high < rates[level].low}
