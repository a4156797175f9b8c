"""A card: fights on the same runs, and the pairs among them that are set against each other."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from sim.core.engine import play
from sim.runs.pieces import Piece
from sim.storage.files import digest_of
from sim.studies.measures import Marks, PairTally, Tally

if TYPE_CHECKING:
    from sim.scenario import Scenario


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

    def can_be_of(self, card: Card, runs: int) -> bool:
        """Whether these can be the sums of so many runs of a card; asked of what comes from a file."""
        if not isinstance(self.fights, tuple) or not isinstance(self.pairs, tuple):
            return False
        expected = [Tally] * len(card.fights) + [PairTally] * len(card.pairs)
        if [type(one) for one in (*self.fights, *self.pairs)] != expected:
            return False
        return all(one.can_be_of(runs) for one in self.fights) and all(one.can_be_of(runs) for one in self.pairs)


def no_runs_of(card: Card) -> Score:
    """The sums of a card of which nothing was played."""
    nothing = Marks.nothing()
    return Score(
        tuple(Tally.of(nothing) for _ in card.fights), tuple(PairTally.of(nothing, nothing) for _ in card.pairs)
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

    def play(self) -> Score:
        """The sums of the fights and of the pairs."""
        marks = [_marks(fight, self.first, self.count) for fight in self.card.fights]
        return Score(
            tuple(Tally.of(own) for own in marks),
            tuple(PairTally.of(marks[one], marks[other]) for one, other in self.card.pairs),
        )


@lru_cache(maxsize=8)
def _marks(fight: Fight, first: int, count: int) -> Marks:
    """The runs of a fight; remembered, because one baseline stands on many cards."""
    encounter = fight.scenario.encounter()
    return Marks.of(play(encounter, fight.seed, np.arange(first, first + count, dtype=np.int64)), encounter.cast)


@lru_cache(maxsize=4096)
def card_digest(card: Card) -> str:
    """A short name for a card: the same fights with the same luck, set against each other in the same way."""
    fights = [[fight.scenario.digest, fight.seed] for fight in card.fights]
    return digest_of(json.dumps([fights, card.pairs]).encode())[:32]
