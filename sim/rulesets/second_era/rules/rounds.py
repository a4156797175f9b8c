"""Rounds and turns: fatigue, adventurers, companions, enemies, the end (sections 4 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.choose import order_by
from sim.core.lanes import Lanes, cut, each, which
from sim.core.luck import TABLE
from sim.core.outcomes import Outcome
from sim.rulesets.second_era.data import BANE, DAZE, OVER
from sim.rulesets.second_era.rules import track
from sim.rulesets.second_era.rules.companions import companion_turn
from sim.rulesets.second_era.rules.damage import unowned
from sim.rulesets.second_era.rules.dice import some_dice
from sim.rulesets.second_era.rules.enemy_turns import enemy_turn
from sim.rulesets.second_era.rules.places import begin_turn
from sim.rulesets.second_era.rules.purge import use_purges
from sim.rulesets.second_era.rules.setup import show_board
from sim.rulesets.second_era.state import State

if TYPE_CHECKING:
    from sim.rulesets.second_era.player import Player


def play_round(s: State, heroes: Player) -> None:
    """SE-R1, SE-R3, SE-R4, SE-R5, SE-R6, SE-R7: one round; defeated units take no turn."""
    s.engages_round[:] = 0
    s.acting[:] = -1
    fatigue(s)
    for hero in range(s.heroes):
        adventurer_turn(s, heroes, hero, 0)
        if s.facts.racial and s.round == 2 and s.facts.heroes[hero].race == "Orc":
            second_turn(s, heroes, hero)
    for companion in range(s.heroes, s.party):
        at = which(s.live & (s.hp[companion] > 0))
        if len(at):
            companion_turn(s, companion, at)
            look_for_the_end(s, at)
    enemy_step(s)
    s.acting[:] = -1
    end_round(s)
    if s.tell:
        show_board(s)


def fatigue(s: State) -> None:
    """SE-R1, SE-R2: from the stated round on every adventurer gains an `O` and takes true damage for every `O`."""
    begins = s.facts.switches["fatigue_from"]
    if begins == "off" or s.round < begins:
        return
    for hero in range(s.heroes):
        at = which(s.live & (s.hp[hero] > 0))
        if len(at):
            track.overtire(s, hero, at)
            worn = (track.track_rows(s, hero, at) == OVER).sum(axis=0, dtype=np.int16)
            if s.tell:
                s.tell("SE-R2", hero, "is worn down by fatigue", at, damage=worn)
            unowned(s, hero, worn, at)
    look_for_the_end(s, which(s.live))


def adventurer_turn(s: State, heroes: Player, hero: int, turn: int) -> None:
    """SE-R8: adj0, Bane, innates, recycle, Recovery, actions, Daze leaves; then the Purge check and the end."""
    at = which(s.live & (s.hp[hero] > 0))
    if not len(at):
        return
    s.turn = turn
    began = at
    begin_turn(s, hero, at)
    if s.tell:
        s.tell("SE-R8", hero, "takes a turn", at, hp=cut(s.hp[hero], at))
    if s.facts.possible[BANE]:
        bane = at[s.under(BANE, hero, at)]
        if len(bane):
            unowned(s, hero, 1, bane)
            at = at[cut(s.hp[hero], at) > 0]
    if s.facts.classes:
        from sim.rulesets.second_era.rules.classes import innate

        innate(s, hero, at)
        at = at[cut(s.hp[hero], at) > 0]
    recycle(s, heroes, hero, at)
    track.recover(s, hero, s.facts.heroes[hero].cooldown, at)
    actions(s, heroes, hero, at)
    if s.facts.possible[DAZE]:
        track.lose(s, hero, DAZE, at[cut(s.hp[hero], at) > 0])
    use_purges(s, began)
    look_for_the_end(s, began)


def recycle(s: State, heroes: Player, hero: int, at: Lanes) -> None:
    """SE-R8, section 10: before Recovery active dice may be taken back, as the policy says."""
    when = heroes.plans[hero].recycle
    if when == "never":
        return
    if when == "without_offense":
        at = at[~some_dice(heroes.offense(s, hero, s.facts.heroes[hero].form, at), at)]
    track.recycle(s, hero, at)


def actions(s: State, heroes: Player, hero: int, at: Lanes) -> None:
    """Section 10: the policy's actions. With no enemy left a healer heals first, and nobody does anything else."""
    if not len(at):
        return
    foes = s.enemies_left(at)
    idle = at[~foes]
    if len(idle) and s.facts.heroes[hero].hero_class == "healer":
        heroes.heal(s, hero, idle)
    at = at[foes]
    if not len(at):
        return
    if s.facts.racial:
        from sim.rulesets.second_era.rules.classes import racial_start

        racial_start(s, hero, at)
    if s.facts.classes:
        from sim.rulesets.second_era.rules.classes import class_start

        class_start(s, hero, at)
    heroes.play(s, hero, at)
    if s.facts.classes:
        from sim.rulesets.second_era.rules.classes import class_end

        class_end(s, hero, at[cut(s.hp[hero], at) > 0])


def second_turn(s: State, heroes: Player, hero: int) -> None:
    """Section 11.6, Orc: after its turn in round 2 it gains an `O` and takes another turn, if an enemy is left."""
    able = which(s.live & (s.hp[hero] > 0) & ~s.spent[hero])
    able = able[s.enemies_left(able)]
    if not len(able):
        return
    s.spent[hero, able] = True
    track.overtire(s, hero, able)
    paused = s.live.copy()
    s.live[:] = False
    s.live[able] = True
    adventurer_turn(s, heroes, hero, 1)
    s.turn = 0  # a number that all runs share must not depend on whether an Orc stands in one of them
    others = np.ones(s.size, dtype=bool)
    others[able] = False
    s.live |= paused & others


# The enemy step.


def enemy_step(s: State) -> None:
    """SE-E1, SE-E2, SE-R5: every enemy once, highest level first, in the order of this round."""
    if s.facts.racial and s.round == 1:
        from sim.rulesets.second_era.rules.classes import wood_elf

        wood_elf(s)
    if not s.facts.enemies:
        return
    order = enemy_order(s)
    for place in range(s.facts.enemies):
        e = order[place] + s.party if order.ndim == 2 else np.full(s.size, order[place] + s.party, dtype=np.int64)
        at = which(s.live & (each(s.cell, e, np.arange(s.size)) >= 0))
        if len(at):
            enemy_turn(s, e if len(at) == s.size else e[at], at)
            use_purges(s, at)
            look_for_the_end(s, at)


def enemy_order(s: State) -> Any:
    """(enemies, runs). SE-E1, SE-E2: by level, then by lot, or by lowest combat and HP where the party chooses well."""
    facts = s.facts
    kinds = s.kind[s.party :]
    rank = facts.rank.take(kinds)
    if facts.fixed_order:
        return np.argsort(rank[:, 0], kind="stable")
    if facts.is_on("party_choice", "best_for_party"):
        return order_by([rank, facts.combat.take(kinds), s.hp[s.party :]])
    keys = np.stack([s.luck.bits("SE-E2", s.round, TABLE, enemy) for enemy in range(facts.enemies)])
    keys >>= np.uint64(12)  # what is left is more than enough to tell them apart
    keys |= rank.astype(np.uint64) << np.uint64(52)
    return np.argsort(keys, axis=0, kind="stable")


# The end.


def look_for_the_end(s: State, at: Lanes) -> None:
    """SE-X4, I19, I25: all adventurers defeated is a loss at once; with `immediate` a win is looked for as well."""
    standing = (cut(s.hp[: s.heroes], at) > 0).any(axis=0)
    lost = at[~standing]
    if len(lost):
        s.decide(lost, Outcome.LOSS)
        if s.tell:
            s.tell("SE-X4", "", "All adventurers are defeated: the battle is lost.", lost)
    if s.facts.is_on("end_check", "immediate"):
        decide_wins(s, at[standing])


def decide_wins(s: State, at: Lanes) -> None:
    """SE-X1, SE-X3: the objective holds and an adventurer stands."""
    there = cut(s.cell[s.party :], at) >= 0
    if s.facts.objective == "eliminate":
        there &= s.facts.objectives[s.party :]
    won = at[~there.any(axis=0) & s.live[at]]
    if len(won):
        s.decide(won, Outcome.WIN)
        if s.tell:
            s.tell("SE-X3", "", "The battle is won.", won)


def end_round(s: State) -> None:
    """SE-R6, SE-X2, SE-X5, SE-X6, I28: first win or loss, then retreat, then the cap."""
    decide_wins(s, which(s.live))
    if s.facts.retreat_below:
        at = which(s.live)
        weak = at[cut(s.hp[: s.heroes], at).sum(axis=0, dtype=np.int16) < s.facts.retreat_below]
        s.retreated[weak] = True
        s.decide(weak, Outcome.LOSS)
        if s.tell:
            s.tell("SE-X6", "", "The party retreats.", weak)
    if s.round >= s.facts.switches["round_cap"]:
        undecided = which(s.live)
        s.decide(undecided, Outcome.DRAW)
        if s.tell:
            s.tell("SE-X5", "", "The round cap is reached: a draw.", undecided)
