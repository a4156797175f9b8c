"""What is wrong with a scenario beyond its schema."""

from __future__ import annotations

from sim.errors import Problem
from tests.games.coins.schema import CoinScenario


def problems(scenario: CoinScenario) -> list[Problem]:
    """Contradictions that the schema cannot see."""
    found = []
    if not scenario.enemies:
        found.append(Problem("enemies", "a duel needs somebody to fight"))
    if scenario.policy_options.bluff:
        bareheaded = [row for row, hero in enumerate(scenario.heroes) if hero.hat == "none"]
        found += [Problem(f"heroes[{row}].hat", "nobody bluffs without a hat") for row in bareheaded]
    if scenario.prize and scenario.prize[0] > scenario.prize[1]:
        found.append(Problem("prize", f"expected the least first, found {list(scenario.prize)}"))
    return found
