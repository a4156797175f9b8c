"""An evening of Brimstone for the referee: scenes one after the other, and a posse that takes along what is left of it.

Takes an adventure with its fights written out: the keys of the party at the top, and `scenes` with tables. BF-V1 to
BF-V4.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.evenings import buys_level, in_turn
from tests.oracle.luck import TABLE, AddressedLuck

from .ending import Result
from .play import play_scene
from .prepare import Prepared, prepare
from .rulebook import revive_tokens
from .table import Posse, Traveller

HOUSE = {"short_rest_dice": 2, "long_rest_percent": 100, "level_xp_percent": 100}
LEVEL_COSTS = {2: 500, 3: 1000, 4: 2000, 5: 3000, 6: 4500, 7: 6000, 8: 8000}  # 11.7
PARTY = ("heroes", "level", "policy", "policies", "classes")
EARNED = ("xp", "corruption", "injuries", "madness")


@dataclass
class Evening:
    """How one evening went."""

    outcome: str = ""
    rounds: int = 0
    scenes: int = 0
    fights: list[Result] = field(default_factory=list)
    posse: Posse | None = None


def luck_of_scene(seed: int, run: int, number: int) -> AddressedLuck:
    """The first scene has the luck of the run; every other one a luck of its own, by its place in the file."""
    luck = AddressedLuck(seed, run)
    if number:
        luck.key = luck.bits("scene", 0, TABLE, number)
    return luck


def play_evening(adventure: dict[str, Any], seed: int, run: int) -> Evening:
    """All scenes in order, until the posse loses, runs out of time, turns back or comes through."""
    evening = Evening()
    levels, spent = [0] * len(adventure["heroes"]), [0] * len(adventure["heroes"])  # gained so far; XP for them
    house = HOUSE | adventure.get("evening", {})
    first = next(scene for scene in adventure["scenes"] if "fight" in scene)  # rests go by its switches
    for number, scene in in_turn(adventure):
        luck = luck_of_scene(seed, run, number)
        if scene.get("level_up"):
            for hero in range(len(levels)):
                if scene["level_up"] is True or earns_level(hero, adventure, evening, levels, spent):
                    levels[hero] += 1
        elif "rest" in scene:
            if evening.posse is not None:
                rest(evening.posse, prepare(with_party(first, adventure, levels)), scene["rest"], luck, house)
        else:
            whole = with_party(scene, adventure, levels)
            prepared = prepare(whole)
            posse = evening.posse
            if posse is not None and "unless" in scene and turns_back(scene["unless"], posse, prepared, evening.fights):
                evening.outcome = "turned_back"
                break
            result, evening.posse = play_scene(prepared, luck, posse)
            evening.fights.append(result)
            evening.rounds += result.rounds
            if result.outcome in ("loss", "draw"):
                evening.outcome = result.outcome
        evening.scenes += 1
        if evening.outcome:
            break
    evening.outcome = evening.outcome or "win"
    return evening


def earns_level(hero: int, adventure: dict[str, Any], evening: Evening, levels: list[int], spent: list[int]) -> bool:
    """BF-V5: what the hero has earned in all fights pays for the next level of 11.7; not for allies and the gone."""
    entry = adventure["heroes"][hero]
    one = None if evening.posse is None else evening.posse.heroes[hero]
    if one is None or one.dead or one.removed or entry.get("ally"):
        return False
    level = entry.get("level", adventure.get("level", 1)) + levels[hero]
    cost = LEVEL_COSTS.get(level + 1)
    if cost is not None:
        cost = cost * (HOUSE | adventure.get("evening", {}))["level_xp_percent"] // 100
    return buys_level(sum(fight.heroes[hero].xp for fight in evening.fights), spent, hero, cost)


def with_party(scene: dict[str, Any], adventure: dict[str, Any], levels: list[int]) -> dict[str, Any]:
    """BF-V3: the fight of a scene as a scenario, with the posse after so many levels gained by each hero."""
    fight = scene["fight"]
    party = {key: copy.deepcopy(adventure[key]) for key in PARTY if key in adventure}
    whole: dict[str, Any] = {"ruleset": "brimstone", "title": "a scene", **fight, **party}
    if "preset" in adventure:
        whole["preset"] = adventure["preset"]
    whole["switches"] = {**fight.get("switches", {}), **adventure.get("switches", {})}
    for number, hero in enumerate(whole["heroes"]):
        hero["level"] = hero.get("level", whole.get("level", 1)) + levels[number]
        if number < len(scene.get("places", [])) and scene["places"][number]:
            hero["square"] = scene["places"][number]
    return whole


def most(traveller: Traveller, number: int, prepared: Prepared, figure: str) -> int:
    """A figure of a hero: as it was rolled on the level chart, or that of its level."""
    sheet = traveller.sheet if prepared.switches["level_model"] == "chart" else prepared.sheets[number]
    return int(getattr(sheet, figure))


def rest(posse: Posse, prepared: Prepared, kind: str, luck: AddressedLuck, house: dict[str, int]) -> None:
    """BF-V2."""
    switches = prepared.switches
    for number, one in enumerate(posse.heroes):
        one.status = dict.fromkeys(one.status, 0)
        sheet = prepared.sheets[number]
        health, sanity = (most(one, number, prepared, figure) for figure in ("health", "sanity"))
        if kind == "short":
            for _ in range(sum(luck.die(6, "BF-V2", 0, number, die) for die in range(house["short_rest_dice"]))):
                heal_point(one, health, sanity)
            continue
        share = house["long_rest_percent"]
        one.wounds = min(one.wounds, health - health * share // 100)
        one.sdmg = min(one.sdmg, sanity - sanity * share // 100)
        one.bag = {token: max(one.bag.get(token, 0), sheet.bag.get(token, 0)) for token in {*one.bag, *sheet.bag}}
        if switches["grit_use"] == "on":
            start = min(prepared.start_grit[number], most(one, number, prepared, "max_grit"))
            one.grit = max(one.grit, 0 if sheet.ally else start)
    if kind == "long":
        heroes = sum(not sheet.ally for sheet in prepared.sheets)
        posse.revive = max(posse.revive, revive_tokens(switches["revive_tokens"], heroes))


def heal_point(one: Traveller, health: int, sanity: int) -> None:
    """BF-F5: on the damaged track with less left, Health if they are equal."""
    if one.wounds and (not one.sdmg or health - one.wounds <= sanity - one.sdmg):
        one.wounds -= 1
    elif one.sdmg:
        one.sdmg -= 1


def turns_back(unless: dict[str, Any], posse: Posse, prepared: Prepared, fights: list[Result]) -> bool:
    """BF-V4: a condition as data: {"ask": "party_hp", "below": 0.3}."""
    here = [(number, one) for number, one in enumerate(posse.heroes) if not (one.dead or one.removed)]

    def share(figure: str, left: Any) -> float:
        full = sum(most(one, number, prepared, figure) for number, one in enumerate(posse.heroes))
        return sum(max(0, left(one, most(one, number, prepared, figure))) for number, one in here) / full

    asked: dict[str, float] = {
        "party_hp": share("health", lambda one, health: health - one.wounds - 3 * one.status["bleeding"]),
        "party_sanity": share("sanity", lambda one, sanity: sanity - one.sdmg),
        "standing": len(here),
        "dead": len(posse.heroes) - len(here),
        "grit": sum(one.grit for _, one in here),
        "tokens": sum(sum(one.bag.values()) for _, one in here),
        "revive_tokens": posse.revive,
        "darkness": posse.darkness,
    }
    asked |= {name: sum(getattr(hero, name) for fight in fights for hero in fight.heroes) for name in EARNED}
    return bool(asked[unless["ask"]] < unless["below"])
