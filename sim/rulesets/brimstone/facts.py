"""The facts of an encounter: everything that is the same in all its runs, with the rows of its tables."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from sim.core.facts import EncounterFacts
from sim.core.lanes import Small, Whole, Wide
from sim.core.outcomes import Ability, Cast, Unit, told_apart
from sim.core.varying import Varies, Varying, may_vary, unread
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.build import NO_CAP, Mode, Plot, build_plot, value_table
from sim.rulesets.brimstone.dice_texts import most
from sim.rulesets.brimstone.elite_words import elite_words
from sim.rulesets.brimstone.ground import Ground
from sim.rulesets.brimstone.plan import Plan, plans_of
from sim.rulesets.brimstone.schema import BrimstoneScenario
from sim.rulesets.brimstone.threats import card_words, drawable_cards, largest_card

ATTACKS = {
    "flail": "flail",
    "range": "shooting",
    "free_shot": "free_shot",
    "cut": "cut",
    "drag": "drag",
    "spawn_on": "spawn",
    "explode": "explode",
}  # figures of a kind and what it does with them; melee besides
FRIGHTS = ("fear", "terror", "uterror", "nightmare")

COUNTS = {
    "standing": "heroes standing at the end",
    "kos": "how often heroes were knocked out",
    "dead": "heroes dead for good (hard_core)",
    "removed": "allies removed",
    "wounds_taken": "wounds placed on heroes",
    "sanity_taken": "sanity damage placed on heroes",
    "loot": "loot cards drawn",
    "grit_gained": "Grit gained",
    "grit_spent": "Grit spent",
    "tokens_used": "side bag tokens used",
    "injuries": "injury rolls",
    "madness": "madness rolls",
    "corruption": "Corruption points",
    "revivals": "revive tokens spent",
    "threat_cards": "threat cards that brought enemies",
    "darkness": "where the darkness marker stands",
    "depth_events": "depth events",
    "ignored": "models that found no place",
    "escaped": "fights lost because the darkness escaped",
    "fled": "fights lost because the posse ran away",
}


# What rules read of a profile as if no run could have another: variants that share a batch have the same.
FIXED_FIGURES = ("kind", "size", "behaviour", "elites", "spawn_kind")


def what_cannot_vary(figure: Mapping[str, Small]) -> Hashable:
    """Of the figures of all profiles those that must be the same in variants of a fight that share a batch."""
    if not figure:
        return None
    return tuple(tuple(figure[name].tolist()) for name in FIXED_FIGURES), tuple((figure["range"] > 0).tolist())


@dataclass(frozen=True, slots=True)
class Facts(EncounterFacts):
    """What is the same in all runs of an encounter."""

    plot: Plot
    plans: tuple[Plan, ...]  # by hero
    ground: Ground | None
    given: dict[int, tuple[int, ...]]  # kind -> the cells on which its first models start
    cards: dict[tuple[str, int], int]  # (list, number) of the cards that may be drawn -> their row
    elites: tuple[tuple[int, int], ...]  # (kind, result) of the Elite abilities that may be drawn by a line's kind
    figure: dict[str, Small]  # figure -> (profiles,)
    any_has: frozenset[str]  # figures that are not 0 in some profile
    kind_has: dict[int, frozenset[str]]  # kind -> figures that are not 0 in some of its profiles
    one_profile: dict[int, int]  # kind -> its profile, for kinds that have the same one in every run
    die_worth: tuple[tuple[Wide, ...], ...]  # hero, mode -> (9, profiles) as in `value_table`, or with distances
    dice_cap: int
    modes: int  # most modes of a hero
    unit_row: dict[int, int]  # kind -> row in the cast
    ability_row: dict[tuple[int, str], int]  # (row of the unit, name) -> row in the cast's abilities
    stage: int
    flee_turn: int
    enemy_tile: int
    ambush: bool
    darkness: int
    markers: bool  # some hero may have a status marker
    mixed: bool  # more than one profile may be met in a run
    reuse: bool  # slots may be used twice: creation numbers and slots part
    profiles_each: int = 0  # of variants whose profiles stand side by side: how many each has; 0 where they share them
    varied: frozenset[str] = frozenset()  # figures in which variants that share a batch differ

    @property
    def unit_rows(self) -> Whole:
        """(kinds,). `unit_row` as a table; 0 for kinds that no run can meet."""
        return np.array([self.unit_row.get(kind, 0) for kind in range(max(self.unit_row) + 1)])

    VARIES: ClassVar[Varies] = may_vary(
        "die_worth", figure=what_cannot_vary, any_has=unread, kind_has=unread
    )  # see `profiles_side_by_side`


def make_facts(scenario: BrimstoneScenario, switches: Mapping[str, Any]) -> Facts:
    """Everything that is the same in all runs."""
    plot = build_plot(scenario, switches)
    bestiary = plot.bestiary
    kind_has = what_kinds_have(bestiary.wanted, bestiary.table)
    any_has = frozenset(name for has in kind_has.values() for name in has)
    cap = switches["max_attack_dice"]
    cast, unit_row, ability_row = make_cast(plot, kind_has)
    marking = any(name.startswith(("wound:", "melee_wound:")) for name in any_has) or "tail" in any_has
    return Facts(
        plot=plot,
        switches=switches,
        plans=plans_of(scenario),
        ground=plot.ground,
        given=given_cells(plot),
        cards={card: row for row, card in enumerate(drawable_cards(list(plot.threats), plot.posse_list, plot.small))},
        elites=drawable_elites(plot),
        figure=bestiary.table,
        any_has=any_has,
        kind_has=kind_has,
        one_profile={kind: rows[0] for kind in bestiary.wanted if len(rows := bestiary.profiles_of(kind)) == 1},
        die_worth=worths_of_dice(plot),
        dice_cap=NO_CAP if cap == "none" else cap,
        modes=max(len(hero.modes) for hero in plot.heroes),
        cast=cast,
        unit_row=unit_row,
        ability_row=ability_row,
        stage=scenario.stage,
        flee_turn=scenario.flee_turn,
        enemy_tile=scenario.enemy_tile,
        ambush=scenario.ambush,
        darkness=scenario.darkness,
        markers=marking or any(hero.status for hero in plot.heroes),
        mixed=len(bestiary.wanted) > 1,
        reuse=may_reuse(plot, switches),
    )


def what_kinds_have(kinds: list[int], figure: Mapping[str, Small]) -> dict[int, frozenset[str]]:
    """Kind -> the figures that are not 0 in some of its profiles."""
    found = {}
    for kind in kinds:
        own = figure["kind"] == kind
        found[kind] = frozenset(name for name, values in figure.items() if (values * own).any())
    return found


def worths_of_dice(plot: Plot) -> tuple[tuple[Wide, ...], ...]:
    """BF-P3: what one die is worth, by hero and mode, free modes last; by distance too if somebody dodges."""
    dodging = may_dodge(plot)
    distances = 1
    if dodging:
        distances = 2 if plot.ground is None else plot.ground.largest_range + 1
    known: dict[Mode, Wide] = {}
    for mode in (mode for hero in plot.heroes for mode in (*hero.modes, *hero.free_modes)):
        if mode not in known:
            table = value_table(mode, plot.bestiary, distances)
            known[mode] = table if dodging else np.ascontiguousarray(table[:, :, 0])
    return tuple(tuple(known[mode] for mode in (*hero.modes, *hero.free_modes)) for hero in plot.heroes)


def may_dodge(plot: Plot) -> bool:
    """Whether some profile dodges, so that the worth of a die depends on the distance."""
    return bool(plot.bestiary.profiles) and bool(plot.bestiary.table["dodge"].any())


def profiles_side_by_side(facts: Facts) -> Facts:
    """Facts of several variants that differ in profiles, or in the worth of dice against them: each has its own.

    The tables of all variants stand one after the other, so that a profile tells the variant too and everything that is
    looked up by profile is found as ever. `State.held` is where a run gets the profiles of its variant.
    """
    varied = frozenset(name for name, values in facts.figure.items() if isinstance(values, Varying))
    if not varied and not any(isinstance(table, Varying) for tables in facts.die_worth for table in tables):
        return facts
    variants, bestiary = facts.cast.variants, facts.plot.bestiary

    def in_a_row(table: Any, axis: int) -> Any:
        several = table.table if isinstance(table, Varying) else np.broadcast_to(table, (variants, *table.shape))
        return np.concatenate(several, axis=axis)

    figure = {name: in_a_row(values, 0) for name, values in facts.figure.items()}
    kind_has = what_kinds_have(bestiary.wanted, figure)
    return replace(
        facts,
        figure=figure,
        any_has=frozenset(name for has in kind_has.values() for name in has),
        kind_has=kind_has,
        die_worth=tuple(tuple(in_a_row(table, 1) for table in tables) for tables in facts.die_worth),
        profiles_each=len(bestiary.profiles),
        varied=varied,
    )


def given_cells(plot: Plot) -> dict[int, tuple[int, ...]]:
    """The cells that the scenario gives to models of the start, by kind in the order of the lines."""
    cells: dict[int, tuple[int, ...]] = {}
    for line in plot.lines:
        if plot.ground is not None and line.squares:
            found = tuple(plot.ground.board.find(square) for square in line.squares)
            cells[line.kind] = cells.get(line.kind, ()) + found
    return cells


def may_reuse(plot: Plot, switches: Mapping[str, Any]) -> bool:
    """Whether more than 40 models may enter, so that places are used twice (BF-G9)."""
    grows = any(plot.bestiary.table[name].any() for name in ("hordes", "spawn_on")) and switches["spawners"] == "on"
    if grows:
        return True
    number = sum(most(line.count) for line in plot.lines)
    number += sum(most(line.count) for arrival in plot.arrivals for line in arrival.lines)
    number += sum(largest_card(name, plot.posse_list, plot.small) for name in plot.threats)
    return number > data.MOST_MODELS


def drawable_elites(plot: Plot) -> tuple[tuple[int, int], ...]:
    """BF-S5: the Elite results that the kinds of lines hold in some runs and not in others."""
    lines = (*plot.lines, *(line for arrival in plot.arrivals for line in arrival.lines))
    found: list[tuple[int, int]] = []
    for kind in dict.fromkeys(line.kind for line in lines):
        results, draws = plot.bestiary.open_results(kind), plot.bestiary.draws(kind)
        found += [(kind, number) for number in results if 0 < draws < len(results)]
    return tuple(found)


def met_by_chance(plot: Plot, names: Mapping[int, str]) -> tuple[str, ...]:
    """What results are split by: threat cards, then Elite abilities, in the order of `Facts.cards` and `elites`."""
    cards = [
        f"threat card {name} {number}: {card_words(data.threats()[name][number - 1])}"
        for name, number in drawable_cards(list(plot.threats), plot.posse_list, plot.small)
    ]
    bestiary = plot.bestiary
    elites = [
        f"elite {names[kind]}: {elite_words(bestiary.result(kind, number))}" for kind, number in drawable_elites(plot)
    ]
    return (*cards, *elites)


def make_cast(
    plot: Plot, kind_has: Mapping[int, frozenset[str]]
) -> tuple[Cast, dict[int, int], dict[tuple[int, str], int]]:
    """The rows of the tables: heroes, then every kind that may be met; and what each of them can do."""
    wanted = plot.bestiary.wanted
    names = told_apart([hero.name for hero in plot.heroes] + [plot.kinds[kind].name for kind in wanted])
    units = [
        Unit(name, "party", hero.hero_class, hero.figures["health"])
        for name, hero in zip(names, plot.heroes, strict=False)
    ]
    abilities: list[Ability] = []
    for row, hero in enumerate(plot.heroes):
        carried = (*hero.free_items, *(token for token, number in hero.bag.items() if number))
        usable = dict.fromkeys((*(mode.name for mode in hero.modes), *carried))
        abilities += [Ability(row, name, common=name == "melee") for name in usable]
    unit_row: dict[int, int] = {}
    counts = dict(COUNTS)
    for kind in wanted:
        row = unit_row[kind] = len(units)
        units.append(Unit(names[row], "enemy", plot.kinds[kind].base))
        abilities += [Ability(row, name, common=True) for name in enemy_abilities(kind_has[kind])]
        if kind_has[kind].intersection(FRIGHTS):
            counts[sanity_count(names[row])] = f"sanity damage done by {names[row]}"
    rows = {(ability.unit, ability.name): row for row, ability in enumerate(abilities)}
    met = met_by_chance(plot, {kind: names[row] for kind, row in unit_row.items()})
    return Cast(tuple(units), tuple(abilities), counts, met), unit_row, rows


def enemy_abilities(has: frozenset[str]) -> list[str]:
    """What a kind with these figures can hurt heroes with, or bring others into the fight."""
    own = [name for figure, name in ATTACKS.items() if figure in has]
    fights = "th_melee" in has and has & {"combat", "pack"} and "flail" not in has
    return ["melee", *own] if fights else own


def sanity_count(name: str) -> str:
    """The column that counts the sanity damage of a kind."""
    return f"sanity_by_{name}"
