"""A card: fights on the same runs, the pairs among them that are set against each other, and what is watched."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.branch import AGAIN, chances_of, play_fresh_from
from sim.core.engine import play, play_with
from sim.core.known_luck import NO_WORTHS
from sim.core.luck import Luck
from sim.core.mixed_luck import Addresses, MixedLuck
from sim.core.outcomes import Outcomes
from sim.core.variants import play_variants
from sim.runs.pieces import Piece
from sim.storage.files import digest_of
from sim.studies.course import COURSE, Moments, follows_curves
from sim.studies.course_numbers import numbers_of
from sim.studies.feel import CurveTally, EndingTally
from sim.studies.known_luck import worths_of
from sim.studies.measures import ACCOUNT_FROM, Marks, PairTally, Tally, values_of
from sim.studies.tenths import Tenths

if TYPE_CHECKING:
    from sim.scenario import Scenario


ROUNDS_FOLLOWED = 4  # whole fights that the continuations from all rounds of a run come to, roughly
MOST_TOGETHER = 1 << 30  # runs of a piece of work, where nothing but its time speaks against more
CURVES_TOGETHER = 10  # runs along which the chance is followed make a piece of work


@dataclass(frozen=True, slots=True)
class Fight:
    """A scenario and the luck it is played with: that of a seed, or partly another one."""

    scenario: Scenario
    seed: int
    own: Addresses | None = None  # where it has that luck; elsewhere its other luck. None for everywhere
    fresh_from: int | None = None  # the round from whose start on the luck is fresh; None for none
    asked: str = ""  # a measure of the course of the fight, for which more is played: see `sim.studies.course`
    pilot: Scenario | None = None  # the fight in which dice and cards are learned, if account is kept of the luck

    @property
    def effort(self) -> int:
        """About how many encounters are played for a run of it."""
        if not self.asked:
            return 1
        return COURSE[self.asked].playings + (ROUNDS_FOLLOWED * AGAIN if follows_curves(self.asked) else 0)

    def marks(self, first: int, count: int) -> Marks:
        """What so many runs of it yield."""
        outcomes, course = self.play(first, count), None
        if self.asked:
            course = numbers_of(self.asked, self.scenario, self.seed, outcomes, np.arange(first, first + count))
        return Marks.of(outcomes, self.scenario.encounter().cast, course)

    def play(self, first: int, count: int) -> Outcomes:
        """So many runs of it."""
        encounter, runs = self.scenario.encounter(), np.arange(first, first + count, dtype=np.int64)
        if self.own is not None:
            return play_with(encounter, runs, MixedLuck.mixed(Luck.of(self.seed, runs), self.own))
        if self.fresh_from is not None:
            return play_fresh_from(encounter, self.seed, runs, self.fresh_from)
        keeps_account = self.pilot is not None and first + count > ACCOUNT_FROM
        return play(encounter, self.seed, runs, worths=worths_of(self.pilot) if keeps_account else NO_WORTHS)

    @property
    def plain(self) -> bool:
        """Whether it is played from the start to the end with the luck of its seed, and nothing more."""
        return self.own is None and self.fresh_from is None and not self.asked and self.pilot is None

    @property
    def identity(self) -> list[Any]:
        """Everything that decides its runs, in plain values."""
        plain: list[Any] = [self.scenario.digest, self.seed]
        asked: list[Any] = [self.asked] if self.asked else []
        asked += [] if self.pilot is None else [["pilot", self.pilot.digest]]
        if self.own is None and self.fresh_from is None:
            return [*plain, *asked]
        return [*plain, None if self.own is None else asdict(self.own), self.fresh_from, *asked]


@dataclass(frozen=True, slots=True)
class Card:
    """Fights on the same runs, and which of them are set against each other (first, second)."""

    fights: tuple[Fight, ...]
    pairs: tuple[tuple[int, int], ...] = ()
    endings: bool = False  # whether the ends of the first fight are looked at more closely
    curves: int = 0  # continuations by which the chance is followed along every run of the first fight; 0 for none
    tenths: bool = False  # whether the wins of the first fight are counted tenth by tenth of the runs too
    moments: str = ""  # a rate or a mean of which sums and products of all fights are kept, so that any are compared

    @property
    def effort(self) -> int:
        """About how many encounters are played for a run of it."""
        return sum(fight.effort for fight in self.fights) * (ROUNDS_FOLLOWED * self.curves or 1)

    @property
    def plain(self) -> bool:
        """Whether its fights are played and nothing more is looked at, so that they may share a batch with others."""
        return not self.endings and not self.curves and all(fight.plain for fight in self.fights)

    @property
    def together(self) -> int:
        """How many runs make a piece of work at most."""
        follows = self.curves or any(follows_curves(fight.asked) for fight in self.fights)
        return CURVES_TOGETHER if follows else MOST_TOGETHER


@dataclass(frozen=True, slots=True)
class Score:
    """The sums of a card."""

    fights: tuple[Tally, ...]
    pairs: tuple[PairTally, ...]
    endings: EndingTally | None = None
    curves: CurveTally | None = None
    tenths: Tenths | None = None
    moments: Moments | None = None

    def __add__(self, other: Score) -> Score:
        return Score(
            tuple(mine + theirs for mine, theirs in zip(self.fights, other.fights, strict=True)),
            tuple(mine + theirs for mine, theirs in zip(self.pairs, other.pairs, strict=True)),
            _both(self.endings, other.endings),
            _both(self.curves, other.curves),
            _both(self.tenths, other.tenths),
            _both(self.moments, other.moments),
        )

    def can_be_of(self, card: Card, runs: int) -> bool:
        """Whether these can be the sums of so many runs of a card; asked of what comes from a file."""
        if not isinstance(self.fights, tuple) or not isinstance(self.pairs, tuple):
            return False
        expected = [Tally] * len(card.fights) + [PairTally] * len(card.pairs)
        if [type(one) for one in (*self.fights, *self.pairs)] != expected:
            return False
        wanted = [
            EndingTally if card.endings else None,
            CurveTally if card.curves else None,
            Tenths if card.tenths else None,
        ]
        watched = [self.endings, self.curves, self.tenths]
        if [None if one is None else type(one) for one in watched] != wanted:
            return False
        if not all(one.can_be_of(runs) for one in watched if one is not None):
            return False
        if not card.moments:
            if self.moments is not None:
                return False
        elif not isinstance(self.moments, Moments) or not self.moments.can_be_of(runs, len(card.fights)):
            return False
        names = [fight.asked for fight in card.fights]
        asked = [(name,) for name in names] + [(names[one], names[other]) for one, other in card.pairs]
        sums: list[Tally | PairTally] = [*self.fights, *self.pairs]
        if not all(_courses_can(one, measures, runs) for one, measures in zip(sums, asked, strict=True)):
            return False
        return all(one.can_be_of(runs) for one in self.fights) and all(one.can_be_of(runs) for one in self.pairs)


def _courses_can(one: Tally | PairTally, asked: Sequence[str], runs: int) -> bool:
    """Whether the sums of a measure of the course are there where it was asked for, and can be of so many runs."""
    if not all(asked):
        return one.course is None
    numbers = sum(COURSE[measure].numbers for measure in asked)
    return isinstance(one.course, Moments) and one.course.can_be_of(runs, numbers)


def _both(one: Any, other: Any) -> Any:
    """Two sums added; one of them where the other has nothing."""
    return one + other if one is not None and other is not None else one or other


def no_runs_of(card: Card) -> Score:
    """The sums of a card of which nothing was played."""
    marks = [Marks.nothing(COURSE[fight.asked].numbers if fight.asked else 0) for fight in card.fights]
    return Score(
        tuple(Tally.of(own) for own in marks),
        tuple(PairTally.of(marks[one], marks[other]) for one, other in card.pairs),
    )


@dataclass(frozen=True, slots=True)
class CardPiece(Piece[Score]):
    """A stretch of runs of a card, to be tallied."""

    card: Card
    first: int
    count: int

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The fights of the card."""
        return tuple(fight.scenario for fight in self.card.fights)

    @property
    def encounters(self) -> int:
        """How many encounters are played for it; of a chance that is followed, about as many as whole fights."""
        return self.count * self.card.effort

    def play(self) -> Score:
        """The sums of the fights and of the pairs, and what is watched."""
        return self.scored(marks_of(self.card.fights, self.card.fights[:1], self.first, self.count))

    def scored(self, of_fights: Mapping[Fight, Marks]) -> Score:
        """The same from what the runs of its fights have yielded."""
        marks = [of_fights[fight] for fight in self.card.fights]
        watched = self.card.fights[0]
        cast = watched.scenario.encounter().cast
        return Score(
            tuple(Tally.of(own) for own in marks),
            tuple(PairTally.of(marks[one], marks[other]) for one, other in self.card.pairs),
            EndingTally.of(watched.play(self.first, self.count), cast) if self.card.endings else None,
            self._curves(watched) if self.card.curves else None,
            Tenths.of(marks[0], self.first) if self.card.tenths else None,
            Moments.of(values_of(marks, self.card.moments)) if self.card.moments else None,
        )

    def _curves(self, fight: Fight) -> CurveTally:
        """The chances along every run."""
        runs = np.arange(self.first, self.first + self.count, dtype=np.int64)
        return CurveTally.of(chances_of(fight.scenario.encounter(), fight.seed, runs, self.card.curves))


@dataclass(frozen=True, slots=True)
class Bundle(Piece[tuple[Score, ...]]):
    """The same stretch of runs of several cards, whose fights share a batch where they differ only in numbers."""

    pieces: tuple[CardPiece, ...]
    first: int
    count: int

    @property
    def fights(self) -> tuple[Fight, ...]:
        """Every fight once."""
        return tuple(dict.fromkeys(fight for piece in self.pieces for fight in piece.card.fights))

    @property
    def on_all_cards(self) -> tuple[Fight, ...]:
        """Fights that stand on every card: a baseline."""
        return tuple(fight for fight in self.fights if all(fight in piece.card.fights for piece in self.pieces))

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The fights of all cards, each once."""
        return tuple(fight.scenario for fight in self.fights)

    @property
    def encounters(self) -> int:
        """How many encounters are played for it, a fight on several cards counted on each."""
        return sum(piece.encounters for piece in self.pieces)

    def play(self) -> tuple[Score, ...]:
        """The score of every card."""
        if len(self.pieces) == 1:
            return (self.pieces[0].play(),)
        marks = marks_of(self.fights, self.on_all_cards, self.first, self.count)
        return tuple(piece.scored(marks) for piece in self.pieces)


def bundled(pieces: Sequence[CardPiece], most: int) -> list[Bundle]:
    """The pieces in their order; neighbours on the same runs in bundles of no more than so many runs of all fights."""
    found: list[Bundle] = []
    waiting: list[CardPiece] = []
    fights: set[Fight] = set()

    def close() -> None:
        if waiting:
            found.append(Bundle(tuple(waiting), waiting[0].first, waiting[0].count))
        waiting.clear()
        fights.clear()

    for piece in pieces:
        own = set(piece.card.fights)
        along = waiting and (piece.first, piece.count) == (waiting[0].first, waiting[0].count)
        if not (along and piece.card.plain and waiting[0].card.plain and len(fights | own) * piece.count <= most):
            close()
        waiting.append(piece)
        fights |= own
    close()
    return found


def marks_of(fights: Sequence[Fight], baselines: Sequence[Fight], first: int, count: int) -> dict[Fight, Marks]:
    """What the same runs of several fights yield: plain ones side by side, those with the same seed.

    A baseline comes back with the next cards, so it is played by itself and remembered.
    """
    others = [fight for fight in fights if fight.plain and fight not in baselines]
    found = {fight: _marks(fight, first, count) for fight in fights if fight not in others}
    for seed in dict.fromkeys(fight.seed for fight in others):
        alike = [fight for fight in others if fight.seed == seed]
        encounters = [fight.scenario.encounter() for fight in alike]
        played = play_variants(encounters, seed, np.arange(first, first + count, dtype=np.int64))
        for fight, encounter, outcomes in zip(alike, encounters, played, strict=True):
            found[fight] = Marks.of(outcomes, encounter.cast)
    return found


@lru_cache(maxsize=8)
def _marks(fight: Fight, first: int, count: int) -> Marks:
    """The runs of a fight; remembered, because one baseline stands on many cards."""
    return fight.marks(first, count)


@lru_cache(maxsize=4096)
def card_digest(card: Card) -> str:
    """A short name for a card: the same fights with the same luck, set against each other in the same way."""
    watched: list[Any] = [[card.endings, card.curves]] if card.endings or card.curves else []
    watched += ["tenths"] if card.tenths else []
    watched += [["moments", card.moments]] if card.moments else []
    parts = [[fight.identity for fight in card.fights], card.pairs, *watched]
    return digest_of(json.dumps(parts).encode())[:32]
