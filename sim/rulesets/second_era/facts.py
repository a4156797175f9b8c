"""The facts of a battle: tables by unit and by kind, worked out once from the scenario (sections 2 and 3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.core.luck import ENEMIES
from sim.core.outcomes import Ability, Cast, Unit, told_apart
from sim.rulesets.second_era import data
from sim.rulesets.second_era.build import CreatureFacts, HeroFacts, Muster, bag_enemy, muster
from sim.rulesets.second_era.ground import Ground, lay_out
from sim.rulesets.second_era.plan import Plan
from sim.rulesets.second_era.schema import SecondEraScenario
from sim.rulesets.second_era.state import ABILITIES, CLOAKING, ENGAGE, NECROTIC, PRAY, RIPOSTE, SPECIAL, Facts

RETREAT = re.compile(r"hp<(\d+)")

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


def make_facts(scenario: SecondEraScenario, switches: dict[str, Any], plans: Sequence[Plan] = ()) -> Facts:
    """SE-S1 to SE-S7: everything that is the same in all runs. From the plans it only learns which forms they use."""
    ground = lay_out(scenario.map, switches["sight_rule"])
    lists = {"entrance": list(ground.entrance), "numbered": list(ground.numbered)}
    company = muster(scenario, switches, ground.board, lists)
    levels = sorted({level for level, _ in company.pool}, reverse=True)
    bag_names = {level: data.bag(level) for level in levels}
    listed = [*company.companions, *company.enemies]
    drawn = [bag_enemy(name) for names in bag_names.values() for name in names]
    creatures = (*listed, *drawn)
    heroes = company.heroes
    bags: dict[int, tuple[int, ...]] = {}
    following = len(heroes) + len(listed)
    for level, names in bag_names.items():
        bags[level] = tuple(range(following, following + len(names)))
        following += len(names)
    units = len(heroes) + len(listed) + len(company.pool)
    kind = [*range(len(heroes) + len(listed)), *(bags[level][0] for level, _ in company.pool)]
    cells = [hero.cell for hero in heroes] + [unit.cell for unit in listed] + [cell for _, cell in company.pool]
    party = len(heroes) + len(company.companions)
    cast, ability = make_cast(company, creatures, bags, switches, plans)
    all_skills = frozenset(name for creature in creatures for name in creature.skills)
    found = RETREAT.fullmatch(str(switches["retreat"]))
    enemy_levels = [*(unit.level for unit in company.enemies), *(level for level, _ in company.pool)]
    ranks = [data.QUEST if level == "quest" else int(level) for level in enemy_levels]
    statuses = [[data.TRACK_WORDS[code] for code in hero.track] for hero in heroes] + [
        list(unit.statuses) for unit in listed
    ]
    return Facts(
        heroes=heroes,
        creatures=creatures,
        companions=len(company.companions),
        enemies=units - party,
        switches=switches,
        ground=ground,
        objective=scenario.objective,
        reward=scenario.reward,
        retreat_below=int(found[1]) if found else 0,
        cast=cast,
        pool=company.pool,
        bags=bags,
        faces=np.array(data.units("enemy_dice")[switches["enemy_die"]], dtype=np.int8),
        kind=np.array(kind, dtype=np.int16),
        cell=np.array(cells, dtype=np.int16),
        hp=np.array([h.hp for h in heroes] + [u.hp for u in listed] + [0] * len(company.pool), dtype=np.int16),
        status=np.array([_bits(words) for words in statuses] + [0] * len(company.pool), dtype=np.uint8),
        actor=np.array([*range(party), *(ENEMIES + enemy for enemy in range(units - party))], dtype=np.int64),
        levels=tuple(enemy_levels),
        objectives=np.array(
            [[False]] * party + [[unit.objective] for unit in company.enemies] + [[False]] * len(company.pool)
        ),
        ability=ability,
        present=all_skills,
        fixed_order=not company.pool and len(set(ranks)) == len(ranks),
        possible=_possible(heroes, all_skills, statuses, switches),
        racial=switches["racial_abilities"] == "on",
        classes=switches["class_abilities"] == "on",
        **by_kind(heroes, creatures, ground, ranks),
        **by_form(heroes, ground),
    )


def _bits(words: Sequence[str]) -> int:
    """Statuses as bits; other words of a track are left out."""
    return sum(1 << data.STATUSES.index(word) for word in set(words) & set(data.STATUSES))


def _possible(
    heroes: Sequence[HeroFacts], skills: frozenset[str], given: list[list[str]], switches: dict[str, Any]
) -> Any:
    """(statuses,). Which statuses can turn up at all."""
    known = {word for words in given for word in words}
    known |= {name for name in data.GIVES if name in skills}
    known |= {"Fear"} if "Intimidate" in skills else set()
    known |= {"Stealth"} if "Retreat" in skills else set()
    known |= {"Stealth"} if any(hero.dice.get("shadow_cloak") for hero in heroes) else set()
    known |= {"Stealth"} if switches["racial_abilities"] == "on" else set()
    known |= {"Bane"} if any(hero.dice.get("onslaught") for hero in heroes) else set()
    return np.array([status in known for status in data.STATUSES])


def by_kind(
    heroes: Sequence[HeroFacts], creatures: Sequence[CreatureFacts], ground: Ground, ranks: list[int]
) -> dict[str, Any]:
    """The tables by kind: adventurers first, with numbers that mean nothing but their health."""
    size = len(heroes)

    def column(name: str, nothing: int = 0) -> Any:
        return np.array([nothing] * size + [getattr(unit, name) for unit in creatures], dtype=np.int16)

    numbers = np.zeros((len(data.SKILLS), size + len(creatures)), dtype=np.int8)
    for place, unit in enumerate(creatures):
        for name, number in unit.skills.items():
            numbers[data.SKILLS.index(name), size + place] = number
    skills = [sum(1 << data.SKILLS.index(name) for name in unit.skills) for unit in creatures]
    steps = sorted(set(ranks), reverse=True)
    reaches = [1] * size + [unit.range for unit in creatures]
    tables = {reach: _by_reach(ground, reach) for reach in set(reaches)}
    return {
        "health": np.array([hero.health for hero in heroes] + [unit.health for unit in creatures], dtype=np.int16),
        "defense": column("defense"),
        "reach": np.array(reaches, dtype=np.int16),
        "combat": column("combat"),
        "targets": column("targets", 1),
        "sign": np.array([1] * size + [-1 if u.priority == "strongest" else 1 for u in creatures], dtype=np.int16),
        "skills": np.array([0] * size + skills, dtype=np.int32),
        "numbers": numbers,
        "rank": np.array(
            [0] * size + [steps.index(u.rank) if u.rank in steps else 0 for u in creatures], dtype=np.int16
        ),
        "quest": np.array([False] * size + [unit.level == "quest" for unit in creatures]),
        "smite_first": np.array([False] * size + [_smite_first(unit) for unit in creatures]),
        "after": _in_order(size, creatures, data.AFTER_ENGAGE),
        "ending": _in_order(size, creatures, data.END_OF_TURN),
        "covers": np.concatenate([tables[reach][0] for reach in reaches]),
        "shots": np.concatenate([tables[reach][1] for reach in reaches], axis=1),
        "threats": np.concatenate([tables[reach][2] for reach in reaches], axis=1),
    }


def _by_reach(ground: Ground, reach: int) -> Any:
    """For one range: flat cover, shots, threats. The same for every kind with that range."""
    return ground.flat(1, reach), ground.rows(1, reach), ground.rows(0, reach + 2, sight=False)


def _smite_first(unit: CreatureFacts) -> bool:
    chips = list(unit.skills)
    return "Smite" in chips and "Vindictive" in chips and chips.index("Smite") < chips.index("Vindictive")


def _in_order(size: int, creatures: Sequence[CreatureFacts], names: tuple[str, ...]) -> Any:
    """(most, kinds). Skills of a timing in chip order, as places in `names`; -1 for none."""
    lists: list[list[int]] = [[]] * size
    lists = lists + [[names.index(name) for name in unit.skills if name in names] for unit in creatures]
    table = np.full((max(len(chips) for chips in lists), len(lists)), -1, dtype=np.int8)
    for place, chips in enumerate(lists):
        table[: len(chips), place] = chips
    return table


def by_form(heroes: Sequence[HeroFacts], ground: Ground) -> dict[str, Any]:
    """SE-T3: by adventurer and form: light and heavy reach exactly 1, ranged 2 to S, magic 1 to M, defensive nobody."""
    spans = [[(1, 1), (1, 1), (2, hero.stamina), (1, hero.magicka), (1, 0)] for hero in heroes]
    tables = {span: ground.rows(*span) for forms in spans for span in forms}
    return {"form_shots": tuple(tuple(tables[span] for span in forms) for forms in spans)}


def make_cast(
    company: Muster,
    creatures: Sequence[CreatureFacts],
    bags: dict[int, tuple[int, ...]],
    switches: dict[str, Any],
    plans: Sequence[Plan],
) -> tuple[Cast, Any]:
    """The rows of the tables, and (abilities, units) which row of the abilities table a unit's ability has.

    What a unit has not stands for its first ability, so that a row is always its own.
    """
    units: list[Unit] = []
    names: list[str] = []

    def add(name: str, side: str, kind: str, health: int | None) -> None:
        names.append(name)
        units.append(Unit(name, side, kind, health))

    called = [hero.name for hero in company.heroes] + [unit.name for unit in (*company.companions, *company.enemies)]
    labels = told_apart(called + [f"level {level}" for level, _ in company.pool])
    for hero, label in zip(company.heroes, labels, strict=False):
        add(label, "party", hero.hero_class, hero.health)
    for unit, label in zip((*company.companions, *company.enemies), labels[len(company.heroes) :], strict=False):
        add(label, unit.side, unit.type, unit.health)
    for (level, _), label in zip(company.pool, labels[len(called) :], strict=True):
        add(label, "enemy", f"level-{level} bag", None)
    abilities: list[Ability] = []
    table = np.zeros((len(ABILITIES), len(units)), dtype=np.int64)
    size = len(company.heroes)
    for row in range(len(units)):
        if row < size:
            codes = abilities_of(company.heroes[row], switches, plans[row] if plans else None)
        else:
            drawn = row - len(called)
            kinds = [row - size] if drawn < 0 else [kind - size for kind in bags[company.pool[drawn][0]]]
            chips = {name for kind in kinds for name in creatures[kind].skills}
            codes = [ENGAGE] + [RIPOSTE] * ("Riposte" in chips) + [NECROTIC] * ("Necrotic" in chips)
        table[:, row] = len(abilities)
        for code in codes:
            table[code, row] = len(abilities)
            borrowed = row < size and code < len(data.FORMS) and code != company.heroes[row].form  # open to everybody
            abilities.append(Ability(row, ABILITIES[code], common=borrowed))
    counts = dict(COUNTS)
    for row in range(len(company.heroes)):
        counts[f"engages_{row + 1}"] = f"engages of {labels[row]}"
        counts[f"hexes_{row + 1}"] = f"hexes walked by {labels[row]}"
    levels: list[int | str] = [*(unit.level for unit in company.enemies), *(level for level, _ in company.pool)]
    for rank in dict.fromkeys(levels):
        counts[f"defeated_level_{rank}"] = f"enemies of level {rank} defeated"
    return Cast(tuple(units), tuple(abilities), counts), table


def abilities_of(hero: HeroFacts, switches: dict[str, Any], plan: Plan | None) -> list[int]:
    """What an adventurer can do with its dice under its plan: the rows of its abilities."""
    forms = set(range(len(data.FORMS)))
    prays = cloaks = True
    if plan is not None and not any(line.do == "anything" for line in plan.action):
        words = [line.options.get("form", "own") for line in plan.action if line.do == "engage"]
        forms = {hero.form if word == "own" else data.FORMS.index(word) for word in words}
        forms |= {data.DEFENSIVE} if any(line.do == "defend" for line in plan.action) else set()
        prays, cloaks = hero.hero_class == "healer", hero.hero_class == "nightblade"
    dice = {data.DICE.index(name) for name in hero.dice}
    armed = {form: dice & set(data.offensive(form) or (data.COMBAT,)) for form in forms}
    codes = [form for form in sorted(forms) if armed[form]]
    codes += [PRAY] * (prays and bool(dice & {data.PRAYER, data.BREATH, data.PURGE}))
    codes += [CLOAKING] * (cloaks and data.CLOAK in dice)
    codes += [SPECIAL] * (switches["class_abilities"] == "on" and hero.abilities in ("Knight", "Archer"))
    return codes or [hero.form]
