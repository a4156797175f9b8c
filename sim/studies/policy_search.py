"""The search for better play: several climbs, each a policy that is changed step by step while that wins more.

A generation draws some changes of the policy that a climb has come to, and races them against it with the same luck;
after every look only those stay that win more, and of them the best. The last one must win more than the policy it came
from, and surely, in runs that had no part in choosing it. Every generation has runs of its own, so that nothing is
learnt by heart.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sim.core.outcomes import Outcome
from sim.core.policy import inherit, split_dial
from sim.errors import ScenarioError
from sim.results.statistics import CONFIDENCE, Estimate
from sim.scenario import Scenario
from sim.studies.cards import Fight
from sim.studies.measures import PairTally, Tally
from sim.studies.policy_changes import ABOUT, KINDS, Change, Language, Policy, written
from sim.studies.pool import Pool
from sim.studies.race import Race

WIDTH = 8  # changes that a generation tries
LOOKS = (400, 1_600)  # runs after which those who do not win more drop out
STAY = 3  # candidates at most that are played on after the first look
JUDGED = 2_400  # further runs, which decide about the best of them
SPAN = LOOKS[-1] + JUDGED  # runs of a generation
STARTS = 3  # climbs at most
NAME = "improved"  # what the policy is called, where the fight has none of this name


@dataclass(frozen=True, slots=True)
class Step:
    """A change that was accepted, and the fight after it."""

    words: str
    policy: Policy
    fight: Scenario


@dataclass(frozen=True, slots=True)
class Seen:
    """What the search has seen of a policy, in runs that had no part in choosing it: beside that of the fight."""

    before: Tally
    after: Tally
    pair: PairTally


@dataclass(slots=True)
class Climb:
    """A policy on its way up."""

    policy: Policy
    fight: Scenario
    steps: list[Step] = field(default_factory=list)
    seen: Seen | None = None  # None for the policy of the fight itself
    generations: int = 0
    tried: set[str] = field(default_factory=set)  # policies, as written
    ideas: list[Change] = field(default_factory=list)  # that were good, but not the best
    idle: dict[tuple[str, str], int] = field(default_factory=dict)  # a line, and from which place on it did nothing
    spent: bool = False  # whether there is nothing left to try

    @property
    def gain(self) -> Estimate:
        """Against the policy of the fight, as far as the search knows."""
        gain = None if self.seen is None else self.seen.pair.difference("win_rate", CONFIDENCE)
        return gain if gain is not None and gain.known else Estimate(0.0, 0.0, 0.0, 0)


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a generation."""

    generation: int
    start: str
    candidates: int
    best: str  # the change that was left, in words; empty where none won more
    difference: Estimate | None  # against where the climb stood
    accepted: bool


@dataclass(slots=True)
class Search:
    """A search under way."""

    base: Scenario
    pool: Pool
    seed: int
    language: Language
    policies: Mapping[str, Policy]  # to begin with, beside that of the fight; `like` worked in
    name: str = ""
    climbs: list[Climb] = field(default_factory=list)
    history: list[Tried] = field(default_factory=list)
    own: Tally | None = None  # of the fight as it is
    at: int = 0  # the next run that nobody has seen
    judging: float = 0.0  # seconds for a run of a fight, while one is judged

    @classmethod
    def of(cls, base: Scenario, pool: Pool, seed: int) -> Search:
        """A search in the language of all policies that the game and the fight have."""
        known = known_policies(base)
        taken = known.keys()
        numbered = (NAME if number == 1 else f"{NAME}_{number}" for number in range(1, len(taken) + 2))
        name = next(name for name in numbered if name not in taken)
        return cls(base, pool, seed, Language.of(known), known, name)

    # ------------------------------------------------------------------------------------------------------ climbing

    def run(self, over: Callable[[Search], bool]) -> None:
        """Look for something better until it is over, there is nothing left to try, or nothing left to win."""
        self._begin()
        while not self.won_always and (climb := self._next()) is not None and not over(self):
            self._generation(climb)

    @property
    def won_always(self) -> bool:
        """Whether the best has won every fight in which it was seen."""
        tally = self.own if self.best.seen is None else self.best.seen.after
        return tally is not None and tally.ended[Outcome.WIN] == tally.encounters > 0

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
        own_name, _ = split_dial(self.base.policy)
        own = self._told(self.policies[own_name])
        first = Climb(own, self.base, tried={written(own)})
        self.climbs = [first]
        others = {name: self._told(policy) for name, policy in self.policies.items() if name != own_name}
        fights = {name: fight for name, policy in others.items() if (fight := self.fight_of(policy)) is not None}
        left, race = self._race(self.base, list(fights.values()))
        self.own = race.tallies.get(0)
        for place in left[: STARTS - 1]:
            name = list(fights)[place]
            climb = Climb(others[name], fights[name], tried={written(others[name])})
            climb.seen = self._judged(self.base, climb.fight)[0]
            climb.steps = [Step(f"plays as {name} does, not as {own_name}", climb.policy, climb.fight)]
            self.climbs.append(climb)
        self.at += SPAN
        best = self.best
        won = best is not first
        words = best.steps[0].words if won else ""
        self.history.append(Tried(0, own_name, len(fights), words, best.gain if won else None, won))
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
        for place, (change, _, _) in enumerate(drawn):
            if change.kind == "insert" and race.scores[0, place + 1].unlike == 0:
                line = change.key, change.value
                climb.idle[line] = min(change.at, climb.idle.get(line, change.at))
        climb.ideas = [drawn[place][0] for place in left[1:]]
        start = climb.steps[0].words if climb.steps else self.base.policy
        words, difference, accepted = "", None, False
        if left:
            change, policy, fight = drawn[left[0]]
            words = change.in_words(climb.policy)
            seen, difference = self._judged(climb.fight, fight)
            accepted = difference.low > 0
            if accepted:
                climb.policy, climb.fight, climb.seen = policy, fight, seen
                climb.steps.append(Step(words, policy, fight))
        self.at += SPAN
        self.history.append(Tried(number, start, len(drawn), words, difference, accepted))
        self._leave_behind()

    def _drawn(self, climb: Climb, generation: int) -> Iterator[tuple[Change, Policy, Scenario]]:
        """Changes that were not tried yet and that the game takes: ideas from before, then by lot, kind by kind."""
        draw = np.random.default_rng([self.seed, generation])
        by_kind = self.language.changes(climb.policy)
        queues = []
        for kind in KINDS:
            order = draw.permutation(len(by_kind[kind])).tolist()
            queues.append(iter([by_kind[kind][place] for place in order]))
        found = 0
        for change in (*climb.ideas, *_in_turn(queues)):
            place = climb.idle.get((change.key, change.value)) if change.kind == "insert" else None
            policy = change.applied(climb.policy)
            if policy is None or (place is not None and change.at >= place) or written(policy) in climb.tried:
                continue
            climb.tried.add(written(policy))
            fight = self.fight_of(policy)
            if fight is not None:
                yield change, policy, fight
                found += 1
                if found == WIDTH:
                    return

    # ------------------------------------------------------------------------------------------------------- playing

    def fight_of(self, policy: Policy) -> Scenario | None:
        """The fight played so; None where the game refuses it. Who slips goes on slipping."""
        dial = self.base.policy.partition("@")[1:]
        try:
            return self.base.changed(values={f"policies.{self.name}": policy}, policy=self.name + "".join(dial))
        except ScenarioError:
            return None

    def _told(self, policy: Mapping[str, object]) -> Policy:
        own, _ = split_dial(self.base.policy)
        return {ABOUT: f"found by fairfight improve, beginning with {own}"} | {
            key: value for key, value in policy.items() if key != ABOUT
        }

    def _race(self, against: Scenario, candidates: Sequence[Scenario]) -> tuple[list[int], Race]:
        """Which candidates win more, the best first, by looks after which the others drop out."""
        fights = [Fight(fight, self.seed) for fight in (against, *candidates)]
        names = [str(number) for number in range(len(fights))]
        race = Race(names, fights, self.pool, [(0, at) for at in range(1, len(fights))], done=self.at)
        left = list(range(1, len(fights)))
        for runs in LOOKS:
            if not left:
                break
            race.active = [0, *left[:STAY]] if race.tallies else [0, *left]
            race.play_to(self.at + runs)
            ahead = {at: pair.gained() - pair.lost() for (_, at), pair in race.scores.items()}
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
        return seen, race.scores[last - 1, last].difference("win_rate", CONFIDENCE)


def known_policies(scenario: Scenario) -> dict[str, Policy]:
    """The policies of the game and of the fight, `like` worked in."""
    own = scenario.data.get("policies", {})
    full, _ = inherit(scenario.ruleset.read_table("policies.toml") | own)
    return {name: json.loads(json.dumps(policy)) for name, policy in full.items()}


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
