"""Known luck: how lucky each run was, as a number whose mean is zero, so that it can be taken out of a win rate.

When a die of n sides is asked for, every face is equally likely, whatever has happened before. So if the faces have
worths that add up to zero, the sum of the worths of all faces that a run has seen has mean zero, whichever dice were
thrown and whatever decided that (a martingale). The same holds for a card that is turned: its worth less the mean worth
of the cards that may still lie on top. No rule of any game has to be known for this, and nothing is approximate.

Which worths are good is learned from other runs (`sim.core.pilot`). A run that was won with good luck then counts for
less than one that was won in spite of bad luck:

    won - known luck        has the mean of `won`, and a smaller variance

Worths that were chosen badly cost precision, never truth: they were fixed before the runs that they correct.

    worths = learned(encounter, seed)
    KnownLuck.for_runs(seed, runs, worths)       # plain luck that keeps account; `known` is the sum of every run
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Row, Whole
from sim.core.luck import Luck, Words, run_keys

if TYPE_CHECKING:
    from sim.core.deck import Deck

Worth: TypeAlias = NDArray[np.float64]

ROUNDS = np.array([0, 1, 2, 3, 3, 4, 4, 4, 5])  # by round: what a face is worth changes in the course of a fight
STAGES = int(ROUNDS.max()) + 1
SCALE = 1 << 16  # worths are whole numbers of this part of a fight, so that they are the same on every machine

_STAGE = tuple(ROUNDS.tolist())


@dataclass(frozen=True, slots=True)
class Faces:
    """What the faces of the dice of one purpose, or the kinds of cards turned for it, are worth."""

    table: NDArray[np.floating]  # (most sides + 2, stages, actors, most sides) the last of the sides: larger dice, none
    actor: Whole  # (actor numbers,) the row of every actor

    @property
    def most_sides(self) -> int:
        """The largest die it knows."""
        return self.table.shape[3]

    def of(self, sides: Row, round: Row, actor: Row, face: Whole) -> Worth:
        """(lanes,). The worths of these faces."""
        sizes, stages, actors, width = self.table.shape
        if isinstance(sides, int) and isinstance(round, int):
            now = self.table[sides, _stage(round)]  # (actors, faces)
            if isinstance(actor, int):
                return now[self.actor[actor]].take(face)
            return now.reshape(-1).take(self.actor.take(actor) * width + face)
        size, shown = np.minimum(sides, sizes - 1), np.minimum(face, width - 1)
        place = (size * stages + ROUNDS.take(round, mode="clip")) * actors + self.actor.take(actor)
        return self.table.reshape(-1).take(place * width + shown)

    def all_of(self, sides: int, round: Row, actor: Row) -> NDArray[np.floating]:
        """(faces,), or (lanes, faces) where rounds are given by lane or actors differ. The worths of all faces."""
        if isinstance(round, int):
            now = self.table[sides, _stage(round)]
            if isinstance(actor, int):
                return now[self.actor[actor]]
            rows = self.actor.take(actor)
            if len(rows) and np.count_nonzero(rows == rows[0]) == len(rows):  # an enemy on its turn, say
                return now[rows[0]]
            return now.take(rows, axis=0)
        return self.table[sides, ROUNDS.take(round, mode="clip"), self.actor.take(actor)]


def _stage(round: int) -> int:
    return _STAGE[min(round, len(_STAGE) - 1)]


@dataclass(frozen=True, slots=True)
class Worths:
    """What dice and cards are worth, learned from a pilot."""

    dice: dict[str, Faces] = field(default_factory=dict)  # by purpose; those that hardly matter are left out
    cards: dict[str, Faces] = field(default_factory=dict)  # of cards by what they are turned for, in parts of a SCALE
    gain: float = 1.0  # how much smaller the variance was in the half of the pilot that had not been learned from

    def __bool__(self) -> bool:
        return bool(self.dice or self.cards)


NO_WORTHS = Worths()


class KnownLuck(Luck):
    """The luck of a batch of runs, which adds up what it was worth to each of them."""

    __slots__ = ("known", "worths")

    def __init__(self, keys: Words, worths: Worths, known: Worth) -> None:
        super().__init__(keys)
        self.worths = worths
        self.known = known  # (runs,)

    @classmethod
    def for_runs(cls, seed: int, runs: Whole, worths: Worths) -> KnownLuck:
        """The luck of the runs with these numbers under a seed, with nothing added up yet."""
        return cls(run_keys(seed, np.asarray(runs, dtype=np.int64)), worths, np.zeros(len(runs)))

    @property
    def watches_cards(self) -> bool:
        """Whether it wants to hear of cards that are turned."""
        return bool(self.worths.cards)

    def only(self, keep: NDArray[np.bool_] | Whole) -> KnownLuck:
        """The luck of some of the runs, for a batch that has been compacted."""
        return KnownLuck(self.keys[keep], self.worths, self.known[keep])

    def and_of(self, other: Luck) -> KnownLuck:
        """The luck of these runs and of others, for batches that are joined."""
        assert isinstance(other, KnownLuck)
        known = np.concatenate([self.known, other.known])
        return KnownLuck(np.concatenate([self.keys, other.keys]), self.worths, known)

    def scene(self, number: int) -> Luck:
        """The luck of these runs in a scene of an evening, with an account of its own."""
        return KnownLuck(super().scene(number).keys, self.worths, np.zeros(len(self.keys)))

    def below(
        self,
        n: int | NDArray[np.integer],
        purpose: str,
        round: int | Whole,
        actor: int | Whole,
        index: Row = 0,
        at: Whole | None = None,
    ) -> Whole:
        """A whole number from 0 to n - 1 for every lane, and what it was worth."""
        face = super().below(n, purpose, round, actor, index, at)
        faces = self.worths.dice.get(purpose)
        if faces is not None and not (isinstance(n, int) and n > faces.most_sides):
            worth = faces.of(n, round, actor, face)
            if at is None:
                self.known += worth
            else:
                np.add.at(self.known, at, worth)  # a lane may ask for several dice at once
        return face

    def turned(self, deck: Deck, card: Whole, purpose: str, round: Row, actor: Row, at: Whole) -> None:
        """A card was turned: its worth, less what the top of the pile was worth before it was."""
        faces = self.worths.cards.get(purpose)
        if faces is None or deck.kinds is None or not len(at):
            return
        held = deck.kinds_in_pile.take(at, axis=0).astype(np.float32)  # (lanes, kinds) after the card has left the pile
        worth = faces.all_of(deck.kinds.count, round, actor)  # whole numbers: their sums are exact in any order
        kind = deck.kinds.of.take(card)
        if worth.ndim == 1:
            own, others = worth.take(kind), held @ worth
        else:
            own, others = worth[np.arange(len(at)), kind], np.einsum("lk,lk->l", held, worth)
        before = (others + own) / (deck.left.take(at) + 1.0)  # the mean worth of the pile when the card lay on top
        np.add.at(self.known, at, (own - before) / SCALE)  # two thirds of the time of `self.known[at] +=`
