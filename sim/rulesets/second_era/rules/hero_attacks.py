"""Engages of adventurers: rolling the gathered dice together, and the order of what follows (section 5.2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.choose import first
from sim.core.lanes import Lanes, Tiny, cut, each, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import BANE, CLOAK, MAIM, SLASH, SLOTS, STEALTH
from sim.rulesets.second_era.rules import track
from sim.rulesets.second_era.rules.damage import deal
from sim.rulesets.second_era.rules.dice import KINDS
from sim.rulesets.second_era.rules.faces import Die, Roll, resolve
from sim.rulesets.second_era.state import State, rows


def engage(
    s: State, hero: int, form: int, target: Any, dice: dict[int, Tiny], at: Lanes, ability: int | None = None
) -> None:
    """SE-A3 to SE-A9: one engage in a form with the gathered dice; `target` is (lanes,), -1 for none."""
    lanes = len(at)
    if not lanes:
        return
    begin(s, hero, form, dice, at, form if ability is None else ability)
    zeros = np.zeros(lanes, dtype=np.int16)
    roll = Roll(
        hero, form, target, target >= 0, cut(s.engages_round[hero], at).astype(np.int64),
        zeros, zeros.copy(), zeros.copy(), zeros.copy(), zeros.copy(),
        np.zeros(lanes, dtype=bool), np.zeros(lanes, dtype=bool), s.under(MAIM, hero, at),
        {code: np.zeros(lanes, dtype=np.int8) for code in dice},
    )  # fmt: skip
    s.engages_round[hero, at] += 1
    s.struck[at] = False
    if s.tell:
        whom = s.tell.names[int(target[0])] if target[0] >= 0 else "nobody"
        thrown = ", ".join(f"{int(n[0])} {data.DICE[code]}" for code, n in dice.items() if n[0])
        s.tell("SE-A4", hero, f"engages {whom} in {data.FORMS[form]} form with {thrown or 'no dice'}", at)
    spend_cloaks(s, roll, at)
    rolled = throw(s, roll, dice, at)
    for die in rolled:
        if die.code != SLASH:
            resolve(s, roll, die, at)
    if s.facts.racial and form in (data.LIGHT, data.HEAVY, data.RANGED):
        from sim.rulesets.second_era.rules.classes import nord

        nord(s, roll, at)
    for die in rolled:
        if die.code == SLASH:
            resolve(s, roll, die, at)
    finish(s, roll, at)


def begin(s: State, hero: int, form: int, dice: dict[int, Tiny], at: Lanes, ability: int) -> None:
    """SE-A3, SE-A4: fatigue for every engage after the first, the form, the dice leave what is available."""
    again = at[cut(s.engaged, at) > 0]
    if len(again):
        track.tire(s, hero, 2 if s.facts.is_on("difficulty", "expert") else 1, again)
    s.form[hero, at] = form
    s.engaged[at] += 1
    s.rolled[at] = True
    s.engages[hero, at] += 1
    s.ledger.uses[s.facts.ability[ability, hero], at] += 1
    for code, number in dice.items():
        s.available[hero * KINDS + code, at] -= number


def spend_cloaks(s: State, roll: Roll, at: Lanes) -> None:
    """Section 10: active Shadow Cloak dice are spent against printed defense, earliest first, until it is covered."""
    if not s.facts.heroes[roll.hero].dice.get("shadow_cloak"):
        return
    lane = which(roll.aimed)
    while len(lane):
        defense = s.stat(s.facts.defense, roll.target[lane], at[lane])
        dice, _ = track.slots(s, roll.hero, at[lane])
        place = first(dice == CLOAK)
        able = (place >= 0) & (defense > roll.ignore[lane])
        lane, place = lane[able], place[able]
        if len(lane):
            x = each(s.slot_x, roll.hero * SLOTS + place, at[lane])
            track.leave_slot(s, roll.hero, place, at[lane])
            roll.ignore[lane] += x
            roll.pile.setdefault(CLOAK, np.zeros(len(at), dtype=np.int8))[lane] += 1


def throw(s: State, roll: Roll, dice: dict[int, Tiny], at: Lanes) -> list[Die]:
    """SE-A6: all dice are rolled together.

    The d-th die of the gather order has the index 100 k + d, k being the engage's number in the round.
    """
    rolled: list[Die] = []
    place = np.zeros(len(at), dtype=np.int64)  # (lanes,) dice rolled so far
    everyone = np.arange(len(at))
    for code, number in dice.items():
        for copy in range(int(number.max(initial=0))):
            there = number > copy
            lane = everyone if there.all() else which(there)
            spot = place[lane] + copy
            index = 100 * roll.number[lane] + spot
            same = int(index[0]) if (index == index[0]).all() else index
            lanes = at if lane is everyone else at[lane]
            face = s.luck.below(6, "SE-A6", s.round, roll.hero, same, lanes)
            rolled.append(Die(code, face, spot, lane))
            if s.tell:
                word = data.units("dice")[data.DICE[code]]["faces"][int(face[0])]
                s.tell("SE-A6", roll.hero, f"rolls {data.DICE[code]}: {word}", lanes)
        place = place + number
    return rolled


def finish(s: State, roll: Roll, at: Lanes) -> None:
    """SE-A8, SE-A9: dice to the track, fatigue, Stealth gained, damage, Stealth lost, after-effects, reactions."""
    hero = roll.hero
    track.exhaust(s, hero, roll.pile, at)
    if roll.tired.any():
        some = which(roll.tired > 0)
        track.tire(s, hero, roll.tired[some], at[some])
    if roll.hides.any():
        track.gain(s, hero, STEALTH, at[roll.hides])
    aimed = which(roll.aimed)
    before = s.ledger.kills[hero, at].copy() if s.facts.classes else None
    if len(aimed):
        strike(s, roll, aimed, at[aimed])
    if s.facts.possible[STEALTH]:
        shown = which(s.struck[at] & (s.hp[hero, at] > 0))
        if len(shown):
            track.lose(s, hero, STEALTH, at[shown])
    if roll.bane.any():
        track.gain(s, hero, BANE, at[roll.bane])
    if before is not None:
        from sim.rulesets.second_era.rules.classes import sworn_oath

        sworn_oath(s, hero, at[s.ledger.kills[hero, at] > before])


def strike(s: State, roll: Roll, lane: Any, at: Lanes) -> None:
    """SE-A8, SE-F5, I24: the damage of the engage as one instance, or with `per_die` one per die."""
    maim = roll.maim[lane]
    combat = roll.combat[lane]
    limit = np.where(maim, combat // 2, combat)
    target, ignore, misses = roll.target[lane], roll.ignore[lane], roll.misses[lane]
    if not s.facts.is_on("damage_pooling", "per_die"):
        deal(s, roll.hero, target, limit + roll.other[lane], at, roll.form, ignore=ignore, misses=misses,
             in_engage=True)  # fmt: skip
        return
    for is_combat, wide in roll.instances:
        amount = wide[lane]
        if is_combat:
            amount = np.minimum(amount, limit)
            limit = limit - amount
        some = which((amount > 0) & (each(s.cell, target, at) >= 0) & (s.hp[roll.hero, at] > 0))
        if not len(some):
            continue
        lanes, who = at[some], target[some]
        defense = s.stat(s.facts.defense, who, lanes)
        if "Iron Bark" in s.facts.present:
            beside = s.between(s.facts.ground.adjacent, rows(roll.hero, lanes), who, lanes)
            defense = defense + (s.has("Iron Bark", who, lanes) & ~beside)
        left = np.maximum(amount[some] - np.maximum(defense - ignore[some], 0), 0)
        stock = misses[some]
        deal(s, roll.hero, who, amount[some], lanes, roll.form, ignore=ignore[some], misses=stock, in_engage=True)
        misses[some] = stock - np.minimum(stock, left)
