"""What heroes bring to a fight: their attacks, defences, support abilities and items, each with its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sim.core.lanes import Mask, Small, Whole
from sim.core.outcomes import Ability
from sim.core.varying import Varies, may_vary
from sim.rulesets.p52 import data
from sim.rulesets.p52.attack_tables import (
    Best,
    Fight,
    HeroAttack,
    base_damage,
    best_single,
    known_attacks,
    longest_range,
    make_attack,
    ranges_worth_it,
)
from sim.rulesets.p52.build import HeroFacts, can_use
from sim.rulesets.p52.defence_tables import Defence, known_defences, make_defence
from sim.rulesets.p52.ground import HERO_MOST
from sim.rulesets.p52.plan import Plan
from sim.rulesets.p52.sums import MISS, TOTALS, Sums, weapon_of

SUPPORTS = ("heal", "healing_glow", "revive", "threaten")
HEALING = ("medicinal_herbs", "healing_potion", "reviving_potion", "dragons_blood")  # weakest first
UNTIL_ATTACKED = "until attacked"  # how long the ice of the mountain lasts
IMPOSSIBLE = 999  # a target number that no total meets


@dataclass(frozen=True, slots=True)
class Support:
    """Heal, Healing Glow, Revive or Threaten: (params, totals), the amount or MISS; params are ranges or counts."""

    name: str
    row: int  # in the ledger's abilities
    target: Small  # (params,)
    amount: Small  # (params, totals)
    winning: Whole  # (params,) flips of 13 with which an attempt succeeds without a card
    most: int  # range

    VARIES: ClassVar[Varies] = may_vary("target", "amount", "winning")


@dataclass(frozen=True, slots=True)
class Item:
    """A consumable that a hero may use."""

    name: str
    place: int  # in the stock
    heals: int | str | None  # so many times the level, or "all"
    elixir: str  # fire, ice or water; empty if it is not thrown
    row: int  # in the ledger's abilities, for an elixir
    damages: Small | None  # (flips 0..13,)
    burn: int
    freeze: int | str  # turns, or UNTIL_ATTACKED

    VARIES: ClassVar[Varies] = may_vary("damages")


@dataclass(frozen=True, slots=True)
class Kit:
    """One hero with its tables."""

    facts: HeroFacts
    attacks: tuple[HeroAttack, ...]  # without Double Tap
    best: Best  # (stocks, types, conditions, ranges) best attack on one enemy alone
    alone: bool  # whether it has any such attack
    areas: tuple[HeroAttack, ...]  # attacks whose worth depends on who stands where, Charge left out
    areas_most: int  # the longest range of those; -1 if there are none
    charge: HeroAttack | None
    tap: HeroAttack | None
    defence: Defence
    against_beast: Defence  # every target 2 higher (P52-E15)
    support: Mapping[str, Support]  # heal, healing_glow, revive, threaten
    items: Mapping[str, Item]  # consumables that it carries and may use, in table order
    has_knife: bool
    has_bow: bool
    reaches: Mask  # (ranges,) some attack is legal at this range, whatever is at hand
    plan: Plan
    throw: int  # throw range

    VARIES: ClassVar[Varies] = may_vary("best", "reaches", "throw", "areas_most")

    @property
    def elixirs(self) -> list[Item]:
        """What it can throw, in table order."""
        return [item for item in self.items.values() if item.elixir]


def ability_names(hero: HeroFacts, switches: Mapping[str, Any]) -> list[str]:
    """What a hero can do that has a row in the ability table."""
    names = [skill.name for skill in known_attacks(hero, switches)]
    names += known_defences(hero, switches)
    names += [name for name in SUPPORTS if name in hero.abilities and name not in switches["ban"]]
    items = usable_consumables(hero, switches["data_set"])
    return names + [name for name in hero.consumables if name in items and "elixir" in items[name]]


def hero_abilities(number: int, hero: HeroFacts, switches: Mapping[str, Any]) -> list[Ability]:
    """The rows of the ability table for one hero."""
    learned = {*hero.abilities, *hero.consumables}  # anybody may try the rest
    return [Ability(number, name, common=name not in learned) for name in ability_names(hero, switches)]


def make_kit(
    hero: HeroFacts, heroes: Sequence[HeroFacts], rows: Mapping[str, int], fight: Fight, most_raw: int, plan: Plan
) -> Kit:
    """One hero with all its tables; `rows` are its own in the ability table, by name."""
    data_set = fight.switches["data_set"]
    ways = [make_attack(hero, skill, rows[skill.name], fight) for skill in known_attacks(hero, fight.switches)]
    attacks = [way for way in ways if way.shape != "tap"]
    best = best_single(attacks, len(fight.types))
    areas = tuple(way for way in attacks if way.shape not in ("single", "charge"))
    most = max([most_raw, *(2 * int(way.base.max(initial=0)) for way in ways)])
    return Kit(
        facts=hero,
        attacks=tuple(attacks),
        best=best,
        alone=bool(best.any()),
        areas=areas,
        areas_most=longest_range(areas),
        charge=next((way for way in attacks if way.shape == "charge"), None),
        tap=next((way for way in ways if way.shape == "tap"), None),
        defence=make_defence(hero, rows, fight, most),
        against_beast=make_defence(hero, rows, fight, most, harder=2),
        support=make_support(hero, heroes, rows, fight),
        items=make_items(hero, rows, fight),
        reaches=ranges_worth_it(attacks, best),
        has_knife=bool(weapon_of(hero, "knife", data_set)),
        has_bow=any(way.weapon == "bow" for way in attacks),
        plan=plan,
        throw=throw_range(hero, data_set),
    )


def throw_range(hero: HeroFacts, data_set: str) -> int:
    """P52-H7: how far a hero throws."""
    far = hero.cores["Lt"] // 3 + 1
    return max(2, far) if data_set == "mountain" else far


def friendly_most(hero: HeroFacts, fight: Fight) -> int:
    """The most raw damage that a hero's area attacks can do to friends."""
    entries = data.of_set(fight.switches["data_set"], "abilities")
    skills = known_attacks(hero, fight.switches)
    areas = [skill for skill in skills if entries[skill.name].get("shape") in ("splash", "meteor")]
    return max((2 * int(base_damage(hero, skill, fight).max(initial=0)) for skill in areas), default=0)


def make_support(
    hero: HeroFacts, heroes: Sequence[HeroFacts], rows: Mapping[str, int], fight: Fight
) -> dict[str, Support]:
    """P52-H8: Heal by range, Healing Glow, Revive by who is revived, Threaten by how many are routed."""
    data_set = fight.switches["data_set"]
    sums = Sums(hero, fight.level, fight.switches)
    entries = data.of_set(data_set, "abilities")
    found = {}
    for name in SUPPORTS:
        if name not in hero.abilities or name in fight.switches["ban"]:
            continue
        entry, rank = entries[name], hero.abilities[name]
        tools = weapon_of(hero, "focus", data_set) if entry.get("focus") else []
        modifier = tools[0].get("Tm", 0) if tools else 0
        counts = {"heal": HERO_MOST + 1, "healing_glow": 1, "revive": len(heroes), "threaten": fight.most_enemies + 1}
        amount = np.full((counts[name], TOTALS), MISS, dtype=np.int16)
        target = np.full(counts[name], IMPOSSIBLE, dtype=np.int16)
        most = entry.get("reach", (0, HERO_MOST))[1]
        for param in range(counts[name]):
            if name == "heal" and param > most:
                continue
            about = {"aLv": rank, "Tm": modifier, "R": param, "n": param}
            target[param] = goal = sums.target(entry["target"], **about)
            if name == "revive":
                about["max_hp"] = heroes[param].max_hp
            met = sums.successes(goal)
            amount[param, met] = sums.by_overage(entry.get("heals", "0"), met - goal, **about)
        winning = (amount[:, 1:14] != MISS).sum(axis=1)
        found[name] = Support(name, rows[name], target, amount, winning, most)
    return found


def make_items(hero: HeroFacts, rows: Mapping[str, int], fight: Fight) -> dict[str, Item]:
    """P52-H7: the consumables that a hero carries and may use, in table order, with their tables."""
    data_set = fight.switches["data_set"]
    sums = Sums(hero, fight.level, fight.switches)
    stock = list(data.of_set(data_set, "consumables"))
    items = {}
    for name, entry in usable_consumables(hero, data_set).items():
        if name not in hero.consumables:
            continue
        damages = [max(0, sums.value(entry["damage"], F=flip)) for flip in range(14)] if "damage" in entry else None
        items[name] = Item(
            name=name,
            place=stock.index(name),
            heals=entry.get("heals"),
            elixir=entry.get("elixir", ""),
            row=rows[name] if "elixir" in entry else -1,
            damages=None if damages is None else np.array(damages, dtype=np.int16),
            burn=entry.get("burn", 0),
            freeze=entry.get("freeze", 0),
        )
    return items


def usable_consumables(hero: HeroFacts, data_set: str) -> dict[str, Any]:
    """P52-H7: consumables whose requirements the hero meets."""
    return {name: item for name, item in data.of_set(data_set, "consumables").items() if can_use(item, hero.cores)}
