"""From a scenario to everything that does not change from run to run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.oracle.overhill.addresses import Luck
from tests.oracle.overhill.data import (
    ATTRIBUTES,
    CLASSES,
    EARLY,
    LADDER,
    MISHAPS,
    MONSTERS,
    PRESETS,
    REACTIONS,
    ROOMS,
    SWITCHES,
    ClassEntry,
    MishapEntry,
    MonsterEntry,
    ReactionEntry,
    Room,
)


class Dice(NamedTuple):
    """A count: `number` dice of `sides`, or `number` itself if `sides` is 0."""

    number: int
    sides: int


def parse_dice(text: str | int) -> Dice:
    """
    >>> parse_dice("2d6"), parse_dice(3)
    (Dice(number=2, sides=6), Dice(number=3, sides=0))
    """
    if isinstance(text, int):
        return Dice(text, 0)
    match = re.fullmatch(r"(\d*)d(\d+)|(\d+)", text.strip())
    if match is None:
        raise ValueError(f"expected a number or dice such as '1d6', found {text!r}")
    if match[3]:
        return Dice(int(match[3]), 0)
    return Dice(int(match[1] or 1), int(match[2]))


def roll_dice(dice: Dice, luck: Luck, purpose: str, actor: int) -> int:
    """The i-th die lies at index i, before round 1."""
    if dice.sides == 0:
        return dice.number
    return sum(luck.die(dice.sides, purpose, 0, actor, i) for i in range(dice.number))


def row_of(table: Mapping[str, ReactionEntry] | Mapping[str, MishapEntry], total: int) -> str:
    """OU-S8, OU-G4: the row of a table to which a total leads."""
    return next(name for name, row in table.items() if row.up_to is None or total <= row.up_to)


def step(die: int, steps: int) -> int:
    """OU-U1: steps up or down the ladder, the ends stay."""
    place = LADDER.index(die) + steps
    return LADDER[max(0, min(place, len(LADDER) - 1))]


@dataclass(frozen=True, slots=True)
class HeroSheet:
    """A hero as the encounter begins."""

    index: int
    name: str
    job: str  # the class
    level: int
    vigor: int
    wise: int
    quick: int
    smart: int
    max_health: int
    health: int
    shield: bool
    melee_tag: str
    ranged_tag: str
    feats: frozenset[str]
    items: tuple[tuple[str, int], ...]
    weight: int  # in HF (OU-U6)
    guard: str  # front, rear, or policy: where the policy's formation puts the hero

    @property
    def has_rear_attack(self) -> bool:
        """A magic user, or a hero with a ranged weapon."""
        return self.job == "magic_user" or self.ranged_tag != "none"


@dataclass(frozen=True, slots=True)
class GroupSheet:
    """A group as the encounter begins; the count is still to be rolled."""

    index: int
    type: str
    name: str
    count: Dice
    attack: int  # melee in the front, range in the rear
    defence: int
    blunt_defence: int
    talk: int | None
    alert: int
    xp: int
    gets_aura: str  # the family whose living leaders raise it; "" for nobody's
    leader: str  # the family that it leads; "" for none
    touches: tuple[str, ...]
    front: bool


@dataclass(frozen=True, slots=True)
class Row:
    """What waits in a room: groups in list order, and perhaps a trap, or an attack before the first round."""

    groups: tuple[GroupSheet, ...]
    trap: bool
    surprise: bool = False


class Rules:
    """The switches of one encounter as attributes: defaults, then the preset, then the scenario's own."""

    def __init__(self, preset: str, switches: dict[str, Any]) -> None:
        chosen = {name: values[0] for name, values in SWITCHES.items()}
        chosen.update(PRESETS[preset])
        chosen.update({name: value for name, value in switches.items() if name in SWITCHES})
        self.__dict__.update(chosen)
        self.hit_on_equal = chosen["melee_threshold"] == "meet"
        self.dodge_on_equal = chosen["dodge_threshold"] == "meet"
        self.level_for_all = chosen["level_bonus"] == "all"
        self.rear_shift = 1 if chosen["rear_modifier"] == "defensive" else 0  # OU-D5
        self.check_target = 3 if chosen["difficulty_check"] == "meet" else 4  # OU-D9: difficulty 3 asks for this face
        self.scaling = chosen["monster_scaling"]

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no switch {name!r}")


@dataclass(frozen=True, slots=True)
class Prepared:
    """One scenario, ready to be played any number of times."""

    rules: Rules
    room: Room
    policy: str
    engage: str | None  # None: as the policy says
    stance: str  # of `plain`
    rogue_sneak: bool  # of `plain`
    warrior_frenzy: bool  # of `plain`
    heroes: tuple[HeroSheet, ...]
    reactions: dict[str, ReactionEntry]
    mishaps: dict[str, MishapEntry]
    scale: int  # steps of `monster_scaling` (OU-S3)
    fixed: Row | None  # listed enemies
    roll: Dice | None  # or a table
    rows: dict[int, Row]


def grown_dice(entry: ClassEntry, level: int, rules: Rules) -> dict[str, int]:
    """OU-U2: the dice of a class at a level (`dice_progression`)."""
    dice = {name: getattr(entry, name) for name in ATTRIBUTES}
    if rules.dice_progression == "even_levels":
        for at_level, name in entry.growth:
            if at_level <= level:
                dice[name] = step(dice[name], 1)
    return dice


def known_feats(entry: ClassEntry, level: int, rules: Rules) -> tuple[str, ...]:
    """OU-F1: how many feats a warrior knows, in the fixed order or in that of a class of the scenario's own."""
    if entry.calling != "warrior":
        return ()
    number = (level + 1) // 2 if rules.feat_start == "level1" else (level - 1) // 2
    return entry.feats[:number]


# Monsters and classes that a scenario makes itself: what they say counts, the rest is as in what they are like.


def class_entry(job: str, own: dict[str, Any]) -> ClassEntry:
    """A class of the game, or of the scenario."""
    if job not in own:
        return CLASSES[job]
    mine = dict(own[job])
    mine.pop("name", None)
    base = mine.pop("like", None)
    if "growth" in mine:
        mine["growth"] = tuple(sorted((int(level), name) for level, name in mine["growth"].items()))
    if "feats" in mine:
        mine["feats"] = tuple(mine["feats"])
    if base is None:
        return ClassEntry(**{"melee_tag": "edged", "ranged_tag": "none", "shield": False, "growth": ()} | mine)
    others = {name: entry for name, entry in own.items() if name != job}
    return class_entry(base, others)._replace(**mine)


def monster_entry(kind: str, own: dict[str, Any], rules: Rules) -> MonsterEntry:
    """A monster of the game with its figures under the switches, or of the scenario."""
    if kind not in own:
        usual = MONSTERS[kind]
        if rules.bestiary == "early":
            usual = usual._replace(**EARLY.get(kind, {}))
        return usual._replace(defence=rules.gobbo_defense) if kind == "gobbo" else usual
    mine = dict(own[kind])
    mine.pop("name", None)
    base = mine.pop("like", None)
    early = mine.pop("early", {})
    if rules.bestiary == "early":
        mine |= early
    if mine.get("defence") == "gobbo_defense":
        mine["defence"] = rules.gobbo_defense
    for key in ("talk", "blunt_defence"):
        if mine.get(key) == "none":
            mine[key] = None
    if "family" in mine:
        mine["family"] = "" if mine["family"] == "none" else mine["family"]
    if "traits" in mine:
        traits = mine.pop("traits")
        mine["leader"] = "leader" in traits
        touches = {"paralysing_touch": "paralysis", "life_drain": "drain"}
        mine["touches"] = tuple(touch for trait, touch in touches.items() if trait in traits)
    if base is None:
        return MonsterEntry(**{"number": "1", "talk": None, "alert": 0, "xp": 0} | mine)
    others = {name: entry for name, entry in own.items() if name != kind}
    return monster_entry(base, others, rules)._replace(**mine)


def hero_sheet(index: int, entry: dict[str, Any], level: int, rules: Rules, own: dict[str, Any]) -> HeroSheet:
    """OU-S1, OU-U3: a hero from the class table, then what the scenario changes."""
    usual = class_entry(entry["class"], own)
    job = usual.calling
    level = entry.get("level", level)
    dice = grown_dice(usual, level, rules)
    dice.update({name: entry[name] for name in ATTRIBUTES if name in entry})
    max_health = entry.get("max_health", level + usual.health)
    shield = entry.get("shield", usual.shield)
    feats = frozenset(entry.get("feats", known_feats(usual, level, rules))) if job == "warrior" else frozenset()
    return HeroSheet(
        index=index,
        name=entry.get("name", own.get(entry["class"], {}).get("name", entry["class"])),
        job=job,
        level=level,
        **dice,
        max_health=max_health,
        health=min(entry.get("health", max_health), max_health),
        shield=shield,
        melee_tag=entry.get("melee_tag", usual.melee_tag),
        ranged_tag=entry.get("ranged_tag", usual.ranged_tag),
        feats=feats,
        items=tuple((item, count) for item, count in entry.get("items", {}).items() if count > 0),
        weight=2 if "shield_wall" in feats and shield else 1,  # OU-F2
        guard=entry.get("guard", "policy"),
    )


def group_sheet(index: int, entry: dict[str, Any], rules: Rules, scale: int, own: dict[str, Any]) -> GroupSheet:
    """OU-S2 to OU-S4: a group from the monster table, the switches, the scenario's changes, then the scaling."""
    kind = entry["type"]
    usual = monster_entry(kind, own, rules)
    numbers = usual._asdict()
    for key in ("melee", "range", "defence", "blunt_defence", "talk", "alert", "xp"):
        if key in entry:
            numbers[key] = None if entry[key] == "none" else entry[key]
    in_front = numbers["range"] <= numbers["melee"]  # OU-S4
    attack = numbers["melee"] if in_front else numbers["range"]
    harder = scale if rules.scaling in ("defense", "all") else 0
    fiercer = scale if rules.scaling in ("attack", "all") else 0
    blunt = numbers["defence"] if numbers["blunt_defence"] is None else numbers["blunt_defence"]
    count = entry.get("count", "number")
    return GroupSheet(
        index=index,
        type=kind,
        name=entry.get("name", own.get(kind, {}).get("name", kind)),
        count=parse_dice(usual.number if count == "number" else count),
        attack=attack + fiercer,
        defence=numbers["defence"] + harder,
        blunt_defence=blunt + harder,
        talk=numbers["talk"],
        alert=numbers["alert"],
        xp=numbers["xp"],
        gets_aura="" if usual.leader or rules.leader_aura == "off" else usual.family,
        leader=usual.family if usual.leader else "",
        touches=usual.touches,
        front=in_front,
    )


def table_rows(scenario: dict[str, Any], rules: Rules, scale: int) -> dict[int, Row]:
    """An encounter table by total; a total without a row is an empty room. What awaits everybody awaits every row."""
    rows = {}
    for entry in scenario["encounter"].get("rows", []):
        trap, surprise = (bool(entry.get(what) or scenario.get(what)) for what in ("trap", "surprise"))
        first, _, last = str(entry["on"]).partition("-")
        own = scenario.get("monsters", {})
        groups = tuple(group_sheet(g, enemy, rules, scale, own) for g, enemy in enumerate(entry.get("enemies", [])))
        for total in range(int(first), int(last or first) + 1):
            rows[total] = Row(groups, trap, surprise)
    return rows


def room_of(scenario: dict[str, Any]) -> Room:
    """OU-S5: the named room, with the ratio and the width of the front that the scenario writes itself."""
    room = ROOMS[scenario.get("room", "standard")]
    if "rear_ratio" in scenario:
        rear, _, rear_per = str(scenario["rear_ratio"]).partition("/")
        room = room._replace(rear=int(rear), rear_per=int(rear_per) if rear_per else 1)
    if "front_max" in scenario:
        room = room._replace(front_max=None if scenario["front_max"] == "none" else scenario["front_max"])
    return room


def prepare(scenario: dict[str, Any]) -> Prepared:
    """Everything about a scenario that is the same in every run."""
    rules = Rules(scenario.get("preset", "seed"), scenario.get("switches", {}))
    room = room_of(scenario)
    options = scenario.get("policy_options", {})
    policy = scenario.get("policy", "plain")
    level = scenario.get("level", 1)
    monsters, classes = scenario.get("monsters", {}), scenario.get("classes", {})
    heroes = [hero_sheet(index, entry, level, rules, classes) for index, entry in enumerate(scenario["heroes"])]
    party_level = sum(hero.level for hero in heroes) // len(heroes)
    scale = (party_level - 1) // 2
    reactions, mishaps = scenario.get("reaction_table", {}), scenario.get("mishap_table", {})
    table = scenario.get("encounter")
    fixed = None
    if table is None:
        enemies = scenario.get("enemies", [])
        groups = tuple(group_sheet(g, entry, rules, scale, monsters) for g, entry in enumerate(enemies))
        fixed = Row(groups, bool(scenario.get("trap", False)), bool(scenario.get("surprise", False)))
    return Prepared(
        rules=rules,
        room=room,
        policy=policy,
        engage=options.get("engage"),
        stance=options.get("stance", "neutral"),
        rogue_sneak=options.get("rogue_sneak", False),
        warrior_frenzy=options.get("warrior_frenzy", False),
        heroes=tuple(heroes),
        reactions={name: row._replace(**reactions.get(name, {})) for name, row in REACTIONS.items()},
        mishaps={name: row._replace(**mishaps.get(name, {})) for name, row in MISHAPS.items()},
        scale=scale,
        fixed=fixed,
        roll=parse_dice(table["roll"]) if table is not None else None,
        rows=table_rows(scenario, rules, scale) if table is not None else {},
    )
