"""A long time of random clicks: everything is answered, and memory stays what it is."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import pytest

from tests.browsers import chromium, opened
from tests.studio.conftest import Visitor, children_of
from tests.studio.random_clicks import Hand, Program

SECONDS = 60 * float(os.environ.get("FAIRFIGHT_STUDIO_SOAK_MINUTES", "60"))
OFTEN = 5.0  # seconds between two looks at the memory
GROWTH = 30 << 20  # bytes by which the last quarter of the time may lie above the one before
MOST = 1 << 30  # bytes that nobody may ever hold
WARM = 20 * 60  # seconds after which half of the time is enough to have met every kind of fight
FEWEST = 8  # clicks, however slow the machine is
STAY = 40  # clicks on one page until another fight is opened by its address


def memory_of(process: int) -> int:
    """What a process holds; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def workers_of(studio: int) -> list[int]:
    """The processes that play for the pages; studies are processes too, but end with their answer."""
    return [one for one in children_of(studio) if "sim.studio.worker" in _command_of(one)]


def _command_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


@dataclass
class Memory:
    """What the studio and its workers hold, again and again."""

    studio: int
    server: list[int] = field(default_factory=list)
    workers: list[int] = field(default_factory=list)  # the largest of them
    page: list[int] = field(default_factory=list)

    def look(self, hand: Hand) -> None:
        """Once more."""
        self.server.append(memory_of(self.studio))
        self.workers.append(max(map(memory_of, workers_of(self.studio)), default=0))
        self.page.append(hand.heap())


def grown(seen: Sequence[int]) -> int:
    """By how much the last quarter of the time lies above the one before: by then everything is warm."""
    quarter = max(1, len(seen) // 4)
    return round(median(seen[-quarter:]) - median(seen[len(seen) // 2 : -quarter] or seen[-quarter:]))


@pytest.mark.soak
@pytest.mark.browser
def test_random_clicks_leave_no_trace(visitor: Visitor) -> None:
    program = Program(visitor, random.Random(5))
    memory = Memory(visitor.running.process.pid)
    until, looked = time.monotonic() + SECONDS, 0.0

    with chromium() as browser, opened(browser, accept_downloads=True) as page:
        name, value = next(iter(visitor.client.cookies.items()))
        page.context.add_cookies([{"name": name, "value": value, "url": visitor.running.root}])
        hand = Hand(page, visitor.running, random.Random(6))
        clicks = 0
        while time.monotonic() < until or clicks < FEWEST:
            if clicks % STAY == 0:
                hand.open()
            program.click()
            hand.click()
            clicks += 1
            if time.monotonic() > looked + OFTEN:
                memory.look(hand)
                looked = time.monotonic()

    print(f"\n{clicks} clicks by a program ({program.did}), {hand.clicks} by hand, {hand.left} left")
    for who, seen in {"server": memory.server, "largest worker": memory.workers, "page": memory.page}.items():
        tenths = [seen[at * len(seen) // 10] >> 20 for at in range(10)] + [seen[-1] >> 20]
        print(f"{who}: {' '.join(map(str, tenths))} MiB, grown by {grown(seen) / (1 << 20):.1f}")
    assert visitor.get("/").status_code == 200
    assert hand.clicks > hand.left
    assert hand.wrong == []
    assert hand.elsewhere == []
    for seen in (memory.server, memory.workers, memory.page):
        assert max(seen) < MOST
        assert SECONDS < WARM or grown(seen) < GROWTH
