"""How soon the studio answers: for every shipped fight the first estimate after a change, and how soon a run stops.

Part of `make bench`. One number of the fight is changed, in an adventure one of an enemy. The clock starts when the
change is sent and stops when the first numbers of the changed fight are on their way to it; for how
soon a run stops, from when the page leaves until no worker has anything to do. The processor time of the studio and its
workers in that while is told too: it is what the wall clock would show if they did nothing at the same time, and other
work on the machine disturbs it less.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

from starlette.requests import Request

from sim.errors import ScenarioError
from sim.scenario import load
from sim.scenario.catalogue import scenario_names
from sim.studio.address import Address, Variant
from sim.studio.fight_pages import FightPages
from sim.studio.fights import OpenFight, open_fight
from sim.studio.folder import Folder
from sim.studio.forms import form_of
from sim.studio.playing import AHEAD, Watcher
from sim.studio.workbench import Workbench

GOAL, STOP_GOAL = 0.5, 0.25  # seconds


def bench_studio() -> list[dict[str, Any]]:
    """Every shipped fight."""
    return asyncio.run(_bench())


async def _bench() -> list[dict[str, Any]]:
    bench = Workbench(Folder(Path.cwd()))
    await bench.open()
    try:
        return [await _one(bench, name) for name in scenario_names()]
    finally:
        await bench.close()


async def _one(bench: Workbench, name: str) -> dict[str, Any]:
    """A fight that is being watched when a number is changed: the page is made, and the first numbers come."""
    pages = FightPages(bench)
    fight = open_fight(Variant(name), bench.folder)
    before = bench.memory.watching(fight.scenario, 1)
    watcher = Watcher()
    with before.watched(watcher, 0.2):
        await watcher.news.wait()
        await asyncio.sleep(0.2)
    left = time.perf_counter()
    while bench.crew.busy:
        await asyncio.sleep(0.001)
    stopped = time.perf_counter() - left
    address = Address(_changed(fight), seed=2, precision=0.2)
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": address.query.encode()}
    spent, asked = _processor_time(bench), time.perf_counter()
    await pages.fight(Request(scope | {"server": ("127.0.0.1", 80), "scheme": "http"}))
    opened = open_fight(address.variant, bench.folder)
    told = pages.told(address, opened)
    async for news in told:
        if "data-share" in news["html"]:
            break
    first, spent = time.perf_counter() - asked, _processor_time(bench) - spent
    runs = bench.memory.watching(opened.scenario, address.seed).runs
    await told.aclose()
    await asyncio.sleep(AHEAD)  # the page has gone, and what was played ahead for it as well
    while bench.crew.busy:
        await asyncio.sleep(0.001)
    return {"scenario": name, "first_s": first, "first_cpu_s": spent, "first_runs": runs, "stop_s": stopped}


def _processor_time(bench: Workbench) -> float:
    """Seconds that the studio and its workers have worked so far; without the workers where the system does not say."""
    spent = time.process_time()
    for worker in bench.crew.processes:
        stat = Path(f"/proc/{worker}/stat")
        if stat.exists():
            user, system = stat.read_text().rpartition(")")[2].split()[11:13]
            spent += (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return spent


def _changed(fight: OpenFight) -> Variant:
    """The fight with one number changed: an enemy's, where that makes a fight."""
    turning = [field for field in form_of(fight).all_fields() if field.turns]
    turning.sort(key=lambda field: "enemies" not in field.path)
    for field in turning:
        variant = fight.variant.with_value(field.path, f"{float(field.typed) + 1:g}")
        try:
            load(fight.variant.fight, sets=variant.sets)
        except ScenarioError:
            continue
        return variant
    raise AssertionError(f"{fight.variant.fight} has no number that can be one more")


def print_studio(rows: list[dict[str, Any]]) -> None:
    """The slowest fights, and how many meet the goals."""
    soon = sum(row["first_s"] <= GOAL for row in rows)
    quick = sum(row["stop_s"] <= STOP_GOAL for row in rows)
    print(f"Studio: first estimate within {GOAL} s for {soon} of {len(rows)} fights, ", end="")
    print(f"stopped within {STOP_GOAL} s for {quick}; the slowest:")
    for row in sorted(rows, key=lambda row: -row["first_s"])[:5]:
        first = f"first {row['first_s']:.2f} s ({row['first_cpu_s']:.2f} s of work, {row['first_runs']:,} runs)"
        print(f"  {row['scenario']:<32} {first}, stopped after {row['stop_s']:.3f} s")


if __name__ == "__main__":
    print_studio(bench_studio())
