"""Between two fights of an evening: what the party takes along, what a rest gives back, what a level brings."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.dice import step
from sim.core.evening_scenes import percent_of
from sim.core.lanes import Lanes
from sim.core.luck import Luck
from sim.rulesets.overhill import data
from sim.rulesets.overhill.bestiary import class_table
from sim.rulesets.overhill.build import HeroFacts, build_heroes, feats_known
from sim.rulesets.overhill.schema import OverhillScenario
from sim.rulesets.overhill.state import State

HIGHEST_LEVEL = 10


def leaving(s: State, at: Lanes) -> Carried:
    """OU-V1: health and what is left of the items; all else ends with the fight."""
    names = ("health", "items") if s.facts.items else ("health",)  # what nobody ever had needs no carrying
    return {name: getattr(s, name).take(at, axis=-1) for name in names}


def rested(heroes: Sequence[HeroFacts], party: Carried, kind: str, luck: Luck, house: Mapping[str, int]) -> Carried:
    """OU-V2: a short rest gives every hero 1d6 health, a long one all of it; who was down stands again."""
    full = np.array([[hero.max_health] for hero in heroes], dtype=np.int16)
    health = party["health"]
    if kind == "long":
        health = np.maximum(health, percent_of(full, house["long_rest_percent"]))
    else:
        regained = np.zeros(health.shape, dtype=np.int16)
        for hero in range(len(full)):
            for die in range(house["short_rest_dice"]):
                regained[hero] += luck.die(house["short_rest_die"], "OU-V2", 0, hero, die)
        health = np.minimum(health + regained, full)
    return party | {"health": health.astype(np.int16)}


def level_costs(heroes: Sequence[HeroFacts], house: Mapping[str, int]) -> list[int | None]:
    """OU-V5: the XP that the party must have earned for the next level of each hero."""
    return [house["level_xp"] * hero.level if hero.level < HIGHEST_LEVEL else None for hero in heroes]


def one_level_up(table: dict[str, Any], switches: Mapping[str, Any]) -> dict[str, Any]:
    """OU-V3: a scenario's table with every hero one level higher.

    Figures that are written out grow as those of the class would: health by the level, a die by a step where the class
    has it, and the feats by the next one in order.
    """
    grown = copy.deepcopy(table)
    for hero in grown["heroes"]:
        level = hero.get("level") or grown.get("level", 1)
        hero["level"] = level + 1
        for key in ("max_health", "health"):
            if key in hero:
                hero[key] += 1
        entry = class_table(hero["class"], grown.get("classes") or {})
        attribute = {int(at): name for at, name in entry["growth"].items()}.get(level + 1)
        if attribute in hero and switches["dice_progression"] == "even_levels":
            hero[attribute] = int(step(hero[attribute], 1))
        if "feats" in hero:
            more = len(feats_known(entry, level + 1, switches)) - len(feats_known(entry, level, switches))
            unknown = [feat for feat in entry.get("feats", ()) if feat not in hero["feats"]]
            hero["feats"] = [*hero["feats"], *unknown[:more]]
    return grown


def grown(before: list[Any], after: list[Any], party: Carried) -> Carried:
    """OU-V3: a standing hero gains the health by which the maximum rises."""
    more = np.array([[new.max_health - old.max_health] for old, new in zip(before, after, strict=True)], dtype=np.int16)
    health = party["health"]
    return party | {"health": np.where(health > 0, health + more, health).astype(np.int16)}


def condition(scenario: OverhillScenario, switches: Mapping[str, Any], party: Carried) -> dict[str, NDArray[Any]]:
    """OU-V4: what a scene can ask of a party: its health, who stands, and what is left of the items."""
    full = sum(hero.max_health for hero in build_heroes(scenario, switches))
    health = party["health"]
    items = party.get("items", np.zeros((len(data.ITEMS), *health.shape), dtype=np.int16))
    return {
        "party_hp": health.sum(axis=0, dtype=np.int32) / full,
        "standing": (health > 0).sum(axis=0, dtype=np.int32),
        "dead": np.zeros(health.shape[-1], dtype=np.int32),  # nobody dies in a fight
        "potions": items[data.ITEMS.index("healing_potion")].sum(axis=0, dtype=np.int32),
        "items": items.sum(axis=(0, 1), dtype=np.int32),
    }
