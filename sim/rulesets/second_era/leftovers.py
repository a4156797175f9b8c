"""Points that a scenario gives and that buy nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.rulesets.second_era.bestiary import bestiary_of
from sim.rulesets.second_era.build import party_xp, points_of_the_pool, purchases
from sim.rulesets.second_era.facts import make_facts
from sim.rulesets.second_era.schema import SecondEraScenario


def remarks(scenario: SecondEraScenario, switches: Mapping[str, Any]) -> list[str]:
    """SE-S3, SE-L1: enemy points without a hex, and experience beyond the end of a purchase list."""
    return [*_pool(scenario, switches), *_experience(scenario, switches)]


def _pool(scenario: SecondEraScenario, switches: Mapping[str, Any]) -> list[str]:
    """SE-S3: points left when the numbered hexes are full."""
    points = points_of_the_pool(scenario, switches)
    if not points:
        return []
    bought = [level for level, _ in make_facts(scenario, switches).pool]
    lost = points - sum(bought)
    if not lost:
        return []
    return [f"{lost} of {points} enemy points buy nobody: the numbered hexes are full after {len(bought)} of the pool."]


def _experience(scenario: SecondEraScenario, switches: Mapping[str, Any]) -> list[str]:
    """SE-L1: what is left when nothing more can be bought from the list."""
    level, bestiary = party_xp(scenario, switches), bestiary_of(scenario)
    idle = []
    for hero in scenario.heroes:
        xp = level if hero.xp is None else hero.xp
        bought = purchases(hero, bestiary, level)
        if bought.done and bought.left:
            idle.append(f"{bought.left} of {xp - 2} of the {hero.name or hero.hero_class}")
    return [f"Points that buy nothing, since the purchase list is at its end: {', '.join(idle)}."] if idle else []
