"""An evening: battles one after the other, with rests and experience in between (SE-V1 to SE-V4).

An adventure is the dict that `tomllib` makes of its file, with every fight written out as a table.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.evenings import in_turn
from tests.oracle.luck import TABLE, AddressedLuck
from tests.oracle.second_era import data
from tests.oracle.second_era.build import HeroPlan, buy, party_xp, prepare, read_switches
from tests.oracle.second_era.own_types import all_classes
from tests.oracle.second_era.play import fight
from tests.oracle.second_era.state import Battle, Bearing

PARTY = ("heroes", "companions", "classes", "level", "policy", "policies")
HOUSE = {"short_rest_hp": 1, "long_rest_percent": 100, "level_xp": 2}  # a level-up brings the reward of a battle

Entry = dict[str, Any]


@dataclass
class Evening:
    """How an evening went: its outcome, and what stands in the tables after every scene that the party came through."""

    outcome: str = ""  # "win", "loss", "draw", "turned back"
    rounds: list[int] = field(default_factory=list)  # by scene that the party came to
    xp: int = 0
    after: list[dict[str, float]] = field(default_factory=list)  # by scene that it came through
    party: list[list[int]] = field(default_factory=list)  # by battle: hit points of the adventurers at its end


def scene_luck(luck: AddressedLuck, number: int) -> AddressedLuck:
    """The luck of a scene: in the first one the run's own, in the others that of a key drawn for it."""
    if not number:
        return luck
    own = copy.copy(luck)
    own.key = luck.bits("scene", 0, TABLE, number)
    return own


def play_evening(adventure: Entry, luck: AddressedLuck) -> Evening:
    """Scene by scene until the party loses, runs out of time, turns back or comes through."""
    told = Evening()
    party = {key: copy.deepcopy(adventure[key]) for key in PARTY if key in adventure}
    bearings: list[Bearing] = []  # empty: fresh
    some_fight = next(scene["fight"] for scene in adventure["scenes"] if "fight" in scene)
    house = HOUSE | adventure.get("evening", {})
    spent = 0  # XP of every adventurer for levels
    for number, scene in in_turn(adventure):
        table = whole(scene.get("fight", some_fight), party, adventure)
        heroes = heroes_of(table)
        if "fight" in scene:
            if bearings and turns_back(scene, asked(heroes, bearings)):
                told.outcome = "turned back"
                return told
            battle, outcome = fight(prepare(table), scene_luck(luck, number), bearings)
            bearings = leaving(battle)
            told.rounds.append(battle.round)
            told.party.append([hero.hp for hero in battle.heroes])
            told.xp += battle.prepared.reward if outcome == "win" else 0
            if outcome != "win":
                told.outcome = "draw" if outcome == "draw" else "loss"  # a retreat is a failure
                return told
        else:
            told.rounds.append(0)
            if "rest" in scene and bearings:
                bearings = [
                    rested(hero, bearing, scene["rest"], house) for hero, bearing in zip(heroes, bearings, strict=True)
                ]
            by_xp = scene.get("level_up") == "xp"
            if by_xp and told.xp - spent >= house["level_xp"] and bearings:
                spent += house["level_xp"]  # SE-V5: the reward went to everybody (SE-X8), so all gain it together
                by_xp = False
            if scene.get("level_up") and not by_xp:
                party = one_level_up(party, read_switches(table)["difficulty"], house["level_xp"])
                heroes, before = heroes_of(whole(some_fight, party, adventure)), heroes
                bearings = [grown(*three) for three in zip(before, heroes, bearings, strict=bool(bearings))]
        told.after.append(asked(heroes, bearings) if bearings else {})
    told.outcome = "win"
    return told


def whole(place: Entry, party: Entry, adventure: Entry) -> Entry:
    """A fight with the evening's party; switches of the adventure go before those of the fight."""
    table = {**place, **party}
    if "preset" in adventure:
        table["preset"] = adventure["preset"]
    if "switches" in adventure:
        table["switches"] = {**place.get("switches", {}), **adventure["switches"]}
    return table


def heroes_of(table: Entry) -> list[HeroPlan]:
    return list(prepare(table).heroes)


def all_dice(hero: HeroPlan) -> dict[str, int]:
    """The whole set, those included that lie in the track as the first battle begins."""
    dice = dict(hero.available)
    for die in hero.track:
        if die in data.DICE:
            dice[die] = dice.get(die, 0) + 1
    return dice


def leaving(battle: Battle) -> list[Bearing]:
    """SE-V1: hit points, tenacity, active dice, track; what lies in neither is available, drained dice included."""
    found = []
    for hero in battle.heroes:
        dice = all_dice(hero.plan)
        for die in [*(die for die, _ in hero.active), *hero.track]:
            if die in data.DICE:
                dice[die] -= 1
        found.append(Bearing(hero.hp, hero.tenacity, dice, list(hero.active), list(hero.track)))
    return found


def rested(hero: HeroPlan, bearing: Bearing, kind: str, house: dict[str, int]) -> Bearing:
    """SE-V2: a short rest leaves O in the track and hit points as they are, 1 for the defeated; a long one nothing."""
    if kind == "long":
        hp = max(bearing.hp, hero.health * house["long_rest_percent"] // 100)
        return Bearing(hp, 0, all_dice(hero), [], [])
    over = [die for die in bearing.track if die == data.OVER]
    return Bearing(bearing.hp or min(house["short_rest_hp"], hero.health), bearing.tenacity, all_dice(hero), [], over)


def one_level_up(party: Entry, difficulty: str, more: int) -> Entry:
    """SE-V3: so much more XP for everybody; figures that are written out grow by what the class buys."""
    grown_party = copy.deepcopy(party)
    level = party_xp(party.get("level", 2), difficulty, len(party["heroes"]))
    grown_party["level"] = min(99, level + more)
    for entry in grown_party["heroes"]:
        xp = entry.get("xp", level)
        if "xp" in entry:
            entry["xp"] = min(99, xp + more)
        called = all_classes(party.get("classes", {}))[entry["class"]]
        race = data.RACES[entry.get("race", called.archetype.race)]._replace(**called.numbers)
        old_stats, old_dice = buy(called.archetype, race, xp)
        stats, dice = buy(called.archetype, race, min(99, xp + more))
        for key, stat in (("stamina", "S"), ("magicka", "M"), ("cooldown", "CD")):
            if key in entry:
                entry[key] = min(6, entry[key] + stats[stat] - old_stats[stat])
        for key in ("health", "hp"):
            if key in entry:
                entry[key] = min(99, entry[key] + stats["H"] - old_stats["H"])
        if "dice" in entry:
            for die, count in dice.items():
                if count > old_dice.get(die, 0):
                    entry["dice"][die] = min(13, entry["dice"].get(die, 0) + count - old_dice.get(die, 0))
    return grown_party


def grown(before: HeroPlan, after: HeroPlan, bearing: Bearing) -> Bearing:
    """SE-V3: new dice are available; who stands gains the hit points of the new health."""
    old, new = all_dice(before), all_dice(after)
    dice = {die: bearing.available.get(die, 0) + new.get(die, 0) - old.get(die, 0) for die in data.DICE}
    hp = bearing.hp + after.health - before.health if bearing.hp else 0
    return Bearing(hp, bearing.tenacity, dice, bearing.active, bearing.track)


def asked(heroes: list[HeroPlan], bearings: list[Bearing]) -> dict[str, float]:
    """SE-V4: what a scene can ask of a party."""
    ready = sum(sum(bearing.available.values()) + len(bearing.active) for bearing in bearings)
    over = sum(bearing.track.count(data.OVER) for bearing in bearings)
    return {
        "party_hp": sum(bearing.hp for bearing in bearings) / sum(hero.health for hero in heroes),
        "standing": sum(bearing.hp > 0 for bearing in bearings),
        "dead": sum(bearing.hp == 0 for bearing in bearings),
        "dice_ready": ready / max(1, sum(sum(all_dice(hero).values()) for hero in heroes)),
        "fatigue": sum(bearing.track.count(data.LIGHT) for bearing in bearings) + over,
        "overfatigue": over,
        "tenacity": sum(bearing.tenacity for bearing in bearings),
    }


def turns_back(scene: Entry, party: dict[str, float]) -> bool:
    """Conditions of one comparison each: 'party_hp < 0.3'."""
    if "unless" not in scene:
        return False
    name, sign, number = scene["unless"].split()
    return party[name] < float(number) if sign == "<" else party[name] > float(number)
