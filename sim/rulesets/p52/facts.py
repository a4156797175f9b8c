"""What is the same in all runs of a scenario: heroes with their kits, enemy types, spaces and tables (P52-S1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sim.core.board import Bits
from sim.core.facts import EncounterFacts
from sim.core.lanes import Mask, Small, Tiny, Whole, Wide
from sim.core.outcomes import Ability, Cast, Unit, room_counts, told_apart
from sim.core.own_types import said
from sim.core.varying import Varies, in_any, may_vary
from sim.rulesets.p52 import data
from sim.rulesets.p52.attack_tables import Fight
from sim.rulesets.p52.bestiary import EnemyAttack, EnemyFacts, build_enemy
from sim.rulesets.p52.build import HeroFacts, build_heroes, party_level
from sim.rulesets.p52.enemy_tables import attack_at, king_damage, raw_damage
from sim.rulesets.p52.ground import Ground, free_reach, ground_for, in_reach_of, seen_within
from sim.rulesets.p52.kits import UNTIL_ATTACKED, Kit, friendly_most, hero_abilities, make_kit
from sim.rulesets.p52.plan import Plan
from sim.rulesets.p52.schema import EncounterPart, P52Scenario, encounters_of

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


@dataclass(frozen=True, slots=True)
class Space:
    """One encounter of the scenario: its board and who waits there (P52-S2)."""

    title: str
    ground: Ground
    slots: int  # enemies
    spots: tuple[int, ...]  # by slot
    types: tuple[tuple[int, ...], ...]  # by slot: the types it may be; one for a listed enemy
    listed: int  # so many slots are listed, the others drawn
    returning: tuple[tuple[int, ...], ...]  # by slot: those of its types that may come back when they fall
    kinds: Small | None  # (slots, 1) the types, if all are listed
    sturdy: Wide  # (types,) 0 for those with the most hit points of all that may wait here, then 1, 2, ...
    attack_at: Small  # (types, loaded, spots, spots): row of the attack, -1 if there is none
    start: tuple[int, ...]  # by hero: where it begins
    free: Mapping[tuple[int, bool], tuple[Bits, Bits]]  # (movement, plain ground) -> reach from every spot: free_reach
    seen: Mapping[int, Bits]  # range -> the spots in sight within it, from every spot
    in_reach: tuple[Bits, ...]  # by hero: (words, spots) from where a spot is in reach of some attack

    VARIES: ClassVar[Varies] = may_vary(
        "spots", "sturdy", "attack_at", "start", "in_reach", free=in_any, seen=in_any
    )


@dataclass(frozen=True, slots=True)
class Facts(EncounterFacts):
    """What is the same in all runs of a scenario."""

    kits: tuple[Kit, ...]
    level: int  # L
    types: tuple[EnemyFacts, ...]
    attacks: tuple[EnemyAttack, ...]  # of all types, one after the other
    attack_of: tuple[int, ...]  # by type: its first attack
    raw: Small  # (attacks, passing, ranges, flips)
    king: Whole  # (most raw + 1,) what a King makes of damage
    spaces: tuple[Space, ...]
    deck_cards: tuple[int, ...]  # types of the enemy deck
    flip_rows: Mapping[str, list[int]]  # attacks, enemy_attacks, defences -> rows of the ability table
    stock_names: tuple[str, ...]  # consumables, in table order
    max_hp: Small  # (heroes, 1)
    lift: Small  # (heroes, 1)
    type_hp: Small  # (types,) at the start
    type_max_hp: Small  # (types,)
    type_initiative: Whole  # (types,)
    type_movement: Small  # (types,)
    type_xp: Wide  # (types,)
    type_defence: Tiny  # (types, kinds)
    type_boss: Mask  # (types,)
    type_fears_water: Mask  # (types,)
    watery: bool  # whether there is any of these
    attack_kind: Tiny  # (attacks,)
    freezes: Mask  # (attacks,)
    pushes: Mask  # (attacks,)
    spreads: Mask  # (attacks,)
    loads: Mask  # (attacks,)
    side_effects: bool  # whether any attack freezes or pushes ...
    spreaders: bool  # ... spreads ...
    loaders: bool  # ... or is made with a bow that must be made ready again
    ledger_row: Whole  # (attacks,) in the ledger's abilities
    wades: bool  # whether anybody can wade: some spot is obstructed
    knives: bool  # whether anybody can throw a knife
    burns: bool  # whether anybody carries a fire elixir
    freezers: bool  # whether anybody can freeze enemies
    ices: bool  # whether anybody can freeze until attacked (mountain)

    VARIES: ClassVar[Varies] = may_vary(
        "level", "raw", "king", "max_hp", "lift", "type_hp", "type_max_hp", "type_initiative", "type_movement",
        "type_xp", "type_defence",
    )  # fmt: skip


def deck_of(scenario: P52Scenario) -> list[str]:
    """The cards of the enemy deck; empty if nothing is drawn."""
    for part in encounters_of(scenario):
        if part.enemy_deck is not None:
            return list(part.enemy_deck.cards or data.FACE_CARDS)
    return []


def make_facts(scenario: P52Scenario, switches: Mapping[str, Any], plans: Sequence[Plan]) -> Facts:
    """P52-S1: everything that is the same in all runs."""
    heroes = build_heroes(scenario, switches)
    level = party_level(heroes)
    parts = encounters_of(scenario)
    types, slots = enemy_types(scenario, parts, level, switches["data_set"])
    attacks = [attack for facts in types for attack in facts.attacks]
    first = [sum(len(earlier.attacks) for earlier in types[:kind]) for kind in range(len(types))]
    grounds = [ground_of(scenario, part, number) for number, part in enumerate(parts)]
    raw = raw_damage(attacks, level, max(int(ground.range.max()) for ground in grounds), switches)
    most_raw = int(raw.max(initial=0))
    king = [king_damage(value, level, switches) for value in range(most_raw + 1)]
    fight = Fight(level, types, max(len(kinds) for kinds in slots), switches)
    abilities = ability_table(heroes, types, switches)
    kits = make_kits(heroes, abilities, fight, max(king[-1], most_raw), plans)
    enemy_rows = [
        abilities.index(Ability(len(heroes) + kind, attack.name))
        for kind, facts in enumerate(types)
        for attack in facts.attacks
    ]
    spaces = [
        make_space(part, ground, kinds, kits, types, first, stage)
        for stage, (part, ground, kinds) in enumerate(zip(parts, grounds, slots, strict=True))
    ]
    deck = deck_of(scenario)
    rooms = room_names(parts)
    return Facts(
        cast=Cast(unit_table(heroes, types), tuple(abilities), COUNTS | counts_of_rooms(rooms), rooms=rooms),
        switches=switches,
        kits=kits,
        level=level,
        types=tuple(types),
        attacks=tuple(attacks),
        attack_of=tuple(first),
        raw=raw,
        king=np.array(king, dtype=np.int64),
        spaces=tuple(spaces),
        deck_cards=tuple(range(len(types) - len(deck), len(types))),
        flip_rows=flip_rows(kits, enemy_rows),
        stock_names=tuple(data.of_set(switches["data_set"], "consumables")),
        max_hp=np.array([[hero.max_hp] for hero in heroes], dtype=np.int16),
        lift=np.array([[hero.cores["Lt"]] for hero in heroes], dtype=np.int16),
        ledger_row=np.array(enemy_rows, dtype=np.int64),
        wades=any(ground.any_obstructed for ground in grounds),
        **type_columns(types),
        **attack_columns(attacks),
        **whether_anybody(kits),
    )


def type_columns(types: Sequence[EnemyFacts]) -> dict[str, Any]:
    """The numbers of every enemy type as columns, for looking up."""
    fears_water = np.array(["fears_water" in facts.traits for facts in types], dtype=bool)
    return {
        "type_hp": np.array([facts.hp for facts in types], dtype=np.int16),
        "type_max_hp": np.array([facts.max_hp for facts in types], dtype=np.int16),
        "type_initiative": np.array([facts.initiative for facts in types], dtype=np.int64),
        "type_movement": np.array([facts.movement for facts in types], dtype=np.int16),
        "type_xp": np.array([facts.xp for facts in types], dtype=np.int32),
        "type_defence": np.array([facts.defence for facts in types], dtype=np.int8).reshape(len(types), 3),
        "type_boss": np.array([facts.boss for facts in types], dtype=bool),
        "type_fears_water": fears_water,
        "watery": bool(fears_water.any()),
    }


def attack_columns(attacks: Sequence[EnemyAttack]) -> dict[str, Any]:
    """The same of every attack of an enemy."""
    effects = {effect for attack in attacks for effect in attack.effects}
    return {
        "side_effects": bool(effects & {"freezes", "pushes"}),
        "spreaders": "spreads" in effects,
        "loaders": any(attack.loads for attack in attacks),
        "attack_kind": np.array([attack.kind for attack in attacks], dtype=np.int8),
        "freezes": np.array(["freezes" in attack.effects for attack in attacks], dtype=bool),
        "pushes": np.array(["pushes" in attack.effects for attack in attacks], dtype=bool),
        "spreads": np.array(["spreads" in attack.effects for attack in attacks], dtype=bool),
        "loads": np.array([attack.loads for attack in attacks], dtype=bool),
    }


def whether_anybody(kits: Sequence[Kit]) -> dict[str, Any]:
    """What never happens in a fight need not be looked for."""
    items = [item for kit in kits for item in kit.items.values()]
    return {
        "knives": any(kit.has_knife and any(way.name == "knife_throw" for way in kit.attacks) for kit in kits),
        "burns": any(item.burn for item in items),
        "freezers": any(way.freeze for kit in kits for way in kit.attacks) or any(item.freeze for item in items),
        "ices": any(item.freeze == UNTIL_ATTACKED for item in items),
    }


# Units and abilities: the rows of the tables; rooms: columns.


def room_names(parts: Sequence[EncounterPart]) -> tuple[str, ...]:
    """The encounters of a gauntlet by their titles; none for a single one."""
    if len(parts) == 1:
        return ()
    return tuple(f"{number}: {part.title}" if part.title else str(number) for number, part in enumerate(parts, start=1))


def counts_of_rooms(rooms: Sequence[str]) -> dict[str, str]:
    """P52-X5: what is counted room by room."""
    about = ("reached", "won", "rounds", "hit points of the party when it was won")
    return {
        column: f"room {name}: {what}"
        for room, name in enumerate(rooms)
        for column, what in zip(room_counts(room), about, strict=True)
    }


def unit_table(heroes: Sequence[HeroFacts], types: Sequence[EnemyFacts]) -> tuple[Unit, ...]:
    """Heroes, then enemy types; types of one name are numbered."""
    names = told_apart([facts.name for facts in types])
    units = [Unit(hero.name, "party", hero.role, hero.max_hp) for hero in heroes]
    units += [Unit(name, "enemy", facts.card, facts.max_hp) for facts, name in zip(types, names, strict=True)]
    return tuple(units)


def ability_table(
    heroes: Sequence[HeroFacts], types: Sequence[EnemyFacts], switches: Mapping[str, Any]
) -> list[Ability]:
    """What every unit can do."""
    abilities: list[Ability] = []
    for number, hero in enumerate(heroes):
        abilities += hero_abilities(number, hero, switches)
    for kind, facts in enumerate(types):
        names = dict.fromkeys(attack.name for attack in facts.attacks)
        abilities += [Ability(len(heroes) + kind, name) for name in names]
    return abilities


def make_kits(
    heroes: Sequence[HeroFacts], abilities: Sequence[Ability], fight: Fight, most_raw: int, plans: Sequence[Plan]
) -> tuple[Kit, ...]:
    """Every hero with its tables, which reach as far as the hardest blow: an enemy's, its own, or a friend's."""
    kits = []
    most_raw = max([most_raw, *(friendly_most(hero, fight) for hero in heroes)])
    for number, (hero, plan) in enumerate(zip(heroes, plans, strict=True)):
        rows = {ability.name: row for row, ability in enumerate(abilities) if ability.unit == number}
        kits.append(make_kit(hero, heroes, rows, fight, most_raw, plan))
    return tuple(kits)


def flip_rows(kits: Sequence[Kit], enemy_rows: Sequence[int]) -> dict[str, list[int]]:
    """The rows of the ability table that are attacks of heroes, attacks of enemies, and defences."""
    ways = [way for kit in kits for way in (*kit.attacks, *([kit.tap] if kit.tap else []))]
    return {
        "attacks": [way.row for way in ways],
        "enemy_attacks": sorted(set(enemy_rows)),
        "defences": [row for kit in kits for row in kit.defence.rows.tolist()],
    }


# Enemies and spaces.


def enemy_types(
    scenario: P52Scenario, parts: list[EncounterPart], level: int, data_set: str
) -> tuple[list[EnemyFacts], list[list[tuple[int, ...]]]]:
    """Every listed enemy is a type of its own, then every card of the enemy deck; and the types of every slot."""
    own = said(scenario.monsters)
    types = [build_enemy(enemy, level, data_set, own) for part in parts for enemy in part.enemies]
    listed = len(types)
    deck = deck_of(scenario)
    types += [build_enemy(card, level, data_set, own) for card in deck]
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


def ground_of(scenario: P52Scenario, part: EncounterPart, number: int) -> Ground:
    """P52-U6: the board of an encounter."""
    board, doors, key = part.board, (part.entrance, part.exit), f"encounters[{number}].board"
    if board is None:
        board, doors, key = scenario.board, (scenario.entrance, scenario.exit), "board"
    entrance, leave = (None if door is None else tuple(door) for door in doors)
    return ground_for(board, entrance, leave, key)


def by_most_hp(types: Sequence[EnemyFacts], among: set[int]) -> Wide:
    """(types,). 0 for those with the most hit points among these, 1 for the next, and so on."""
    figures = sorted({types[kind].max_hp for kind in among}, reverse=True)
    ranks = [figures.index(facts.max_hp) if kind in among else 0 for kind, facts in enumerate(types)]
    return np.array(ranks, dtype=np.int32)


def make_space(
    part: EncounterPart,
    ground: Ground,
    kinds: list[tuple[int, ...]],
    kits: Sequence[Kit],
    types: Sequence[EnemyFacts],
    first: Sequence[int],
    stage: int,
) -> Space:
    """P52-S2: who stands where; `kinds` are the types of every slot, `first` the first attack of every type."""
    spots = [enemy.spot for enemy in part.enemies] + (part.enemy_deck.spots if part.enemy_deck else [])
    attacks = np.zeros((len(types), 2, ground.size, ground.size), dtype=np.int16)
    for kind in {kind for possible in kinds for kind in possible}:  # those of other encounters are never looked up
        for loaded in (False, True):
            attacks[kind, int(loaded)] = attack_at(types[kind], first[kind], ground, loaded)
    own_spots = [kit.facts.spot if stage == 0 else None for kit in kits]
    ranges = {kit.throw for kit in kits} | {kit.support["threaten"].most for kit in kits if "threaten" in kit.support}
    return Space(
        title=part.title,
        ground=ground,
        slots=len(kinds),
        spots=tuple(ground.board.find(spot) for spot in spots),
        types=tuple(kinds),
        listed=len(part.enemies),
        returning=tuple(
            tuple(kind for kind in possible if types[kind].when_fallen != "stays_down") for possible in kinds
        ),
        kinds=np.array(kinds, dtype=np.int16).reshape(len(kinds), 1) if len(part.enemies) == len(kinds) else None,
        sturdy=by_most_hp(types, {kind for possible in kinds for kind in possible}),
        attack_at=attacks,
        start=tuple(ground.entrance if spot is None else ground.board.find(spot) for spot in own_spots),
        free={
            (movement, plain): free_reach(ground, movement, plain)
            for movement in {kit.facts.movement for kit in kits} | {facts.movement for facts in types}
            for plain in {True, not ground.any_obstructed}  # all is plain to who floats
            if movement > 0
        },
        seen={most: seen_within(ground, most) for most in ranges},
        in_reach=tuple(in_reach_of(ground, kit.reaches) for kit in kits),
    )
