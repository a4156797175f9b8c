"""Before the fight: the party attacks, talks or sneaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sim.core.lanes import Lanes, Mask, Whole, cut, lookup, written
from sim.core.luck import TABLE
from sim.core.outcomes import Outcome
from sim.core.policy import truth
from sim.core.telling import Roll, dice
from sim.rulesets.overhill import data
from sim.rulesets.overhill.player import Player
from sim.rulesets.overhill.rolls import check, throw
from sim.rulesets.overhill.state import State

MORE_THAN_ANY = 99  # a die that is never the smallest
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
    able = s.can_talk(at)
    if s.tell:
        s.tell.event("OU-S8", "no_tongue", at[~able])
    at = at[able]
    modifier = np.where(cut(s.n, at) > 0, cut(s.talk, at), NOBODY).min(axis=0)
    shown = np.stack([s.luck.die(6, "OU-S8", 0, TABLE, i, at) for i in range(2)])  # (dice, lanes)
    row = data.places_of(s.facts.reactions, shown.sum(axis=0) + modifier)
    for number, reaction in enumerate(s.facts.reactions):
        met = at[row == number]
        if reaction.avoided:
            s.decide(met, Outcome.AVOIDED)
            s.friendly = written(s.friendly)
            s.friendly[met] = reaction.friendly
        if reaction.surprise and s.facts.is_on("talk_fail", "surprise"):
            surprised[met] = True
        if s.tell and len(met):
            rolls = [reaction_roll(s.facts.reactions, shown, int(modifier[0]))]
            s.tell.event("OU-S8", "talks", met, rolls=rolls, reaction=reaction.name, avoided=reaction.avoided)


def reaction_roll(table: Sequence[data.Reaction], shown: Whole, modifier: int) -> Roll:
    """OU-S8: the dice of the reaction as they are told, and how likely they were to spare the party a fight."""
    avoids = [total for total in range(2, 13) if data.row_of(table, total + modifier).avoided]
    ways = [first + second in avoids for first in range(1, 7) for second in range(1, 7)]
    needed = f"{min(avoids)} or more" if avoids else "more than 12"
    told = dice(shown, 6, purpose="the reaction")
    return replace(told, needed=f"{needed} in all", chance=sum(ways) / len(ways))


def sneak(s: State, at: Lanes, surprised: Mask) -> None:
    """OU-S9: quick dice above the highest alert value; who must pass is `stealth_check`."""
    if not len(at):
        return
    alert = np.where(cut(s.n, at) > 0, cut(s.alert, at), 0).max(axis=0)
    quick = np.array([hero.quick for hero in s.facts.heroes])
    shown = np.stack([s.luck.die(int(quick[h]), "OU-S9", 0, h, 0, at) for h in range(s.heroes)])  # (heroes, lanes)
    succeeds = shown > alert
    wanted = s.facts.switches["stealth_check"]
    who_rolls = list(range(s.heroes))
    standing = s.standing(at)  # who is down since an earlier scene counts nowhere
    if wanted == "majority":
        passed = 2 * (succeeds & standing).sum(axis=0) >= s.standing_count(at)
    elif wanted == "all":
        passed = (succeeds | ~standing).all(axis=0)
    else:
        sizes = np.where(standing, quick[:, None], 0 if wanted == "leader" else MORE_THAN_ANY)
        chosen = sizes.argmax(axis=0) if wanted == "leader" else sizes.argmin(axis=0)
        who_rolls = [int(chosen[0])]
        passed = lookup(succeeds, chosen, np.arange(len(at)))
    s.decide(at[passed], Outcome.AVOIDED)
    if s.facts.is_on("sneak_fail", "surprise"):
        surprised[at[~passed]] = True
    if s.tell:
        who_rolls = [h for h in who_rolls if standing[h, 0]]
        rolls = [roll for h in who_rolls for roll in stealth_roll(s, h, shown[h], int(alert[0]))]
        s.tell.event("OU-S9", "sneaks", at, rolls=rolls, unheard=passed)


def stealth_roll(s: State, hero: int, shown: Whole, alert: int) -> list[Roll]:
    """OU-S9: the quick die of one hero as it is told."""
    facts = s.facts.heroes[hero]
    purpose = f"the stealth of {facts.name.replace('_', ' ')}"
    return check(throw(facts.quick, shown), purpose, lambda face: face > alert, shown > alert)
