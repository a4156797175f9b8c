"""How often the party still wins from the start of a round on: the run up to there, and fresh luck after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.branch import AGAIN, Fork, branch, chances, chances_of_fork
from sim.core.engine import play
from sim.core.evening import Evening
from sim.core.evening_scenes import FightScene
from sim.core.lanes import Tiny
from sim.core.outcomes import Outcome, room_counts
from sim.results.statistics import Estimate, rate
from sim.results.verdict import counted, percent
from sim.scenario import Scenario

__all__ = ["AGAIN", "Chance", "chance_from", "chance_of", "chances_along"]


@dataclass(frozen=True, slots=True)
class Chance:
    """How the continuations of a run ended that went on from the start of a round."""

    round: int
    again: int  # continuations
    wins: int
    draws: int
    losses: int
    scene: int = 0  # of an evening: the scene that begins with this round; 0 for a fight

    @property
    def win_rate(self) -> Estimate:
        """The party's chance, with its interval."""
        return rate(self.wins, self.again)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        win = self.win_rate
        return {
            "round": self.round,
            **({"scene": self.scene} if self.scene else {}),
            "again": self.again,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "win_rate": win.value,
            "win_rate_low": win.low,
            "win_rate_high": win.high,
        }

    def in_words(self) -> str:
        """The chance and its interval: '71 % (64 to 78)'."""
        win = self.win_rate
        low, high = percent(win.low, win.margin), percent(win.high, win.margin)
        return f"{percent(win.value, win.margin)} % ({low} to {high})"

    def sentence(self) -> str:
        """What came of so many continuations."""
        others = " and ".join(
            f"{verb} {number:,}" for verb, number in (("draws", self.draws), ("loses", self.losses)) if number
        )
        wins = f"wins {self.wins:,} of {counted(self.again, 'continuation')}: {self.in_words()}"
        begin = f"scene {self.scene}" if self.scene else f"round {self.round}"
        return f"From {begin} on the party {wins}" + (f"; it {others}" if others else "")


def chances_along(
    fight: Scenario,
    run: int,
    seed: int,
    again: int = AGAIN,
    fork: Fork | None = None,
    then: Scenario | None = None,
) -> tuple[Chance, ...]:
    """The party's chance from the start of each round of a run on, or of one of its continuations."""
    if fork is None:
        found = chances(fight.encounter(), seed, run, again)
    else:
        other = None if then is None else then.encounter()
        found = chances_of_fork(fight.encounter(), seed, run, fork, again, other)
    ends = zip(found.wins.tolist(), found.draws.tolist(), found.losses.tolist(), strict=True)
    encounter = fight.encounter()
    if isinstance(encounter, Evening):
        begins = _first_rounds(encounter, seed, run)
        return tuple(
            Chance(begins[place], again, wins, draws, losses, place + 1)
            for place, (wins, draws, losses) in enumerate(ends)
            if isinstance(encounter.scenes[place], FightScene)
        )
    return tuple(Chance(number, again, *counts) for number, counts in enumerate(ends, start=1))


def _first_rounds(evening: Evening, seed: int, run: int) -> list[int]:
    """The round with which each scene of an evening begins, counted through the whole evening."""
    counts = play(evening, seed, np.array([run], dtype=np.int64)).counts
    rounds = [int(counts[room_counts(place)[2]][0]) for place in range(len(evening.scenes))]
    return [1 + sum(rounds[:place]) for place in range(len(rounds))]


def chance_from(fight: Scenario, run: int, seed: int, round: int, again: int) -> Chance:
    """The party's chance from the start of one round on; InputError if the run was over by then."""
    ended = branch(fight.encounter(), seed, np.array([run], dtype=np.int64), round, again).outcome
    return chance_of(round, ended, scene=round if fight.is_adventure else 0)


def chance_of(round: int, ended: Tiny, scene: int = 0) -> Chance:
    """The party's chance from the start of a round, or of a scene, on, by how its continuations ended."""
    wins, draws, losses = (int(np.count_nonzero(ended == end)) for end in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
    return Chance(round, len(ended), wins, draws, losses, scene)
