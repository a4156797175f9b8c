"""What designers choose from: monsters, classes, items, and the traits that new monsters are made of."""

from __future__ import annotations

from typing import Any

from sim.core.ruleset import Thing
from sim.rulesets.overhill import data
from sim.rulesets.overhill.bestiary import FIGURES

FAMILY = "any word, as in family = \"bones\": monsters of one family gain by its leaders ('none': by nobody)"
BRITTLE = "a number: the defence that blunt weapons meet instead"
MUTE = 'talk = "none": the party cannot talk to it, nor to anybody beside it'
REAR = "a range value above the melee value: it stands in the rear guard and may attack anybody"


def things() -> dict[str, dict[str, Thing]]:
    """By kind and name."""
    traits = {name: Thing(about=about) for name, about in data.traits().items()}
    numbers = {"family": FAMILY, "blunt_defence": BRITTLE, "talk": MUTE, "range": REAR}
    return {
        "monsters": {name: _monster(row) for name, row in data.monsters().items()},
        "classes": {name: _class(row) for name, row in data.classes().items()},
        "items": {name: Thing(about=about) for name, about in data.items().items()},
        "traits": traits | {name: Thing(about=about) for name, about in numbers.items()},
    }


def _monster(row: dict[str, Any]) -> Thing:
    figures = {key: row.get(key, "") for key in ("number", *FIGURES, "family")}
    traits = row.get("traits", [])
    return Thing(
        figures | {"traits": ", ".join(trait.replace("_", " ") for trait in traits)},
        parts={trait: data.traits()[trait] for trait in traits},
    )


def _class(row: dict[str, Any]) -> Thing:
    figures = {key: row[key] for key in (*data.ATTRIBUTES, "health", "melee_tag", "ranged_tag", "shield")}
    grows = ", ".join(f"{attribute} at {level}" for level, attribute in row["growth"].items())
    return Thing(figures | {"grows": grows})
