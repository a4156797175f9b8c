"""What taking the known luck out of a win rate gains, and what it costs, on one even fight of every game.

The gain is the variance of the raw rate over that of the adjusted one: so many times more runs would be needed without.
The price is what keeping account adds to the processor time of the same runs, played in turns; the pilot, which is
played once beforehand, stands beside it.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from sim.core.engine import play
from sim.core.known_luck import Worths
from sim.core.pilot import learned
from sim.results.adjusted import FIRST, LuckSums, adjusted_rate
from sim.scenario import load

# Between 40 and 75 % of them are won.
EVEN: dict[str, dict[str, Any]] = {
    "overhill/playtest-1": {"enemies.skeleton.count": 7},
    "p52/hall-scaling": {"heroes[0].hp": 18, "heroes[0].max_hp": 18},
    "brimstone/high_noon": {"enemies[0].count": 7},
    "second_era/se_clash_scaled_1": {},
}
RUNS = 16_384
TURNS = 7
GOAL, MOST_PRICE = 1.6, 0.10


def bench_known_luck() -> list[dict[str, Any]]:
    """A row a game."""
    return [_measured(name, values) for name, values in EVEN.items()]


def _measured(name: str, values: dict[str, Any]) -> dict[str, Any]:
    encounter, runs = load(name, values=values).encounter(), np.arange(RUNS) + FIRST
    play(encounter, 1, runs[:512])  # fills look-up tables
    start = time.process_time()
    worths = learned(encounter, 1)
    pilot = time.process_time() - start
    plain, account = [], []
    for _ in range(TURNS):
        for kept, seconds in ((Worths(), plain), (worths, account)):
            start = time.process_time()
            outcomes = play(encounter, 1, runs, worths=kept)
            seconds.append(time.process_time() - start)
    won = int((outcomes.outcome == 0).sum())
    found = adjusted_rate(won, RUNS, RUNS, LuckSums.of(outcomes))
    return {
        "scenario": name,
        "values": values,
        "win_rate": round(won / RUNS, 4),
        "adjusted_gain": 1.0 if found is None else round(found.gain, 3),
        "price": round(min(account) / min(plain) - 1, 3),
        "pilot_s": round(pilot, 2),
        "plain_runs_per_s": round(RUNS / min(plain)),
    }


def print_known_luck(rows: list[dict[str, Any]]) -> None:
    """One sentence a game."""
    print("The same win rate from fewer runs, with the known luck taken out:")
    for row in rows:
        enough = row["adjusted_gain"] >= GOAL
        print(
            f"{row['scenario']} ({100 * row['win_rate']:.0f} % won): {row['adjusted_gain']:.2f} times fewer runs "
            f"({'goal met' if enough else 'below the goal'}: {GOAL:g}), each {100 * row['price']:.0f} % dearer "
            f"(goal: under {100 * MOST_PRICE:.0f} %), after a pilot of {row['pilot_s']:.2f} s"
        )


if __name__ == "__main__":
    print_known_luck(bench_known_luck())
