"""What worker processes do for the page. A task is plain data that can do itself wherever it arrives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from sim.core.outcomes import Cast
from sim.report.result_figures import result_drawings
from sim.report.result_page import result_page
from sim.report.spreadsheet import as_csv
from sim.report.svg import Drawing
from sim.results.result import Result
from sim.results.summary import Summary
from sim.runs.pieces import RunsPiece
from sim.scenario import Scenario
from sim.scenario.catalogue import scenario_names
from sim.studies.cards import CardPiece, Score

R = TypeVar("R")


class Task(ABC, Generic[R]):
    """Something to do in a worker process."""

    __slots__ = ()
    can_be_broken_off: ClassVar[bool] = False  # playing can; what may be loading a package at that moment cannot

    @property
    def subject(self) -> str:
        """The fight it is about: whoever has played it has most of it at hand, however its numbers are changed."""
        return ""

    @abstractmethod
    def do(self) -> R:
        """Do it."""


@dataclass(frozen=True, slots=True)
class Runs(Task[tuple[Summary, Cast]]):
    """A stretch of runs of one fight."""

    can_be_broken_off: ClassVar[bool] = True
    scenario: Scenario
    seed: int
    first: int
    count: int

    @property
    def subject(self) -> str:
        """Its name, which is that of all its variants."""
        return self.scenario.name

    def do(self) -> tuple[Summary, Cast]:
        """The sums, and who fights."""
        found = RunsPiece(self.scenario, self.seed, self.first, self.count).play()
        return found.summary, self.scenario.encounter().cast


@dataclass(frozen=True, slots=True)
class Pairs(Task[Score]):
    """A stretch of runs of two fights with the same luck."""

    can_be_broken_off: ClassVar[bool] = True
    piece: CardPiece

    @property
    def subject(self) -> str:
        """The name of the first."""
        return self.piece.scenarios[0].name

    def do(self) -> Score:
        """The sums of both, and of one against the other."""
        return self.piece.play()


@dataclass(frozen=True, slots=True)
class Drawings(Task[list[Drawing]]):
    """The figures of a result, as its report has them."""

    result: Result

    def do(self) -> list[Drawing]:
        """All that have something to show."""
        return list(result_drawings(self.result).values())


@dataclass(frozen=True, slots=True)
class Report(Task[str]):
    """The report of a result."""

    result: Result

    def do(self) -> str:
        """One HTML page."""
        return result_page(self.result)


@dataclass(frozen=True, slots=True)
class Numbers(Task[bytes]):
    """Every number of a result with its interval."""

    result: Result

    def do(self) -> bytes:
        """As CSV."""
        return as_csv(self.result.summary(everything=True))


@dataclass(frozen=True, slots=True)
class Ready(Task[int]):
    """Load the games, so that nobody waits for that when the first fight comes."""

    def do(self) -> int:
        """How many there are."""
        return len(scenario_names())
