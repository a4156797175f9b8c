"""Those who play: whatever the pieces are, they come back in order, and a worker that dies is replaced."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import sim
from sim.runs.pieces import Piece
from sim.runs.workers import RETRIES, Plan, Speed, Workers, worker_died
from sim.scenario import Scenario
from sim.studies.cards import Card, CardPiece, Fight
from tests.games.misbehaving import duel

PATIENCE = 120.0  # seconds to wait for a file; only a test that fails waits so long


@dataclass(frozen=True, slots=True)
class Errand(Piece[int]):
    """Says its number; a deadly one kills the process that plays it for the first time."""

    first: int
    folder: Path
    deadly: bool = False
    count: int = 1

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        return (duel(),)

    def play(self) -> int:
        marker = self.folder / f"died-{self.first}"
        if self.deadly and not marker.exists():
            self.wait_for_the_one_before()
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.first

    def wait_for_the_one_before(self) -> None:
        """Until it has come back, so that it is known whose death it is."""
        until = time.monotonic() + PATIENCE
        while not (self.folder / f"came-{self.first - 1}").exists():
            assert time.monotonic() < until, "the piece before has not come back"
            time.sleep(0.01)


@dataclass(slots=True)
class Errands(Plan[int]):
    """Some pieces, one after the other."""

    pieces: list[Errand]

    @property
    def left(self) -> int:
        return len(self.pieces)

    @property
    def needs_speed(self) -> bool:
        return False

    def next(self, speed: Speed) -> Errand:
        return self.pieces.pop(0)

    def rest(self, speed: Speed, jobs: int) -> Sequence[Errand]:
        return list(self.pieces)


def test_deaths_are_counted_anew_after_every_piece_that_came_back(tmp_path: Path) -> None:
    """More workers die than one piece may cost, but each over a piece of its own."""
    deaths = RETRIES + 1
    pieces = [Errand(number, tmp_path, deadly=0 < number <= deaths) for number in range(deaths + 2)]
    found = []

    for played in Workers(2).spread(pieces, 2):
        found.append(played.found)
        (tmp_path / f"came-{played.found}").touch()

    assert found == list(range(deaths + 2))
    assert len(list(tmp_path.glob("died-*"))) == deaths


def test_a_piece_that_nobody_can_share_is_played_here(tmp_path: Path) -> None:
    workers = Workers(2)

    first, second = (played.process for played in workers.play(Errands([Errand(0, tmp_path), Errand(1, tmp_path)])))

    assert first == second == os.getpid()
    assert workers.most_jobs == 1


def test_what_is_left_after_the_first_piece_goes_to_others_in_order(tmp_path: Path) -> None:
    workers = Workers(2)

    played = list(workers.play(Errands([Errand(number, tmp_path) for number in range(6)])))

    assert [one.found for one in played] == list(range(6))
    assert [one.process == os.getpid() for one in played] == [True] + [False] * 5
    assert workers.most_jobs == 2


def test_the_words_about_a_death_name_every_fight_of_a_card() -> None:
    card = Card((Fight(sim.load("p52/duel"), 1), Fight(sim.load("overhill/playtest-1"), 1)))

    said = str(worker_died(CardPiece(card, 100, 100), 3))

    assert said.startswith("p52/duel, overhill/playtest-1: a worker process died 3 times while playing runs 100 to 199")
    assert "--jobs 1" in said
    assert "--resume goes on with it" in said
