"""Losing and regaining hit points: damage, prevention, defeat and healing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.core.choose import first, narrow
from sim.core.lanes import Lanes, Mask, Row, Small, Tiny, Whole, add, cut, each, lookup, per_lane, put, which
from sim.core.telling import Roll
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import BLIND, COMBAT, EMPTY, MAGIC, RIPOSTE, SHIELD, STEALTH
from sim.rulesets.second_era.rules.reactions import argonian, imperial, shade
from sim.rulesets.second_era.rules.slots import clear_slots, leave_slot, slots_of
from sim.rulesets.second_era.rules.statuses import lose
from sim.rulesets.second_era.rules.track import enter
from sim.rulesets.second_era.state import State

RULES = {data.SPECIAL: "SE-R8", data.ENGAGE: "SE-E11", RIPOSTE: "SE-K12", data.NECROTIC: "SE-K20"}  # of damage
UNOWNED = {"fatigue": "SE-R2", "bane": "SE-F1", "decay": "SE-K27"}  # what damage comes from that nobody deals


@dataclass(frozen=True, slots=True)
class Cure:
    """What somebody heals with, for whoever listens."""

    name: str
    rule: str
    rolls: tuple[Roll, ...] = ()


@dataclass(frozen=True, slots=True)
class Blow:
    """SE-D1: one instance of damage per lane, before prevention."""

    source: Whole  # (lanes,) who deals it
    target: Whole  # (lanes,) who is dealt it
    amount: Small  # (lanes,) 0 or less is no damage
    at: Lanes
    ability: int  # what it comes from, a code of `data.ABILITIES`
    true: bool | Mask = False  # skips defense, Guard and bonus HP (SE-D3, SE-D7)
    ignore: int | Small = 0  # defense of the target that does not count
    misses: int | Small = 0  # dice of the engage that deal no damage: what Dodge prevents
    in_engage: bool = False  # it belongs to an adventurer's engage, after which Stealth ends (SE-A9)

    def only(self, some: Lanes) -> Blow:
        """The instances of some lanes: places in `at`."""
        if len(some) == len(self.at):
            return self
        return Blow(
            self.source[some],
            self.target[some],
            self.amount[some],
            self.at[some],
            self.ability,
            self.true[some] if isinstance(self.true, np.ndarray) else self.true,
            self.ignore[some] if isinstance(self.ignore, np.ndarray) else self.ignore,
            self.misses[some] if isinstance(self.misses, np.ndarray) else self.misses,
            self.in_engage,
        )


def deal(s: State, blow: Blow) -> Small:
    """SE-D1 to SE-D7: the instances are dealt, reduced and suffered. (lanes,) the hit points lost."""
    landing = which(blow.amount > 0)
    lost = np.zeros(len(blow.at), dtype=np.int16)
    if len(landing):
        lost[landing] = _land(s, blow.only(landing))
    return lost


def _land(s: State, blow: Blow) -> Small:
    """SE-D1 to SE-D7: instances of 1 or more. (lanes,) the hit points lost."""
    source, at = blow.source, blow.at
    add(s.ledger.damage_dealt, source, at, blow.amount)
    row = lookup(s.facts.ability[blow.ability], source)
    add(s.ledger.damage, row, at, blow.amount)
    add(s.ledger.hits, row, at, 1)
    if blow.in_engage:
        s.struck[at] = True
    _show_yourself(s, source, at)
    lost = take(s, source, blow.target, _after_prevention(s, blow), at, RULES.get(blow.ability, "SE-A8"), blow.amount)
    if not blow.in_engage and s.facts.possible[STEALTH]:
        heroes = which(source < s.heroes)
        lose(s, source[heroes], STEALTH, at[heroes])
    _answer(s, blow, lost)
    return lost


def amount_of(number: int | Small | Tiny, at: Lanes) -> Small:
    """(lanes,). An amount of damage: one number for all lanes, or one per lane."""
    return np.full(len(at), number, dtype=np.int16) if isinstance(number, int) else number.astype(np.int16, copy=False)


def _show_yourself(s: State, source: Whole, at: Lanes) -> None:
    """SE-F2, SE-F6: enemies and companions lose Stealth, and Blind by the errata, at the moment they deal damage."""
    if not s.facts.possible[STEALTH] and not s.facts.possible[BLIND]:
        return
    creatures = which(source >= s.heroes)
    if len(creatures):
        lose(s, source[creatures], STEALTH, at[creatures])
        if s.facts.is_on("blind_rule", "errata"):
            lose(s, source[creatures], BLIND, at[creatures])


# Prevention.


def _after_prevention(s: State, blow: Blow) -> Small:
    """(lanes,). What is left of an instance, whoever the target is."""
    hero = blow.target < s.heroes
    if hero.all():
        return prevent_hero(s, blow)
    if not hero.any():
        return prevent_creature(s, blow)
    loss = np.empty(len(blow.at), dtype=np.int16)
    heroes, creatures = which(hero), which(~hero)
    loss[heroes] = prevent_hero(s, blow.only(heroes))
    loss[creatures] = prevent_creature(s, blow.only(creatures))
    return loss


def prevent_creature(s: State, blow: Blow) -> Small:
    """SE-D2 to SE-D4, SE-K8, SE-K10, SE-K11, SE-K13, SE-K14: defense, Dodge, Ethereal; then Elusive and Stalwart."""
    source, target, amount, at = blow.source, blow.target, blow.amount, blow.at
    known = s.facts.present
    left = amount - np.maximum(defense_of(s, source, target, at) - blow.ignore, 0)
    if "Dodge" in known:
        left = left - blow.misses * s.has("Dodge", target, at)
    if "Ethereal" in known:
        worldly = (source < s.heroes) & (each(s.form, np.minimum(source, s.heroes - 1), at) != MAGIC)
        left = left - s.heroes * (worldly & s.has("Ethereal", target, at))
    left = np.where(blow.true, amount, np.maximum(left, 0))
    add(s.prevented_defense, target, at, amount - left)
    if "Elusive" in known:
        own_turn = cut(s.acting, at) == source
        left = left * ~(own_turn & ~each(s.adj0, target, at) & s.has("Elusive", target, at))
    return left.astype(np.int16)


def defense_of(s: State, source: Row, target: Whole, at: Lanes) -> Small:
    """(lanes,). SE-D2, SE-K14: the defense of a creature, 1 more with Iron Bark against who is not adjacent."""
    defense = s.stat(s.facts.defense, target, at)
    if "Iron Bark" not in s.facts.present:
        return defense
    beside = s.between(s.facts.ground.adjacent, source, target, at)
    return defense + (s.has("Iron Bark", target, at) & ~beside)


def prevent_hero(s: State, blow: Blow) -> Small:
    """SE-D6, SE-D7: Guard against enemies, then bonus HP; true damage goes past both."""
    target, at = blow.target, blow.at
    left = blow.amount.copy()
    plain = np.logical_not(blow.true)
    guarded = which(plain & s.is_enemy(blow.source))
    if len(guarded) and s.facts.is_on("guard", "always"):
        left[guarded] = guard(s, target[guarded], left[guarded], at[guarded])
    if s.facts.racial and len(guarded):
        left[guarded] = imperial(s, target[guarded], left[guarded], at[guarded])
    bonus = np.minimum(each(s.bonus, target, at), left) * plain
    if bonus.any():
        add(s.bonus, target, at, -bonus)
        add(s.prevented_bonus, target, at, bonus)
        left = left - bonus
    if s.facts.racial and len(guarded):
        left[guarded] = argonian(s, target[guarded], left[guarded], at[guarded])
    return left


def guard(s: State, target: Whole, amount: Small, at: Lanes) -> Small:
    """SE-A17: spend preventing dice: the largest X that is not too large, else the smallest; the earliest on a tie.

    (lanes,). What is left of the damage.
    """
    left = amount.copy()
    busy = which(each(s.slot_die, (target, 0), at) != EMPTY)
    while len(busy):
        dice, x = slots_of(s, target[busy], at[busy])
        wanted = ((dice == SHIELD) | (dice == COMBAT)) & (left[busy] > 0)
        fits = wanted & (x <= left[busy])
        best = np.where(fits.any(axis=0), first(narrow(fits, x, largest=True)), first(narrow(wanted, x)))
        busy, best = busy[best >= 0], best[best >= 0]
        if not len(busy):
            break
        who, guarding, before = target[busy], at[busy], left[busy]
        power = each(s.slot_x, (who, best), guarding).astype(np.int16)
        spent = leave_slot(s, who, best, guarding)
        enter(s, who, spent, guarding)
        after = np.maximum(before - power, 0)
        add(s.prevented_guard, who, guarding, before - after)
        left[busy] = after
        if s.tell:
            die = data.CALLED[spent[0]]
            s.tell.event("SE-A17", "guards", guarding, who=who, die=die, x=power, prevented=before - after)
        busy = busy[after > 0]
    return left


# Losing hit points.


def take(
    s: State, source: Whole | None, target: Whole, left: Small, at: Lanes, cause: str, dealt: Small | None = None
) -> Small:
    """SE-D4, SE-D5, SE-D8, SE-K9, SE-K10: hit points are lost, after the caps; at 0 the unit is defeated.

    Without a source (SE-D11) nobody is credited. (lanes,) the hit points lost.

    Args:
        left: what is left of the damage after prevention.
        cause: for whoever listens: the rule by which it was dealt, or what it comes from where nobody dealt it.
        dealt: the damage before prevention, where somebody dealt it.
    """
    hp = each(s.hp, target, at)
    loss = _capped(s, target, left, hp, at)
    if s.facts.classes:
        loss = shade(s, source, target, loss, at)
    put(s.hp, target, at, hp - loss)
    add(s.ledger.damage_taken, target, at, loss)
    if s.tell and len(at):
        result = {"damage": loss, "left": hp - loss, "through": loss > 0}
        if source is None or dealt is None:
            s.tell.event(UNOWNED[cause], cause, at, who=target, **result)
        else:
            prevented = dealt - loss - np.maximum(left - hp, 0)  # what is more than it had was not prevented
            result |= {"dealt": dealt, "prevented": prevented, "stopped": prevented > 0}
            s.tell.event(cause, "wounds", at, who=source, whom=target, **result)
    if "Stalwart" in s.facts.present:
        add(s.lost, target, at, loss)
    if "Retreat" in s.facts.present:
        s.hurt[at] |= loss > 0
    add(s.harm, (s.units if source is None else source, target), at, loss)
    fallen = which((loss == hp) & (hp > 0))
    if len(fallen):
        if source is not None:
            add(s.ledger.kills, source[fallen], at[fallen], 1)
        defeat(s, target[fallen], at[fallen])
    return loss


def _capped(s: State, target: Whole, loss: Small, hp: Small, at: Lanes) -> Small:
    """SE-D4, SE-K9, SE-K10: Stalwart loses 1 in a turn, nobody more than it has, Divert keeps the last."""
    if "Stalwart" in s.facts.present:
        room = np.maximum(1 - each(s.lost, target, at), 0)
        loss = np.where(s.has("Stalwart", target, at), np.minimum(loss, room), loss)
    loss = np.minimum(loss, hp)
    if "Divert" in s.facts.present:
        spared = (loss == hp) & (hp > 1) & s.has("Divert", target, at)
        loss = loss - spared
    return loss


def defeat(s: State, who: Whole, at: Lanes) -> None:
    """SE-D8, SE-D9: the unit leaves its hex; an adventurer's active dice leave their slots and its track stays."""
    if s.tell:
        put(s.fell, who, at, each(s.cell, who, at))
    s.occupied[:, at] &= ~s.facts.ground.board.bits.at(each(s.cell, who, at))
    put(s.cell, who, at, -1)
    s.ledger.fell(who, at, s.round)
    heroes = which(who < s.heroes)
    if len(heroes):
        clear_slots(s, who[heroes], at[heroes])
    if s.tell:
        s.tell.event("SE-D8", "falls", at, who=who)


def _answer(s: State, blow: Blow, lost: Small) -> None:
    """SE-K12: the first time each turn that an adjacent opposing unit deals damage to it, Riposte deals damage back."""
    if "Riposte" not in s.facts.present:
        return
    source, target, at = blow.source, blow.target, blow.at
    felt = (lost > 0) if s.facts.is_on("riposte_trigger", "taken") else np.ones(len(at), dtype=bool)
    felt &= (each(s.hp, target, at) > 0) & (s.is_enemy(source) != s.is_enemy(target))
    felt &= ~each(s.riposted, target, at) & s.has("Riposte", target, at)
    felt &= s.between(s.facts.ground.adjacent, source, target, at)
    some = which(felt)
    if not len(some):
        return
    source, target, at = source[some], target[some], at[some]
    put(s.riposted, target, at, True)
    add(s.ledger.uses, lookup(s.facts.ability[RIPOSTE], target), at, 1)
    if s.tell:
        s.tell.event("SE-K12", "riposte", at, who=target, whom=source)
    deal(s, Blow(target, source, s.number("Riposte", target, at).astype(np.int16), at, RIPOSTE))


def unowned(s: State, target: Row, amount: int | Small, at: Lanes, cause: str) -> None:
    """SE-D11, SE-D3: true damage from a status, from fatigue or from Decay: it comes from nobody."""
    take(s, None, per_lane(target, at), amount_of(amount, at), at, cause)


# Healing.


def heal(s: State, healer: Row, target: Row, amount: int | Small | Tiny, at: Lanes, by: Cure) -> Small:
    """SE-D10: heal up to the health; the defeated cannot be healed. (lanes,) the hit points regained."""
    hp = each(s.hp, target, at)
    gain = np.minimum(amount_of(amount, at), s.stat(s.facts.health, target, at) - hp)
    gain = np.maximum(gain, 0) * (hp > 0)
    put(s.hp, target, at, hp + gain)
    add(s.regained, target, at, gain)
    add(s.ledger.healing, healer, at, gain)
    if s.tell and len(at) and gain[0] > 0:
        who, whom = per_lane(healer, at), per_lane(target, at)
        facts = {"healed": gain, "left": hp + gain, "by": by.name, "own": who == whom}
        s.tell.event(by.rule, "heals", at, who=who, whom=whom, rolls=by.rolls, **facts)
    return gain


def missing(s: State, at: Lanes) -> Small:
    """(heroes, lanes). Hit points that undefeated adventurers miss; 0 for the defeated."""
    hp = cut(s.hp[: s.heroes], at)
    return (s.own(s.facts.hero_health, at) - hp) * (hp > 0)
