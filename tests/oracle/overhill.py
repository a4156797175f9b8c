"""The scalar referee of Overhill & Underdale: one encounter at a time, with loops and ifs.

Written from the rule text, rule ids in the docstrings, and meant to be read beside it. `prepare` turns a scenario (the
dict that `tomllib` makes of a scenario file) into what stays the same in every run; `play` plays one run. Where a
random number is asked for is agreed in `sim/rulesets/overhill/README.md`; so are the readings of open points.

    prepared = prepare(SCENARIOS["playtest-1"])
    result = play(prepared, AddressedLuck(seed=1, run=0))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, Protocol

ENEMIES = 1_000  # group g is actor ENEMIES + g, hero h is actor h
TABLE = 9_999  # what belongs to nobody
SECOND_DIE = 1_000  # advantage and disadvantage: the second die lies this far behind the first
PARALYSIS_LENGTH = 2_000  # OU-D7: the d4 lies this far behind the vigor die
BASH_ATTACK = 5_000  # OU-F6: the extra attack on hero h counts as attack BASH_ATTACK + h of its group

TIE = 1e-12  # two values of a policy that differ by no more are equal


class Luck(Protocol):
    """What the referee asks of `AddressedLuck` or `PythonLuck`."""

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int: ...
    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int: ...
    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]: ...


# ---------------------------------------------------------------------------------------------------------------------
# Data (section 11)
# ---------------------------------------------------------------------------------------------------------------------

LADDER = (2, 4, 6, 8, 10, 12)  # OU-U1
ATTRIBUTES = ("vigor", "wise", "quick", "smart")  # OU-U2
FEATS = ("shield_wall", "frenzy", "accept_the_blade", "dual_wield", "shield_bash")  # OU-F1, in the order taken
ITEMS = ("healing_potion", "war_tonic", "stone_oil", "smoke_flask", "acid_flask")  # 11.4
STANCES = ("neutral", "aggressive", "defensive")
STANCE_ATTACK = {"neutral": 0, "aggressive": 1, "defensive": -1}  # OU-A2; the defence has the opposite sign
POLICY_NAMES = ("random_legal", "plain", "aggressive", "cautious", "focus_expert", "prudent")


class ClassEntry(NamedTuple):
    """A line of 11.1."""

    vigor: int
    wise: int
    quick: int
    smart: int
    health: int  # OU-U3: added to the level
    melee_tag: str
    ranged_tag: str
    shield: bool
    growth: tuple[str, ...]  # the attribute that steps up at level 2, 4, 6, 8, 10


CLASSES = {
    "warrior": ClassEntry(8, 4, 6, 4, 10, "edged", "none", True, ("quick", "vigor", "quick", "vigor", "wise")),
    "rogue": ClassEntry(4, 4, 8, 6, 6, "edged", "edged", False, ("vigor", "quick", "vigor", "quick", "smart")),
    "magic_user": ClassEntry(4, 6, 4, 8, 6, "blunt", "none", False, ("vigor", "smart", "wise", "smart", "vigor")),
    "priest": ClassEntry(4, 8, 4, 6, 7, "blunt", "blunt", False, ("vigor", "wise", "vigor", "wise", "quick")),
}


class MonsterEntry(NamedTuple):
    """A line of 11.3."""

    number: str
    melee: int
    range: int
    defence: int
    talk: int | None
    alert: int
    xp: int
    blunt_defence: int | None = None
    family: str = ""
    leader: bool = False
    touch: str = ""


MONSTERS = {
    "gobbo": MonsterEntry("1d6", 1, 0, 3, -1, 2, 4, family="gobbo"),
    "gobbo_archer": MonsterEntry("1d4", 1, 2, 2, -1, 3, 4, family="gobbo"),
    "gobbo_dog": MonsterEntry("1d4", 2, 0, 2, -2, 4, 4, family="gobbo"),
    "gobbo_shaman": MonsterEntry("1", 1, 3, 3, -1, 3, 6, family="gobbo"),
    "gobbo_warchief": MonsterEntry("1", 3, 0, 4, 0, 2, 7, family="gobbo", leader=True),
    "gobbo_warmonger": MonsterEntry("1", 4, 0, 5, -2, 2, 9, family="gobbo", leader=True),
    "gobbo_grandgobbo": MonsterEntry("1", 5, 0, 6, 1, 2, 11, family="gobbo", leader=True),
    "skeleton": MonsterEntry("1d6", 3, 0, 3, None, 2, 6, blunt_defence=2),
    "zombie": MonsterEntry("1d4", 4, 0, 3, None, 1, 7),
    "armored_zombie": MonsterEntry("1d4", 1, 0, 3, None, 1, 4),
    "ghoul": MonsterEntry("1d4", 1, 0, 1, None, 3, 2, touch="paralysis"),
    "wight": MonsterEntry("1d3", 2, 0, 4, 0, 3, 6, touch="drain"),
}

# The figures in force before the playtest (`bestiary` = early).
EARLY = {
    "skeleton": {"melee": 1, "defence": 2, "blunt_defence": 1},
    "zombie": {"melee": 1, "defence": 2},
}


class Room(NamedTuple):
    """A line of 11.5: how many rear heroes `rear_per` front heroes allow, and the room in the front."""

    rear: int
    rear_per: int
    front_max: int | None


ROOMS = {
    "standard": Room(1, 2, None),
    "narrow": Room(1, 1, 2),
    "wide": Room(1, 3, None),
    "open": Room(0, 1, None),
}

# Section 9, the default first.
SWITCHES: dict[str, tuple[Any, ...]] = {
    "melee_threshold": ("exceed", "meet"),
    "dodge_threshold": ("exceed", "meet"),
    "monster_damage": ("attack", "one", "margin"),
    "defense_die": ("matching", "quick", "best"),
    "level_bonus": ("class_only", "all"),
    "monster_targeting": ("focus", "spread", "random"),
    "threat_window": ("previous_round", "current_round"),
    "threat_scope": ("group", "all"),
    "party_choice": ("random", "best_for_party"),
    "melee_reach": ("strict", "outnumber"),
    "rear_protection": ("outnumbered", "last_standing"),
    "rear_modifier": ("none", "defensive"),
    "dart_position": ("rear_only", "any"),
    "dart_level": (1, 2),
    "cast_threshold": ("meet", "exceed"),
    "push_ladder": ("same_first", "step_first"),
    "dart_roll": ("reroll", "same_roll"),
    "one_is": ("failure", "literal"),
    "mishaps": ("on", "off"),
    "risk_roll": ("natural", "total"),
    "bump_max": (1, 0, 2, 3),
    "heal_downed": ("no", "yes"),
    "difficulty_check": ("meet", "exceed"),
    "paralysed_defense": ("none", "roll"),
    "sneak_attack_use": ("any_round", "first_round"),
    "feat_start": ("level3", "level1"),
    "dice_progression": ("even_levels", "none"),
    "bestiary": ("revised", "early"),
    "gobbo_defense": (3, 2, 1),
    "leader_aura": ("on", "off"),
    "monster_scaling": ("none", "number", "defense", "attack", "all"),
    "talk_fail": ("surprise", "normal"),
    "sneak_fail": ("surprise", "normal"),
    "stealth_check": ("majority", "all", "leader", "weakest"),
    "traps": ("on", "off"),
    "round_cap": (50,),  # any whole number from 1
}

PRESETS: dict[str, dict[str, Any]] = {
    "seed": {},
    "bestiary-page": {"melee_threshold": "meet", "dodge_threshold": "meet", "gobbo_defense": 1},
    "may-draft": {
        "bestiary": "early",
        "gobbo_defense": 1,
        "level_bonus": "all",
        "dart_level": 2,
        "cast_threshold": "exceed",
        "push_ladder": "step_first",
        "rear_protection": "last_standing",
        "rear_modifier": "defensive",
    },
    "gentle": {"monster_damage": "one", "defense_die": "best", "mishaps": "off"},
}


def row(on: str | int, *enemies: tuple[str, Any], trap: bool = False) -> dict[str, Any]:
    """A row of an encounter table as a scenario file would write it."""
    return {"on": on, "trap": trap, "enemies": [{"type": kind, "count": count} for kind, count in enemies]}


# 11.7, without the empty room on a 2
GOBBO_DUNGEON = {
    "roll": "2d6",
    "rows": [
        row(3, ("gobbo", "1d6"), ("gobbo_shaman", 1)),
        row(4, ("gobbo", "1d6"), ("gobbo_shaman", 1), ("gobbo_dog", "1d4")),
        row(5, ("gobbo", "1d6"), ("gobbo_shaman", 1), ("gobbo_dog", "1d4"), trap=True),
        row(6, ("gobbo", "1d4"), ("gobbo_archer", "1d4")),
        row(7, ("gobbo", "1d4"), ("gobbo_archer", "1d4"), ("gobbo_dog", "1d4")),
        row(8, ("gobbo", "1d6"), ("gobbo_warchief", 1)),
        row(9, ("gobbo", "1d8"), ("gobbo_warchief", 1), ("gobbo_archer", "1d4")),
        row(10, ("gobbo_warmonger", 1), ("gobbo", "1d6")),
        row(11, ("gobbo_warmonger", 1), ("gobbo", "1d4"), ("gobbo_archer", "1d4")),
        row(12, ("gobbo_grandgobbo", 1), ("gobbo", "2d4")),
    ],
}
UNDEAD = {
    "roll": "1d5",
    "rows": [
        row(total, (kind, "number"))
        for total, kind in enumerate(("skeleton", "zombie", "armored_zombie", "ghoul", "wight"), start=1)
    ],
}

STANDARD_PARTY = ("warrior", "rogue", "priest", "magic_user")


def scenario(heroes: Sequence[str], enemies: Sequence[tuple[str, Any]], **more: Any) -> dict[str, Any]:
    """A scenario as the parsed file would look."""
    return {
        "ruleset": "overhill",
        "heroes": [{"class": name} for name in heroes],
        "enemies": [{"type": kind, "count": count} for kind, count in enemies],
        **more,
    }


PLAYTEST = (("skeleton", 3), ("zombie", 2))
WARBAND = (("gobbo_warmonger", 1), ("gobbo", 8), ("gobbo_archer", 4), ("gobbo_dog", 4))

# Section 12
SCENARIOS: dict[str, dict[str, Any]] = {
    "duel-skeleton": scenario(["warrior"], [("skeleton", 1)]),
    "solo-four-skeletons": scenario(["warrior"], [("skeleton", 4)]),
    "gobbo-trio": scenario(["warrior", "rogue"], [("gobbo", 3)]),
    "playtest-1": scenario(STANDARD_PARTY, PLAYTEST),
    "playtest-1-early": scenario(STANDARD_PARTY, PLAYTEST, switches={"bestiary": "early"}),
    "playtest-1-ladder": scenario(STANDARD_PARTY, PLAYTEST, level=1, switches={"monster_scaling": "all"}),
    "crypt-swarm": scenario(STANDARD_PARTY, [("skeleton", 5), ("zombie", 3)]),
    "ghoul-pack": scenario(STANDARD_PARTY, [("ghoul", 12), ("armored_zombie", 4)]),
    "wight-court": scenario(STANDARD_PARTY, [("wight", 4), ("zombie", 6)], level=3),
    "warband": {
        "ruleset": "overhill",
        "level": 2,
        "heroes": [{"class": name, "items": {"healing_potion": 1}} for name in STANDARD_PARTY],
        "enemies": [{"type": kind, "count": count} for kind, count in WARBAND],
    },
    "narrow-stair": scenario(["warrior", "priest", "rogue", "magic_user"], [("zombie", 6)], room="narrow"),
    "gobbo-dungeon": {
        "ruleset": "overhill",
        "heroes": [{"class": name} for name in STANDARD_PARTY],
        "encounter": GOBBO_DUNGEON,
    },
    "wandering-undead": {
        "ruleset": "overhill",
        "heroes": [{"class": name} for name in STANDARD_PARTY],
        "encounter": UNDEAD,
    },
}


# ---------------------------------------------------------------------------------------------------------------------
# Preparing an encounter (OU-S1 to OU-S5): everything that does not change from run to run
# ---------------------------------------------------------------------------------------------------------------------


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
    front: bool = True

    @property
    def has_rear_attack(self) -> bool:
        """Section 10: a magic user, or a hero with a ranged weapon."""
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
    gets_aura: bool
    leader: bool
    touch: str
    front: bool


@dataclass(frozen=True, slots=True)
class Row:
    """What waits in a room: groups in list order, and perhaps a trap."""

    groups: tuple[GroupSheet, ...]
    trap: bool


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
    scale: int  # s of 11.6
    fixed: Row | None  # listed enemies
    roll: Dice | None  # or a table
    rows: dict[int, Row]


def grown_dice(job: str, level: int, rules: Rules) -> dict[str, int]:
    """11.1: the dice of a class at a level (`dice_progression`)."""
    entry = CLASSES[job]
    dice = {name: getattr(entry, name) for name in ATTRIBUTES}
    if rules.dice_progression == "even_levels":
        for name in entry.growth[: level // 2]:
            dice[name] = step(dice[name], 1)
    return dice


def known_feats(job: str, level: int, rules: Rules) -> tuple[str, ...]:
    """OU-F1: how many feats a warrior knows, in the fixed order."""
    if job != "warrior":
        return ()
    number = (level + 1) // 2 if rules.feat_start == "level1" else (level - 1) // 2
    return FEATS[:number]


def hero_sheet(index: int, entry: dict[str, Any], level: int, rules: Rules) -> HeroSheet:
    """OU-S1, OU-U3: a hero from the class table, then what the scenario changes."""
    job = entry["class"]
    usual = CLASSES[job]
    level = entry.get("level", level)
    dice = grown_dice(job, level, rules)
    dice.update({name: entry[name] for name in ATTRIBUTES if name in entry})
    max_health = entry.get("max_health", level + usual.health)
    shield = entry.get("shield", usual.shield)
    feats = frozenset(entry.get("feats", known_feats(job, level, rules))) if job == "warrior" else frozenset()
    return HeroSheet(
        index=index,
        name=entry.get("name", job),
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
    )


def group_sheet(index: int, entry: dict[str, Any], rules: Rules, scale: int) -> GroupSheet:
    """OU-S2 to OU-S4: a group from the monster table, the switches, the scenario's changes, then the scaling."""
    kind = entry["type"]
    usual = MONSTERS[kind]
    numbers = usual._asdict()
    if rules.bestiary == "early":
        numbers.update(EARLY.get(kind, {}))
    if kind == "gobbo":
        numbers["defence"] = rules.gobbo_defense
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
        name=entry.get("name", kind),
        count=parse_dice(usual.number if count == "number" else count),
        attack=attack + fiercer,
        defence=numbers["defence"] + harder,
        blunt_defence=blunt + harder,
        talk=numbers["talk"],
        alert=numbers["alert"],
        xp=numbers["xp"],
        gets_aura=usual.family == "gobbo" and not usual.leader and rules.leader_aura == "on",
        leader=usual.leader,
        touch=usual.touch,
        front=in_front,
    )


def table_rows(entries: Iterable[dict[str, Any]], rules: Rules, scale: int) -> dict[int, Row]:
    """An encounter table by total; a total without a row is an empty room."""
    rows = {}
    for entry in entries:
        first, _, last = str(entry["on"]).partition("-")
        groups = tuple(group_sheet(g, enemy, rules, scale) for g, enemy in enumerate(entry.get("enemies", [])))
        for total in range(int(first), int(last or first) + 1):
            rows[total] = Row(groups, bool(entry.get("trap", False)))
    return rows


def prepare(scenario: dict[str, Any]) -> Prepared:
    """Everything about a scenario that is the same in every run."""
    rules = Rules(scenario.get("preset", "seed"), scenario.get("switches", {}))
    room = ROOMS[scenario.get("room", "standard")]
    options = scenario.get("policy_options", {})
    policy = scenario.get("policy", "plain")
    level = scenario.get("level", 1)
    heroes = [hero_sheet(index, entry, level, rules) for index, entry in enumerate(scenario["heroes"])]
    party_level = sum(hero.level for hero in heroes) // len(heroes)
    scale = (party_level - 1) // 2
    table = scenario.get("encounter")
    fixed = None
    if table is None:
        groups = tuple(group_sheet(g, entry, rules, scale) for g, entry in enumerate(scenario.get("enemies", [])))
        fixed = Row(groups, bool(scenario.get("trap", False)))
    return Prepared(
        rules=rules,
        room=room,
        policy=policy,
        engage=options.get("engage"),
        stance=options.get("stance", "neutral"),
        rogue_sneak=options.get("rogue_sneak", False),
        warrior_frenzy=options.get("warrior_frenzy", False),
        heroes=tuple(heroes),
        scale=scale,
        fixed=fixed,
        roll=parse_dice(table["roll"]) if table is not None else None,
        rows=table_rows(table.get("rows", []), rules, scale) if table is not None else {},
    )


# ---------------------------------------------------------------------------------------------------------------------
# State of one run (section 2)
# ---------------------------------------------------------------------------------------------------------------------


class Hero:
    """A hero in a run: the sheet and what changes. Health 0 means down (OU-U4)."""

    __slots__ = (
        "accepted", "blessed", "blocked_round", "damage_taken", "dodged", "feats", "front", "has_rear_attack", "health",
        "index", "items", "job", "kills", "lapsed", "lapses", "level", "lost_phase", "max_health", "melee_tag",
        "mishaps", "name", "oil", "paralysed", "quick", "ranged_tag", "restored", "rose_in", "shield", "silenced",
        "smart", "stance", "tonic", "vigor", "weight", "wise",
    )  # fmt: skip

    def __init__(self, sheet: HeroSheet) -> None:
        self.index = sheet.index
        self.name = sheet.name
        self.job = sheet.job
        self.level = sheet.level
        self.vigor = sheet.vigor
        self.wise = sheet.wise
        self.quick = sheet.quick
        self.smart = sheet.smart
        self.max_health = sheet.max_health
        self.health = sheet.health
        self.shield = sheet.shield
        self.melee_tag = sheet.melee_tag
        self.ranged_tag = sheet.ranged_tag
        self.feats = sheet.feats
        self.items = dict(sheet.items)
        self.weight = sheet.weight
        self.has_rear_attack = sheet.has_rear_attack
        self.front = True
        self.stance = "neutral"
        self.tonic = 0  # war tonics drunk
        self.oil = 0  # stone oils used
        self.paralysed = 0  # hero phases still to lose
        self.lost_phase = False  # this hero phase was lost to paralysis (OU-R5)
        self.blessed: set[str] = set()
        self.lapsed = False
        self.silenced = False
        self.blocked_round = -1  # no spells in this round
        self.accepted = False  # Accept the Blade was tried in this round
        self.rose_in = -1  # the round in which Heal brought this hero back
        self.kills = 0
        self.damage_taken = 0
        self.dodged = 0
        self.mishaps = 0
        self.lapses = 0
        self.restored = 0


class Group:
    """A group in a run: the sheet and what changes. It lives while n > 0 (OU-U5)."""

    __slots__ = ("attack_mod", "bashed", "defence_mod", "front", "index", "n", "sheet", "start")

    def __init__(self, sheet: GroupSheet, n: int) -> None:
        self.sheet = sheet
        self.index = sheet.index
        self.front = sheet.front
        self.start = n
        self.n = n
        self.attack_mod = 0
        self.defence_mod = 0
        self.bashed = 0

    def defence_against(self, tag: str) -> int:
        """OU-A3: the blunt defence against a blunt weapon, else the defence; never below 1."""
        defence = self.sheet.blunt_defence if tag == "blunt" else self.sheet.defence
        return max(1, defence + self.defence_mod)


class Fight:
    """One run."""

    __slots__ = ("groups", "heroes", "kills_now", "kills_prev", "luck", "outcome", "prepared", "room", "round", "rules",
                 "trace", "trap")  # fmt: skip

    def __init__(self, prepared: Prepared, luck: Luck, trace: list[str] | None = None) -> None:
        self.prepared = prepared
        self.rules = prepared.rules
        self.room = prepared.room
        self.luck = luck
        self.trace = trace
        self.round = 0
        self.outcome = ""
        self.heroes = [Hero(sheet) for sheet in prepared.heroes]
        self.groups: list[Group] = []
        self.trap = False
        self.kills_now: list[list[int]] = []  # [hero][group], OU-U7
        self.kills_prev: list[list[int]] = []


@dataclass(slots=True)
class Result:
    """What a run is counted by (OU-Z4, OU-Z5); lists of heroes in roster order, of groups in list order."""

    outcome: str  # win, loss, draw, avoided, empty
    rounds: int
    friendly: bool
    standing: int
    health: list[int]
    front: list[bool]
    vigor: list[int]
    kills: list[int]
    damage_taken: list[int]
    dodged: list[int]
    mishaps: list[int]
    lapses: list[int]
    restored: list[int]
    items_left: list[dict[str, int]]
    monsters_start: list[int]
    monsters_left: list[int]
    xp: int


def standing_heroes(fight: Fight) -> list[Hero]:
    """OU-U4."""
    return [hero for hero in fight.heroes if hero.health > 0]


def living_groups(fight: Fight) -> list[Group]:
    """OU-U5."""
    return [group for group in fight.groups if group.n > 0]


def hero_number(fight: Fight) -> int:
    """OU-U6: HN."""
    return sum(1 for hero in fight.heroes if hero.health > 0)


def monster_number(fight: Fight) -> int:
    """OU-U6: MN."""
    return sum(group.n for group in fight.groups)


def hero_front(fight: Fight) -> int:
    """OU-U6: HF, with weights."""
    return sum(hero.weight for hero in fight.heroes if hero.front and hero.health > 0)


def monster_front(fight: Fight) -> int:
    """OU-U6: MF, at most the room's front."""
    number = sum(group.n for group in fight.groups if group.front)
    limit = fight.room.front_max
    return number if limit is None else min(number, limit)


def tell(fight: Fight, text: str) -> None:
    """An event for the trace; callers ask first whether there is one."""
    if fight.trace is not None:
        fight.trace.append(f"round {fight.round}: {text}")


# ---------------------------------------------------------------------------------------------------------------------
# Positions (3.2)
# ---------------------------------------------------------------------------------------------------------------------


def rear_capacity(front_weight: int, room: Room) -> int:
    """OU-P2: one rear hero per `rear_per` front heroes, rounded down."""
    return front_weight * room.rear // room.rear_per


def rear_count(fight: Fight) -> int:
    return sum(1 for hero in fight.heroes if not hero.front and hero.health > 0)


def front_count(fight: Fight) -> int:
    return sum(1 for hero in fight.heroes if hero.front and hero.health > 0)


def front_has_room(fight: Fight) -> bool:
    """OU-P3: heroes are counted here, not weights."""
    return fight.room.front_max is None or front_count(fight) < fight.room.front_max


def may_fall_back(fight: Fight, hero: Hero) -> bool:
    """OU-A9, OU-P2: the rear has room for one more once this hero no longer screens it."""
    return rear_count(fight) + 1 <= rear_capacity(hero_front(fight) - hero.weight, fight.room)


def may_move(fight: Fight, hero: Hero) -> bool:
    """OU-A9."""
    return may_fall_back(fight, hero) if hero.front else front_has_room(fight)


def of_class(fight: Fight, *jobs: str) -> list[Hero]:
    """Standing heroes, class by class, in roster order inside a class."""
    return [hero for job in jobs for hero in fight.heroes if hero.job == job and hero.health > 0]


def form_up(fight: Fight) -> None:
    """OU-S6: the policy's formation, then the room's front (OU-P3)."""
    policy = fight.prepared.policy
    if policy == "random_legal":
        for hero in standing_heroes(fight):
            if may_fall_back(fight, hero) and fight.luck.below(2, "formation", 0, hero.index) == 1:
                hero.front = False
    elif policy == "aggressive":
        for hero in of_class(fight, "magic_user"):
            if may_fall_back(fight, hero):
                hero.front = False
    else:
        for hero in of_class(fight, "magic_user", "rogue", "priest"):
            if hero.has_rear_attack and may_fall_back(fight, hero):
                hero.front = False
    limit = fight.room.front_max
    if limit is not None:
        for hero in of_class(fight, "magic_user", "rogue", "priest", "warrior"):
            if hero.front and front_count(fight) > limit:
                hero.front = False


def step_up(fight: Fight) -> None:
    """OU-P5: while the rear is too full, its healthiest hero who can move goes to the front."""
    while rear_count(fight) > rear_capacity(hero_front(fight), fight.room) and front_has_room(fight):
        able = [hero for hero in fight.heroes if not hero.front and hero.health > 0 and hero.paralysed == 0]
        if not able:
            return
        hero = max(able, key=lambda hero: (hero.health, -hero.index))
        hero.front = True
        if fight.trace is not None:
            tell(fight, f"{hero.name} steps up")


# ---------------------------------------------------------------------------------------------------------------------
# Dice
# ---------------------------------------------------------------------------------------------------------------------


def roll_attribute(
    fight: Fight,
    hero: Hero,
    attribute: str,
    purpose: str,
    actor: int,
    index: int = 0,
    disadvantage: bool = False,
) -> int:
    """OU-U8, OU-Y5: a die of a hero; a pending blessing on the attribute is used up and gives advantage."""
    sides = getattr(hero, attribute)
    first = fight.luck.die(sides, purpose, fight.round, actor, index)
    advantage = attribute in hero.blessed
    if advantage:
        hero.blessed.discard(attribute)
    if advantage == disadvantage:
        return first
    second = fight.luck.die(sides, purpose, fight.round, actor, index + SECOND_DIE)
    return max(first, second) if advantage else min(first, second)


def hit_count(total: int, defence: int, hit_on_equal: bool) -> int:
    """OU-A1: whole multiples of the defence reached; a total that only equals it needs `melee_threshold` = meet."""
    if total <= 0 or (total <= defence and not hit_on_equal):
        return 0
    return total // defence


# ---------------------------------------------------------------------------------------------------------------------
# Health
# ---------------------------------------------------------------------------------------------------------------------


def lose_health(fight: Fight, hero: Hero, amount: int) -> None:
    """OU-D4, OU-Z2: health never falls below 0; at 0 the hero is down, and the fight lost with the last one."""
    lost = min(amount, hero.health)
    hero.health -= lost
    hero.damage_taken += lost
    if fight.trace is not None:
        tell(fight, f"{hero.name} loses {lost}, has {hero.health}")
    if hero.health == 0:
        hero.paralysed = 0
        hero.blessed.clear()
        if hero_number(fight) == 0:
            fight.outcome = "loss"


def regain_health(fight: Fight, hero: Hero, amount: int) -> None:
    """OU-D11, OU-Y4: up to the maximum; a hero who was down stands again and acts from the next round on."""
    if hero.health == 0:
        hero.rose_in = fight.round
    gained = min(amount, hero.max_health - hero.health)
    hero.health += gained
    hero.restored += gained
    if fight.trace is not None:
        tell(fight, f"{hero.name} regains {gained}, has {hero.health}")


# ---------------------------------------------------------------------------------------------------------------------
# Hero attacks (section 5)
# ---------------------------------------------------------------------------------------------------------------------


def remove_monsters(fight: Fight, hero: Hero, group: Group, hits: int) -> None:
    """OU-A1, OU-U7: each hit removes one monster, surplus hits are lost and not counted."""
    killed = min(hits, group.n)
    group.n -= killed
    hero.kills += killed
    fight.kills_now[hero.index][group.index] += killed
    if fight.trace is not None:
        tell(fight, f"{hero.name} removes {killed} of {group.sheet.name}, {group.n} left")


def attack_bonus(fight: Fight, hero: Hero, stance: str, level_bonus: int) -> int:
    """OU-A2: what is added to an attack die. `level_bonus` is what the ability grants under class_only."""
    position = STANCE_ATTACK[stance] if hero.front else -fight.rules.rear_shift
    level = hero.level if fight.rules.level_for_all else level_bonus
    return position + hero.tonic + level


def melee_level(hero: Hero, kind: str) -> int:
    """OU-A2, OU-C1, OU-C3, OU-F3, OU-F4: the level bonus of a melee attack of this kind."""
    if kind in ("sneak", "dual"):
        return hero.level // 2
    return hero.level if hero.job == "warrior" else 0


def melee_attribute(fight: Fight, hero: Hero) -> str:
    """OU-A3, OU-C2: vigor; quick for a rogue whose side has the greater number, if that die is larger."""
    if hero.job == "rogue" and hero.quick > hero.vigor and hero_number(fight) > monster_number(fight):
        return "quick"
    return "vigor"


def melee_targets(fight: Fight) -> list[Group]:
    """OU-A4: front groups; rear groups too if no front monster lives, or by `melee_reach` = outnumber."""
    living = living_groups(fight)
    front = [group for group in living if group.front]
    if not front:
        return living
    if fight.rules.melee_reach == "outnumber" and hero_front(fight) > monster_front(fight):
        return living
    return front


def strike(
    fight: Fight, hero: Hero, group: Group, attribute: str, level_bonus: int, index: int, disadvantage: bool = False
) -> None:
    """OU-A3: one melee attack, the `index`-th of the action."""
    face = roll_attribute(fight, hero, attribute, "OU-A3", hero.index, index, disadvantage)
    total = face + attack_bonus(fight, hero, hero.stance, level_bonus)
    hits = hit_count(total, group.defence_against(hero.melee_tag), fight.rules.hit_on_equal)
    remove_monsters(fight, hero, group, hits)


def opening_hits(fight: Fight, hero: Hero, group: Group, attribute: str, purpose: str) -> int:
    """OU-C3, OU-F4, OU-F6: the bare die against the group's defence."""
    face = roll_attribute(fight, hero, attribute, purpose, hero.index)
    return hit_count(face, group.defence_against("opening"), fight.rules.hit_on_equal)


def melee(fight: Fight, hero: Hero, group: Group) -> None:
    """OU-A3."""
    strike(fight, hero, group, melee_attribute(fight, hero), melee_level(hero, "melee"), 0)


def sneak_attack(fight: Fight, hero: Hero, group: Group) -> None:
    """OU-C3."""
    attribute = melee_attribute(fight, hero)
    attacks = opening_hits(fight, hero, group, "quick", "OU-C3")
    strike_while_it_lasts(fight, hero, group, attribute, melee_level(hero, "sneak"), attacks)


def dual_wield(fight: Fight, hero: Hero, group: Group) -> None:
    """OU-F4."""
    attacks = opening_hits(fight, hero, group, "quick", "OU-F4")
    strike_while_it_lasts(fight, hero, group, "vigor", melee_level(hero, "dual"), attacks)


def strike_while_it_lasts(
    fight: Fight, hero: Hero, group: Group, attribute: str, level_bonus: int, attacks: int
) -> None:
    """OU-C3: attacks left when the group is empty are lost."""
    for index in range(attacks):
        if group.n == 0:
            return
        strike(fight, hero, group, attribute, level_bonus, index)


def frenzy(fight: Fight, hero: Hero, group: Group) -> None:
    """OU-F3: a second attack with disadvantage, on the first legal group if the chosen one is empty."""
    level_bonus = melee_level(hero, "frenzy")
    strike(fight, hero, group, "vigor", level_bonus, 0)
    if group.n == 0:
        targets = melee_targets(fight)
        if not targets:
            return
        group = targets[0]
    strike(fight, hero, group, "vigor", level_bonus, 1, disadvantage=True)


def shield_bash(fight: Fight, hero: Hero, group: Group) -> None:
    """OU-F6: a hit keeps one monster from attacking this round; a miss invites one extra attack at once."""
    if opening_hits(fight, hero, group, "quick", "OU-F6") > 0:
        group.bashed += 1
    else:
        monster_attack(fight, group, hero, BASH_ATTACK + hero.index)


def ranged(fight: Fight, hero: Hero, group: Group) -> None:
    """OU-A5: quick, any living group; a blunt missile meets the blunt defence."""
    face = roll_attribute(fight, hero, "quick", "OU-A5", hero.index)
    total = face + attack_bonus(fight, hero, hero.stance, 0)
    hits = hit_count(total, group.defence_against(hero.ranged_tag), fight.rules.hit_on_equal)
    remove_monsters(fight, hero, group, hits)


def may_shoot(hero: Hero) -> bool:
    """OU-A5."""
    return not hero.front and hero.ranged_tag != "none"


def knows(fight: Fight, hero: Hero, kind: str) -> bool:
    """OU-C3, OU-C4, OU-F1: may this hero use this kind of melee action now?"""
    if kind == "melee":
        return True
    if kind == "sneak":
        return hero.job == "rogue" and (fight.rules.sneak_attack_use == "any_round" or fight.round == 1)
    if kind == "frenzy":
        return "frenzy" in hero.feats
    if kind == "dual":
        return "dual_wield" in hero.feats
    return "shield_bash" in hero.feats and hero.shield


# ---------------------------------------------------------------------------------------------------------------------
# Magic (5.2)
# ---------------------------------------------------------------------------------------------------------------------


def may_cast(fight: Fight, hero: Hero) -> bool:
    """OU-A7, OU-G7."""
    return (
        hero.job == "magic_user"
        and not hero.silenced
        and hero.blocked_round != fight.round
        and (not hero.front or fight.rules.dart_position == "any")
    )


@cache
def casting_dice(smart: int, push: int, push_ladder: str) -> tuple[int, ...]:
    """OU-G2: the base die, then the pushed dice down the ladder."""
    first_step = 0 if push_ladder == "same_first" else 1
    return (smart, *(step(smart, -first_step - i) for i in range(push)))


@cache
def successful_faces(die: int, spell_level: int, cast_threshold: str, one_is: str) -> tuple[int, ...]:
    """OU-G1, OU-G3: the faces of a casting die that fire a dart."""
    lowest = spell_level if cast_threshold == "meet" else spell_level + 1
    if one_is == "failure":
        lowest = max(2, lowest)
    return tuple(range(lowest, die + 1))


def casting_successes(dice: tuple[int, ...], rules: Rules) -> tuple[tuple[int, ...], ...]:
    """The successful faces of each casting die."""
    return tuple(successful_faces(die, rules.dart_level, rules.cast_threshold, rules.one_is) for die in dice)


def magic_dart(fight: Fight, hero: Hero, group: Group, push: int) -> None:
    """OU-G1 to OU-G8."""
    rules, luck = fight.rules, fight.luck
    dice = casting_dice(hero.smart, push, rules.push_ladder)
    faces = [roll_attribute(fight, hero, "smart", "OU-G1", hero.index)]
    faces += [luck.die(dice[i], "OU-G1", fight.round, hero.index, i) for i in range(1, len(dice))]
    if 1 in faces and rules.mishaps == "on" and not darts_survive_mishap(fight, hero):
        return
    successes = casting_successes(dice, rules)
    for i, (die, face) in enumerate(zip(dice, faces, strict=True)):
        if face not in successes[i]:
            continue
        if group.n == 0:
            living = living_groups(fight)
            if not living:
                return
            group = living[0]
        thrown = face if rules.dart_roll == "same_roll" else luck.die(die, "OU-G5", fight.round, hero.index, i)
        total = thrown + attack_bonus(fight, hero, hero.stance, 0)
        remove_monsters(fight, hero, group, hit_count(total, group.defence_against("magic"), rules.hit_on_equal))


def mishap_row(total: int) -> str:
    """Table 5.2."""
    if total <= 3:
        return "fizzle"
    if total <= 5:
        return "backlash"
    return {6: "strain", 7: "misfire"}.get(total, "burnout")


def darts_survive_mishap(fight: Fight, hero: Hero) -> bool:
    """OU-G4: roll on table 5.2; False if all successes of this casting are lost."""
    hero.mishaps += 1
    what = mishap_row(fight.luck.die(6, "OU-G4", fight.round, hero.index, 0) + fight.rules.dart_level)
    if fight.trace is not None:
        tell(fight, f"{hero.name}: {what}")
    if what == "fizzle":
        return False
    if what == "backlash":
        lose_health(fight, hero, 1)
        return hero.health > 0
    if what == "strain":
        hero.blocked_round = fight.round + 1
        return True
    if what == "burnout":
        hero.silenced = True
    lose_health(fight, hero, fight.luck.die(4, "OU-G4", fight.round, hero.index, 1))
    return False


# ---------------------------------------------------------------------------------------------------------------------
# Prayers (5.3)
# ---------------------------------------------------------------------------------------------------------------------


def may_pray(hero: Hero) -> bool:
    """OU-Y1."""
    return hero.job == "priest" and not hero.lapsed


def prayer_works(fight: Fight, hero: Hero, prayer_level: int, risk: int) -> bool:
    """OU-Y1 to OU-Y3: the risk first, then the prayer level."""
    face = roll_attribute(fight, hero, "wise", "OU-Y1", hero.index)
    total = face + hero.level
    tempted = face if fight.rules.risk_roll == "natural" else total
    if tempted < risk:
        hero.lapsed = True
        hero.lapses += 1
        if fight.trace is not None:
            tell(fight, f"{hero.name} lapses")
        return False
    return total > prayer_level


def heal(fight: Fight, hero: Hero, patient: Hero, bumps: int) -> None:
    """OU-Y4."""
    if prayer_works(fight, hero, 3 + bumps, 1 + bumps):
        amount = sum(fight.luck.die(6, "OU-Y4", fight.round, hero.index, i) for i in range(1 + bumps))
        regain_health(fight, patient, amount)


def bless(fight: Fight, hero: Hero, friend: Hero, attribute: str) -> None:
    """OU-Y5."""
    if prayer_works(fight, hero, 3, 2):
        friend.blessed.add(attribute)
        if fight.trace is not None:
            tell(fight, f"{friend.name} is blessed on {attribute}")


def patients(fight: Fight) -> list[Hero]:
    """OU-Y4: who may be healed at all: standing heroes, with `heal_downed` = yes down ones too."""
    return fight.heroes if fight.rules.heal_downed == "yes" else standing_heroes(fight)


# ---------------------------------------------------------------------------------------------------------------------
# Items, moving
# ---------------------------------------------------------------------------------------------------------------------


def use_item(fight: Fight, hero: Hero, item: str, group: Group | None) -> None:
    """OU-A6, 11.4."""
    hero.items[item] -= 1
    if fight.trace is not None:
        tell(fight, f"{hero.name} uses {item}")
    if item == "healing_potion":
        regain_health(fight, hero, fight.luck.die(6, "OU-A6", fight.round, hero.index))
    elif item == "war_tonic":
        hero.tonic += 1
    elif item == "stone_oil":
        hero.oil += 1
    elif item == "smoke_flask":
        group.attack_mod -= 1
    else:
        group.defence_mod -= 1


def move(fight: Fight, hero: Hero) -> None:
    """OU-A9, OU-R8: to the other guard, neutral until the end of the round."""
    hero.front = not hero.front
    hero.stance = "neutral"
    if fight.trace is not None:
        tell(fight, f"{hero.name} moves to the {'front' if hero.front else 'rear'}")


def stay(fight: Fight, hero: Hero) -> None:
    """OU-A10."""


ACTIONS: dict[str, Callable[..., None]] = {
    "melee": melee,
    "sneak": sneak_attack,
    "frenzy": frenzy,
    "dual": dual_wield,
    "bash": shield_bash,
    "ranged": ranged,
    "dart": magic_dart,
    "heal": heal,
    "bless": bless,
    "item": use_item,
    "move": move,
    "pass": stay,
}
Action = tuple[Any, ...]  # a key of ACTIONS, then its arguments


# ---------------------------------------------------------------------------------------------------------------------
# Monsters (sections 6 and 7)
# ---------------------------------------------------------------------------------------------------------------------


def attack_value(fight: Fight, group: Group) -> int:
    """OU-E9, with the leader aura of 11.3."""
    value = group.sheet.attack + group.attack_mod
    if group.sheet.gets_aura and any(other.sheet.leader and other.n > 0 for other in fight.groups):
        value += 1
    return max(0, value)


def legal_targets(fight: Fight, group: Group) -> list[Hero]:
    """OU-E3, OU-E4, OU-E5: whom a monster of this group may attack now."""
    standing = standing_heroes(fight)
    if not group.front:
        return standing
    if fight.rules.rear_protection == "outnumbered":
        rear_open = monster_front(fight) > hero_front(fight)
    else:
        rear_open = front_count(fight) == 0
    if rear_open:
        return standing
    return [hero for hero in standing if hero.front]


def threat(fight: Fight, hero: Hero, group: Group) -> int:
    """OU-E6: the kills a monster of this group remembers."""
    table = fight.kills_prev if fight.rules.threat_window == "previous_round" else fight.kills_now
    kills = table[hero.index]
    return kills[group.index] if fight.rules.threat_scope == "group" else sum(kills)


def most_threatening(fight: Fight, group: Group, legal: list[Hero]) -> list[Hero]:
    """OU-E6: the legal heroes with the highest score."""
    scores = [threat(fight, hero, group) for hero in legal]
    highest = max(scores)
    return [hero for hero, score in zip(legal, scores, strict=True) if score == highest]


def choose_target(fight: Fight, group: Group, legal: list[Hero], m: int, order: list[int]) -> Hero:
    """OU-E6 to OU-E8: the target of the group's m-th attack of this phase."""
    targeting = fight.rules.monster_targeting
    if targeting == "spread":
        ranked = sorted(legal, key=lambda hero: (-threat(fight, hero, group), order.index(hero.index)))
        return ranked[m % len(ranked)]
    candidates = legal
    if targeting == "focus":
        candidates = most_threatening(fight, group, legal)
        if fight.rules.party_choice == "best_for_party":
            return max(candidates, key=lambda hero: (hero.health, -hero.index))
    if len(candidates) == 1:
        return candidates[0]
    return candidates[fight.luck.below(len(candidates), "OU-E7", fight.round, ENEMIES + group.index, m)]


def monster_phase(fight: Fight) -> None:
    """OU-E1, OU-E2, OU-R6: groups in list order, each monster that is not bashed attacks once."""
    places = fight.room.front_max
    for group in fight.groups:
        attacks = max(0, group.n - group.bashed)
        if group.front and places is not None:
            attacks = min(attacks, places)
            places -= attacks
        order: list[int] = []
        if attacks and fight.rules.monster_targeting == "spread":
            order = fight.luck.order(range(len(fight.heroes)), "OU-E8", fight.round, ENEMIES + group.index)
        for m in range(attacks):
            target = choose_target(fight, group, legal_targets(fight, group), m, order)
            monster_attack(fight, group, target, m)
            if fight.outcome:
                return


def defence_attribute(rules: Rules, hero: Hero, group: Group) -> str:
    """OU-D1."""
    if rules.defense_die == "matching":
        return "vigor" if group.front else "quick"
    if rules.defense_die == "quick":
        return "quick"
    return "quick" if hero.quick > hero.vigor else "vigor"


def defence_bonus(fight: Fight, hero: Hero, stance: str) -> int:
    """OU-D2, OU-D5: what is added to a defence die."""
    position = -STANCE_ATTACK[stance] if hero.front else fight.rules.rear_shift
    return position + hero.oil + (hero.level if fight.rules.level_for_all else 0)


def is_dodged(total: int, attack: int, dodge_on_equal: bool) -> bool:
    """OU-D2."""
    return total > attack or (total == attack and dodge_on_equal)


def damage_of_hit(attack: int, total: int, monster_damage: str, dodge_on_equal: bool) -> int:
    """OU-D3."""
    if monster_damage == "one":
        return 1
    if monster_damage == "margin":
        return max(1, attack - total + (0 if dodge_on_equal else 1))
    return max(1, attack)


def helpless_damage(attack: int, monster_damage: str) -> int:
    """OU-D10, and D* of `focus_expert`: a hit without a defence roll."""
    return 1 if monster_damage == "one" else max(1, attack)


def monster_attack(fight: Fight, group: Group, hero: Hero, m: int) -> None:
    """OU-D1 to OU-D10: one attack on a hero, the defence, the damage, the touch."""
    rules = fight.rules
    attack = attack_value(fight, group)
    if hero.paralysed > 0 and rules.paralysed_defense == "none":
        damage = helpless_damage(attack, rules.monster_damage)
    else:
        attribute = defence_attribute(rules, hero, group)
        face = roll_attribute(fight, hero, attribute, "OU-D2", ENEMIES + group.index, m)
        total = face + defence_bonus(fight, hero, hero.stance)
        if is_dodged(total, attack, rules.dodge_on_equal):
            hero.dodged += 1
            if fight.trace is not None:
                tell(fight, f"{hero.name} dodges {group.sheet.name}")
            return
        damage = damage_of_hit(attack, total, rules.monster_damage, rules.dodge_on_equal)
    if damage >= hero.health:
        hero = accept_the_blade(fight, group, hero, attack, damage, m)
    if fight.trace is not None:
        tell(fight, f"{group.sheet.name} hits {hero.name}")
    lose_health(fight, hero, damage)
    if hero.health > 0 and group.sheet.touch:
        touch(fight, group, hero, m)


def accept_the_blade(fight: Fight, group: Group, victim: Hero, attack: int, damage: int, m: int) -> Hero:
    """OU-F5: who takes the hit in the end: the first warrior who can try, if the try works, else the victim."""
    for hero in fight.heroes:
        able = hero.health > damage and hero.paralysed == 0 and not hero.accepted
        if hero is not victim and "accept_the_blade" in hero.feats and able:
            hero.accepted = True
            face = roll_attribute(fight, hero, "quick", "OU-F5", ENEMIES + group.index, m)
            return hero if face > attack else victim
    return victim


def touch(fight: Fight, group: Group, hero: Hero, m: int) -> None:
    """OU-D6 to OU-D9: a vigor check of difficulty 3 against paralysis or life drain."""
    actor = ENEMIES + group.index
    if group.sheet.touch == "paralysis":
        if roll_attribute(fight, hero, "vigor", "OU-D7", actor, m) < fight.rules.check_target:
            length = fight.luck.die(4, "OU-D7", fight.round, actor, m + PARALYSIS_LENGTH)
            hero.paralysed = max(hero.paralysed, length)
            hero.stance = "neutral"
            if fight.trace is not None:
                tell(fight, f"{hero.name} is paralysed: {hero.paralysed}")
    elif roll_attribute(fight, hero, "vigor", "OU-D8", actor, m) < fight.rules.check_target:
        hero.vigor = step(hero.vigor, -1)
        if fight.trace is not None:
            tell(fight, f"{hero.name} is drained to d{hero.vigor}")


# ---------------------------------------------------------------------------------------------------------------------
# Expectations of the policies (section 10), in exact fractions
# ---------------------------------------------------------------------------------------------------------------------

Chances = tuple[Fraction, ...]  # the chance of 0, 1, 2, ... hits


@cache
def face_chances(die: int, roll: str = "plain") -> dict[int, Fraction]:
    """OU-U8: the chance of each face of a die, plain or with advantage or disadvantage."""
    faces = range(1, die + 1)
    if roll == "plain":
        return {face: Fraction(1, die) for face in faces}
    keep = max if roll == "advantage" else min
    chances = dict.fromkeys(faces, Fraction(0))
    for first in faces:
        for second in faces:
            chances[keep(first, second)] += Fraction(1, die * die)
    return chances


def gather(chances: Iterable[tuple[int, Fraction]]) -> Chances:
    """Chances by number of hits, equal numbers added up."""
    by_hits: dict[int, Fraction] = {}
    for hits, chance in chances:
        by_hits[hits] = by_hits.get(hits, Fraction(0)) + chance
    return tuple(by_hits.get(hits, Fraction(0)) for hits in range(max(by_hits) + 1))


@cache
def attack_chances(die: int, bonus: int, defence: int, hit_on_equal: bool, roll: str = "plain") -> Chances:
    """OU-A1: hits of one attack."""
    return gather(
        (hit_count(face + bonus, defence, hit_on_equal), chance) for face, chance in face_chances(die, roll).items()
    )


def both(first: Chances, second: Chances, cap: int) -> Chances:
    """Hits of two attacks together, at most `cap`."""
    return gather((min(cap, a + b), chance * other) for a, chance in enumerate(first) for b, other in enumerate(second))


NO_HIT: Chances = (Fraction(1),)
UNCAPPED = 10_000


def frenzy_chances(die: int, bonus: int, defence: int, hit_on_equal: bool, cap: int) -> Chances:
    """OU-F3, both attacks on one group."""
    first = attack_chances(die, bonus, defence, hit_on_equal)
    second = attack_chances(die, bonus, defence, hit_on_equal, "disadvantage")
    return both(first, second, cap)


def series_chances(opening: Chances, attack: Chances, cap: int) -> Chances:
    """OU-C3, OU-F4: as many attacks as the opening roll has hits."""
    total: list[tuple[int, Fraction]] = []
    hits = NO_HIT
    for chance in opening:
        total += [(min(cap, number), chance * other) for number, other in enumerate(hits)]
        hits = both(hits, attack, cap)
    return gather(total)


def dart_chances(
    dice: tuple[int, ...],
    successes: tuple[tuple[int, ...], ...],
    same_roll: bool,
    bonus: int,
    defence: int,
    hit_on_equal: bool,
    cap: int,
) -> Chances:
    """OU-G5 without mishaps: `successes` are the faces of each casting die that fire a dart."""
    total = NO_HIT
    for die, faces in zip(dice, successes, strict=True):
        if same_roll:
            dart = gather(
                (hit_count(face + bonus, defence, hit_on_equal) if face in faces else 0, Fraction(1, die))
                for face in range(1, die + 1)
            )
        else:
            fired = Fraction(len(faces), die)
            thrown = attack_chances(die, bonus, defence, hit_on_equal)
            dart = gather([(0, 1 - fired), *((hits, fired * chance) for hits, chance in enumerate(thrown))])
        total = both(total, dart, cap)
    return total


def mean_hits(chances: Chances, cap: int = UNCAPPED) -> Fraction:
    """Expected hits, at most `cap` counted."""
    return sum((min(cap, hits) * chance for hits, chance in enumerate(chances)), Fraction(0))


@cache
def melee_kills(die: int, bonus: int, defence: int, hit_on_equal: bool, n: int) -> float:
    """EK of one attack."""
    return float(mean_hits(attack_chances(die, bonus, defence, hit_on_equal), n))


@cache
def frenzy_kills(die: int, bonus: int, defence: int, hit_on_equal: bool, n: int) -> float:
    """EK of Frenzy."""
    return float(mean_hits(frenzy_chances(die, bonus, defence, hit_on_equal, n)))


@cache
def series_kills(
    opening_die: int, opening_defence: int, die: int, bonus: int, defence: int, hit_on_equal: bool, n: int
) -> float:
    """EK of Sneak Attack and Dual Wield."""
    opening = attack_chances(opening_die, 0, opening_defence, hit_on_equal)
    return float(mean_hits(series_chances(opening, attack_chances(die, bonus, defence, hit_on_equal), n)))


@cache
def dart_kills(
    dice: tuple[int, ...],
    successes: tuple[tuple[int, ...], ...],
    same_roll: bool,
    bonus: int,
    defence: int,
    hit_on_equal: bool,
    n: int,
) -> float:
    """EK of Magic Dart."""
    return float(mean_hits(dart_chances(dice, successes, same_roll, bonus, defence, hit_on_equal, n)))


def expected_kills(fight: Fight, hero: Hero, kind: str, group: Group, stance: str, push: int) -> float:
    """EK of section 10: exact expected kills, at most n; no blessings, no mishap effects, no second target."""
    rules = fight.rules
    meet = rules.hit_on_equal
    if kind == "dart":
        bonus = attack_bonus(fight, hero, stance, 0)
        dice = casting_dice(hero.smart, push, rules.push_ladder)
        successes = casting_successes(dice, rules)
        same_roll = rules.dart_roll == "same_roll"
        return dart_kills(dice, successes, same_roll, bonus, group.defence_against("magic"), meet, group.n)
    if kind == "ranged":
        bonus = attack_bonus(fight, hero, stance, 0)
        return melee_kills(hero.quick, bonus, group.defence_against(hero.ranged_tag), meet, group.n)
    bonus = attack_bonus(fight, hero, stance, melee_level(hero, kind))
    defence = group.defence_against(hero.melee_tag)
    die = getattr(hero, melee_attribute(fight, hero))
    if kind == "melee":
        return melee_kills(die, bonus, defence, meet, group.n)
    if kind == "frenzy":
        return frenzy_kills(die, bonus, defence, meet, group.n)
    return series_kills(hero.quick, group.defence_against("opening"), die, bonus, defence, meet, group.n)


@cache
def mean_loss(die: int, bonus: int, attack: int, monster_damage: str, dodge_on_equal: bool) -> Fraction:
    """Expected damage of one attack against a defence die."""
    total = sum(
        damage_of_hit(attack, face + bonus, monster_damage, dodge_on_equal)
        for face in range(1, die + 1)
        if not is_dodged(face + bonus, attack, dodge_on_equal)
    )
    return Fraction(total, die)


@cache
def mean_loss_value(die: int, bonus: int, attack: int, monster_damage: str, dodge_on_equal: bool) -> float:
    return float(mean_loss(die, bonus, attack, monster_damage, dodge_on_equal))


def expected_loss(fight: Fight, hero: Hero, group: Group, stance: str, attack: int) -> float:
    """e(h, g, s) of section 10, `attack` being the group's attack value now."""
    rules = fight.rules
    die = getattr(hero, defence_attribute(rules, hero, group))
    bonus = defence_bonus(fight, hero, stance)
    return mean_loss_value(die, bonus, attack, rules.monster_damage, rules.dodge_on_equal)


@cache
def chance_of_a_one(dice: tuple[int, ...]) -> Fraction:
    """P(any casting die shows 1)."""
    none = Fraction(1)
    for die in dice:
        none *= Fraction(die - 1, die)
    return 1 - none


@cache
def safe_push(smart: int, level: int, push_ladder: str) -> int:
    """`focus_expert`: the most pushes with a chance of a mishap of at most one in three (0 if there is none)."""
    allowed = [
        push
        for push in range(level // 2 + 1)
        if chance_of_a_one(casting_dice(smart, push, push_ladder)) <= Fraction(1, 3)
    ]
    return max(allowed, default=0)


# ---------------------------------------------------------------------------------------------------------------------
# Policies (section 10)
# ---------------------------------------------------------------------------------------------------------------------

MELEE_KINDS = ("melee", "sneak", "frenzy", "dual")
ALL_KINDS = (*MELEE_KINDS, "ranged", "dart")
CAUTIOUS_KINDS = ("melee", "sneak", "ranged", "dart")
RANDOM_KINDS = ("melee", "sneak", "frenzy", "dual", "bash")


def options(fight: Fight, hero: Hero, kinds: Sequence[str]) -> list[tuple[str, Group]]:
    """The legal attacks of a hero: kinds in the fixed order, groups in list order."""
    found: list[tuple[str, Group]] = []
    if hero.front:
        targets = melee_targets(fight)
        for kind in MELEE_KINDS:
            if kind in kinds and knows(fight, hero, kind):
                found += [(kind, group) for group in targets]
    elif may_shoot(hero):
        found += [("ranged", group) for group in living_groups(fight)]
    if may_cast(fight, hero):
        found += [("dart", group) for group in living_groups(fight)]
    return found


def best_option(
    fight: Fight,
    hero: Hero,
    kinds: Sequence[str],
    stance: str,
    push: int,
    worth: dict[int, float] | None = None,
) -> tuple[Action | None, float]:
    """Best by w: the largest EK x w; the earlier kind, then the earlier group among equals."""
    best: Action | None = None
    best_value = 0.0
    for kind, group in options(fight, hero, kinds):
        value = expected_kills(fight, hero, kind, group, stance, push)
        if worth is not None:
            value *= worth[group.index]
        if best is None or value > best_value + TIE:
            best = ("dart", group, push) if kind == "dart" else (kind, group)
            best_value = value
    return best, best_value


def rear_hero_without_option(fight: Fight, hero: Hero) -> Action:
    """Moves to the front if legal, unless only a cast block stands in the way of a spell; else passes."""
    if hero.front:
        return ("pass",)
    only_blocked = hero.job == "magic_user" and hero.blocked_round == fight.round and not hero.silenced
    if not only_blocked and may_move(fight, hero):
        return ("move",)
    return ("pass",)


# random_legal


def random_stance(fight: Fight, hero: Hero) -> str:
    return STANCES[fight.luck.below(3, "stance", fight.round, hero.index)]


def random_choices(fight: Fight, hero: Hero) -> list[list[Action]]:
    """Every legal action, kind by kind; kinds without a choice are left out."""
    living = living_groups(fight)
    kinds: list[list[Action]] = []
    if hero.front:
        targets = melee_targets(fight)
        kinds += [[(kind, group) for group in targets] for kind in RANDOM_KINDS if knows(fight, hero, kind)]
    elif may_shoot(hero):
        kinds.append([("ranged", group) for group in living])
    if may_cast(fight, hero):
        kinds.append([("dart", group, push) for push in range(hero.level // 2 + 1) for group in living])
    if may_pray(hero):
        hurt = [patient for patient in patients(fight) if patient.health < patient.max_health]
        bumps = range(fight.rules.bump_max + 1)
        kinds.append([("heal", patient, bump) for patient in hurt for bump in bumps])
        kinds.append(
            [
                ("bless", friend, attribute)
                for friend in standing_heroes(fight)
                for attribute in ATTRIBUTES
                if attribute not in friend.blessed
            ]
        )
    kinds.append(item_choices(fight, hero, living))
    if may_move(fight, hero):
        kinds.append([("move",)])
    return [choices for choices in kinds if choices]


def item_choices(fight: Fight, hero: Hero, living: list[Group]) -> list[Action]:
    """Every useful item and target: a potion only below the maximum, the others always."""
    choices: list[Action] = []
    for item in ITEMS:
        if hero.items.get(item, 0) == 0:
            continue
        if item in ("smoke_flask", "acid_flask"):
            choices += [("item", item, group) for group in living]
        elif item != "healing_potion" or hero.health < hero.max_health:
            choices.append(("item", item, None))
    return choices


def random_action(fight: Fight, hero: Hero) -> Action:
    kinds = random_choices(fight, hero)
    if not kinds:
        return ("pass",)
    choices = kinds[fight.luck.below(len(kinds), "kind", fight.round, hero.index)]
    return choices[fight.luck.below(len(choices), "choice", fight.round, hero.index)]


# plain


def plain_stance(fight: Fight, hero: Hero) -> str:
    return fight.prepared.stance


def plain_action(fight: Fight, hero: Hero) -> Action:
    if may_cast(fight, hero):
        return ("dart", living_groups(fight)[0], 0)
    if may_shoot(hero):
        return ("ranged", living_groups(fight)[0])
    if not hero.front:
        return ("pass",)
    kind = "melee"
    if fight.prepared.rogue_sneak and knows(fight, hero, "sneak"):
        kind = "sneak"
    elif fight.prepared.warrior_frenzy and knows(fight, hero, "frenzy"):
        kind = "frenzy"
    return (kind, melee_targets(fight)[0])


# aggressive


def aggressive_stance(fight: Fight, hero: Hero) -> str:
    return "aggressive"


def aggressive_action(fight: Fight, hero: Hero) -> Action:
    best, _ = best_option(fight, hero, ALL_KINDS, hero.stance, hero.level // 2)
    return best if best is not None else rear_hero_without_option(fight, hero)


# cautious, and prudent once it fights


def cautious_stance(fight: Fight, hero: Hero) -> str:
    return "defensive" if 2 * hero.health <= hero.max_health else "neutral"


def cautious_action(fight: Fight, hero: Hero) -> Action:
    badly_hurt = 3 * hero.health <= hero.max_health
    if badly_hurt and hero.items.get("healing_potion", 0) > 0:
        return ("item", "healing_potion", None)
    if may_pray(hero):
        hurt = [patient for patient in patients(fight) if 2 * patient.health <= patient.max_health]
        if hurt:
            return ("heal", min(hurt, key=lambda patient: patient.health / patient.max_health), 0)
    if badly_hurt and wants_to_fall_back(fight, hero):
        return ("move",)
    best, _ = best_option(fight, hero, CAUTIOUS_KINDS, hero.stance, 0)
    return best if best is not None else rear_hero_without_option(fight, hero)


def wants_to_fall_back(fight: Fight, hero: Hero) -> bool:
    """Rule 3 of `cautious` and `focus_expert`, but for the health."""
    return hero.job != "warrior" and hero.front and hero.has_rear_attack and may_move(fight, hero)


# focus_expert


def threat_values(fight: Fight) -> dict[int, float]:
    """TV(g): the mean loss, in a neutral stance, of the heroes legal for g now."""
    values = {}
    for group in living_groups(fight):
        legal = legal_targets(fight, group)
        attack = attack_value(fight, group)
        values[group.index] = sum(expected_loss(fight, hero, group, "neutral", attack) for hero in legal) / len(legal)
    return values


def largest_damage(fight: Fight) -> int:
    """D*: the largest damage of one hit of any living group."""
    kind = fight.rules.monster_damage
    return max(helpless_damage(attack_value(fight, group), kind) for group in living_groups(fight))


def expert_push(fight: Fight, hero: Hero) -> int:
    if hero.job != "magic_user" or hero.health <= 2:
        return 0
    return safe_push(hero.smart, hero.level, fight.rules.push_ladder)


def expert_stance(fight: Fight, hero: Hero) -> str:
    """4 x the best EK x TV, less the share of all attacks on this hero."""
    worth = threat_values(fight)
    push = expert_push(fight, hero)
    shares = [
        (group, group.n / len(legal), attack_value(fight, group))
        for group in living_groups(fight)
        for legal in [legal_targets(fight, group)]
        if hero in legal
    ]
    best_stance, best_score = "", 0.0
    for stance in STANCES:
        _, value = best_option(fight, hero, ALL_KINDS, stance, push, worth)
        loss = sum(share * expected_loss(fight, hero, group, stance, attack) for group, share, attack in shares)
        score = 4 * value - loss
        if not best_stance or score > best_score + TIE:
            best_stance, best_score = stance, score
    return best_stance


def expert_action(fight: Fight, hero: Hero) -> Action:
    danger = largest_damage(fight)
    if hero.items.get("healing_potion", 0) > 0 and in_danger(hero, danger):
        return ("item", "healing_potion", None)
    if may_pray(hero):
        hurt = [patient for patient in patients(fight) if in_danger(patient, danger)]
        if hurt:
            patient = min(hurt, key=lambda patient: patient.health)
            bump = fight.rules.bump_max >= 1 and patient.max_health - patient.health >= 7
            return ("heal", patient, 1 if bump else 0)
    if hero.health <= danger and wants_to_fall_back(fight, hero):
        return ("move",)
    best, value = best_option(fight, hero, ALL_KINDS, hero.stance, expert_push(fight, hero), threat_values(fight))
    if best is not None and value > TIE:
        return best
    if may_pray(hero):
        for friend in standing_heroes(fight):
            if friend.front and friend.job == "warrior" and "vigor" not in friend.blessed:
                return ("bless", friend, "vigor")
    return best if best is not None else rear_hero_without_option(fight, hero)


def in_danger(hero: Hero, danger: int) -> bool:
    """One more hit may bring the hero down, and a healing die would not be wasted."""
    return hero.health <= danger and hero.max_health - hero.health >= 3


STANCE_OF: dict[str, Callable[[Fight, Hero], str]] = {
    "random_legal": random_stance,
    "plain": plain_stance,
    "aggressive": aggressive_stance,
    "cautious": cautious_stance,
    "focus_expert": expert_stance,
    "prudent": cautious_stance,
}
ACTION_OF: dict[str, Callable[[Fight, Hero], Action]] = {
    "random_legal": random_action,
    "plain": plain_action,
    "aggressive": aggressive_action,
    "cautious": cautious_action,
    "focus_expert": expert_action,
    "prudent": cautious_action,
}


# ---------------------------------------------------------------------------------------------------------------------
# Before round 1 (section 3)
# ---------------------------------------------------------------------------------------------------------------------


def set_up(prepared: Prepared, luck: Luck, trace: list[str] | None = None) -> Fight:
    """OU-S1 to OU-S3, OU-S6: build, numbers, scaling, formation."""
    fight = Fight(prepared, luck, trace)
    what = prepared.fixed
    if what is None:
        what = prepared.rows.get(roll_dice(prepared.roll, luck, "OU-11.7", TABLE), Row((), False))
    fight.trap = what.trap
    for sheet in what.groups:
        n = roll_dice(sheet.count, luck, "OU-S2", ENEMIES + sheet.index)
        if prepared.rules.scaling in ("number", "all"):
            n = n * (2 + prepared.scale) // 2
        fight.groups.append(Group(sheet, n))
    fight.kills_now = no_kills(fight)
    fight.kills_prev = no_kills(fight)
    form_up(fight)
    return fight


def no_kills(fight: Fight) -> list[list[int]]:
    """OU-U7: a kill table of zeros."""
    return [[0] * len(fight.groups) for _ in fight.heroes]


def engagement(fight: Fight) -> str:
    """OU-S7, and `prudent`: attack, talk or sneak."""
    chosen = fight.prepared.engage
    if chosen is not None:
        return chosen
    if fight.prepared.policy == "prudent" and monster_number(fight) > 2 * hero_number(fight):
        all_talk = all(group.sheet.talk is not None for group in living_groups(fight))
        return "talk" if all_talk else "sneak"
    return "attack"


def reaction_row(total: int) -> str:
    """Table 3.1."""
    if total <= 4:
        return "enraged"
    if total <= 7:
        return "hostile"
    return "indifferent" if total <= 10 else "friendly"


def talk(fight: Fight) -> str:
    """OU-S8: the row of the reaction table."""
    modifiers = [group.sheet.talk for group in living_groups(fight)]
    if None in modifiers:
        return "hostile"
    dice = fight.luck.die(6, "OU-S8", 0, TABLE, 0) + fight.luck.die(6, "OU-S8", 0, TABLE, 1)
    return reaction_row(dice + min(modifiers))


def sneak_past(fight: Fight) -> bool:
    """OU-S9: who must beat the highest alert value with the quick die."""
    alert = max(group.sheet.alert for group in living_groups(fight))
    check = fight.rules.stealth_check
    rolling = standing_heroes(fight)
    if check == "leader":
        rolling = [max(rolling, key=lambda hero: (hero.quick, -hero.index))]
    elif check == "weakest":
        rolling = [min(rolling, key=lambda hero: (hero.quick, hero.index))]
    passed = sum(1 for hero in rolling if roll_attribute(fight, hero, "quick", "OU-S9", hero.index) > alert)
    if check == "majority":
        return 2 * passed >= len(rolling)
    return passed == len(rolling)


def engage(fight: Fight) -> tuple[str, bool]:
    """OU-S7 to OU-S9: how it begins ("combat", "surprise" or "avoided"), and whether as friends."""
    how = engagement(fight)
    if how == "talk":
        row = talk(fight)
        if row == "enraged" and fight.rules.talk_fail == "surprise":
            return "surprise", False
        return ("avoided" if row in ("indifferent", "friendly") else "combat"), row == "friendly"
    if how == "sneak":
        if sneak_past(fight):
            return "avoided", False
        return ("surprise" if fight.rules.sneak_fail == "surprise" else "combat"), False
    return "combat", False


def spring_trap(fight: Fight) -> None:
    """OU-S11: a random front hero makes a quick check of difficulty 3 or loses 1d4."""
    front = [hero for hero in fight.heroes if hero.front and hero.health > 0]
    if not front:
        return
    hero = front[fight.luck.below(len(front), "OU-S11", 0, TABLE)]
    if roll_attribute(fight, hero, "quick", "OU-S11", hero.index) < fight.rules.check_target:
        lose_health(fight, hero, fight.luck.die(4, "OU-S11", 0, hero.index, 1))


# ---------------------------------------------------------------------------------------------------------------------
# Rounds (section 4)
# ---------------------------------------------------------------------------------------------------------------------


def choose_stances(fight: Fight) -> None:
    """OU-R3: every front hero who can move gets a stance of the policy; all others are neutral."""
    stance_of = STANCE_OF[fight.prepared.policy]
    for hero in fight.heroes:
        hero.stance = "neutral"
    for hero in fight.heroes:
        if hero.front and hero.health > 0 and hero.paralysed == 0:
            hero.stance = stance_of(fight, hero)


def hero_phase(fight: Fight) -> None:
    """OU-R4, OU-R5: one action each in roster order; afterwards a lost phase brings paralysis nearer its end."""
    action_of = ACTION_OF[fight.prepared.policy]
    for hero in fight.heroes:
        hero.lost_phase = hero.health > 0 and hero.paralysed > 0
        if hero.health == 0 or hero.lost_phase or hero.rose_in == fight.round:
            continue
        kind, *target = action_of(fight, hero)
        ACTIONS[kind](fight, hero, *target)
        if fight.outcome:
            return
        if monster_number(fight) == 0:
            fight.outcome = "win"  # OU-Z1
            return
    for hero in fight.heroes:
        if hero.lost_phase and hero.paralysed > 0:
            hero.paralysed -= 1


def play_round(fight: Fight) -> None:
    """OU-R1 to OU-R7."""
    fight.round += 1
    for hero in fight.heroes:
        hero.accepted = False
    step_up(fight)
    choose_stances(fight)
    hero_phase(fight)
    if not fight.outcome:
        monster_phase(fight)
    if not fight.outcome:
        end_round(fight)


def end_round(fight: Fight) -> None:
    """OU-R7."""
    for group in fight.groups:
        group.bashed = 0
    fight.kills_prev = fight.kills_now
    fight.kills_now = no_kills(fight)
    if fight.round >= fight.rules.round_cap:
        fight.outcome = "draw"


def play(prepared: Prepared, luck: Luck, trace: list[str] | None = None) -> Result:
    """One run from set-up to the end (OU-S12). `trace` collects what happens, line by line."""
    fight = set_up(prepared, luck, trace)
    if monster_number(fight) == 0:
        return result_of(fight, "empty")
    beginning, friendly = engage(fight)
    if beginning == "avoided":
        return result_of(fight, "avoided", friendly)
    if fight.trap and fight.rules.traps == "on":
        spring_trap(fight)
    if beginning == "surprise" and not fight.outcome:
        monster_phase(fight)  # OU-S10
    while not fight.outcome:
        play_round(fight)
    return result_of(fight, fight.outcome)


def result_of(fight: Fight, outcome: str, friendly: bool = False) -> Result:
    """OU-Z4, OU-Z5."""
    standing = hero_number(fight)
    xp = sum((group.start - group.n) * group.sheet.xp for group in fight.groups) if standing else 0
    heroes = fight.heroes
    return Result(
        outcome=outcome,
        rounds=fight.round,
        friendly=friendly,
        standing=standing,
        health=[hero.health for hero in heroes],
        front=[hero.front for hero in heroes],
        vigor=[hero.vigor for hero in heroes],
        kills=[hero.kills for hero in heroes],
        damage_taken=[hero.damage_taken for hero in heroes],
        dodged=[hero.dodged for hero in heroes],
        mishaps=[hero.mishaps for hero in heroes],
        lapses=[hero.lapses for hero in heroes],
        restored=[hero.restored for hero in heroes],
        items_left=[{item: count for item, count in hero.items.items() if count} for hero in heroes],
        monsters_start=[group.start for group in fight.groups],
        monsters_left=[group.n for group in fight.groups],
        xp=xp,
    )
