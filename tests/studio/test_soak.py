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
from tests.studio.conftest import Visitor

SECONDS = float(os.environ.get("FAIRFIGHT_STUDIO_SOAK_SECONDS", "180"))  # an hour before a release
GROWTH = 60_000_000  # bytes that the server may grow after it has warmed up


def memory_of(process: int) -> int:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.soak
def test_random_clicks_leave_no_trace(visitor: Visitor) -> None:
    chance = random.Random(5)
    folder = Folder(visitor.running.folder)
    names = [name for name in scenario_names() if name.startswith("overhill/")]
    warm, until, clicks = 0, time.monotonic() + SECONDS, 0
    while time.monotonic() < until:
        fight = open_fight(Variant(chance.choice(names)), folder)
        field = chance.choice([one for one in form_of(fight).all_fields() if one.turns])
        value = chance.choice([*map(str, range(-2, 30)), "", "x", "1d6", "9" * 30])
        address = Address(fight.variant.with_value(field.path, value), seed=chance.randrange(9), precision=2.0)
        if chance.random() < 0.3:
            address = address.keeping("A")
        assert visitor.client.get(f"/fight?{address.query}").status_code == 200
        page = chance.choice(["/watch", "/watch", f"/around?path={field.path}&"])
        with visitor.client.stream("GET", f"{page.rstrip('&')}{'&' if '?' in page else '?'}{address.query}") as stream:
            assert stream.status_code in (200, 404)
            for _, line in zip(range(chance.randrange(4)), stream.iter_lines(), strict=False):
                assert isinstance(line, str)
        clicks += 1
        if not warm and time.monotonic() > until - 0.7 * SECONDS:
            warm = memory_of(visitor.running.process.pid)

    assert clicks > 20
    assert visitor.get("/").status_code == 200
    assert memory_of(visitor.running.process.pid) < warm + GROWTH
