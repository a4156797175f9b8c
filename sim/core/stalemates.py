"""Runs in which nothing can change any more, found with certainty, so that nobody has to play them to the round cap.

A round is a pure function of three things: the table as it stands, the luck that the round meets, and what the rules
make of its number. So if a run

- stands exactly as it stood SPAN rounds ago, in every array of its state: units, piles, ledger, all that is counted;
- met no luck in between: no card was turned, and no number was drawn that could have come out otherwise;
- and is a fight in which nothing but addresses of luck, and the round cap, depends on the number of the round,

then the next SPAN rounds are those SPAN rounds over again, which change nothing and meet no luck, and so on to the cap.
If SPAN divides the rounds that are left, the run stands at the cap as it stands now, and may end at once. Nothing is
estimated, and no hash is compared: whatever differs in one number is played on.

Which fights the third point holds for is for the game to say (`Encounter.endless`). A run that somebody listens to is
always played on.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Batch, leaves
from sim.core.known_luck import KnownLuck
from sim.core.lanes import Lanes, Row, Small, Whole, keep, which
from sim.core.luck import Luck, Numbers, Words

if TYPE_CHECKING:
    from sim.core.deck import Deck
    from sim.core.engine import Encounter

S = TypeVar("S", bound=Batch)
Table: TypeAlias = "list[NDArray[Any]]"

NOBODY = np.zeros(0, dtype=np.int64)
SPAN = 2  # rounds: every stalemate without luck that was ever seen stands still, or goes to and fro
PATIENCE = 6  # rounds in which no run is watched: nearly all fights are short


@dataclass(frozen=True, slots=True)
class Endless:
    """How a fight that may go on for ever ends nevertheless."""

    left: Small  # (runs,) rounds up to the cap; 0 where nothing can be said yet
    clocks: frozenset[str]  # fields of the state that only count on: no rule of this fight reads them


class Watch(Generic[S]):
    """Plays a batch round by round, and ends the runs that stand still for good."""

    def __init__(self, encounter: Encounter[S]) -> None:
        self.encounter = encounter
        self.state: S | None = None  # the batch that was watched in the round before
        self.quiet: Small = np.zeros(0, dtype=np.int16)  # (runs,) rounds since a run has met luck
        self.seen: dict[int, tuple[Lanes, Table]] = {}  # by round modulo SPAN: quiet runs as they stood then
        self.restless: list[int] = []  # places in a table, the one that differed last first: it saves a look at others

    def play_round(self, s: S) -> None:
        """One round of all live runs; those that stand still after it for good are over."""
        if s.round <= PATIENCE or (endless := self.encounter.endless(s)) is None:
            self.encounter.play_round(s)
            return
        if s is not self.state:  # finished runs were compacted away, or others were taken in
            self.state, self.quiet, self.seen = s, np.zeros(s.size, dtype=np.int16), {}
        plain, s.luck = s.luck, WatchedLuck(s.luck)
        try:
            self.encounter.play_round(s)
            met = s.luck.met
        finally:
            s.luck = plain
        self.quiet += np.int16(1)
        self.quiet[met] = 0
        self._end_stalemates(s, endless.left - np.int16(1), endless.clocks)

    def _end_stalemates(self, s: S, left: Small, clocks: frozenset[str]) -> None:
        """End the runs that stand as they stood SPAN rounds ago, and look at those that may be next."""
        before, then = self.seen.pop(s.round % SPAN, (NOBODY, []))
        at = which(s.live & (self.quiet > 0) & (left > 0) & (left % SPAN == 0))
        if not len(at):
            return
        table = table_of(s, clocks)
        again = keep(at, self.quiet[at] > SPAN)  # quiet ever since they were looked at, so they were
        over = self._unmoved(again, then, np.searchsorted(before, again), table)
        if len(over):
            s.rounds[over] += left[over]
            self.encounter.break_off(s, over)
        self.seen[s.round % SPAN] = at, [leaf.take(at, axis=-1) for leaf in table]

    def _unmoved(self, at: Lanes, then: Table, place: Whole, now: Table) -> Lanes:
        """Those of these lanes that stand exactly as in another table, in which each has a place."""
        self.restless = self.restless or list(range(len(now)))
        for number in self.restless if len(at) else ():
            moved = then[number].take(place, axis=-1) != now[number].take(at, axis=-1)
            if moved.any():
                still = ~moved.reshape(-1, len(at)).any(axis=0)
                at, place = keep(at, still), keep(place, still)
                if not len(at):
                    self.restless.remove(number)
                    self.restless.insert(0, number)
                    break
        return at


def table_of(s: Batch, clocks: frozenset[str]) -> Table:
    """Everything that a batch holds of its runs, but for clocks: arrays whose last axis is the run, always as many."""
    parts = [getattr(s, field.name) for field in fields(s) if field.name not in clocks]
    known = [s.luck.known] if isinstance(s.luck, KnownLuck) else []
    return [*known, *(leaf for part in parts for leaf in leaves(part))]


class WatchedLuck(Luck):
    """The luck of a batch in one round, which remembers the runs that met some: what came might have been otherwise."""

    __slots__ = ("luck", "met")

    def __init__(self, luck: Luck) -> None:
        super().__init__(luck.keys)
        self.luck = luck
        self.met = np.zeros(len(luck.keys), dtype=bool)  # (runs,)

    @property
    def watches_cards(self) -> bool:
        """Whether the luck itself wants to hear of cards."""
        return self.luck.watches_cards

    def turned(self, deck: Deck, card: Whole, purpose: str, round: Row, actor: Row, at: Whole) -> None:
        """A card was turned."""
        self.met[at] = True
        self.luck.turned(deck, card, purpose, round, actor, at)

    def keys_for(self, purpose: str, round: Numbers, actor: Numbers, at: Whole | slice | None = None) -> Words:
        """The run keys at an address, with which much may be drawn."""
        self.met[slice(None) if at is None else at] = True
        return self.luck.keys_for(purpose, round, actor, at)

    def bits(
        self, purpose: str, round: int | Whole, actor: int | Whole, index: Row = 0, at: Whole | None = None
    ) -> Words:
        """64 random bits for every lane."""
        self.met[slice(None) if at is None else at] = True
        return self.luck.bits(purpose, round, actor, index, at)

    def below(
        self,
        n: int | NDArray[np.integer],
        purpose: str,
        round: int | Whole,
        actor: int | Whole,
        index: Row = 0,
        at: Whole | None = None,
    ) -> Whole:
        """A whole number from 0 to n - 1 for every lane: no luck where n is 1 or less, since it can only be 0."""
        if not isinstance(n, int):
            several = which(n > 1)
            self.met[several if at is None else at[several]] = True
        elif n > 1:
            self.met[slice(None) if at is None else at] = True
        return self.luck.below(n, purpose, round, actor, index, at)
