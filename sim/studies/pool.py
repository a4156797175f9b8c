"""One pool of work for all fights of a study.

A `Card` is a line-up of fights that are played with the same luck, and the pairs among them that are set against each
other. Every card is cut into stretches of runs; the pieces of all cards go into one pool and are added up as they come
back. Run k of every fight is run k, so the cuts leave no trace. With a shelf, what is finished is safe at once and what
is there already is not played again.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.engine import Encounter, play
from sim.errors import SimError
from sim.results.statistics import nothing
from sim.runs.progress import progress_bar
from sim.runs.signals import may_break_off, stop_if_asked
from sim.runs.workers import spread
from sim.studies.answer import Effort
from sim.studies.measures import Marks, PairTally, Tally

if TYPE_CHECKING:
    from sim.runs.cluster import Cluster
    from sim.scenario import Scenario
    from sim.studies.shelf import Shelf

STRETCH = 16_384  # runs of a piece: enough to amortise NumPy's calls, few enough for several pieces in a short study
SMALLEST = 2_048  # runs of a piece, where there would be too few pieces for everybody
WORTH_A_POOL = 2.0  # seconds of work left for one process that justify starting others


@dataclass(frozen=True, slots=True)
class Fight:
    """A scenario and the luck it is played with."""

    scenario: Scenario
    seed: int


@dataclass(frozen=True, slots=True)
class Card:
    """Fights on the same runs, and which of them are set against each other (first, second)."""

    fights: tuple[Fight, ...]
    pairs: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """The sums of a card."""

    fights: tuple[Tally, ...]
    pairs: tuple[PairTally, ...]

    def __add__(self, other: Score) -> Score:
        return Score(
            tuple(mine + theirs for mine, theirs in zip(self.fights, other.fights, strict=True)),
            tuple(mine + theirs for mine, theirs in zip(self.pairs, other.pairs, strict=True)),
        )


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of runs of a card: what is sent to a worker."""

    card: Card
    first: int
    count: int

    @property
    def encounters(self) -> int:
        """How many encounters are played for it, at most."""
        return len(self.card.fights) * self.count


@lru_cache(maxsize=64)
def _encounter(scenario: Scenario) -> Encounter[Any]:
    """Compiled once in each process; a study has more fights than the scenarios' own memory holds."""
    return scenario.ruleset.compile(scenario.model)


@lru_cache(maxsize=8)
def _marks(fight: Fight, first: int, count: int) -> Marks:
    """The runs of a fight; remembered, because one baseline stands on many cards."""
    encounter = _encounter(fight.scenario)
    return Marks.of(play(encounter, fight.seed, np.arange(first, first + count, dtype=np.int64)), encounter.cast)


def play_piece(piece: Piece) -> tuple[Score, float]:
    """The sums of a piece and the seconds it took."""
    started = time.perf_counter()
    marks = [_marks(fight, piece.first, piece.count) for fight in piece.card.fights]
    score = Score(
        tuple(Tally.of(own) for own in marks),
        tuple(PairTally.of(marks[one], marks[other]) for one, other in piece.card.pairs),
    )
    return score, time.perf_counter() - started


@dataclass(slots=True)
class Pool:
    """Plays cards, in this process, across several or on a cluster, and counts the effort."""

    title: str
    jobs: int | None = None  # None starts other processes only when that pays
    progress: bool | None = None
    stretch: int = STRETCH
    shelf: Shelf | None = None  # where finished pieces are kept
    cluster: Cluster | None = None  # where to play; None for processes on this machine
    most_jobs: int = 1
    started: float = field(default_factory=time.perf_counter)
    rate: float = 0.0  # encounters a second of one process, measured
    played: dict[Fight, int] = field(default_factory=dict)  # how many runs of each fight, those on the shelf included
    resumed: int = 0  # encounters that were on the shelf already
    games: dict[str, Scenario] = field(default_factory=dict)  # ruleset -> one of its fights; the workers know these

    def play(self, cards: Sequence[Card], first: int, stop: int) -> list[Score]:
        """Runs `first` to `stop - 1` of every card."""
        return self.play_spans([(card, first, stop) for card in cards])

    def play_spans(self, spans: Sequence[tuple[Card, int, int]]) -> list[Score]:
        """Of every card a span of runs of its own, all in one pool."""
        scores: list[Score | None] = [None] * len(spans)

        def add(at: int, score: Score) -> None:
            before = scores[at]
            scores[at] = score if before is None else before + score

        pieces: list[tuple[int, Piece]] = []
        kept: set[tuple[Fight, int, int]] = set()
        stretch = self._stretch_for(spans)
        stop_if_asked()
        for at, (card, first, stop) in enumerate(spans):
            for piece, score in self._cut(card, first, stop, stretch):
                if score is None:
                    pieces.append((at, piece))
                else:
                    add(at, score)
                    kept |= {(fight, piece.first, piece.count) for fight in piece.card.fights}
        pieces.sort(key=lambda entry: (entry[1].first, entry[0]))  # so that a common baseline is played once
        expected = sum(piece.encounters for _, piece in pieces)
        done = 0
        with progress_bar(self.title, self.progress) as report, closing(self._through(pieces)) as going:
            for at, piece, score in going:
                if self.shelf is not None:
                    self.shelf.keep(piece, score)
                add(at, score)
                done += piece.encounters
                report(done, expected, nothing("several fights"))
                if done < expected:
                    stop_if_asked()
        for fight, runs in {(fight, stop - first) for card, first, stop in spans for fight in card.fights}:
            self.played[fight] = self.played.get(fight, 0) + runs
        self.resumed += sum(count for _, _, count in kept)
        return [score for score in scores if score is not None]

    def _stretch_for(self, spans: Sequence[tuple[Card, int, int]]) -> int:
        """How many runs make a piece: shorter ones where there would be too few for all processes."""
        jobs = self._jobs_for(sum(len(card.fights) * (stop - first) for card, first, stop in spans))
        pieces = sum(-(-(stop - first) // self.stretch) for _, first, stop in spans)
        if jobs == 1 or pieces >= 2 * jobs:
            return self.stretch
        share = sum(stop - first for _, first, stop in spans) // (2 * jobs)
        return min(self.stretch, max(SMALLEST, share))

    def _cut(self, card: Card, first: int, stop: int, stretch: int) -> Iterator[tuple[Piece, Score | None]]:
        """Runs `first` to `stop - 1` in pieces, with the score of those that are on the shelf."""
        if self.shelf is not None:
            yield from self.shelf.cut(card, first, stop, stretch)
            return
        for start in range(first, stop, stretch):
            yield Piece(card, start, min(stretch, stop - start)), None

    def _through(self, pieces: list[tuple[int, Piece]]) -> Generator[tuple[int, Piece, Score]]:
        """The pieces, here as long as that is quickest, then across processes; on the cluster if there is one."""
        at, left = 0, sum(piece.encounters for _, piece in pieces)
        while at < len(pieces):
            jobs = self._jobs_for(left)
            if self.cluster is not None or (jobs > 1 and len(pieces) - at > 1):
                self.most_jobs = max(self.most_jobs, jobs)
                rest = pieces[at:]
                self._check_workers(rest)
                results = spread(play_piece, [piece for _, piece in rest], jobs, _worker_died, cluster=self.cluster)
                with closing(results):
                    for (card, piece), (score, _) in zip(rest, results, strict=True):
                        yield card, piece, score
                return
            card, piece = pieces[at]
            with may_break_off():
                score, seconds = play_piece(piece)
            self.rate = piece.encounters / max(seconds, 1e-6)
            yield card, piece, score
            at, left = at + 1, left - piece.encounters

    def _check_workers(self, pieces: list[tuple[int, Piece]]) -> None:
        """Refuse a cluster whose workers have other versions, also of a game that comes up only now."""
        if self.cluster is None:
            return
        found = {fight.scenario.ruleset_name: fight.scenario for _, piece in pieces for fight in piece.card.fights}
        if not found.keys() <= self.games.keys():
            self.games = found | self.games
            self.cluster.check(*self.games.values())

    def _jobs_for(self, encounters: int) -> int:
        if self.cluster is not None:
            return self.cluster.processes()
        if self.rate == 0.0 or self.jobs == 1:
            return 1
        if self.jobs is None and encounters / self.rate < WORTH_A_POOL:
            return 1
        from joblib import cpu_count

        return self.jobs if self.jobs is not None and self.jobs > 0 else int(cpu_count())

    @property
    def encounters(self) -> int:
        """How many encounters the study rests on."""
        return sum(self.played.values())

    def effort(self, otherwise: int | None = None, plain_way: str = "independent luck") -> Effort:
        """What was played so far, beside what the plain way would have needed."""
        return Effort(self.encounters, self.seconds, self.most_jobs, otherwise, plain_way, self.resumed)

    @property
    def seconds(self) -> float:
        """How long the study has taken so far."""
        return time.perf_counter() - self.started


def _worker_died(piece: Piece, times: int) -> SimError:
    names = ", ".join(dict.fromkeys(fight.scenario.name for fight in piece.card.fights))
    return SimError(
        f"{names}: a worker process died {times} times while playing runs {piece.first:,} to "
        f"{piece.first + piece.count - 1:,}. Most often the machine ran out of memory: try fewer processes (--jobs 1). "
        "With --out what is finished is kept, and --resume goes on with it."
    )
