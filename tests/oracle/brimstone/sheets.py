"""Section 2.1: what a hero brings into the fight, and its ways to attack (BF-P2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .kit import FIGURES, FREE_ITEMS, GUNS, MARKERS, MELEE_ITEMS, NO_CRITICAL, TOKENS, Gun
from .own_types import read_class
from .rulebook import POLICIES


@dataclass(frozen=True, eq=False)
class Mode:
    """BF-P2: a way to attack, with its dice after the dice cap."""

    name: str
    sort: str  # melee, gun, hatchet, shiv
    range: int
    dice: int
    sides: int = 6
    critical: int = 6
    bonus: int = 0
    six_bonus: int = 0
    off_hand: int = 0  # how many of the dice (the last ones) belong to the off-hand gun
    shots: int = 0  # printed
    one_handed: bool = False
    shotgun: bool = False


@dataclass(slots=True)
class Sheet:
    """2.1: what a hero brings into the fight."""

    number: int
    name: str
    cls: str
    level: int
    policy: str
    square: int
    init: int
    th_ranged: int
    th_melee: int
    combat: int
    health: int
    defense: int
    sanity: int
    willpower: int
    agility: int
    cunning: int
    spirit: int
    strength: int
    lore: int
    luck: int
    max_grit: int = 2
    grit: int = 0
    ally: bool = False
    move: int = 0  # of an ally
    move_bonus: int = 0
    dmg_bonus: int = 0
    shot_bonus: int = 0
    armor: int = 0
    spirit_armor: int = 0
    cover: int = 0
    wounds: int = 0
    sdmg: int = 0
    two_guns: bool = False
    upgrade: str = "none"
    guns: tuple[str, ...] = ()
    free_items: tuple[str, ...] = ()
    melee_items: tuple[str, ...] = ()
    bag: dict[str, int] = field(default_factory=dict)
    status: dict[str, int] = field(default_factory=dict)
    talents: tuple[str, ...] = ()
    class_guns: tuple[str, ...] = ()  # of the class, whatever the hero carries
    upgrades: tuple[str, ...] = ()  # that the class may learn
    modes: tuple[Mode, ...] = ()
    free_modes: dict[str, Mode] = field(default_factory=dict)


def equip(sheet: Sheet, cap: int) -> None:
    """BF-P2: the modes and the Free Attacks of a hero after its level is known."""
    critical = NO_CRITICAL if sheet.ally else 0
    six = int(sheet.upgrade == "high_roller")
    bonus = sheet.dmg_bonus
    modes = []
    combat = sheet.combat + max((MELEE_ITEMS[item] for item in sheet.melee_items), default=0)
    combat += int(sheet.upgrade == "swindler")
    if combat >= 1:
        modes.append(Mode("melee", "melee", 1, min(cap, combat), 6, max(critical, 6), bonus, six))
    twin = sheet.upgrade == "twin_guns"
    for name in sheet.guns:
        gun = GUNS[name]
        shots = gun.shots
        if twin and name == "pistol":
            shots, twin = 2 * shots, False
        modes.append(gun_mode(name, gun, min(cap, shots + sheet.shot_bonus), sheet, six, shots=shots))
    pair = [GUNS[name] for name in sheet.guns if GUNS[name].one_handed][:2]
    if sheet.two_guns and len(pair) == 2:  # BF-H19
        first, second = pair
        dice = min(cap, first.shots + second.shots + sheet.shot_bonus)
        off_hand = max(0, dice - first.shots - sheet.shot_bonus)
        reach = min(first.range, second.range)
        modes.append(Mode("two guns", "gun", reach, dice, 6, NO_CRITICAL, bonus, six, off_hand))
    sheet.modes = tuple(modes)
    sheet.free_modes = {name: gun_mode(name, gun, 1, sheet, six) for name, gun in FREE_ITEMS.items()}
    sheet.free_modes["hatchet"] = Mode("hatchet", "hatchet", sheet.strength + 3, 1, 6, max(critical, 6), bonus + 2, six)
    sheet.free_modes["shiv"] = Mode("shiv", "shiv", 1, 1)


def gun_mode(name: str, gun: Gun, dice: int, sheet: Sheet, six: int, shots: int = 0) -> Mode:
    return Mode(
        name,
        "gun",
        gun.range,
        dice,
        gun.sides,
        NO_CRITICAL if sheet.ally else gun.critical,
        gun.bonus + sheet.dmg_bonus,
        six,
        shots=shots or gun.shots,
        one_handed=gun.one_handed,
        shotgun=gun.shotgun,
    )


def read_hero(entry: dict[str, Any], number: int, scenario: dict[str, Any], switches: dict[str, Any]) -> Sheet:
    """A hero of the scenario: the class, then everything that the entry changes."""
    cls = entry["class"]
    kit = read_class(cls, scenario.get("classes", {}))
    ally = bool(entry.get("ally", False))
    sheet = Sheet(
        number,
        entry.get("name", kit["name"]),
        cls,
        entry.get("level", scenario.get("level", 1)),
        entry.get("policy", scenario.get("policy", "aggressive")),
        0,
        *(kit[figure] for figure in FIGURES),
        max_grit=kit["max_grit"],
        ally=ally,
    )
    sheet.talents, sheet.upgrades, sheet.class_guns = kit["talents"], kit["upgrades"], tuple(kit["guns"])
    for key in (*FIGURES, "max_grit", "move", "move_bonus", "dmg_bonus", "shot_bonus", "armor", "spirit_armor"):
        if key in entry:
            setattr(sheet, key, entry[key])
    for key in ("cover", "wounds", "sdmg", "two_guns", "upgrade"):
        if key in entry:
            setattr(sheet, key, entry[key])
    sheet.guns = tuple(entry.get("guns", kit["guns"]))
    sheet.free_items = tuple(entry.get("free_items", kit["free_items"]))
    sheet.melee_items = tuple(entry.get("melee_items", kit["melee_items"]))
    sheet.bag = {token: amount for token, amount in entry.get("bag", kit["bag"]).items() if amount}
    sheet.status = dict(entry.get("status", {}))
    sheet.grit = entry.get("grit", switches["start_grit"])
    check_hero(sheet)
    if sheet.upgrade == "cleaning_up":
        sheet.max_grit += 1
    return sheet


def check_hero(sheet: Sheet) -> None:
    where = f"heroes[{sheet.number}]"
    if sheet.policy not in POLICIES:
        raise ValueError(f"{where}.policy: unknown policy {sheet.policy!r}")
    if not 1 <= sheet.level <= 8:
        raise ValueError(f"{where}.level: {sheet.level} is not from 1 to 8")
    if sheet.upgrade != "none" and sheet.upgrade not in sheet.upgrades:
        raise ValueError(f"{where}.upgrade: {sheet.upgrade} is not for {sheet.cls}")
    if sum(sheet.bag.values()) > 5 or not set(sheet.bag) <= set(TOKENS):
        raise ValueError(f"{where}.bag: at most 5 tokens of {TOKENS}")
    if not set(sheet.guns) <= set(GUNS) or not set(sheet.free_items) <= set(FREE_ITEMS):
        raise ValueError(f"{where}: unknown gun or free item")
    if not set(sheet.status) <= set(MARKERS):
        raise ValueError(f"{where}.status: unknown marker")


def finish_sheet(sheet: Sheet, switches: dict[str, Any], cap: int) -> None:
    """What is the same for both level models, after the level's gains."""
    if sheet.ally:
        sheet.max_grit = 0  # BF-U3
    sheet.grit = min(sheet.grit, sheet.max_grit) if switches["grit_use"] == "on" else 0
    equip(sheet, cap)
