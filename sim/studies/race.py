"""Fights on the same runs, watched together: those that are settled are played no further.

A race looks at run counts that are fixed beforehand, so which runs are played depends on the fights and the seed alone.
After every look a judge says who is settled and why; the runs go to the others. What is said of a fight at the look at
which it was settled must hold at all looks together: each look may spend a share of the chance of a mistake.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sim.results.sequences import share_of_look
from sim.studies.cards import Card, Fight
from sim.studies.measures import PairTally, Tally
from sim.studies.pool import Pool
from sim.studies.tenths import Tenths

OTHER_LUCK = 0x9E3779B97F4A7C15  # added to the seed where luck is not to be shared

FIRST_LOOK = 1_024  # runs after which there is a first ranking; a batch of fewer costs nearly as much
FURTHER = 4  # times as many runs at every look as at the one before

ALL_RUNS = "all runs"  # why a fight was played no further: it has had all that there are
STOPPED = "stopped"  # ... or somebody has stopped the study


def other_seed(seed: int, number: int = 1) -> int:
    """A seed whose luck has nothing to do with that of the given one."""
    return (seed + number * OTHER_LUCK) % 2**64


def looks_to(runs: int, full: bool = False) -> list[int]:
    """The run counts at which a race of at most so many runs is looked at; only the last if all are to be played.

    >>> looks_to(10_000), looks_to(3_000), looks_to(2_000), looks_to(10_000, full=True)
    ([1024, 4096, 10000], [1024, 3000], [2000], [10000])
    """
    found, look = [], FIRST_LOOK
    while 2 * look <= runs and not full:
        found.append(look)
        look *= FURTHER
    return [*found, runs]


@dataclass(slots=True)
class Race:
    """Fights on the same runs. Where they are set against each other, the first is what they are set against."""

    names: list[str]
    fights: list[Fight]
    pool: Pool
    pairs: list[tuple[int, int]]
    active: list[int] = field(default_factory=list)  # those still played
    tallies: dict[int, Tally] = field(default_factory=dict)
    scores: dict[tuple[int, int], PairTally] = field(default_factory=dict)
    done: int = 0
    in_tenths: bool = False  # whether the wins of every tenth of the runs are counted too
    tenths: dict[int, Tenths] = field(default_factory=dict)
    looks: Sequence[int] = ()  # run counts at which it is looked at; empty where nobody looks before the end
    until: dict[int, str] = field(default_factory=dict)  # why a fight was played no further
    kept_back: float = 0.0  # of the chance of a mistake: for those who are played on after the last look

    def __post_init__(self) -> None:
        self.active = list(range(len(self.fights)))

    # ------------------------------------------------------------------------------------------------------ watching

    def run(self, looks: Sequence[int], judge: Judge, told: Callable[[Race], str] | None = None) -> None:
        """Play from look to look; whoever the judge calls settled is played no further.

        Args:
            told: a line about what is known so far, for whoever watches.
        """
        self.looks = looks
        for look in looks:
            self.play_to(look)
            if self.pool.stopped is not None or look == looks[-1]:
                break
            self.until |= judge(self)
            self.active = [at for at in self.active if at not in self.until]
            if not self.undecided:
                break
            if told is not None:
                self.pool.say(told(self))
        rest = ALL_RUNS if self.pool.stopped is None else STOPPED
        self.until |= dict.fromkeys(self.undecided, rest)

    @property
    def undecided(self) -> list[int]:
        """Those of whom more is to be learnt; not what the others are set against."""
        return [at for at in self.active if at or not self.pairs]

    def share_of(self, at: int) -> float:
        """Which part of the chance of a mistake what is said of a fight may spend, at the look that it has come to."""
        runs = self.tallies[at].runs
        if self.kept_back and runs > self.looks[-1]:
            return self.kept_back
        return (1 - self.kept_back) * share_of_look(bisect_left(self.looks, runs) + 1, len(self.looks))

    def sure_of(self, at: int, confidence: float) -> float:
        """The confidence that an ordinary interval of a fight needs, so that it holds at whatever look it ends."""
        return 1 - (1 - confidence) * self.share_of(at)

    # ------------------------------------------------------------------------------------------------------- playing

    def play_to(self, runs: int) -> None:
        """Play everybody who is still in the race up to so many runs."""
        place = {fight: at for at, fight in enumerate(self.active)}
        pairs = [pair for pair in self.pairs if pair[0] in place and pair[1] in place]
        cards = self._cards(pairs)
        played = self.pool.play([self._card(*entry) for entry in cards.values()], self.done, runs)
        for (fights, own), score in zip(cards.values(), played, strict=True):
            for at, tally in zip(fights, score.fights, strict=True):
                if at != 0 or fights == cards[0][0]:
                    before = self.tallies.get(at)
                    self.tallies[at] = tally if before is None else before + tally
            for pair, pair_tally in zip(own, score.pairs, strict=True):
                known = self.scores.get(pair)
                self.scores[pair] = pair_tally if known is None else known + pair_tally
            if score.tenths is not None:
                parts = self.tenths.get(fights[0])
                self.tenths[fights[0]] = score.tenths if parts is None else parts + score.tenths
        self.done = runs if self.pool.stopped is None else min(self.tallies[at].runs for at in self.active)

    def _cards(self, pairs: list[tuple[int, int]]) -> dict[int, tuple[list[int], list[tuple[int, int]]]]:
        """One card for every variant beside the baseline; one for all where they are set against each other too."""
        if not self.pairs:
            return {place: ([at], []) for place, at in enumerate(self.active)}
        if all(first == 0 for first, _ in pairs):
            return {at: ([0, second], [(0, second)]) for at, (_, second) in enumerate(pairs)}
        return {0: (self.active, pairs)}

    def _card(self, fights: list[int], pairs: list[tuple[int, int]]) -> Card:
        return Card(
            tuple(self.fights[at] for at in fights),
            tuple((fights.index(one), fights.index(other)) for one, other in pairs),
            tenths=self.in_tenths,
        )


Judge: TypeAlias = Callable[[Race], Mapping[int, str]]  # who is settled after a look, and why
