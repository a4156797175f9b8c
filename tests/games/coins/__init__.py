"""Coin Duel: a small game that is complete, and the worked example of docs/add-a-game.md."""

from __future__ import annotations

from typing import Any

from sim.core.engine import Encounter
from sim.core.ruleset import Coverage, ExactResult, Ruleset
from sim.errors import Problem
from tests.games.coins import checks, data, exact, resolve
from tests.games.coins.encounter import Duel
from tests.games.coins.facts import make_facts
from tests.games.coins.plan import read_plan
from tests.games.coins.schema import CoinScenario
from tests.games.coins.state import State
from tests.games.coins.vocabulary import VOCABULARY


class Coins(Ruleset[CoinScenario]):
    """The game as one object."""

    name = "coins"
    title = "Coin Duel"
    about = "two purses, one coin at a time"
    version = 1
    starter = "brawl"
    solves = "one hero against one foe"
    folder = data.FOLDER
    scenario_model = CoinScenario
    vocabulary = VOCABULARY
    coverage = Coverage(
        modelled=("Flips, alms, bluffs and prizes",),
        simplified=("A coin never stands on its edge",),
        not_modelled=("cheating",),
        house_figures=("What is in a tax collector's purse",),
    )

    def problems(self, scenario: CoinScenario) -> list[Problem]:
        """Contradictions that the schema cannot see."""
        return checks.problems(scenario)

    def resolve(self, scenario: CoinScenario) -> dict[str, Any]:
        """The scenario with every number written out."""
        return resolve.resolved(scenario, self.switches(scenario))

    def compile(self, scenario: CoinScenario) -> Encounter[State]:
        """The duel ready to be played."""
        return Duel(make_facts(scenario, self.switches(scenario)), read_plan(scenario))

    def exact(self, scenario: CoinScenario) -> ExactResult:
        """The chances of one against one."""
        return exact.solve(make_facts(scenario, self.switches(scenario)), read_plan(scenario))


RULESET = Coins()
