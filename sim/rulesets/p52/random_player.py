"""The policy `random_legal`: anything legal, by lot (P52-Y10; the order of choices is in the README)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import count, nth
from sim.core.lanes import Lanes, Mask, Whole
from sim.rulesets.p52.rules import support
from sim.rulesets.p52.rules.cards import pass_turn
from sim.rulesets.p52.rules.hero_moves import reach_of, walk
from sim.rulesets.p52.state import State
from sim.rulesets.p52.worth import Scene

if TYPE_CHECKING:
    from sim.rulesets.p52.player import Player

PASS, STANCE, MOVE, ATTACK, AIM, SUPPORT = range(6)


def anything(heroes: Player, s: State, hero: int, at: Lanes) -> None:
    """P52-Y10: a category by lot among those that are not empty, then one of its choices by lot."""
    alone = np.ones((1, len(at)), dtype=bool)
    choices = {
        PASS: alone,
        STANCE: alone,
        MOVE: spots_to_go(s, hero, at),
        ATTACK: pairs(s, hero, at),
        AIM: enemies_in_sight(s, hero, at),
        SUPPORT: helps(s, hero, at),
    }
    numbers = np.stack([count(mask) for mask in choices.values()])  # (categories, lanes)
    open_ones = numbers > 0
    category = nth(open_ones, s.luck.below(count(open_ones), "P52-Y10", s.when(at), hero, 0, at))
    among = numbers[category, np.arange(len(at))]
    drawn = s.luck.below(among, "P52-Y10", s.when(at), hero, 1, at)
    for code, mask in choices.items():
        mine = np.flatnonzero(category == code)
        if len(mine):
            do_choice(heroes, s, hero, code, nth(mask[:, mine], drawn[mine]), at[mine])


def do_choice(heroes: Player, s: State, hero: int, category: int, row: Whole, at: Lanes) -> None:
    """Carry out the drawn choice: a row of the category's mask."""
    if category == PASS:
        pass_turn(s, hero, at)
    elif category == STANCE:
        support.take_stance(s, hero, at)
    elif category == MOVE:
        walk(s, hero, row, at, past_enemies=True)
    elif category == ATTACK:
        places = np.array([way.place for way in s.facts.kits[hero].attacks])
        heroes.attack(s, hero, places.take(row // s.space.slots), row % s.space.slots, at)
    elif category == AIM:
        support.take_aim(s, hero, row, at)
    else:
        help_somebody(s, hero, row, at)


def spots_to_go(s: State, hero: int, at: Lanes) -> Mask:
    """(spots, lanes). All spots within movement, enemies ignored."""
    spot = s.spot[hero].take(at).astype(np.int64)
    entered, waded = reach_of(s, spot, s.facts.kits[hero].facts.movement, None, s.wade[hero].take(at))
    return s.space.ground.board.bits.cells(entered | waded)


def pairs(s: State, hero: int, at: Lanes) -> Mask:
    """(attacks x enemies, lanes). Every legal attack and target, attack by attack."""
    scene = Scene(s, hero, at)
    fit = s.hp[hero].take(at) > 0
    ground = s.space.ground
    rows: list[NDArray[np.bool_]] = []
    for way in s.facts.kits[hero].attacks:
        if way.shape == "charge":
            steps = ground.steps.take(scene.spot * ground.size + scene.foe_spot)
            rows.append(scene.here & (steps >= 1) & (steps <= 2) & fit)
        else:
            rows.append(scene.legal(way) & fit)
    return np.concatenate(rows) if rows else np.zeros((1, len(at)), dtype=bool)


def enemies_in_sight(s: State, hero: int, at: Lanes) -> Mask:
    """(enemies, lanes). Whom the hero may aim at."""
    ground, slots = s.space.ground, s.space.slots
    pair = s.spot[hero].take(at).astype(np.int64) * ground.size + s.foe_spot[:slots].take(at, axis=1)
    return ground.sight.take(pair) & s.standing_foes(at)[:slots] & (s.hp[hero].take(at) > 0)


def helps(s: State, hero: int, at: Lanes) -> Mask:
    """(choices, lanes). Healing items for the living heroes here, then Heal for those in reach, then Healing Glow."""
    kit, ground = s.facts.kits[hero], s.space.ground
    spot = s.spot[hero].take(at).astype(np.int64)
    fit = s.hp[hero].take(at) > 0
    spells = fit | s.facts.is_on("stunned_self_spell")
    rows = []
    for place, _ in support.healing_figures(s, hero, hero):
        has = s.stock[place, hero].take(at) > 0
        for friend in range(s.heroes):
            living = s.hp[friend].take(at) >= 0
            rows.append(has & living & (s.spot[friend].take(at) == spot) & (fit | (friend == hero)))
    for friend in range(s.heroes):
        if "heal" in kit.support:
            seen = ground.hero_range.take(spot * ground.size + s.spot[friend].take(at)) <= kit.support["heal"].most
            rows.append(spells & seen & (s.hp[friend].take(at) >= 0) & (fit | (friend == hero)))
    if "healing_glow" in kit.support:
        rows.append(spells)
    return np.stack(rows) if rows else np.zeros((1, len(at)), dtype=bool)


def help_somebody(s: State, hero: int, row: Whole, at: Lanes) -> None:
    """Carry out a row of `helps`."""
    items = support.healing_figures(s, hero, hero)
    casts = s.heroes if "heal" in s.facts.kits[hero].support else 0
    for number in np.unique(row).tolist():
        lanes = at[row == number]
        if number < len(items) * s.heroes:
            support.give(s, hero, items[number // s.heroes][0], number % s.heroes, lanes)
        elif number < len(items) * s.heroes + casts:
            friend = np.full(len(lanes), number - len(items) * s.heroes, dtype=np.int64)
            support.heal(s, hero, friend, lanes)
        else:
            support.glow(s, hero, lanes)
