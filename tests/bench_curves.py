"""What a curve around a number costs, and whether known luck would make it cheaper: `python -m tests.bench_curves`.

Nine values of a number are played until each win rate is known to ±2.5 points while watching, as the studio does: in
pieces that grow eightfold (`grown`), in pieces no larger than the precision still needs (`cut`, what the studio does),
and with the known luck taken out from run 1,000 on, by worths that one pilot has learned in the fight on the table
(`known`). Processor time of one process, best of the turns; the pilot is told beside it.
"""

from __future__ import annotations

import time
from typing import Any

from sim.core.known_luck import NO_WORTHS, Worths
from sim.core.outcomes import Outcome
from sim.errors import ScenarioError
from sim.results.adjusted import adjusted_rate
from sim.results.sequences import rate_sequence
from sim.results.statistics import Estimate
from sim.results.summary import Summary
from sim.runs.pieces import RunsPiece
from sim.scenario import Scenario, load
from sim.scenario.changes import value_now
from sim.studies.known_luck import worths_of
from sim.studio.around import PRECISION, REACH
from sim.studio.playing import FEWEST_FORESEEN, GROWTH, LARGEST_PIECE, SPARE

TURNS = 2
CORRECTED = 1_500  # runs after which there is an adjusted rate to go by
FIGHTS: dict[str, tuple[dict[str, int], str]] = {  # even ones, and the number that is turned
    "overhill/playtest-1": ({"enemies[0].count": 7}, "enemies[0].count"),
    "second_era/se_clash_scaled_1": ({}, "heroes[0].health"),
    "p52/hall-scaling": ({"heroes[0].hp": 18, "heroes[0].max_hp": 18}, "enemies[0].max_hp"),
    "brimstone/high_noon": ({"enemies[0].count": 7}, "enemies[0].count"),
}


def bench_curves(name: str) -> dict[str, Any]:
    """Runs and seconds for one fight, each way."""
    values, path = FIGHTS[name]
    table = load(name, values=values)
    around = [one for step in range(-REACH, REACH + 1) if (one := _with(table, path, value_now(table, path) + step))]
    for one in around:
        RunsPiece(one, 1, 0, 64).play()
    began = time.process_time()
    worths = worths_of(table)
    found: dict[str, Any] = {"fight": name, "values": len(around), "pilot_s": time.process_time() - began}
    ways = {"grown": (NO_WORTHS, False), "cut": (NO_WORTHS, True), "known": (worths, True)}
    for _ in range(TURNS):
        for way, (those, cut) in ways.items():
            began = time.process_time()
            runs = sum(_runs_until_known(one, those, cut) for one in around)
            seconds = time.process_time() - began
            found |= {f"{way}_runs": runs, f"{way}_s": min(seconds, found.get(f"{way}_s", seconds))}
    return found


def _with(table: Scenario, path: str, value: int) -> Scenario | None:
    try:
        return table.changed(values={path: value})
    except ScenarioError:
        return None  # the number cannot be that small


def _runs_until_known(scenario: Scenario, worths: Worths, cut: bool) -> int:
    summary: Summary | None = None
    size = 1
    while summary is None or 100 * _win(summary).margin > PRECISION:
        first = 0 if summary is None else summary.runs
        count = size
        if summary is not None and worths is not NO_WORTHS and FEWEST_FORESEEN <= first < CORRECTED:
            count = min(size, CORRECTED - first)
        elif summary is not None and cut and first >= FEWEST_FORESEEN:
            likely = int(SPARE * first * (100 * _win(summary).margin / PRECISION) ** 2) + 1
            count = min(size, max(likely - first, size // GROWTH))
        played = RunsPiece(scenario, 1, first, count, worths=worths).play().summary
        summary = played if summary is None else summary + played
        size = min(size * GROWTH, LARGEST_PIECE) if count == size else size
    return summary.runs


def _win(summary: Summary) -> Estimate:
    won = summary.ended(Outcome.WIN)
    found = adjusted_rate(won, summary.encounters, summary.runs, summary.luck, watched=True)
    return rate_sequence(won, summary.encounters) if found is None else found.rate


def main() -> None:
    """All of them."""
    for name in FIGHTS:
        row = bench_curves(name)
        ways = [(way, row[f"{way}_runs"], row[f"{way}_s"]) for way in ("grown", "cut", "known")]
        told = ", ".join(f"{way} {runs:,} runs {seconds:.2f} s" for way, runs, seconds in ways)
        print(f"{name}, {row['values']} values: {told}; pilot {row['pilot_s']:.2f} s", flush=True)


if __name__ == "__main__":
    main()
