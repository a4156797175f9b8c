"""What designers choose from: enemies, companions, classes, races, dice, skills, statuses, traits of own types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sim.core.rulebook import Rule
from sim.core.ruleset import Thing
from sim.rulesets.second_era import data

STATS = {"S": "Stamina", "M": "Magicka"}


def all_things(rules: Mapping[str, Rule]) -> dict[str, dict[str, Thing]]:
    """By kind and name; what skills and statuses do is told by the rulebook."""
    statuses = {name: _told(rules[f"SE-F{number}"]) for number, name in enumerate(data.STATUSES, start=1)}
    skills = {name: _told(rules[f"SE-K{number}"]) for number, name in enumerate(data.SKILLS, start=1)}
    for name, status in (*zip(data.GIVES, data.GIVES, strict=True), ("Intimidate", "Fear")):
        skills[name] += f" {statuses[status]}"
    return {
        "enemies": {name: _creature(row, skills) for name, row in data.units("enemies").items()},
        "companions": {name: _creature(row, skills) for name, row in data.units("companions").items()},
        "classes": {name: _archetype(row) for name, row in data.units("archetypes").items()},
        "races": {name: _race(row) for name, row in data.units("races").items()},
        "dice": {name: _die(row) for name, row in data.units("dice").items()},
        "skills": {name: Thing({"who has it": _holders(name)}, about) for name, about in skills.items()},
        "statuses": {name: Thing(about=about) for name, about in statuses.items()},
        "traits": _traits(rules, skills),
    }


def _traits(rules: Mapping[str, Rule], skills: Mapping[str, str]) -> dict[str, Thing]:
    """What enemies of one's own can be made of: everything but plain numbers, each with how it is written."""
    chips = {name: Thing({"written as": f"skills = [{_chip(name)}]"}, about) for name, about in skills.items()}
    return chips | {
        "strongest": Thing({"written as": 'priority = "strongest"'}, _told(rules["SE-E8"])),
        "weakest": Thing({"written as": 'priority = "weakest"'}, _told(rules["SE-E8"])),
        "all": Thing({"written as": 'targets = "all"'}, "One engage targets everybody in range and in sight."),
        "quest": Thing({"written as": 'level = "quest"'}, _told(rules["SE-E1"])),
    }


def _chip(skill: str) -> str:
    return f'"{skill} 2"' if skill in data.NUMBERED else f'"{skill}"'


def _told(rule: Rule) -> str:
    """A rule as one paragraph."""
    return " ".join(rule.text.split())


def _creature(row: Mapping[str, Any], skills: Mapping[str, str]) -> Thing:
    """An enemy or a companion, with what its chips do."""
    chips = [data.parse_skill(chip)[0] for chip in row["skills"]]
    return Thing(dict(row), parts={chip: skills[name] for chip, name in zip(row["skills"], chips, strict=True)})


def _archetype(row: Mapping[str, Any]) -> Thing:
    """A class: what it begins with and buys, and the abilities of the Extended rules."""
    figures = {
        "race": row["race"],
        "form": row["form"],
        "starts with": f"{_listed(row['start'])}, and the Combat dice of its race",
        "buys in this order": _listed(row["buys"]),
    }
    texts = data.units("abilities")
    owned = {name: texts[name] for name, owner in data.CLASS_ABILITIES.items() if owner == row["abilities"]}
    return Thing(figures, "has abilities with the switch class_abilities" if owned else "", owned)


def _race(row: Mapping[str, Any]) -> Thing:
    figures = {name: value for name, value in row.items() if name != "ability"}
    return Thing({**figures, "ability (switch racial_abilities)": row["ability"]})


def _die(row: Mapping[str, Any]) -> Thing:
    """A die: what caps it, the forms it fits, its faces."""
    figures = {"counts against": STATS[row["stat"]], "forms": _listed(row["forms"]), "faces": " ".join(row["faces"])}
    return Thing(figures, f"{row['does']}; T: 1 tenacity")


def _holders(skill: str) -> str:
    """The enemies with a skill."""
    found = [
        name
        for name, row in data.units("enemies").items()
        if skill in {data.parse_skill(chip)[0] for chip in row["skills"]}
    ]
    return _listed(found) or "nobody; yours may"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(name.replace("_", " ") for name in names)
