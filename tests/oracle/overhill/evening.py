"""An evening of Overhill for the referee: scenes one after the other, health and items carried on (OU-V1 to OU-V4).

Takes an adventure with its fights written out: the keys of the party at the top, and `scenes` with tables.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.evenings import buys_level, in_turn
from tests.oracle.luck import TABLE, AddressedLuck
from tests.oracle.overhill.build import Rules, class_entry, prepare, step
from tests.oracle.overhill.data import ClassEntry
from tests.oracle.overhill.encounter import Arrival, play
from tests.oracle.overhill.state import Result

HOUSE = {"short_rest_dice": 1, "short_rest_die": 6, "long_rest_percent": 100, "level_xp": 40}
PARTY = ("heroes", "level", "policy", "policies", "policy_options", "forbid", "classes")


@dataclass(slots=True)
class Evening:
    """How one evening went."""

    outcome: str = ""
    rounds: int = 0
    scenes: int = 0
    xp: int = 0
    fights: list[Result] = field(default_factory=list)
    party: list[Arrival] = field(default_factory=list)  # as it is at the end


def luck_of_scene(seed: int, run: int, number: int) -> AddressedLuck:
    """The first scene has the luck of the run; every other one a luck of its own, by its place in the file."""
    luck = AddressedLuck(seed, run)
    if number:
        luck.key = luck.bits("scene", 0, TABLE, number)
    return luck


def play_evening(adventure: dict[str, Any], seed: int, run: int) -> Evening:
    """All scenes in order, until the party loses, runs out of time, turns back or comes through."""
    evening = Evening()
    arriving: list[Arrival] | None = None
    fate: set[str] = set()
    levels, spent = [0] * len(adventure["heroes"]), [0] * len(adventure["heroes"])  # gained so far; XP for them
    bought = 0  # levels by XP, of all heroes
    house = HOUSE | adventure.get("evening", {})
    first = next(scene["fight"] for scene in adventure["scenes"] if "fight" in scene)  # rests go by its switches
    for number, scene in in_turn(adventure):
        luck = luck_of_scene(seed, run, number)
        if scene.get("level_up"):
            before = most_health(first, adventure, levels)
            for hero in range(len(levels)):
                if scene["level_up"] is True:
                    levels[hero] += 1
                elif arriving is not None and earns_level(hero, adventure, levels, spent, evening.xp):
                    levels[hero] += 1
                    bought += 1
            after = most_health(first, adventure, levels)
            arriving = None if arriving is None else grown(arriving, before, after)
        elif "rest" in scene:
            most = most_health(first, adventure, levels)
            arriving = None if arriving is None else rested(arriving, most, scene["rest"], luck, house)
        else:
            full = sum(most_health(scene["fight"], adventure, levels))
            if arriving is not None and "unless" in scene and turns_back(scene["unless"], arriving, full, bought):
                evening.outcome = "turned_back"
                break
            result = play(prepare(with_party(scene["fight"], adventure, levels)), luck, arriving=arriving)
            evening.fights.append(result)
            evening.rounds += result.rounds
            evening.xp += result.xp
            arriving = list(zip(result.health, result.items_left, strict=True))
            fate.add(result.outcome)
            if result.outcome in ("loss", "draw"):
                evening.outcome = result.outcome
        evening.scenes += 1
        if evening.outcome:
            break
    evening.outcome = evening.outcome or next(word for word in ("win", "avoided", "empty") if word in fate)
    evening.party = arriving or []
    return evening


def earns_level(hero: int, adventure: dict[str, Any], levels: list[int], spent: list[int], xp: int) -> bool:
    """OU-V5: the next level costs so much XP of the party, times the level that the hero has; 10 is the highest."""
    entry = adventure["heroes"][hero]
    level = (entry.get("level") or adventure.get("level", 1)) + levels[hero]
    cost = (HOUSE | adventure.get("evening", {}))["level_xp"] * level
    return buys_level(xp, spent, hero, cost if level < 10 else None)


def with_party(fight: dict[str, Any], adventure: dict[str, Any], levels: list[int]) -> dict[str, Any]:
    """The fight as a scenario, with the party after so many levels gained by each hero (OU-V3)."""
    party = {key: copy.deepcopy(adventure[key]) for key in PARTY if key in adventure}
    whole = {"ruleset": "overhill", "title": "a scene", **fight, **party}
    if "preset" in adventure:
        whole["preset"] = adventure["preset"]
    whole["switches"] = {**fight.get("switches", {}), **adventure.get("switches", {})}
    rules = prepare(whole).rules
    for hero, gained in zip(whole["heroes"], levels, strict=True):
        for _ in range(gained):
            entry = class_entry(hero["class"], whole.get("classes", {}))
            raise_hero(hero, entry, hero.get("level") or whole.get("level", 1), rules)
    return whole


def raise_hero(hero: dict[str, Any], entry: ClassEntry, old: int, rules: Rules) -> None:
    """OU-V3: one level more, and of what is written out what the class gains by it."""
    new = old + 1
    hero["level"] = new
    for key in ("max_health", "health"):
        if key in hero:
            hero[key] += 1
    if rules.dice_progression == "even_levels":
        for level, attribute in entry.growth:
            if level == new and attribute in hero:
                hero[attribute] = step(hero[attribute], 1)
    learns = new % 2 == 1 and (new >= 3 or rules.feat_start == "level1")
    if learns and entry.calling == "warrior" and "feats" in hero and (new + 1) // 2 <= len(entry.feats) + 1:
        hero["feats"] = [*hero["feats"], *[feat for feat in entry.feats if feat not in hero["feats"]][:1]]


def most_health(fight: dict[str, Any], adventure: dict[str, Any], levels: list[int]) -> list[int]:
    """The maximum of every hero after so many levels."""
    return [sheet.max_health for sheet in prepare(with_party(fight, adventure, levels)).heroes]


def grown(party: list[Arrival], before: list[int], after: list[int]) -> list[Arrival]:
    """OU-V3: who stands gains the health by which the maximum rises."""
    gains = [new - old for old, new in zip(before, after, strict=True)]
    return [(health + gain if health else 0, items) for (health, items), gain in zip(party, gains, strict=True)]


def rested(
    party: list[Arrival], most: list[int], kind: str, luck: AddressedLuck, house: dict[str, int]
) -> list[Arrival]:
    """OU-V2: 1d6 health for everybody, or all of it; dice and share as the evening has them."""
    after = []
    for number, (health, items) in enumerate(party):
        if kind == "long":
            now = max(health, most[number] * house["long_rest_percent"] // 100)
        else:
            dice = [luck.die(house["short_rest_die"], "OU-V2", 0, number, n) for n in range(house["short_rest_dice"])]
            now = min(most[number], health + sum(dice))
        after.append((now, items))
    return after


def turns_back(unless: dict[str, Any], party: list[Arrival], full: int, bought: int) -> bool:
    """OU-V4: a condition as data: {"ask": "party_hp", "below": 0.3}."""
    asked = {
        "party_hp": sum(health for health, _ in party) / full,
        "standing": sum(health > 0 for health, _ in party),
        "potions": sum(items.get("healing_potion", 0) for _, items in party),
        "levels": bought,
        "items": sum(sum(items.values()) for _, items in party),
    }
    return bool(asked[unless["ask"]] < unless["below"])
