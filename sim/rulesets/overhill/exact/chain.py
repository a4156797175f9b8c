"""The round starts of a fight as a Markov chain, and its solution.

A state is what the coming round depends on. From a state a round leads, over all ways of its hero phase and its monster
phase, to an end of the fight or to another state. In a round nobody regains health, no monster comes back, and nobody
leaves the front, so a fight only ever runs downhill: states are solved from the bottom up, and only those of one level
(the same health, monsters and places, such as a round in which nothing happens) need a system of equations.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from sim.errors import NotSolvable
from sim.rulesets.overhill.exact.enemy_turns import MonsterPhase, Stances
from sim.rulesets.overhill.exact.hero_turns import Aftermath, HeroPhase
from sim.rulesets.overhill.exact.memory import Kills, Numbers
from sim.rulesets.overhill.exact.odds import MOST_LINKS, Chance, Share, TooLarge
from sim.rulesets.overhill.exact.party import LADDER, Fight, Party, step_up

Values: TypeAlias = tuple[Chance, Chance, Chance, Chance]  # won, won with nobody down, rounds, heroes standing
Equation: TypeAlias = tuple[dict[int, Chance], Values]  # chance of every unknown state, and what is known
ENDLESS = 1e-12  # a state that is left with a smaller chance than this is never left


class State(NamedTuple):
    """The start of a round, heroes already stepped up."""

    party: int  # number of the party in `Chain.parties`
    n: Numbers
    memory: Kills
    first_round: bool  # only where it matters


class Row(NamedTuple):
    """What a round can lead to from a state."""

    ends: Values  # what this round itself adds to the values
    blends: Sequence[int]  # where it leads to if the fight goes on ...
    chances: Sequence[Chance]  # ... and the chance of each


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
        self.nothing: Values = (share(0, 1), share(0, 1), share(0, 1), share(0, 1))
        self.most_states = most_states
        self.counts_rounds = fight.rogue_sneak and fight.on("sneak_attack_use", "first_round")
        self.states: list[State] = []
        self.state_number: dict[State, int] = {}
        self.parties: list[Party] = []
        self.party_number: dict[Party, int] = {}
        self.rows: list[Row] = []
        self.links = 0
        self.blends: list[list[tuple[int, Chance]]] = []
        # Worked out once and looked up often:
        self.after_heroes: dict[tuple[int, Party], int | None] = {}
        self.after_monsters: dict[tuple[int, Numbers, Kills, Stances], list[tuple[int, Chance]]] = {}
        self.next_round: dict[Party, int] = {}

    def solve(self, beginning: list[tuple[Chance, Numbers, Party]]) -> Values:
        """The values of the fight, over all ways in which it can begin."""
        first = [
            (p, self.met(State(self.numbered(party), n, self.memory.nothing, self.counts_rounds)))
            for p, n, party in beginning
        ]
        while len(self.rows) < len(self.states):  # states that are met on the way stand at the end of the list
            self.rows.append(self.expand(self.states[len(self.rows)]))
        values = self.values()
        total = self.nothing
        for p, state in first:
            total = plus(total, p, values[state])
        return total

    # Meeting the states.

    def met(self, state: State) -> int:
        """The state's number; a new state gets the next one."""
        number = self.state_number.setdefault(state, len(self.states))
        if number == len(self.states):
            if number == self.most_states:
                raise TooLarge(f"more than {self.most_states:,} states")
            self.states.append(state)
        return number

    def numbered(self, party: Party) -> int:
        """The party's number; a new party gets the next one."""
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
        ends = plus(self.nothing, 1, (0, 0, 1, 0))  # this round counts
        for standing, p in results.won.items():
            ends = plus(ends, p, (1, int(standing == len(party)), 0, standing))
        leads_to: dict[int, Chance] = {}
        for way in results.goes_on:
            after = self.past_heroes(state.party, reduced, way.party)
            if after is None:
                continue  # OU-Z2: a mishap has brought the last hero down
            scores = way.scores if self.memory.present else self.memory.ranked(state.memory, way.n, self.parties[after])
            for survivors, p in self.past_monsters(after, way.n, scores, stances):
                blend = way.blends.get(survivors)
                if blend is None:
                    blend = self.new_blend(way, survivors)
                leads_to[blend] = leads_to.get(blend, 0) + p
        self.links += len(leads_to)
        if self.links > MOST_LINKS:
            raise TooLarge(f"more than {MOST_LINKS:,} ways to go on from its first {len(self.rows):,} states")
        in_doubles = isinstance(ends[2], float)  # a tenth of the memory, and there may be millions of them
        chances = array("d", map(float, leads_to.values())) if in_doubles else tuple(leads_to.values())
        return Row(ends, array("i", leads_to), chances)

    def stances(self, party: Party) -> Stances:
        """OU-R3: the stances of a round, for heroes in front who are not paralysed as it begins."""
        if self.fight.stance == 0:
            return (0,) * len(party)
        return tuple(self.fight.stance if hero.front and not hero.paralysed else 0 for hero in party)

    def past_heroes(self, party: int, reduced: Party, reduced_after: Party) -> int | None:
        """The party that a hero phase leaves; None if nobody stands."""
        key = (party, reduced_after)
        if key not in self.after_heroes:
            after = self.hero_phase.applied(self.parties[party], reduced, reduced_after)
            self.after_heroes[key] = self.numbered(after) if any(hero.health for hero in after) else None
        return self.after_heroes[key]

    def past_monsters(self, party: int, n: Numbers, scores: Kills, stances: Stances) -> list[tuple[int, Chance]]:
        """The parties that a monster phase can leave, stepped up for the next round; lost fights are left out."""
        key = (party, n, scores, stances)
        if key not in self.after_monsters:
            results: dict[int, Chance] = {}
            for after, p in self.monster_phase.results(self.parties[party], n, scores, stances).items():
                if any(hero.health for hero in after):
                    number = self.stepped_up(after)
                    results[number] = results.get(number, 0) + p
            self.after_monsters[key] = list(results.items())
        return self.after_monsters[key]

    def stepped_up(self, party: Party) -> int:
        """OU-P5: the party as the next round begins."""
        if party not in self.next_round:
            self.next_round[party] = self.numbered(step_up(self.fight, party))
        return self.next_round[party]

    def new_blend(self, way: Aftermath, party: int) -> int:
        """The states that follow when this party is left, over all that monsters may remember."""
        chances: dict[int, Chance] = {}
        for kills, p in way.kills.items():
            memory = self.memory.ranked(kills, way.n, self.parties[party])
            follower = self.met(State(party, way.n, memory, False))
            chances[follower] = chances.get(follower, 0) + p
        way.blends[party] = len(self.blends)
        self.blends.append(list(chances.items()))
        return way.blends[party]

    # Solving.

    def values(self) -> list[Values]:
        """The values of every state, worked out from the lowest level up."""
        levels: dict[tuple[int, State], list[int]] = defaultdict(list)
        for number, state in enumerate(self.states):
            levels[self.height(state), self.level(state)].append(number)
        values: dict[int, Values] = {}
        blended: dict[int, Values] = {}
        for _, members in sorted(levels.items(), key=lambda level: level[0][0]):
            values |= solved({number: self.equation(number, values, blended) for number in members})
        return [values[number] for number in range(len(self.states))]

    def level(self, state: State) -> State:
        """What states have in common that can follow each other: all but what wears off by itself."""
        party = tuple(hero._replace(paralysed=0, blocked=False) for hero in self.parties[state.party])
        return State(self.numbered(party), state.n, (), False)

    def height(self, state: State) -> int:
        """A number that never rises from round to round, and falls whenever the level changes."""
        lasting = sum(
            hero.health + LADDER.index(hero.vigor) + (not hero.front) + (not hero.silenced)
            for hero in self.parties[state.party]
            if hero.health
        )
        return lasting + sum(state.n)

    def equation(self, number: int, values: dict[int, Values], blended: dict[int, Values]) -> Equation:
        """The values of a state as a sum: chance times unknown state of its own level, plus what is known."""
        (won, unhurt, rounds, standing), blends, chances = self.rows[number]
        unknown: dict[int, Chance] = {}
        for blend, p in zip(blends, chances, strict=True):
            value = blended.get(blend)
            if value is None:
                value, missing = self.mixed(blend, values)
                for follower, q in missing:
                    unknown[follower] = unknown.get(follower, 0) + p * q
                if not missing:
                    blended[blend] = value
            won += p * value[0]
            unhurt += p * value[1]
            rounds += p * value[2]
            standing += p * value[3]
        return unknown, (won, unhurt, rounds, standing)

    def mixed(self, blend: int, values: dict[int, Values]) -> tuple[Values, list[tuple[int, Chance]]]:
        """The values of a blend as far as they are known, and those of its states that are not."""
        total = self.nothing
        missing = []
        for follower, p in self.blends[blend]:
            if follower in values:
                total = plus(total, p, values[follower])
            else:
                missing.append((follower, p))
        return total, missing


def plus(values: Values, p: Chance, more: Values) -> Values:
    """The values, and p times some more."""
    return values[0] + p * more[0], values[1] + p * more[1], values[2] + p * more[2], values[3] + p * more[3]


def solved(equations: dict[int, Equation]) -> dict[int, Values]:
    """The values of the states of one level: one unknown after the other is eliminated from all equations."""
    for state in equations:
        unknown, (won, unhurt, rounds, standing) = equations[state]
        leaves = 1 - unknown.pop(state, 0)
        if leaves < ENDLESS:
            raise NotSolvable(
                "The fight can come to a point at which neither side can hurt the other, and then never ends without a "
                "round cap. Raise an attack or lower a defence, or play it with `fairfight run`."
            )
        unknown = {other: p / leaves for other, p in unknown.items()}
        known = (won / leaves, unhurt / leaves, rounds / leaves, standing / leaves)
        equations[state] = unknown, known
        for other, (terms, sums) in equations.items():
            if other != state and state in terms:
                p = terms.pop(state)
                for third, q in unknown.items():
                    terms[third] = terms.get(third, 0) + p * q
                equations[other] = terms, plus(sums, p, known)
    return {state: known for state, (_, known) in equations.items()}
