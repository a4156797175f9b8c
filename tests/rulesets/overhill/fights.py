"""Small fights for the tests of the rules: set up through the real scenario loading, with dice that fall as told.

    party = stage(["warrior"], [("skeleton", 4)], dice={"OU-A3": d(8)})       # eight runs, one per face
    hero_attacks.melee(party.s, 0, party.group(0), party.at)
    party.chances(party.s.n[0])                                               # {4: 1/4, 3: 1/4, 2: 3/8, 1: 1/8}

A die is named by its purpose, or by (purpose, actor), or by (purpose, actor, index) as in the README's table of draw
points, and gets the faces that it shall show. Every combination of the listed faces is one run of the batch, so
chances are exact. Dice that are not listed fall as in real play; `runs` plays every combination so many times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import written
from sim.core.luck import ENEMIES, Luck
from sim.core.luck import TABLE as TABLE
from sim.rulesets.overhill.encounter import OverhillEncounter
from sim.rulesets.overhill.rules.damage import see_who_falls, wound
from sim.rulesets.overhill.rules.enemy_turns import monster_phase
from sim.rulesets.overhill.rules.hero_attacks import melee
from sim.rulesets.overhill.rules.hero_turns import choose_stances
from sim.rulesets.overhill.rules.rounds import start_round
from sim.rulesets.overhill.state import State
from sim.scenario import from_dict

F = Fraction

STANDARD_PARTY = ("warrior", "rogue", "priest", "magic_user")
W, R, P, M = range(4)  # their places in the roster

Address = str | tuple[str, int] | tuple[str, int, int]
Dice = Mapping[Address, Iterable[int]]


def d(sides: int) -> range:
    """Every face of a die."""
    return range(1, sides + 1)


def foe(group: int) -> int:
    """The actor number of a group."""
    return ENEMIES + group


def lot(*places: int) -> list[int]:
    """A draw of one of several, counted from 0, as a die that shows one more."""
    return [place + 1 for place in places]


class ToldLuck(Luck):
    """Luck that goes through every combination of the listed faces, one run for each."""

    __slots__ = ("shown",)

    def __init__(self, dice: Dice, runs: int = 1) -> None:
        faces = {address: list(values) for address, values in dice.items()}
        size = prod(len(values) for values in faces.values()) * runs
        super().__init__(Luck.of(1, np.arange(size)).keys)
        self.shown: dict[Address, NDArray[np.int64]] = {}  # (runs,) the face of a listed die in every run
        repeat = 1
        for address, values in faces.items():
            self.shown[address] = np.array(values)[np.arange(size) // repeat % len(values)]
            repeat *= len(values)

    def only(self, keep: NDArray[Any]) -> ToldLuck:
        cut = ToldLuck({})
        cut.keys = self.keys[keep]
        cut.shown = {address: faces[keep] for address, faces in self.shown.items()}
        return cut

    def below(
        self, n: Any, purpose: str, round: Any, actor: Any, index: Any = 0, at: NDArray[np.int64] | None = None
    ) -> NDArray[np.int64]:
        drawn = super().below(n, purpose, round, actor, index, at)
        lanes = np.arange(len(self.keys)) if at is None else at
        for address, faces in self.shown.items():
            wanted = (address,) if isinstance(address, str) else address
            asked = (purpose, actor, index)[: len(wanted)]
            here = np.ones(len(lanes), dtype=bool)
            for want, ask in zip(wanted, asked, strict=True):
                here &= np.asarray(want == ask)
            assert (np.broadcast_to(n, len(lanes)) >= faces[lanes])[here].all(), f"{address}: no such face"
            drawn[here] = (faces[lanes] - 1)[here]
        return drawn


@dataclass
class Stage:
    """A fight set up for a test: the compiled encounter and its state, all runs alike but for the dice."""

    encounter: OverhillEncounter
    s: State

    @property
    def at(self) -> NDArray[np.int64]:
        """All runs."""
        return np.arange(self.s.size)

    def group(self, number: int) -> NDArray[np.int64]:
        """This group, in all runs."""
        return np.full(self.s.size, number)

    hero = group  # the same for heroes

    def chances(self, values: Any) -> dict[int, Fraction]:
        """The exact chance of every value, over all runs."""
        return chances(values)

    def turn(self, hero: int) -> None:
        """The policy's action of one hero."""
        self.encounter.player.turn(self.s, hero, self.at)

    def round(self) -> None:
        """One whole round, as the engine counts it."""
        self.s.round += 1
        self.s.rounds[self.s.live] = self.s.round
        self.encounter.play_round(self.s)

    def done(self, hero: int) -> list[str]:
        """What a hero has done so far in the first run, by the names of the abilities."""
        abilities = self.s.facts.cast.abilities
        return [a.name for row, a in enumerate(abilities) if a.unit == hero and self.s.ledger.uses[row, 0]]

    def lose(self, hero: int, health: int) -> None:
        """A hero loses so much health in all runs."""
        see_who_falls(self.s, hero, self.at, *wound(self.s, hero, self.at, np.full(self.s.size, health)))

    def round_start(self) -> None:
        """The beginning of a round: stepping up, blocks, stances."""
        start_round(self.s)
        choose_stances(self.s, self.encounter.player)


def kills(party: Stage, group: int = 0) -> NDArray[np.int16]:
    """(runs,). How many monsters of a group have been removed."""
    return party.s.started[group] - party.s.n[group]


def one_melee(party: Stage, hero: int = 0, group: int = 0) -> NDArray[np.int16]:
    """The kills of one melee attack."""
    melee(party.s, hero, party.group(group), party.at)
    return kills(party, group)


def attack(fight: Stage, hero: int = 0) -> NDArray[np.int16]:
    """(runs,). The health that one monster phase costs a hero."""
    before = fight.s.health[hero].copy()
    monster_phase(fight.s)
    return before - fight.s.health[hero]


def chances(values: Any) -> dict[int, Fraction]:
    """The exact chance of every value, in order."""
    counted = Counter(int(value) for value in np.asarray(values).reshape(-1))
    return {value: Fraction(number, counted.total()) for value, number in sorted(counted.items())}


def mean(values: Any) -> Fraction:
    """The exact mean."""
    return sum((value * chance for value, chance in chances(values).items()), Fraction(0))


def table(heroes: Sequence[Any], enemies: Sequence[Any], **more: Any) -> dict[str, Any]:
    """A scenario: heroes and groups by name, or as tables; a group as (type, count)."""
    return {
        "ruleset": "overhill",
        "title": "a test",
        "policy": "plain",
        "heroes": [{"class": hero} if isinstance(hero, str) else hero for hero in heroes],
        "enemies": [{"type": group[0], "count": group[1]} if isinstance(group, tuple) else group for group in enemies],
        **more,
    }


def compiled(scenario: Mapping[str, Any]) -> OverhillEncounter:
    """The scenario, checked and compiled as in real play."""
    encounter = from_dict(scenario).encounter()
    assert isinstance(encounter, OverhillEncounter)
    return encounter


def stage(heroes: Sequence[Any], enemies: Sequence[Any], dice: Dice | None = None, runs: int = 1, **more: Any) -> Stage:
    """A fight ready for round 1; keyword arguments are further keys of the scenario."""
    encounter = compiled(table(heroes, enemies, **more))
    state = encounter.start(ToldLuck(dice or {}, runs), None)
    state.round = 1
    return Stage(encounter, with_room(state))


def with_room(state: State) -> State:
    """The state with room in every table, so that a test can put into it what it likes."""
    for field in fields(state):
        if isinstance(value := getattr(state, field.name), np.ndarray):
            setattr(state, field.name, written(value))
    return state


def party_of(
    policy: str,
    enemies: Sequence[Any],
    dice: Dice | None = None,
    heroes: Sequence[Any] = STANDARD_PARTY,
    **more: Any,
) -> Stage:
    """A party under a policy, with the first round begun: stepped up, stances taken."""
    fight = stage(heroes, enemies, dice, policy=policy, **more)
    fight.round_start()
    return fight
