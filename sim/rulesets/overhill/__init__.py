"""Overhill & Underdale: dice pools against groups of monsters, with a front and a rear guard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.engine import Encounter
from sim.core.luck import Luck
from sim.core.outcomes import told_apart
from sim.core.policy import problems_of_each
from sim.core.ruleset import NO_CHANGES, Coverage, ExactResult, Ruleset, Thing
from sim.core.starts import Start
from sim.core.telling import Scene
from sim.errors import Problem
from sim.rulesets.overhill import checks, data, evening, exact, resolve, things
from sim.rulesets.overhill.bestiary import CLASS_NEEDS, MONSTER_NEEDS, name_of
from sim.rulesets.overhill.build import build_heroes, hero_names
from sim.rulesets.overhill.encounter import OverhillEncounter
from sim.rulesets.overhill.facts import make_facts
from sim.rulesets.overhill.plan import Plan, read_plan
from sim.rulesets.overhill.schema import HeroClass, Monster, OverhillScenario, PolicyOptions
from sim.rulesets.overhill.starts import starts
from sim.rulesets.overhill.state import State
from sim.rulesets.overhill.vocabulary import VOCABULARY


class Overhill(Ruleset[OverhillScenario]):
    """The ruleset object."""

    name = "overhill"
    title = "Overhill & Underdale"
    about = "dice pools against groups of monsters, with a front and a rear guard"
    version = 2
    starter = "playtest-1"
    solves = "fights under the policy plain, up to 100,000 situations, without encounter tables, talk or sneak"
    party_damage = "monsters removed"
    enemy_damage = "health lost"
    a_hit = (
        "A hit is a roll that worked: a blow that removes three monsters is one hit, and one use of Sneak Attack, "
        "Dual Wield, Frenzy or Magic Dart may roll several times."
    )
    party_keys = ("heroes", "level", "policy", "policies", "policy_options", "forbid")
    enemies_by_lot = ("encounter",)
    last_counts = ("standing",)
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
            "Evenings of several fights: health, items and blessings carried on, rests, levels gained",
        ),
        simplified=(
            "Monsters never flee, move or talk once the fight has begun",
            "A hero at 0 health is down; nobody dies in a fight",
            "Damage dealt by heroes counts monsters removed, damage dealt by monsters counts health lost",
        ),
        not_modelled=(
            "Dungeon map and doors",
            "Learning spells, trainers, atonement, treasure, experience needed per level",
            "What becomes of the victims of ghouls after the fight",
            "Abilities of monsters that would change a formation: monsters keep their guard and move nobody out of his",
        ),
        house_figures=(
            "Gobbo archers, dogs, shamans and leaders; talk, alert and xp of every monster",
            "Growth of attribute dice by level; monster scaling steps; rooms other than the standard one",
            "Reaction table, mishap table, items",
            "What a rest gives back; that who is down stays down until a rest",
        ),
    )

    vocabulary = VOCABULARY
    monster_model, monster_needs = Monster, MONSTER_NEEDS
    class_model, class_needs = HeroClass, CLASS_NEEDS

    @property
    def things(self) -> Mapping[str, Mapping[str, Thing]]:
        """Monsters, classes, and what can be combined into new ones."""
        return things.things()

    def own_monsters(self) -> Mapping[str, dict[str, Any]]:
        """The bestiary."""
        return data.monsters()

    def own_classes(self) -> Mapping[str, dict[str, Any]]:
        """The classes."""
        return data.classes()

    def problems(self, scenario: OverhillScenario) -> list[Problem]:
        """Contradictions that the schema cannot see."""
        return checks.problems(scenario, self.switches(scenario))

    def policy_problems(self, policies: Mapping[str, Any], heroes: Sequence[str] = ()) -> list[Problem]:
        """Everything that is wrong with the scenario's own policies, whose lines may name its heroes."""
        known = data.table("policies.toml") | dict(policies)
        return problems_of_each(policies, lambda name: read_plan(name, known, PolicyOptions(), heroes))

    def problems_of_policies(self, written: Mapping[str, Any]) -> list[Problem]:
        """The same of a scenario as written: its heroes are called what they will be, as far as they are in order."""
        own, heroes, classes = (written.get(key) for key in ("policies", "heroes", "classes"))
        own_classes = {
            name: entry
            for name, entry in (classes.items() if isinstance(classes, dict) else ())
            if isinstance(entry, dict)
        }
        names = [
            str(hero.get("name") or name_of(str(hero.get("class")), own_classes))
            for hero in (heroes if isinstance(heroes, list) else [])
            if isinstance(hero, dict)
        ]
        return self.policy_problems(own if isinstance(own, dict) else {}, told_apart(names))

    def resolve(self, scenario: OverhillScenario) -> dict[str, Any]:
        """The scenario with every number written out; a scenario file itself."""
        return resolve.resolved(scenario, self.switches(scenario))

    def in_full(self, scenario: OverhillScenario) -> dict[str, Any]:
        """The resolved scenario, and the reaction and mishap tables whether the file changes them or not."""
        return self.resolve(scenario) | resolve.tables(scenario)

    def as_played(self, scenario: OverhillScenario) -> dict[str, Any]:
        """The same with the monsters' figures and numbers after scaling (OU-S3), and everybody's guard (OU-S6)."""
        return resolve.as_played(scenario, self.switches(scenario), self.plan(scenario).formation)

    def plan(self, scenario: OverhillScenario) -> Plan:
        """The scenario's policy, read and checked; policies of its own go before the built-in ones."""
        known = data.table("policies.toml") | scenario.policies
        names = hero_names(scenario)
        return read_plan(scenario.policy, known, scenario.policy_options, names).without(scenario.forbid)

    def compile(self, scenario: OverhillScenario) -> Encounter[State]:
        """The fight ready to be played."""
        return OverhillEncounter(make_facts(scenario, self.switches(scenario)), self.plan(scenario))

    def starts(self, scenario: OverhillScenario, opening: Scene, room: int) -> list[Start]:
        """Which key of a file says where each token begins."""
        return starts(opening)

    def forbid(self, scenario: OverhillScenario, ability: str) -> dict[str, Any] | None:
        """Actions through the scenario's own list; what is not carried cannot be used."""
        if ability in data.ITEMS:
            return {f"heroes.*.items.{ability}": 0}
        return {"forbid": [*scenario.forbid, ability]} if ability in data.ACTIONS else None

    def rest(
        self,
        scenario: OverhillScenario,
        party: Carried,
        kind: str,
        luck: Luck,
        changed: Mapping[str, int] = NO_CHANGES,
    ) -> Carried:
        """OU-V2: the party after a short or a long rest."""
        return evening.rested(build_heroes(scenario, self.switches(scenario)), party, kind, luck, self.house(changed))

    def xp_of_heroes(self, scenario: OverhillScenario, party: Carried, xp: NDArray[Any]) -> NDArray[Any]:
        """OU-V5: what the party has earned counts for everybody."""
        return np.broadcast_to(xp, (len(scenario.heroes), len(xp)))

    def level_costs(self, scenario: OverhillScenario, changed: Mapping[str, int] = NO_CHANGES) -> list[int | None]:
        """OU-V5: what the next level costs."""
        return evening.level_costs(build_heroes(scenario, self.switches(scenario)), self.house(changed))

    def one_level_up(self, data: dict[str, Any], changed: Mapping[str, int] = NO_CHANGES) -> dict[str, Any]:
        """OU-V3: the heroes of a scenario's table one level higher."""
        return evening.one_level_up(data, self.switchboard.settings(data.get("preset"), data.get("switches") or {}))

    def grown(self, before: OverhillScenario, after: OverhillScenario, party: Carried) -> Carried:
        """OU-V3: the health that a level brings."""
        old, new = (build_heroes(scenario, self.switches(scenario)) for scenario in (before, after))
        return evening.grown(old, new, party)

    def condition(self, scenario: OverhillScenario, party: Carried) -> dict[str, NDArray[Any]]:
        """OU-V4: what a scene can ask of a party."""
        return evening.condition(scenario, self.switches(scenario), party)

    def exact(self, scenario: OverhillScenario) -> ExactResult:
        """Exact odds of small fights under the policy `plain`."""
        return exact.solve(scenario, self.switches(scenario))


RULESET = Overhill()
