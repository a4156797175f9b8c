"""Overhill & Underdale: dice pools against groups of monsters, with a front and a rear guard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.core.engine import Encounter
from sim.core.policy import Vocabulary, problems_of_each
from sim.core.ruleset import Coverage, ExactResult, Ruleset
from sim.errors import NotSolvable, Problem
from sim.rulesets.overhill import data
from sim.rulesets.overhill.build import build_heroes, totals_of
from sim.rulesets.overhill.plans import Plan, read_plan
from sim.rulesets.overhill.resolve import written_out
from sim.rulesets.overhill.schema import Group, OverhillScenario, PolicyOptions, Row


class Overhill(Ruleset[OverhillScenario]):
    """The ruleset object."""

    name = "overhill"
    title = "Overhill & Underdale"
    about = "dice pools against groups of monsters, with a front and a rear guard"
    version = 2
    starter = "playtest-1"
    folder = data.FOLDER
    scenario_model = OverhillScenario
    coverage = Coverage(
        modelled=(
            "Engagement by attack, talk or sneak; traps; surprise",
            "Front and rear guard, stepping up, moving, stances",
            "Melee and ranged attacks, Sneak Attack, outnumbering, all five feats, items",
            "Magic Dart with pushes and mishaps, Heal, Bless",
            "Monster targeting by remembered kills, leader aura, paralysing touch, life drain",
            "Levels 1 to 10, monster scaling, the gobbo dungeon's room table",
        ),
        simplified=(
            "Monsters never flee, move or talk once the fight has begun",
            "A hero at 0 health is down; nobody dies in a fight",
            "Damage dealt by heroes counts monsters removed, damage dealt by monsters counts health lost",
        ),
        not_modelled=(
            "Dungeon map, doors and rest between fights",
            "Learning spells, trainers, atonement, treasure, experience needed per level",
            "What becomes of the victims of ghouls after the fight",
        ),
        house_figures=(
            "Gobbo archers, dogs, shamans and leaders; talk, alert and xp of every monster",
            "Growth of attribute dice by level; monster scaling steps; rooms other than the standard one",
            "Reaction table, mishap table, items",
        ),
    )

    @property
    def vocabulary(self) -> Vocabulary:
        """What policy lines can ask and do."""
        from sim.rulesets.overhill.policy import VOCABULARY

        return VOCABULARY

    def plan(self, scenario: OverhillScenario) -> Plan:
        """The scenario's policy, read and checked; policies of its own go before the built-in ones."""
        policies = data.table("policies.toml") | scenario.policies
        plan = read_plan(scenario.policy, policies, self.vocabulary, scenario.policy_options.model_dump())
        return plan.without(scenario.forbid) if scenario.forbid else plan

    def problems(self, scenario: OverhillScenario) -> list[Problem]:
        """Contradictions that the schema cannot see."""
        found = []
        if scenario.enemies and scenario.encounter:
            found.append(Problem("encounter", "a scenario either lists enemies or rolls them; leave one out"))
        if not scenario.enemies and not scenario.encounter:
            found.append(Problem("enemies", "nobody to fight: add [[enemies]] or an [encounter] table"))
        found += _twice(scenario.enemies, "enemies")
        if scenario.encounter:
            for number, row in enumerate(scenario.encounter.rows):
                found += _twice(row.enemies, f"encounter.rows[{number}].enemies")
            found += _said_twice(scenario.encounter.rows)
        heroes = build_heroes(scenario, self.switches(scenario))
        for number, (entry, hero) in enumerate(zip(scenario.heroes, heroes, strict=True)):
            if entry.health is not None and entry.health > hero.max_health:
                message = f"expected at most the maximum health of {hero.max_health}, found {entry.health}"
                found.append(Problem(f"heroes[{number}].health", message))
        return found

    def policy_problems(self, policies: Mapping[str, Any]) -> list[Problem]:
        """Everything that is wrong with the scenario's own policies."""
        known = data.table("policies.toml") | dict(policies)
        options = PolicyOptions().model_dump()
        return problems_of_each(policies, lambda name: read_plan(name, known, self.vocabulary, options))

    def resolve(self, scenario: OverhillScenario) -> dict[str, Any]:
        """The scenario with every number written out; a scenario file itself."""
        return written_out(scenario, self.switches(scenario), scaled=False)

    def as_played(self, scenario: OverhillScenario) -> dict[str, Any]:
        """The same with the monsters' figures and numbers after scaling (OU-S3)."""
        return written_out(scenario, self.switches(scenario), scaled=True)

    def compile(self, scenario: OverhillScenario) -> Encounter[Any]:
        """The fight ready to be played."""
        from sim.rulesets.overhill.encounter import OverhillEncounter

        switches = self.switches(scenario)
        return OverhillEncounter(scenario, switches, self.plan(scenario))

    def forbid(self, scenario: OverhillScenario, ability: str) -> dict[str, Any] | None:
        """Actions through the scenario's own list; what is not carried cannot be used."""
        if ability in data.ITEMS:
            return {f"heroes.*.items.{ability}": 0}
        return {"forbid": [*scenario.forbid, ability]} if ability in data.ACTIONS else None

    def exact(self, scenario: OverhillScenario) -> ExactResult:
        """Exact odds of small fights under the policy `plain`."""
        from sim.rulesets.overhill.exact import solve

        if scenario.forbid:
            raise NotSolvable("The exact solver does not know forbidden abilities; take `forbid` out of the scenario.")
        return solve(self, scenario)


def _twice(groups: list[Group], place: str) -> list[Problem]:
    """OU-S2: one type listed once forms one group."""
    names = [group.name or group.type for group in groups]
    return [
        Problem(f"{place}[{number}].type", f"'{name}' is listed twice; add the counts, or name one of them")
        for number, name in enumerate(names)
        if name in names[:number]
    ]


def _said_twice(rows: list[Row]) -> list[Problem]:
    """11.7: a total leads to one row."""
    seen: dict[int, int] = {}
    found = []
    for number, row in enumerate(rows):
        if doubled := [total for total in totals_of(row) if seen.setdefault(total, number) != number]:
            message = f"the total {doubled[0]} stands in rows[{seen[doubled[0]]}] already"
            found.append(Problem(f"encounter.rows[{number}].on", message))
    return found


RULESET = Overhill()
