"""From a scenario to its plot: heroes with their modes of attack, kinds, cards and events (BF-S1 to BF-S8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sim.core.varying import Varies, Varying, may_vary
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.bestiary import Bestiary, Kind
from sim.rulesets.brimstone.enemy_lines import Line, read_lines
from sim.rulesets.brimstone.ground import Ground, ground_of
from sim.rulesets.brimstone.hero_classes import class_in_full
from sim.rulesets.brimstone.schema import BrimstoneScenario, Hero
from sim.rulesets.brimstone.threats import card_types, posse_list

NEVER = 99  # no natural die is so high: no critical hits
NO_CAP = 99
UNIT = 576  # attack values are whole numbers of 576ths: the faces and the damage of D6 and D8 divide it
MELEE, GUN, HATCHET = "melee", "gun", "hatchet"


@dataclass(frozen=True, slots=True)
class Mode:
    """A way to attack (BF-P2), or a Free Attack."""

    name: str
    sort: str  # melee, gun or hatchet
    reach: int  # Range of a gun
    sides: int  # of the To Hit die and the damage die
    crit: int  # the least natural die that is a critical hit
    bonus: int  # added to damage
    six: int  # added to the damage of a natural 6 or more
    shots: int = 0  # printed dice of a gun
    first_shots: int = 0  # of the first of two guns; 0 for one
    one_handed: bool = False
    shotgun: bool = False

    VARIES: ClassVar[Varies] = may_vary("bonus")

    @property
    def ranged(self) -> bool:
        """Uses the ranged To Hit number."""
        return self.sort == GUN


@dataclass(frozen=True, slots=True)
class HeroFacts:
    """A hero as the scenario says, with the gains of a fixed level."""

    name: str
    hero_class: str
    class_name: str  # as people read it
    talents: frozenset[str]  # what the class can do besides
    class_guns: tuple[str, ...]  # in the kit of the class, whatever the hero carries
    level: int
    policy: str
    figures: dict[str, int]
    dmg_bonus: int
    shot_bonus: int
    move_bonus: int
    armor: int
    spirit_armor: int
    cover: int
    grit: int | None
    wounds: int
    sdmg: int
    status: dict[str, int]
    guns: tuple[str, ...]
    free_items: tuple[str, ...]
    melee_items: tuple[str, ...]
    bag: dict[str, int]
    two_guns: bool
    upgrade: str
    ally: bool
    move: int
    cell: int
    modes: tuple[Mode, ...]
    free_modes: tuple[Mode, ...]  # hold-out pistol, hatchet
    combat_items: int

    VARIES: ClassVar[Varies] = may_vary(
        "level", "figures", "dmg_bonus", "shot_bonus", "move_bonus", "armor", "spirit_armor", "cover", "wounds", "sdmg",
        "move", "combat_items", bag=lambda bag: tuple(filter(bag.get, bag)),
    )  # fmt: skip

    def carried_figure(self, name: str) -> int:
        """A figure, or one of the bonuses that levels change."""
        number: int = self.figures[name] if name in self.figures else getattr(self, name)
        return number

    def carries(self, token: str) -> bool:
        """Whether a token is in its side bag; where their number varies, all of its variants have some."""
        number = self.bag.get(token, 0)
        return isinstance(number, Varying) or number > 0

    @property
    def main_to_hit(self) -> str:
        """The To Hit number that a level improves: ranged if the class has a gun in its kit, else melee."""
        return "th_ranged" if self.class_guns else "th_melee"


@dataclass(frozen=True, slots=True)
class Arrival:
    """A scheduled event."""

    number: int
    turn: int
    after: int  # activations; 0 at the darkness
    ambush: bool
    tile: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """The parts of a scenario that everything else is made from."""

    heroes: tuple[HeroFacts, ...]
    ground: Ground | None
    kinds: tuple[Kind, ...]  # up to the last that may be met: each has a row in the state
    lines: tuple[Line, ...]
    arrivals: tuple[Arrival, ...]
    threats: tuple[str, ...]
    posse_list: str
    bestiary: Bestiary

    @property
    def small(self) -> bool:
        """BF-S2: one or two heroes, three allies counting as one."""
        full = sum(not hero.ally for hero in self.heroes)
        return full + (len(self.heroes) - full) // 3 <= 2


def build_heroes(scenario: BrimstoneScenario, switches: Mapping[str, Any], ground: Ground | None) -> list[HeroFacts]:
    """BF-S7, BF-S8: the heroes in posse order."""
    return [_hero(scenario, place, switches, ground) for place in range(len(scenario.heroes))]


def _hero(scenario: BrimstoneScenario, place: int, switches: Mapping[str, Any], ground: Ground | None) -> HeroFacts:
    entry = scenario.heroes[place]
    kit = class_in_full(entry.hero_class, scenario.classes)
    level = entry.level or scenario.level
    figures, bonuses = _figures(entry, kit, level, switches["level_model"] == "fixed")
    guns = kit["guns"] if entry.guns is None else entry.guns
    cell = -1
    if ground is not None:
        square = entry.square or default_square(ground, place, len(scenario.heroes))
        cell = ground.board.find(square, f"heroes[{place}].square")
    held = _kit(entry.melee_items, kit, "melee_items")
    combat_items = max((data.melee_items()[item]["combat"] for item in held), default=0)
    combat_items += entry.upgrade == "swindler"
    six = int(entry.upgrade == "high_roller")
    return HeroFacts(
        name=entry.name or kit.get("name", entry.hero_class),
        hero_class=entry.hero_class,
        class_name=kit.get("name", entry.hero_class),
        talents=frozenset(kit["talents"]),
        class_guns=tuple(kit["guns"]),
        level=level,
        policy=entry.policy or scenario.policy,
        figures=figures,
        **bonuses,
        armor=entry.armor,
        spirit_armor=entry.spirit_armor,
        cover=entry.cover,
        grit=entry.grit,
        wounds=entry.wounds,
        sdmg=entry.sdmg,
        status=dict(entry.status),
        guns=tuple(guns),
        free_items=_kit(entry.free_items, kit, "free_items"),
        melee_items=_kit(entry.melee_items, kit, "melee_items"),
        bag=dict(kit["bag"] if entry.bag is None else entry.bag),
        two_guns=entry.two_guns,
        upgrade=entry.upgrade or "none",
        ally=entry.ally,
        move=entry.move or 0,
        cell=cell,
        modes=_modes(guns, entry, bonuses["dmg_bonus"], six),
        free_modes=(
            _gun_mode("hold_out_pistol", data.free_items()["hold_out_pistol"], bonuses["dmg_bonus"], six, entry.ally),
            Mode("hatchet", HATCHET, 0, 6, NEVER if entry.ally else 6, bonuses["dmg_bonus"] + 2, six),
        ),
        combat_items=combat_items,
    )


def _figures(
    entry: Hero, kit: Mapping[str, Any], level: int, fixed_gains: bool
) -> tuple[dict[str, int], dict[str, int]]:
    """BF-S7: the figures of the class, or the hero's own, and the bonuses; with the gains of a fixed level."""
    figures = {key: kit[key] for key in data.FIGURES}
    figures |= {key: value for key in data.FIGURES if (value := getattr(entry, key)) is not None}
    if entry.upgrade == "cleaning_up":
        figures["max_grit"] += 1
    bonuses = {key: getattr(entry, key) for key in ("dmg_bonus", "shot_bonus", "move_bonus")}
    if fixed_gains:
        gains = data.levels()[str(level)]
        for key, gain in gains.items():
            if key in figures:
                figures[key] += gain
            elif key in bonuses:
                bonuses[key] += gain
        for better in gains.get("better", ()):
            main = "th_ranged" if kit["guns"] else "th_melee"
            name = main if better == "main" else better
            figures[name] = figures[name] if figures[name] <= 3 else figures[name] - 1
    if entry.ally:
        figures["max_grit"] = 0
    return figures, bonuses


def _kit(own: list[str] | None, kit: dict[str, Any], key: str) -> tuple[str, ...]:
    return tuple(kit.get(key, ()) if own is None else own)


def default_square(ground: Ground, place: int, number: int) -> list[int]:
    """BF-S8: the middle of row 1."""
    return [(ground.width - number) // 2 + 1 + place, 1]


def _modes(guns: list[str], entry: Hero, dmg_bonus: int, six: int) -> tuple[Mode, ...]:
    """BF-P2: melee, the guns in order, two guns."""
    modes = [Mode("melee", MELEE, 1, 6, NEVER if entry.ally else 6, dmg_bonus, six)]
    twin = entry.upgrade == "twin_guns"
    for name in guns:
        gun = dict(data.guns()[name])
        if twin and name == "pistol":
            gun["shots"] *= 2
            twin = False
        modes.append(_gun_mode(name, gun, dmg_bonus, six, entry.ally))
    pair = [data.guns()[name] for name in guns if data.guns()[name].get("one_handed")][:2]
    if entry.two_guns and len(pair) == 2:
        reach = min(gun["range"] for gun in pair)
        shots = [gun["shots"] for gun in pair]
        modes.append(Mode("two_guns", GUN, reach, 6, NEVER, dmg_bonus, six, sum(shots), shots[0]))
    return tuple(modes)


def _gun_mode(name: str, gun: dict[str, Any], dmg_bonus: int, six: int, ally: bool) -> Mode:
    return Mode(
        name,
        GUN,
        gun["range"],
        gun.get("die", 6),
        NEVER if ally else gun.get("crit", 6),
        dmg_bonus + gun.get("damage", 0),
        six,
        gun["shots"],
        one_handed=gun.get("one_handed", False),
        shotgun=gun.get("shotgun", False),
    )


def build_plot(scenario: BrimstoneScenario, switches: Mapping[str, Any]) -> Plot:
    """BF-S1 to BF-S8: heroes, kinds, cards, events."""
    ground = ground_of(scenario.board, scenario.width, scenario.height, switches["corner_rule"])
    heroes = build_heroes(scenario, switches, ground)
    read = read_lines(scenario)
    kinds, number, lines, late = read.kinds, read.number, read.start, read.late
    arrivals = tuple(
        Arrival(
            n, event.turn, event.after_activation or 0, event.ambush, event.tile or scenario.enemy_tile, tuple(more)
        )
        for n, (event, more) in enumerate(zip(scenario.events, late, strict=True))
    )
    wanted = [line.kind for line in (*lines, *(line for more in late for line in more))]
    wanted += [number[name] for name in card_types(scenario)]
    full = [hero for hero in heroes if not hero.ally]
    level = max((hero.level for hero in full), default=1)
    bestiary = Bestiary(kinds, number, wanted, level, switches["extra_elite"])
    from_posse = posse_list(len(full), len(heroes) - len(full))
    met = tuple(kinds[: max(bestiary.wanted, default=-1) + 1])
    return Plot(tuple(heroes), ground, met, tuple(lines), arrivals, tuple(scenario.threats), from_posse, bestiary)


def value_table(mode: Mode, bestiary: Bestiary, distances: int) -> NDArray[np.int32]:
    """(9, profiles, distances). BF-P3: what one die is worth, in 576ths, by the number needed; exact.

    `distances` is 1 if no kind dodges.
    """
    table = np.zeros((9, len(bestiary.profiles), distances), dtype=np.int32)
    figures = bestiary.table
    scale = UNIT // mode.sides**2
    for profile in range(len(bestiary.profiles)):
        for distance in range(distances):
            full = int(figures["defense"][profile])
            full += distance if figures["dodge"][profile] else 0
            full += int(figures["gun_ward"][profile]) if mode.sort != MELEE else 0
            least = critical_defense(full, int(figures["tough"][profile]), int(figures["crit_floor"][profile]))
            endurance = int(figures["endurance"][profile]) or 1000
            worth = [0] * 10
            for face in range(1, mode.sides + 1):
                defense = least if face >= mode.crit else full
                bonus = mode.bonus + (mode.six if face >= 6 else 0)
                worth[face] = sum(min(endurance, max(0, d + bonus - defense)) for d in range(1, mode.sides + 1))
            for needed in range(2, 9):
                table[needed, profile, distance] = scale * sum(worth[needed : mode.sides + 1])
    return table


def critical_defense(full: int, tough: int, floor: int) -> int:
    """BF-A11(3): what is left of a Defense against a critical hit; a floor counts only if it is smaller."""
    if tough:
        return full
    return floor if floor < full else 0
