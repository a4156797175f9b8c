"""Enemy types and hero classes that a scenario brings along: `[monsters.NAME]`, `[classes.NAME]`.

An entry that is `like` another says only what differs; one that is like nobody says everything. Its Elite results and
its Brutal side are written in words such as "health +2, fear 1" or "on_wound venom", and are read here into the form of
the printed charts.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from .bestiary import TYPE_NUMBER, TYPES, Kind
from .cards import read_count
from .elites import BRUTAL_CHARTS, CHARTS, PRINTED_BRUTAL
from .kit import CLASS_TALENTS, CLASSES, FIGURES, UPGRADES

NUMBERS = ("init", "move", "escape", "th_melee", "th_ranged", "combat", "defense", "health", "size", "behaviour")
KEYWORDS = {f.name: f.default for f in fields(Kind)}
for _name in ("name", "base", "changed", "brutal", "elites", "damage_dice", "damage", "range", "shots", "shot_dice"):
    del KEYWORDS[_name]
for _name in ("shot_damage", "xp_a", "xp_b", "own", "chart", "brutal_chart", "side", "any_elite", *NUMBERS):
    del KEYWORDS[_name]
FIELD = {"xp": "xp_a", "xp_each": "xp_b", "weapon_damage": "shot_damage", "flail": "flail_dice"}
DICE = {"damage": "damage_dice", "weapon_damage": "shot_dice"}


def read_damage(text: str | int) -> tuple[int, int]:
    """Damage as (dice, fixed part): 2, "D6", "D6+1"."""
    count = read_count(text)
    return len(count.dice), count.plus


def said_figures(table: dict[str, Any], armed: bool) -> dict[str, Any]:
    """The fields of a kind that a line or an entry says; a weapon where there was none does 1 damage by itself."""
    change: dict[str, Any] = {key: table[key] for key in NUMBERS if key in table}
    if "damage" in table:
        change["damage_dice"], change["damage"] = read_damage(table["damage"])
    if "weapon" in table:
        weapon = table["weapon"]
        change |= {key: weapon[key] for key in ("range", "shots") if key in weapon}
        if "damage" in weapon or not armed:
            change["shot_dice"], change["shot_damage"] = read_damage(weapon.get("damage", 1))
    if "xp" in table:
        change["xp_a"] = table["xp"]
    if "xp_each" in table:
        change["xp_b"] = table["xp_each"]
    if "abilities" in table:
        unknown = set(table["abilities"]) - set(KEYWORDS)
        if unknown:
            raise ValueError(f"enemies: unknown abilities {sorted(unknown)}")
        lists = {key: tuple(value) if isinstance(value, list) else value for key, value in table["abilities"].items()}
        change |= KEYWORDS | lists
    return change


def read_result(text: str) -> dict[str, Any] | None:
    """A result in words, in the form of the printed charts; None for one that is not modelled."""
    if text.strip() == "none":
        return None
    result: dict[str, Any] = {}
    for part in text.split(","):
        words = part.split()
        if not words:
            continue
        name, values = words[0], words[1:]
        field = FIELD.get(name, name)
        if name in ("on_wound", "on_melee_wound"):
            result[name] = tuple(values)
        elif not values:
            result[name] = True
        elif values[0].startswith("+"):
            result[field] = values[0]
        elif name in DICE:
            result[DICE[name]], result[field] = read_damage(values[0])
        else:
            result[field] = int(values[0])
    return result


def read_own_type(name: str, monsters: dict[str, Any]) -> Kind:
    """An enemy type of the scenario, or of 11.5 where the scenario has none of this name."""
    if name not in monsters:
        return TYPES[TYPE_NUMBER[name]]
    entry = monsters[name]
    like = entry.get("like")
    if like is None:
        kind = Kind(name, name, *[0] * 12, "M", "melee", chart=(), brutal_chart=())
    elif like == name:
        kind = TYPES[TYPE_NUMBER[name]]
    else:
        kind = read_own_type(like, monsters)
    change = said_figures(entry, kind.range > 0)
    side = kind.side if kind.side is not None else PRINTED_BRUTAL.get(kind.base)
    if like is None:
        side = None  # the general rule
    if "brutal_side" in entry:
        side = read_result(entry["brutal_side"])
    elif side is not None:  # what the entry says holds on both sides
        side = {key: value for key, value in side.items() if key not in change}
    chart, brutal_chart = kind.chart, kind.brutal_chart
    if chart is None or brutal_chart is None:
        chart, brutal_chart = CHARTS[kind.base], BRUTAL_CHARTS[kind.base]
    if "elite_chart" in entry:
        chart = brutal_chart = tuple(read_result(text) for text in entry["elite_chart"])
    if "brutal_chart" in entry:
        brutal_chart = tuple(read_result(text) for text in entry["brutal_chart"])
    any_elite = read_result(entry["any_elite"]) if "any_elite" in entry else kind.any_elite
    base = name if name in TYPE_NUMBER else kind.base
    made = {"chart": chart, "brutal_chart": brutal_chart, "side": side, "any_elite": any_elite}
    return replace(kind, name=entry.get("name", name), base=base, own=True, **made, **change)


def read_class(name: str, classes: dict[str, Any]) -> dict[str, Any]:
    """A hero class: figures, kit, bag, talents, and the upgrades that its heroes may have."""
    if name in classes:
        entry = classes[name]
        like = entry.get("like")
        blank: dict[str, Any] = {"max_grit": 2, "bag": {}}
        blank |= dict.fromkeys(("guns", "free_items", "melee_items", "talents", "upgrades"), ())
        under = blank if like is None else printed_class(name) if like == name else read_class(like, classes)
        return under | {"name": name} | {key: value for key, value in entry.items() if key != "like"}
    return printed_class(name)


def printed_class(name: str) -> dict[str, Any]:
    """11.1."""
    figures, kit, bag = CLASSES[name]
    learned = tuple(upgrade for upgrade, owner in UPGRADES.items() if owner == name)
    found: dict[str, Any] = dict(zip(FIGURES, figures, strict=True)) | {"max_grit": 2, "name": name, "bag": bag}
    for key in ("guns", "free_items", "melee_items"):
        found[key] = kit.get(key, ())
    return found | {"talents": CLASS_TALENTS.get(name, ()), "upgrades": learned}
