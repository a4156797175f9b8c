"""What a very long run would take on a cluster, computed from what was measured.

    python -m tests.plan                                  a billion encounters on 16, 64 and 256 cores
    python -m tests.plan --runs 100e6 --cores 8 --price 0.05

The rates come from reports/bench.json (`make bench`); what goes over the network is measured here, by packing a real
piece of work and its answer; the price of a core for an hour is yours to give.
"""

from __future__ import annotations

import argparse
import json
import pickle
from pathlib import Path
from typing import Any

import sim
from sim.runs.chunks import LARGEST_CHUNK_WITH_TABLES, cut
from sim.runs.pieces import BATCH, RunsPiece, play_piece
from sim.runs.workers import Speed
from sim.storage import encoded

BENCH = Path("reports/bench.json")
MEASURED_HERE = ["overhill/duel-skeleton", "overhill/playtest-1", "overhill/warband"]


def rates() -> tuple[dict[str, float], str]:
    """Encounters per second of one core for some scenarios, and where the figures come from."""
    if BENCH.exists():
        rows = json.loads(BENCH.read_text(encoding="utf-8"))["scenarios"]
        return {f"{row['scenario']} {row['policy']}": float(row["runs_per_s"]) for row in rows}, str(BENCH)
    found = {}
    for name in MEASURED_HERE:
        scenario = sim.load(name)
        piece = RunsPiece(scenario, 1, 0, BATCH)
        play_piece(piece)  # fills look-up tables
        found[f"{name} {scenario.policy}"] = max(BATCH / play_piece(piece).seconds for _ in range(5))
    return found, "the best of five batches, measured just now"


def sizes(name: str) -> dict[str, float]:
    """Bytes: of a piece of work, of its answer, of a run in the tables, of a chunk's sums on disk."""
    scenario = sim.load(name)
    piece = RunsPiece(scenario, 1, 0, BATCH, packed=True)
    played = play_piece(piece)
    tables = sum(len(rows) for rows in played.found.packed.values())
    return {
        "piece": len(pickle.dumps(piece)),
        "answer": len(pickle.dumps(played)) - tables,
        "row": tables / BATCH,
        "kept": len(json.dumps(encoded(played.found.summary))),
    }


def plan(runs: float, rate: float, cores: int, share: float, size: dict[str, float], price: float) -> dict[str, float]:
    """Hours, core-hours, money, chunks and traffic of one plan."""
    core_seconds = runs / rate
    chunks = sum(1 for _ in cut(Speed(rate), 0, int(runs), cores, tables=False))
    return {
        "hours": core_seconds / cores / share / 3600,
        "core_hours": core_seconds / share / 3600,
        "cost": core_seconds / share / 3600 * price,
        "chunks": chunks,
        "traffic_mb": chunks * (size["piece"] + size["answer"]) / 1e6,
        "kept_mb": chunks * size["kept"] / 1e6,
        "table_gb": (runs * size["row"] + runs / LARGEST_CHUNK_WITH_TABLES * size["answer"]) / 1e9,
    }


def _time(hours: float) -> str:
    if hours >= 3:
        return f"{hours:,.1f} h"
    return f"{60 * hours:.0f} min" if hours >= 1 / 20 else f"{3600 * hours:.0f} s"


def main() -> None:
    """Print the plan as a table."""
    options = argparse.ArgumentParser(description="What a very long run would take on a cluster.")
    options.add_argument("--runs", type=float, default=1e9)
    options.add_argument("--cores", type=int, nargs="*", default=[16, 64, 256])
    options.add_argument("--price", type=float, default=0.04, help="of a core for an hour")
    options.add_argument("--share", type=float, default=0.9, help="of a core's time that goes into playing")
    asked: Any = options.parse_args()
    found, source = rates()
    print(f"{asked.runs:,.0f} encounters at {asked.price:g} a core-hour; rates: {source}\n")
    times = " | ".join(f"{cores} cores" for cores in asked.cores)
    print(f"| fight | encounters/s | core-hours | cost | {times} | chunks | traffic | sums kept | tables, if wanted |")
    print("|---|" + "--:|" * (7 + len(asked.cores)))
    for fight, rate in found.items():
        size = sizes(fight.split()[0])
        first = plan(asked.runs, rate, 1, asked.share, size, asked.price)
        hours = [plan(asked.runs, rate, n, asked.share, size, asked.price)["hours"] for n in asked.cores]
        print(
            f"| {fight} | {rate:,.0f} | {first['core_hours']:,.1f} | {first['cost']:,.2f} | "
            + " | ".join(_time(one) for one in hours)
            + f" | {first['chunks']:,.0f} | {first['traffic_mb']:,.0f} MB | {first['kept_mb']:,.0f} MB "
            + f"| {first['table_gb']:,.0f} GB |"
        )


if __name__ == "__main__":
    main()
