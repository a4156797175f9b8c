"""The loop: play(encounter, seed, runs) -> outcomes.

All runs of a batch are played in lock-step, round by round. Finished runs are harvested and, when fewer than half of
the batch is still live, compacted away. A round costs as many calls of NumPy for the last long fight as for thousands,
so where several batches are played, the last runs of each wait for those of the others and play on together. Runs in
which nothing can change any more are ended at once (`sim.core.stalemates`).
`sim.core.branch` plays runs on from the middle, with other luck.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, Self, TypeVar

import numpy as np

from sim.core.batch import Batch, Carried, joined, only
from sim.core.chance import Actor
from sim.core.facts import EncounterFacts
from sim.core.known_luck import NO_WORTHS, KnownLuck, Worths
from sim.core.lanes import Lanes, Small, Whole, which, written
from sim.core.ledger import Ledger
from sim.core.luck import ENEMIES, Luck
from sim.core.outcomes import Cast, Ending, Outcomes
from sim.core.stalemates import Endless, Watch
from sim.core.telling import ROUND_ENDS, START, Recorder, Scene

S = TypeVar("S", bound=Batch)

STRAGGLERS = 8  # when so small a part of a batch is left, it waits for the other batches


class Encounter(ABC, Generic[S]):
    """A fight ready to be played: a ruleset's compiled scenario.

    Playing never changes it, but for tables of odds that are worked out when they are first asked for.
    """

    cast: Cast
    in_scenes: bool = False  # whether a round is a whole scene, which tells of itself

    @property
    def varying_facts(self) -> EncounterFacts | None:
        """The facts by which it can share a batch with variants of the fight; None for an encounter that cannot."""
        return None

    @property
    def plans(self) -> Any:
        """How the party plays, where that is no part of the facts: it may not vary among fights that share a batch."""
        return None

    def with_facts(self, facts: Any) -> Encounter[S]:
        """The same encounter with the facts of several variants in one; asked only of those with `varying_facts`."""
        raise NotImplementedError(f"{type(self).__name__} does not share a batch with its variants")

    @abstractmethod
    def start(self, luck: Luck, tell: Recorder | None, arriving: Carried | None = None) -> S:
        """Everything before round 1, for as many runs as the luck is for.

        Args:
            arriving: how the party comes from the scene before, as `leaving` and the ruleset's `rest` and `grown` made
                it; None for a party that is fresh.
        """

    @abstractmethod
    def play_round(self, s: S) -> None:
        """One round of all live runs; `s.round` has been counted up. Decides the runs that end in it."""

    @abstractmethod
    def ending(self, s: S, at: Lanes, book: Ledger) -> Ending:
        """How the runs in these lanes ended. `book` is their part of the ledger, which may still be written to."""

    def endless(self, s: S) -> Endless | None:
        """How far the runs are from the round cap, if nothing but the cap depends on the number of a round.

        A game that says so promises: a rule may ask the number of the round for an address of luck or for the cap, and
        for nothing else, in any round from here on; and `break_off` does what the cap does. None, as for games in which
        no round goes by without luck: runs are played on to the cap.
        """
        return None

    def break_off(self, s: S, at: Lanes) -> None:
        """What happens at the round cap, in lanes that stand as they would there; asked only of `endless` fights."""
        raise NotImplementedError(f"{type(self).__name__} does not say how a fight is broken off")

    def leaving(self, s: S, at: Lanes) -> Carried:
        """What the party takes along out of the runs in these lanes, which are over. Asked only in evenings."""
        raise NotImplementedError(f"{type(self).__name__} does not say what a party takes along")

    def openings(self, luck: Luck) -> list[Scene]:
        """The table as the first of these runs begins; of a gauntlet in each of its rooms."""
        tell = Recorder([unit.name for unit in self.cast.units], self.look)
        state = self.start(luck, tell)
        return [event.after for event in tell.events if event.kind == START] or [self.look(state)]

    def look(self, s: S) -> Scene:
        """The table as it stands in the first run of the batch, for whoever listens to it.

        A unit of the cast that is not part of this fight has no token; who has fallen keeps one, where it fell.
        """
        return Scene()

    def fresh(self, s: S) -> None:
        """Draw anew, from `s.luck`, what was drawn ahead and nobody has seen; most games draw nothing ahead.

        A draw pile, say, or hidden cards. All runs of the batch are live and stand at the start of a round, from which
        they go on with other luck.
        """

    def actors(self) -> list[Actor]:
        """Who asks for luck under which number: heroes from 0, enemies from ENEMIES, both in the order of the cast."""
        party = [row for row, unit in enumerate(self.cast.units) if unit.side == "party"]
        enemies = [row for row, unit in enumerate(self.cast.units) if unit.side == "enemy"]
        numbers = {row: place for place, row in enumerate(party)}
        numbers |= {row: ENEMIES + place for place, row in enumerate(enemies)}
        return [
            Actor(self.cast.units[row].name, self.cast.units[row].side, ((number, number),))
            for row, number in sorted(numbers.items())
        ]

    def steps(self, outcomes: Outcomes) -> Small:
        """(runs,). How often the loop went round for each run: its rounds, or the scenes of an evening."""
        return outcomes.rounds

    def harvest(self, s: S, at: Lanes, runs: Whole) -> Outcomes:
        """The tables of the runs in these lanes, which are over; `runs` are their numbers."""
        book = only(s.ledger, at)
        ending = self.ending(s, at, book)
        parts = {field.name: getattr(ending, field.name) for field in fields(ending)}
        parts |= {field.name: written(getattr(book, field.name)) for field in fields(book)}
        known = s.luck.known[at] if isinstance(s.luck, KnownLuck) else None
        return Outcomes(run=runs, outcome=s.outcome[at], rounds=s.rounds[at], known_luck=known, **parts)


def play(
    encounter: Encounter[S], seed: int, runs: Whole, tell: Recorder | None = None, worths: Worths = NO_WORTHS
) -> Outcomes:
    """Play the runs with these numbers to their end. Run k is run k, whatever it is played together with."""
    return in_order(list(play_batches(encounter, seed, [runs], tell, worths)), np.asarray(runs, dtype=np.int64))


def play_with(encounter: Encounter[S], runs: Whole, luck: Luck) -> Outcomes:
    """Play runs with a luck that was made for them, such as a mixed one, to their end."""
    return in_order(list(play_on([Lockstep.started(encounter, runs, luck)])), np.asarray(runs, dtype=np.int64))


def play_batches(
    encounter: Encounter[S],
    seed: int,
    batches: Iterable[Whole],
    tell: Recorder | None = None,
    worths: Worths = NO_WORTHS,
) -> Iterator[Outcomes]:
    """Play several batches of runs to their end; the tables come as runs are harvested, so not in the order of runs.

    Args:
        worths: what dice and cards are worth, if account is to be kept of the luck; changes nothing else.
    """
    return play_on(
        Lockstep.started(
            encounter, runs, KnownLuck.for_runs(seed, runs, worths) if worths else Luck.of(seed, runs), tell
        )
        for runs in batches
    )


def play_on(batches: Iterable[Lockstep[S]]) -> Iterator[Outcomes]:
    """Play batches of one encounter to their end, each from where it stands."""
    waiting: list[Lockstep[S]] = []
    for batch in batches:
        size = batch.state.size
        few = size // STRAGGLERS
        yield from batch.play(fewest=few)
        waiting.append(batch)
        if sum(batch.state.size for batch in waiting) >= size:  # as many as a fresh batch
            yield from _meet(waiting)
            yield from waiting[0].play(fewest=few)
    if waiting:
        yield from _meet(waiting)
        yield from waiting[0].play()


def _meet(waiting: list[Lockstep[S]]) -> Iterator[Outcomes]:
    """Those who are behind play on until they come to the round of the next; one batch of them all is left."""
    waiting.sort(key=lambda batch: batch.state.round)
    while len(waiting) > 1:
        last, following = waiting[:2]
        yield from last.play(until=following.state.round)
        if last.state.size:
            following.take_in(last)
        del waiting[0]


@dataclass(slots=True)
class Lockstep(Generic[S]):
    """A batch on its way: runs that are played in lock-step."""

    encounter: Encounter[S]
    runs: Whole  # (runs,) the numbers of the runs in the batch, finished or not
    state: S

    @classmethod
    def started(
        cls,
        encounter: Encounter[S],
        runs: Whole,
        luck: Luck,
        tell: Recorder | None = None,
        arriving: Carried | None = None,
    ) -> Self:
        """The runs with these numbers and this luck before round 1."""
        if tell is not None:
            tell.names = [unit.name for unit in encounter.cast.units]
            tell.look = encounter.look
        batch = cls(encounter, np.asarray(runs, dtype=np.int64), encounter.start(luck, tell, arriving))
        if tell is not None and not encounter.in_scenes:
            tell.start()
        return batch

    def play(self, fewest: int = 0, until: int | None = None) -> Iterator[Outcomes]:
        """Go on until no more than `fewest` runs are live, or to the end of round `until`; harvest what is over.

        Without `until`, stalemates are over as soon as they are certain, unless somebody listens.
        """
        watch = Watch(self.encounter) if until is None and self.state.tell is None else self.encounter
        while True:
            live = int(np.count_nonzero(self.state.live))
            done = live <= fewest or self.state.round == until
            if done or 2 * live < self.state.size:
                yield self._harvest()
            if done:
                return
            s = self.state
            s.round += 1
            s.rounds[s.live] = s.round
            if s.tell is not None:
                s.tell.round = s.tell.rounds_before + s.round
            watch.play_round(s)
            if s.tell is not None and not self.encounter.in_scenes:
                s.tell.event("", ROUND_ENDS)

    def _harvest(self) -> Outcomes:
        """The tables of the runs that are over; only the others stay."""
        over, going = which(~self.state.live), which(self.state.live)
        tables = self.encounter.harvest(self.state, over, self.runs[over])
        self.runs, self.state = self.runs[going], only(self.state, going)
        return tables

    def take_in(self, other: Lockstep[S]) -> None:
        """Play on together with others that have come to the same round."""
        self.runs, self.state = np.concatenate([self.runs, other.runs]), joined(self.state, other.state)


def in_order(parts: Sequence[Outcomes], runs: Whole | None = None) -> Outcomes:
    """One table from the parts, with the runs in this order; None for ascending numbers."""
    if runs is None:
        runs = np.sort(np.concatenate([part.run for part in parts]))
    some = [part for part in parts if part.size]
    if len(some) == 1 and np.array_equal(some[0].run, runs):
        return some[0]
    place = np.empty(len(runs), dtype=np.int64)  # where the k-th run asked for stands in the parts put end to end
    place[np.argsort(runs, kind="stable")] = np.argsort(np.concatenate([part.run for part in parts]), kind="stable")

    def column(name: str) -> Any:
        values = [getattr(part, name) for part in parts]
        if values[0] is None:
            return None
        if isinstance(values[0], dict):
            return {key: np.concatenate([value[key] for value in values])[place] for key in values[0]}
        return np.concatenate(values, axis=-1).take(place, axis=-1)

    return Outcomes(**{field.name: column(field.name) for field in fields(Outcomes)})
