"""The round starts of a fight as a Markov chain, and its solution.

A state is what the coming round depends on. From a state a round leads, over all ways of its hero phase and its monster
phase, to an end of the fight or to another state. In a round nobody regains health, no monster comes back, and nobody
leaves the front, so a fight only ever runs downhill: states are solved from the bottom up, and only those of one level
(the same health, monsters and places, such as a round in which nothing happens) need a system of equations.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from sim.errors import NotSolvable
from sim.rulesets.overhill.exact.hero_phase import Aftermath, HeroPhase
from sim.rulesets.overhill.exact.memory import Kills, Numbers
from sim.rulesets.overhill.exact.monster_phase import MonsterPhase, Stances
from sim.rulesets.overhill.exact.odds import Chance, Share
from sim.rulesets.overhill.exact.party import LADDER, Fight, Party, step_up

VALUES = 4  # of every state: chance to win, to win with nobody down, expected rounds, expected heroes standing
ENDLESS = 1e-12  # a state that is left with a smaller chance than this is never left


class TooManyStates(Exception):  # noqa: N818 (a limit, caught by the caller)
    """The fight has more states than the limit."""


class State(NamedTuple):
    """The start of a round, heroes already stepped up."""

    party: int  # number of the party in `Chain.parties`
    n: Numbers
    memory: Kills
    first_round: bool  # only where it matters


class Row(NamedTuple):
    """What a round can lead to from a state."""

    ends: list[Chance]  # what the ends in this round add to each value
    blends: list[tuple[int, Chance]]  # the blends that it leads to


class Chain:
    """All states that can be met, and where a round leads from each.

    Ways that differ only in who killed whom lead to the same parties, so they are gathered in a blend: the next states
    with their chances. A row names blends, and the many rows that share one need it worked out only once.
    """

    def __init__(
        self, fight: Fight, hero_phase: HeroPhase, monster_phase: MonsterPhase, share: Share, most_states: int
    ) -> None:
        self.fight = fight
        self.hero_phase = hero_phase
        self.monster_phase = monster_phase
        self.memory = hero_phase.memory
        self.share = share
        self.most_states = most_states
        self.counts_rounds = fight.rogue_sneak and fight.on("sneak_attack_use", "first_round")
        self.states: dict[State, int] = {}  # place in line
        self.line: list[State] = []
        self.rows: list[Row] = []
        self.parties: list[Party] = []
        self.party_number: dict[Party, int] = {}
        self.blends: list[list[tuple[int, Chance]]] = []
        self.blend_number: dict[tuple[int, int], int] = {}  # (which aftermath, party) -> place in blends
        self.monster_results: dict[tuple[int, Numbers, Kills, Stances], list[tuple[int, Chance]]] = {}

    def solve(self, beginning: list[tuple[Chance, Numbers, Party]]) -> list[Chance]:
        """The values of the fight, over all ways in which it can begin."""
        first = [
            (p, self.state_number(State(self.numbered(party), n, self.memory.nothing, self.counts_rounds)))
            for p, n, party in beginning
        ]
        self.explore()
        values = self.values()
        return [sum((p * values[s][i] for p, s in first), self.share(0, 1)) for i in range(VALUES)]

    # Meeting the states.

    def explore(self) -> None:
        """Expand every state; states that are met on the way are put at the end of the line."""
        while len(self.rows) < len(self.line):
            self.rows.append(self.expand(self.line[len(self.rows)]))

    def state_number(self, state: State) -> int:
        """The state's place in the line; it is put at its end if it is new."""
        number = self.states.setdefault(state, len(self.line))
        if number == len(self.line):
            self.line.append(state)
            if number >= self.most_states:
                raise TooManyStates(f"more than {self.most_states:,}")
        return number

    def numbered(self, party: Party) -> int:
        """The party's place in `parties`."""
        number = self.party_number.setdefault(party, len(self.parties))
        if number == len(self.parties):
            self.parties.append(party)
        return number

    def expand(self, state: State) -> Row:
        """One round from a state."""
        party = self.parties[state.party]
        reduced = self.hero_phase.reduced(party)
        stances = self.stances(party)
        results = self.hero_phase.results(reduced, state.n, state.first_round)
        ends = [self.share(0, 1)] * VALUES
        ends[2] = self.share(1, 1)  # this round
        for standing, p in results.won.items():
            everybody = standing == len(party)
            ends = [ends[0] + p, ends[1] + (p if everybody else 0), ends[2], ends[3] + p * standing]
        leads_to: dict[int, Chance] = defaultdict(lambda: self.share(0, 1))
        for way in results.goes_on:
            after = self.hero_phase.applied(party, reduced, way.party)
            if not any(hero.health for hero in after):
                continue  # OU-Z2: a mishap has brought the last hero down
            scores = way.scores if self.memory.present else self.memory.ranked(state.memory, way.n, after)
            for survivors, p in self.after_monsters(self.numbered(after), way.n, scores, stances):
                leads_to[self.blend(way, survivors)] += p
        return Row(ends, list(leads_to.items()))

    def stances(self, party: Party) -> Stances:
        """OU-R3: the stances of a round, for heroes in front who are not paralysed as it begins."""
        if self.fight.stance == 0:
            return (0,) * len(party)
        return tuple(self.fight.stance if hero.front and not hero.paralysed else 0 for hero in party)

    def after_monsters(self, party: int, n: Numbers, scores: Kills, stances: Stances) -> list[tuple[int, Chance]]:
        """The parties that a monster phase can leave, stepped up for the next round, lost fights left out."""
        key = (party, n, scores, stances)
        if key not in self.monster_results:
            results: dict[int, Chance] = defaultdict(lambda: self.share(0, 1))
            for after, p in self.monster_phase.results(self.parties[party], n, scores, stances).items():
                if any(hero.health for hero in after):
                    results[self.numbered(step_up(self.fight, after))] += p
            self.monster_results[key] = list(results.items())
        return self.monster_results[key]

    def blend(self, way: Aftermath, party: int) -> int:
        """The states that follow when this party is left, over all that monsters may remember."""
        key = (id(way), party)
        if key not in self.blend_number:
            chances: dict[int, Chance] = defaultdict(lambda: self.share(0, 1))
            for kills, p in way.kills.items():
                memory = self.memory.ranked(kills, way.n, self.parties[party])
                chances[self.state_number(State(party, way.n, memory, False))] += p
            self.blend_number[key] = len(self.blends)
            self.blends.append(list(chances.items()))
        return self.blend_number[key]

    # Solving.

    def values(self) -> list[list[Chance]]:
        """The values of every state, from the lowest level up."""
        levels: dict[tuple[int, State], list[int]] = defaultdict(list)
        for state, number in self.states.items():
            levels[self.height(state), self.level(state)].append(number)
        values: list[list[Chance] | None] = [None] * len(self.states)
        blended: list[list[Chance] | None] = [None] * len(self.blends)
        for _, members in sorted(levels.items(), key=lambda entry: entry[0][0]):
            equations = {s: self.equation(s, values, blended) for s in members}
            for s, found in solved(equations).items():
                values[s] = found
        return [value for value in values if value is not None]

    def level(self, state: State) -> State:
        """What states have in common that can follow each other for ever: all but what wears off by itself."""
        party = tuple(hero._replace(paralysed=0, blocked=False) for hero in self.parties[state.party])
        return State(self.numbered(party), state.n, (), False)

    def height(self, state: State) -> int:
        """A number that never rises from round to round, and falls whenever the level changes."""
        party = self.parties[state.party]
        lasting = sum(
            hero.health + LADDER.index(hero.vigor) + (not hero.front) + (not hero.silenced)
            for hero in party
            if hero.health
        )
        return lasting + sum(state.n)

    def equation(
        self, s: int, values: list[list[Chance] | None], blended: list[list[Chance] | None]
    ) -> tuple[dict[int, Chance], list[Chance]]:
        """The values of a state as a sum: chance times unknown state of its own level, plus what is known."""
        ends, leads_to = self.rows[s]
        known = list(ends)
        unknown: dict[int, Chance] = {}
        for blend, p in leads_to:
            value = blended[blend]
            if value is None:
                parts = self.blends[blend]
                if any(values[follower] is None for follower, _ in parts):
                    for follower, q in parts:
                        found = values[follower]
                        if found is None:
                            unknown[follower] = unknown.get(follower, 0) + p * q
                        else:
                            known = [have + p * q * more for have, more in zip(known, found, strict=True)]
                    continue
                value = [sum((q * values[f][i] for f, q in parts), self.share(0, 1)) for i in range(VALUES)]  # type: ignore[index]
                blended[blend] = value
            known = [have + p * more for have, more in zip(known, value, strict=True)]
        return unknown, known


def solved(equations: dict[int, tuple[dict[int, Chance], list[Chance]]]) -> dict[int, list[Chance]]:
    """The values of the states of one level: elimination of one unknown after the other."""
    for s in equations:
        unknown, known = equations[s]
        leaves = 1 - unknown.pop(s, 0)
        if leaves < ENDLESS:
            raise NotSolvable(
                "The fight can come to a point at which neither side can hurt the other, and then never ends without a "
                "round cap. Raise an attack or lower a defence, or play it with `fairfight run`."
            )
        if leaves != 1:
            unknown = {other: p / leaves for other, p in unknown.items()}
            known = [value / leaves for value in known]
            equations[s] = unknown, known
        for other, (terms, sums) in equations.items():
            if other != s and s in terms:
                p = terms.pop(s)
                for third, q in unknown.items():
                    terms[third] = terms.get(third, 0) + p * q
                equations[other] = terms, [have + p * more for have, more in zip(sums, known, strict=True)]
    return {s: known for s, (_, known) in equations.items()}
