"""The end of an encounter, what it is worth, and what the living take along (P52-X1 to P52-X5)."""

from __future__ import annotations

import numpy as np

from sim.core.choose import count
from sim.core.lanes import Lanes, Mask, columns, cut, keep, lookup, put, which
from sim.core.outcomes import Outcome
from sim.rulesets.p52 import faces
from sim.rulesets.p52.rules.cards import flip, give_card
from sim.rulesets.p52.state import State

WINNERS = 5  # XP of a living winner
MANY = 3  # so many enemies met by one attack, or successes of one defence, would raise a core ability


def check_end(s: State, at: Lanes) -> None:
    """P52-T5, P52-X1, P52-I41: no enemy left is a win, no living hero a loss; both at once a win."""
    if not len(at):
        return
    nobody_left = cut(s.standing, at) == 0
    none_alive = cut(s.alive, at) == 0
    over = which((nobody_left | none_alive) & cut(s.on, at))
    if not len(over):
        return
    ended = at[over]
    s.on[ended] = False
    s.outcome[ended] = np.where(nobody_left[over], Outcome.WIN, Outcome.LOSS)
    if s.tell:
        s.tell.event("P52-X1", "is_won" if nobody_left[over][0] else "is_lost", ended)


def reward(s: State, at: Lanes) -> None:
    """P52-X2, P52-X3, P52-X4: XP of the heroes' deeds, 5 more for living winners; core gains; how the enemies ended."""
    outcome = cut(s.outcome, at)
    granted = outcome != Outcome.LOSS
    won = outcome == Outcome.WIN
    for hero in range(s.heroes):
        met = np.bitwise_count(cut(s.foes_met[hero], at)).astype(np.int32)
        alive = cut(s.hp[hero], at) >= 0
        gained = (cut(s.earned[hero], at) + met + WINNERS * (won & alive)) * granted
        s.xp[hero][at] += gained
        if s.tell:
            s.tell.event("P52-X2", "earns", keep(at, gained > 0), who=hero, xp=gained)
    attacks, defences = np.bitwise_count(cut(s.foes_by, at)) >= MANY, cut(s.saves, at) >= MANY
    s.count("core_gain", at, count(attacks) + count(defences))
    s.count("stalemate", at, write_down_enemies(s, at) & (outcome == Outcome.DRAW))
    if s.facts.cast.rooms:
        stage = cut(s.stage, at)
        put(s.room_rounds, stage, at, cut(s.stage_round, at))
        put(s.room_hp, stage, at, np.maximum(cut(s.hp, at), 0).sum(axis=0, dtype=np.int32))


def write_down_enemies(s: State, at: Lanes) -> Mask:
    """P52-X6: how the enemies of the encounter ended. Says in which lanes all that are left are weak (P52-E1)."""
    slots = np.array([space.slots for space in s.facts.spaces])
    weak = np.ones(len(at), dtype=bool)
    for slot in range(len(s.gone)):
        waited = which(slot < lookup(slots, cut(s.stage, at)))  # places in `at` whose encounter has this slot
        ended = at[waited]
        kind, hp, left = cut(s.kind[slot], ended), cut(s.foe_hp[slot], ended), s.here(slot, ended)
        put(s.end_hp, kind, ended, hp)
        put(s.fallen, kind, ended, ~left)
        strong = hp > (s.find(s.facts.type_max_hp, ended, kind) - 1) // 4
        weak[keep(waited, left & strong)] = False
    return weak


def leave_space(s: State, at: Lanes) -> None:
    """P52-X5: a stamina card and perhaps a rest for every living hero."""
    for hero in range(s.heroes):
        living = keep(at, cut(s.hp[hero], at) >= 0)
        room = keep(living, cut(s.cards[hero], living) < s.facts.switches["stamina_max"])
        if len(room):
            give_card(s, hero, room)
        if s.facts.is_on("space_recovery", "quarter") and len(living):
            most = s.own(s.facts.kits[hero].facts.max_hp, living)
            value = flip(s, living, "P52-X5", hero)
            roll = [faces.flipped(s, purpose="for the rest")] if s.tell else []
            hp = columns(s.hp[hero], living)
            s.hp[hero][living] = np.maximum(hp, np.minimum(most, hp + (most + value) // 4))
            if s.tell:
                after = cut(s.hp[hero], living)
                s.tell.event("P52-X5", "rests", living, who=hero, rolls=roll, healed=after - hp, left=after)
