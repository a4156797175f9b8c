"""Runs in which nothing can change any more end at once, as if they had been played on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from sim.core.batch import Batch, beginning
from sim.core.engine import Encounter, Lockstep, in_order, play
from sim.core.known_luck import KnownLuck, Worths
from sim.core.lanes import Lanes, Wide, which
from sim.core.ledger import Ledger
from sim.core.luck import TABLE, Luck
from sim.core.outcomes import Cast, Ending, Outcome, Outcomes
from sim.core.stalemates import Endless, WatchedLuck
from sim.core.telling import Recorder
from sim.testing import assert_same

CAP = 25
NEVER = 10_000  # a round that no run comes to: up to there everything is played
CAST = Cast(units=(), abilities=(), counts=("swing", "age"))


@dataclass(slots=True)
class Pendulum(Batch):
    """A state that swings."""

    swing: Wide  # (runs,)
    age: Wide  # (runs,)


class Swinging(Encounter[Pendulum]):
    """A fight against time: what the runs do in a round is a method, and they are broken off at CAP."""

    cast = CAST
    clocks = frozenset({"round", "rounds"})
    ended = 0  # runs that were broken off before the cap

    def start(self, luck: Luck, tell: Recorder | None, arriving: object = None) -> Pendulum:
        """Everything at 0."""
        nothing = np.zeros(len(luck.keys), dtype=np.int32)
        return Pendulum(**beginning(luck, CAST, tell), swing=nothing, age=nothing.copy())

    def move(self, s: Pendulum) -> None:
        """To and fro."""
        s.swing ^= 1

    def play_round(self, s: Pendulum) -> None:
        """A move, then the cap."""
        self.move(s)
        if s.round >= CAP:
            s.decide(which(s.live), Outcome.DRAW)

    def endless(self, s: Pendulum) -> Endless | None:
        """Nothing asks which round it is."""
        return Endless(np.full(s.size, CAP - s.round + 1, dtype=np.int16), self.clocks)

    def break_off(self, s: Pendulum, at: Lanes) -> None:
        """A draw."""
        self.ended += len(at)
        s.decide(at, Outcome.DRAW)

    def ending(self, s: Pendulum, at: Lanes, book: Ledger) -> Ending:
        """Where it stands."""
        nobody = np.zeros((0, len(at)), dtype=np.int32)
        counts = {"swing": s.swing[at], "age": s.age[at]}
        return Ending(np.zeros(len(at), dtype=np.int32), counts, nobody, nobody.astype(bool), nobody.astype(bool))


class Growing(Swinging):
    """Something counts on that is in the tables."""

    def move(self, s: Pendulum) -> None:
        """To and fro, and older."""
        s.swing ^= 1
        s.age += 1


class Drawing(Swinging):
    """Lots are drawn among `count` things, and nothing comes of them."""

    count = 2

    def move(self, s: Pendulum) -> None:
        """A lot that changes nothing in most rounds; and to and fro."""
        lot = s.luck.below(np.full(s.size, self.count), "lot", s.round, TABLE)
        s.swing[:] = (s.swing ^ 1) + 2 * (lot == 999)


class OneLeft(Drawing):
    """A lot among one thing is no luck."""

    count = 1


class Halves(Swinging):
    """In every second run the pendulum has three stations."""

    def move(self, s: Pendulum) -> None:
        """Round and round, or to and fro."""
        three = s.luck.keys % np.uint64(2) == 1
        s.swing[:] = np.where(three, (s.swing + 1) % 3, s.swing ^ 1)


def played_out(encounter: Encounter[Pendulum], runs: int) -> Outcomes:
    """The same runs, every round of them."""
    numbers = np.arange(runs)
    return in_order(list(Lockstep.started(encounter, numbers, Luck.of(1, numbers)).play(until=NEVER)), numbers)


@pytest.mark.parametrize("kind", [Swinging, Growing, Drawing, OneLeft, Halves])
def test_what_ends_early_has_the_tables_of_what_is_played_on(kind: type[Swinging]) -> None:
    found = play(kind(), 1, np.arange(50))

    assert_same(found, played_out(kind(), 50), kind.__name__)
    assert (found.rounds == CAP).all()


@pytest.mark.parametrize(("kind", "ended"), [(Swinging, 50), (OneLeft, 50), (Growing, 0), (Drawing, 0)])
def test_only_what_stands_as_before_without_luck_ends_early(kind: type[Swinging], ended: int) -> None:
    encounter = kind()

    play(encounter, 1, np.arange(50))

    assert encounter.ended == ended


def test_runs_end_one_by_one() -> None:
    encounter = Halves()

    play(encounter, 1, np.arange(50))

    assert encounter.ended == np.count_nonzero(Luck.of(1, np.arange(50)).keys % np.uint64(2) == 0)


def test_a_run_that_somebody_listens_to_is_played_on() -> None:
    encounter = Swinging()

    heard = play(encounter, 1, np.arange(1), Recorder())

    assert encounter.ended == 0
    assert_same(heard, play(Swinging(), 1, np.arange(1)), "heard")


def test_watched_luck_is_the_luck_itself_and_marks_who_met_some() -> None:
    luck = Luck.of(1, np.arange(6))
    watched = WatchedLuck(luck)
    some, sides = np.array([1, 2, 4]), np.array([1, 3, 0])

    drawn = watched.below(sides, "lot", 1, TABLE, 0, some)

    assert drawn.tolist() == luck.below(sides, "lot", 1, TABLE, 0, some).tolist()
    assert which(watched.met).tolist() == [2]
    assert watched.die(6, "die", 1, TABLE, 0, np.array([5])) == luck.die(6, "die", 1, TABLE, 0, np.array([5]))
    first = np.array([0])
    assert watched.order(3, "order", 1, TABLE, first).tolist() == luck.order(3, "order", 1, TABLE, first).tolist()
    assert which(watched.met).tolist() == [0, 2, 5]
    watched.keys_for("shuffle", 1, TABLE, np.array([3]))
    assert which(watched.met).tolist() == [0, 2, 3, 5]
    watched.bits("all", 1, TABLE)
    assert watched.met.all()


def test_watched_luck_keeps_the_account_of_known_luck() -> None:
    known = KnownLuck.for_runs(1, np.arange(4), Worths())

    watched = WatchedLuck(known)

    assert watched.luck is known
    assert not watched.watches_cards
