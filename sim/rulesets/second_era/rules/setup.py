"""Before round 1: who is drawn, who stands where (section 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.choose import nth
from sim.core.lanes import put
from sim.core.ledger import Ledger
from sim.core.luck import TABLE, Luck
from sim.core.outcomes import Outcome
from sim.core.telling import Recorder
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import SLOTS, TRACK
from sim.rulesets.second_era.state import EMPTY, Facts, State


def set_up(facts: Facts, luck: Luck, tell: Recorder | None) -> State:
    """SE-S1 to SE-S7: everybody at full strength on their hexes, tracks as carried over."""
    runs = len(luck.keys)
    heroes, units = len(facts.heroes), len(facts.cell)
    cast = facts.cast

    def full(column: Any) -> Any:
        return np.repeat(column[:, None], runs, axis=1)

    def zeros(rows: int, kind: type[np.generic]) -> Any:
        return np.zeros((rows, runs), dtype=kind)

    track = np.full((heroes, TRACK), EMPTY, dtype=np.int8)
    for row, hero in enumerate(facts.heroes):
        track[row, : len(hero.track)] = hero.track
    s = State(
        luck=luck,
        live=np.ones(runs, dtype=bool),
        outcome=np.full(runs, Outcome.DRAW, dtype=np.int8),
        rounds=np.zeros(runs, dtype=np.int16),
        ledger=Ledger.blank(len(cast.units), len(cast.abilities), runs),
        round=0,
        tell=tell,
        facts=facts,
        kind=full(facts.kind),
        hp=full(facts.hp),
        cell=full(facts.cell),
        status=full(facts.status),
        occupied=np.repeat(facts.ground.board.bits.fixed([c for c in facts.cell if c >= 0]), runs, axis=1),
        form=full(np.array([hero.form for hero in facts.heroes], dtype=np.int8)),
        bonus=full(np.array([hero.bonus_hp for hero in facts.heroes], dtype=np.int16)),
        tenacity=full(np.array([hero.tenacity for hero in facts.heroes], dtype=np.int8)),
        available=full(np.array([hero.available for hero in facts.heroes], dtype=np.int8).reshape(-1)),
        slot_die=np.full((heroes * SLOTS, runs), EMPTY, dtype=np.int8),
        slot_x=np.full((heroes * SLOTS, runs), EMPTY, dtype=np.int8),
        track=full(track.reshape(-1)),
        length=full(np.array([len(hero.track) for hero in facts.heroes], dtype=np.int8)),
        spent=zeros(heroes, np.bool_),
        used=zeros(heroes, np.uint8),
        turn=0,
        acting=np.full(runs, -1, dtype=np.int16),
        adj0=zeros(units, np.bool_),
        lost=zeros(units, np.int16),
        riposted=zeros(units, np.bool_),
        hurt=np.zeros(runs, dtype=bool),
        moves=np.zeros(runs, dtype=np.int8),
        rolled=np.zeros(runs, dtype=bool),
        engaged=np.zeros(runs, dtype=np.int8),
        healed=np.zeros(runs, dtype=bool),
        struck=np.zeros(runs, dtype=bool),
        engages_round=zeros(heroes, np.int8),
        harm=zeros((units + 1) * units, np.int16),
        regained=zeros(units, np.int16),
        prevented_defense=zeros(units, np.int16),
        statuses=zeros(units, np.int16),
        prevented_guard=zeros(heroes, np.int16),
        prevented_bonus=zeros(heroes, np.int16),
        light=zeros(heroes, np.int16),
        over=zeros(heroes, np.int16),
        drained=zeros(heroes, np.int16),
        tenacity_gained=zeros(heroes, np.int16),
        engages=zeros(heroes, np.int16),
        hexes=zeros(heroes, np.int16),
        retreated=np.zeros(runs, dtype=bool),
    )
    draw_pool(s)
    if tell is not None:
        show_board(s)
    return s


def draw_pool(s: State) -> None:
    """SE-S2 to SE-S4: every enemy of the pool is drawn from its level's bag; an empty bag is refilled."""
    facts = s.facts
    first = s.units - len(facts.pool)
    everyone = np.arange(s.size)
    bags = {level: np.ones((len(kinds), s.size), dtype=bool) for level, kinds in facts.bags.items()}
    for number, (level, _) in enumerate(facts.pool):
        bag = bags[level]
        bag[:, ~bag.any(axis=0)] = True
        left = bag.sum(axis=0, dtype=np.int64)
        chip = nth(bag, s.luck.below(left, "SE-S4", 0, TABLE, number))
        put(bag, chip, everyone, False)
        kind = np.array(facts.bags[level], dtype=np.int16).take(chip)
        s.kind[first + number] = kind
        s.hp[first + number] = facts.health.take(kind)
        if s.tell:
            creature = facts.creatures[int(kind[0]) - len(facts.heroes)]
            s.tell("SE-S4", "", f"{s.tell.names[first + number]} is a {creature.name}", everyone)


def show_board(s: State) -> None:
    """The board of the run that somebody listens to, in text: a letter and the hit points of every unit."""
    from sim.core.board import picture

    assert s.tell is not None
    names = s.tell.names
    marks = {}
    for row in range(s.units):
        cell = int(s.cell[row, 0])
        if cell >= 0:
            letter = names[row][0].upper() if row < s.party else names[row][0].lower()
            hidden = "s" if s.status[row, 0] & (1 << data.STEALTH) else ""
            marks[cell] = f"{letter}{int(s.hp[row, 0])}{hidden}"
    s.tell.show(picture(s.facts.ground.board, marks, coordinates=True))
