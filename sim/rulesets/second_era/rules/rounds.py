"""The round: fatigue, adventurers, companions, enemies, its end."""

from __future__ import annotations

import numpy as np

from sim.core.choose import lots, order_by
from sim.core.lanes import Whole, each, lookup, per_lane, which
from sim.rulesets.second_era.data import OVER
from sim.rulesets.second_era.player import Player
from sim.rulesets.second_era.rules.companions import companion_turn
from sim.rulesets.second_era.rules.damage import unowned
from sim.rulesets.second_era.rules.ending import end_round, look_for_the_end
from sim.rulesets.second_era.rules.enemy_turns import enemy_turn
from sim.rulesets.second_era.rules.hero_turns import adventurer_turn, second_turn
from sim.rulesets.second_era.rules.purge import use_purges
from sim.rulesets.second_era.rules.races import wood_elf
from sim.rulesets.second_era.rules.track import overtire, track_of
from sim.rulesets.second_era.rules.turns import begin_telling
from sim.rulesets.second_era.state import State


def play_round(s: State, player: Player) -> None:
    """SE-R1, SE-R3, SE-R4, SE-R5, SE-R6, SE-R7: one round; defeated units take no turn."""
    s.engages_round[:] = 0
    s.acting[:] = -1
    s.used[:] = 0  # fatigue belongs to no turn, and what was used in the last one of the round before is over
    fatigue(s)
    adventurer_step(s, player)
    companion_step(s)
    enemy_step(s)
    s.acting[:] = -1
    end_round(s)


def fatigue(s: State) -> None:
    """SE-R1, SE-R2: from the stated round on every adventurer gains an `O` and takes true damage for every `O`."""
    begins = s.facts.switches["fatigue_from"]
    if begins == "off" or s.round < begins:
        return
    begin_telling(s)
    for hero in range(s.heroes):
        overtire(s, hero, which(s.live & (s.hp[hero] > 0)))
    for hero in range(s.heroes):
        at = which(s.live & (s.hp[hero] > 0))
        if len(at):
            worn = (track_of(s, hero, at) == OVER).sum(axis=0, dtype=np.int16)
            unowned(s, hero, worn, at, "fatigue")
    look_for_the_end(s, which(s.live))


def adventurer_step(s: State, player: Player) -> None:
    """SE-R3: every adventurer once, in party order; an Orc once in the battle again."""
    for hero in range(s.heroes):
        adventurer_turn(s, player, hero, 0)
        if s.facts.racial and s.round == 2 and s.facts.has_racial_ability(hero, "Orc"):
            second_turn(s, player, hero)


def companion_step(s: State) -> None:
    """SE-R4: every companion once, in list order."""
    for companion in range(s.heroes, s.party):
        at = which(s.live & (s.hp[companion] > 0))
        if len(at):
            companion_turn(s, companion, at)
            look_for_the_end(s, at)


def enemy_step(s: State) -> None:
    """SE-E1, SE-E2, SE-R5: every enemy once, highest level first, in the order of this round."""
    if s.facts.racial and s.round == 1:
        wood_elf(s)
    if not s.facts.enemies:
        return
    for enemy in enemy_order(s):
        e = per_lane(enemy + s.party, s.everyone)
        at = which(s.live & (each(s.cell, e, s.everyone) >= 0))
        if len(at):
            enemy_turn(s, e[at], at)
            use_purges(s, at)
            look_for_the_end(s, at)


def enemy_order(s: State) -> Whole:
    """(enemies, runs), or (enemies,) if it is the same in all runs.

    SE-E1, SE-E2: by level, then by lot, or by lowest combat and HP where the party chooses well.
    """
    facts = s.facts
    kinds = s.kind[s.party :]
    rank = lookup(facts.rank, kinds)
    if facts.fixed_order:
        return np.argsort(rank[:, 0], kind="stable")
    if facts.is_on("party_choice", "best_for_party"):
        return order_by([rank, s.find(facts.combat, s.everyone, kinds), s.hp[s.party :]])
    keys = lots(s.luck, "SE-E2", s.round, range(facts.enemies))
    keys >>= np.uint64(12)  # what is left is more than enough to tell them apart
    keys |= rank.astype(np.uint64) << np.uint64(52)
    return np.argsort(keys, axis=0, kind="stable")
