"""How long a designer waits: a price list, a search for better play, and every number of a fight of each board game.

`python -m tests.bench_workshop` prints the rows; `bench_workshop()` gives them to `make bench`, which keeps them beside
the other studies. These are wall clock: the goals are seconds of somebody who waits (a price list of five enemies of
Overhill to 5 % of each price, and a search for better play, in 60 s each; every number of a fight in 45 s on two
cores).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sim
from tests.bench_studies import print_studies, row

PRICED = "overhill/playtest-1"
FIVE = ("skeleton", "zombie", "armored_zombie", "ghoul", "gobbo")
IMPROVED, WEAK_POLICY = "overhill/crypt-swarm", "plain"
BOARDS = ("p52/hall-scaling", "brimstone/high_noon", "second_era/se_dungeon")


def bench_workshop(
    *,
    precision: float = 5.0,
    line_up_runs: int = 500,
    seconds: float = 60.0,
    boards: Sequence[str] = BOARDS,
    runs: int = 10_000,
    jobs: int = 2,
) -> list[dict[str, Any]]:
    """The rows of the workshop.

    Args:
        precision: of every price, in percent of it.
        line_up_runs: of every line-up that is priced.
        seconds: that the search for better play may take.
        boards: fights of which every number is moved.
        runs: of every such move, at most: the moves race.
        jobs: processes for that; the goal is 45 s on two cores.
    """
    quiet: dict[str, Any] = {"progress": False, "seed": 1, "jobs": 1}
    prices = sim.price(PRICED, FIVE, precision=precision, runs=line_up_runs, **quiet)
    better = sim.improve(sim.load(IMPROVED, policy=WEAK_POLICY), budget=seconds, **quiet)
    by_two = quiet | {"jobs": jobs}
    moved = [
        row(f"sensitivity of {fight}, up to {runs:,} runs", sim.sensitivity(fight, runs=runs, **by_two))
        for fight in boards
    ]
    return [
        row(f"price of five enemies to {precision:g} %", prices) | {"widest_percent": widest(prices.on_top["prices"])},
        row(f"improve {WEAK_POLICY}, a budget of {seconds:g} s", better) | {"gain": better.on_top["gain"]},
        *moved,
    ]


def widest(prices: Sequence[dict[str, Any]]) -> float:
    """Half the widest interval, in percent of its price: how well the least known price is known."""
    return round(max(50 * (one["high"] - one["low"]) / abs(one["price"]) for one in prices), 1)


def print_workshop(rows: Sequence[dict[str, Any]]) -> None:
    """The rows, and what the seconds have bought."""
    print_studies(rows)
    for one in rows:
        if "widest_percent" in one:
            print(f"The least known of the prices is known to {one['widest_percent']:g} %.")
        if "gain" in one:
            print(f"Better play: {one['verdict']}")


if __name__ == "__main__":
    print_workshop(bench_workshop())
