"""The turn of a hero: what comes before its action, and the actions that need nobody else (P52-T2, P52-H5, H6, H9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from sim.core.lanes import Lanes, Whole, columns, cut, keep
from sim.rulesets.p52.rules.cards import give_card
from sim.rulesets.p52.rules.damage import return_to_life
from sim.rulesets.p52.state import NOWHERE, State

TakeTurn: TypeAlias = Callable[[State, int, Lanes], None]  # a player: does the one action of a hero (P52-H1)
MOST = 3  # of aim and of stance


def hero_turn(s: State, take_turn: TakeTurn, hero: int, at: Lanes) -> None:
    """P52-T2, P52-C22: the feather of the dead, lost turns, then one action."""
    dead = cut(s.hp[hero], at) < 0
    if dead.any():
        rise(s, hero, keep(at, dead))
        at = keep(at, cut(s.hp[hero], at) >= 0)
    held = cut(s.lost[hero], at) > 0
    if held.any():
        lose_turn(s, hero, keep(at, held))
        at = keep(at, ~held)
    if len(at):
        take_turn(s, hero, at)


def rise(s: State, hero: int, at: Lanes) -> None:
    """P52-C22: the dead who hold a feather return."""
    if "phoenix_feather" not in s.facts.stock_names:
        return
    feathers = s.stock[s.facts.stock_names.index("phoenix_feather"), hero]
    rising = keep(at, cut(feathers, at) > 0)
    if len(rising):
        feathers[rising] -= 1
        if s.tell:
            s.tell.event("P52-C22", "feather", rising, who=hero)
        s.count("items_used", rising)
        return_to_life(s, hero, rising, 3 * s.facts.kits[hero].facts.level)


def lose_turn(s: State, hero: int, at: Lanes) -> None:
    """P52-T2: the frozen do nothing."""
    s.lost[hero][at] -= 1
    set_down(s, hero, at)
    if s.tell:
        s.tell.event("P52-T2", "loses_turn", at, who=hero)


def set_down(s: State, hero: int, at: Lanes, aim: bool = True, stance: bool = True) -> None:
    """P52-H5, P52-H6, P52-U12: what a new action ends: aim, stance, wading."""
    if aim:
        s.aim[hero][at] = 0
    if stance:
        s.stance[hero][at] = 0
    if s.facts.wades:
        s.wade[hero][at] = NOWHERE


def pass_turn(s: State, hero: int, at: Lanes) -> None:
    """P52-H9: do nothing and draw a stamina card, if there is room. Stance and aim end."""
    set_down(s, hero, at)
    room = keep(at, cut(s.cards[hero], at) < s.facts.switches["stamina_max"])
    held = columns(s.cards[hero], at) if s.tell else None
    if len(room):
        give_card(s, hero, room)
    if s.tell and held is not None:
        s.tell.event("P52-H9", "passes", at, who=hero, draws=cut(s.cards[hero], at) > held)


def take_aim(s: State, hero: int, enemy: Whole, at: Lanes) -> None:
    """P52-H5: one more on the same enemy, up to 3; a new enemy begins at 1."""
    set_down(s, hero, at, aim=False)
    same = cut(s.aim_at[hero], at) == enemy
    s.aim[hero][at] = np.where(same, np.minimum(cut(s.aim[hero], at) + 1, MOST), 1)
    s.aim_at[hero][at] = enemy
    if s.tell:
        s.tell.event("P52-H5", "aims", at, who=hero, whom=s.units_of(enemy, at), aim=cut(s.aim[hero], at))


def take_stance(s: State, hero: int, at: Lanes) -> None:
    """P52-H6: one more on every defence flip, up to 3."""
    set_down(s, hero, at, stance=False)
    s.stance[hero][at] = np.minimum(cut(s.stance[hero], at) + 1, MOST)
    if s.tell:
        s.tell.event("P52-H6", "takes_stance", at, who=hero, stance=cut(s.stance[hero], at))
