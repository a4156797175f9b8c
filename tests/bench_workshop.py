"""How long a designer waits: price lists, a search for better play in each game, and every number of some fights.

`python -m tests.bench_workshop` prints the rows, with names of parts (`prices`, `improve`, `sensitivity`) only those;
`bench_workshop()` gives them to `make bench`, which keeps them beside the other studies. Seconds are wall clock, for
whoever waits, and beside them those of the processor, which a busy machine does not change. The goals: a list of five
enemies to 5 % of each price in 60 s on Overhill and 10 minutes on a board; at least 5 points over the weakest policy of
each game on three fights in 60 s each, or the proof that there are none; every number of a fight in 45 s. Lists and
numbers use two cores.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import sim
from sim.studies.answer import Answer
from tests.bench_studies import print_studies, row

PRICED = {
    "overhill/playtest-1": ("skeleton", "zombie", "armored_zombie", "ghoul", "gobbo"),
    "p52/hall-scaling": ("K hearts", "K clubs", "Q spades", "J hearts", "K diamonds"),
    "brimstone/high_noon": ("undead_outlaws", "stranglers", "tentacles", "slashers", "night_terrors"),
    "second_era/se_wolves": ("draugr", "scamp", "bandit_archer", "alpha_wolf", "clannfear"),
}
LEVELS = {"p52/hall-scaling": 5}  # at which several of each make an even fight
WEAKEST = {  # the policy that wins least in each game, and three of its fights
    "random_legal": (
        "overhill/crypt-swarm",
        "overhill/warband",
        "overhill/wight-court",
        "p52/corridor-ambush",
        "p52/apprentice-den",
        "p52/hall-scaling",
        "brimstone/high_noon",
        "brimstone/tentacle_hall",
        "brimstone/strangler_den",
    ),
    "random": ("second_era/se_clash_scaled", "second_era/se_patrol", "second_era/se_wolves"),
}
BOARDS = ("p52/hall-scaling", "brimstone/high_noon", "second_era/se_dungeon")
QUIET: dict[str, Any] = {"progress": False, "seed": 1, "jobs": 1}


def bench_workshop(parts: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The rows of the workshop; of some parts only if they are named."""
    every: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {
        "prices": bench_prices,
        "improve": bench_improve,
        "sensitivity": bench_sensitivity,
    }
    return [one for name, rows in every.items() if name in (parts or every) for one in rows()]


def bench_prices(
    priced: Mapping[str, Sequence[str]] | None = None, *, precision: float = 5.0, runs: int = 500, jobs: int = 2
) -> Iterator[dict[str, Any]]:
    """Price lists to some percent of every price, so many runs of every line-up."""
    for fight, units in (priced or PRICED).items():
        scenario = sim.load(fight, set={"level": LEVELS[fight]} if fight in LEVELS else None)
        answer = sim.price(scenario, units, precision=precision, runs=runs, **QUIET | {"jobs": jobs})
        found = row(f"price of {len(units)} enemies of {fight} to {precision:g} %", answer)
        check = {"line_ups": answer.settings["line_ups"], "mean_error": answer.on_top["check"]["mean_error_points"]}
        yield found | check | {"widest_percent": widest(answer.on_top["prices"])}


def bench_improve(
    weakest: Mapping[str, Sequence[str]] | None = None, *, seconds: float = 60.0, generations: int = 1
) -> Iterator[dict[str, Any]]:
    """Better play than the weakest policy: the race of all policies, and so many generations if there is time."""
    for policy, fights in (weakest or WEAKEST).items():
        for fight in fights:
            scenario = sim.load(fight, policy=policy)
            timed, answer = _timed(
                lambda: sim.improve(scenario, budget=seconds, generations=generations, runs=1_000, **QUIET)  # noqa: B023
            )
            gain = {key: round(100 * answer.on_top[key], 1) for key in ("before", "after", "gain", "gain_low")}
            left = round(100 * answer.facts["at_most_left"], 1)
            yield row(f"improve {policy} of {fight}", answer) | timed | gain | {"at_most_left": left}


def bench_sensitivity(boards: Sequence[str] = BOARDS, runs: int = 10_000, jobs: int = 2) -> Iterator[dict[str, Any]]:
    """Every number of a fight of each board game, moved: at most so many runs of each, as the moves race."""
    for fight in boards:
        answer = sim.sensitivity(fight, runs=runs, **QUIET | {"jobs": jobs})
        yield row(f"sensitivity of {fight}, up to {runs:,} runs", answer)


def _timed(ask: Callable[[], Answer]) -> tuple[dict[str, float], Answer]:
    began = time.process_time()
    answer = ask()
    return {"processor_seconds": round(time.process_time() - began, 1)}, answer


def widest(prices: Sequence[dict[str, Any]]) -> float:
    """Half the widest interval, in percent of its price: how well the least known price is known."""
    return round(max(50 * (one["high"] - one["low"]) / abs(one["price"]) for one in prices), 1)


def print_workshop(rows: Sequence[dict[str, Any]]) -> None:
    """The rows, and what the seconds have bought."""
    print_studies(rows)
    for one in rows:
        if "widest_percent" in one:
            known = f"the least known price is known to {one['widest_percent']:g} % after {one['line_ups']} line-ups"
            print(f"{one['scenario']}: {known}, the list is off by {one['mean_error']:.1f} points.")
        elif "gain" in one:
            busy = f"{one['scenario']}: {one['processor_seconds']:g} s of the processor"
            won = f"{one['before']:g} % won before, {one['after']:g} % after"
            print(f"{busy}; {won}, {one['gain']:g} points more ({one['gain_low']:g} at least).")


if __name__ == "__main__":
    print_workshop(bench_workshop(sys.argv[1:]))
