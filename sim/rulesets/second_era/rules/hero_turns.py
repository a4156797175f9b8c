"""The turns of adventurers."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, cut, which
from sim.rulesets.second_era.data import BANE, DAZE
from sim.rulesets.second_era.player import Player
from sim.rulesets.second_era.rules import slots
from sim.rulesets.second_era.rules.classes import class_end, class_start, innate
from sim.rulesets.second_era.rules.damage import unowned
from sim.rulesets.second_era.rules.dice import offense, some_dice
from sim.rulesets.second_era.rules.ending import look_for_the_end
from sim.rulesets.second_era.rules.purge import use_purges
from sim.rulesets.second_era.rules.races import racial_start
from sim.rulesets.second_era.rules.statuses import lose
from sim.rulesets.second_era.rules.track import overtire, recover
from sim.rulesets.second_era.rules.turns import begin_telling, begin_turn, tell_if_idle
from sim.rulesets.second_era.state import State


def adventurer_turn(s: State, player: Player, hero: int, turn: int) -> None:
    """SE-R8: adj0, Bane, innates, recycle, Recovery, actions, Daze leaves; then the Purge check and the end."""
    at = which(s.live & (s.hp[hero] > 0))
    if not len(at):
        return
    s.turn = turn
    began = at
    told = begin_telling(s)
    begin_turn(s, hero, at)
    if s.facts.possible[BANE]:
        unowned(s, hero, 1, at[s.under(BANE, hero, at)], "bane")
        at = at[cut(s.hp[hero], at) > 0]
    if s.facts.classes:
        innate(s, hero, at)
        at = at[cut(s.hp[hero], at) > 0]
    recycle(s, player, hero, at)
    recover(s, hero, s.own(s.facts.heroes[hero].cooldown, at), at)
    actions(s, player, hero, at)
    if s.facts.possible[DAZE]:
        lose(s, hero, DAZE, at[cut(s.hp[hero], at) > 0])
    use_purges(s, began)
    tell_if_idle(s, hero, told, began, "SE-R8")
    look_for_the_end(s, began)


def recycle(s: State, player: Player, hero: int, at: Lanes) -> None:
    """SE-R8: before Recovery active dice may be taken back, as the policy says."""
    when = player.plans[hero].recycle
    if when == "never":
        return
    if when == "without_offense":
        at = at[~some_dice(offense(s, hero, s.facts.heroes[hero].form, at), at)]
    slots.recycle(s, hero, at)


def actions(s: State, player: Player, hero: int, at: Lanes) -> None:
    """SE-R8: the policy's actions. With no enemy left a healer heals first, and nobody does anything else."""
    if not len(at):
        return
    foes = s.enemies_left(at)
    idle = at[~foes]
    if len(idle) and s.facts.heroes[hero].role == "healer":
        player.heal(s, hero, idle)
    at = at[foes]
    if not len(at):
        return
    if s.facts.racial:
        racial_start(s, hero, at)
    if s.facts.classes:
        class_start(s, hero, at)
    player.play(s, hero, at)
    if s.facts.classes:
        class_end(s, hero, at[cut(s.hp[hero], at) > 0])


def second_turn(s: State, player: Player, hero: int) -> None:
    """Orc: after its turn in round 2 it gains an `O` and takes another turn, if an enemy is left."""
    able = which(s.live & (s.hp[hero] > 0) & ~s.spent[hero])
    able = able[s.enemies_left(able)]
    if not len(able):
        return
    s.spent[hero][able] = True
    overtire(s, hero, able)
    if s.tell:
        s.tell.event("SE-S7", "second_turn", able, who=hero)
    paused = s.live.copy()
    s.live[:] = False
    s.live[able] = True
    adventurer_turn(s, player, hero, 1)
    s.turn = 0  # a number that all runs share must not depend on whether an Orc stands in one of them
    others = np.ones(s.size, dtype=bool)
    others[able] = False
    s.live |= paused & others
