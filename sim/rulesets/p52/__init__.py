"""P52: a deck of cards instead of dice, on a board of spots, with enemies that follow a fixed list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.core.engine import Encounter
from sim.core.policy import Vocabulary, problems_of_each, read_each
from sim.core.ruleset import Coverage, Ruleset
from sim.errors import Problem, ScenarioError
from sim.rulesets.p52 import data
from sim.rulesets.p52.checks import scenario_problems
from sim.rulesets.p52.plans import Plan, read_plan
from sim.rulesets.p52.schema import P52Scenario


class P52(Ruleset[P52Scenario]):
    """The ruleset object."""

    name = "p52"
    title = "P52"
    about = "a deck of cards instead of dice, on a board, with enemies that follow a fixed list"
    version = 1
    starter = "great-room"
    against_draws = "Weak enemies that flee for ever are ended by a flee limit (the switch `flee_limit`)."
    folder = data.FOLDER
    scenario_model = P52Scenario
    coverage = Coverage(
        modelled=(
            "The 52-card deck shared by flips and stamina piles, reshuffled when it runs low",
            "Boards with holes, obstructed, hidden and trap spots; line of sight, wading, passing attacks",
            "The enemy decision list of both drafts: flee, recover, attack, advance, idle",
            "All twelve enemies, the Apprentice, Calico and the Warlock, minor bosses of the draft",
            "Every listed ability, defence and item; counter attacks up to three in a chain; stun and death",
            "Standard heroes of five classes at any level; gauntlets with rest between the encounters",
        ),
        simplified=(
            "All spots are revealed and lit",
            "Drops and core gains are counted and not applied; levels stay fixed in a gauntlet",
            "Nobody changes gear in a fight; a thrown knife is picked up by walking onto it",
        ),
        not_modelled=(
            "Room generation, light, chests, locks, trading, quests and quirks",
            "Waiting in the order of play, and the abilities and items listed as out of scope in the rules",
        ),
        house_figures=(
            "Growth, ability choices and gear of the standard heroes",
            "Ranges of the draft's enemies, extra King damage of the draft, the Warlock's healing",
            "Round cap, reshuffle threshold, ties by lot",
        ),
    )

    @property
    def vocabulary(self) -> Vocabulary:
        """What policy lines can ask and do."""
        from sim.rulesets.p52.policy import VOCABULARY

        return VOCABULARY

    def plans(self, scenario: P52Scenario) -> list[Plan]:
        """The policy of every hero, read and checked; policies of the scenario go before the built-in ones."""
        policies = data.table("policies.toml") | scenario.policies

        def read(name: str, key: str) -> Plan:
            return read_plan(name, policies, self.vocabulary, key)

        return read_each([hero.policy for hero in scenario.heroes], scenario.policy, read)

    def problems(self, scenario: P52Scenario) -> list[Problem]:
        """Contradictions that the schema cannot see."""
        found = scenario_problems(scenario, self.switchboard)
        try:
            self.plans(scenario)
        except ScenarioError as error:
            found += error.problems
        return found

    def policy_problems(self, policies: Mapping[str, Any]) -> list[Problem]:
        """Everything that is wrong with the scenario's own policies, used or not."""
        known = data.table("policies.toml") | dict(policies)
        return problems_of_each(policies, lambda name: read_plan(name, known, self.vocabulary, "policy"))

    def resolve(self, scenario: P52Scenario) -> dict[str, Any]:
        """The scenario with every number written out; a scenario file itself."""
        from sim.rulesets.p52.resolve import resolved

        return resolved(scenario, self.switches(scenario))

    def as_played(self, scenario: P52Scenario) -> dict[str, Any]:
        """The same with the level put into the enemies' formulas."""
        from sim.rulesets.p52.resolve import resolved

        return resolved(scenario, self.switches(scenario), played=True)

    def compile(self, scenario: P52Scenario) -> Encounter[Any]:
        """The fight ready to be played."""
        from sim.rulesets.p52.encounter import P52Encounter

        switches = self.switches(scenario)
        return P52Encounter(scenario, switches, self.plans(scenario))


RULESET = P52()
