"""From a scenario to the facts of a fight: kits, enemy types, spaces and tables (P52-S1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.outcomes import Ability, Cast, Unit, told_apart
from sim.rulesets.p52 import data
from sim.rulesets.p52.attack_tables import (
    MISS,
    TOTALS,
    Best,
    HeroAttack,
    Sums,
    attack_at,
    best_single,
    king_damage,
    known_attacks,
    known_defences,
    make_attack,
    make_defence,
    raw_damage,
    usable_consumables,
    weapon_of,
)
from sim.rulesets.p52.bestiary import EnemyAttack, EnemyFacts, build_enemy
from sim.rulesets.p52.build import HeroFacts, build_heroes, party_level
from sim.rulesets.p52.ground import HERO_MOST, Ground, make_ground, read_board
from sim.rulesets.p52.plan import Plan
from sim.rulesets.p52.schema import EncounterPart, P52Scenario
from sim.rulesets.p52.state import Facts, Kit, Space, Support

COUNTS = {
    "attacks": "attack flips of heroes",
    "hits": "attack flips of heroes that hit",
    "enemy_attacks": "attack flips of enemies",
    "enemy_hits": "attack flips of enemies that hit",
    "defences": "defence attempts of heroes",
    "defended": "defence attempts of heroes that succeeded",
    "enemy_defences": "defence flips of enemies",
    "enemy_defended": "defence flips of enemies that took all damage away",
    "stamina_used": "stamina cards played",
    "items_used": "potions, elixirs and feathers used",
    "stuns": "heroes brought to exactly 0 hit points",
    "deaths": "deaths of heroes, returned ones included",
    "friendly_damage": "damage of heroes to other heroes",
    "routed": "enemies routed",
    "drops": "items dropped",
    "core_gain": "core abilities that would rise",
    "xp_dead": "XP of heroes who are dead at the end",
    "stalemate": "stalemates: the round cap came with only weak enemies left",
}
SUCCESSES = {"attacks": "hits", "enemy_attacks": "enemy_hits", "defences": "defended"}  # read off the ledger
COUNTED = tuple(name for name in COUNTS if name not in (*SUCCESSES, *SUCCESSES.values(), "xp_dead"))  # as they happen
SUPPORTS = ("heal", "healing_glow", "revive", "threaten")


def encounters_of(scenario: P52Scenario) -> list[EncounterPart]:
    """The encounters of a gauntlet; a plain scenario is a gauntlet of one."""
    if scenario.encounters:
        return list(scenario.encounters)
    return [EncounterPart(enemies=scenario.enemies, enemy_deck=scenario.enemy_deck)]


def deck_of(scenario: P52Scenario) -> list[str]:
    """The cards of the enemy deck; empty if nothing is drawn."""
    for part in encounters_of(scenario):
        if part.enemy_deck is not None:
            return list(part.enemy_deck.cards or data.FACE_CARDS)
    return []


def make_facts(scenario: P52Scenario, switches: dict[str, Any], plans: list[Plan]) -> Facts:
    """P52-S1: everything that is the same in all runs."""
    heroes = build_heroes(scenario, switches)
    level = party_level(heroes)
    parts = encounters_of(scenario)
    types, slots = enemy_types(scenario, parts, level, switches["data_set"])
    attacks: list[EnemyAttack] = []
    first: list[int] = []
    for facts in types:
        first.append(len(attacks))
        attacks += facts.attacks
    grounds = [ground_of(scenario, part, number) for number, part in enumerate(parts)]
    spaces = tuple(
        make_space(part, ground, kinds, heroes, types, first, stage)
        for stage, (part, ground, kinds) in enumerate(zip(parts, grounds, slots, strict=True))
    )
    most_range = max(int(ground.range.max()) for ground in grounds)
    raw = raw_damage(attacks, level, most_range, switches)
    most_raw = max(king_damage(int(raw.max(initial=0)), level, switches), int(raw.max(initial=0)), 0)
    most_slots = max(space.slots for space in spaces)
    abilities, rows = ability_rows(heroes, types, switches)
    units = [Unit(hero.name, "party", hero.role, hero.max_hp) for hero in heroes]
    units += [
        Unit(name, "enemy", facts.card, facts.max_hp) for facts, name in zip(types, unit_names(types), strict=True)
    ]
    kits = tuple(
        make_kit(number, hero, heroes, rows, types, level, most_slots, most_raw, plans[number], switches)
        for number, hero in enumerate(heroes)
    )
    king = [king_damage(value, level, switches) for value in range(int(raw.max(initial=0)) + 1)]
    flat_rows = [rows[len(heroes) + kind, attack.name] for kind, facts in enumerate(types) for attack in facts.attacks]
    deck = deck_of(scenario)
    return Facts(
        kits=kits,
        level=level,
        switches=switches,
        types=tuple(types),
        attacks=tuple(attacks),
        attack_row=tuple(flat_rows),
        attack_of=tuple(first),
        raw=raw.reshape(-1),
        ranges=raw.shape[2],
        king=np.array(king, dtype=np.int64),
        spaces=spaces,
        deck_cards=tuple(range(len(types) - len(deck), len(types))),
        flip_rows=flip_rows(kits, flat_rows),
        cast=Cast(tuple(units), tuple(abilities), COUNTS),
        stock_names=tuple(data.of_set(switches["data_set"], "consumables")),
        max_hp=np.array([[hero.max_hp] for hero in heroes], dtype=np.int16),
        lift=np.array([[hero.cores["Lt"]] for hero in heroes], dtype=np.int16),
        type_xp=np.array([facts.xp for facts in types], dtype=np.int32),
        type_max_hp=np.array([facts.max_hp for facts in types], dtype=np.int16),
        type_defence=np.array([facts.defence for facts in types], dtype=np.int8).reshape(-1, 3),
        type_calico=np.array([facts.card == "calico" for facts in types], dtype=bool),
        calicos=any(facts.card == "calico" for facts in types),
        type_boss=np.array([facts.boss for facts in types], dtype=bool),
        attack_kind=np.array([attack.kind for attack in attacks], dtype=np.int8),
        freezes=np.array([attack.effect == "freeze" for attack in attacks], dtype=bool),
        pushes=np.array([attack.effect == "push" for attack in attacks], dtype=bool),
        loads=np.array([attack.loads for attack in attacks], dtype=bool),
        ledger_row=np.array(flat_rows, dtype=np.int64),
        knives=any(kit.has_knife and any(way.name == "knife_throw" for way in kit.attacks) for kit in kits),
        burns=any(item.get("burn") for kit in kits for item in kit.items.values()),
        freezers=any(way.freeze for kit in kits for way in kit.attacks)
        or any(item.get("freeze") for kit in kits for item in kit.items.values()),
        ices=any(item.get("freeze") == "until attacked" for kit in kits for item in kit.items.values()),
    )


# Enemies and spaces.


def enemy_types(
    scenario: P52Scenario, parts: list[EncounterPart], level: int, data_set: str
) -> tuple[list[EnemyFacts], list[list[tuple[int, ...]]]]:
    """Every listed enemy is a type of its own, then every card of the enemy deck; and the types of every slot."""
    types = [build_enemy(enemy, level, data_set) for part in parts for enemy in part.enemies]
    listed = len(types)
    deck = deck_of(scenario)
    types += [build_enemy(card, level, data_set) for card in deck]
    drawn = tuple(range(listed, listed + len(deck)))
    slots: list[list[tuple[int, ...]]] = []
    number = 0
    for part in parts:
        kinds: list[tuple[int, ...]] = []
        for _ in part.enemies:
            kinds.append((number,))
            number += 1
        kinds += [drawn] * (len(part.enemy_deck.spots) if part.enemy_deck else 0)
        slots.append(kinds)
    return types, slots


def unit_names(types: list[EnemyFacts]) -> list[str]:
    """Names for the tables; equal ones are numbered."""
    return told_apart([facts.name for facts in types])


def ground_of(scenario: P52Scenario, part: EncounterPart, number: int) -> Ground:
    """P52-U6: the board of an encounter."""
    if part.board is not None:
        return make_ground(*read_board(part.board, part.entrance, part.exit, f"encounters[{number}].board"))
    return make_ground(*read_board(scenario.board, scenario.entrance, scenario.exit, "board"))


def by_most_hp(types: list[EnemyFacts], among: set[int]) -> NDArray[np.int32]:
    """(types,). 0 for those with the most hit points among these, 1 for the next, and so on."""
    figures = sorted({types[kind].max_hp for kind in among}, reverse=True)
    ranks = [figures.index(facts.max_hp) if kind in among else 0 for kind, facts in enumerate(types)]
    return np.array(ranks, dtype=np.int32)


def make_space(
    part: EncounterPart,
    ground: Ground,
    kinds: list[tuple[int, ...]],
    heroes: list[HeroFacts],
    types: list[EnemyFacts],
    first: list[int],
    stage: int,
) -> Space:
    """P52-S2: who stands where."""
    spots = [enemy.spot for enemy in part.enemies] + (part.enemy_deck.spots if part.enemy_deck else [])
    tables = np.stack(
        [
            np.stack([attack_at(facts, first[kind], ground, loaded) for loaded in (False, True)])
            for kind, facts in enumerate(types)
        ]
    ) if types else np.zeros((0, 2, ground.size**2), dtype=np.int16)  # fmt: skip
    start = [
        ground.board.find(hero.spot) if hero.spot is not None and stage == 0 else ground.entrance for hero in heroes
    ]
    return Space(
        title=part.title,
        ground=ground,
        slots=len(kinds),
        spots=tuple(ground.board.find(spot) for spot in spots),
        types=tuple(kinds),
        listed=len(part.enemies),
        kinds=np.array(kinds, dtype=np.int64).reshape(-1, 1) if len(part.enemies) == len(kinds) else None,
        sturdy=by_most_hp(types, {kind for possible in kinds for kind in possible}),
        attack_at=tables,
        start=tuple(start),
    )


# Abilities and kits.


def ability_rows(
    heroes: list[HeroFacts], types: list[EnemyFacts], switches: Mapping[str, Any]
) -> tuple[list[Ability], dict[tuple[int, str], int]]:
    """The rows of the ability table: what every unit can do."""
    abilities: list[Ability] = []
    for number, hero in enumerate(heroes):
        names = [name for name, _, _ in known_attacks(hero, switches)]
        names += known_defences(hero, switches)
        names += [name for name in SUPPORTS if name in hero.abilities and name not in switches["ban"]]
        items = usable_consumables(hero, switches["data_set"])
        names += [name for name in hero.consumables if name in items and "elixir" in items[name]]
        learned = {*hero.abilities, *hero.consumables}  # anybody may try the rest
        abilities += [Ability(number, name, common=name not in learned) for name in names]
    for kind, facts in enumerate(types):
        names = list(dict.fromkeys(attack.name for attack in facts.attacks))
        abilities += [Ability(len(heroes) + kind, name) for name in names]
    return abilities, {(ability.unit, ability.name): row for row, ability in enumerate(abilities)}


def make_kit(
    number: int,
    hero: HeroFacts,
    heroes: list[HeroFacts],
    rows: Mapping[tuple[int, str], int],
    types: list[EnemyFacts],
    level: int,
    most_slots: int,
    most_raw: int,
    plan: Plan,
    switches: Mapping[str, Any],
) -> Kit:
    """One hero with all its tables."""
    sums = Sums(hero, level, switches)
    own = {name: row for (unit, name), row in rows.items() if unit == number}
    ways = [
        make_attack(hero, name, rank, trained, place, own[name], sums, types, most_slots, switches)
        for place, (name, rank, trained) in enumerate(known_attacks(hero, switches))
    ]
    attacks = [way for way in ways if way.shape != "tap"]
    best = best_single(attacks, len(types))
    areas = tuple(way for way in attacks if way.shape not in ("single", "charge"))
    most = max([most_raw, *(2 * int(way.base.max(initial=0)) for way in ways)])
    most = max(most, *(friendly_most(other, level, switches) for other in heroes))
    charges = [way for way in attacks if way.shape == "charge"]
    taps = [way for way in ways if way.shape == "tap"]
    lift = hero.cores["Lt"]
    throw = max(2, lift // 3 + 1) if switches["data_set"] == "mountain" else lift // 3 + 1
    return Kit(
        facts=hero,
        attacks=tuple(attacks),
        best=best,
        areas=areas,
        areas_most=max((int(np.flatnonzero(way.legal.any(axis=0)).max(initial=-1)) for way in areas), default=-1),
        charge=charges[0] if charges else None,
        tap=taps[0] if taps else None,
        defence=make_defence(hero, own, sums, most, switches),
        against_beast=make_defence(hero, own, sums, most, switches, harder=2),
        support=make_support(hero, heroes, own, sums, most_slots, switches),
        items=make_items(hero, own, sums, switches),
        reaches=ranges_worth_it(attacks, best),
        has_knife=bool(weapon_of(hero, "knife", switches["data_set"])),
        plan=plan,
        throw=throw,
    )


def ranges_worth_it(attacks: list[HeroAttack], best: Best) -> NDArray[np.bool_]:
    """(ranges,). Where some attack can hit; elsewhere no attack can be worth anything (P52-Y2)."""
    able: NDArray[np.bool_] = np.array((best > 0).any(axis=(0, 1, 2)), dtype=bool)
    for way in attacks:
        if way.shape == "thrust":
            able[0] = True
        elif way.shape not in ("single", "charge", "frost"):
            able |= way.legal.any(axis=0) & (way.hits.max(axis=0) > 0)
    return able


def flip_rows(kits: tuple[Kit, ...], enemy_rows: list[int]) -> dict[str, list[int]]:
    """The rows of the ability table that are attacks of heroes, attacks of enemies, and defences."""
    ways = [way for kit in kits for way in (*kit.attacks, *([kit.tap] if kit.tap else []))]
    return {
        "attacks": [way.row for way in ways],
        "enemy_attacks": sorted(set(enemy_rows)),
        "defences": [row for kit in kits for row in kit.defence.rows.tolist()],
    }


def friendly_most(hero: HeroFacts, level: int, switches: Mapping[str, Any]) -> int:
    """The most raw damage that a hero's area attacks can do to friends."""
    most = 0
    sums = Sums(hero, level, switches)
    for place, (name, rank, trained) in enumerate(known_attacks(hero, switches)):
        if data.of_set(switches["data_set"], "abilities")[name].get("shape") in ("splash", "meteor"):
            way = make_attack(hero, name, rank, trained, place, 0, sums, [], 1, switches)
            most = max(most, 2 * int(way.base.max(initial=0)))
    return most


def make_support(
    hero: HeroFacts,
    heroes: list[HeroFacts],
    rows: Mapping[str, int],
    sums: Sums,
    most_slots: int,
    switches: Mapping[str, Any],
) -> dict[str, Support]:
    """P52-H8, 11.2: Heal by range, Healing Glow, Revive by who is revived, Threaten by how many are routed."""
    entries = data.of_set(switches["data_set"], "abilities")
    found = {}
    for name in SUPPORTS:
        if name not in hero.abilities or name in switches["ban"]:
            continue
        entry, rank = entries[name], hero.abilities[name]
        tools = weapon_of(hero, "focus", switches["data_set"]) if entry.get("focus") else []
        modifier = tools[0].get("Tm", 0) if tools else 0
        params = {"heal": HERO_MOST + 1, "healing_glow": 1, "revive": len(heroes), "threaten": most_slots + 1}[name]
        amount = np.full((params, TOTALS), MISS, dtype=np.int16)
        target = np.full(params, 999, dtype=np.int16)
        most = entry.get("reach", (0, HERO_MOST))[1]
        for param in range(params):
            if name == "heal" and param > most:
                continue
            about = {"aLv": rank, "Tm": modifier, "R": param, "n": param}
            goal = sums.target(entry["target"], **about)
            target[param] = goal
            for total in range(TOTALS):
                if sums.succeeds(total, goal):
                    more = {"O": total - goal}
                    if name == "revive":
                        more["max_hp"] = heroes[param].max_hp
                    amount[param, total] = max(0, sums.value(entry.get("heals", "0"), **(about | more)))
        found[name] = Support(name, rows[name], target, amount, most)
    return found


def make_items(
    hero: HeroFacts, rows: Mapping[str, int], sums: Sums, switches: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """11.4: the consumables that a hero carries and may use, in table order, with their tables."""
    items = {}
    for name, entry in usable_consumables(hero, switches["data_set"]).items():
        if name not in hero.consumables:
            continue
        item = dict(entry)
        if "elixir" in item:
            item["row"] = rows[name]
        if "damage" in item:
            item["damages"] = np.array(
                [max(0, sums.value(item["damage"], F=flip)) for flip in range(14)], dtype=np.int16
            )
        items[name] = item
    return items
