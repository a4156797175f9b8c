"""Before round 1: who is there, formation, engagement, trap, surprise."""

from __future__ import annotations

import numpy as np

from sim.core.batch import Carried
from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, Mask, Whole, anywhere, lookup, still, which
from sim.core.luck import ENEMIES, TABLE, Luck
from sim.core.outcomes import Outcome
from sim.core.telling import Recorder, Roll, dice
from sim.rulesets.overhill.build import GroupFacts, scaled_number
from sim.rulesets.overhill.data import QUICK
from sim.rulesets.overhill.facts import Facts
from sim.rulesets.overhill.player import Player
from sim.rulesets.overhill.rolls import check, throw
from sim.rulesets.overhill.rules.damage import see_who_falls, wound
from sim.rulesets.overhill.rules.dice import passes
from sim.rulesets.overhill.rules.enemy_turns import monster_phase
from sim.rulesets.overhill.rules.engagement import engage
from sim.rulesets.overhill.rules.formation import form_up
from sim.rulesets.overhill.state import NO_TONGUE, State, blank_state

TRAP_DIFFICULTY = 3

# What a group has and no rule ever changes.
FIGURES = (
    *("rear_group", "attack", "defence", "blunt_defence", "kin", "leads"),
    *("touch", "talk", "alert", "xp", "unit", "deed"),
)


def set_up(facts: Facts, player: Player, luck: Luck, tell: Recorder | None, arriving: Carried | None = None) -> State:
    """OU-S12: build, numbers, scaling, formation, engagement, trap, surprise phase."""
    s = blank_state(facts, luck, tell, arriving)
    trapped, ambushed = gather(s)
    form_up(s, player.plan.formation)
    if s.tell:
        s.tell.start()
    leave_empty_rooms(s)
    surprised = engage(s, player, which(s.live)) | (ambushed & s.live)
    if facts.is_on("traps"):
        spring_trap(s, which(s.live & trapped))
    if surprised.any():
        surprise_phase(s, surprised)
    return s


# Who is there.


def gather(s: State) -> tuple[Mask, Mask]:
    """OU-S1, OU-S2: the groups of this run's gathering take their places.

    Returns (runs,) where a trap waits, and where the monsters lie in wait themselves.
    """
    met = which_gathering(s.facts, s.luck)  # (runs,) -1 for an empty room
    trapped = np.zeros(s.size, dtype=bool)
    ambushed = np.zeros(s.size, dtype=bool)
    for number, gathering in enumerate(s.facts.gatherings):
        at = s.everyone if s.facts.always_the_same else which(met == number)
        trapped[at] = gathering.trap
        ambushed[at] = gathering.surprise
        for place, group in enumerate(gathering.groups):
            arrive(s, place, group, at)
    s.started[:] = s.n
    if s.facts.always_the_same and s.variant is None and s.size:
        keep_figures_still(s)
    return trapped, ambushed


def which_gathering(facts: Facts, luck: Luck) -> Whole:
    """(runs,). OU-S2: the row of the encounter table; -1 where the total has no row."""
    if facts.roll is None:
        return np.zeros(len(luck.keys), dtype=np.int64)
    total = facts.roll.roll(luck, "OU-11.7", 0, TABLE)
    rows = np.full(max([facts.roll.most, *facts.leads_to]) + 1, -1, dtype=np.int64)
    for result, row in facts.leads_to.items():
        rows[result] = row
    return lookup(rows, np.maximum(total, 0))


def arrive(s: State, place: int, group: GroupFacts, at: Lanes) -> None:
    """OU-S2, OU-S3, OU-S4: a group with its number and figures."""
    rolled = group.dice.roll(s.luck, "OU-S2", 0, ENEMIES + place, 0, at) + s.own(group.besides, at)
    here = anywhere(at, s.size)
    s.n[place][here] = scaled_number(np.maximum(rolled, 0), s.facts.party_level, s.facts.switches)
    melee, shooting = s.own(group.melee, at), s.own(group.range, at)
    s.rear_group[place][here] = shooting > melee  # `GroupFacts.rear`
    s.attack[place][here] = np.maximum(melee, shooting)  # `GroupFacts.attack`
    s.defence[place][here] = s.own(group.defence, at)
    s.blunt_defence[place][here] = s.own(group.defence if group.blunt_defence is None else group.blunt_defence, at)
    s.kin[place][here] = s.facts.families.index(group.kin)
    s.leads[place][here] = s.facts.families.index(group.leads)
    s.touch[place][here] = group.touch
    s.talk[place][here] = NO_TONGUE if group.talk is None else s.own(group.talk, at)
    s.alert[place][here] = s.own(group.alert, at)
    s.xp[place][here] = s.own(group.xp, at)
    row = s.facts.unit_row[group.name]
    s.unit[place][here] = row
    s.deed[place][here] = s.ability(row, "attack")


def keep_figures_still(s: State) -> None:
    """OU-S2: the same groups in all runs: what no rule changes about them is held once for all runs."""
    for name in FIGURES:
        setattr(s, name, still(getattr(s, name)[:, 0].copy(), s.size))


def leave_empty_rooms(s: State) -> None:
    """OU-S12, OU-Z3: an encounter without monsters ends as empty."""
    nobody = which(s.monster_count(s.everyone) == 0)
    s.decide(nobody, Outcome.EMPTY)
    if s.tell:
        s.tell.event("OU-S12", "nobody_there", nobody)


# What awaits the party.


def spring_trap(s: State, at: Lanes) -> None:
    """OU-S11: one random standing front hero makes a quick check of difficulty 3 or loses 1d4 health."""
    chosen = pick(s.standing_in_front(at), lot=draw_lot(s.luck, "OU-S11", 0, TABLE, 0, at))
    at, hero = at[chosen >= 0], chosen[chosen >= 0]
    if not len(at):
        return
    sides, threshold = s.find(s.facts.dice, at, QUICK, hero), s.facts.switches["difficulty_check"]
    die = s.luck.die(sides, "OU-S11", 0, hero, 0, at)
    caught = ~passes(die, TRAP_DIFFICULTY, threshold)
    rolls: list[Roll] = []
    if s.tell:
        rolls = check(
            throw(sides, die),
            "to see the trap",
            lambda face: bool(passes(np.array(face), TRAP_DIFFICULTY, threshold)),
            ~caught,
        )
        s.tell.event("OU-S11", "sees_trap", at[~caught], who=hero, rolls=rolls)
    at, hero = at[caught], hero[caught]
    if len(at):
        harm = s.luck.die(4, "OU-S11", 0, hero, 1, at)
        lost, left = wound(s, hero, at, harm)
        if s.tell:
            rolls.append(dice(harm, 4, purpose="its damage"))
            s.tell.event("OU-S11", "trap", at, who=hero, rolls=rolls, damage=lost, health=left)
        see_who_falls(s, hero, at, lost, left)


def surprise_phase(s: State, surprised: Mask) -> None:
    """OU-S10: one monster phase before round 1; it is not a round, stances are neutral, kill tables are zero."""
    if s.tell:
        s.tell.event("OU-S10", "surprise", which(surprised))
    waiting = s.live & ~surprised
    s.live &= surprised  # the others look on
    monster_phase(s)
    s.live |= waiting
