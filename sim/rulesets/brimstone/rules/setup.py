"""Everything before turn 1 (BF-S1 to BF-S18)."""

from __future__ import annotations

import numpy as np

from sim.core.luck import Luck
from sim.core.telling import Recorder
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.build import MELEE
from sim.rulesets.brimstone.facts import Facts
from sim.rulesets.brimstone.rules.arrivals import Entrance, enter_all
from sim.rulesets.brimstone.rules.cards import hold_elites, starting_enemies
from sim.rulesets.brimstone.rules.ending import aftermath, check_win
from sim.rulesets.brimstone.rules.levels import raise_levels
from sim.rulesets.brimstone.state import State, blank_state

REVIVE_TABLE = {1: 2, 2: 1, 3: 1, 4: 0, 5: 1, 6: 0}
FORTUNE_TOKENS = 3


def set_up(facts: Facts, luck: Luck, tell: Recorder | None) -> State:
    """Heroes, cards, Elite abilities, placement."""
    s = blank_state(facts, luck, tell)
    ready_heroes(s)
    hold_elites(s)
    wanted = starting_enemies(s)
    enter_all(s, s.everyone, wanted, Entrance(facts.ambush, facts.enemy_tile, turn=1, bonus=1))
    check_win(s, s.everyone)
    aftermath(s)
    return s


def ready_heroes(s: State) -> None:
    """BF-S6, BF-S7, BF-S8: figures, Grit, kit, squares and revive tokens."""
    plot = s.facts.plot
    names = (*data.FIGURES, "move_bonus", "shot_bonus")
    figures = {name: np.zeros((s.heroes, s.size), dtype=np.int16) for name in names}
    for hero, facts in enumerate(plot.heroes):
        for name in data.FIGURES:
            figures[name][hero] = facts.figures[name]
        figures["move_bonus"][hero] = facts.move_bonus
        figures["shot_bonus"][hero] = facts.shot_bonus
        if s.facts.is_on("level_model", "chart"):
            raise_levels(s, figures, hero, facts)
    for name in (
        *("init", "th_ranged", "th_melee", "health", "sanity", "defense", "willpower", "agility", "strength"),
        *("max_grit", "move_bonus", "shot_bonus"),
    ):
        getattr(s, name)[:] = figures[name]
    for hero, facts in enumerate(plot.heroes):
        if s.facts.is_on("grit_use"):
            start = s.facts.switches["start_grit"] if facts.grit is None else facts.grit
            s.grit[hero] = np.minimum(start, s.max_grit[hero])
        for number, mode in enumerate(facts.modes):
            dice = figures["combat"][hero] + facts.combat_items
            if mode.sort != MELEE:
                dice = mode.shots + figures["shot_bonus"][hero]
            s.dice[hero, number] = np.minimum(dice, s.facts.dice_cap)
        s.wounds[hero] = facts.wounds
        s.sdmg[hero] = facts.sdmg
        for marker, amount in facts.status.items():
            s.status[data.MARKERS.index(marker), hero] = amount
        for token, amount in facts.bag.items():
            s.bag[data.TOKENS.index(token), hero] = amount
        s.fortune[hero] = FORTUNE_TOKENS if "fortune" in facts.talents else 0
        s.holdouts[hero] = len(facts.free_items)
        s.standing[hero] = True
        s.cell[hero] = facts.cell
        if s.has_board:
            s.hero_bits |= s.ground.bits.at(s.cell[hero])
    heroes = sum(not hero.ally for hero in plot.heroes)
    tokens = s.facts.switches["revive_tokens"]
    s.marker[:] = s.facts.darkness
    s.tokens[:] = REVIVE_TABLE.get(heroes, 0) if tokens == "table" else tokens
