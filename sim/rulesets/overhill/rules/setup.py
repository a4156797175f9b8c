"""Before round 1: who is there, engagement, trap, surprise (section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import nth
from sim.core.lanes import Lanes, Mask, which
from sim.core.ledger import Ledger
from sim.core.luck import ENEMIES, TABLE, Luck
from sim.core.outcomes import Outcome
from sim.core.policy import truth
from sim.core.telling import Recorder
from sim.rulesets.overhill.build import scaled_number
from sim.rulesets.overhill.rules.damage import wound
from sim.rulesets.overhill.rules.dice import passes
from sim.rulesets.overhill.rules.monsters import monster_phase
from sim.rulesets.overhill.rules.moves import casters_rear, random_formation, standard_formation
from sim.rulesets.overhill.state import NO_TONGUE, QUICK, Facts, State

if TYPE_CHECKING:
    from sim.rulesets.overhill.policy import Heroes

TRAP_DIFFICULTY = 3
LEADER = 0  # the first of the roster decides whether to talk, sneak or attack


def set_up(facts: Facts, heroes: Heroes, luck: Luck, tell: Recorder | None) -> State:
    """OU-S12: build, numbers, scaling, formation, engagement, trap, surprise phase."""
    s, trapped = gather(facts, luck, tell)
    form_up(s, heroes.plan.formation)
    nobody = which(s.n.sum(axis=0) == 0)
    s.decide(nobody, Outcome.EMPTY)
    if s.tell and len(nobody):
        s.tell("OU-S12", "", "There is nobody to fight.", nobody)
    surprised = engage(s, heroes, which(s.live))
    if facts.is_on("traps"):
        spring_trap(s, which(s.live & trapped))
    if surprised.any():
        surprise_phase(s, surprised)
    return s


# Who is there.


def gather(facts: Facts, luck: Luck, tell: Recorder | None) -> tuple[State, Mask]:
    """OU-S1, OU-S2, OU-S3, OU-S4, 11.7: heroes at full health, and the groups of this run's gathering.

    Also tells where a trap waits. A gathering with fewer groups than another leaves its last places empty.
    """
    runs = len(luck.keys)
    met = which_gathering(facts, luck)  # (runs,) -1 for an empty room
    places = max(len(gathering.groups) for gathering in facts.gatherings)
    s = blank(facts, luck, tell, places)
    trapped = np.zeros(runs, dtype=bool)
    for number, gathering in enumerate(facts.gatherings):
        at = which(met == number)
        trapped[at] = gathering.trap
        for g, group in enumerate(gathering.groups):
            rolled = group.count.roll(luck, "OU-S2", 0, ENEMIES + g, 0, at)
            s.n[g, at] = scaled_number(np.maximum(rolled, 0), facts.party_level, facts.switches)
            s.rear_group[g, at] = group.rear
            s.attack[g, at] = group.attack
            s.defence[g, at] = group.defence
            s.blunt_defence[g, at] = group.defence if group.blunt_defence is None else group.blunt_defence
            s.kin[g, at] = group.kin
            s.leader[g, at] = group.leader
            s.touch[g, at] = group.touch
            s.talk[g, at] = NO_TONGUE if group.talk is None else group.talk
            s.alert[g, at] = group.alert
            s.xp[g, at] = group.xp
            row = facts.unit_row[group.name]
            s.unit[g, at] = row
            s.deed[g, at] = facts.ability_row[row, "attack"]
    s.started[:] = s.n
    if tell and places:
        for g in range(places):
            if s.n[g, 0]:
                tell(
                    "OU-S2",
                    int(s.unit[g, 0]),
                    "stands against the party",
                    None,
                    number=s.n[g, 0],
                    attack=s.attack[g, 0],
                    defence=s.defence[g, 0],
                )
    return s, trapped


def which_gathering(facts: Facts, luck: Luck) -> NDArray[np.int64]:
    """(runs,). 11.7: the row of the encounter table; -1 where the total has no row."""
    if facts.roll is None:
        return np.zeros(len(luck.keys), dtype=np.int64)
    total = facts.roll.roll(luck, "OU-11.7", 0, TABLE)
    rows = np.full(max([facts.roll.most, *facts.leads_to]) + 1, -1, dtype=np.int64)
    for result, row in facts.leads_to.items():
        rows[result] = row
    return rows[np.maximum(total, 0)]


def blank(facts: Facts, luck: Luck, tell: Recorder | None, groups: int) -> State:
    """OU-U2, OU-U4, OU-U7: heroes as they come, no monsters yet, nothing counted."""
    runs = len(luck.keys)
    heroes = len(facts.heroes)

    def whole(*rows: int) -> NDArray[np.int16]:
        return np.zeros((*rows, runs), dtype=np.int16)

    def no(*rows: int) -> Mask:
        return np.zeros((*rows, runs), dtype=bool)

    def per_hero(values: list[int]) -> NDArray[np.int16]:
        return np.repeat(np.array(values, dtype=np.int16)[:, None], runs, axis=1)

    def tally() -> NDArray[np.int32]:
        return np.zeros(runs, dtype=np.int32)

    return State(
        luck=luck,
        live=np.ones(runs, dtype=bool),
        outcome=np.full(runs, Outcome.DRAW, dtype=np.int8),
        rounds=np.zeros(runs, dtype=np.int16),
        round=0,
        tell=tell,
        facts=facts,
        ledger=Ledger.blank(len(facts.cast.units), len(facts.cast.abilities), runs),
        health=per_hero([hero.health for hero in facts.heroes]),
        vigor=per_hero([hero.vigor for hero in facts.heroes]),
        front=np.ones((heroes, runs), dtype=bool),
        stance=whole(heroes),
        paralysed=whole(heroes),
        blessed=no(4, heroes),
        bless_given=False,
        lapsed=no(heroes),
        silenced=no(heroes),
        strained=no(heroes),
        cast_blocked=no(heroes),
        accepted=no(heroes),
        risen=no(heroes),
        items=np.repeat(np.array([hero.items for hero in facts.heroes], dtype=np.int16).T[:, :, None], runs, axis=2),
        tonic=whole(heroes),
        oil=whole(heroes),
        n=whole(groups),
        started=whole(groups),
        rear_group=no(groups),
        attack=whole(groups),
        defence=whole(groups) + 1,
        blunt_defence=whole(groups) + 1,
        attack_mod=whole(groups),
        defence_mod=whole(groups),
        kin=no(groups),
        leader=no(groups),
        touch=whole(groups),
        talk=whole(groups),
        alert=whole(groups),
        xp=whole(groups),
        bashed=whole(groups),
        emptied=whole(groups) - 1,
        unit=whole(groups).astype(np.int32),
        deed=whole(groups).astype(np.int32),
        kills_now=whole(heroes, groups),
        kills_prev=whole(heroes, groups),
        regained=whole(heroes).astype(np.int32),
        dodged=tally(),
        mishaps=tally(),
        lapses=tally(),
        friendly=tally(),
    )


def form_up(s: State, formation: str) -> None:
    """OU-S6, OU-P1: the policy chooses each hero's guard."""
    if formation == "random":
        s.front[:] = random_formation(s)
    else:
        chosen = standard_formation(s.facts) if formation == "standard" else casters_rear(s.facts)
        s.front[:] = chosen[:, None]
    if s.tell:
        for h in range(s.heroes):
            guard = "front" if s.front[h, 0] else "rear"
            s.tell("OU-S6", h, f"takes a place in the {guard} guard", None, health=s.health[h, 0])


# Engagement.


def engage(s: State, heroes: Heroes, at: Lanes) -> Mask:
    """(runs,). OU-S7: the party attacks, talks or sneaks. Returns where a surprise phase follows."""
    surprised = np.zeros(s.size, dtype=bool)
    for choice in heroes.plan.engage:
        if not len(at):
            break
        holds = truth(choice.when, heroes, s, LEADER, at)
        if choice.take == "talk":
            talk(s, at[holds], surprised)
        elif choice.take == "sneak":
            sneak(s, at[holds], surprised)
        at = at[~holds]
    return surprised & s.live


def talk(s: State, at: Lanes, surprised: Mask) -> None:
    """OU-S8, table 3.1: 2d6 + the lowest talk modifier; without a common tongue the row is hostile."""
    if not len(at):
        return
    modifier = np.where(s.n[:, at] > 0, s.talk[:, at], 99).min(axis=0)
    total = s.luck.die(6, "OU-S8", 0, TABLE, 0, at) + s.luck.die(6, "OU-S8", 0, TABLE, 1, at) + modifier
    able = s.can_talk(at)
    enraged, indifferent, friendly = able & (total <= 4), able & (total >= 8), able & (total >= 11)
    s.decide(at[indifferent], Outcome.AVOIDED)
    s.friendly[at[friendly]] = 1
    if s.facts.is_on("talk_fail", "surprise"):
        surprised[at[enraged]] = True
    if s.tell:
        row = "friendly" if friendly[0] else "indifferent" if indifferent[0] else "enraged" if enraged[0] else "hostile"
        s.tell("OU-S8", "", f"The party talks; they are {row}.", at, total=total if able[0] else 0)


def sneak(s: State, at: Lanes, surprised: Mask) -> None:
    """OU-S9: quick dice above the highest alert value; who must pass is `stealth_check`."""
    if not len(at):
        return
    alert = np.where(s.n[:, at] > 0, s.alert[:, at], 0).max(axis=0)
    quick = s.facts.dice[QUICK]
    shown = np.stack([s.luck.die(int(quick[h]), "OU-S9", 0, h, 0, at) for h in range(s.heroes)])  # (heroes, lanes)
    succeeds = shown > alert
    check = s.facts.switches["stealth_check"]
    if check == "majority":
        passed = 2 * succeeds.sum(axis=0) >= s.standing_count(at)
    elif check == "all":
        passed = succeeds.all(axis=0)
    else:
        passed = succeeds[int(quick.argmax() if check == "leader" else quick.argmin())]
    s.decide(at[passed], Outcome.AVOIDED)
    if s.facts.is_on("sneak_fail", "surprise"):
        surprised[at[~passed]] = True
    if s.tell:
        s.tell(
            "OU-S9", "", f"The party tries to sneak past and {'gets by' if passed[0] else 'is heard'}.", at, alert=alert
        )


def spring_trap(s: State, at: Lanes) -> None:
    """OU-S11: one random standing front hero makes a quick check of difficulty 3 or loses 1d4 health."""
    if not len(at):
        return
    there = s.standing(at) & s.front[:, at]
    chosen = nth(there, s.luck.below(there.sum(axis=0), "OU-S11", 0, TABLE, 0, at))
    at, hero = at[chosen >= 0], chosen[chosen >= 0]
    die = s.luck.die(s.facts.dice[QUICK][hero], "OU-S11", 0, hero, 0, at)
    caught = ~passes(die, TRAP_DIFFICULTY, s.facts.switches["difficulty_check"])
    if s.tell and len(at):
        s.tell("OU-S11", int(hero[0]), "walks into a trap" if caught[0] else "steps over a trap", at, roll=die)
    if caught.any():
        at, hero = at[caught], hero[caught]
        wound(s, hero, at, s.luck.die(4, "OU-S11", 0, hero, 1, at), "OU-S11")


def surprise_phase(s: State, surprised: Mask) -> None:
    """OU-S10: one monster phase before round 1; it is not a round, stances are neutral, kill tables are zero."""
    waiting = s.live & ~surprised
    s.live &= surprised  # the others look on
    monster_phase(s)
    s.live |= waiting
