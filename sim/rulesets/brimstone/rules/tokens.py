"""Tokens of the side bag, on oneself and on others, and movement bought with Grit (BF-H5, BF-H26, BF-P7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.core.choose import first
from sim.core.lanes import Lanes, Mask, Whole, cut, keep
from sim.core.telling import Roll, dice
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.data import BANDAGES, FINE_CIGAR, FLASH, HERBS, SPICE, TONIC, WHISKEY
from sim.rulesets.brimstone.rules.armor import take_wounds
from sim.rulesets.brimstone.rules.damage import heal_sanity, heal_wounds, spend_token
from sim.rulesets.brimstone.rules.grit import gain_grit, spend_grit
from sim.rulesets.brimstone.rules.places import adjacent_heroes
from sim.rulesets.brimstone.state import State

XP_PER_POINT = 5  # for healing another hero


def use_tokens(s: State, hero: int, at: Lanes) -> None:
    """BF-P7: Bandages, Herbs, Whiskey, Tonic on oneself, one of each."""
    plan = s.facts.plans[hero]
    part, whole = plan.share
    if not part:
        return
    carries = s.facts.plot.heroes[hero].carries
    for token, name in ((BANDAGES, "bandages"), (HERBS, "herbs"), (WHISKEY, "whiskey")):
        if not carries(name):
            continue
        some = keep(at, holds(s, token, hero, at))
        mind = token == WHISKEY
        left = s.sanity_left(hero, some) if mind else s.health_left(hero, some)
        most = cut((s.sanity if mind else s.health)[hero], some)
        some = keep(some, whole * left <= part * most)
        if not len(some):
            continue
        spend_token(s, hero, some, token)
        points = healing_dice(s, hero, some, token, name)
        healed = (heal_sanity if mind else heal_wounds)(s, hero, some, points)
        if s.tell:
            told: dict[str, Any] = {"token": name, "points" if mind else "healed": healed}
            s.tell.event("BF-P7", "uses_token", some, who=hero, rolls=[healing_shown(s, hero, token, name)], **told)
    if carries("tonic") and s.facts.is_on("grit_use"):
        able = holds(s, TONIC, hero, at) & (cut(s.grit[hero], at) == 0) & (cut(s.max_grit[hero], at) > 0)
        spend_token(s, hero, keep(at, able), TONIC)
        if s.tell:
            s.tell.event("BF-P7", "uses_token", keep(at, able), who=hero, token="tonic")
        gain_grit(s, hero, keep(at, able))


def holds(s: State, token: int, hero: int, at: Lanes) -> Mask:
    """(lanes,). Whether the token is in the hero's side bag."""
    return np.asarray(cut(s.bag[token, hero], at) > 0)


def healing_dice(s: State, hero: int, at: Lanes, token: int, purpose: str) -> Whole:
    """(lanes,). BF-H26: a D6 of points, two for Herbs; the dice are the user's."""
    points = s.luck.die(6, purpose, s.round, hero, 0, at)
    if token == HERBS:
        points += s.luck.die(6, purpose, s.round, hero, 1, at)
    return points


def healing_shown(s: State, hero: int, token: int, purpose: str) -> Roll:
    """The same dice as they lie, for whoever listens."""
    number = 2 if token == HERBS else 1
    faces = [s.luck.die(6, purpose, s.round, hero, i, s.everyone[:1]) for i in range(number)]
    return dice(np.array(faces), 6, purpose="to heal")


# On others.


def whom_to_treat(s: State, hero: int, token: int, share: tuple[int, int], at: Lanes) -> Whole:
    """(lanes,). BF-H26: the first adjacent standing hero in posse order who needs the token; -1 where nobody does."""
    near = adjacent_heroes(s, cut(s.cell[hero], at), at) & holds(s, token, hero, at)
    near[hero] = False
    if not near.any():
        return np.full(len(at), -1, dtype=np.int64)
    for other in range(s.heroes):
        near[other] &= needs(s, other, token, share, at)
    return first(near)


def needs(s: State, hero: int, token: int, share: tuple[int, int], at: Lanes) -> Mask:
    """(lanes,). Little of the track left and a point to heal; for a Tonic no Grit, and room for it."""
    if token == TONIC:
        return np.asarray((cut(s.grit[hero], at) == 0) & (cut(s.max_grit[hero], at) > 0))
    part, whole = share
    if token == WHISKEY:
        left, most, lost = s.sanity_left(hero, at), cut(s.sanity[hero], at), cut(s.sdmg[hero], at)
    else:
        left, most, lost = s.health_left(hero, at), cut(s.health[hero], at), cut(s.wounds[hero], at)
    little = np.multiply(left, whole, dtype=np.int64) <= np.multiply(most, part, dtype=np.int64)
    return np.asarray(little & (lost > 0))


def treat(s: State, hero: int, token: int, at: Lanes, patient: Whole) -> None:
    """BF-H26: the token works on another hero; 5 XP per point healed, none for allies."""
    name = data.TOKENS[token]
    spend_token(s, hero, at, token)
    for other in np.unique(patient):
        who, some = int(other), at[patient == other]
        if token == TONIC:
            if s.tell:
                s.tell.event("BF-H26", "treats", some, who=hero, whom=who, token=name)
            gain_grit(s, who, some)
            continue
        points = healing_dice(s, hero, some, token, f"treat/{name}")
        healed = (heal_sanity if token == WHISKEY else heal_wounds)(s, who, some, points)
        xp = XP_PER_POINT * healed * (not s.facts.plot.heroes[hero].ally)
        s.xp[hero, some] += xp
        if s.tell:
            told: dict[str, Any] = {"token": name, "points" if token == WHISKEY else "healed": healed, "xp": xp}
            shown = [healing_shown(s, hero, token, f"treat/{name}")]
            s.tell.event("BF-H26", "treats", some, who=hero, whom=who, rolls=shown, **told)


# On oneself, and Grit.


def can_light_cigar(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). A Fine Cigar, and none burns this turn."""
    return holds(s, FINE_CIGAR, hero, at) & ~cut(s.cigar[hero], at)


def light_cigar(s: State, hero: int, at: Lanes) -> None:
    """BF-H26: Fine Cigar, Armor 3+ until the end of the turn."""
    spend_token(s, hero, at, FINE_CIGAR)
    s.cigar[hero, at] = True
    if s.tell:
        s.tell.event("BF-H26", "lights_cigar", at, who=hero)


def can_throw_flash(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). A Flash, and none lasts into the next turn."""
    return holds(s, FLASH, hero, at) & (cut(s.flash_until, at) <= s.round)


def throw_flash(s: State, hero: int, at: Lanes) -> None:
    """BF-H26: Flash, the enemies' Initiative is 2 lower until the end of the next turn."""
    spend_token(s, hero, at, FLASH)
    s.flash_until[at] = s.round + 1
    if s.tell:
        s.tell.event("BF-H26", "throws_flash", at, who=hero)


def can_take_spice(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). Spice, and no earlier one waits for its hit."""
    return holds(s, SPICE, hero, at) & (cut(s.spice[hero], at) == 0)


def take_spice(s: State, hero: int, at: Lanes) -> None:
    """BF-H26, BF-A13: Spice, D3 more damage for the next hit; 1 wound that Armor alone saves."""
    spend_token(s, hero, at, SPICE)
    die = s.luck.die(3, "spice", s.round, hero, 0, at)
    s.spice[hero, at] = die
    if s.tell:
        s.tell.event("BF-H26", "takes_spice", at, who=hero, rolls=[dice(die, 3, purpose="damage")], more=die)
    take_wounds(s, hero, at, 1, "spice", 0)


def can_buy_move(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). A Grit to pay with; `ever` has seen to the board and to `grit_use`."""
    return np.asarray(cut(s.grit[hero], at) > 0)


def buy_move(s: State, hero: int, at: Lanes) -> None:
    """BF-H5: 1 Grit adds a D6 to the movement points of this turn; a 1 recovers nothing."""
    spend_grit(s, hero, at, "movement")
    die = s.luck.die(6, "BF-H5", s.round, hero, 0, at)
    s.moves[hero, at] += die.astype(np.int16)
    if s.tell:
        shown = [dice(die, 6, purpose="movement")]
        s.tell.event("BF-H5", "buys_movement", at, who=hero, rolls=shown, moves=s.moves[hero, at])


Asks = Callable[[State, int, Lanes], Mask]
Does = Callable[[State, int, Lanes], None]

ON_ONESELF: dict[str, tuple[Asks, Does]] = {
    "fine_cigar": (can_light_cigar, light_cigar),
    "flash": (can_throw_flash, throw_flash),
    "spice": (can_take_spice, take_spice),
    "buy_move": (can_buy_move, buy_move),
}
