"""Whose play is searched for something better: what a search needs to know of a side.

`sim.studies.policy_search` climbs for the party in the game's policy language (`policy_changes.PartySide`), and for the
enemies in what the rules leave open to them (`enemy_changes.EnemySide`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from sim.core.outcomes import Outcome
from sim.results.statistics import CONFIDENCE, Estimate
from sim.scenario import Scenario
from sim.studies.measures import PairTally, Tally

Play: TypeAlias = dict[str, Any]  # how a side plays: a policy, or values of the fight


class Change(Protocol):
    """One change of how a side plays."""

    @property
    def line(self) -> tuple[tuple[str, str], int] | None:
        """The line that it adds and its place, so that one that does nothing there is not tried below; else None."""

    def applied(self, play: Play) -> Play | None:
        """With the change; None where it cannot be made."""

    def in_words(self, play: Play) -> str:
        """What it changes, as a designer would tell it."""


class Side(Protocol):
    """How one side of a fight plays, and what of it can be changed."""

    @property
    def sign(self) -> int:
        """1 where more wins of the party are better, -1 where fewer are."""

    @property
    def now(self) -> str:
        """How it plays now, for people."""

    @property
    def own(self) -> Play:
        """How it plays now."""

    @property
    def others(self) -> Mapping[str, Play]:
        """Ways to play that are there already, by what choosing one of them is called."""

    def changes(self, play: Play) -> Mapping[Any, Sequence[Change]]:
        """Every single change of it, by kinds that are tried in turn, always in the same order."""

    def fight_of(self, play: Play) -> Scenario | None:
        """The fight played so; None where the game refuses it."""

    def written(self, play: Play) -> str:
        """As one text, the same for two that say the same."""


def gain_of(pair: PairTally, sign: int, confidence: float = CONFIDENCE) -> Estimate:
    """By how much the second of a pair is better for a side: wins of the party, or wins that it has no longer."""
    more = pair.difference("win_rate", confidence)
    return more if sign > 0 else Estimate(-more.value, -more.high, -more.low, more.n, more.why)


def nothing_left(tally: Tally | None, sign: int) -> bool:
    """Whether a fight always ended as the side wants it: the party won every time, or never."""
    if tally is None or not tally.encounters:
        return False
    return tally.ended[Outcome.WIN] == (tally.encounters if sign > 0 else 0)


def room_left(tally: Tally, sign: int, confidence: float) -> float:
    """How many more wins there can be at most, or fewer, whatever anybody tries: what is known of the rest."""
    rate = tally.estimate("win_rate", confidence)
    return 1 - rate.low if sign > 0 else rate.high
