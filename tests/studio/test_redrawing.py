"""The figures of the report while a fight is played: the same drawings, and not too often."""

from __future__ import annotations

import asyncio

from sim.report.result_figures import result_drawings
from sim.scenario import load
from sim.studio.figures import result_of
from sim.studio.playing import Memory, Watcher
from sim.studio.redrawing import FEWEST_RUNS, Redrawing
from tests.studio.test_playing import HARD, rest, with_memory


async def drawn_of(redrawing: Redrawing) -> bool:
    """Whether figures come of going on."""
    redrawing.watcher.news.clear()
    redrawing.go_on()
    if redrawing._drawing is None:
        return False
    await redrawing.watcher.news.wait()
    return True


def test_they_are_those_of_the_report_and_drawn_again_only_for_twice_as_many_runs() -> None:
    async def work(memory: Memory) -> None:
        scenario = load(HARD)
        watching = memory.watching(scenario, 1)
        redrawing = Redrawing(memory.crew, watching, scenario, Watcher())
        assert not await drawn_of(redrawing)  # nothing is played

        await rest(watching, 2.0)
        assert watching.runs >= FEWEST_RUNS
        assert await drawn_of(redrawing)
        figures = redrawing.take()

        assert figures == list(result_drawings(result_of(watching, scenario)).values())
        assert redrawing.take() is None  # each is shown once
        redrawing._not_before = 0.0
        assert not await drawn_of(redrawing)  # nothing new
        assert await redrawing.last() is None
        await rest(watching, 1.0)
        assert watching.runs >= 2 * redrawing.runs
        redrawing._not_before = float("inf")
        assert not await drawn_of(redrawing)  # too soon after the last drawing
        redrawing._not_before = 0.0
        assert await drawn_of(redrawing)

    with_memory(work)


def test_whoever_wants_no_motion_gets_them_once_at_the_end() -> None:
    async def work(memory: Memory) -> None:
        scenario = load(HARD)
        watching = memory.watching(scenario, 1)
        await rest(watching, 2.0)
        redrawing = Redrawing(memory.crew, watching, scenario, Watcher(), still=True)

        assert not await drawn_of(redrawing)
        assert await redrawing.last()

    with_memory(work)


def test_nothing_is_drawn_for_a_page_that_has_gone() -> None:
    async def work(memory: Memory) -> None:
        scenario = load(HARD)
        watching = memory.watching(scenario, 1)
        await rest(watching, 2.0)
        redrawing = Redrawing(memory.crew, watching, scenario, Watcher())

        redrawing.go_on()
        while not memory.crew.busy:
            await asyncio.sleep(0.01)
        redrawing.stop()
        while memory.crew.busy:  # a drawing that has begun is let come to its end
            await asyncio.sleep(0.01)

        assert redrawing.take() is None

    with_memory(work)
