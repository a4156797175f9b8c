"""A scenario with every number written out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.rulesets.second_era import data
from sim.rulesets.second_era.bestiary import bestiary_of, used_types
from sim.rulesets.second_era.build import (
    CreatureFacts,
    HeroFacts,
    build_creature,
    build_hero,
    party_xp,
    pool_points,
)
from sim.rulesets.second_era.schema import Companion, Enemy, Hero, SecondEraScenario

OWN_TYPES = ("monsters", "classes")
NUMBERS = ("health", "stamina", "magicka", "cooldown", "hp", "bonus_hp", "tenacity")


def resolved(scenario: SecondEraScenario, switches: Mapping[str, Any]) -> dict[str, Any]:
    """The scenario with every number written out; a scenario file itself."""
    xp, bestiary = party_xp(scenario, switches), bestiary_of(scenario)
    full = scenario.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)
    full = {key: value for key, value in full.items() if key not in OWN_TYPES} | used_types(scenario)
    full["level"] = xp
    full["map"] = scenario.map if isinstance(scenario.map, str) else full["map"]
    full["objective"], full["reward"] = scenario.objective, scenario.reward
    full["heroes"] = [
        hero_written_out(build_hero(entry, bestiary, scenario.policy, xp), entry) for entry in scenario.heroes
    ]
    for side, entries in (("companions", scenario.companions), ("enemies", scenario.enemies)):
        if entries:
            full[side] = [creature_written_out(build_creature(entry, bestiary), entry) for entry in entries]
    if scenario.pool is not None:
        points = xp * len(scenario.heroes) if scenario.pool.points is None else scenario.pool.points
        full["pool"] = {**full.get("pool", {}), "points": points}
    return full


def as_played(scenario: SecondEraScenario, switches: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the enemy points that are spent, after `ep_mult`."""
    full = resolved(scenario, switches)
    if "pool" in full:
        full["pool"] |= {"points": pool_points(full["pool"]["points"], switches["ep_mult"])}
    return full


def hero_written_out(hero: HeroFacts, entry: Hero) -> dict[str, Any]:
    """An adventurer with every number written out."""
    figures = {"class": hero.hero_class, "name": hero.name, "race": hero.race, "form": data.FORMS[hero.form]}
    own: dict[str, Any] = {"policy": entry.policy} if entry.policy else {}
    own |= {"xp": entry.xp} if entry.xp is not None else {}  # what a level more is counted from
    place = {"hex": entry.hex} if entry.hex else {}
    tracked = {"track": entry.track} if entry.track else {}
    values = {key: getattr(hero, key) for key in NUMBERS}
    return {**figures, **own, **values, "dice": hero.dice, **tracked, **place}


def creature_written_out(facts: CreatureFacts, entry: Companion | Enemy) -> dict[str, Any]:
    """A companion or an enemy with every number written out."""
    figures: dict[str, Any] = {"type": entry.type, "name": facts.name, "count": entry.count}
    if isinstance(entry, Enemy):
        figures |= {"level": facts.level, "priority": facts.priority}
        figures |= {"objective": True} if entry.objective else {}
    figures |= {key: getattr(facts, key) for key in ("health", "hp", "range", "combat", "defense")}
    figures["targets"] = "all" if facts.targets == data.ALL_TARGETS else facts.targets
    figures["skills"] = [f"{name} {n}" if name in data.NUMBERED else name for name, n in facts.skills.items()]
    figures |= {"statuses": list(entry.statuses)} if entry.statuses else {}
    figures |= {"hex": entry.hex} if entry.hex else {}
    return figures
