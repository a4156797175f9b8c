"""Who and what appears in the tables of a battle: units, their abilities, and what is counted (SE-X7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sim.core.lanes import Whole
from sim.core.outcomes import Ability, Cast, Unit, told_apart
from sim.rulesets.second_era import data
from sim.rulesets.second_era.bestiary import bestiary_of
from sim.rulesets.second_era.build import CreatureFacts, HeroFacts, Muster, build_hero, party_xp
from sim.rulesets.second_era.plan import Plan
from sim.rulesets.second_era.schema import SecondEraScenario

COUNTS = {
    "standing": "adventurers standing at the end",
    "adventurers_defeated": "adventurers defeated",
    "companions_lost": "companions defeated",
    "retreated": "fights lost because the party retreated",
    "healed": "hit points regained, by anybody",
    "prevented_defense": "damage prevented by defense, Iron Bark, Dodge and Ethereal",
    "prevented_guard": "damage prevented by active dice",
    "prevented_bonus": "damage absorbed by bonus HP",
    "statuses_party": "statuses gained by the party",
    "statuses_enemies": "statuses gained by enemies",
    "worn_party": "hit points the party lost to statuses and fatigue",
    "worn_enemies": "hit points enemies lost to statuses and Decay",
    "light_fatigue": "light fatigue given to adventurers",
    "overfatigue": "overfatigue given to adventurers",
    "dice_drained": "skill dice drained",
    "tenacity": "tenacity gained",
}


def make_cast(
    company: Muster,
    creatures: Sequence[CreatureFacts],
    bags: Mapping[int, tuple[int, ...]],
    switches: Mapping[str, Any],
    plans: Sequence[Plan],
) -> tuple[Cast, Whole]:
    """The rows of the tables, and (abilities, units) which row of the abilities table a unit's ability has.

    What a unit has not stands for its first ability, so that a row is always its own.
    """
    called = [hero.name for hero in company.heroes] + [unit.name for unit in company.listed]
    labels = told_apart(called + [f"level {level}" for level, _ in company.pool])
    size = len(company.heroes)
    units = [
        Unit(label, "party", hero.hero_class, hero.health) for hero, label in zip(company.heroes, labels, strict=False)
    ]
    units += [
        Unit(label, unit.side, unit.type, unit.health)
        for unit, label in zip(company.listed, labels[size:], strict=False)
    ]
    units += [
        Unit(label, "enemy", f"level-{level} bag")
        for (level, _), label in zip(company.pool, labels[len(called) :], strict=True)
    ]
    abilities: list[Ability] = []
    table = np.zeros((len(data.ABILITIES), len(units)), dtype=np.int64)
    for row in range(len(units)):
        if row < size:
            codes = abilities_of(company.heroes[row], switches, plans[row] if plans else None)
        else:
            drawn = row - len(called)
            kinds = [row - size] if drawn < 0 else [kind - size for kind in bags[company.pool[drawn][0]]]
            chips = {name for kind in kinds for name in creatures[kind].skills}
            codes = [data.ENGAGE]
            codes += [data.RIPOSTE] * ("Riposte" in chips) + [data.NECROTIC] * ("Necrotic" in chips)
        table[:, row] = len(abilities)
        for code in codes:
            table[code, row] = len(abilities)
            borrowed = row < size and code < len(data.FORMS) and code != company.heroes[row].form  # open to everybody
            abilities.append(Ability(row, data.ABILITIES[code], common=borrowed))
    met = tuple(creatures[kind - size].type for kinds in bags.values() for kind in kinds)
    return Cast(tuple(units), tuple(abilities), counts_of(company, labels), met), table


def counts_of(company: Muster, labels: Sequence[str]) -> dict[str, str]:
    """SE-X7: the game's own columns, and what they count."""
    counts = dict(COUNTS)
    for row in range(len(company.heroes)):
        counts[f"engages_{row + 1}"] = f"engages of {labels[row]}"
        counts[f"hexes_{row + 1}"] = f"hexes walked by {labels[row]}"
    for rank in dict.fromkeys(company.levels):
        counts[f"defeated_level_{rank}"] = f"enemies of level {rank} defeated"
    return counts


def abilities_of(hero: HeroFacts, switches: Mapping[str, Any], plan: Plan | None) -> list[int]:
    """What an adventurer can do with its dice under its plan: the rows of its abilities."""
    forms = set(range(len(data.FORMS)))
    prays = cloaks = True
    if plan is not None and not any(line.do == "anything" for line in plan.action):
        words = [line.options.get("form", "own") for line in plan.action if line.do == "engage"]
        forms = {hero.form if word == "own" else data.FORMS.index(word) for word in words}
        forms |= {data.DEFENSIVE} if any(line.do == "defend" for line in plan.action) else set()
        prays, cloaks = hero.role == "healer", hero.role == "nightblade"
    dice = {data.DICE.index(name) for name in hero.dice}
    armed = {form: dice & set(data.GATHERED[form]) for form in forms}
    codes = [form for form in sorted(forms) if armed[form]]
    codes += [data.PRAY] * (prays and bool(dice & set(data.GATHERED[data.PRAY])))
    codes += [data.CLOAKING] * (cloaks and data.CLOAK in dice)
    codes += [data.SPECIAL] * (switches["class_abilities"] == "on" and hero.abilities in ("Knight", "Archer"))
    return codes or [hero.form]


def can_be_missed(scenario: SecondEraScenario, switches: Mapping[str, Any], done: Sequence[str]) -> list[str]:
    """What the party has that a study can forbid: what it does with its dice, the dice, its abilities, and Guard."""
    xp, bestiary = party_xp(scenario, switches), bestiary_of(scenario)
    heroes = [build_hero(entry, bestiary, scenario.policy, xp) for entry in scenario.heroes]
    names = [name for name in done if name in data.BANNED]
    names += [die for die in data.DICE if any(hero.dice.get(die) for hero in heroes)]
    if switches["class_abilities"] == "on":
        known = {hero.abilities for hero in heroes}
        names += [name for name, owner in data.CLASS_ABILITIES.items() if owner in known]
    if switches["racial_abilities"] == "on":
        races = {hero.race for hero in heroes}
        names += [name for name, owner in data.RACIAL_ABILITIES.items() if owner in races]
    names += ["guard"] * (switches["guard"] == "always")
    return [name for name in names if name not in switches["ban"]]
