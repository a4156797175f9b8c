"""A scenario with every number written out."""

from __future__ import annotations

from typing import Any

from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.profiles import PLAIN, Kind, read_kinds
from sim.rulesets.brimstone.schema import BrimstoneScenario, Enemies, Hero


def written_out(scenario: BrimstoneScenario) -> dict[str, Any]:
    """The same fight with all figures of heroes and of changed enemy lines.

    An unchanged line stays as short as it is: any further key would make it a kind of its own, with other luck.
    """
    full = scenario.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)
    full["level"] = scenario.level
    full["policy"] = scenario.policy
    full["heroes"] = [hero_in_full(hero, scenario) for hero in scenario.heroes]
    kinds, lines, late = read_kinds(scenario)
    if scenario.enemies:
        full["enemies"] = [
            line_in_full(entry, kinds[line.kind]) for entry, line in zip(scenario.enemies, lines, strict=True)
        ]
    for number, event in enumerate(scenario.events):
        full["events"][number]["enemies"] = [
            line_in_full(entry, kinds[line.kind]) for entry, line in zip(event.enemies, late[number], strict=True)
        ]
    return full


def hero_in_full(hero: Hero, scenario: BrimstoneScenario) -> dict[str, Any]:
    """A hero with class figures, kit and bag; figures are those of level 1, as in a file."""
    kit = data.classes()[hero.hero_class]
    entry: dict[str, Any] = {"class": hero.hero_class, "name": hero.name or hero.hero_class}
    entry["level"] = hero.level or scenario.level
    entry["policy"] = hero.policy or scenario.policy
    if hero.square is not None:
        entry["square"] = list(hero.square)
    for key in data.FIGURES:
        value = getattr(hero, key)
        entry[key] = kit.get(key, 2) if value is None else value
    for key in ("dmg_bonus", "shot_bonus", "move_bonus", "armor", "spirit_armor", "cover", "wounds", "sdmg"):
        entry[key] = getattr(hero, key)
    for key in ("grit", "upgrade", "move"):
        if getattr(hero, key) is not None:
            entry[key] = getattr(hero, key)
    for key in ("guns", "free_items", "melee_items"):
        own = getattr(hero, key)
        entry[key] = list(kit.get(key, ()) if own is None else own)
    entry["bag"] = dict(kit["bag"] if hero.bag is None else hero.bag)
    entry["status"] = dict(hero.status)
    entry["two_guns"] = hero.two_guns
    entry["ally"] = hero.ally
    return entry


def line_in_full(line: Enemies, kind: Kind) -> dict[str, Any]:
    """A line of enemies; a changed one with all figures of its kind on the normal side.

    Types with a printed Brutal side keep their unchanged figures unwritten, because that side replaces only those.
    """
    entry: dict[str, Any] = {"type": line.type, "count": line.count}
    if not line.changes:
        return entry
    if "brutal" not in data.types()[kind.base]:
        figures = kind.figures
        entry |= {key: figures[key] for key in (*PLAIN, "size", "behaviour")}
        entry["damage"] = dice_text(figures["damage_dice"], figures["damage"])
        if figures["range"]:
            damage = dice_text(figures["shot_dice"], figures["shot_damage"])
            entry["weapon"] = {"range": figures["range"], "shots": figures["shots"], "damage": damage}
        entry["abilities"] = dict(kind.abilities)
    return entry | line.changes


def dice_text(dice: int, plus: int) -> int | str:
    """A damage as it is written in a file."""
    if not dice:
        return plus
    return f"D6+{plus}" if plus else "D6"
