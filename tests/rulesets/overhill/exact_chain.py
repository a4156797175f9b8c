"""The exact solver's chain for tests: the value of every state, and which state of it a fight of the engine is in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from operator import truediv
from typing import Any

from sim.rulesets.overhill.exact.chain import Chain, State
from sim.rulesets.overhill.exact.enemy_turns import MonsterPhase
from sim.rulesets.overhill.exact.hero_turns import HeroPhase
from sim.rulesets.overhill.exact.party import DOWN, Body, Fight, step_up
from sim.rulesets.overhill.exact.setup import after_trap, make_fight, numbers
from sim.rulesets.overhill.state import State as Batch
from sim.scenario import from_dict


@dataclass(frozen=True)
class Solved:
    """A fight as a Markov chain with the chance of winning from each of its states."""

    fight: Fight
    chain: Chain
    beginning: dict[int, float]  # state -> chance that round 1 begins in it
    win: list[float]  # by state

    def value(self, s: Batch, lane: int) -> float:
        """The chance of winning from where a run of the engine stands, at the start of a round."""
        return self.win[self.chain.state_number[self.state_of(s, lane)]]

    def state_of(self, s: Batch, lane: int) -> State:
        """The engine's state in the words of the chain."""
        heroes = range(s.heroes)
        bodies = tuple(
            Body(
                int(s.health[h, lane]),
                int(s.vigor[h, lane]),
                bool(s.front[h, lane]),
                int(s.paralysed[h, lane]),
                bool(s.silenced[h, lane]),
                bool(s.strained[h, lane]),
            )
            if s.health[h, lane] > 0
            else DOWN
            for h in heroes
        )
        party = step_up(self.fight, bodies)
        n = tuple(int(number) for number in s.n[:, lane])
        memory = self.chain.memory
        columns = [tuple(int(s.kills_prev[h, g, lane]) for h in heroes) for g in range(s.groups)]
        if memory.together:
            columns = [tuple(map(sum, zip(*columns, strict=True)))]
        kills = memory.nothing if memory.forgetful or memory.present else tuple(columns)
        first_round = self.chain.counts_rounds and s.round == 0
        return State(self.chain.party_number[party], n, memory.ranked(kills, n, party), first_round)

    def variances(self, rounds: int) -> Iterator[float]:
        """Var(E[won | state]) at the start of round 1, then after 1, 2, ... rounds."""
        mean = sum(p * self.win[state] for state, p in self.beginning.items())
        there, won = dict(self.beginning), 0.0
        yield sum(p * self.win[state] ** 2 for state, p in there.items()) - mean**2
        for _ in range(rounds):
            after: dict[int, float] = defaultdict(float)
            for state, p in there.items():
                row = self.chain.rows[state]
                won += p * float(row.ends[0])
                for blend, q in zip(row.blends, row.chances, strict=True):
                    for follower, r in self.chain.blends[blend]:
                        after[follower] += p * q * r
            there = after
            yield sum(p * self.win[state] ** 2 for state, p in there.items()) + won - mean**2


def solved(table: dict[str, Any]) -> Solved:
    """The chain of a fight, given as a scenario file would say it."""
    scenario = from_dict(table)
    fight = make_fight(scenario.model, scenario.settings)
    chain = Chain(fight, HeroPhase(fight, truediv), MonsterPhase(fight, truediv), truediv, 100_000)
    starts = [
        (p * q, n, step_up(fight, party)) for p, n in numbers(fight, truediv) for q, party in after_trap(fight, truediv)
    ]
    chain.solve(starts)
    beginning: dict[int, float] = defaultdict(float)
    for p, n, party in starts:
        state = State(chain.party_number[party], n, chain.memory.nothing, chain.counts_rounds)
        beginning[chain.state_number[state]] += float(p)
    return Solved(fight, chain, dict(beginning), [float(values[0]) for values in chain.values()])
