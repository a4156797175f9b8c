"""An evening of P52 for the referee: scenes one after the other, and what is carried on (P52-X5, P52-V1 to P52-V4).

Takes an adventure with its fights written out: the keys of the party at the top, and `scenes` with tables.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.evenings import buys_level, in_turn
from tests.oracle.luck import TABLE, AddressedLuck

from .bestiary import CONSUMABLES, HEALING_ITEMS
from .build import HeroSheet, build_abilities, build_cores, build_hero, standard_gear
from .data import CORES
from .monsters import class_of
from .play import Result, play_spaces, rest, result_of
from .prepare import Prepared, all_switches, prepare
from .state import Deck, Hero

HOUSE = {"night_percent": 100, "level_xp": 10}
PARTY = ("heroes", "level", "policy", "policies", "classes")


@dataclass(slots=True)
class Traveller:
    """A hero between two scenes."""

    hp: int
    stock: dict[str, int]
    arrows: int
    sharp_arrows: int
    cards: int
    xp: int


@dataclass(slots=True)
class Party:
    """The heroes, and the cards that nobody has seen (P52-V1); None where values are drawn one by one (P52-R8)."""

    heroes: list[Traveller]
    unseen: list[int] | None


@dataclass(slots=True)
class Evening:
    """How one evening went."""

    outcome: str = ""
    rounds: int = 0
    scenes: int = 0
    fights: list[Result] = field(default_factory=list)
    party: Party | None = None

    @property
    def xp(self) -> tuple[int, int]:
        """Of the living, and of the dead."""
        heroes = [] if self.party is None else self.party.heroes
        return sum(hero.xp for hero in heroes if hero.hp >= 0), sum(hero.xp for hero in heroes if hero.hp < 0)


def play_evening(adventure: dict[str, Any], seed: int, run: int) -> Evening:
    """All scenes in order, until the party loses, runs out of time, turns back or comes through."""
    evening = Evening()
    first = next(scene["fight"] for scene in adventure["scenes"] if "fight" in scene)  # rests go by its switches
    levels, spent = [0] * len(adventure["heroes"]), [0] * len(adventure["heroes"])  # gained so far; XP for them
    house = HOUSE | adventure.get("evening", {})
    for number, scene in in_turn(adventure):
        luck = AddressedLuck(seed, run)
        if number:
            luck.key = luck.bits("scene", 0, TABLE, number)
        if scene.get("level_up"):
            before = prepare(with_party(first, adventure, levels))
            for hero in range(len(levels)):
                if scene["level_up"] is True or earns_level(hero, evening.party, before, spent, house["level_xp"]):
                    levels[hero] += 1
            if evening.party is not None:
                grow(evening.party, before, prepare(with_party(first, adventure, levels)))
        elif "rest" in scene:
            if evening.party is not None:
                prepared = prepare(with_party(first, adventure, levels))
                evening.party = rested(evening.party, prepared, scene["rest"], luck, house)
        else:
            prepared = prepare(with_party(scene["fight"], adventure, levels))
            if evening.party is not None and "unless" in scene and turns_back(scene["unless"], evening.party, prepared):
                evening.outcome = "turned_back"
                return evening
            fight(evening, prepared, luck)
        evening.scenes += 1
        if evening.outcome:
            return evening
    evening.outcome = "win"
    return evening


def fight(evening: Evening, prepared: Prepared, luck: AddressedLuck) -> None:
    """One fight, with the party as it comes from the scene before."""
    before = [0] * len(prepared.kits)
    if evening.party is None:
        deck, heroes = Deck(luck, prepared.switches), [Hero(number, kit) for number, kit in enumerate(prepared.kits)]
        deal(prepared, deck, heroes)
    else:
        deck, heroes = arrive(evening.party, prepared, luck)
        before = [traveller.xp for traveller in evening.party.heroes]
    result = result_of(*play_spaces(prepared, luck, deck, heroes))
    evening.fights.append(result)
    evening.rounds += result.rounds
    evening.party = leave(heroes, deck, before)
    if result.outcome != "win":
        evening.outcome = result.outcome


def deal(prepared: Prepared, deck: Deck, heroes: list[Hero]) -> None:
    """P52-S4."""
    for hero in heroes:
        for _ in range(min(prepared.switches["stamina_start"], prepared.switches["stamina_max"])):
            deck.give(hero)


def leave(heroes: list[Hero], deck: Deck, before: list[int]) -> Party:
    """P52-V1: what is taken along."""
    unseen = None if deck.iid else sorted([*deck.draw, *(card for hero in heroes for card in hero.stamina)])
    travellers = [
        Traveller(hero.hp, dict(hero.stock), hero.arrows, hero.sharp_arrows, len(hero.stamina), hero.counts.xp + xp)
        for hero, xp in zip(heroes, before, strict=True)
    ]
    return Party(travellers, unseen)


def arrive(party: Party, prepared: Prepared, luck: AddressedLuck) -> tuple[Deck, list[Hero]]:
    """P52-V1: the same party at the next table; what nobody has seen lies in the order of this scene's luck."""
    deck = Deck(luck, prepared.switches)
    heroes = [Hero(number, kit) for number, kit in enumerate(prepared.kits)]
    known = CONSUMABLES[prepared.switches["data_set"]]
    for hero, traveller in zip(heroes, party.heroes, strict=True):
        hero.hp = min(traveller.hp, hero.max_hp)
        hero.stock = {item: number for item, number in traveller.stock.items() if item in known}
        hero.arrows, hero.sharp_arrows = traveller.arrows, traveller.sharp_arrows
    if deck.iid or party.unseen is None:
        for hero, traveller in zip(heroes, party.heroes, strict=True):
            for _ in range(traveller.cards):
                deck.give(hero)
        return deck, heroes
    deck.draw = luck.order(party.unseen, "P52-R3", 0, TABLE)[::-1]
    deck.discard = [card for card in range(52) if card not in party.unseen]
    for hero, traveller in zip(heroes, party.heroes, strict=True):
        hero.stamina = [deck.draw.pop() for _ in range(traveller.cards)]
    return deck, heroes


# ---------------------------------------------------------------------------------------------------------------------
# Between the fights
# ---------------------------------------------------------------------------------------------------------------------


def earns_level(hero: int, party: Party | None, prepared: Prepared, spent: list[int], each: int) -> bool:
    """P52-D5, P52-V5: level n costs 10 n XP of the hero's own; the dead gain none, and 40 is the highest."""
    if party is None or party.heroes[hero].hp < 0:
        return False
    level = prepared.kits[hero].sheet.level
    return buys_level(party.heroes[hero].xp, spent, hero, each * (level + 1) if level < 40 else None)


def rested(party: Party, prepared: Prepared, kind: str, luck: AddressedLuck, house: dict[str, int]) -> Party:
    """P52-V2: as when a space is left (P52-X5), or a night."""
    deck, heroes = arrive(party, prepared, luck)
    switches = prepared.switches
    if kind == "night":
        deck = Deck(luck, switches)
        for hero in heroes:
            hero.stamina = []
            if hero.hp >= 0:
                hero.hp = max(hero.hp, hero.max_hp * house["night_percent"] // 100)
        deal(prepared, deck, [hero for hero in heroes if hero.hp >= 0])
    else:
        for hero in heroes:
            if hero.hp < 0:
                continue
            if len(hero.stamina) < switches["stamina_max"]:
                deck.give(hero)
            if switches["space_recovery"] == "quarter":
                rest(hero, deck.flip())
    return leave(heroes, deck, [traveller.xp for traveller in party.heroes])


def grow(party: Party, before: Prepared, after: Prepared) -> None:
    """P52-V3: the living gain what their maximum rises by; arrows of the new level are added."""
    for traveller, old, new in zip(party.heroes, before.kits, after.kits, strict=True):
        if traveller.hp >= 0:
            traveller.hp += new.sheet.max_hp - old.sheet.max_hp
        traveller.arrows += max(0, new.sheet.arrows - old.sheet.arrows)
        traveller.sharp_arrows += max(0, new.sheet.sharp_arrows - old.sheet.sharp_arrows)


def with_party(table: dict[str, Any], adventure: dict[str, Any], levels: list[int]) -> dict[str, Any]:
    """The fight as a scenario, with the party after so many levels gained by each hero (P52-V3)."""
    party = {key: copy.deepcopy(adventure[key]) for key in PARTY if key in adventure}
    whole = {"ruleset": "p52", "title": "a scene", **table, **party}
    if "preset" in adventure:
        whole["preset"] = adventure["preset"]
    whole["switches"] = {**table.get("switches", {}), **adventure.get("switches", {})}
    switches = all_switches(whole)
    for hero, gained in enumerate(levels):
        for _ in range(gained):
            spec = whole["heroes"][hero]
            whole["heroes"][hero] = one_more(spec, build_hero(spec, whole, switches, ""), whole, switches)
    return whole


def one_more(
    spec: dict[str, Any], old: HeroSheet, scenario: dict[str, Any], switches: dict[str, Any]
) -> dict[str, Any]:
    """P52-V3: the hero with what the standard one of its class gains by the level."""
    data_set, level = switches["data_set"], old.level + 1
    entry = class_of(old.role, scenario.get("classes", {}), data_set)
    race = spec.get("race")
    gains = [
        new - was
        for new, was in zip(
            build_cores(data_set, entry, race, level), build_cores(data_set, entry, race, old.level), strict=True
        )
    ]
    have = [old.lift, old.think, old.balance, old.move, old.lead]
    cores = [core + gain for core, gain in zip(have, gains, strict=True)]
    knew, _ = build_abilities(data_set, entry, race, old.level, switches["ability_price"])
    knows, _ = build_abilities(data_set, entry, race, level, switches["ability_price"])
    abilities = {name: rank + knows.get(name, 0) - knew.get(name, 0) for name, rank in old.abilities.items()}
    for name in knows:
        if name not in knew:
            abilities.setdefault(name, knows[name])
    items = list(old.gear.values())
    usual = switches["gear"] == "standard"
    arrows = old.arrows, old.sharp_arrows
    if usual and sorted(items) == sorted(standard_gear(data_set, entry, old.level, have)):
        items = standard_gear(data_set, entry, level, cores)
        if arrows == listed_arrows(entry.arrows, old.level):
            arrows = listed_arrows(entry.arrows, level)
    own = {"classes": scenario.get("classes", {})}
    bare = {"class": old.role, "policy": old.policy, "level": old.level, "abilities": old.abilities, "consumables": {}}
    plain = build_hero(
        bare | dict(zip(CORES, have, strict=True)) | {"gear": list(old.gear.values())}, own, switches, ""
    )
    bare |= {"level": level, "abilities": abilities, "gear": items}
    better = build_hero(bare | dict(zip(CORES, cores, strict=True)), own, switches, "")
    raised = {**spec, **dict(zip(CORES, cores, strict=True)), "level": level, "abilities": abilities, "gear": items}
    raised |= {"arrows": arrows[0], "sharp_arrows": arrows[1], "consumables": dict(old.consumables)}
    for key in ("max_hp", "initiative", "armour", "magic_armour", "movement"):
        raised[key] = max(0, getattr(old, key) + getattr(better, key) - getattr(plain, key))
    raised["hp"] = old.hp + better.max_hp - plain.max_hp
    return raised


def listed_arrows(entries: tuple[tuple[int, int, int], ...], level: int) -> tuple[int, int]:
    return next(((basic, sharp) for start, basic, sharp in reversed(entries) if level >= start), (0, 0))


def turns_back(unless: dict[str, Any], party: Party, prepared: Prepared) -> bool:
    """P52-V4: a condition as data: {"ask": "party_hp", "below": 0.3}."""
    heroes = party.heroes
    asked = {
        "party_hp": sum(max(0, hero.hp) for hero in heroes) / sum(kit.sheet.max_hp for kit in prepared.kits),
        "standing": sum(hero.hp > 0 for hero in heroes),
        "dead": sum(hero.hp < 0 for hero in heroes),
        "cards": sum(hero.cards for hero in heroes),
        "potions": sum(hero.stock.get(item, 0) for hero in heroes for item in HEALING_ITEMS),
        "arrows": sum(hero.arrows + hero.sharp_arrows for hero in heroes),
    }
    return bool(asked[unless["ask"]] < unless["below"])
