"""P52: a deck of cards instead of dice, on a board of spots, with enemies that follow a fixed list."""

from __future__ import annotations

from typing import Any

from sim.core.engine import Encounter
from sim.core.ruleset import Coverage, Ruleset
from sim.core.schema import ScenarioModel
from sim.errors import Problem, ScenarioError
from sim.rulesets.p52 import data
from sim.rulesets.p52.checks import scenario_problems
from sim.rulesets.p52.plans import Plan, read_plan
from sim.rulesets.p52.schema import P52Scenario


class P52(Ruleset):
    """The ruleset object."""

    name = "p52"
    title = "P52"
    about = "a deck of cards instead of dice, on a board, with enemies that follow a fixed list"
    version = 1
    starter = "great-room"
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
    def policies(self) -> dict[str, str]:
        """The policies of policies.toml with their one-line descriptions."""
        return {name: entry["about"] for name, entry in data.table("policies.toml").items()}

    def plans(self, scenario: P52Scenario) -> list[Plan]:
        """The policy of every hero, read and checked; policies of the scenario go before the built-in ones."""
        from sim.rulesets.p52.policy import VOCABULARY

        policies = data.table("policies.toml") | scenario.policies
        plans: list[Plan] = []
        problems: list[Problem] = []
        for number, hero in enumerate(scenario.heroes):
            key = "policy" if hero.policy is None else f"heroes[{number}].policy"
            try:
                plans.append(read_plan(hero.policy or scenario.policy, policies, VOCABULARY, key))
            except ScenarioError as error:
                problems += [problem for problem in error.problems if problem not in problems]
        if problems:
            raise ScenarioError(problems)
        return plans

    def problems(self, scenario: ScenarioModel) -> list[Problem]:
        """Contradictions that the schema cannot see."""
        assert isinstance(scenario, P52Scenario)
        found = scenario_problems(scenario, self.switchboard)
        try:
            self.plans(scenario)
        except ScenarioError as error:
            found += error.problems
        return found

    def resolve(self, scenario: ScenarioModel) -> dict[str, Any]:
        """The scenario with every number written out; a scenario file itself."""
        from sim.rulesets.p52.resolve import resolved

        assert isinstance(scenario, P52Scenario)
        return resolved(scenario, self.switchboard.settings(scenario.preset, scenario.switches))

    def compile(self, scenario: ScenarioModel) -> Encounter[Any]:
        """The fight ready to be played."""
        from sim.rulesets.p52.encounter import P52Encounter

        assert isinstance(scenario, P52Scenario)
        switches = self.switchboard.settings(scenario.preset, scenario.switches)
        return P52Encounter(scenario, switches, self.plans(scenario))


RULESET = P52()
