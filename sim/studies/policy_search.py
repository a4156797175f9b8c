"""The search for better play: several climbs, each a way to play that is changed step by step while that is better.

A generation draws some changes of the play that a climb has come to, and races them against it with the same luck;
after every look only those stay that are better, and of them the best. The last one must be better than the play it
came from, and surely, in runs that had no part in choosing it. Every generation has runs of its own, so that nothing is
learnt by heart. Better means more wins of the party where the party's play is searched, and fewer where the enemies' is
(`sim.studies.sides`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sim.results.statistics import Estimate
from sim.scenario import Scenario
from sim.studies.cards import Fight
from sim.studies.measures import PairTally, Tally
from sim.studies.pool import Pool
from sim.studies.race import Race
from sim.studies.sides import Change, Play, Side, gain_of, nothing_left

WIDTH = 8  # changes that a generation tries
LOOKS = (400, 1_600)  # runs after which those who do not win more drop out
STAY = 3  # candidates at most that are played on after the first look
JUDGED = 2_400  # further runs, which decide about the best of them
SPAN = LOOKS[-1] + JUDGED  # runs of a generation
STARTS = 3  # climbs at most


@dataclass(frozen=True, slots=True)
class Step:
    """A change that was accepted, and the fight after it."""

    words: str
    play: Play
    fight: Scenario


@dataclass(frozen=True, slots=True)
class Seen:
    """What the search has seen of a play, in runs that had no part in choosing it: beside that of the fight."""

    before: Tally
    after: Tally
    pair: PairTally


@dataclass(slots=True)
class Climb:
    """A way to play on its way up."""

    play: Play
    fight: Scenario
    sign: int  # see `sim.studies.sides.Side`
    steps: list[Step] = field(default_factory=list)
    seen: Seen | None = None  # None for the play of the fight itself
    generations: int = 0
    tried: set[str] = field(default_factory=set)  # plays, as written
    ideas: list[Change] = field(default_factory=list)  # that were good, but not the best
    idle: dict[tuple[str, str], int] = field(default_factory=dict)  # a line, and from which place on it did nothing
    spent: bool = False  # whether there is nothing left to try

    @property
    def gain(self) -> Estimate:
        """Against the play of the fight, as far as the search knows."""
        gain = None if self.seen is None else gain_of(self.seen.pair, self.sign)
        return gain if gain is not None and gain.known else Estimate(0.0, 0.0, 0.0, 0)


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a generation."""

    generation: int
    start: str
    candidates: int
    best: str  # the change that was left, in words; empty where none was better
    difference: Estimate | None  # against where the climb stood
    accepted: bool


@dataclass(slots=True)
class Search:
    """A search under way."""

    base: Scenario
    pool: Pool
    seed: int
    side: Side
    climbs: list[Climb] = field(default_factory=list)
    history: list[Tried] = field(default_factory=list)
    own: Tally | None = None  # of the fight as it is
    at: int = 0  # the next run that nobody has seen
    judging: float = 0.0  # seconds for a run of a fight, while one is judged

    # ------------------------------------------------------------------------------------------------------ climbing

    def run(self, over: Callable[[Search], bool]) -> None:
        """Look for something better until it is over, there is nothing left to try, or nothing left to win."""
        self._begin()
        while not self.won_always and (climb := self._next()) is not None and not over(self):
            self._generation(climb)

    @property
    def won_always(self) -> bool:
        """Whether every fight in which the best was seen ended as its side wants it."""
        return nothing_left(self.own if self.best.seen is None else self.best.seen.after, self.side.sign)

    @property
    def exhausted(self) -> bool:
        """Whether every single change of the best was tried."""
        return self.best.spent

    @property
    def best(self) -> Climb:
        """The climb that has come furthest."""
        return max(self.climbs, key=lambda climb: climb.gain.value)

    @property
    def generations(self) -> int:
        """How many there were; the race of the policies that it begins with is none."""
        return max(0, len(self.history) - 1)

    def _begin(self) -> None:
        """Race the policies that there are, and climb on from those that are not clearly worse than the best."""
        side = self.side
        first = Climb(side.own, self.base, side.sign, tried={side.written(side.own)})
        self.climbs = [first]
        others = side.others
        fights = {words: fight for words, play in others.items() if (fight := side.fight_of(play)) is not None}
        left, race = self._race(self.base, list(fights.values()))
        self.own = race.tallies.get(0)
        for place in left[: STARTS - 1]:
            words = list(fights)[place]
            climb = Climb(others[words], fights[words], side.sign, tried={side.written(others[words])})
            climb.seen = self._judged(self.base, climb.fight)[0]
            climb.steps = [Step(words, climb.play, climb.fight)]
            self.climbs.append(climb)
        self.at += SPAN
        best = self.best
        won = best is not first
        words = best.steps[0].words if won else ""
        self.history.append(Tried(0, side.now, len(fights), words, best.gain if won else None, won))
        self._leave_behind()

    def _next(self) -> Climb | None:
        """Whose turn it is: who had the fewest, the strongest first. None where nobody has anything left to try."""
        able = [climb for climb in self.climbs if not climb.spent]
        return min(able, key=lambda climb: (climb.generations, -climb.gain.value)) if able else None

    def _leave_behind(self) -> None:
        """Climbs that are clearly behind the best go no further."""
        best = self.best.gain
        self.climbs = [climb for climb in self.climbs if climb.gain.high >= best.low]

    def _generation(self, climb: Climb) -> None:
        """Draw changes, race them, and take the best if it is surely better."""
        climb.generations += 1
        number = len(self.history)
        drawn = list(self._drawn(climb, number))
        if not drawn:
            climb.spent = True
            return
        left, race = self._race(climb.fight, [fight for _, _, fight in drawn])
        self.own = race.tallies.get(0) if self.own is None else self.own  # the first climb, where it begins
        for place, (change, _, _) in enumerate(drawn):
            if change.line is not None and race.scores[0, place + 1].unlike == 0:
                line, at = change.line
                climb.idle[line] = min(at, climb.idle.get(line, at))
        climb.ideas = [drawn[place][0] for place in left[1:]]
        start = climb.steps[0].words if climb.steps else self.side.now
        words, difference, accepted = "", None, False
        if left:
            change, play, fight = drawn[left[0]]
            words = change.in_words(climb.play)
            seen, difference = self._judged(climb.fight, fight)
            accepted = difference.low > 0
            if accepted:
                climb.play, climb.fight, climb.seen = play, fight, seen
                climb.steps.append(Step(words, play, fight))
        self.at += SPAN
        self.history.append(Tried(number, start, len(drawn), words, difference, accepted))
        self._leave_behind()

    def _drawn(self, climb: Climb, generation: int) -> Iterator[tuple[Change, Play, Scenario]]:
        """Changes that were not tried yet and that the game takes: ideas from before, then by lot, kind by kind."""
        draw = np.random.default_rng([self.seed, generation])
        queues = []
        for changes in self.side.changes(climb.play).values():
            order = draw.permutation(len(changes)).tolist()
            queues.append(iter([changes[place] for place in order]))
        found = 0
        for change in (*climb.ideas, *_in_turn(queues)):
            idle = change.line is not None and change.line[1] >= climb.idle.get(change.line[0], change.line[1] + 1)
            play = change.applied(climb.play)
            if play is None or idle or self.side.written(play) in climb.tried:
                continue
            climb.tried.add(self.side.written(play))
            fight = self.side.fight_of(play)
            if fight is not None:
                yield change, play, fight
                found += 1
                if found == WIDTH:
                    return

    # ------------------------------------------------------------------------------------------------------- playing

    def _race(self, against: Scenario, candidates: Sequence[Scenario]) -> tuple[list[int], Race]:
        """Which candidates are better, the best first, by looks after which the others drop out."""
        fights = [Fight(fight, self.seed) for fight in (against, *candidates)]
        names = [str(number) for number in range(len(fights))]
        race = Race(names, fights, self.pool, [(0, at) for at in range(1, len(fights))], done=self.at)
        left = list(range(1, len(fights)))
        for runs in LOOKS:
            if not left:
                break
            race.active = [0, *left[:STAY]] if race.tallies else [0, *left]
            race.play_to(self.at + runs)
            ahead = {at: self.side.sign * (pair.gained() - pair.lost()) for (_, at), pair in race.scores.items()}
            left = sorted((at for at in race.active[1:] if ahead[at] > 0), key=lambda at: (-ahead[at], at))
        return [at - 1 for at in left], race

    def _judged(self, against: Scenario, candidate: Scenario) -> tuple[Seen, Estimate]:
        """A candidate in runs that had no part in choosing it: beside the fight as it is, and where it came from."""
        fights = list(dict.fromkeys([self.base, against, candidate]))
        last = len(fights) - 1
        race = Race(
            [str(number) for number in range(len(fights))],
            [Fight(fight, self.seed) for fight in fights],
            self.pool,
            [(0, last)] if last == 1 else [(0, last), (last - 1, last)],
            done=self.at + LOOKS[-1],
        )
        began = self.pool.seconds
        race.play_to(self.at + SPAN)
        self.judging = (self.pool.seconds - began) / (len(fights) * JUDGED)
        seen = Seen(race.tallies[0], race.tallies[last], race.scores[0, last])
        return seen, gain_of(race.scores[last - 1, last], self.side.sign)


def _in_turn(queues: Sequence[Iterator[Change]]) -> Iterator[Change]:
    """One of each, again and again, until all are empty."""
    waiting = list(queues)
    while waiting:
        for queue in list(waiting):
            change = next(queue, None)
            if change is None:
                waiting.remove(queue)
            else:
                yield change
