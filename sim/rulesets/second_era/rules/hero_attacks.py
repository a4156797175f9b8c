"""Engages of adventurers: rolling the gathered dice together, and the order of what follows."""

from __future__ import annotations

import numpy as np

from sim.core.choose import first
from sim.core.lanes import Lanes, Small, Whole, cut, each, per_lane, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import (
    BANE,
    CLOAK,
    CLOAKING,
    DEFENSIVE,
    HEAVY,
    LIGHT,
    MAGIC,
    PRAY,
    RANGED,
    SLASH,
    STEALTH,
)  # fmt: skip
from sim.rulesets.second_era.rules.classes import sworn_oath
from sim.rulesets.second_era.rules.damage import Blow, deal, defense_of
from sim.rulesets.second_era.rules.dice import Dice, bracing, cloaks, prayers
from sim.rulesets.second_era.rules.faces import resolve
from sim.rulesets.second_era.rules.races import nord
from sim.rulesets.second_era.rules.roll import Die, Roll, new_roll
from sim.rulesets.second_era.rules.shown_dice import skill_dice
from sim.rulesets.second_era.rules.slots import leave_slot, slots_of
from sim.rulesets.second_era.rules.statuses import gain, lose
from sim.rulesets.second_era.rules.track import exhaust, tire
from sim.rulesets.second_era.state import State


def engage(s: State, hero: int, form: int, target: Whole, dice: Dice, at: Lanes, ability: int | None = None) -> None:
    """SE-A3 to SE-A9: one engage in a form with the gathered dice; `target` is (lanes,), -1 for none."""
    if not len(at):
        return
    begin(s, hero, form, dice, at, form if ability is None else ability)
    roll = new_roll(s, hero, form, target, at)
    s.engages_round[hero][at] += 1
    s.struck[at] = False
    spend_cloaks(s, roll)
    rolled = throw(s, roll, dice)
    if s.tell:
        deed = data.ABILITIES[form if ability is None else ability]
        whom = target if target[0] >= 0 else None
        s.tell.event("SE-A4", "attacks", at, who=hero, whom=whom, rolls=skill_dice(s, rolled, roll), deed=deed)
    for die in rolled:
        if die.code != SLASH:
            resolve(s, roll, die)
    if s.facts.racial and form in (LIGHT, HEAVY, RANGED):
        nord(s, roll)
    for die in rolled:
        if die.code == SLASH:
            resolve(s, roll, die)
    finish(s, roll)


def begin(s: State, hero: int, form: int, dice: Dice, at: Lanes, ability: int) -> None:
    """SE-A3, SE-A4: fatigue for every engage after the first, the form, the dice leave what is available."""
    again = at[cut(s.engaged, at) > 0]
    if len(again):
        tire(s, hero, 2 if s.facts.is_on("difficulty", "expert") else 1, again)
    s.form[hero][at] = form
    s.engaged[at] += 1
    s.rolled[at] = True
    s.engages[hero][at] += 1
    s.ledger.uses[s.facts.ability[ability, hero]][at] += 1
    for code, number in dice.items():
        s.available[hero, code][at] -= number


def spend_cloaks(s: State, roll: Roll) -> None:
    """SE-A15: active Shadow Cloak dice are spent against printed defense, earliest first, until it is covered."""
    hero, at = roll.hero, roll.at
    if not s.facts.heroes[hero].has("shadow_cloak"):
        return
    lane = which(roll.aimed)
    while len(lane):
        defense = s.stat(s.facts.defense, roll.target[lane], at[lane])
        dice, _ = slots_of(s, hero, at[lane])
        place = first(dice == CLOAK)
        able = (place >= 0) & (defense > roll.ignore[lane])
        lane, place = lane[able], place[able]
        if len(lane):
            x = each(s.slot_x, (hero, place), at[lane])
            roll.ignore[lane] += x
            leave_slot(s, hero, place, at[lane])
            roll.exhaust(CLOAK, lane)
            if s.tell:
                s.tell.event("SE-A15", "spends_cloak", at[lane], who=hero, whom=roll.target[lane], x=x)


def throw(s: State, roll: Roll, dice: Dice) -> list[Die]:
    """SE-A6: all dice are rolled together.

    The d-th die of the gather order has the index 100 k + d, k being the engage's number in the round.
    """
    rolled: list[Die] = []
    before = np.zeros(len(roll.at), dtype=np.int64)  # (lanes,) dice of earlier types
    everyone = np.arange(len(roll.at))
    for code, number in dice.items():
        for copy in range(int(number.max(initial=0))):
            has_it = number > copy
            lane, at = (everyone, roll.at) if has_it.all() else (which(has_it), roll.at[has_it])
            place = before[lane] + copy
            index = 100 * roll.number[lane] + place
            same = int(index[0]) if (index == index[0]).all() else index
            face = s.luck.below(6, "SE-A6", s.round, roll.hero, same, at)
            rolled.append(Die(code, face, place, lane, at))
        before = before + number
    return rolled


def finish(s: State, roll: Roll) -> None:
    """SE-A8, SE-A9: dice to the track, fatigue, Stealth gained, damage, Stealth lost, after-effects, reactions."""
    hero, at = roll.hero, roll.at
    exhaust(s, hero, roll.pile, at)
    if roll.tired.any():
        some = which(roll.tired > 0)
        tire(s, hero, roll.tired[some], at[some], "SE-A9")
    if roll.hides.any():
        gain(s, hero, STEALTH, at[roll.hides])
    before = s.ledger.kills[hero][at]
    aimed = which(roll.aimed)
    if len(aimed):
        strike(s, roll, aimed)
    if s.facts.possible[STEALTH]:
        lose(s, hero, STEALTH, at[s.struck[at] & (s.hp[hero][at] > 0)])
    if roll.bane.any():
        gain(s, hero, BANE, at[roll.bane])
    if s.facts.classes:
        sworn_oath(s, hero, at[s.ledger.kills[hero][at] > before])


def strike(s: State, roll: Roll, aimed: Lanes) -> None:
    """SE-A8, SE-F5, I24: the damage of the engage as one instance, or with `per_die` one per die."""
    combat = roll.combat[aimed]
    limit = np.where(roll.maim[aimed], combat // 2, combat)
    if s.tell and limit[0] + roll.other[aimed][0] <= 0:
        s.tell.event("SE-A8", "no_damage", roll.at[aimed], who=roll.hero, whom=roll.target[aimed])
    if s.facts.is_on("damage_pooling", "per_die"):
        strike_per_die(s, roll, aimed, limit)
    else:
        deal(s, _blow(roll, aimed, limit + roll.other[aimed]))


def strike_per_die(s: State, roll: Roll, aimed: Lanes, limit: Small) -> None:
    """SE-A8, I24: Combat dice deal their X until half of their sum is used up; Dodge is used up die by die."""
    hero, target, at = roll.hero, roll.target[aimed], roll.at[aimed]
    for is_combat, of_die in roll.instances:
        amount = of_die[aimed]
        if is_combat:
            amount = np.minimum(amount, limit)
            limit = limit - amount
        some = which((amount > 0) & (each(s.cell, target, at) >= 0) & (cut(s.hp[hero], at) > 0))
        if not len(some):
            continue
        lane = aimed[some]
        defense = defense_of(s, hero, target[some], at[some])
        left = np.maximum(amount[some] - np.maximum(defense - roll.ignore[lane], 0), 0)
        deal(s, _blow(roll, lane, amount[some]))
        roll.misses[lane] -= np.minimum(roll.misses[lane], left)


def _blow(roll: Roll, lane: Lanes, amount: Small) -> Blow:
    """The damage of an engage in some lanes of its roll."""
    at = roll.at[lane]
    return Blow(
        per_lane(roll.hero, at),
        roll.target[lane],
        amount.astype(np.int16),
        at,
        roll.form,
        ignore=roll.ignore[lane],
        misses=roll.misses[lane],
        in_engage=True,
    )


# Engages without a target.


def pray(s: State, hero: int, at: Lanes) -> None:
    """Engage in magic form without a target, with Hasty Prayer, Breath of Life and Purge."""
    engage(s, hero, MAGIC, per_lane(-1, at), prayers(s, hero, at), at, PRAY)


def hide(s: State, hero: int, at: Lanes) -> None:
    """Engage in light form without a target, with Shadow Cloak."""
    engage(s, hero, LIGHT, per_lane(-1, at), cloaks(s, hero, at), at, CLOAKING)


def brace(s: State, hero: int, at: Lanes) -> None:
    """Engage in defensive form with all Combat dice."""
    engage(s, hero, DEFENSIVE, per_lane(-1, at), bracing(s, hero, at), at)
