"""What an evening costs beside its fights played one by one, in processor time, on one core.

Five fights with a long rest between them: every party comes fresh to each, so that both sides of the comparison play
the same fights and the rest is what it costs to carry a party on, to look after it and to add up the tables.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import sim
from sim.results.scenes import scenes_of
from sim.runs.pieces import BATCH, RunsPiece
from sim.scenario import Scenario, from_dict

FIGHTS = ("playtest-1", "gobbo-trio", "narrow-stair", "crypt-swarm", "wandering-undead")
SIZES = (2_048, BATCH)
TURNS = 4
GOAL = 1.2
LEVEL = 2


def bench_evenings() -> list[dict[str, Any]]:
    """The evening and its fights, timed in turns as a worker plays and sums them up; the best of several counts."""
    party = sim.load("overhill/playtest-1").data
    fights = [sim.load(f"overhill/{name}").data for name in FIGHTS]
    ours = {key: party[key] for key in ("heroes", "policy")} | {"level": LEVEL}
    scenes = [scene for name in FIGHTS for scene in ({"fight": name}, {"rest": "long"})][:-1]
    evening = from_dict({"ruleset": "overhill", "title": "five fights", "scenes": scenes} | ours)
    alone = [from_dict(fight | ours) for fight in fights]
    return [_compared(evening, alone, size) for size in SIZES]


def _compared(evening: Scenario, alone: Sequence[Scenario], size: int) -> dict[str, Any]:
    sums = RunsPiece(evening, 1, 0, size).play().summary
    came = [round(size * scene.reached.value) for scene in scenes_of(sums, evening.encounter().cast)[::2]]

    def whole() -> None:
        RunsPiece(evening, 1, 0, size).play()

    def one_by_one() -> None:
        for fight, runs in zip(alone, came, strict=True):
            RunsPiece(fight, 1, 0, runs).play()

    one_by_one()
    together, apart = 99.0, 99.0
    for _ in range(TURNS):
        together, apart = min(together, _seconds(whole)), min(apart, _seconds(one_by_one))
    return {"runs": size, "evening_s": together, "fights_s": apart, "ratio": together / apart}


def _seconds(work: Callable[[], None]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def print_evenings(rows: list[dict[str, Any]]) -> None:
    """One line a size."""
    for row in rows:
        print(
            f"An evening of five fights, {row['runs']:,} runs: {row['evening_s']:.2f} s, one by one "
            f"{row['fights_s']:.2f} s, {row['ratio']:.2f}x (goal: at most {GOAL:g}x)"
        )
