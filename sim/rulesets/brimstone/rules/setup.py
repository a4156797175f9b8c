"""Everything before turn 1 (BF-S1 to BF-S18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sim.core.batch import Carried
from sim.core.lanes import Small
from sim.core.luck import Luck
from sim.core.telling import Recorder
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.build import MELEE, HeroFacts
from sim.rulesets.brimstone.facts import Facts
from sim.rulesets.brimstone.rules.arrivals import Entrance, enter_all
from sim.rulesets.brimstone.rules.cards import hold_elites, starting_enemies
from sim.rulesets.brimstone.rules.ending import aftermath, check_win
from sim.rulesets.brimstone.rules.levels import raise_levels
from sim.rulesets.brimstone.state import State, blank_state

REVIVE_TABLE = {1: 2, 2: 1, 3: 1, 4: 0, 5: 1, 6: 0}
FORTUNE_TOKENS = 3


def set_up(facts: Facts, luck: Luck, tell: Recorder | None, arriving: Carried | None = None) -> State:
    """Heroes, cards, Elite abilities, placement."""
    s = blank_state(facts, luck, tell)
    ready_heroes(s, arriving)
    if arriving:
        come_from(s, arriving)
    if s.has_board:
        for hero in range(s.heroes):
            s.hero_bits |= s.ground.bits.at(s.cell[hero]) * s.standing[hero].astype(np.uint64)
    hold_elites(s)
    wanted = starting_enemies(s)
    enter_all(s, s.everyone, wanted, Entrance(facts.ambush, facts.enemy_tile, turn=1, bonus=1))
    check_win(s, s.everyone)
    aftermath(s)
    return s


def ready_heroes(s: State, arriving: Carried | None = None) -> None:
    """BF-S6, BF-S7, BF-S8: figures, Grit, kit, squares and revive tokens."""
    plot = s.facts.plot
    figures = figures_of_heroes(s, arriving)
    if len(s.figures):
        s.figures[:] = [figures[name] for name in data.CARRIED_FIGURES]
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
            dice = figures["combat"][hero] + s.own(facts.combat_items, s.everyone)
            if mode.sort != MELEE:
                dice = mode.shots + figures["shot_bonus"][hero]
            s.dice[hero, number] = np.minimum(dice, s.facts.dice_cap)
        s.wounds[hero] = s.own(facts.wounds, s.everyone)
        s.sdmg[hero] = s.own(facts.sdmg, s.everyone)
        for marker, amount in facts.status.items():
            s.status[data.MARKERS.index(marker), hero] = amount
        for token, amount in facts.bag.items():
            s.bag[data.TOKENS.index(token), hero] = s.own(amount, s.everyone)
        s.fortune[hero] = FORTUNE_TOKENS if "fortune" in facts.talents else 0
        s.holdouts[hero] = len(facts.free_items)
        s.standing[hero] = True
        s.cell[hero] = facts.cell
    s.marker[:] = s.facts.darkness
    s.tokens[:] = revive_tokens(plot.heroes, s.facts.switches)


def revive_tokens(heroes: Sequence[HeroFacts], switches: Mapping[str, Any]) -> int:
    """BF-S6: the revive tokens of a posse, by the number of its heroes or by the switch."""
    tokens = switches["revive_tokens"]
    return REVIVE_TABLE.get(sum(not hero.ally for hero in heroes), 0) if tokens == "table" else int(tokens)


def figures_of_heroes(s: State, arriving: Carried | None) -> dict[str, Small]:
    """(heroes, runs) each. The figures by level; those rolled on a chart are carried, and new levels are rolled."""
    chart = s.facts.is_on("level_model", "chart")
    carried = arriving if chart and arriving and "figures" in arriving else None
    figures = {name: np.zeros((s.heroes, s.size), dtype=np.int16) for name in data.CARRIED_FIGURES}
    for hero, facts in enumerate(s.facts.plot.heroes):
        for row, name in enumerate(data.CARRIED_FIGURES):
            figures[name][hero] = (
                carried["figures"][row, hero] if carried else s.own(facts.carried_figure(name), s.everyone)
            )
        if chart:
            if carried:
                s.raised[hero] = carried["raised"][hero]
            raise_levels(s, figures, hero, facts)
            s.raised[hero] = facts.level
    return figures


def come_from(s: State, arriving: Carried) -> None:
    """BF-V1: the posse as the fight before, a rest or a level has left it; who is gone for good stays away."""
    for name in ("wounds", "sdmg", "status", "bag", "dead", "removed"):
        getattr(s, name)[:] = arriving[name]
    s.past = arriving["past"].copy()
    s.grit[:] = np.minimum(arriving["grit"], s.max_grit) if s.facts.is_on("grit_use") else 0
    s.tokens[:] = arriving["revive_tokens"]
    s.marker[:] = arriving["darkness"]
    s.standing &= ~(s.dead | s.removed)
