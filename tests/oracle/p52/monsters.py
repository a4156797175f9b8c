"""Enemies and classes that a scenario makes itself: `[monsters.NAME]` and `[classes.NAME]`, `like` followed."""

from __future__ import annotations

from typing import Any

from .bestiary import (
    ENEMIES,
    LIKENED,
    MOUNTAIN_CLASS_WEAPON,
    OF_THE_DRAFT,
    STANDARD_WEAPONS,
    TOP,
    EnemyEntry,
    Strike,
)
from .data import CLASSES, ClassEntry

FIGURES = {"max_hp": "max_hp", "initiative": "initiative", "movement": "movement", "xp": "xp",
           "melee_defence": "melee", "magic_defence": "magic", "ranged_defence": "ranged",
           "target_order": "target_order", "when_weak": "when_weak", "when_fallen": "when_fallen"}  # fmt: skip
NOBODY = EnemyEntry(0, (), 0, 0, 0, 0, 0)


def entry_of(card: str, monsters: dict[str, Any], data_set: str, met: tuple[str, ...] = ()) -> EnemyEntry:
    """The line of a card, or what the scenario makes of it."""
    if card not in monsters or card in met:  # a type that bears a card's name may be like that card
        return LIKENED[data_set][card]
    row = monsters[card]
    base = entry_of(row["like"], monsters, data_set, (*met, card)) if "like" in row else NOBODY
    changes = {FIGURES[key]: value for key, value in row.items() if key in FIGURES}
    if changes.get("initiative") == "top":
        changes["initiative"] = TOP
    if "traits" in row:
        changes["traits"] = frozenset(row["traits"])
    ways = ways_of(base)
    for way in row.get("without", ()):
        ways.pop(way, None)
    for way in ("ranged", "creature", "melee", "beast"):
        if way in row:
            ways[way] = changed(ways.get(way), row[way], way)
    beast = ways.pop("beast", None)
    strikes = tuple(ways[way] for way in ("ranged", "creature", "melee") if way in ways)
    return base._replace(**changes, strikes=strikes, beast=beast, name=row.get("name"))


def ways_of(entry: EnemyEntry) -> dict[str, Strike]:
    """The attacks of a line by what they are: melee, ranged, a second one from afar, a beast."""
    ways: dict[str, Strike] = {}
    for strike in entry.strikes:
        usual = "melee" if strike.kind == "melee" else "creature" if "ranged" in ways else "ranged"
        ways[strike.way or usual] = strike
    if entry.beast is not None:
        ways["beast"] = entry.beast
    return ways


def changed(strike: Strike | None, row: dict[str, Any], way: str) -> Strike:
    if strike is None:
        kind = "melee" if way in ("melee", "beast") else "ranged"
        strike = Strike("", kind, 0, 99, 0, 0, way=way)
    least, most = row.get("reach", (strike.least, strike.most))
    said = {key: row[key] for key in ("name", "kind", "target", "damage") if key in row}
    effects = frozenset(row["effects"]) if "effects" in row else strike.effects
    return strike._replace(least=least, most=most, effects=effects, **said)


def known_cards(monsters: dict[str, Any], data_set: str) -> set[str]:
    return {*ENEMIES[data_set], *OF_THE_DRAFT, *monsters}


# ---------------------------------------------------------------------------------------------------------------------
# Classes (11.1, 11.3)
# ---------------------------------------------------------------------------------------------------------------------


def class_of(role: str, classes: dict[str, Any], data_set: str, met: tuple[str, ...] = ()) -> ClassEntry:
    """The class of the tables, or what the scenario makes of it."""
    if role not in classes or role in met:
        return with_gear("rogue" if role == "thief" else role, data_set)
    row = classes[role]
    if "like" in row:
        base = class_of(row["like"], classes, data_set, (*met, role))
    else:
        base = ClassEntry((0, 0, 0, 0, 0), (), "", (0, 0, 0, 0, 0), (), (), ())
    said: dict[str, Any] = {}
    for key, value in row.items():
        if key == "starts":
            said["starting"] = tuple(value)
        elif key == "cycle":
            said["cycle"] = tuple(value.split())
        elif key == "gear":
            said["weapons"] = tuple((int(entry.split()[0]), entry.split()[1]) for entry in value)
        elif key == "arrows":
            said["arrows"] = tuple(tuple(int(part) for part in entry.split()) for entry in value)
        elif key == "consumables":
            said["stock"] = dict(value)
        elif key in ("race", "name"):
            said[key] = value
        elif key != "like":
            said[key] = tuple(value)
    return base._replace(**{"name": None, **said})


def with_gear(role: str, data_set: str) -> ClassEntry:
    """A class of the tables with its standard gear (P52-D6, P52-D8, P52-D9)."""
    entry = CLASSES[data_set][role]
    stock = {"healing_potion": 2 if role == "cleric" else 1} | ({"fire_elixir": 1} if role == "wizard" else {})
    if data_set == "mountain":
        weapon = MOUNTAIN_CLASS_WEAPON.get(role)
        return entry._replace(weapons=((8, weapon),) if weapon else (), stock=stock)
    arrows = ((1, 10, 0), (6, 0, 20)) if role == "rogue" else ()
    return entry._replace(weapons=STANDARD_WEAPONS[role], arrows=arrows, stock=stock)
