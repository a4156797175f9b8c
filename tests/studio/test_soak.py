"""A long time of random clicks: everything is answered, and memory stays what it is."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from sim.scenario.catalogue import scenario_names
from sim.studio.address import Address, Variant
from sim.studio.fights import open_fight
from sim.studio.folder import Folder
from sim.studio.forms import form_of
from tests.studio.conftest import Visitor, children_of

SECONDS = 60 * float(os.environ.get("FAIRFIGHT_STUDIO_SOAK_MINUTES", "60"))
GROWTH = 60_000_000  # bytes that the server may grow after it has warmed up
WORKER_GROWTH = 150_000_000  # the same of a worker, which remembers its last 64 compiled fights


def memory_of(process: int) -> int:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.soak
def test_random_clicks_leave_no_trace(visitor: Visitor) -> None:
    chance = random.Random(5)
    folder = Folder(visitor.running.folder)
    names = [name for name in scenario_names() if name.startswith("overhill/")]
    warm, workers, until, clicks = 0, 0, time.monotonic() + SECONDS, 0
    while time.monotonic() < until:
        fight = open_fight(Variant(chance.choice(names)), folder)
        field = chance.choice([one for one in form_of(fight).all_fields() if one.turns])
        value = chance.choice([*map(str, range(-2, 30)), "", "x", "1d6", "9" * 30])
        address = Address(fight.variant.with_value(field.path, value), seed=chance.randrange(9), precision=2.0)
        if chance.random() < 0.3:
            address = address.keeping("A")
        assert visitor.client.get(f"/fight?{address.query}").status_code == 200
        if chance.random() < 0.2:  # one run is looked at, and played on; a value that does not fit is left out of it
            run = f"{address.query}&run={chance.randrange(50)}"
            assert visitor.client.get(f"/see?{run}").status_code == 200
            assert visitor.client.get(f"/what-if?{run}&round=1&again=100").status_code in (200, 422)
        page = chance.choice(["/watch", "/watch", f"/around?path={field.path}&"])
        with visitor.client.stream("GET", f"{page.rstrip('&')}{'&' if '?' in page else '?'}{address.query}") as stream:
            assert stream.status_code in (200, 404)
            for _, line in zip(range(chance.randrange(4)), stream.iter_lines(), strict=False):
                assert isinstance(line, str)
        clicks += 1
        if not warm and time.monotonic() > until - 0.7 * SECONDS:
            warm = memory_of(visitor.running.process.pid)
            workers = max(map(memory_of, children_of(visitor.running.process.pid)))

    server = memory_of(visitor.running.process.pid)
    largest = max(map(memory_of, children_of(visitor.running.process.pid)))
    print(f"{clicks} clicks; server {warm >> 20} MiB when warm, {server >> 20} at the end;", end=" ")
    print(f"largest worker {workers >> 20} and {largest >> 20} MiB")
    assert clicks > 20
    assert visitor.get("/").status_code == 200
    assert server < warm + GROWTH
    assert largest < workers + WORKER_GROWTH
