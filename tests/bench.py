"""`make bench`: encounters per second of the engine beside the scalar referee, in one run on one core.

The referee is driven by Python's own `random`: it is what a designer would have written instead. Engine and referee are
timed in turns and the best of several rounds counts, so that a busy machine disturbs both alike.
"""

from __future__ import annotations

import importlib
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import sim
from sim.core.engine import play
from sim.runner import BATCH
from tests.oracle.luck import PythonLuck

OUT = Path("reports/bench.json")
ROUNDS = 3

# Every reference scenario of every game; the goals of the design in encounters/s relative to the referee.
FIGHTS = {
    "overhill": [
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
    ],
}


def main() -> None:
    """Time everything, print tables, write reports/bench.json."""
    rows = [bench_fight(name, policy) for fights in FIGHTS.values() for name, policy in fights]
    print_fights(rows)
    result = {
        "scenarios": rows,
        "jobs": bench_jobs(),
        "memory": bench_memory(),
        "first_result_s": bench_first_result(),
        "machine": {"python": platform.python_version(), "numpy": np.__version__, "system": platform.platform()},
    }
    jobs, memory = result["jobs"], result["memory"]
    print(f"\n2 jobs against 1 on {jobs['runs']:,} runs: {jobs['one_s']:.1f} s -> {jobs['two_s']:.1f} s, {jobs['ratio']:.2f}x")
    print("Peak memory: " + ", ".join(f"{runs:,} runs {mib:.0f} MiB" for runs, mib in memory))
    print(f"First result of a fresh `fairfight run`: {result['first_result_s']:.2f} s")
    OUT.write_text(json.dumps(result, indent=1) + "\n")
    print(f"Written to {OUT}.")


def bench_fight(name: str, policy: str) -> dict[str, Any]:
    """Engine and referee on one scenario."""
    scenario = sim.load(name, policy=policy)
    encounter = scenario.encounter()
    oracle = importlib.import_module(f"tests.oracle.{scenario.ruleset.name}")
    prepared = oracle.prepare(scenario.data)
    outcomes = play(encounter, 1, np.arange(BATCH))  # fills look-up tables
    luck = PythonLuck(1)
    engine = oracle_rate = 0.0
    for turn in range(ROUNDS):
        runs = np.arange(BATCH * 2) + turn * BATCH * 2
        engine = max(engine, rate(lambda runs=runs: [play(encounter, 1, part) for part in np.split(runs, 2)], len(runs)))  # type: ignore[misc]
        oracle_rate = max(oracle_rate, oracle_speed(oracle, prepared, luck))
    turns = float(outcomes.rounds.mean()) * len(encounter.cast.units)
    return {
        "scenario": name,
        "policy": policy,
        "rounds_mean": round(float(outcomes.rounds.mean()), 2),
        "runs_per_s": round(engine),
        "unit_turns_per_s": round(engine * turns),
        "oracle_runs_per_s": round(oracle_rate),
        "ratio": round(engine / oracle_rate, 1),
    }


def oracle_speed(oracle: Any, prepared: Any, luck: PythonLuck, seconds: float = 0.4) -> float:
    """Encounters per second of the referee."""
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        oracle.play(prepared, luck)
        done += 1
    return done / (time.perf_counter() - start)


def rate(work: Callable[[], Any], runs: int) -> float:
    """Runs per second of some work."""
    start = time.perf_counter()
    work()
    return runs / (time.perf_counter() - start)


def bench_jobs(runs: int = 3_000_000) -> dict[str, Any]:
    """A long run with one and with two workers."""
    seconds = {}
    for jobs in (1, 2):
        start = time.perf_counter()
        sim.run("overhill/crypt-swarm", runs=runs, seed=1, jobs=jobs, keep="summary", progress=False)
        seconds[jobs] = time.perf_counter() - start
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


def print_fights(rows: list[dict[str, Any]]) -> None:
    """The table of fights."""
    print(f"{'scenario':30} {'policy':13} {'rounds':>6} {'runs/s':>10} {'unit-turns/s':>13} {'referee/s':>10} {'ratio':>7}")
    for row in rows:
        print(
            f"{row['scenario']:30} {row['policy']:13} {row['rounds_mean']:6.2f} {row['runs_per_s']:10,} "
            f"{row['unit_turns_per_s']:13,} {row['oracle_runs_per_s']:10,} {row['ratio']:6.1f}x"
        )


if __name__ == "__main__":
    main()
