"""Everything before round 1: who is drawn, who stands where."""

from __future__ import annotations

import numpy as np

from sim.core.batch import Carried
from sim.core.choose import draw_lot, pick
from sim.core.lanes import lookup, put
from sim.core.luck import TABLE, Luck
from sim.core.telling import Recorder
from sim.rulesets.second_era.data import EMPTY, FIRST_STATUS, STATUSES
from sim.rulesets.second_era.facts import Facts
from sim.rulesets.second_era.state import State, blank_state


def set_up(facts: Facts, luck: Luck, tell: Recorder | None, arriving: Carried | None = None) -> State:
    """SE-S1 to SE-S7: everybody on their hexes, at full strength or as another battle left them; the pool drawn."""
    s = blank_state(facts, luck, tell)
    if arriving is not None:
        arrive(s, arriving)
    draw_pool(s)
    return s


def arrive(s: State, party: Carried) -> None:
    """SE-V1: adventurers as the battle before left them; the hexes of those who were defeated are free."""
    s.hp[: s.heroes], s.tenacity[:], s.bonus[:] = party["hp"], party["tenacity"], 0
    for name in ("available", "slot_die", "slot_x", "track"):
        getattr(s, name)[:] = party[name].swapaxes(0, 1)
    s.length[:] = (s.track != EMPTY).sum(axis=1)
    s.status[: s.heroes] = 0
    for status in range(len(STATUSES)):
        s.status[: s.heroes] |= (s.track == FIRST_STATUS + status).any(axis=1).astype(np.uint8) << np.uint8(status)
    s.cell[: s.heroes][party["hp"] == 0] = -1
    s.occupied[:] = s.facts.ground.board.bits.union(s.cell)


def draw_pool(s: State) -> None:
    """SE-S2 to SE-S4: every enemy of the pool is drawn from its level's bag; an empty bag is refilled."""
    facts = s.facts
    bags = {level: np.ones((len(kinds), s.size), dtype=bool) for level, kinds in facts.bags.items()}
    for number, (level, _) in enumerate(facts.pool):
        bag = bags[level]
        bag[:, ~bag.any(axis=0)] = True
        chip = pick(bag, lot=draw_lot(s.luck, "SE-S4", 0, TABLE, number))
        put(bag, chip, s.everyone, False)
        row = s.units - len(facts.pool) + number
        s.kind[row] = lookup(np.array(facts.bags[level], dtype=np.int16), chip)
        s.hp[row] = s.find(facts.health, s.everyone, s.kind[row])
    if s.tell and facts.pool:
        call_by_name(s, s.tell)
        s.tell.event("SE-S4", "drawn", whom=list(range(s.units - len(facts.pool), s.units)))


def call_by_name(s: State, tell: Recorder) -> None:
    """Whoever listens hears of drawn enemies by what they are, and not as 'level 5 2'; numbered where two are alike."""
    first = s.units - len(s.facts.pool)
    names = [s.facts.creatures[int(kind) - s.heroes].name for kind in s.kind[s.heroes :, 0]]
    for row in range(first, s.units):
        name = names[row - s.heroes]
        number = names[: row - s.heroes + 1].count(name)
        label = f"{name} {number}" if names.count(name) > 1 else name
        if label not in tell.names:
            tell.names[row] = label
