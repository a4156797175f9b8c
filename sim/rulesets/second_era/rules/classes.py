"""Class abilities, paid with tenacity and behind their switch. Summon Shade is among the reactions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from sim.core.choose import first, narrow
from sim.core.lanes import Lanes, Small, Whole, add, cut, lookup, per_lane, which
from sim.rulesets.second_era.data import MAGIC, RANGED, SHOCK, SPECIAL
from sim.rulesets.second_era.rules.damage import Blow, Cure, amount_of, deal, heal, missing
from sim.rulesets.second_era.rules.faces import enemy_die
from sim.rulesets.second_era.rules.hero_moves import engage_sets, may_roll
from sim.rulesets.second_era.rules.reactions import OATH
from sim.rulesets.second_era.rules.shown_dice import enemy_dice
from sim.rulesets.second_era.rules.tenacity import strengthen
from sim.rulesets.second_era.rules.track import recover, tire
from sim.rulesets.second_era.state import State


def innate(s: State, hero: int, at: Lanes) -> None:
    """What Archer, Sorcerer and Healer do at the start of their turn."""
    _use(s, hero, {"first_shot": first_shot, "gather_power": gather_power, "mend": mend}, at)


def class_start(s: State, hero: int, at: Lanes) -> None:
    """Power Surge and Hope Infusion at the start of the actions."""
    _use(s, hero, {"power_surge": power_surge, "hope_infusion": hope_infusion}, at)


def class_end(s: State, hero: int, at: Lanes) -> None:
    """Honor Duel and Lethal Arrow at the end of the actions."""
    _use(s, hero, {"honor_duel": honor_duel, "lethal_arrow": lethal_arrow}, at)


def _use(s: State, hero: int, abilities: Mapping[str, Callable[[State, int, Lanes], None]], at: Lanes) -> None:
    """Of these abilities those that the adventurer's class has."""
    for name, use in abilities.items():
        if s.facts.has_class_ability(hero, name):
            use(s, hero, at)


def _hit(s: State, hero: int, target: Whole, amount: Small, at: Lanes, true: bool = False) -> None:
    """An ability that deals damage is used."""
    s.ledger.uses[s.facts.ability[SPECIAL, hero]][at] += 1
    deal(s, Blow(per_lane(hero, at), target, amount, at, SPECIAL, true=true))


# Archer.


def first_shot(s: State, hero: int, at: Lanes) -> None:
    """Archer: at the start of its turn in ranged form 2 damage to the weakest targetable enemy."""
    at = at[cut(s.form[hero], at) == RANGED]
    target = weakest(s, hero, at)
    at, target = at[target >= 0], target[target >= 0]
    if len(at):
        if s.tell:
            s.tell.event("SE-R8", "first_shot", at, who=hero, whom=target)
        _hit(s, hero, target, amount_of(2, at), at)


def lethal_arrow(s: State, hero: int, at: Lanes) -> None:
    """Archer: Lethal Arrow: in ranged form two enemy Combat dice as true damage to the weakest targetable enemy."""
    at = at[(cut(s.tenacity[hero], at) >= 3) & (cut(s.form[hero], at) == RANGED) & may_roll(s, hero, at)]
    target = weakest(s, hero, at)
    at, target = at[target >= 0], target[target >= 0]
    if len(at):
        s.tenacity[hero][at] -= 3
        dice = [enemy_die(s, "SE-11.7", hero, 10 * s.turn + number, at) for number in range(2)]
        if s.tell:
            s.tell.event("SE-R8", "lethal_arrow", at, who=hero, whom=target, rolls=[enemy_dice(s, dice)])
        _hit(s, hero, target, dice[0] + dice[1], at, true=True)


def weakest(s: State, hero: int, at: Lanes) -> Whole:
    """(lanes,). The weakest enemy that is targetable in ranged form from here; -1 for none."""
    if not len(at):
        return np.zeros(0, dtype=np.int64)
    own = s.facts.ground.board.bits.at(cut(s.cell[hero], at))
    targetable = np.stack([(part & own).any(axis=0) for part in engage_sets(s, hero, RANGED, at)])
    chosen = first(narrow(targetable, cut(s.hp[s.party :], at)))
    return np.where(chosen >= 0, chosen + s.party, -1)


# Sorcerer.


def gather_power(s: State, hero: int, at: Lanes) -> None:
    """Sorcerer: 1 tenacity when it starts its turn in magic form."""
    strengthen(s, hero, 1, at[cut(s.form[hero], at) == MAGIC])


def power_surge(s: State, hero: int, at: Lanes) -> None:
    """Sorcerer: Power Surge: without an available Force Shock, all tenacity but one for as many dice of its track."""
    able = (cut(s.available[hero, SHOCK], at) == 0) & (cut(s.tenacity[hero], at) >= 2)
    at = at[able & (cut(s.length[hero], at) > 0)]
    if len(at):
        number = np.minimum(cut(s.tenacity[hero], at) - 1, cut(s.length[hero], at))
        s.tenacity[hero][at] -= 1 + number
        if s.tell:
            s.tell.event("SE-R8", "power_surge", at, who=hero, tenacity=1 + number)
        recover(s, hero, number, at)


# Healer.


def mend(s: State, hero: int, at: Lanes) -> None:
    """Healer: gain an `L` to heal itself or an adjacent party member that misses 2 HP or more by 1."""
    party = slice(0, s.party)
    cells = cut(s.cell[party], at)
    near = lookup(s.facts.ground.adjacent, cut(s.cell[hero], at), cells)
    near[hero] = True
    lacking = (s.find(s.facts.health, at, cut(s.kind[party], at)) - cut(s.hp[party], at)) * (cells >= 0)
    patient = first(narrow(near & (lacking >= 2), lacking, largest=True))
    at, patient = at[patient >= 0], patient[patient >= 0]
    if len(at):
        tire(s, hero, 1, at, "SE-R8")
        heal(s, hero, patient, 1, at, Cure("a healer's care", "SE-R8"))


def hope_infusion(s: State, hero: int, at: Lanes) -> None:
    """Healer: Hope Infusion: the weakest adventurer gains 3 bonus HP."""
    at = at[cut(s.tenacity[hero], at) >= 3]
    if len(at):
        s.tenacity[hero][at] -= 3
        patient = first(narrow(s.adventurers(at), cut(s.hp[: s.heroes], at)))
        add(s.bonus, patient, at, 3)
        if s.tell:
            s.tell.event("SE-R8", "hope_infusion", at, who=hero, whom=patient)


# Knight.


def honor_duel(s: State, hero: int, at: Lanes) -> None:
    """Knight: Honor Duel: if exactly one enemy is within 3 hexes, deal it 3 damage."""
    at = at[cut(s.tenacity[hero], at) >= 1]
    if not len(at):
        return
    cells = cut(s.cell[s.party :], at)
    near = (lookup(s.facts.ground.range, cut(s.cell[hero], at), cells) <= 3) & (cells >= 0)
    some = which(near.sum(axis=0) == 1)
    if not len(some):
        return
    at, target = at[some], first(cut(near, some)) + s.party
    s.tenacity[hero][at] -= 1
    before = s.ledger.kills[hero][at]
    if s.tell:
        s.tell.event("SE-R8", "honor_duel", at, who=hero, whom=target)
    _hit(s, hero, target, amount_of(3, at), at)
    sworn_oath(s, hero, at[s.ledger.kills[hero][at] > before])


def sworn_oath(s: State, hero: int, at: Lanes) -> None:
    """Knight: Sworn Oath: after defeating an enemy heal 4, if it misses 2 or more; once per turn."""
    if not s.facts.has_class_ability(hero, "sworn_oath") or not len(at):
        return
    able = (cut(s.tenacity[hero], at) >= 3) & (missing(s, at)[hero] >= 2) & ((cut(s.used[hero], at) & OATH) == 0)
    at = at[able]
    if len(at):
        s.tenacity[hero][at] -= 3
        s.used[hero][at] |= OATH
        heal(s, hero, hero, 4, at, Cure("a Sworn Oath", "SE-R8"))
