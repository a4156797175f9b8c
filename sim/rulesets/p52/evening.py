"""Between two fights of an evening: what the party takes along, what a rest gives back, what a level brings."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.deck import Deck
from sim.core.evening_scenes import percent_of
from sim.core.lanes import Lanes, keep, which
from sim.core.luck import TABLE
from sim.core.own_types import said
from sim.rulesets.p52 import data
from sim.rulesets.p52.build import HeroFacts, armour_of, build_heroes, grow, movement_of, standard_gear
from sim.rulesets.p52.classes import arrows_of, class_of
from sim.rulesets.p52.rules.cards import give_card
from sim.rulesets.p52.rules.ending import leave_space
from sim.rulesets.p52.rules.hidden_cards import shuffle_hidden_cards
from sim.rulesets.p52.schema import P52Scenario
from sim.rulesets.p52.state import CARDS, VALUES, State

HIGHEST_LEVEL = 40
NO_DECK = -1  # cards in the draw pile where every value is drawn by itself (P52-R8)
HEALING = ("medicinal_herbs", "healing_potion", "reviving_potion", "dragons_blood")

# What is carried. Rows of consumables are those of both data sets, since the next fight may belong to the other one.


def leaving(s: State, at: Lanes) -> Carried:
    """P52-X5, P52-V1: hit points, consumables, arrows, stamina piles, the action deck, and the XP so far."""
    party = {name: getattr(s, name).take(at, axis=-1) for name in ("hp", "arrows", "sharp", "cards", "xp")}
    rows = [data.names("consumables").index(name) for name in s.facts.stock_names]
    party["stock"] = np.zeros((len(data.names("consumables")), s.heroes, len(at)), dtype=np.int16)
    party["stock"][rows] = s.stock.take(at, axis=-1)
    if s.deck is None:
        party["draw_pile"] = np.zeros((CARDS, len(at)), dtype=np.uint8)
        party["in_hands"] = np.zeros((1, len(at)), dtype=np.uint64)
        party["left"] = np.full(len(at), NO_DECK, dtype=np.int16)
    else:
        party["draw_pile"] = s.deck.piles.take(at, axis=0).T.copy()
        party["in_hands"] = s.deck.out.take(at, axis=-1)
        party["left"] = s.deck.left.take(at)
    return party


def arrive(s: State, party: Carried) -> None:
    """P52-X5, P52-V1: the party as it comes from the scene before, into a state that is blank.

    The cards that nobody has seen, draw pile and stamina piles, lie in the order of this scene's luck: as likely as any
    other, so a scene that is changed leaves the luck of the next one as it was.
    """
    most = s.facts.max_hp
    s.hp[:] = np.minimum(party["hp"], most)
    s.alive[:] = (s.hp >= 0).sum(axis=0)
    s.arrows[:], s.sharp[:], s.xp[:] = party["arrows"], party["sharp"], party["xp"]
    s.brought_xp[:], s.brought_dead[:] = party["xp"], party["hp"] < 0
    s.stock[:] = party["stock"][[data.names("consumables").index(name) for name in s.facts.stock_names]]
    if s.deck is None or (party["left"] == NO_DECK).any():
        hold(s, party["cards"])
        return
    s.cards[:] = party["cards"]
    s.deck.piles[:] = party["draw_pile"].T
    s.deck.left[:], s.deck.out[:] = party["left"], party["in_hands"]
    shuffle_hidden_cards(s)
    count_kinds(s.deck)


def count_kinds(deck: Deck) -> None:
    """Which cards lie in the draw pile, for luck that keeps account of those that are turned."""
    if deck.kinds is not None:
        in_pile = np.arange(deck.cards) < deck.left[:, None]  # (runs, cards)
        kinds = np.where(in_pile, deck.kinds.of.take(deck.piles), -1)
        for kind in range(deck.kinds.count):
            deck.kinds_in_pile[:, kind] = (kinds == kind).sum(axis=1)


def hold(s: State, cards: NDArray[np.integer]) -> None:
    """P52-S4: so many stamina cards for every hero, from the deck as it is."""
    for hero in range(s.heroes):
        for number in range(int(cards[hero].max(initial=0))):
            give_card(s, hero, which(cards[hero] > number))


# Rests.


def rest_in_space(s: State, house: Mapping[str, int]) -> None:
    """P52-X5, P52-V2: what leaving a space gives every living hero: a stamina card, and by `space_recovery` healing."""
    leave_space(s, s.everyone)


def rest_at_night(s: State, house: Mapping[str, int]) -> None:
    """P52-V2: all hit points and as many stamina cards as at the start for the living, from a deck shuffled anew."""
    living = s.hp >= 0
    s.hp[:] = np.where(living, np.maximum(s.hp, percent_of(s.facts.max_hp, house["night_percent"])), s.hp)
    start = min(s.facts.switches["stamina_start"], s.facts.switches["stamina_max"])
    s.cards[:] = 0
    s.flips[:] = 0
    if s.deck is not None:
        s.deck = Deck.shuffled(s.luck, CARDS, "P52-R3", TABLE, VALUES)
    for hero in range(s.heroes):
        for _ in range(start):
            give_card(s, hero, keep(s.everyone, living[hero]))


RESTS = {"space": rest_in_space, "night": rest_at_night}

# Levels.


def one_level_up(table: dict[str, Any], party: P52Scenario, switches: Mapping[str, Any]) -> dict[str, Any]:
    """P52-V3: a scenario's table with every hero one level higher, all its figures written out."""
    raised = copy.deepcopy(table)
    heroes = build_heroes(party, switches)
    raised["heroes"] = [_raised(hero, party, switches) for hero in heroes]
    return raised


def _raised(hero: HeroFacts, party: P52Scenario, switches: Mapping[str, Any]) -> dict[str, Any]:
    """P52-V3: what the standard hero of the class gains by the level, on top of what this one has."""
    data_set, level = switches["data_set"], hero.level + 1
    entry = class_of(hero.role, said(party.classes), data_set)
    price = switches["ability_price"]
    (was, knew), (will, knows) = (grow(data_set, entry, hero.race, n, price) for n in (hero.level, level))
    cores = {core: hero.cores[core] + will[core] - was[core] for core in data.CORES}
    abilities = {name: rank + knows.get(name, 0) - knew.get(name, 0) for name, rank in hero.abilities.items()}
    abilities |= {name: knows[name] for name in knows if name not in knew and name not in abilities}
    items = data.of_set(data_set, "gear")
    gear, arrows = hero.gear, (hero.arrows, hero.sharp_arrows)
    if switches["gear"] == "standard" and sorted(gear) == sorted(
        standard_gear(data_set, entry, hero.level, hero.cores)
    ):
        gear = standard_gear(data_set, entry, level, cores)
        before, after = (arrows_of(entry, n) for n in (hero.level, level))
        arrows = after if arrows == before else arrows
    more_hp = cores["Lt"] * cores["Th"] - hero.cores["Lt"] * hero.cores["Th"]
    armour, worn = armour_of(gear, items, level), armour_of(hero.gear, items, hero.level)
    faster = movement_of(gear, items, cores) - movement_of(hero.gear, items, hero.cores)
    sooner = cores["Mv"] + 2 * cores["Ld"] - hero.cores["Mv"] - 2 * hero.cores["Ld"]
    return {
        "class": hero.role,
        "name": hero.name,
        "level": level,
        "race": hero.race,
        "policy": hero.policy,
        **({} if hero.spot is None else {"spot": list(hero.spot)}),
        **{name: cores[core] for core, name in zip(data.CORES, data.CORE_NAMES, strict=True)},
        "abilities": abilities,
        "gear": list(gear),
        "consumables": dict(hero.consumables),
        "arrows": arrows[0],
        "sharp_arrows": arrows[1],
        "max_hp": hero.max_hp + more_hp,
        "hp": hero.hp + more_hp,
        "movement": max(0, hero.movement + faster),
        "initiative": hero.initiative + sooner,
        "armour": hero.armour + armour[0] - worn[0],
        "magic_armour": hero.magic_armour + armour[1] - worn[1],
    }


def level_costs(heroes: Sequence[HeroFacts], house: Mapping[str, int]) -> list[int | None]:
    """P52-D5, P52-V5: level n costs 10 n XP."""
    return [house["level_xp"] * (hero.level + 1) if hero.level < HIGHEST_LEVEL else None for hero in heroes]


def grown(before: Sequence[HeroFacts], after: Sequence[HeroFacts], party: Carried) -> Carried:
    """P52-V3: the living gain the hit points by which their maximum rises, and arrows that the new level brings."""

    def more(key: str) -> NDArray[Any]:
        gains = [[getattr(new, key) - getattr(old, key)] for old, new in zip(before, after, strict=True)]
        return np.array(gains, dtype=np.int16)

    hp = party["hp"]
    return party | {
        "hp": np.where(hp >= 0, hp + more("max_hp"), hp).astype(np.int16),
        "arrows": (party["arrows"] + np.maximum(more("arrows"), 0)).astype(np.int16),
        "sharp": (party["sharp"] + np.maximum(more("sharp_arrows"), 0)).astype(np.int16),
    }


# What can be asked.


def condition(heroes: Sequence[HeroFacts], party: Carried) -> dict[str, NDArray[Any]]:
    """P52-V4: hit points as a share of all, who stands and who is dead, and what is left."""
    hp = party["hp"]
    potions = [row for row, name in enumerate(data.names("consumables")) if name in HEALING]
    return {
        "party_hp": np.maximum(hp, 0).sum(axis=0, dtype=np.int32) / sum(hero.max_hp for hero in heroes),
        "standing": (hp > 0).sum(axis=0, dtype=np.int32),
        "dead": (hp < 0).sum(axis=0, dtype=np.int32),
        "cards": party["cards"].sum(axis=0, dtype=np.int32),
        "potions": party["stock"][potions].sum(axis=(0, 1), dtype=np.int32),
        "arrows": (party["arrows"] + party["sharp"]).sum(axis=0, dtype=np.int32),
    }
