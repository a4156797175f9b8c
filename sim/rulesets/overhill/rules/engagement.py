"""Before the fight: the party attacks, talks or sneaks."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Mask, cut
from sim.core.luck import TABLE
from sim.core.outcomes import Outcome
from sim.core.policy import truth
from sim.rulesets.overhill.data import QUICK
from sim.rulesets.overhill.player import Player
from sim.rulesets.overhill.state import State

NOBODY = 99  # a talk modifier that is never the lowest
LEADER = 0  # the first of the roster decides whether to talk, sneak or attack


def engage(s: State, player: Player, at: Lanes) -> Mask:
    """(runs,). OU-S7: the party attacks, talks or sneaks. Returns where a surprise phase follows."""
    surprised = np.zeros(s.size, dtype=bool)
    for choice in player.plan.engage:
        if not len(at):
            break
        holds = truth(choice.when, player, s, LEADER, at)
        if choice.take == "talk":
            talk(s, at[holds], surprised)
        elif choice.take == "sneak":
            sneak(s, at[holds], surprised)
        at = at[~holds]
    return surprised & s.live


def talk(s: State, at: Lanes, surprised: Mask) -> None:
    """OU-S8: 2d6 + the lowest talk modifier; without a common tongue the row is hostile."""
    if not len(at):
        return
    modifier = np.where(cut(s.n, at) > 0, cut(s.talk, at), NOBODY).min(axis=0)
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
    alert = np.where(cut(s.n, at) > 0, cut(s.alert, at), 0).max(axis=0)
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
        result = "gets by" if passed[0] else "is heard"
        s.tell("OU-S9", "", f"The party tries to sneak past and {result}.", at, alert=alert)
