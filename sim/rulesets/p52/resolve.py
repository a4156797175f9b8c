"""A scenario with every number written out: a scenario file itself, or the fight as it stands on the table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sim.core.expr import Expression
from sim.core.own_types import said
from sim.rulesets.p52 import data
from sim.rulesets.p52.bestiary import TOP, EnemyFacts, build_enemy
from sim.rulesets.p52.build import HeroFacts, build_heroes, party_level
from sim.rulesets.p52.classes import class_of
from sim.rulesets.p52.facts import deck_of
from sim.rulesets.p52.monsters import Row, row_of
from sim.rulesets.p52.schema import Enemy, P52Scenario, encounters_of


def resolved(scenario: P52Scenario, switches: Mapping[str, Any]) -> dict[str, Any]:
    """P52-S1: heroes and enemies with their numbers; a scenario file itself."""
    return _written(scenario, switches, played=False)


def as_played(scenario: P52Scenario, switches: Mapping[str, Any]) -> dict[str, Any]:
    """The same for reading: the enemies' formulas know the level."""
    return _written(scenario, switches, played=True)


def _written(scenario: P52Scenario, switches: Mapping[str, Any], played: bool) -> dict[str, Any]:
    heroes = build_heroes(scenario, switches)
    level = party_level(heroes)
    full = scenario.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True, exclude={"monsters", "classes"})

    own = said(scenario.monsters)

    def enemies(listed: list[Enemy]) -> list[dict[str, Any]]:
        return [_enemy(enemy, build_enemy(enemy, level, switches["data_set"], own), level, played) for enemy in listed]

    full |= _own_types(scenario, heroes, own, switches["data_set"])
    full["level"] = scenario.level
    full["heroes"] = [_hero(hero) for hero in heroes]
    if scenario.enemies:
        full["enemies"] = enemies(scenario.enemies)
    for number, part in enumerate(scenario.encounters):
        if part.enemies:
            full["encounters"][number]["enemies"] = enemies(part.enemies)
    return full


def _own_types(
    scenario: P52Scenario, heroes: list[HeroFacts], own: Mapping[str, Row], data_set: str
) -> dict[str, dict[str, Any]]:
    """The types of one's own that are used, each with all that there is to say of it."""
    met = [enemy.card for part in encounters_of(scenario) for enemy in part.enemies] + deck_of(scenario)
    monsters = {name: row_of(name, own, data_set) for name in own if name in met}
    classes = {
        name: class_of(name, said(scenario.classes), data_set)
        for name in scenario.classes
        if name in [hero.role for hero in heroes]
    }
    return {key: table for key, table in (("monsters", monsters), ("classes", classes)) if table}


def _hero(hero: HeroFacts) -> dict[str, Any]:
    written: dict[str, Any] = {
        "class": hero.role,
        "name": hero.name,
        "level": hero.level,
        "race": hero.race,
        "policy": hero.policy,
    }
    if hero.spot is not None:
        written["spot"] = list(hero.spot)
    written |= {name: hero.cores[core] for core, name in zip(data.CORES, data.CORE_NAMES, strict=True)}
    written |= {"abilities": dict(hero.abilities), "gear": list(hero.gear), "consumables": dict(hero.consumables)}
    for key in ("arrows", "sharp_arrows", "max_hp", "hp", "movement", "initiative", "armour", "magic_armour"):
        written[key] = getattr(hero, key)
    return written


def _enemy(enemy: Enemy, facts: EnemyFacts, level: int, played: bool) -> dict[str, Any]:
    written: dict[str, Any] = {
        "card": facts.card,
        "name": facts.name,
        "spot": list(enemy.spot),
        "max_hp": facts.max_hp,
        "hp": facts.hp,
        "movement": facts.movement,
    }
    if facts.initiative != TOP:
        written["initiative"] = facts.initiative
    for key, value in zip(("melee_defence", "magic_defence", "ranged_defence"), facts.defence, strict=True):
        written[key] = value
    if enemy.target_order is not None:
        written["target_order"] = enemy.target_order
    for attack in facts.attacks:
        if attack.way in ("melee", "ranged"):
            written[attack.way] = {
                "target": _at_level(attack.target, level) if played else str(attack.target),
                "damage": _at_level(attack.damage, level) if played else str(attack.damage),
                "reach": [attack.least, attack.most],
            }
    return written


def _at_level(formula: Expression, level: int) -> str:
    """A formula in which the level is a number: '9', or '3*1 + O' where range or overage count too."""
    if formula.names <= {"L"}:
        return str(formula({"L": level}))
    return re.sub(r"\bL\b", str(level), formula.text)
