"""The queue of questions: what is over is listed for a while, and leaves nothing behind that is empty."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sim.studio.address import Address, Variant
from sim.studio.folder import Folder
from sim.studio.questions import QUESTIONS
from sim.studio.queue import MOST_OVER, STUDIES, About, Queue

FIGHT = Address(Variant("overhill/duel-skeleton"))


async def ask_and_cancel(queue: Queue, times: int) -> None:
    """Questions that are cancelled before their turn comes."""
    for _ in range(times):
        one = await queue.put(QUESTIONS["why"], FIGHT, {}, About("A duel"))
        await queue.cancel(one.number)
    await queue.stop()


def test_only_the_latest_questions_that_are_over_are_still_listed(tmp_path: Path) -> None:
    queue = Queue(Folder(tmp_path))

    asyncio.run(ask_and_cancel(queue, MOST_OVER + 5))

    assert [one.number for one in queue.asked] == list(range(5, MOST_OVER + 6))
    assert {one.state for one in queue.asked} == {"cancelled"}


def test_a_cancelled_question_leaves_no_empty_folder(tmp_path: Path) -> None:
    queue = Queue(Folder(tmp_path))

    asyncio.run(ask_and_cancel(queue, 3))

    assert list((tmp_path / STUDIES).iterdir()) == []


def test_who_leads_a_race_is_told_while_it_is_played(tmp_path: Path) -> None:
    queue = Queue(Folder(tmp_path))

    async def ask() -> list[str]:
        one = await queue.put(QUESTIONS["sensitivity"], FIGHT, {"only": "health"}, About("A duel"))
        told: list[str] = []
        async with queue.changed:
            while one.state in ("waiting", "playing"):
                await queue.changed.wait()
                told += [one.so_far] if one.so_far not in ("", *told) else []
        await queue.stop()
        assert one.state == "done", one.said
        return told

    told = asyncio.run(ask())

    assert told[0].startswith("After 1,024 runs: ")
    assert "settled" in told[0]
