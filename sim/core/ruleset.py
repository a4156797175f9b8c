"""What a game must offer: the interface between a ruleset and everything above it.

A ruleset is one object, registered under the entry point group `fairfight.rulesets`. Adding a game means adding a
folder with such an object and nothing else; `sim.testing.RulesetContract` checks that it keeps the promises.
"""

from __future__ import annotations

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.chance import CHANCE, ChanceGroup, read_groups
from sim.core.engine import Encounter
from sim.core.luck import Luck
from sim.core.outcomes import Cast
from sim.core.policy import Vocabulary
from sim.core.rulebook import RULEBOOK, Rule, read_rulebook
from sim.core.schema import OwnType, ScenarioModel
from sim.core.starts import UNSAID, Start
from sim.core.switches import Switchboard
from sim.core.telling import Scene
from sim.errors import NotSolvable, Problem


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a designer must know before trusting a number: each a list of short sentences."""

    modelled: tuple[str, ...]
    simplified: tuple[str, ...]
    not_modelled: tuple[str, ...]
    house_figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExactResult:
    """The exact solution of a small fight."""

    win: Fraction | float  # a Fraction where it was solved in fractions, a float where in double precision
    loss: Fraction | float
    draw: Fraction | float
    rounds: float  # expected number of rounds, the last one included
    states: int  # how many different states were met
    notes: tuple[str, ...] = ()  # assumptions, such as "no round cap"
    others: dict[str, float] | None = None  # further exact values of the game, such as the chance that nobody is down


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that can be met, carried or done: an enemy, a die, a skill."""

    figures: dict[str, Any] = field(default_factory=dict)  # a column each in a list of its kind
    about: str = ""  # what it does
    parts: Mapping[str, str] = field(default_factory=dict)  # what it has, each with what that does


@dataclass(frozen=True, slots=True)
class OwnTypes:
    """A kind of which a designer may make types: monsters or classes."""

    what: str  # what one is called: "monster"
    model: type[OwnType]
    needs: tuple[str, ...]  # keys that one must say which is like no other
    built_in: Mapping[str, dict[str, Any]]  # those of the game, as tables of the model


TELLING = "telling.toml"
EVENING = "evening.toml"


@dataclass(frozen=True, slots=True)
class HouseValue:
    """A number of `evening.toml` that an adventure may change in its table `evening`."""

    default: int
    least: int
    most: int
    about: str  # one sentence
    only: tuple[int, ...] = ()  # the numbers that it may be, where not all between are


@dataclass(frozen=True, slots=True)
class Generator:
    """Something of the rules that makes a fight anew in every run: a table to roll on, a deck to deal from."""

    about: str  # one sentence
    fight: str | Mapping[str, Any]  # a scenario of the game by name, or as in a scenario file


NO_CHANGES: Mapping[str, int] = {}

M = TypeVar("M", bound=ScenarioModel)


@cache
def read_table(folder: Path, file: str) -> dict[str, Any]:
    """A TOML file of a ruleset, read once. Not to be written to."""
    return tomllib.loads((folder / file).read_text(encoding="utf-8"))


class Ruleset(ABC, Generic[M]):
    """A game, with the model M of its scenario files. All members are data or pure functions; nothing is kept."""

    name: str  # as in scenario files: "overhill"
    title: str  # as people call it: "Overhill & Underdale"
    about: str  # one line
    version: int  # raised only when the same seed gives other results
    folder: Path  # holds rulebook.md, switches.toml, policies.toml, units.toml, scenarios/, README.md
    scenario_model: type[M]
    coverage: Coverage
    against_draws: str = "A higher round cap (the switch round cap) gives both sides more time."
    party_damage: str = "damage"  # what the damage that the party deals counts, for labels: "monsters removed"
    enemy_damage: str = "damage"  # the same of the enemies: "health lost"
    a_hit: str = "A use may hit several times, or nobody."  # what counts as a hit, below the table of abilities
    solves: str = ""  # which fights its exact solver answers, to follow "exact odds for"; empty if it has none
    starter: str = ""  # the scenario that `fairfight new` begins with, such as "playtest-1"; the first one if empty
    monster_model: type[OwnType] | None = None  # one monster as a designer writes it; None where there can be none
    monster_needs: tuple[str, ...] = ()  # keys of it that a monster must say which is like no other
    class_model: type[OwnType] | None = None  # the same for hero classes
    class_needs: tuple[str, ...] = ()
    party_keys: tuple[str, ...] = ("heroes", "level", "policy", "policies")  # of a file: who plays, and how
    enemies_by_lot: tuple[str, ...] = ()  # of a file: what deals further enemies as a fight begins, such as a pool
    last_counts: tuple[str, ...] = ()  # of the counts: those that tell how things stand at the end, of the last scene
    place_key: str = ""  # of a hero's table: where it stands as a fight begins, such as "square"; empty for none
    hit_points_left: str = ""  # a sentence below tables that count them, where they are not what a reader thinks

    @cached_property
    def switchboard(self) -> Switchboard:
        """The switches and presets, from `switches.toml`."""
        return Switchboard.of(self.read_table("switches.toml"))

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """Every rule by its id, from `rulebook.md`."""
        return read_rulebook(self.folder / RULEBOOK).rules

    @cached_property
    def policies(self) -> dict[str, str]:
        """The policies by name, each with one line, from `policies.toml`."""
        return {name: entry["about"] for name, entry in self.read_table("policies.toml").items()}

    @cached_property
    def sentences(self) -> Mapping[str, Any]:
        """What can happen, each with the sentence that tells it, from `telling.toml`; empty where there is none."""
        return self.read_table(TELLING) if (self.folder / TELLING).exists() else {}

    @cached_property
    def chance_groups(self) -> tuple[ChanceGroup, ...]:
        """Which draws belong together in plain words, from `chance.toml`; all of them where there is no such file."""
        there = (self.folder / CHANCE).exists()
        return read_groups(self.folder, self.read_table(CHANCE) if there else {})

    @property
    def things(self) -> Mapping[str, Mapping[str, Thing]]:
        """What designers choose from, by kind (enemies, dice ...) and name; empty where a game lists nothing."""
        return {}

    @property
    def vocabulary(self) -> Vocabulary | None:
        """What the lines of a policy can ask and do; None where policies are not data."""
        return None

    def own_monsters(self) -> Mapping[str, dict[str, Any]]:
        """The game's own types as tables of `monster_model`: what `like` begins with, and what can be exported.

        One of them written out as `[monsters.NAME]` plays the very fight that it plays under its own name.
        """
        return {}

    def own_classes(self) -> Mapping[str, dict[str, Any]]:
        """The game's own hero classes as tables of `class_model`, in the same sense."""
        return {}

    def own_types(self) -> Mapping[str, OwnTypes]:
        """Which tables of own types a scenario may have, "monsters" and "classes", and all about each."""
        found = {}
        if self.monster_model is not None:
            found["monsters"] = OwnTypes("monster", self.monster_model, self.monster_needs, self.own_monsters())
        if self.class_model is not None:
            found["classes"] = OwnTypes("class", self.class_model, self.class_needs, self.own_classes())
        return found

    def switches(self, scenario: M) -> dict[str, Any]:
        """The value of every switch in a scenario, by its preset and its own table."""
        return self.switchboard.settings(scenario.preset, scenario.switches)

    @abstractmethod
    def problems(self, scenario: M) -> list[Problem]:
        """What the schema alone cannot see: contradictions, missing partners. Empty if all is well.

        The keys of the problems are paths as in `heroes[0].level`. Switches, preset and policies are checked by the
        caller.
        """

    def policy_problems(self, policies: Mapping[str, Any]) -> list[Problem]:
        """What is wrong with the policies that a scenario brings along, used or not: its table `policies` as written.

        Asked whatever else is wrong in the file, so that mistakes in a policy are reported along with all others.
        """
        return []

    def remarks(self, scenario: M) -> list[str]:
        """What of a good scenario is not played as it is written, a sentence each: told before and with its results."""
        return []

    def problems_of_policies(self, written: Mapping[str, Any]) -> list[Problem]:
        """The same of a scenario as written, which may be wrong elsewhere: for games whose lines name its heroes."""
        own = written.get("policies")
        return self.policy_problems(own if isinstance(own, dict) else {})

    @abstractmethod
    def resolve(self, scenario: M) -> dict[str, Any]:
        """The scenario with every number written out: what studies move.

        The same shape as a scenario file, and a scenario file itself: feeding it back plays the same fight.
        """

    def in_full(self, scenario: M) -> dict[str, Any]:
        """Every number that a value can be set among, and that studies move: the resolved scenario, or more than it.

        More where writing a number out would change the luck of a fight, though not its odds: `resolve` leaves such a
        number unwritten.
        """
        return self.resolve(scenario)

    def as_played(self, scenario: M) -> dict[str, Any]:
        """The resolved scenario as it stands on the table: what `show` prints.

        For reading, not for playing again: a game whose level or switches change the figures of a file only when the
        fight is built shows them here after the change.
        """
        return self.resolve(scenario)

    @abstractmethod
    def compile(self, scenario: M) -> Encounter[Any]:
        """The fight ready to be played. Called once per worker; may be slow."""

    def starts(self, scenario: M, opening: Scene, room: int) -> list[Start]:
        """By token of an opening table (`Encounter.openings`, that of a room): which key says where it begins."""
        return [UNSAID] * len(opening.tokens)

    def enemy_choices(self, scenario: M) -> Mapping[str, tuple[Any, ...]]:
        """What single enemies of a fight may do otherwise: path of the value -> what it may be, what it is among it.

        What holds for all of them is a switch, marked with `behaviour` in `switches.toml`.
        """
        return {}

    def can_be_missed(self, scenario: M, cast: Cast) -> list[str]:
        """What the party has whose worth a study asks for: its abilities in the tables, or more than these."""
        party = set(cast.party)
        return list(dict.fromkeys(ability.name for ability in cast.abilities if ability.unit in party))

    def forbid(self, scenario: M, ability: str) -> dict[str, Any] | None:
        """The values to set in a scenario so that the party never uses an ability; None where it cannot do without.

        A game with a switch `ban` (a list of names) has this already.
        """
        if "ban" not in self.switchboard.switches:
            return None
        banned = self.switches(scenario)["ban"]
        return {"switches.ban": [*banned, ability]}

    # An evening of several scenes; see sim.core.evening. What is said of rests and of what is carried on is in
    # `evening.toml`. A game without that file plays single fights only.

    def carries(self) -> Mapping[str, str]:
        """What a party takes along from scene to scene: name -> one sentence."""
        return self._evening("carries")

    def rests(self) -> Mapping[str, str]:
        """The kinds of rest that the game knows: name -> what it restores, one sentence."""
        return self._evening("rests")

    def house_values(self) -> Mapping[str, HouseValue]:
        """The numbers of an evening that an adventure may change: of rests, of what a level costs."""
        table = self._evening_table("values")
        return {name: HouseValue(**entry | {"only": tuple(entry.get("only", ()))}) for name, entry in table.items()}

    def house(self, changed: Mapping[str, int] | None = None) -> dict[str, int]:
        """All of these numbers, as an adventure has changed them."""
        return {name: entry["default"] for name, entry in self._evening_table("values").items()} | dict(changed or {})

    def generators(self) -> Mapping[str, Generator]:
        """What a scene's `random` can name; empty where the rules have no such thing."""
        table = self._evening_table("random")
        return {name: Generator(entry["about"], entry["fight"]) for name, entry in table.items()}

    def rest(
        self, scenario: M, party: Carried, kind: str, luck: Luck, changed: Mapping[str, int] = NO_CHANGES
    ) -> Carried:
        """The party after a rest. `scenario` is the party as it is then; what is drawn is drawn at round 0.

        Args:
            changed: numbers of `house_values` that the adventure has changed.
        """
        raise NotImplementedError(f"{self.title} knows no rest")

    def one_level_up(self, data: dict[str, Any], changed: Mapping[str, int] = NO_CHANGES) -> dict[str, Any] | None:
        """A scenario's table with its heroes one level higher; None where the game knows no levels.

        The table may be as written or resolved (`resolve`), and both must lead to the same party: a number of the old
        level that is written out is raised, or left out. The new table is checked like any file.
        """
        return None

    def xp_of_heroes(self, scenario: M, party: Carried, xp: NDArray[Any]) -> NDArray[Any]:
        """(heroes, runs). The XP towards a level that each hero has earned on this evening.

        Args:
            xp: (runs,) what the party as a whole has earned.
        """
        raise NotImplementedError(f"{self.title} counts no XP towards levels")

    def level_costs(self, scenario: M, changed: Mapping[str, int] = NO_CHANGES) -> list[int | None] | None:
        """The XP that the next level costs each hero, None for who can gain none; None where XP brings no levels."""
        return None

    def grown(self, before: M, after: M, party: Carried) -> Carried:
        """What is carried, with what the new level adds to it (hit points ...)."""
        return party

    def condition(self, scenario: M, party: Carried) -> dict[str, NDArray[Any]]:
        """What a scene's `unless` can ask: name -> (runs,). At least party_hp (0 to 1), standing and dead."""
        return {}

    def _evening(self, table: str) -> dict[str, str]:
        return {name: entry["about"] for name, entry in self._evening_table(table).items()}

    def _evening_table(self, table: str) -> dict[str, Any]:
        if not (self.folder / EVENING).exists():
            return {}
        found: dict[str, Any] = self.read_table(EVENING).get(table, {})
        return found

    def room_alone(self, scenario: M, room: int) -> dict[str, Any] | None:
        """The values to set so that a gauntlet is one of its rooms only; None where the game has no gauntlets."""
        return None

    def exact(self, scenario: M) -> ExactResult:
        """The exact chances, where the fight is small enough; raises NotSolvable with the reason where not."""
        raise NotSolvable(f"{self.title} has no exact solver; play the fight with `fairfight run`.")

    def read_table(self, file: str) -> dict[str, Any]:
        """One of the ruleset's own TOML files."""
        return read_table(self.folder, file)
