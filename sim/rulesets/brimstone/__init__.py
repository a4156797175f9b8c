"""Brimstone: a Weird-West posse against groups of enemies on a square grid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.luck import Luck
from sim.core.policy import Vocabulary, problems_of_each
from sim.core.ruleset import NO_CHANGES, Coverage, Ruleset, Thing
from sim.core.starts import Start
from sim.core.telling import Scene
from sim.errors import Problem, ScenarioError
from sim.rulesets.brimstone import data, evening, hero_classes, monsters
from sim.rulesets.brimstone.build import build_heroes
from sim.rulesets.brimstone.checks import problems
from sim.rulesets.brimstone.encounter import BrimstoneEncounter
from sim.rulesets.brimstone.facts import make_facts
from sim.rulesets.brimstone.plan import read_plan
from sim.rulesets.brimstone.resolve import as_played, every_number, resolved, without
from sim.rulesets.brimstone.schema import BrimstoneScenario
from sim.rulesets.brimstone.starts import starts
from sim.rulesets.brimstone.state import PAST
from sim.rulesets.brimstone.things import all_things
from sim.rulesets.brimstone.vocabulary import VOCABULARY


class Brimstone(Ruleset[BrimstoneScenario]):
    """The ruleset object."""

    name = "brimstone"
    title = "Brimstone"
    about = "a Weird-West posse against groups of enemies on a square grid"
    version = 3
    starter = "tentacle_hall"
    party_damage = enemy_damage = "wounds"
    hit_points_left = (
        "Hit points of heroes are Health, taken after the breath and the recovery that follow a win; those of an "
        "enemy count the models that are left."
    )
    folder = data.FOLDER
    scenario_model = BrimstoneScenario
    monster_model, monster_needs = monsters.Monster, monsters.NEEDS
    party_keys = ("heroes", "level", "policy", "policies", "classes")
    enemies_by_lot = ("threat",)
    place_key = "square"
    last_counts = ("standing", "dead", "removed", "darkness")
    class_model, class_needs = hero_classes.HeroClass, hero_classes.NEEDS
    coverage = Coverage(
        modelled=(
            "Boards with walls and tiles, line of sight, placement and ambush, or no board at all",
            "Initiative turns with enemy groups: melee, ranged, melee or ranged, shootout, immobile",
            "Hero attacks with Combat and guns, Grit, Escape, Free Attacks, Dynamite, Help",
            "Side bag tokens on oneself and on others, movement bought with Grit",
            "Defense, Willpower, Armor, Horror and Corruption Hits, status markers, KO, revive tokens",
            "17 enemy types with abilities, Brutal sides and Elite charts, and types of your own; cards; arrivals",
            "Hero levels 1 to 8, twelve classes with upgrades and classes of your own, allies, XP, breath, loot",
        ),
        simplified=(
            "Goliath is a 1x1 Large model; spiders do not share squares",
            "Loot, injuries, madness and corruption are only counted",
            "Tokens for others and bought movement come at the start of an activation; one policy, provider, uses them",
            "Nobody runs away unless the scenario says so",
        ),
        not_modelled=(
            "Exploration, doors, light, darkness and depth event cards",
            "Spells, sermons, battle tactics and gambling tricks beyond Fortune",
            "XL models, barriers, gates; dragging KO'd heroes; levelling during a fight",
        ),
        house_figures=(
            "Sizes of enemies, Gulch Snipers, most Brutal sides, weights of the threat lists",
            "Kits of the hero classes and the fixed level gains",
        ),
    )

    @property
    def vocabulary(self) -> Vocabulary:
        """What policy lines can ask and do."""
        return VOCABULARY

    @property
    def things(self) -> Mapping[str, Mapping[str, Thing]]:
        """What designers combine: traits and behaviours of enemies, talents and upgrades of hero classes."""
        return all_things()

    def own_monsters(self) -> Mapping[str, dict[str, Any]]:
        """The game's own types as a file writes them."""
        return monsters.built_in()

    def own_classes(self) -> Mapping[str, dict[str, Any]]:
        """The game's own hero classes as a file writes them."""
        return hero_classes.built_in()

    def problems(self, scenario: BrimstoneScenario) -> list[Problem]:
        """Contradictions that the schema cannot see."""
        if self.switchboard.problems(scenario.preset, scenario.switches):
            return []  # reported by the caller; nothing else can be judged
        return problems(scenario, self.switches(scenario))

    def policy_problems(self, policies: Mapping[str, Any]) -> list[Problem]:
        """Everything that is wrong with the scenario's own policies, used or not."""
        known = data.table("policies.toml") | dict(policies)
        return problems_of_each(policies, lambda name: read_plan(name, known))

    def resolve(self, scenario: BrimstoneScenario) -> dict[str, Any]:
        """The scenario with every number written out; a scenario file itself."""
        return resolved(scenario, self.switches(scenario))

    def in_full(self, scenario: BrimstoneScenario) -> dict[str, Any]:
        """The same with all figures of every enemy line, those too that a file leaves unwritten for the luck's sake."""
        return every_number(scenario)

    def as_played(self, scenario: BrimstoneScenario) -> dict[str, Any]:
        """The same with the gains of levels, and Brutal sides where they are in force."""
        return as_played(scenario, self.switches(scenario))

    def enemy_choices(self, scenario: BrimstoneScenario) -> Mapping[str, tuple[Any, ...]]:
        """How kinds that can both shoot and fight hand to hand do so; who cannot move stays."""
        lines = self.in_full(scenario)["enemies"]
        armed = [
            number
            for number, line in enumerate(lines)
            if line.get("weapon") and line.get("combat") and line["behaviour"] != "immobile"
        ]
        return {f"enemies[{number}].behaviour": data.BEHAVIOURS[:-1] for number in armed}

    def forbid(self, scenario: BrimstoneScenario, ability: str) -> dict[str, Any] | None:
        """Guns, items and tokens are left at home; melee is what hands and feet can do, so nobody is without it."""
        return without(scenario, ability)

    def rest(
        self,
        scenario: BrimstoneScenario,
        party: Carried,
        kind: str,
        luck: Luck,
        changed: Mapping[str, int] = NO_CHANGES,
    ) -> Carried:
        """BF-V2: the posse after a rest."""
        switches = self.switches(scenario)
        heroes = build_heroes(scenario, switches, None)
        return evening.rested(heroes, switches, party, kind, luck, self.house(changed))

    def xp_of_heroes(self, scenario: BrimstoneScenario, party: Carried, xp: NDArray[Any]) -> NDArray[Any]:
        """BF-V5: each hero has its own; who is gone gains no levels."""
        return np.where(party["dead"] | party["removed"], 0, party["past"][PAST.index("xp")])

    def level_costs(self, scenario: BrimstoneScenario, changed: Mapping[str, int] = NO_CHANGES) -> list[int | None]:
        """BF-V5: what the next level costs."""
        return evening.level_costs(build_heroes(scenario, self.switches(scenario), None), self.house(changed))

    def one_level_up(self, data: dict[str, Any], changed: Mapping[str, int] = NO_CHANGES) -> dict[str, Any]:
        """BF-V3: every hero one level higher."""
        return evening.one_level_up(data)

    def condition(self, scenario: BrimstoneScenario, party: Carried) -> dict[str, NDArray[Any]]:
        """BF-V4: what a scene can ask."""
        return evening.condition(build_heroes(scenario, self.switches(scenario), None), party)

    def compile(self, scenario: BrimstoneScenario) -> BrimstoneEncounter:
        """The fight ready to be played."""
        if found := self.problems(scenario):
            raise ScenarioError(found)
        return BrimstoneEncounter(make_facts(scenario, self.switches(scenario)))

    def starts(self, scenario: BrimstoneScenario, opening: Scene, room: int) -> list[Start]:
        """Which key of a file says where each token begins."""
        return starts(scenario, make_facts(scenario, self.switches(scenario)), opening)


RULESET = Brimstone()
