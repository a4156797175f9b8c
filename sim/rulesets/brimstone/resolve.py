"""A scenario with every number written out: a scenario file itself, or the fight as it stands on the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.bestiary import PLAIN, Bestiary, Kind, brutal_side, figures_of, kind_of_type, level_bonus
from sim.rulesets.brimstone.build import Plot, build_plot
from sim.rulesets.brimstone.changes import NOTHING
from sim.rulesets.brimstone.elite_words import elite_words
from sim.rulesets.brimstone.enemy_lines import Line, read_lines
from sim.rulesets.brimstone.hero_classes import class_in_full
from sim.rulesets.brimstone.schema import BrimstoneScenario, Enemies, Hero
from sim.rulesets.brimstone.threats import card_list, card_words


def resolved(scenario: BrimstoneScenario, switches: Mapping[str, Any]) -> dict[str, Any]:
    """The same fight with all figures of heroes and of enemies.

    An unchanged line whose type comes into the fight in other ways too stays as short as it is: any further key would
    make it a kind of its own, with other luck. So does a line of an own type, whose figures stand under `monsters`.
    """
    alone = read_lines(scenario).alone

    def in_full(line: Enemies, kind: Kind) -> dict[str, Any]:
        return line_in_full(line, kind, kind.base in alone and line.type not in scenario.monsters)

    return _with_lines(scenario, in_full)


def every_number(scenario: BrimstoneScenario) -> dict[str, Any]:
    """The same with all figures of every line, whatever that would do to the luck: what a value is set among.

    A figure that is written is not replaced by a printed Brutal side, so where that is in force its figures are those
    that stand there. The other Brutal sides are reckoned from what is written.
    """
    levels = [hero.level or scenario.level for hero in scenario.heroes if not hero.ally]
    by_level, _ = level_bonus(max(levels, default=1))

    def in_full(line: Enemies, kind: Kind) -> dict[str, Any]:
        brutal = by_level if kind.brutal is None else kind.brutal
        replaced = brutal and kind.side is not None
        figures, abilities = brutal_side(kind) if replaced else (kind.figures, kind.abilities)
        return {"type": line.type, "count": line.count} | with_changes(line, figures, abilities)

    return _with_lines(scenario, in_full)


def _with_lines(scenario: BrimstoneScenario, write: Callable[[Enemies, Kind], dict[str, Any]]) -> dict[str, Any]:
    """The fight with all figures of heroes, and enemies as `write` has them."""
    full = scenario.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)
    full["level"] = scenario.level
    full["policy"] = scenario.policy
    full["heroes"] = [hero_in_full(hero, scenario) for hero in scenario.heroes]
    read = read_lines(scenario)
    kinds, lines, late = read.kinds, read.start, read.late

    def in_full(entries: list[Enemies], lines: list[Line]) -> list[dict[str, Any]]:
        written = [write(entry, kinds[line.kind]) for entry, line in zip(entries, lines, strict=True)]
        squares = [{"squares": entry.squares} if entry.squares else {} for entry in entries]
        return [entry | where for entry, where in zip(written, squares, strict=True)]

    if scenario.enemies:
        full["enemies"] = in_full(scenario.enemies, lines)
    for number, event in enumerate(scenario.events):
        full["events"][number]["enemies"] = in_full(event.enemies, late[number])
    return full | _own_types_in_full(scenario, read.own)


def _own_types_in_full(scenario: BrimstoneScenario, met: list[str]) -> dict[str, Any]:
    """The designer's own types that are met, with everything that is to be said of them."""
    written: dict[str, Any] = {"monsters": {name: type_in_full(name, scenario) for name in met}}
    own = dict.fromkeys(hero.hero_class for hero in scenario.heroes if hero.hero_class in scenario.classes)
    written["classes"] = {name: class_in_full(name, scenario.classes) for name in own}
    return {key: table for key, table in written.items() if table}


def type_in_full(name: str, scenario: BrimstoneScenario) -> dict[str, Any]:
    """A type as a file writes it; it stays like the type of the game that it comes from, for the luck's sake."""
    kind = kind_of_type(name, scenario.monsters)
    entry: dict[str, Any] = {"like": kind.base} if kind.base in data.types() else {}
    entry |= {"name": kind.name} if kind.name != name else {}
    entry |= figures_in_words(kind.figures, kind.abilities)
    entry["elite_chart"], entry["brutal_chart"] = ([str(result) for result in chart] for chart in kind.charts)
    if kind.side is not None:
        entry["brutal_side"] = str(kind.side)
    return entry | ({"any_elite": str(kind.any_elite)} if kind.any_elite != NOTHING else {})


def as_played(scenario: BrimstoneScenario, switches: Mapping[str, Any]) -> dict[str, Any]:
    """The same for reading: heroes with the gains of their level, enemies on their Brutal side where it is in force."""
    full = resolved(scenario, switches)
    plot = build_plot(scenario, switches)
    for entry, hero in zip(full["heroes"], plot.heroes, strict=True):
        entry |= hero.figures | {key: getattr(hero, key) for key in ("dmg_bonus", "shot_bonus", "move_bonus")}
    arrivals = [line for arrival in plot.arrivals for line in arrival.lines]
    entries = full.get("enemies", []) + [line for event in full.get("events", []) for line in event["enemies"]]
    for entry, line in zip(entries, (*plot.lines, *arrivals), strict=True):
        figures, abilities = figures_of(plot.kinds[line.kind], plot.bestiary.brutal[line.kind], ())
        entry |= figures_in_words(figures, abilities)
        entry |= elites_in_words(plot.bestiary, line.kind)
    if scenario.threats:
        full["threat_cards"] = cards_in_words(scenario.threats, plot)
    return full


def elites_in_words(bestiary: Bestiary, kind: int) -> dict[str, Any]:
    """BF-S5: which Elite abilities a kind holds in every fight, and how many it draws from which; nothing if none."""
    entry: dict[str, Any] = {}
    if given := bestiary.kinds[kind].elites:
        entry["elite"] = "; ".join(elite_words(bestiary.result(kind, number)) for number in given)
    if draws := bestiary.draws(kind):
        entry["elite_abilities_drawn"] = draws
        results = bestiary.open_results(kind)
        entry["drawn_from"] = "; ".join(f"{n} {elite_words(bestiary.result(kind, n))}" for n in results)
    return entry


def cards_in_words(threats: list[str], plot: Plot) -> dict[str, str]:
    """BF-S2: every card that may be drawn at first, by its name, with what it brings."""
    words: dict[str, str] = {}
    for called in threats:
        name, _, place = called.partition(":")
        of = name if place else card_list(name, plot.posse_list, plot.small)
        for number, card in enumerate(data.threats()[of], start=1):
            if not place or number == int(place):
                words[f"{of} {number}"] = card_words(card)
    return words


def hero_in_full(hero: Hero, scenario: BrimstoneScenario) -> dict[str, Any]:
    """A hero with class figures, kit and bag; figures are those of level 1, as in a file."""
    kit = class_in_full(hero.hero_class, scenario.classes)
    entry: dict[str, Any] = {"class": hero.hero_class, "name": hero.name or kit.get("name", hero.hero_class)}
    entry["level"] = hero.level or scenario.level
    entry["policy"] = hero.policy or scenario.policy
    if hero.square is not None:
        entry["square"] = list(hero.square)
    for key in data.FIGURES:
        value = getattr(hero, key)
        entry[key] = kit[key] if value is None else value
    if hero.ally:
        del entry["max_grit"]  # BF-U3: allies have none, so a file cannot say how much
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


def without(scenario: BrimstoneScenario, ability: str) -> dict[str, Any] | None:
    """The values to set so that no hero has a gun, an item or a token, or fires two guns; None where nobody does."""
    values: dict[str, Any] = {}
    for place, hero in enumerate(scenario.heroes):
        carried = hero_in_full(hero, scenario)
        for key in ("guns", "free_items"):
            if ability in carried[key]:
                values[f"heroes[{place}].{key}"] = [name for name in carried[key] if name != ability]
        if carried["bag"].get(ability):
            values[f"heroes[{place}].bag.{ability}"] = 0
        if ability == "two_guns" and hero.two_guns:
            values[f"heroes[{place}].two_guns"] = False
    return values or None


def line_in_full(line: Enemies, kind: Kind, alone: bool) -> dict[str, Any]:
    """A line of enemies; a changed one, or the only one of its type, with all figures of its kind on the normal side.

    Types with a printed Brutal side keep their unchanged figures unwritten, because that side replaces only those.
    """
    entry: dict[str, Any] = {"type": line.type, "count": line.count}
    if not line.changes and not alone:
        return entry
    if kind.side is not None:
        return entry | line.changes
    return entry | with_changes(line, kind.figures, kind.abilities)


def with_changes(line: Enemies, figures: dict[str, Any], abilities: dict[str, Any]) -> dict[str, Any]:
    """Figures with what a line says over them, as it says it; of a weapon it may say only a part."""
    return figures_in_words(figures, abilities) | {k: value for k, value in line.changes.items() if k != "weapon"}


def figures_in_words(figures: dict[str, Any], abilities: dict[str, Any]) -> dict[str, Any]:
    """The figures of an enemy as they are written in a file."""
    entry = {key: figures[key] for key in (*PLAIN, "size", "behaviour")}
    entry["damage"] = dice_text(figures["damage_dice"], figures["damage"])
    if figures["range"]:
        damage = dice_text(figures["shot_dice"], figures["shot_damage"])
        entry["weapon"] = {"range": figures["range"], "shots": figures["shots"], "damage": damage}
    entry["abilities"] = dict(abilities)
    return entry


def dice_text(dice: int, plus: int) -> int | str:
    """A damage as it is written in a file."""
    if not dice:
        return plus
    return f"D6+{plus}" if plus else "D6"
