"""Fights on the same runs, watched together."""

from __future__ import annotations

from dataclasses import dataclass, field

from sim.studies.cards import Card, Fight
from sim.studies.measures import PairTally, Tally
from sim.studies.pool import Pool

OTHER_LUCK = 0x9E3779B97F4A7C15  # added to the seed where luck is not to be shared


def other_seed(seed: int, number: int = 1) -> int:
    """A seed whose luck has nothing to do with that of the given one."""
    return (seed + number * OTHER_LUCK) % 2**64


@dataclass(slots=True)
class Race:
    """Fights on the same runs, watched together: the baseline is the first. Losers may drop out on the way."""

    names: list[str]
    fights: list[Fight]
    pool: Pool
    pairs: list[tuple[int, int]]
    active: list[int] = field(default_factory=list)  # those still played
    tallies: dict[int, Tally] = field(default_factory=dict)
    scores: dict[tuple[int, int], PairTally] = field(default_factory=dict)
    done: int = 0

    def __post_init__(self) -> None:
        self.active = list(range(len(self.fights)))

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
        self.done = runs if self.pool.stopped is None else min(tally.runs for tally in self.tallies.values())

    def _cards(self, pairs: list[tuple[int, int]]) -> dict[int, tuple[list[int], list[tuple[int, int]]]]:
        """One card for every variant beside the baseline; one for all where they are set against each other too."""
        if all(first == 0 for first, _ in pairs):
            return {at: ([0, second], [(0, second)]) for at, (_, second) in enumerate(pairs)}
        return {0: (self.active, pairs)}

    def _card(self, fights: list[int], pairs: list[tuple[int, int]]) -> Card:
        return Card(
            tuple(self.fights[at] for at in fights),
            tuple((fights.index(one), fights.index(other)) for one, other in pairs),
        )
