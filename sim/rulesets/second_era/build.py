"""From a scenario's entries to the units of a battle: purchases, own numbers, deployment, the pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, Decimal
from typing import Any, ClassVar

from sim.core.board import Board
from sim.core.varying import Varies, Varying, may_vary
from sim.errors import Problem, ScenarioError
from sim.rulesets.second_era import data
from sim.rulesets.second_era.bestiary import NUMBERS_OF_RACES, Bestiary, Row, bestiary_of
from sim.rulesets.second_era.data import STATS
from sim.rulesets.second_era.schema import Companion, Enemy, Hero, SecondEraScenario

NOWHERE = -1


@dataclass(frozen=True, slots=True)
class HeroFacts:
    """SE-S7: an adventurer as the battle begins."""

    name: str
    hero_class: str
    role: str  # the class of the game whose lines of a policy it follows
    race: str
    abilities: str  # the class whose abilities it has
    policy: str
    form: int  # primary form
    health: int
    stamina: int
    magicka: int
    cooldown: int
    dice: dict[str, int]  # the whole set, those in the track included
    hp: int
    bonus_hp: int
    tenacity: int
    track: tuple[int, ...]  # codes, left end first
    order: tuple[int, ...]  # of die types, for SE-A9
    cell: int

    VARIES: ClassVar[Varies] = may_vary(
        "health", "magicka", "cooldown", "hp", "bonus_hp", "tenacity", dice=lambda dice: tuple(filter(dice.get, dice))
    )

    def has(self, die: str) -> bool:
        """Whether it has dice of a type; where their number varies, all of its variants have some."""
        number = self.dice.get(die, 0)
        return isinstance(number, Varying) or number > 0

    @property
    def available(self) -> list[int]:
        """By die type: how many are not in the track."""
        return [self.dice.get(name, 0) - self.track.count(code) for code, name in enumerate(data.DICE)]


@dataclass(frozen=True, slots=True)
class CreatureFacts:
    """SE-U1: an enemy or a companion as the battle begins."""

    name: str
    type: str
    side: str
    level: int | str
    health: int
    range: int
    combat: int
    defense: int
    targets: int
    priority: str
    skills: dict[str, int]  # in chip order, with their numbers
    hp: int
    statuses: tuple[str, ...]
    objective: bool
    cell: int

    VARIES: ClassVar[Varies] = may_vary("health", "range", "combat", "defense", "targets", "hp")

    @property
    def rank(self) -> int:
        """SE-E1: quest units rank above every level."""
        return data.QUEST if self.level == "quest" else int(self.level)


def party_xp(scenario: SecondEraScenario, switches: Mapping[str, Any]) -> int:
    """SE-L1: the level of a scenario is the party's XP."""
    return xp_of(scenario.level, len(scenario.heroes), switches["difficulty"])


def xp_of(level: int | str, heroes: int, difficulty: str) -> int:
    """SE-L1: a part of the campaign stands for its XP goal."""
    if isinstance(level, int):
        return level
    goals = data.units("goals")[level][difficulty]
    return int(goals[min(heroes, len(goals)) - 1])


@dataclass(frozen=True, slots=True)
class Purchases:
    """What an adventurer has after spending its points."""

    stats: dict[str, int]
    dice: dict[str, int]
    left: int  # points that were not spent
    done: bool  # nothing more can be bought, whatever the points


def buy(archetype: Row, race: str, xp: int) -> Purchases:
    """SE-L1, SE-L2: statistics and dice of a class after spending XP - 2 along its purchase list.

    A slot n costs 1 up to the fourth and 2 for the fifth and sixth; cooldown n costs n. The first entry that cannot be
    paid ends the list.
    """
    own = {number: archetype[number] for number in NUMBERS_OF_RACES if number in archetype}
    origin = data.units("races")[race] | own
    kinds = data.units("dice")
    stats = {stat: origin[stat] for stat in STATS}
    dice = {"combat": origin["combat"]}
    for name in archetype["start"]:
        dice[name] = dice.get(name, 0) + 1
    purse = max(0, xp - data.START_XP)
    for wanted in archetype["buys"]:
        if wanted == "health":
            slot = stats["health"] - origin["health"] + 1
        elif wanted in stats:
            slot = stats[wanted] + 1
        else:
            slot = 1 + sum(n for name, n in dice.items() if kinds[name]["line"] == kinds[wanted]["line"])
        price = slot if wanted == "cooldown" else 1 if slot <= 4 else 2
        if slot > 6 or price > purse:
            return Purchases(stats, dice, purse, slot > 6)
        purse -= price
        owned = stats if wanted in stats else dice
        owned[wanted] = owned.get(wanted, 0) + 1
    return Purchases(stats, dice, purse, True)


def purchases(entry: Hero, bestiary: Bestiary, xp: int) -> Purchases:
    """SE-L1: what an adventurer of a scenario has bought; its own race and XP go before those of class and party."""
    archetype = bestiary.classes[entry.hero_class]
    return buy(archetype, entry.race or archetype["race"], xp if entry.xp is None else entry.xp)


def build_hero(entry: Hero, bestiary: Bestiary, policy: str, xp: int) -> HeroFacts:
    """SE-S7: a class with its purchases, and the scenario's own numbers over them."""
    archetype = bestiary.classes[entry.hero_class]
    bought = purchases(entry, bestiary, xp)
    stats = bought.stats | {stat: getattr(entry, stat) for stat in STATS if getattr(entry, stat) is not None}
    owned = bought.dice if entry.dice is None else dict(entry.dice)
    order = list(dict.fromkeys(data.DICE.index(name) for name in archetype.get("order", ())))
    return HeroFacts(
        name=entry.name or archetype.get("name", entry.hero_class),
        hero_class=entry.hero_class,
        role=archetype.get("plays_as", "none"),
        race=entry.race or archetype["race"],
        abilities=archetype.get("abilities", "none"),
        policy=entry.policy or policy,
        form=data.FORMS.index(entry.form or archetype["form"]),
        **stats,
        dice={name: n for name, n in owned.items() if n},
        hp=min(stats["health"], entry.hp or stats["health"]),
        bonus_hp=entry.bonus_hp,
        tenacity=entry.tenacity,
        track=tuple(data.TRACK_WORDS.index(word) for word in entry.track),
        order=(*order, *(code for code in range(len(data.DICE)) if code not in order)),
        cell=NOWHERE,
    )


def read_skills(chips: Sequence[str]) -> dict[str, int]:
    """SE-U2, SE-E14: the chips in order; of two copies the higher number counts, in the place of the first."""
    skills: dict[str, int] = {}
    for chip in chips:
        name, number = data.parse_skill(chip)
        skills[name] = max(number, skills.get(name, 0))
    return skills


def build_creature(entry: Companion | Enemy, bestiary: Bestiary) -> CreatureFacts:
    """SE-U1, SE-U2: a line of the tables, and the scenario's own numbers over it."""
    party = isinstance(entry, Companion)

    def own(key: str) -> Any:
        return bestiary.of(entry, key)

    health = own("health")
    return CreatureFacts(
        name=own("name") or entry.type,
        type=entry.type,
        side="party" if party else "enemy",
        level=0 if party else own("level"),
        health=health,
        range=own("range"),
        combat=own("combat"),
        defense=own("defense"),
        targets=data.ALL_TARGETS if own("targets") == "all" else own("targets"),
        priority="strongest" if party else own("priority"),
        skills=read_skills(own("skills") or ()),
        hp=min(health, entry.hp or health),
        statuses=tuple(entry.statuses),
        objective=getattr(entry, "objective", False),
        cell=NOWHERE,
    )


def pool_points(points: int, ep_mult: float) -> int:
    """SE-S2: the pool, scaled as a decimal and rounded down."""
    return int((Decimal(points) * Decimal(str(ep_mult))).to_integral_value(ROUND_FLOOR))


def points_of_the_pool(scenario: SecondEraScenario, switches: Mapping[str, Any]) -> int:
    """SE-S2: its own points or XP x adventurers, scaled; 0 without a pool."""
    if scenario.pool is None:
        return 0
    own = scenario.pool.points
    points = party_xp(scenario, switches) * len(scenario.heroes) if own is None else own
    return pool_points(points, switches["ep_mult"])


def pool_levels(points: int, hexes: int) -> list[int]:
    """SE-S3: what a pool buys: always the highest level that it can pay, while a numbered hex is free.

    >>> pool_levels(8, 8), pool_levels(128, 8)
    ([5, 1, 1, 1], [20, 20, 20, 20, 20, 20, 5, 1])
    """
    bought: list[int] = []
    while points > 0 and len(bought) < hexes:
        bought.append(next(level for level in data.POOL_LEVELS if level <= points))
        points -= bought[-1]
    return bought


@dataclass(frozen=True, slots=True)
class Muster:
    """Everybody in the battle, and what is drawn in every run."""

    heroes: tuple[HeroFacts, ...]
    companions: tuple[CreatureFacts, ...]
    enemies: tuple[CreatureFacts, ...]  # the listed ones
    pool: tuple[tuple[int, int], ...]  # level and cell of every enemy that is drawn
    bags: Mapping[int, tuple[CreatureFacts, ...]]  # by level of the pool, highest first: what its bag holds

    @property
    def listed(self) -> tuple[CreatureFacts, ...]:
        """All that are neither adventurers nor drawn."""
        return (*self.companions, *self.enemies)

    @property
    def levels(self) -> tuple[int | str, ...]:
        """By enemy, listed or drawn: its level."""
        return (*(enemy.level for enemy in self.enemies), *(level for level, _ in self.pool))


def muster(
    scenario: SecondEraScenario, switches: Mapping[str, Any], board: Board, lists: Mapping[str, Sequence[int]]
) -> Muster:
    """SE-S2, SE-S3, SE-S4, SE-S5, SE-S6, SE-S7: who is there and where; `lists`: entrance and numbered cells."""
    xp = party_xp(scenario, switches)
    bestiary = bestiary_of(scenario)
    heroes = [build_hero(entry, bestiary, scenario.policy, xp) for entry in scenario.heroes]
    companions = [build_creature(entry, bestiary) for entry in scenario.companions for _ in range(entry.count)]
    enemies = [build_creature(entry, bestiary) for entry in scenario.enemies for _ in range(entry.count)]
    places = Places(board)
    places.claim("heroes", scenario.heroes)
    places.claim("companions", scenario.companions)
    places.claim("enemies", scenario.enemies)
    hero_cells = places.fill("heroes", "entrance", lists)
    companion_cells = places.fill("companions", "entrance", lists, waits=True)
    enemy_cells = places.fill("enemies", "numbered", lists)
    pool: tuple[tuple[int, int], ...] = ()
    if scenario.pool is not None:
        left = [cell for cell in lists["numbered"] if cell not in places.taken]
        pool = tuple(zip(pool_levels(points_of_the_pool(scenario, switches), len(left)), left, strict=False))
    if scenario.objective == "eliminate" and not any(enemy.objective for enemy in enemies):
        enemies = [replace(enemy, objective=enemy.level == "quest") for enemy in enemies]
    bags = fill_bags(scenario, bestiary, {level for level, _ in pool})
    empty = [level for level, chips in bags.items() if not chips]
    places.problems += [Problem("pool.chips", f"the pool draws an enemy of level {level}; name one") for level in empty]
    if places.problems:
        raise ScenarioError(places.problems)
    return Muster(
        tuple(replace(hero, cell=cell) for hero, cell in zip(heroes, hero_cells, strict=True)),
        tuple(replace(unit, cell=cell) for unit, cell in zip(companions, companion_cells, strict=True)),
        tuple(replace(unit, cell=cell) for unit, cell in zip(enemies, enemy_cells, strict=True)),
        pool,
        bags,
    )


def fill_bags(
    scenario: SecondEraScenario, bestiary: Bestiary, levels: Set[int]
) -> dict[int, tuple[CreatureFacts, ...]]:
    """SE-S4: by level of the pool what its bag holds as the battle begins."""
    chips = scenario.pool.chips if scenario.pool else None
    names = {level: bestiary.bag(level, chips) for level in sorted(levels, reverse=True)}
    return {level: tuple(build_creature(Enemy(type=n), bestiary) for n in bag) for level, bag in names.items()}


class Places:
    """SE-S5, SE-S6: who stands where as the battle begins.

    Units with a hex of their own are placed first, every other one takes the first free hex of its list. A companion
    that finds none waits; an enemy or adventurer that finds none is a mistake of the scenario.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.own: dict[str, list[int | None]] = {}  # by side: the own hex of every unit
        self.taken: set[int] = set()
        self.problems: list[Problem] = []

    def claim(self, side: str, entries: Sequence[Hero | Companion | Enemy]) -> None:
        """The hexes that the entries of a side ask for, a unit each."""
        self.own[side] = []
        for number, entry in enumerate(entries):
            for _ in range(1 if isinstance(entry, Hero) else entry.count):
                self.own[side].append(self._claimed(f"{side}[{number}].hex", entry.hex))

    def _claimed(self, key: str, spot: Sequence[int] | None) -> int | None:
        if spot is None:
            return None
        problem = self.board.problem_with(spot)
        if problem:
            self.problems.append(Problem(key, problem))
            return None
        cell = self.board.find(spot)
        if cell in self.taken:
            self.problems.append(Problem(key, f"another unit stands on {tuple(spot)} already"))
        self.taken.add(cell)
        return cell

    def fill(self, side: str, kind: str, lists: Mapping[str, Sequence[int]], waits: bool = False) -> list[int]:
        """The cell of every unit of a side: its own, or the first free one of a list."""
        cells = []
        for own in self.own[side]:
            cell = own
            if cell is None:
                cell = next((spot for spot in lists[kind] if spot not in self.taken), NOWHERE)
                if cell == NOWHERE and not waits:
                    self.problems.append(Problem(f"map.{kind}", f"too few {kind} hexes for the {side}; add some"))
                self.taken.add(cell)
            cells.append(cell)
        return cells
