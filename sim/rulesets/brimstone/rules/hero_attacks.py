"""Attacks of heroes: dice, re-rolls, assignment, hits (BF-H12 to BF-H19, BF-A11, BF-P5)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sim.core import telling
from sim.core.choose import draw_lot, order_by, pick
from sim.core.lanes import Lanes, Mask, Small, Tiny, Whole, anyone, columns, cut, each, either, keep, lookup, which
from sim.rulesets.brimstone.build import MELEE, Mode
from sim.rulesets.brimstone.rules.damage import is_up
from sim.rulesets.brimstone.rules.explosions import go_off
from sim.rulesets.brimstone.rules.grit import spend_grit
from sim.rulesets.brimstone.rules.models import NO_BLOW, Blow, armor_of_model, endured, hurt_model
from sim.rulesets.brimstone.rules.modes import dice_of, legal_targets, number_needed, off_hand_dice
from sim.rulesets.brimstone.state import State
from sim.rulesets.brimstone.worth import Scales, preferred_enemy


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack of a hero with one of its modes."""

    scales: Scales
    hero: int
    mode: int  # as in `Scales.modes`
    number: int  # 0 for the action, then the Free Attacks

    @property
    def facts(self) -> Mode:
        """What the mode can do."""
        return self.scales.modes[self.hero][self.mode]


@dataclass(slots=True)
class ToHit:
    """The To Hit dice of an attack. Axis 0: die, axis 1: lane."""

    hero: int
    number: int  # of the attack: 0 for the action, then the Free Attacks
    sides: int
    faces: Tiny  # (dice, lanes)
    needed: Tiny  # (dice, lanes)
    rolled: Mask  # (dice, lanes) False for dice beyond those of the lane
    shown: list[telling.Roll] = field(default_factory=list)  # the dice as they fell, for whoever listens

    @property
    def missing(self) -> Mask:
        """(dice, lanes). The dice that miss."""
        return self.rolled & (self.faces < self.needed)

    @property
    def hitting(self) -> Mask:
        """(dice, lanes). The dice that hit."""
        return self.rolled & (self.faces >= self.needed)

    def show(self, s: State, again: Mask | None = None) -> None:
        """Show the dice as they lie, or only those that were rolled `again` (dice,), if somebody listens."""
        if not s.tell or not self.faces.size:
            return
        some = self.rolled[:, 0] if again is None else self.rolled[:, 0] & again
        faces, needed = self.faces[some, 0], self.needed[some, 0]
        ones = [max(0, self.sides + 1 - int(number)) / self.sides for number in needed]
        bars = sorted({int(number) for number in needed})
        self.shown.append(
            telling.Roll(
                tuple(str(face) for face in faces),
                self.sides,
                purpose="to hit" if again is None else "to hit again",
                needed=" and ".join(f"{bar} or more" if bar < self.sides else f"a {bar}" for bar in bars),
                counted=tuple(bool(hit) for hit in faces >= needed),
                chance=1 - math.prod(1 - one for one in ones),
                came=float((faces >= needed).sum()),
                expected=sum(ones),
                measure="hits",
            )
        )


def strike(s: State, scales: Scales, hero: int, mode: int, at: Lanes, number: int = 0) -> None:
    """BF-H12, BF-H16, BF-H19: one attack with a mode; `number` is 0 for the action, then the Free Attacks."""
    attack = Attack(scales, hero, mode, number)
    facts = attack.facts
    row = s.facts.ability_row[hero, facts.name]
    s.ledger.uses[row][at] += 1
    dice = dice_of(s, hero, mode, at)
    if number == 0:
        dice = fan(s, hero, facts, dice, at)
    needed = number_needed(s, hero, facts, at, cut(s.cell[hero], at))
    roll = roll_to_hit(s, attack, dice, needed, at)
    roll.show(s)
    if s.tell:
        told = {"weapon": facts.name, "free": number > 0, "dice": dice, "hits": roll.hitting.sum(axis=0)}
        s.tell.event("BF-H16", "attacks", at, who=hero, rolls=roll.shown, **told)
    improve(s, roll, at)
    hit = roll.hitting
    if "xp_each" in s.facts.any_has:
        s.marked[:, at] = False
    kills = assign_hits(s, attack, roll.faces * hit, at)
    extra_dice(s, attack, at, needed, dice, kills)


def roll_to_hit(s: State, attack: Attack, dice: Tiny, needed: Tiny, at: Lanes) -> ToHit:
    """BF-H16, BF-H19: the dice of an attack; those of the off hand come last and need 1 more."""
    hero, facts = attack.hero, attack.facts
    most = int(dice.max(initial=0))
    place = np.arange(most)[:, None]
    faces = np.zeros((most, len(at)), dtype=np.int8)
    for j in range(most):
        faces[j] = s.luck.die(facts.sides, "BF-H16", s.round, hero, 100 * attack.number + j, at)
    goal = np.broadcast_to(needed, (most, len(at)))
    if facts.first_shots:
        off_hand = place >= dice - off_hand_dice(s, hero, facts, dice, at)
        goal = np.minimum(goal + off_hand, 6)
    return ToHit(hero, attack.number, facts.sides, faces, goal, place < dice)


def assign_hits(s: State, attack: Attack, naturals: Tiny, at: Lanes) -> Tiny:
    """(lanes,). BF-P5: the hits (dice, lanes), highest natural first, are dealt out one by one. Returns the kills."""
    kills = np.zeros(len(at), dtype=np.int8)
    lane = np.arange(len(at))
    for die in order_by((-naturals,)):
        natural = each(naturals, die, lane)
        some = which((natural > 0) & is_up(s, attack.hero, at))
        if not len(some):
            break
        kills[some] += one_hit(s, attack, at[some], natural[some], die[some])
    return kills


def fan(s: State, hero: int, mode: Mode, dice: Tiny, at: Lanes) -> Tiny:
    """Pistol Fanning: once per turn 1 Grit doubles the printed Shots of a one-handed gun, level bonus once on top."""
    plan = s.facts.plans[hero]
    if s.facts.plot.heroes[hero].upgrade != "pistol_fanning" or not (plan.fanning and mode.one_handed):
        return dice
    pays = (cut(s.grit[hero], at) > 0) & ~cut(s.fanned[hero], at)
    paying = keep(at, pays)
    spend_grit(s, hero, paying, "fanning")
    s.fanned[hero, paying] = True
    doubled = np.minimum(2 * mode.shots + cut(s.shot_bonus[hero], at), s.facts.dice_cap)
    return np.where(pays, doubled, dice)


def improve(s: State, roll: ToHit, at: Lanes) -> None:
    """BF-H4, BF-P10: missing dice re-rolled for Grit, as the policy says; then one for Fortune. Changes the faces."""
    if s.facts.is_on("grit_use"):
        reroll_for_grit(s, roll, at)
    hero = roll.hero
    if s.facts.plans[hero].fortune and "fortune" in s.facts.plot.heroes[hero].talents:
        reroll_for_fortune(s, roll, at)


def reroll_for_grit(s: State, roll: ToHit, at: Lanes) -> None:
    """BF-H4: all missing dice once more, where the policy thinks it worth 1 Grit."""
    hero = roll.hero
    missing = roll.missing
    missed = missing.sum(axis=0, dtype=np.int16)
    grit = cut(s.grit[hero], at)
    able = which((grit > 0) & (missed > 0))
    if not len(able):
        return
    known = {
        "missed": missed[able],
        "dice": roll.rolled.sum(axis=0, dtype=np.int16)[able],
        "grit": grit[able],
        "max_grit": cut(s.max_grit[hero], at[able]),
    }
    wants = np.asarray(s.facts.plans[hero].reroll(lambda name: known[name]), dtype=bool)
    paying = keep(able, np.broadcast_to(wants, len(able)))
    if not len(paying):
        return
    spend_grit(s, hero, at[paying], "attack")
    for j, misses in enumerate(missing):
        again = paying[misses[paying]]
        roll.faces[j, again] = s.luck.die(roll.sides, "BF-H4", s.round, hero, 100 * roll.number + j, at[again])
    tell_again(s, roll, at[paying], missing, "BF-H4")


def tell_again(s: State, roll: ToHit, at: Lanes, again: Mask, rule: str) -> None:
    """What came of the dice (dice, lanes) that were rolled again."""
    if not s.tell:
        return
    roll.show(s, again[:, 0])
    s.tell.event(rule, "rolls_again", at, who=roll.hero, rolls=roll.shown[-1:], hits=int(roll.shown[-1].came or 0))


def reroll_for_fortune(s: State, roll: ToHit, at: Lanes) -> None:
    """BF-P10: the first missing die once more for a Fortune token, once per turn."""
    hero = roll.hero
    missing = roll.missing
    ready = (cut(s.fortune[hero], at) > 0) & ~cut(s.fortune_used[hero], at) & anyone(missing)
    some = which(ready)
    if not len(some):
        return
    s.fortune[hero, at[some]] -= 1
    s.fortune_used[hero, at[some]] = True
    die = missing[:, some].argmax(axis=0)
    roll.faces[die, some] = s.luck.die(roll.sides, "BF-P10", s.round, hero, 100 * roll.number + die, at[some])
    if s.tell:
        s.tell.event("BF-P10", "uses_fortune", at[some], who=hero, left=s.fortune[hero, at[some]])
        tell_again(s, roll, at[some], np.arange(len(missing))[:, None] == die, "BF-P10")


def one_hit(s: State, attack: Attack, at: Lanes, natural: NDArray[np.integer], die: Whole) -> Mask:
    """(lanes,). BF-P5, BF-H18: a hit goes to the first living enemy in order; lost without one. Returns kills."""
    hero, facts = attack.hero, attack.facts
    cell = cut(s.cell[hero], at)
    legal = legal_targets(s, hero, facts, at, cell)
    index = 100 * attack.number + die
    if s.facts.plans[hero].by_lot:
        slot = pick(legal, lot=draw_lot(s.luck, "BF-P5", s.round, hero, index, at))
    else:
        worth = attack.scales.worth
        slot = preferred_enemy(s, hero, legal, at, cell, lambda at, cell: worth(s, hero, attack.mode, at, cell))
    killed = np.zeros(len(at), dtype=bool)
    some = which(slot >= 0)
    if s.tell:
        s.tell.event("BF-H18", "hits_nobody", keep(at, slot < 0), who=hero)
    if len(some):
        killed[some] = resolve_hit(s, hero, facts, slot[some], at[some], natural[some], index[some])
        go_off(s, at[some])
    return killed


def resolve_hit(
    s: State, hero: int, mode: Mode, slot: Whole, at: Lanes, natural: NDArray[np.integer], index: Whole
) -> Mask:
    """(lanes,). BF-A11, BF-H17: Cover, damage, Defense, Endurance, Armor, wounds. Returns where it was killed."""
    row = s.facts.ability_row[hero, mode.name]
    s.ledger.hits[row][at] += 1
    profile = each(s.profile, slot, at)
    die = s.luck.die(mode.sides, "BF-A11", s.round, hero, index, at)
    wounds = die + s.own(mode.bonus, at)
    if mode.six:
        wounds += mode.six * (natural >= 6)
    stopped = covered(s, hero, profile, at, index)
    if s.facts.plot.heroes[hero].carries("spice"):
        wounds += spiced(s, hero, at, stopped)
    wounds -= defense_of(s, hero, mode, slot, at, natural >= mode.crit)
    np.maximum(wounds, 0, out=wounds)
    wounds = endured(s, slot, at, wounds)
    wounds = armor_of_model(s, slot, at, wounds, "BF-A11/armor", hero, 100 * index)
    if stopped is not None:
        wounds = wounds * ~stopped
    blow = NO_BLOW
    if s.tell:
        critical = bool(natural[0] >= mode.crit)
        blow = Blow("BF-A11", "hits", (telling.dice(die, mode.sides, purpose="damage"),), critical)
    killed, placed = hurt_model(s, slot, at, wounds, hero, blow)
    s.ledger.damage[row][at] += placed
    return killed


def defense_of(s: State, hero: int, mode: Mode, slot: Whole, at: Lanes, critical: Mask) -> Small:
    """(lanes,). BF-A11(3): the Defense of the model, what is left of it against a critical hit."""
    profile = each(s.profile, slot, at)
    defense = s.figure("defense", profile)
    if "dodge" in s.facts.any_has:
        defense = defense + (s.figure("dodge", profile) > 0) * range_to(s, hero, slot, at)
    if "gun_ward" in s.facts.any_has and mode.sort != MELEE:
        defense = defense + s.figure("gun_ward", profile)
    floor = s.figure("crit_floor", profile)
    least = floor * (floor < defense)
    if "tough" in s.facts.any_has:
        least = np.where(s.figure("tough", profile) > 0, defense, least)
    return either(critical, least, defense)


def covered(s: State, hero: int, profile: Small, at: Lanes, index: Whole) -> Mask | None:
    """(lanes,). BF-A11(1): where the Cover of the model cancels the hit; None where nobody has any."""
    if "cover" not in s.facts.any_has:
        return None
    cover = s.figure("cover", profile)
    die = s.luck.die(6, "BF-A11/cover", s.round, hero, index, at)
    return np.asarray((cover > 0) & (die >= cover))


def spiced(s: State, hero: int, at: Lanes, stopped: Mask | None) -> Tiny:
    """(lanes,). BF-H26: the damage that waiting Spice adds to this hit and is gone; a cancelled hit leaves it."""
    more = columns(s.spice[hero], at)
    if stopped is not None:
        more *= ~stopped
    s.spice[hero, at] -= more
    return more


def range_to(s: State, hero: int, slot: Whole, at: Lanes) -> Small:
    """(lanes,). BF-G5: `range` between the hero and a model."""
    if not s.has_board:
        return np.ones(len(at), dtype=np.int16)
    return lookup(s.ground.range, cut(s.cell[hero], at), each(s.spot, slot, at))


def extra_dice(s: State, attack: Attack, at: Lanes, needed: Tiny, dice: Tiny, kills: Tiny) -> None:
    """Double-Shot and Sword Master: further dice after kills, one at a time, up to the dice cap (BF-H14)."""
    hero, facts = attack.hero, attack.facts
    plot = s.facts.plot.heroes[hero]
    die = dice.astype(np.int64)  # the number of the next die
    if facts.shotgun and "double_shot" in plot.talents:
        open_to = (kills > 0) & ~cut(s.double_shot[hero], at) & (dice < s.facts.dice_cap)
        some = which(open_to & is_up(s, hero, at))
        s.double_shot[hero, at[some]] = True
        one_die_more(s, attack, at[some], needed[some], die[some])
    if plot.upgrade == "sword_master" and facts.sort == MELEE:
        for extra in range(3):
            some = which((kills > extra) & (dice + extra < s.facts.dice_cap) & is_up(s, hero, at))
            if not len(some):
                return
            kills[some] += one_die_more(s, attack, at[some], needed[some], die[some] + extra)


def one_die_more(s: State, attack: Attack, at: Lanes, needed: Tiny, die: Whole) -> Mask:
    """(lanes,). One die more in this attack, not re-rolled. Returns kills."""
    killed = np.zeros(len(at), dtype=bool)
    if not len(at):
        return killed
    face = s.luck.die(attack.facts.sides, "BF-H16", s.round, attack.hero, 100 * attack.number + die, at)
    some = which(face >= needed)
    if s.tell:
        shown = [telling.dice(face, attack.facts.sides, needed, purpose="to hit")]
        s.tell.event("BF-H16", "has_another_die", at, who=attack.hero, rolls=shown, hits=len(some))
    if len(some):
        killed[some] = one_hit(s, attack, at[some], face[some], die[some])
    return killed
