"""The policy `random_legal`: anything legal, by lot (P52-Y10; the order of choices is in the README)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from sim.core.choose import count, draw_lot, nth, pick
from sim.core.lanes import Lanes, Mask, Whole, columns, cut, each, keep, lookup, which
from sim.rulesets.p52.rules import items, support
from sim.rulesets.p52.rules.hero_moves import walk
from sim.rulesets.p52.rules.hero_turns import pass_turn, take_aim, take_stance
from sim.rulesets.p52.rules.reach import reach_of
from sim.rulesets.p52.state import State
from sim.rulesets.p52.worth import Scene

MakeAttacks: TypeAlias = Callable[[State, int, Whole, Whole, Lanes], None]  # hero, places of attacks, enemies, lanes
PASS, STANCE, MOVE, ATTACK, AIM, SUPPORT = range(6)


def do_anything(s: State, hero: int, at: Lanes, make_attacks: MakeAttacks) -> None:
    """P52-Y10: a category by lot among those that are not empty, then one of its choices by lot."""
    alone = np.ones((1, len(at)), dtype=bool)
    choices = {
        PASS: alone,
        STANCE: alone,
        MOVE: spots_to_go(s, hero, at),
        ATTACK: attacks_on(s, hero, at),
        AIM: enemies_in_sight(s, hero, at),
        SUPPORT: helps(s, hero, at),
    }
    numbers = np.stack([count(mask) for mask in choices.values()])  # (categories, lanes)
    category = pick(numbers > 0, lot=draw_lot(s.luck, "P52-Y10", s.when(at), hero, 0, at))
    among = each(numbers, category, np.arange(len(at)))
    drawn = s.luck.below(among, "P52-Y10", s.when(at), hero, 1, at)
    deeds: dict[int, Callable[[Whole, Lanes], None]] = {
        PASS: lambda _, some: pass_turn(s, hero, some),
        STANCE: lambda _, some: take_stance(s, hero, some),
        MOVE: lambda spot, some: walk(s, hero, spot, some, past_enemies=True),
        ATTACK: lambda row, some: attack_by_lot(s, hero, row, some, make_attacks),
        AIM: lambda enemy, some: take_aim(s, hero, enemy, some),
        SUPPORT: lambda row, some: help_somebody(s, hero, row, some),
    }
    for code, mask in choices.items():
        mine = which(category == code)
        if len(mine):
            deeds[code](nth(columns(mask, mine), drawn[mine]), at[mine])


def spots_to_go(s: State, hero: int, at: Lanes) -> Mask:
    """(spots, lanes). All spots within movement, enemies ignored."""
    movement = s.own(s.facts.kits[hero].facts.movement, at)
    way = reach_of(s, cut(s.spot[hero], at), movement, None, cut(s.wade[hero], at))
    return s.space.ground.board.bits.cells(way.entered | way.waded)


def attacks_on(s: State, hero: int, at: Lanes) -> Mask:
    """(attacks x enemies, lanes). Every legal attack and target, attack by attack."""
    scene = Scene(s, hero, at)
    fit = cut(s.hp[hero], at) > 0
    rows = []
    for way in s.facts.kits[hero].attacks:
        if way.shape == "charge":
            steps = lookup(s.space.ground.steps, scene.spot, scene.foe_spot)
            rows.append(scene.here & (steps >= 1) & (steps <= 2) & fit)
        else:
            rows.append(scene.legal(way) & fit)
    return np.concatenate(rows) if rows else np.zeros((1, len(at)), dtype=bool)


def attack_by_lot(s: State, hero: int, row: Whole, at: Lanes, make_attacks: MakeAttacks) -> None:
    """Carry out a row of `attacks_on`."""
    places = np.array([way.place for way in s.facts.kits[hero].attacks])
    make_attacks(s, hero, lookup(places, row // s.space.slots), row % s.space.slots, at)


def enemies_in_sight(s: State, hero: int, at: Lanes) -> Mask:
    """(enemies, lanes). Whom the hero may aim at."""
    seen = lookup(s.space.ground.sight, cut(s.spot[hero], at), s.foe_spots(at))
    return seen & s.standing_foes(at) & (cut(s.hp[hero], at) > 0)


def helps(s: State, hero: int, at: Lanes) -> Mask:
    """(choices, lanes). Healing items for the living heroes here, then Heal for those in reach, then Healing Glow."""
    kit, spot = s.facts.kits[hero], cut(s.spot[hero], at)
    fit = cut(s.hp[hero], at) > 0
    spells = fit | s.facts.is_on("stunned_self_spell")
    living, spots = s.living(at), cut(s.spot, at)
    rows = []
    for item, _ in items.healing_figures(s, hero, hero, at):
        has = items.has_item(s, hero, item.name, at)
        for friend in range(s.heroes):
            rows.append(has & living[friend] & (spots[friend] == spot) & (fit | (friend == hero)))
    if "heal" in kit.support:
        in_reach = lookup(s.space.ground.hero_range, spot, spots) <= kit.support["heal"].most
        for friend in range(s.heroes):
            rows.append(spells & in_reach[friend] & living[friend] & (fit | (friend == hero)))
    if "healing_glow" in kit.support:
        rows.append(spells)
    return np.stack(rows) if rows else np.zeros((1, len(at)), dtype=bool)


def help_somebody(s: State, hero: int, row: Whole, at: Lanes) -> None:
    """Carry out a row of `helps`."""
    figures = items.healing_figures(s, hero, hero, at)
    given = len(figures) * s.heroes
    casts = s.heroes if "heal" in s.facts.kits[hero].support else 0
    for number in np.unique(row).tolist():
        helping = keep(at, row == number)
        if number < given:
            items.give(s, hero, figures[number // s.heroes][0], number % s.heroes, helping)
        elif number < given + casts:
            support.heal(s, hero, np.full(len(helping), number - given), helping)
        else:
            support.glow(s, hero, helping)
