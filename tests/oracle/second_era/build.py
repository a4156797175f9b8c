"""From a scenario (the dict that `tomllib` makes of a file) to what stays the same in every run (section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from tests.oracle.second_era import data
from tests.oracle.second_era.board import Board, build_board
from tests.oracle.second_era.own_types import all_classes, all_creatures


@dataclass(frozen=True)
class HeroPlan:
    """An adventurer as it enters the battle (SE-S7)."""

    name: str
    archetype: str  # whose part it plays in the policies
    race: str
    abilities: str
    form: str  # primary form
    policy: str
    health: int
    stamina: int
    magicka: int
    cooldown: int
    available: tuple[tuple[str, int], ...]  # dice that are not in the track
    track: tuple[str, ...]
    hp: int
    bonus_hp: int
    tenacity: int
    rank: dict[str, int]  # sort order of SE-A9
    hex: int


@dataclass(frozen=True)
class CreaturePlan:
    """An enemy or a companion as it enters the battle."""

    name: str
    type: str
    level: int | str
    health: int
    range: int
    combat: int
    defense: int
    targets: int
    strongest: bool  # priority; means nothing for a companion
    skills: dict[str, int]  # in chip order; the number of a skill, 1 if it has none
    hp: int
    statuses: tuple[str, ...]
    objective: bool
    hex: int | None  # None: a companion that waits for an entrance hex


@dataclass(frozen=True)
class Prepared:
    """A scenario ready to be played any number of times."""

    title: str
    board: Board
    switches: dict[str, Any]
    heroes: tuple[HeroPlan, ...]
    companions: tuple[CreaturePlan, ...]
    enemies: tuple[CreaturePlan, ...]  # the listed ones
    pool: tuple[tuple[int, int], ...]  # level and hex of every enemy to be drawn (SE-S3)
    bags: dict[int, list[CreaturePlan]]  # SE-S4: by level, in the order of the enemy table
    objective: str
    reward: int
    retreat_below: int
    enemy_faces: tuple[int, ...]


def prepare(scenario: dict[str, Any]) -> Prepared:
    """Everything about a scenario that no run changes."""
    switches = read_switches(scenario)
    board = build_board(scenario.get("map", "clash"), switches["sight_rule"])
    size = len(scenario["heroes"])
    xp = party_xp(scenario.get("level", 2), switches["difficulty"], size)
    heroes = [plan_hero(entry, scenario, xp, board) for entry in scenario["heroes"]]
    own = scenario.get("monsters", {})
    rows = all_creatures(own)
    companions = plan_creatures(scenario.get("companions", ()), rows, own, board)
    enemies = plan_creatures(scenario.get("enemies", ()), rows, own, board)
    heroes, companions, enemies, free = deploy(heroes, companions, enemies, board)
    pool: list[tuple[int, int]] = []
    if "pool" in scenario:
        points = pool_points(scenario["pool"].get("points", xp * size), switches["ep_mult"])
        pool = list(zip(pool_levels(points, len(free)), free, strict=False))
    objective = scenario.get("objective", "conquer")
    if objective == "eliminate":
        enemies = mark_objectives(enemies)
    if not enemies and "pool" not in scenario:
        raise ValueError("enemies: a battle needs at least one enemy")
    return Prepared(
        title=scenario.get("title", ""),
        board=board,
        switches=switches,
        heroes=tuple(heroes),
        companions=tuple(companions),
        enemies=tuple(enemies),
        pool=tuple(pool),
        bags=fill_bags(scenario, rows, own, board),
        objective=objective,
        reward=scenario.get("reward", 2),
        retreat_below=0 if switches["retreat"] == "never" else int(switches["retreat"].removeprefix("hp<")),
        enemy_faces=data.ENEMY_DICE[switches["enemy_die"]],
    )


def read_switches(scenario: dict[str, Any]) -> dict[str, Any]:
    """Section 9: the defaults, then the preset, then the scenario's own."""
    preset = scenario.get("preset", "official")
    if preset not in data.PRESETS:
        raise ValueError(f"preset: unknown preset {preset!r}; known: {', '.join(data.PRESETS)}")
    switches = {**data.DEFAULTS, **data.PRESETS[preset], **scenario.get("switches", {})}
    for name, value in switches.items():
        if name not in data.DEFAULTS:
            raise ValueError(f"switches.{name}: unknown switch")
        if name in data.CHOICES and value not in data.CHOICES[name]:
            raise ValueError(f"switches.{name}: {value!r} is not one of {data.CHOICES[name]}")
    return switches


def party_xp(level: int | str, difficulty: str, players: int) -> int:
    """SE-L1, or the XP goal of a campaign part (11.5)."""
    if isinstance(level, int):
        return level
    return data.XP_GOALS[level][difficulty][min(players, 4) - 1]


# ---------------------------------------------------------------------------------------------------------------------
# Adventurers
# ---------------------------------------------------------------------------------------------------------------------


def plan_hero(entry: dict[str, Any], scenario: dict[str, Any], xp: int, board: Board) -> HeroPlan:
    """An adventurer: archetype, purchases, then the scenario's own numbers."""
    called = all_classes(scenario.get("classes", {}))[entry["class"]]
    archetype = called.archetype
    race_name = entry.get("race", archetype.race)
    stats, dice = buy(archetype, data.RACES[race_name]._replace(**called.numbers), entry.get("xp", xp))
    dice = dict(entry.get("dice", dice))
    track = tuple(entry.get("track", ()))
    if len(track) > data.TRACK_SIZE:
        raise ValueError(f"heroes.track: {len(track)} dice, but a track holds {data.TRACK_SIZE}")
    for die in track:
        if die in data.DICE:
            dice[die] = dice.get(die, 0) - 1
            if dice[die] < 0:
                raise ValueError(f"heroes.track: {die} is not among the dice of this adventurer")
    order = [*archetype.type_order, *(die for die in data.DICE if die not in archetype.type_order)]
    policy = entry.get("policy", scenario.get("policy", "focus_fire"))
    if policy not in data.POLICY_NAMES:
        raise ValueError(f"policy: unknown policy {policy!r}; known: {', '.join(data.POLICY_NAMES)}")
    health = entry.get("health", stats["H"])
    return HeroPlan(
        name=entry.get("name", called.name),
        archetype=called.plays_as,
        race=race_name,
        abilities=archetype.abilities,
        form=entry.get("form", archetype.form),
        policy=policy,
        health=health,
        stamina=entry.get("stamina", stats["S"]),
        magicka=entry.get("magicka", stats["M"]),
        cooldown=entry.get("cooldown", stats["CD"]),
        available=tuple((die, count) for die, count in dice.items() if count > 0),
        track=track,
        hp=min(health, entry.get("hp", health)),
        bonus_hp=entry.get("bonus_hp", 0),
        tenacity=entry.get("tenacity", 0),
        rank={die: place for place, die in enumerate(order)},
        hex=board.at(entry["hex"]) if "hex" in entry else -1,
    )


def buy(archetype: data.Archetype, race: data.Race, xp: int) -> tuple[dict[str, int], dict[str, int]]:
    """SE-L1, SE-L2: statistics and dice after spending XP - 2 along the purchase list."""
    stats = {"H": race.health, "S": race.stamina, "M": race.magicka, "CD": race.cooldown}
    dice = {"combat": race.combat}
    for die in archetype.start:
        dice[die] = dice.get(die, 0) + 1
    left = max(0, xp - 2)
    tokens = 0  # Health tokens bought
    for entry in archetype.purchases:
        if entry == "H":
            slot = tokens + 1
        elif entry in stats:
            slot = stats[entry] + 1
        else:
            line = data.DICE[entry].line
            slot = 1 + sum(count for die, count in dice.items() if data.DICE[die].line == line)
        if slot > 6:
            break
        cost = slot if entry == "CD" else 1 if slot <= 4 else 2
        if cost > left:
            break
        left -= cost
        if entry == "H":
            tokens += 1
            stats["H"] += 1
        elif entry in stats:
            stats[entry] += 1
        else:
            dice[entry] = dice.get(entry, 0) + 1
    return stats, dice


# ---------------------------------------------------------------------------------------------------------------------
# Enemies and companions
# ---------------------------------------------------------------------------------------------------------------------


def plan_creatures(
    entries: Sequence[dict[str, Any]], rows: dict[str, data.Creature], own: dict[str, Any], board: Board
) -> list[CreaturePlan]:
    """The entries of a list in order, copies of a `count` one after another."""
    return [plan_creature(entry, rows, own, board) for entry in entries for _ in range(entry.get("count", 1))]


def fill_bags(
    scenario: dict[str, Any], rows: dict[str, data.Creature], own: dict[str, Any], board: Board
) -> dict[int, list[CreaturePlan]]:
    """SE-S4: the chips of every level: all enemies of the rules, or those that the pool names."""
    chips = scenario.get("pool", {}).get("chips", list(data.ENEMY_TYPES))
    plans = {name: plan_creature({"type": name}, rows, own, board) for name in chips}
    return {level: [plan for plan in plans.values() if plan.level == level] for level in data.POOL_LEVELS}


def plan_creature(
    entry: dict[str, Any], rows: dict[str, data.Creature], own: dict[str, Any], board: Board
) -> CreaturePlan:
    """A line of the tables with the scenario's own numbers over it."""
    row = rows[entry["type"]]
    health = entry.get("health", row.health)
    targets = entry.get("targets", row.targets)
    level = entry.get("level", row.level)
    return CreaturePlan(
        name=entry.get("name", own.get(entry["type"], {}).get("name", entry["type"])),
        type=entry["type"],
        level=level,
        health=health,
        range=entry.get("range", row.range),
        combat=entry.get("combat", row.combat),
        defense=entry.get("defense", row.defense),
        targets=data.ALL if targets == "all" else targets,
        strongest=entry.get("priority", row.priority) == "strongest",
        skills=read_skills(entry.get("skills", row.skills)),
        hp=min(health, entry.get("hp", health)),
        statuses=tuple(entry.get("statuses", ())),
        objective=entry.get("objective", False),
        hex=board.at(entry["hex"]) if "hex" in entry else None,
    )


def read_skills(chips: Sequence[str]) -> dict[str, int]:
    """SE-U2: one copy of a skill, the higher number; the place in chip order is that of the first copy."""
    skills: dict[str, int] = {}
    for chip in chips:
        name, _, number = chip.rpartition(" ")
        if not number.isdigit():
            name, number = chip, "1"
        if name not in data.SKILLS:
            raise ValueError(f"skills: unknown skill {chip!r}")
        skills[name] = max(int(number), skills.get(name, 0))
    return skills


def mark_objectives(enemies: list[CreaturePlan]) -> list[CreaturePlan]:
    """SE-X1: the marked enemies, or without any mark the quest units."""
    if not any(enemy.objective for enemy in enemies):
        enemies = [replace(enemy, objective=enemy.level == "quest") for enemy in enemies]
    if not any(enemy.objective for enemy in enemies):
        raise ValueError("objective: eliminate needs an enemy marked as objective or a quest unit")
    return enemies


# ---------------------------------------------------------------------------------------------------------------------
# Deployment
# ---------------------------------------------------------------------------------------------------------------------


def deploy(
    heroes: list[HeroPlan], companions: list[CreaturePlan], enemies: list[CreaturePlan], board: Board
) -> tuple[list[HeroPlan], list[CreaturePlan], list[CreaturePlan], list[int]]:
    """SE-S5, SE-S6: who stands where, and the numbered hexes left for the pool."""
    taken = [hero.hex for hero in heroes if hero.hex >= 0]
    taken += [unit.hex for unit in (*companions, *enemies) if unit.hex is not None]
    if len(set(taken)) < len(taken):
        raise ValueError("hex: two units stand on the same hex")
    entrance = [h for h in board.entrance if h not in taken]
    numbered = [h for h in board.numbered if h not in taken]
    for i, hero in enumerate(heroes):
        if hero.hex < 0:
            if not entrance:
                raise ValueError("map.entrance: too few entrance hexes for the adventurers")
            heroes[i] = replace(hero, hex=entrance.pop(0))
    for c, companion in enumerate(companions):
        if companion.hex is None and entrance:
            companions[c] = replace(companion, hex=entrance.pop(0))
    held = {hero.hex for hero in heroes} | {unit.hex for unit in companions}
    numbered = [h for h in numbered if h not in held]
    for j, enemy in enumerate(enemies):
        if enemy.hex is None:
            if not numbered:
                raise ValueError("map.numbered: too few numbered hexes for the enemies")
            enemies[j] = replace(enemy, hex=numbered.pop(0))
    return heroes, companions, enemies, numbered


def pool_points(points: int, ep_mult: float) -> int:
    """SE-S2: the pool, scaled and rounded down."""
    return int((Decimal(points) * Decimal(str(ep_mult))).to_integral_value(ROUND_FLOOR))


def pool_levels(points: int, hexes: int) -> list[int]:
    """SE-S3: the levels that a pool buys, in order.

    >>> pool_levels(8, 8), pool_levels(128, 8)
    ([5, 1, 1, 1], [20, 20, 20, 20, 20, 20, 5, 1])
    """
    levels: list[int] = []
    while points > 0 and len(levels) < hexes:
        level = next(level for level in data.POOL_LEVELS if level <= points)
        levels.append(level)
        points -= level
    return levels
