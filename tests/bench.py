"""`make bench`: encounters per second of the engine beside the scalar referee, in one run on one core.

The referee is driven by Python's own `random`: it is what a designer would have written instead. Where there is a
player in C (tests/limit), it is timed too: the limit. They are timed in turns, in seconds of processor time, and the
best of several rounds counts, so that a busy machine disturbs all alike. The time of 256 runs shows what the calls of
NumPy cost by themselves; a batch has as many of them. The wall clock is used where it is the point: jobs, studies, and
the first result.

`python -m tests.bench overhill/playtest-1 p52/duel` times some of the fights alone and writes nothing.
"""

from __future__ import annotations

import importlib
import json
import math
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import sim
from sim.core.engine import Encounter, play, play_batches
from sim.runs.pieces import BATCH
from tests.bench_evenings import bench_evenings, print_evenings
from tests.bench_known_luck import bench_known_luck, print_known_luck
from tests.bench_limit import limit_of, limit_speed
from tests.bench_studies import bench_studies, bench_variants, print_studies, print_variants
from tests.bench_studio import bench_studio, print_studio
from tests.bench_workshop import bench_workshop, print_workshop
from tests.oracle.luck import PythonLuck

OUT = Path("reports/bench.json")
PIECE = 4 * BATCH  # runs at a time: a piece of work of a long run
FEW = 256  # so few runs that calls of NumPy are all that counts
FEWEST_TURNS, TURNS = 3, 6
ENOUGH = 4.0  # seconds of engine time for one fight

# Every reference scenario of Overhill, and the fights of the other games that their goals are about.
FIGHTS = [
    ("overhill/duel-skeleton", "plain"),
    ("overhill/solo-four-skeletons", "plain"),
    ("overhill/gobbo-trio", "plain"),
    ("overhill/playtest-1", "plain"),
    ("overhill/playtest-1-early", "plain"),
    ("overhill/playtest-1-ladder", "plain"),
    ("overhill/crypt-swarm", "cautious"),
    ("overhill/ghoul-pack", "cautious"),
    ("overhill/wight-court", "cautious"),
    ("overhill/warband", "cautious"),
    ("overhill/warband", "focus_expert"),
    ("overhill/narrow-stair", "plain"),
    ("overhill/gobbo-dungeon", "cautious"),
    ("overhill/wandering-undead", "cautious"),
    ("p52/duel", "brawler"),
    ("p52/hall-scaling", "brawler"),
    ("p52/four-on-four", "focus_fire"),
    ("brimstone/tentacle_hall", "aggressive"),
    ("brimstone/tentacle_hall", "focus_fire"),
    ("brimstone/cult_rifles", "focus_fire"),
    ("second_era/se_jailbreak", "aggressive"),
    ("second_era/se_dungeon", "focus_fire"),
]


def main() -> None:
    """Time everything, print tables beside the last committed figures, write reports/bench.json."""
    before = json.loads(OUT.read_text()) if OUT.exists() else {}
    asked_for = sys.argv[1:]
    rows = [bench_fight(name, policy) for name, policy in FIGHTS if not asked_for or name in asked_for]
    print_fights(rows, before)
    if asked_for:
        return
    evenings = bench_evenings()
    print()
    print_evenings(evenings)
    known_luck = bench_known_luck()
    print()
    print_known_luck(known_luck)
    studies, workshop = bench_studies(), bench_workshop()
    print()
    print_studies(studies)
    variants = bench_variants()
    print_variants(variants)
    print()
    print_workshop(workshop)
    studio = bench_studio()
    print()
    print_studio(studio)
    jobs, memory, first = bench_jobs(), bench_memory(), bench_first_result()
    print(f"\n2 jobs against 1 on {jobs['runs']:,} runs: ", end="")
    print(f"{jobs['one_s']:.1f} s -> {jobs['two_s']:.1f} s, {jobs['ratio']:.2f}x")
    print("Peak memory: " + ", ".join(f"{runs:,} runs {mib:.0f} MiB" for runs, mib in memory))
    print(f"First result of a fresh `fairfight run`: {first:.2f} s")
    result = {
        "scenarios": rows,
        "evenings": evenings,
        "known_luck": known_luck,
        "studies": [*studies, variants, *workshop],
        "studio": studio,
        "jobs": jobs,
        "memory": memory,
        "first_result_s": first,
        "machine": {"python": platform.python_version(), "numpy": np.__version__, "system": platform.system()},
    }
    OUT.write_text(json.dumps(result, indent=1) + "\n")
    print(f"Written to {OUT}.")


def bench_fight(name: str, policy: str) -> dict[str, Any]:
    """Engine, referee and limit on one scenario."""
    scenario = sim.load(name, policy=policy)
    encounter = scenario.encounter()
    oracle = importlib.import_module(f"tests.oracle.{scenario.ruleset.name}")
    prepared = oracle.prepare(scenario.data)
    luck = PythonLuck(1)
    limit = limit_of(scenario)
    seconds_of(encounter, 0, 512)  # fills look-up tables
    fastest = oracle_rate = limit_rate = spent = 0.0
    few = 99.0
    turn = 0
    while turn < FEWEST_TURNS or (spent < ENOUGH and turn < TURNS):
        seconds = seconds_of(encounter, turn * PIECE, PIECE)
        spent += seconds
        fastest = max(fastest, PIECE / seconds)
        few = min(few, seconds_of(encounter, 0, FEW))
        oracle_rate = max(oracle_rate, oracle_speed(oracle, prepared, luck))
        if limit is not None:
            limit_rate = max(limit_rate, limit_speed(limit, turn * PIECE, PIECE))
        turn += 1
    outcomes = play(encounter, 1, np.arange(BATCH))
    turns = float(outcomes.rounds.mean()) * len(encounter.cast.units)
    return {
        "scenario": name,
        "policy": policy,
        "rounds_mean": round(float(outcomes.rounds.mean()), 2),
        "runs_per_s": round(fastest),
        "unit_turns_per_s": round(fastest * turns),
        "oracle_runs_per_s": round(oracle_rate),
        "ratio": round(fastest / oracle_rate, 1),
        "batch_ms": round(1000 * BATCH / fastest, 1),
        "few_ms": round(1000 * few, 1),
        **({"limit_runs_per_s": round(limit_rate), "of_limit": round(fastest / limit_rate, 3)} if limit else {}),
    }


def seconds_of(encounter: Encounter[Any], first: int, count: int) -> float:
    """Processor time for so many runs, in batches as a long run plays them."""
    batches = np.array_split(np.arange(first, first + count), -(-count // BATCH))
    start = time.process_time()
    for _ in play_batches(encounter, 1, batches):
        pass
    return time.process_time() - start


def oracle_speed(oracle: Any, prepared: Any, luck: PythonLuck, seconds: float = 0.5) -> float:
    """Encounters per second of the referee."""
    done, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        oracle.play(prepared, luck)
        done += 1
    return done / (time.process_time() - start)


def bench_jobs(runs: int = 10_000_000) -> dict[str, Any]:
    """A long run with one and with two workers: the best of two turns each."""
    seconds = {1: math.inf, 2: math.inf}
    for _ in range(2):
        for jobs in seconds:
            start = time.perf_counter()
            sim.run("overhill/crypt-swarm", runs=runs, seed=1, jobs=jobs, keep="summary", progress=False)
            seconds[jobs] = min(seconds[jobs], time.perf_counter() - start)
    return {"runs": runs, "one_s": seconds[1], "two_s": seconds[2], "ratio": seconds[1] / seconds[2]}


def bench_memory() -> list[tuple[int, float]]:
    """Peak memory of runs of growing length, each in a process of its own."""
    script = (
        "import sys, resource, sim; sim.run('overhill/playtest-1', runs=int(sys.argv[1]), seed=1, jobs=1, "
        "keep='summary', progress=False); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = []
    for runs in (500_000, 5_000_000):
        out = subprocess.run([sys.executable, "-c", script, str(runs)], capture_output=True, text=True, check=True)
        peaks.append((runs, int(out.stdout) / 1024))
    return peaks


def bench_first_result() -> float:
    """Wall time of a fresh `fairfight run`."""
    best = 99.0
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "sim", "run", "overhill/playtest-1"], capture_output=True, check=True)
        best = min(best, time.perf_counter() - start)
    return best


def print_fights(rows: list[dict[str, Any]], before: dict[str, Any]) -> None:
    """The table of fights, with the ratio to the figures that were committed last."""
    last = {(row["scenario"], row["policy"]): row["runs_per_s"] for row in before.get("scenarios", [])}
    heads = f"{'rounds':>6} {'runs/s':>8} {'turns/s':>10} {'referee/s':>9} {'ratio':>6} {'batch':>8} "
    heads += f"{'256 runs':>8} {'to last':>8} {'limit/s':>9} {'of limit':>8}"
    print(f"{'scenario':30} {'policy':13} {heads}")
    for row in rows:
        known = last.get((row["scenario"], row["policy"]))
        change = f"{row['runs_per_s'] / known:7.2f}x" if known else "       -"
        limit = f"{row['limit_runs_per_s']:9,} {row['of_limit']:8.0%}" if "of_limit" in row else f"{'-':>9} {'-':>8}"
        print(
            f"{row['scenario']:30} {row['policy']:13} {row['rounds_mean']:6.2f} {row['runs_per_s']:8,} "
            f"{row['unit_turns_per_s']:10,} {row['oracle_runs_per_s']:9,} {row['ratio']:5.1f}x "
            f"{row['batch_ms']:5.0f} ms {row['few_ms']:5.0f} ms {change} {limit}"
        )


if __name__ == "__main__":
    main()
