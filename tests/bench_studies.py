"""How many encounters studies take, beside what independent luck and equal allocation would have needed.

`python -m tests.bench_studies` prints the table; `bench_studies()` gives it to `make bench`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

import sim
from sim.core.engine import play
from sim.core.variants import can_share, play_variants
from sim.studies.answer import Answer
from sim.studies.sensitivity import all_moves

LADDER, PLAYTEST = "overhill/playtest-1-ladder", "overhill/playtest-1"
EIGHT = {"enemies.skeleton.count": 8}  # a fight in the balance: 48 %
EVERY = 4  # one variant in so many is played alone too, for comparison
HALL, SEVEN = "p52/hall-scaling", {"level": 7}  # another one, drawn from a deck of cards: 59 %


def row(what: str, answer: Answer) -> dict[str, Any]:
    """One line of the table."""
    effort = answer.effort
    return {
        "what": what,
        "study": answer.question,
        "scenario": answer.scenario.name,
        "runs": effort.encounters,
        "verdict": answer.verdicts[0],
        "seconds": round(effort.seconds, 2),
        "encounters": effort.encounters,
        "plain_way": effort.plain_way,
        "otherwise": effort.otherwise,
        "saving": round(effort.saving, 2) if math.isfinite(effort.saving) else None,
    }


def bench_studies() -> list[dict[str, Any]]:
    """A comparison to ±0.5 points, a sweep of 20 points to ±1 point, a tuned knob to ±1 point; and single steps."""
    quiet: dict[str, Any] = {"progress": False, "seed": 1}
    even = sim.load(PLAYTEST, set=EIGHT)
    melee, one_more = {"attack +1": {"enemies.skeleton.melee": 4}}, {"one more": {"enemies.skeleton.count": 9}}
    zombies = {"zombie attack +1": {"enemies.zombie.melee": 5}}
    hall = sim.load(HALL, set=SEVEN)
    hearts = {"king of hearts": {"enemies[0].max_hp": "13*L"}}  # 12 per level in the book
    return [
        row("compare ±0.5: skeleton attack +1, level ladder", sim.compare(LADDER, melee, precision=0.5, **quiet)),
        row("compare ±0.5: ninth skeleton, playtest 1", sim.compare(even, one_more, precision=0.5, **quiet)),
        row("compare ±0.5: zombie attack +1, playtest 1", sim.compare(even, zombies, precision=0.5, **quiet)),
        row(
            "compare ±0.5: all three steps at once",
            sim.compare(even, melee | one_more | zombies, precision=0.5, **quiet),
        ),
        row("compare until decided: ninth skeleton", sim.compare(even, one_more, **quiet)),
        row("compare ±0.5: king of hearts max_hp +1 per level", sim.compare(hall, hearts, precision=0.5, **quiet)),
        row("sweep of 20 points to ±1", sim.sweep(PLAYTEST, {"enemies.skeleton.count": range(1, 21)}, **quiet)),
        row("tune to ±1: skeletons for 65 %", sim.tune(PLAYTEST, "enemies.skeleton.count", "win_rate=0.65", **quiet)),
        row("sensitivity, 5,000 runs each", sim.sensitivity(LADDER, runs=5_000, only="enemies", **quiet)),
    ]


def bench_variants(fight: str = HALL, runs: int = 1_000) -> dict[str, Any]:
    """Every number of a fight moved, so many runs each: in shared batches, and each alone (every fourth of them)."""
    base = sim.load(fight)
    encounters = [base.encounter(), *(move.fight.encounter() for move in all_moves(base)[0])]
    numbers = np.arange(runs)
    play(encounters[0], 1, numbers[:256])  # fills look-up tables
    begun = time.process_time()
    play_variants(encounters, 1, numbers)
    together = time.process_time() - begun
    few = encounters[::EVERY]
    begun = time.process_time()
    for encounter in few:
        play(encounter, 1, numbers)
    alone = (time.process_time() - begun) * len(encounters) / len(few)
    first, *others = encounters
    return {
        "what": f"{len(encounters)} variants x {runs:,} runs, processor time",
        "study": "variants",
        "scenario": fight,
        "runs": len(encounters) * runs,
        "seconds": round(together, 2),
        "alone_seconds": round(alone, 2),
        "times": round(alone / together, 1),
        "sharing": sum(can_share(first, other) for other in others) + 1,
    }


def print_variants(one: dict[str, Any]) -> None:
    """What shared batches save."""
    print(f"{one['scenario']}, {one['what']}: {one['alone_seconds']:.1f} s each alone, ", end="")
    print(f"{one['seconds']:.1f} s in shared batches ({one['sharing']} share one), {one['times']:.1f}x")


def print_studies(rows: Sequence[dict[str, Any]]) -> None:
    """The table of studies."""
    print(f"{'study':52} {'seconds':>8} {'encounters':>11} {'otherwise':>11} {'saving':>7}  plain way")
    for one in rows:
        beside = f"{'-':>11} {'-':>7}"
        if one["saving"] is not None:
            beside = f"{one['otherwise']:11,} {one['saving']:6.1f}x  {one['plain_way']}"
        print(f"{one['what']:52} {one['seconds']:8.2f} {one['encounters']:11,} {beside}")


if __name__ == "__main__":
    print_studies(bench_studies())
    print_variants(bench_variants())
