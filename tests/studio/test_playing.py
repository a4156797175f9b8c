"""What a page shows is what the commands give for the same runs and seed, to the last digit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from sim.core.outcomes import Outcome
from sim.results.adjusted import LuckSums
from sim.results.sequences import rate_sequence
from sim.results.statistics import looks
from sim.runs.runner import run
from sim.scenario import load
from sim.studies.compare import compare
from sim.studio.crew import Crew
from sim.studio.playing import Memory, Playing, Watcher

EASY, HARD = "overhill/duel-skeleton", "overhill/solo-four-skeletons"


def with_memory(work: Callable[[Memory], Awaitable[None]]) -> None:
    async def whole() -> None:
        crew = Crew(2)
        await crew.start()
        try:
            await work(Memory(crew))
        finally:
            await crew.stop()

    asyncio.run(whole())


async def rest(playing: Playing[object], precision: float) -> None:
    watcher = Watcher()
    with playing.watched(watcher, precision):
        while not playing.resting:
            await watcher.news.wait()
            watcher.news.clear()


def test_a_watched_fight_has_the_sums_of_the_command() -> None:
    async def work(memory: Memory) -> None:
        scenario = load(HARD)
        watching = memory.watching(scenario, 7)
        await rest(watching, 2.0)

        expected = run(scenario, runs=watching.runs, seed=7, jobs=1)

        assert watching.summary == replace(expected.sums, luck=LuckSums())
        assert watching.win_rate is not None
        assert 100 * watching.win_rate.margin <= 2.0

    with_memory(work)


def test_a_fight_that_rests_uses_no_processor_and_goes_on_where_it_was() -> None:
    async def work(memory: Memory) -> None:
        watching = memory.watching(load(HARD), 1)
        await rest(watching, 2.0)
        played = watching.runs

        while memory.crew.busy:  # what was under way is broken off
            await asyncio.sleep(0.01)
        await rest(watching, 2.0)
        assert watching.runs == played
        assert memory.watching(load(HARD), 1) is watching
        await rest(watching, 0.5)  # far more runs than a first large piece can have
        assert watching.runs > played
        command = run(load(HARD), runs=watching.runs, seed=1, jobs=1)
        assert watching.summary == replace(command.sums, luck=LuckSums())

    with_memory(work)


def test_hardly_more_runs_are_played_than_the_precision_needs() -> None:
    async def work(memory: Memory) -> None:
        watching = memory.watching(load(HARD), 1)
        await rest(watching, 2.5)  # as a value of a curve: pieces grow eightfold, so the next could be far too large
        assert watching.win_rate is not None

        share, least = watching.win_rate.value, 64
        while 100 * rate_sequence(round(share * least), least).margin > 2.5:
            least += 1

        assert least <= 1.2 * watching.runs
        assert watching.runs <= 1.2 * least

    with_memory(work)


def test_nobody_plays_when_nobody_watches_any_more() -> None:
    async def work(memory: Memory) -> None:
        watching = memory.watching(load("p52/four-on-four"), 1)
        watcher = Watcher()
        with watching.watched(watcher, 0.2):
            await watcher.news.wait()
        while memory.crew.busy:
            await asyncio.sleep(0.01)
        played = watching.runs

        assert played < 1_000_000
        await rest(watching, 50.0)
        assert watching.runs >= played

    with_memory(work)


def test_a_against_b_is_what_compare_says() -> None:
    async def work(memory: Memory) -> None:
        first = load("overhill/crypt-swarm")
        second = first.changed(sets=["enemies[0].count=6"])
        comparing = memory.comparing(first, second, 3)
        await rest(comparing, 1.0)

        answer = compare(first, {"B": ["enemies[0].count=6"]}, seed=3, jobs=1)

        expected = answer.tables[0].rows[0]
        assert comparing.runs == answer.settings["runs"]
        assert comparing.difference() == expected["win_rate"]
        assert comparing.difference("party_hp") == expected["party_hp"]
        assert comparing.runs in looks()

    with_memory(work)


def test_a_fight_that_cannot_be_played_rests_with_its_reason() -> None:
    async def work(memory: Memory) -> None:
        broken = memory.watching(load(EASY), 1)
        object.__setattr__(broken.scenario, "content", "{}")
        await rest(broken, 1.0)

        assert broken.problem
        assert broken.summary is None

    with_memory(work)


def test_a_walkover_needs_few_runs() -> None:
    async def work(memory: Memory) -> None:
        watching = memory.watching(load(EASY).changed(sets=["heroes[0].max_health=99", "heroes[0].health=99"]), 1)
        await rest(watching, 1.0)

        assert watching.summary is not None
        assert watching.summary.ended(Outcome.WIN) > 0
        assert watching.runs < 10_000

    with_memory(work)
