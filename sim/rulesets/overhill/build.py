"""From a scenario to the facts of a fight: heroes with their dice, groups with their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from sim.core.dice import Dice, step
from sim.core.outcomes import told_apart
from sim.core.own_types import Table, said
from sim.core.varying import Varies, given, may_vary, unread
from sim.rulesets.overhill import data
from sim.rulesets.overhill.bestiary import FIGURES, NO_FAMILY, NOBODY, class_table, monster_table, name_of
from sim.rulesets.overhill.schema import Group, Hero, OverhillScenario, Row


@dataclass(frozen=True, slots=True)
class HeroFacts:
    """A hero as the fight begins (OU-U2)."""

    name: str
    class_name: str  # as the scenario calls it
    hero_class: str  # whose abilities it has: one of the game's classes
    level: int
    vigor: int
    wise: int
    quick: int
    smart: int
    max_health: int
    health: int
    melee_tag: str
    ranged_tag: str
    shield: bool
    feats: tuple[str, ...]
    guard: str  # front, rear, or policy: where its formation says
    items: tuple[int, ...]  # in the order of data.ITEMS

    VARIES: ClassVar[Varies] = may_vary("vigor", "wise", "max_health", "health")

    @property
    def weight(self) -> int:
        """OU-F2: with Shield Wall a hero counts for two in the front guard."""
        return 2 if self.knows("shield_wall") and self.shield else 1

    @property
    def rear_attack(self) -> bool:
        """Can do something useful from the rear guard."""
        return self.hero_class == "magic_user" or self.ranged_tag != "none"

    def knows(self, feat: str) -> bool:
        """OU-F1: feats belong to warriors only."""
        return self.hero_class == "warrior" and feat in self.feats


@dataclass(frozen=True, slots=True)
class GroupFacts:
    """One type of monster and how many of them (OU-U5), after scaling except for the number."""

    name: str
    type: str
    count: Dice
    melee: int
    range: int
    defence: int
    blunt_defence: int | None
    talk: int | None
    alert: int
    xp: int
    family: str  # whose leaders raise it, unless it leads itself; "none" for nobody's
    leader: bool
    touch: int  # bits of data.TOUCHES
    dice: Dice  # those of the count
    besides: int  # what the count adds to them; all of it where it is a plain number

    VARIES: ClassVar[Varies] = may_vary(
        "melee", "range", "defence", "alert", "xp", "besides", blunt_defence=given, talk=given, count=unread
    )

    @property
    def kin(self) -> str:
        """The family by whose leaders it gains; "" if by nobody's."""
        return "" if self.leader or self.family == NO_FAMILY else self.family

    @property
    def leads(self) -> str:
        """The family that gains by it; "" if it leads nobody."""
        return self.family if self.leader and self.family != NO_FAMILY else ""

    @property
    def rear(self) -> bool:
        """OU-S4, OU-P4: in the rear guard if its range value is greater than its melee value; there is no limit."""
        return self.range > self.melee

    @property
    def attack(self) -> int:
        """OU-E9: the value it attacks with, by its guard."""
        return self.range if self.rear else self.melee


@dataclass(frozen=True, slots=True)
class Gathering:
    """The groups that may be met together, and what awaits the party."""

    groups: tuple[GroupFacts, ...]
    trap: bool
    surprise: bool


@dataclass(frozen=True, slots=True)
class RoomFacts:
    """OU-S5: how many rear heroes the front covers, and how many may stand in front."""

    rear: int  # so many heroes may stand in the rear ...
    per_front: int  # ... for so many in front (OU-P2)
    front_max: int | None  # None: any number

    @property
    def rear_ratio(self) -> int | str:
        """The ratio as a scenario file writes it."""
        return self.rear if self.per_front == 1 else f"{self.rear}/{self.per_front}"

    def capacity(self, front_weight: int) -> int:
        """OU-P2, OU-U9: how many heroes may stand in the rear behind a front of this weight."""
        return front_weight * self.rear // self.per_front


def build_room(scenario: OverhillScenario) -> RoomFacts:
    """OU-S5, OU-P3: the room of that name, and the scenario's own changes on top."""
    entry = data.rooms()[scenario.room]
    ratio = entry["rear_ratio"] if scenario.rear_ratio is None else scenario.rear_ratio
    front_max = entry["front_max"] if scenario.front_max is None else scenario.front_max
    rear, _, per_front = str(ratio).partition("/")
    return RoomFacts(int(rear), int(per_front or 1), None if front_max == "none" else front_max)


def build_hero(
    hero: Hero, party_level: int, switches: Mapping[str, Any], own: Mapping[str, Table] = NOBODY
) -> HeroFacts:
    """OU-S1, OU-U1, OU-U2, OU-U3: class figures, growth of the dice, and the scenario's own changes on top."""
    entry = class_table(hero.hero_class, own)
    level = hero.level or party_level
    dice = {attribute: int(entry[attribute]) for attribute in data.ATTRIBUTES}
    if switches["dice_progression"] == "even_levels":
        for at_level, attribute in entry["growth"].items():
            if level >= int(at_level):
                dice[attribute] = int(step(dice[attribute], 1))
    for attribute in data.ATTRIBUTES:
        dice[attribute] = getattr(hero, attribute) or dice[attribute]
    max_health = hero.max_health or level + entry["health"]
    feats = tuple(hero.feats) if hero.feats is not None else feats_known(entry, level, switches)
    return HeroFacts(
        name=hero.name or name_of(hero.hero_class, own),
        class_name=hero.hero_class,
        hero_class=entry["calling"],
        level=level,
        **dice,
        max_health=max_health,
        health=min(hero.health or max_health, max_health),
        melee_tag=hero.melee_tag or entry["melee_tag"],
        ranged_tag=hero.ranged_tag or entry["ranged_tag"],
        shield=entry["shield"] if hero.shield is None else hero.shield,
        feats=feats,
        guard=hero.guard,
        items=tuple(hero.items.get(item, 0) for item in data.ITEMS),
    )


def feats_known(entry: Table, level: int, switches: Mapping[str, Any]) -> tuple[str, ...]:
    """OU-F1: warriors learn a feat at every odd level, the first one at level 3 or at level 1."""
    if entry["calling"] != "warrior":
        return ()
    known = (level + 1) // 2 if switches["feat_start"] == "level1" else (level - 1) // 2
    return tuple(entry["feats"][:known])


def build_heroes(scenario: OverhillScenario, switches: Mapping[str, Any]) -> list[HeroFacts]:
    """The roster, in the order of the scenario (OU-S1); heroes of one name are numbered."""
    own = said(scenario.classes)
    heroes = [build_hero(hero, scenario.level, switches, own) for hero in scenario.heroes]
    return [replace(hero, name=name) for hero, name in zip(heroes, hero_names(scenario), strict=True)]


def hero_names(scenario: OverhillScenario) -> list[str]:
    """What the heroes are called: by their names or their classes, those of one name with a number."""
    own = said(scenario.classes)
    return told_apart([hero.name or name_of(hero.hero_class, own) for hero in scenario.heroes])


def build_reactions(scenario: OverhillScenario) -> tuple[data.Reaction, ...]:
    """OU-S8: the reaction table with the scenario's own changes."""
    changes = {name: row.model_dump(exclude_none=True) for name, row in scenario.reaction_table.items()}
    return tuple(replace(row, **changes.get(row.name, {})) for row in data.reactions())


def build_mishaps(scenario: OverhillScenario) -> tuple[data.Mishap, ...]:
    """OU-G4: the mishap table with the scenario's own changes."""
    changes = {name: row.model_dump(exclude_none=True) for name, row in scenario.mishap_table.items()}
    for row in changes.values():
        if "damage" in row:
            row["damage"] = Dice.parse(row["damage"])
    return tuple(replace(row, **changes.get(row.name, {})) for row in data.mishaps())


def party_level(heroes: list[HeroFacts]) -> int:
    """OU-S3: the mean hero level, rounded down."""
    return sum(hero.level for hero in heroes) // len(heroes)


def scaling_steps(level: int) -> int:
    """OU-S3: 0 for levels 1 and 2, 1 for levels 3 and 4, and so on."""
    return (level - 1) // 2


def scaled_number(n: Any, level: int, switches: Mapping[str, Any]) -> Any:
    """OU-S3: how many monsters there are after scaling by number; works on arrays too."""
    if switches["monster_scaling"] in ("number", "all"):
        return n * (2 + scaling_steps(level)) // 2
    return n


def scaling_text(level: int) -> str:
    """What `scaled_number` does to a number, as a formula without the number: '* 3 // 2'."""
    times = 2 + scaling_steps(level)
    return f"* {times} // 2" if times % 2 else f"* {times // 2}"


def build_group(
    group: Group, level: int, switches: Mapping[str, Any], own: Mapping[str, Table] = NOBODY
) -> GroupFacts:
    """OU-S2, OU-S3, OU-U5: the monster's figures by bestiary, switches, the scenario's changes, then scaling."""
    entry = monster_table(group.type, own, switches)
    for key in FIGURES:
        value = getattr(group, key)
        if value is not None:
            entry[key] = value
    steps = scaling_steps(level)
    blunt = entry["blunt_defence"]
    blunt = None if blunt == "none" else blunt
    if switches["monster_scaling"] in ("defense", "all"):
        entry["defence"] += steps
        blunt = None if blunt is None else blunt + steps
    if switches["monster_scaling"] in ("attack", "all"):
        deciding = "range" if entry["range"] > entry["melee"] else "melee"
        entry[deciding] += steps
    count = Dice.parse(entry["number"] if group.count == "number" else group.count)
    return GroupFacts(
        name=group.name or name_of(group.type, own),
        type=group.type,
        count=count,
        melee=entry["melee"],
        range=entry["range"],
        defence=entry["defence"],
        blunt_defence=blunt,
        talk=None if entry["talk"] == "none" else entry["talk"],
        alert=entry["alert"],
        xp=entry["xp"],
        family=entry["family"],
        leader="leader" in entry["traits"],
        touch=sum(bit for trait, bit in data.TOUCHES.items() if trait in entry["traits"]),
        dice=Dice(count.count, count.sides),
        besides=count.bonus,
    )


def build_gatherings(
    scenario: OverhillScenario, heroes: list[HeroFacts], switches: Mapping[str, Any]
) -> tuple[Dice | None, dict[int, int], list[Gathering]]:
    """OU-S2: what may be met: the roll, which total leads to which gathering, and the gatherings.

    A fight with listed enemies is one gathering and no roll.
    """
    level, own = party_level(heroes), said(scenario.monsters)

    def groups(entries: list[Group]) -> tuple[GroupFacts, ...]:
        return tuple(build_group(entry, level, switches, own) for entry in entries)

    if scenario.encounter is None:
        return None, {}, [Gathering(groups(scenario.enemies), scenario.trap, scenario.surprise)]
    leads_to: dict[int, int] = {}
    gatherings = []
    for place, row in enumerate(scenario.encounter.rows):
        for total in totals_of(row):
            leads_to[total] = place
        trap, surprise = row.trap or scenario.trap, row.surprise or scenario.surprise
        gatherings.append(Gathering(groups(row.enemies), trap, surprise))
    return Dice.parse(scenario.encounter.roll), leads_to, gatherings


def totals_of(row: Row) -> range:
    """OU-S2: the totals that lead to a row: one, or a span such as '3-5'."""
    first, _, last = str(row.on).partition("-")
    return range(int(first), int(last or first) + 1)
