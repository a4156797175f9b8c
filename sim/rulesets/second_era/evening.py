"""Between two battles of an evening: what the party takes along, what a rest gives back, what experience buys."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.evening_scenes import percent_of
from sim.core.lanes import Lanes, Small, Tiny
from sim.core.own_types import GoesInACircle, in_full
from sim.rulesets.second_era import data
from sim.rulesets.second_era.bestiary import CLASS_NEEDS, Row, bestiary_of, own_classes
from sim.rulesets.second_era.build import HeroFacts, build_hero, buy, party_xp, xp_of
from sim.rulesets.second_era.data import EMPTY, OVER, STATS, TIRED
from sim.rulesets.second_era.schema import MOST_DICE, MOST_HEALTH, MOST_STAT, MOST_XP, SecondEraScenario
from sim.rulesets.second_era.state import State

# Shapes of what is carried: hp, tenacity (heroes, runs); available (dice, heroes, runs); slot_die, slot_x (4, heroes,
# runs); track (13, heroes, runs).
BY_HERO = ("slot_die", "slot_x", "track")


def heroes_of(scenario: SecondEraScenario, switches: Mapping[str, Any]) -> list[HeroFacts]:
    """The adventurers of a scenario."""
    xp, bestiary = party_xp(scenario, switches), bestiary_of(scenario)
    return [build_hero(entry, bestiary, scenario.policy, xp) for entry in scenario.heroes]


def owned(heroes: Sequence[HeroFacts]) -> Tiny:
    """(dice, heroes, 1). How many dice of each kind every adventurer has in all."""
    return np.array([[[hero.dice.get(name, 0)] for hero in heroes] for name in data.DICE], dtype=np.int8)


def health_of(heroes: Sequence[HeroFacts]) -> Small:
    """(heroes, 1)."""
    return np.array([[hero.health] for hero in heroes], dtype=np.int16)


def leaving(s: State, at: Lanes) -> Carried:
    """SE-V1, SE-A14: hit points, tenacity, active dice and the track; drained dice and those of the defeated come back.

    Form, bonus hit points and what was used once in the battle end with it.
    """
    party: Carried = {name: getattr(s, name).take(at, axis=-1).swapaxes(0, 1) for name in BY_HERO}
    party |= {"hp": s.hp[: s.heroes].take(at, axis=-1), "tenacity": s.tenacity.take(at, axis=-1)}
    places = np.concatenate([party["slot_die"], party["track"]])
    busy = np.stack([(places == code).sum(axis=0, dtype=np.int8) for code in range(len(data.DICE))])
    party["available"] = owned(s.facts.heroes) - busy
    return party


def rested(heroes: Sequence[HeroFacts], party: Carried, kind: str, house: Mapping[str, int]) -> Carried:
    """SE-V2: a short rest is Recovery (SE-A10) as often as it takes, a long one the fresh start of SE-S7."""
    hp, long = party["hp"], kind == "long"
    overtired = 0 if long else (party["track"] == OVER).sum(axis=0)  # (heroes, runs): these are all that is left
    places = np.arange(data.TRACK)[:, None, None]
    none = np.full_like(party["slot_die"], EMPTY)
    full = health_of(heroes)
    up = np.minimum(house["short_rest_hp"], full)  # what the defeated get up with
    healed = np.maximum(hp, percent_of(full, house["long_rest_percent"])) if long else np.where(hp == 0, up, hp)
    return {
        "hp": healed.astype(np.int16),
        "tenacity": np.zeros_like(party["tenacity"]) if long else party["tenacity"],
        "track": np.where(places < overtired, OVER, np.full_like(party["track"], EMPTY)).astype(np.int8),
        "slot_die": none,
        "slot_x": none.copy(),
        "available": np.broadcast_to(owned(heroes), party["available"].shape).copy(),
    }


def one_level_up(table: dict[str, Any], switches: Mapping[str, Any], more: int) -> dict[str, Any]:
    """SE-V3, SE-L1: a scenario's table whose adventurers have so much more XP, and what it buys.

    Figures that are written out grow by as much as those of the class do.
    """
    grown = copy.deepcopy(table)
    level = xp_of(grown.get("level", data.START_XP), len(grown["heroes"]), switches["difficulty"])
    grown["level"] = min(level + more, MOST_XP)
    for hero in grown["heroes"]:
        xp = hero.get("xp", level)
        then = min(xp + more, MOST_XP)
        if "xp" in hero:
            hero["xp"] = then
        row = _class_of(hero, grown.get("classes", {}))
        if row is not None:
            _grow(hero, row, xp, then)
    return grown


def _class_of(hero: Mapping[str, Any], own: Mapping[str, Row]) -> Row | None:
    """The class of an adventurer that may not be checked yet; None where it cannot be played."""
    name = hero.get("class")
    try:
        row = in_full(str(name), own, own_classes()) if name in own else own_classes().get(str(name), {})
    except (KeyError, GoesInACircle):
        return None
    return row if all(key in row for key in CLASS_NEEDS) else None


def _grow(hero: dict[str, Any], row: Row, xp: int, then: int) -> None:
    """The figures of an adventurer that are written out, with what the XP has bought."""
    race = hero.get("race") or row["race"]
    before, after = buy(row, race, xp), buy(row, race, then)
    gained = {stat: after.stats[stat] - before.stats[stat] for stat in STATS}
    for stat in STATS:
        if stat in hero:
            hero[stat] = min(hero[stat] + gained[stat], MOST_HEALTH if stat == "health" else MOST_STAT)
    if "hp" in hero:
        hero["hp"] = min(hero["hp"] + gained["health"], MOST_HEALTH)
    if "dice" in hero:
        for name, number in after.dice.items():
            new = number - before.dice.get(name, 0)
            if new:
                hero["dice"][name] = min(hero["dice"].get(name, 0) + new, MOST_DICE)


def level_costs(scenario: SecondEraScenario, switches: Mapping[str, Any], house: Mapping[str, int]) -> list[int | None]:
    """SE-V5: the XP that is spent at one go."""
    party = party_xp(scenario, switches)
    has = [party if hero.xp is None else hero.xp for hero in scenario.heroes]
    return [house["level_xp"] if xp < MOST_XP else None for xp in has]


def grown(before: Sequence[HeroFacts], after: Sequence[HeroFacts], party: Carried) -> Carried:
    """SE-V3: new dice are available at once; who stands gains the hit points by which health rises."""
    hp = party["hp"]
    more = np.where(hp > 0, health_of(after) - health_of(before), 0)
    dice = party["available"] + owned(after) - owned(before)
    return party | {"hp": (hp + more).astype(np.int16), "available": dice.clip(min=0).astype(np.int8)}


def condition(heroes: Sequence[HeroFacts], party: Carried) -> dict[str, NDArray[Any]]:
    """SE-V4: what a scene can ask of a party: hit points, who stands, dice that are ready, fatigue, tenacity."""
    hp, track = party["hp"], party["track"]
    ready = party["available"].sum(axis=(0, 1), dtype=np.int32) + (party["slot_die"] != EMPTY).sum(axis=(0, 1))
    light, over = ((track == code).sum(axis=(0, 1), dtype=np.int32) for code in (TIRED, OVER))
    return {
        "party_hp": hp.sum(axis=0, dtype=np.int32) / int(health_of(heroes).sum()),
        "standing": (hp > 0).sum(axis=0, dtype=np.int32),
        "dead": (hp == 0).sum(axis=0, dtype=np.int32),
        "dice_ready": ready / max(1, int(owned(heroes).sum())),
        "fatigue": light + over,
        "overfatigue": over,
        "tenacity": party["tenacity"].sum(axis=0, dtype=np.int32),
    }
