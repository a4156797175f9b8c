"""One pool of work for all fights of a study.

Every card is cut into stretches of runs; the pieces of all cards go into one pool and are added up as they come back.
Run k of every fight is run k, so the cuts leave no trace. With a folder, what is finished is safe at once and what is
there already is not played again.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from sim.core.branch import AGAIN
from sim.results.statistics import nothing
from sim.runs.progress import progress_bar, say
from sim.runs.signals import StopAsked, stop_if_asked
from sim.runs.workers import Plan, Speed, Workers
from sim.studies.answer import Answer, Effort
from sim.studies.cards import Card, CardPiece, Fight, Score, no_runs_of
from sim.studies.course import COURSE, follows_curves
from sim.studies.record import StudyRecord

STRETCH = 16_384  # runs of a piece: enough to amortise NumPy's calls, few enough for several pieces in a short study
SMALLEST = 2_048  # runs of a piece, where there would be too few pieces for everybody


@dataclass(slots=True)
class Pieces(Plan[Score]):
    """Pieces that were cut beforehand, one after the other."""

    pieces: Sequence[CardPiece]
    at: int = 0  # the next one
    left: int = 0  # encounters

    def __post_init__(self) -> None:
        self.left = sum(piece.encounters for piece in self.pieces)

    @property
    def needs_speed(self) -> bool:
        """They are as they are, however fast it goes."""
        return False

    def next(self, speed: Speed) -> CardPiece:
        """The next piece, for this process; it is not left any more."""
        piece = self.pieces[self.at]
        self.at, self.left = self.at + 1, self.left - piece.encounters
        return piece

    def rest(self, speed: Speed, jobs: int) -> Sequence[CardPiece]:
        """All that is left."""
        return self.pieces[self.at :]


@dataclass(slots=True)
class Pool:
    """Has cards played, and counts the effort."""

    title: str
    workers: Workers = field(default_factory=Workers)
    progress: bool | None = None
    stretch: int = STRETCH
    record: StudyRecord | None = None  # where finished pieces are kept
    started: float = field(default_factory=time.perf_counter)
    played: dict[Fight, int] = field(default_factory=dict)  # how many runs of each fight, those kept before included
    resumed: int = 0  # encounters that were kept before
    short_answers: bool = False  # whether whoever asks can make something of fewer runs, if somebody stops it
    stopped: StopAsked | None = None  # who has stopped it; then what was played is all that there will be
    answer: Answer | None = None  # when it is there
    seen: set[Card] = field(default_factory=set)  # of which something was played
    continuations: int = 0  # of runs that were played on from the middle

    def play(self, cards: Sequence[Card], first: int, stop: int) -> list[Score]:
        """Runs `first` to `stop - 1` of every card."""
        return self.play_spans([(card, first, stop) for card in cards])

    def play_spans(self, spans: Sequence[tuple[Card, int, int]]) -> list[Score]:
        """Of every card a span of runs of its own, all in one pool.

        Fewer runs where somebody stops it on the way, if `short_answers` says so and there are some of every card.
        """
        if self.stopped is not None:
            raise self.stopped
        scores: list[Score | None] = [None] * len(spans)

        def add(at: int, score: Score) -> None:
            before = scores[at]
            scores[at] = score if before is None else before + score

        todo: list[tuple[int, CardPiece]] = []
        kept: set[tuple[Fight, int, int]] = set()
        stretch = self._stretch_for(spans)
        for at, (card, first, stop) in enumerate(spans):
            for piece, score in self._cut(card, first, stop, stretch):
                if score is None:
                    todo.append((at, piece))
                else:
                    add(at, score)
                    kept |= {(fight, piece.first, piece.count) for fight in piece.card.fights}
        todo.sort(key=lambda entry: (entry[1].first, entry[0]))  # so that a common baseline is played once
        try:
            stop_if_asked()
            with closing(self._through([piece for _, piece in todo])) as scored:
                for (at, _), score in zip(todo, scored, strict=True):
                    add(at, score)
        except StopAsked as stop:
            missing = {card for (card, _, _), found in zip(spans, scores, strict=True) if found is None}
            if not self.short_answers or missing - self.seen:
                raise
            self.stopped = stop
        found = [no_runs_of(card) if one is None else one for one, (card, _, _) in zip(scores, spans, strict=True)]
        self.seen |= {card for card, _, _ in spans}
        self._count(spans, found)
        self.resumed += sum(count for _, _, count in kept)
        return found

    def _count(self, spans: Sequence[tuple[Card, int, int]], scores: Sequence[Score]) -> None:
        """Note how many runs of each fight there were; a fight on several cards is played once."""
        runs: dict[tuple[Fight, int, int], int] = {}
        rounds: dict[tuple[Fight, int, int], int] = {}  # along which the chance was followed
        for (card, first, stop), score in zip(spans, scores, strict=True):
            for fight, tally in zip(card.fights, score.fights, strict=True):
                span = fight, first, stop
                runs[span] = max(runs.get(span, 0), tally.runs)
                if follows_curves(fight.asked) and tally.course is not None:
                    rounds[span] = max(rounds.get(span, 0), tally.course.totals[-1])
        self.continuations += sum(score.curves.continuations for score in scores if score.curves is not None)
        self.continuations += AGAIN * sum(rounds.values())
        for (fight, _, _), count in runs.items():
            self.played[fight] = self.played.get(fight, 0) + count

    def _stretch_for(self, spans: Sequence[tuple[Card, int, int]]) -> int:
        """How many runs make a piece: shorter ones where there would be too few for all processes."""
        jobs = self.workers.jobs_for(sum(card.effort * (stop - first) for card, first, stop in spans))
        pieces = sum(-(-(stop - first) // self.stretch) for _, first, stop in spans)
        if jobs == 1 or pieces >= 2 * jobs:
            return self.stretch
        share = sum(stop - first for _, first, stop in spans) // (2 * jobs)
        return min(self.stretch, max(SMALLEST, share))

    def _cut(self, card: Card, first: int, stop: int, stretch: int) -> Iterator[tuple[CardPiece, Score | None]]:
        """Runs `first` to `stop - 1` in pieces, with the score of those that are kept."""
        stretch = min(stretch, card.together)
        if self.record is not None:
            yield from self.record.cut(card, first, stop, stretch)
            return
        for start in range(first, stop, stretch):
            yield CardPiece(card, start, min(stretch, stop - start)), None

    def _through(self, pieces: list[CardPiece]) -> Generator[Score]:
        """What the workers make of the pieces, each kept at once."""
        plan = Pieces(pieces)
        expected, done = plan.left, 0
        with progress_bar(self.title, self.progress) as report, closing(self.workers.play(plan)) as going:
            for piece, played in zip(pieces, going, strict=True):
                if self.record is not None:
                    self.record.keep(piece, played.found)
                done += piece.encounters
                report(done, expected, nothing("several fights"))
                yield played.found

    def say(self, line: str) -> None:
        """A line for whoever watches, where there is a progress bar."""
        say(line, self.progress)

    @property
    def encounters(self) -> int:
        """How many encounters the study rests on, those played on from the middle included."""
        playings = ((COURSE[fight.asked].playings if fight.asked else 1) * runs for fight, runs in self.played.items())
        return sum(playings) + self.continuations

    @property
    def per_run(self) -> float:
        """Encounters for every run that is counted: more than 1 where a measure takes more than the run."""
        return self.encounters / max(1, sum(self.played.values()))

    def effort(self, otherwise: int | None = None, plain_way: str = "independent luck") -> Effort:
        """What was played so far, beside how many runs the plain way would have needed."""
        other = None if otherwise is None else round(otherwise * self.per_run)
        return Effort(self.encounters, self.seconds, self.workers.most_jobs, other, plain_way, self.resumed)

    @property
    def seconds(self) -> float:
        """How long the study has taken so far."""
        return time.perf_counter() - self.started
