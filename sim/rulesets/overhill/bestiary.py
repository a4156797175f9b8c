"""Monsters and classes as tables: the game's and the designer's are read alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.core.own_types import Table, in_full
from sim.rulesets.overhill import data

FIGURES = ("melee", "range", "defence", "blunt_defence", "talk", "alert", "xp")
NO_FAMILY = "none"
UNSAID = {"blunt_defence": "none", "talk": "none", "alert": 0, "xp": 0, "number": 1, "family": NO_FAMILY, "traits": ()}
UNSAID_OF_CLASSES = {"melee_tag": "edged", "ranged_tag": "none", "shield": False, "growth": {}}
MONSTER_NEEDS = ("melee", "range", "defence")
CLASS_NEEDS = ("calling", *data.ATTRIBUTES, "health")

NOBODY: Mapping[str, Table] = {}


def monster_table(name: str, own: Mapping[str, Table], switches: Mapping[str, Any]) -> dict[str, Any]:
    """Everything about a monster: what it says over what it is like, each as the switches would have it.

    A number that a monster says itself counts whatever the switches say of the one that it is like.
    """
    tables = [{key: _switched(entry, switches) for key, entry in known.items()} for known in (own, data.monsters())]
    return UNSAID | in_full(name, *tables)


def _switched(table: Table, switches: Mapping[str, Any]) -> dict[str, Any]:
    """A table with the figures of the switches `bestiary` and `gobbo_defense`."""
    figures = {key: value for key, value in table.items() if key != "early"}
    if switches["bestiary"] == "early":
        figures |= table.get("early", {})
    if figures.get("defence") == "gobbo_defense":
        figures["defence"] = switches["gobbo_defense"]
    return figures


def class_table(name: str, own: Mapping[str, Table]) -> dict[str, Any]:
    """OU-S1: everything about a class: what it says over what it is like."""
    return UNSAID_OF_CLASSES | {"feats": data.feats()} | in_full(name, own, data.classes())


def name_of(type_name: str, own: Mapping[str, Table]) -> str:
    """How people read a type."""
    return str(own.get(type_name, {}).get("name", type_name))
