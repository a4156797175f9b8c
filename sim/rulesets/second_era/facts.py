"""The facts of a battle: what is the same in all runs, with tables by unit and by kind, and the rows of the tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sim.core.board import Bits
from sim.core.facts import EncounterFacts
from sim.core.lanes import Mask, Small, Tiny, Whole, Wide
from sim.core.luck import ENEMIES
from sim.core.varying import Varies, may_vary
from sim.rulesets.second_era import data
from sim.rulesets.second_era.build import CreatureFacts, HeroFacts, Muster, muster
from sim.rulesets.second_era.cast import make_cast
from sim.rulesets.second_era.ground import Ground, lay_out
from sim.rulesets.second_era.plan import Plan
from sim.rulesets.second_era.schema import SecondEraScenario

RETREAT = re.compile(r"hp<(\d+)")


@dataclass(frozen=True, slots=True)
class Facts(EncounterFacts):
    """What is the same in all runs of a battle."""

    heroes: tuple[HeroFacts, ...]
    creatures: tuple[CreatureFacts, ...]  # by kind, from the first one that is no adventurer
    companions: int
    enemies: int  # listed and drawn
    ground: Ground
    objective: str
    reward: int
    retreat_below: int
    pool: tuple[tuple[int, int], ...]  # level and cell of the drawn enemies
    bags: Mapping[int, tuple[int, ...]]  # level -> kinds in its bag
    faces: Tiny  # (6,) of the enemy Combat die

    # by adventurer
    hero_health: Small  # (heroes, 1)
    races: Mapping[str, Mask]  # by race: (heroes,) who can use its ability

    # by unit
    kind: Small  # (units,) the kind of those that are not drawn
    cell: Small  # (units,)
    hp: Small  # (units,)
    status: NDArray[np.uint8]  # (units,)
    actor: Whole  # (units,) their number for luck
    levels: tuple[int | str, ...]  # by enemy
    objectives: Mask  # (units, 1)
    ability: Whole  # (abilities, units) rows of the abilities table

    # by kind
    health: Small
    defense: Small
    reach: Small  # the range
    combat: Small
    targets: Small
    sign: Small  # -1 for strongest, +1 for weakest: the smallest hp * sign goes first
    skills: Wide  # a bit per skill
    numbers: Tiny  # (skills, kinds)
    rank: Small  # 0 for the highest level there is, 1 for the next
    quest: Mask
    smite_first: Mask
    after_engage: Tiny  # (most, kinds) after-engage skills in chip order, -1 for none
    end_of_turn: Tiny  # (most, kinds) end-of-turn skills in chip order
    covers: Mask  # (kinds, from, to): in range and in sight
    shots: Bits  # (words, kinds, cell): from where a unit on a hex is in range and seen
    threats: Bits  # (words, kinds, cell): the hexes that an enemy on a hex threatens

    # by adventurer and form
    form_shots: tuple[tuple[Bits, ...], ...]  # (words, cell) each

    # what can occur at all; saves looking
    present: frozenset[str]  # skills
    fixed_order: bool  # all enemies have levels of their own
    possible: Mask  # (statuses,) whether a status can turn up
    racial: bool
    classes: bool
    banned: frozenset[str]  # what the party must do without, by the switch `ban`

    VARIES: ClassVar[Varies] = may_vary(
        "reward", "hero_health", "hp", "health", "defense", "reach", "combat", "targets", "covers",
        "shots", "threats", "form_shots",
    )  # fmt: skip

    def gathers(self, ability: int) -> tuple[int, ...]:
        """The dice that are gathered for something, in this order; none where it is banned."""
        return () if data.ABILITIES[ability] in self.banned else data.GATHERED[ability]

    def has_class_ability(self, hero: int, name: str) -> bool:
        """Whether an adventurer's class has an ability that is not banned."""
        return data.CLASS_ABILITIES[name] == self.heroes[hero].abilities and name not in self.banned

    def has_racial_ability(self, hero: int, race: str) -> bool:
        """Whether an adventurer is of this race, whose ability is not banned."""
        return bool(self.races[race][hero])


def make_facts(scenario: SecondEraScenario, switches: Mapping[str, Any], plans: Sequence[Plan] = ()) -> Facts:
    """SE-S1 to SE-S7: everything that is the same in all runs. From the plans it only learns which forms they use."""
    ground = lay_out(scenario.map, switches["sight_rule"])
    company = muster(scenario, switches, ground.board, {"entrance": ground.entrance, "numbered": ground.numbered})
    bags, drawn = bags_of(company)
    creatures = (*company.listed, *drawn)
    heroes = company.heroes
    cast, ability = make_cast(company, creatures, bags, switches, plans)
    ranks = [data.QUEST if level == "quest" else int(level) for level in company.levels]
    statuses = statuses_of(company)
    skills = frozenset(name for creature in creatures for name in creature.skills)
    found = RETREAT.fullmatch(str(switches["retreat"]))
    return Facts(
        cast=cast,
        switches=switches,
        heroes=heroes,
        creatures=creatures,
        companions=len(company.companions),
        enemies=len(ranks),
        ground=ground,
        objective=scenario.objective,
        reward=scenario.reward,
        retreat_below=int(found[1]) if found else 0,
        pool=company.pool,
        bags=bags,
        faces=np.array(data.units("enemy_dice")[switches["enemy_die"]], dtype=np.int8),
        levels=company.levels,
        ability=ability,
        present=skills,
        fixed_order=not company.pool and len(set(ranks)) == len(ranks),
        possible=_possible(heroes, skills, statuses, switches),
        racial=switches["racial_abilities"] == "on",
        classes=switches["class_abilities"] == "on",
        banned=frozenset(switches["ban"]),
        races=races_of(heroes, switches["ban"]),
        **by_unit(company, bags, statuses),
        **by_kind(heroes, creatures, ground, ranks),
        **by_form(heroes, ground),
    )


def after_other_battles(facts: Facts) -> Facts:
    """SE-V1: the same battle for a party that may bring statuses along which enemies elsewhere have given it.

    Stealth and Blind are not among these: they come from the party's own dice, abilities and tracks, as they do here.
    """
    given = np.array([status in (*data.GIVES, "Fear") for status in data.STATUSES])
    return replace(facts, possible=facts.possible | given)


def bags_of(company: Muster) -> tuple[dict[int, tuple[int, ...]], list[CreatureFacts]]:
    """SE-S4: by level of the pool the kinds in its bag, and the creatures of these kinds in their order."""
    bags: dict[int, tuple[int, ...]] = {}
    drawn: list[CreatureFacts] = []
    first = len(company.heroes) + len(company.listed)
    for level, chips in company.bags.items():
        bags[level] = tuple(range(first + len(drawn), first + len(drawn) + len(chips)))
        drawn += chips
    return bags, drawn


def statuses_of(company: Muster) -> list[list[str]]:
    """By unit that is not drawn: its statuses as the battle begins; of an adventurer all words of its track."""
    tracks = [[data.TRACK_WORDS[code] for code in hero.track] for hero in company.heroes]
    return tracks + [list(unit.statuses) for unit in company.listed]


def _possible(
    heroes: Sequence[HeroFacts], skills: frozenset[str], given: list[list[str]], switches: Mapping[str, Any]
) -> Mask:
    """(statuses,). Which statuses can turn up at all."""
    known = {word for words in given for word in words}
    known |= {name for name in data.GIVES if name in skills}
    known |= {"Fear"} if "Intimidate" in skills else set()
    known |= {"Stealth"} if "Retreat" in skills else set()
    known |= {"Stealth"} if any(hero.dice.get("shadow_cloak") for hero in heroes) else set()
    known |= {"Stealth"} if switches["racial_abilities"] == "on" else set()
    known |= {"Bane"} if any(hero.dice.get("onslaught") for hero in heroes) else set()
    return np.array([status in known for status in data.STATUSES])


def races_of(heroes: Sequence[HeroFacts], banned: Sequence[str]) -> dict[str, Mask]:
    """By race with an ability: (heroes,) who has it; nobody where it is banned."""
    able = {race: name not in banned for name, race in data.RACIAL_ABILITIES.items()}
    return {race: np.array([able[race] and hero.race == race for hero in heroes]) for race in able}


def by_unit(company: Muster, bags: Mapping[int, tuple[int, ...]], statuses: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The tables by unit: adventurers, companions, listed enemies, drawn ones."""
    heroes, listed, pool = company.heroes, company.listed, company.pool
    named = len(heroes) + len(listed)
    party = len(heroes) + len(company.companions)
    cells = [*(hero.cell for hero in heroes), *(unit.cell for unit in listed), *(cell for _, cell in pool)]
    hp = [*(hero.hp for hero in heroes), *(unit.hp for unit in listed), *(0 for _ in pool)]
    objectives = [False] * party + [unit.objective for unit in company.enemies] + [False] * len(pool)
    return {
        "hero_health": np.array([[hero.health] for hero in heroes], dtype=np.int16),
        "kind": np.array([*range(named), *(bags[level][0] for level, _ in pool)], dtype=np.int16),
        "cell": np.array(cells, dtype=np.int16),
        "hp": np.array(hp, dtype=np.int16),
        "status": np.array([*(_bits(words) for words in statuses), *(0 for _ in pool)], dtype=np.uint8),
        "actor": np.array([*range(party), *(ENEMIES + enemy for enemy in range(len(cells) - party))], dtype=np.int64),
        "objectives": np.array(objectives)[:, None],
    }


def _bits(words: Sequence[str]) -> int:
    """Statuses as bits; other words of a track are left out."""
    return sum(1 << data.STATUSES.index(word) for word in set(words) & set(data.STATUSES))


def by_kind(
    heroes: Sequence[HeroFacts], creatures: Sequence[CreatureFacts], ground: Ground, ranks: Sequence[int]
) -> dict[str, Any]:
    """The tables by kind: adventurers first, with numbers that mean nothing but their health."""
    size = len(heroes)

    def column(name: str, nothing: int = 0) -> Small:
        return np.array([nothing] * size + [getattr(unit, name) for unit in creatures], dtype=np.int16)

    numbers = np.zeros((len(data.SKILLS), size + len(creatures)), dtype=np.int8)
    for place, unit in enumerate(creatures):
        for name, number in unit.skills.items():
            numbers[data.SKILLS.index(name), size + place] = number
    skills = [sum(1 << data.SKILLS.index(name) for name in unit.skills) for unit in creatures]
    steps = sorted(set(ranks), reverse=True)
    reaches = [1] * size + [unit.range for unit in creatures]
    covers = {reach: ground.covering(1, reach) for reach in set(reaches)}
    shots = {reach: ground.shots(1, reach) for reach in set(reaches)}
    threats = {reach: ground.within(reach + 2) for reach in set(reaches)}
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
        "after_engage": _in_order(size, creatures, data.AFTER_ENGAGE),
        "end_of_turn": _in_order(size, creatures, data.END_OF_TURN),
        "covers": np.stack([covers[reach] for reach in reaches]),
        "shots": np.stack([shots[reach] for reach in reaches], axis=1),
        "threats": np.stack([threats[reach] for reach in reaches], axis=1),
    }


def _smite_first(unit: CreatureFacts) -> bool:
    chips = list(unit.skills)
    return "Smite" in chips and "Vindictive" in chips and chips.index("Smite") < chips.index("Vindictive")


def _in_order(size: int, creatures: Sequence[CreatureFacts], names: tuple[str, ...]) -> Tiny:
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
    tables = {span: ground.shots(*span) for forms in spans for span in forms}
    return {"form_shots": tuple(tuple(tables[span] for span in forms) for forms in spans)}
