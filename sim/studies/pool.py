"""One pool of work for all fights of a study.

A `Card` is a line-up of fights that are played with the same luck, and the pairs among them that are set against each
other. Every card is cut into stretches of runs; the pieces of all cards go into one pool and are added up as they come
back. Run k of every fight is run k, so the cuts leave no trace.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.engine import Encounter, play
from sim.crew import spread
from sim.errors import SimError
from sim.progress import progress_bar
from sim.stats import nothing
from sim.studies.answer import Effort
from sim.studies.measures import Marks, PairTally, Tally

if TYPE_CHECKING:
    from sim.scenario import Scenario

STRETCH = 16_384  # runs of a piece: enough to amortise NumPy's calls, few enough for several pieces in a short study
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
    """Plays cards, in this process or across several, and counts the effort."""

    title: str
    jobs: int | None = None  # None starts other processes only when that pays
    progress: bool | None = None
    stretch: int = STRETCH
    most_jobs: int = 1
    started: float = field(default_factory=time.perf_counter)
    rate: float = 0.0  # encounters a second of one process, measured
    played: dict[Fight, int] = field(default_factory=dict)  # how many runs of each fight

    def play(self, cards: Sequence[Card], first: int, stop: int) -> list[Score]:
        """Runs `first` to `stop - 1` of every card."""
        return self.play_spans([(card, first, stop) for card in cards])

    def play_spans(self, spans: Sequence[tuple[Card, int, int]]) -> list[Score]:
        """Of every card a span of runs of its own, all in one pool."""
        pieces = [
            (at, Piece(card, start, min(self.stretch, stop - start)))
            for at, (card, first, stop) in enumerate(spans)
            for start in range(first, stop, self.stretch)
        ]
        pieces.sort(key=lambda entry: (entry[1].first, entry[0]))  # so that a common baseline is played once
        scores: list[Score | None] = [None] * len(spans)
        expected = sum(piece.encounters for _, piece in pieces)
        done = 0
        with progress_bar(self.title, self.progress) as report:
            for at, piece, score in self._through(pieces):
                before = scores[at]
                scores[at] = score if before is None else before + score
                done += piece.encounters
                report(done, expected, nothing("several fights"))
        for fight, runs in {(fight, stop - first) for card, first, stop in spans for fight in card.fights}:
            self.played[fight] = self.played.get(fight, 0) + runs
        return [score for score in scores if score is not None]

    def _through(self, pieces: list[tuple[int, Piece]]) -> Any:
        """The pieces, here as long as that is quickest, then across processes."""
        at = 0
        while at < len(pieces):
            left = sum(piece.encounters for _, piece in pieces[at:])
            jobs = self._jobs_for(left)
            if jobs > 1 and len(pieces) - at > 1:
                self.most_jobs = max(self.most_jobs, jobs)
                rest = pieces[at:]
                results = spread(play_piece, [piece for _, piece in rest], jobs, _worker_died)
                for (card, piece), (score, _) in zip(rest, results, strict=True):
                    yield card, piece, score
                return
            card, piece = pieces[at]
            score, seconds = play_piece(piece)
            self.rate = piece.encounters / max(seconds, 1e-6)
            yield card, piece, score
            at += 1

    def _jobs_for(self, encounters: int) -> int:
        if self.rate == 0.0 or self.jobs == 1:
            return 1
        if self.jobs is None and encounters / self.rate < WORTH_A_POOL:
            return 1
        from joblib import cpu_count

        return self.jobs if self.jobs is not None and self.jobs > 0 else int(cpu_count())

    @property
    def encounters(self) -> int:
        """How many encounters were played in all."""
        return sum(self.played.values())

    def effort(self, otherwise: int | None = None, plain_way: str = "independent luck") -> Effort:
        """What was played so far, beside what the plain way would have needed."""
        return Effort(self.encounters, self.seconds, self.most_jobs, otherwise, plain_way)

    @property
    def seconds(self) -> float:
        """How long the study has taken so far."""
        return time.perf_counter() - self.started


def _worker_died(piece: Piece, times: int) -> SimError:
    names = ", ".join(dict.fromkeys(fight.scenario.name for fight in piece.card.fights))
    return SimError(
        f"{names}: a worker process died {times} times while playing runs {piece.first:,} to "
        f"{piece.first + piece.count - 1:,}. Most often the machine ran out of memory: try fewer processes (--jobs 1)."
    )
