"""Second Era: hex battles with skill dice that cool down, against enemies that follow a fixed routine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.engine import Encounter
from sim.core.luck import Luck
from sim.core.outcomes import Cast
from sim.core.policy import Vocabulary
from sim.core.ruleset import NO_CHANGES, Coverage, Ruleset, Thing
from sim.core.starts import Start
from sim.core.telling import Scene
from sim.errors import Problem
from sim.rulesets.second_era import bestiary, checks, data, evening, resolve
from sim.rulesets.second_era.build import HeroFacts
from sim.rulesets.second_era.cast import can_be_missed
from sim.rulesets.second_era.encounter import SecondEraEncounter
from sim.rulesets.second_era.leftovers import remarks
from sim.rulesets.second_era.plan import plans_of, problems_with_policies
from sim.rulesets.second_era.schema import HeroClass, Monster, Priority, SecondEraScenario
from sim.rulesets.second_era.starts import starts
from sim.rulesets.second_era.things import all_things
from sim.rulesets.second_era.vocabulary import VOCABULARY


class SecondEra(Ruleset[SecondEraScenario]):
    """The ruleset object."""

    name = "second_era"
    title = "Second Era"
    about = "hex battles with skill dice that cool down, against enemies that follow a fixed routine"
    version = 1
    starter = "se_jailbreak"
    folder = data.FOLDER
    scenario_model = SecondEraScenario
    party_keys = ("heroes", "companions", "classes", "level", "policy", "policies")
    enemies_by_lot = ("pool",)
    last_counts = ("standing", "adventurers_defeated")
    place_key = "hex"
    monster_model = Monster
    monster_needs = bestiary.MONSTER_NEEDS
    class_model = HeroClass
    class_needs = bestiary.CLASS_NEEDS
    coverage = Coverage(
        modelled=(
            "Hex maps of tiles, range, sight by tile or by line, occupied hexes",
            "Enemy turns: destinations, routes, fallback, priority targeting, one roll for several targets",
            "Skill dice, forms, active slots, the cooldown track, fatigue and overfatigue",
            "All 27 enemy skills, the six statuses, reactions",
            "Companions, enemy pools, quest units, conquer and eliminate",
            "Evenings of several battles: hit points, tracks, active dice and tenacity carried on, rests, experience",
            "Racial and class abilities behind their switches",
        ),
        simplified=(
            "Choices of the party are by lot, or by a stated rule (party_choice)",
            "Guard, Purge and Shadow Cloak dice are spent by stated rules",
            "A retreat is counted as a loss, and apart as 'retreated'",
        ),
        not_modelled=(
            "Overland travel, delves, towns and other campaign play between battles",
            "Item cards, weapons, armour, enchantments",
            "Skill lines and dice beyond the eleven; abilities of Bretons and Khajiit; a class for berserkers",
            "Master sides of classes",
            "Enemy skills beyond the 27: those that summon, rally, steal or need cards and campaign state",
            "Quests with several objectives, limited supplies of dice and chips",
        ),
        house_figures=(
            "Most enemies and both companions; the enemy Combat die; the maps",
            "Archetypes, purchase lists and costs beyond cooldown",
            "How racial and class abilities are used",
            "What a rest gives back; that the defeated stay out until a rest",
        ),
    )

    @property
    def things(self) -> Mapping[str, Mapping[str, Thing]]:
        """Enemies, companions, classes, races, dice, skills and statuses."""
        return all_things(self.rules)

    @property
    def vocabulary(self) -> Vocabulary:
        """What policy lines can ask and do."""
        return VOCABULARY

    def own_monsters(self) -> Mapping[str, dict[str, Any]]:
        """Enemies and companions of the game as tables of `[monsters]`."""
        return bestiary.own_monsters()

    def own_classes(self) -> Mapping[str, dict[str, Any]]:
        """Classes of the game as tables of `[classes]`."""
        return bestiary.own_classes()

    def problems(self, scenario: SecondEraScenario) -> list[Problem]:
        """Contradictions that the schema cannot see."""
        good = not self.switchboard.problems(scenario.preset, scenario.switches)
        return checks.problems(scenario, self.switches(scenario) if good else None)

    def remarks(self, scenario: SecondEraScenario) -> list[str]:
        """Enemy points that find no hex, and experience that buys nothing."""
        return remarks(scenario, self.switches(scenario))

    def policy_problems(self, policies: Mapping[str, Any]) -> list[Problem]:
        """Everything that is wrong with the scenario's own policies, used or not."""
        return problems_with_policies(policies)

    def resolve(self, scenario: SecondEraScenario) -> dict[str, Any]:
        """The scenario with every number written out; a scenario file itself."""
        return resolve.resolved(scenario, self.switches(scenario))

    def as_played(self, scenario: SecondEraScenario) -> dict[str, Any]:
        """The same with the enemy points that are spent, after `ep_mult`."""
        return resolve.as_played(scenario, self.switches(scenario))

    def enemy_choices(self, scenario: SecondEraScenario) -> Mapping[str, tuple[Any, ...]]:
        """Whom each of them goes for."""
        return {f"enemies[{number}].priority": get_args(Priority) for number in range(len(scenario.enemies))}

    def can_be_missed(self, scenario: SecondEraScenario, cast: Cast) -> list[str]:
        """What adventurers do with their dice, then every die, every ability of a class and race, and Guard."""
        return can_be_missed(scenario, self.switches(scenario), super().can_be_missed(scenario, cast))

    def forbid(self, scenario: SecondEraScenario, ability: str) -> dict[str, Any] | None:
        """Dice by having none, Guard by its switch, everything else by the switch `ban`."""
        if ability in data.DICE:
            return {f"heroes.*.dice.{ability}": 0}
        return {"switches.guard": "never"} if ability == "guard" else super().forbid(scenario, ability)

    def rest(
        self,
        scenario: SecondEraScenario,
        party: Carried,
        kind: str,
        luck: Luck,
        changed: Mapping[str, int] = NO_CHANGES,
    ) -> Carried:
        """SE-V2: the party after a short or a long rest."""
        return evening.rested(self._heroes(scenario), party, kind, self.house(changed))

    def xp_of_heroes(self, scenario: SecondEraScenario, party: Carried, xp: NDArray[Any]) -> NDArray[Any]:
        """SE-V5: a reward goes to every adventurer (SE-X8)."""
        return np.broadcast_to(xp, (len(scenario.heroes), len(xp)))

    def level_costs(self, scenario: SecondEraScenario, changed: Mapping[str, int] = NO_CHANGES) -> list[int | None]:
        """SE-V5: what is spent at one go."""
        return evening.level_costs(scenario, self.switches(scenario), self.house(changed))

    def one_level_up(self, data: dict[str, Any], changed: Mapping[str, int] = NO_CHANGES) -> dict[str, Any]:
        """SE-V3: the adventurers of a scenario's table with the XP of one more battle."""
        switches = self.switchboard.settings(data.get("preset"), data.get("switches") or {})
        return evening.one_level_up(data, switches, self.house(changed)["level_xp"])

    def grown(self, before: SecondEraScenario, after: SecondEraScenario, party: Carried) -> Carried:
        """SE-V3: the hit points and dice that experience has bought."""
        return evening.grown(self._heroes(before), self._heroes(after), party)

    def condition(self, scenario: SecondEraScenario, party: Carried) -> dict[str, NDArray[Any]]:
        """SE-V4: what a scene can ask of a party."""
        return evening.condition(self._heroes(scenario), party)

    def _heroes(self, scenario: SecondEraScenario) -> list[HeroFacts]:
        return evening.heroes_of(scenario, self.switches(scenario))

    def compile(self, scenario: SecondEraScenario) -> Encounter[Any]:
        """The battle ready to be played."""
        return SecondEraEncounter(scenario, self.switches(scenario), plans_of(scenario))

    def starts(self, scenario: SecondEraScenario, opening: Scene, room: int) -> list[Start]:
        """Which key of a file says where each token begins."""
        return starts(scenario, opening)


RULESET = SecondEra()
