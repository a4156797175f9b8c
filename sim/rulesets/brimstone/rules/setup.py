"""Everything before turn 1 (section 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.ledger import Ledger
from sim.core.luck import Luck
from sim.core.outcomes import Outcome
from sim.core.telling import Recorder
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.build import MELEE
from sim.rulesets.brimstone.rules.arrivals import enter_all
from sim.rulesets.brimstone.rules.cards import hold_elites, starting_enemies
from sim.rulesets.brimstone.rules.finish import aftermath, check_win
from sim.rulesets.brimstone.rules.levels import raise_levels
from sim.rulesets.brimstone.state import Facts, State

REVIVE_TABLE = {1: 2, 2: 1, 3: 1, 4: 0, 5: 1, 6: 0}
FORTUNE_TOKENS = 3


def set_up(facts: Facts, luck: Luck, tell: Recorder | None) -> State:
    """Section 3: heroes, cards, Elite abilities, placement."""
    s = blank(facts, luck, tell)
    ready_heroes(s)
    hold_elites(s)
    wanted = starting_enemies(s)
    enter_all(s, np.arange(s.size), wanted, facts.ambush, facts.enemy_tile, None, 1, 1)
    check_win(s, np.arange(s.size))
    aftermath(s)
    return s


def blank(facts: Facts, luck: Luck, tell: Recorder | None) -> State:
    """A state with nobody in it."""
    n = len(luck.keys)
    plot = facts.plot
    heroes, slots, kinds = len(plot.heroes), 1, len(plot.kinds)
    words = 1 if facts.ground is None else facts.ground.bits.words

    def zeros(*shape: int, kind: Any = np.int16) -> Any:
        return np.zeros((*shape, n), dtype=kind)

    per_hero: dict[str, Any] = {}
    for name in ("init", "th_ranged", "th_melee", "defense", "willpower", "agility", "strength", "max_grit"):
        per_hero[name] = zeros(heroes, kind=np.int8)
    for name in ("move_bonus", "shot_bonus", "grit", "fortune", "holdouts", "free_used", "blasts", "spice"):
        per_hero[name] = zeros(heroes, kind=np.int8)
    for name in ("injuries", "madness", "loot", "revivals"):
        per_hero[name] = zeros(heroes, kind=np.int8)
    for name in ("health", "sanity", "cell", "wounds", "sdmg", "moves", "corruption", "kills", "ko_count"):
        per_hero[name] = zeros(heroes)
    for name in ("grit_gained", "grit_spent", "tokens_used", "hp_end", "mind_end"):
        per_hero[name] = zeros(heroes)
    for name in ("xp", "dealt", "taken", "sanity_taken", "healed", "restored"):
        per_hero[name] = zeros(heroes, kind=np.int32)
    for name in ("standing", "dead", "removed", "fortune_used", "acted", "ever_acted", "cigar", "rescuer"):
        per_hero[name] = zeros(heroes, kind=bool)
    for name in ("double_shot", "fanned", "barred"):
        per_hero[name] = zeros(heroes, kind=bool)
    per_slot: dict[str, Any] = {name: zeros(slots) for name in ("profile", "spot", "hurt", "serial", "fuse")}
    per_slot |= {name: zeros(slots, kind=bool) for name in ("alive", "marked")}
    per_slot |= {name: np.full((slots, n), -1, dtype=np.int8) for name in ("kind", "target")}
    per_kind = {name: zeros(kinds) for name in ("held", "bonus_turn", "first_turn", "appeared", "made", "killed")}
    per_run = {name: zeros() for name in ("created", "cards", "marker", "depth", "ignored", "flash_until")}
    per_run |= {name: zeros(kind=np.int8) for name in ("cause", "tokens", "slip")}
    return State(
        luck=luck,
        live=np.ones(n, dtype=bool),
        outcome=np.full(n, Outcome.DRAW, dtype=np.int8),
        rounds=zeros(),
        ledger=Ledger.blank(len(facts.cast.units), len(facts.cast.abilities), n),
        round=0,
        tell=tell,
        facts=facts,
        dice=zeros(heroes, facts.modes, kind=np.int8),
        status=zeros(len(data.MARKERS), heroes, kind=np.int8),
        bag=zeros(len(data.TOKENS), heroes, kind=np.int8),
        group_dealt=zeros(kinds, kind=np.int32),
        hero_bits=zeros(words, kind=np.uint64),
        enemy_bits=zeros(words, kind=np.uint64),
        broken_off=zeros(kind=bool),
        just_ended=zeros(kind=bool),
        **per_hero,
        **per_slot,
        **per_kind,
        **per_run,
    )


def ready_heroes(s: State) -> None:
    """BF-S6, BF-S7, BF-S8, 11.7: figures, Grit, kit, squares and revive tokens."""
    plot = s.facts.plot
    everyone = np.arange(s.size)
    names = (*data.FIGURES, "move_bonus", "shot_bonus")
    figures = {name: np.zeros((s.heroes, s.size), dtype=np.int16) for name in names}
    for hero, facts in enumerate(plot.heroes):
        for name in data.FIGURES:
            figures[name][hero] = facts.figures[name]
        figures["move_bonus"][hero] = facts.move_bonus
        figures["shot_bonus"][hero] = facts.shot_bonus
        if s.facts.is_on("level_model", "chart"):
            raise_levels(s, figures, hero, facts)  # type: ignore[arg-type]
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
        s.fortune[hero] = FORTUNE_TOKENS if facts.hero_class == "gambler" else 0
        s.holdouts[hero] = len(facts.free_items)
        s.standing[hero] = True
        s.cell[hero] = facts.cell
        if s.ground is not None:
            s.hero_bits |= s.ground.bits.at(s.cell[hero])
    heroes = sum(not hero.ally for hero in plot.heroes)
    tokens = s.facts.switches["revive_tokens"]
    s.marker[everyone] = s.facts.darkness
    s.tokens[everyone] = REVIVE_TABLE.get(heroes, 0) if tokens == "table" else tokens
