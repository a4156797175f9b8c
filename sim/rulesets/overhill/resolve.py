"""A scenario with every number written out: a scenario file itself, or the fight as it stands on the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.core.dice import Dice
from sim.core.own_types import Table, said
from sim.core.schema import Strict
from sim.rulesets.overhill import data
from sim.rulesets.overhill.bestiary import class_table, monster_table
from sim.rulesets.overhill.build import (
    HeroFacts,
    build_group,
    build_heroes,
    build_mishaps,
    build_reactions,
    build_room,
    party_level,
    scaled_number,
    scaling_text,
)
from sim.rulesets.overhill.facts import make_facts
from sim.rulesets.overhill.rules.formation import fixed_formation
from sim.rulesets.overhill.schema import Group, HeroClass, Monster, OverhillScenario


def resolved(scenario: OverhillScenario, switches: Mapping[str, Any]) -> dict[str, Any]:
    """The scenario with every number written out; a scenario file itself.

    The monsters' figures are those before scaling: it is applied when the fight is built, and would be twice. Guards
    that are left to the policy stay so, because the fight may be played by another.
    """
    return _in_full(scenario, {**switches, "monster_scaling": "none"})


def as_played(scenario: OverhillScenario, switches: Mapping[str, Any], formation: str) -> dict[str, Any]:
    """The same with the monsters' figures and numbers after scaling (OU-S3), and everybody's guard (OU-S6)."""
    full = _in_full(scenario, switches)
    front = fixed_formation(make_facts(scenario, switches), formation)
    for h, hero in enumerate(full["heroes"]):
        if front is not None:
            hero["guard"] = "front" if front[h] else "rear"
        elif hero["guard"] == "policy":
            hero["guard"] = "by lot"
    return full


def _in_full(scenario: OverhillScenario, switches: Mapping[str, Any]) -> dict[str, Any]:
    heroes = build_heroes(scenario, switches)
    level = party_level(heroes)
    room = build_room(scenario)

    own = said(scenario.monsters)

    def groups(entries: list[Group]) -> list[dict[str, Any]]:
        return [_group(entry, level, switches, own) for entry in entries]

    full = scenario.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True, exclude={"monsters", "classes"})
    full |= {"level": scenario.level, "room": scenario.room, "rear_ratio": room.rear_ratio}
    full |= {"front_max": "none" if room.front_max is None else room.front_max}
    full |= {"heroes": [_hero(hero) for hero in heroes]}
    full |= {key: rows for key, rows in tables(scenario).items() if key in full}  # where the file changes anything
    full |= own_types(scenario, switches)
    if scenario.encounter is None:
        full["enemies"] = groups(scenario.enemies)
    else:
        rows = [
            {"on": row.on, "trap": row.trap, "surprise": row.surprise, "enemies": groups(row.enemies)}
            for row in scenario.encounter.rows
        ]
        full["encounter"] = {"roll": scenario.encounter.roll, "rows": rows}
    return full


def tables(scenario: OverhillScenario) -> dict[str, Any]:
    """The reaction and the mishap table, every row in full."""
    reactions = {
        row.name: {"avoided": row.avoided, "friendly": row.friendly, "surprise": row.surprise, **_bound(row.up_to)}
        for row in build_reactions(scenario)
    }
    mishaps = {
        row.name: {
            "damage": str(row.damage) if row.damage.count else row.damage.bonus,
            **{key: getattr(row, key) for key in ("darts_lost", "blocks", "silences")},
            **_bound(row.up_to),
        }
        for row in build_mishaps(scenario)
    }
    return {"reaction_table": reactions, "mishap_table": mishaps}


def _bound(up_to: int | None) -> dict[str, int]:
    """The last row of a table has none."""
    return {} if up_to is None else {"up_to": up_to}


def own_types(scenario: OverhillScenario, switches: Mapping[str, Any]) -> dict[str, Any]:
    """The monsters and classes of the scenario's own that the fight needs, every number written out."""
    rows = scenario.encounter.rows if scenario.encounter is not None else []
    met = {group.type for groups in (scenario.enemies, *(row.enemies for row in rows)) for group in groups}
    played = {hero.hero_class for hero in scenario.heroes}
    monsters, classes = said(scenario.monsters), said(scenario.classes)
    fought = {name: monster_table(name, monsters, switches) for name in monsters if name in met}
    used = {name: class_table(name, classes) for name in classes if name in played}
    full = {
        "monsters": {name: _written(table, Monster) for name, table in fought.items()},
        "classes": {name: _written(table, HeroClass) for name, table in used.items()},
    }
    return {key: entries for key, entries in full.items() if entries}


def _written(table: Mapping[str, Any], model: type[Strict]) -> dict[str, Any]:
    """A table as a file would hold it, in the order of its model."""
    there = {key: table[key] for key in model.model_fields if key in table}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in there.items()}


def _hero(hero: HeroFacts) -> dict[str, Any]:
    return {
        "class": hero.class_name,
        "name": hero.name,
        **{key: getattr(hero, key) for key in ("level", *data.ATTRIBUTES, "max_health", "health")},
        **{key: getattr(hero, key) for key in ("melee_tag", "ranged_tag", "shield", "guard")},
        "feats": list(hero.feats),
        "items": {item: n for item, n in zip(data.ITEMS, hero.items, strict=True) if n},
    }


def _group(
    entry: Group, level: int, switches: Mapping[str, Any], own: Mapping[str, Table]
) -> dict[str, Any]:
    facts = build_group(entry, level, switches, own)
    figures = {
        "type": facts.type,
        "name": facts.name,
        "count": _count(facts.count, level, switches),
        **{key: getattr(facts, key) for key in ("melee", "range", "defence", "alert", "xp")},
        "talk": "none" if facts.talk is None else facts.talk,
    }
    if facts.blunt_defence is not None:
        figures["blunt_defence"] = facts.blunt_defence
    elif monster_table(entry.type, own, switches)["blunt_defence"] != "none":
        figures["blunt_defence"] = "none"  # the type has one, and this group has not
    return figures


def _count(dice: Dice, level: int, switches: Mapping[str, Any]) -> int | str:
    """How many: a number, or dice, and by how much they are multiplied."""
    if dice.count == 0:
        return int(scaled_number(dice.bonus, level, switches))
    if scaled_number(2, level, switches) == 2:
        return str(dice)
    return f"({dice}) {scaling_text(level)}" if dice.bonus else f"{dice} {scaling_text(level)}"
