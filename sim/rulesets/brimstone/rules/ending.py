"""The end of the encounter: breath, recovery, loot (section 8)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Whole
from sim.core.outcomes import Outcome
from sim.rulesets.brimstone.data import BY_ENEMIES, CAUSES
from sim.rulesets.brimstone.rules.grit import gain_grit
from sim.rulesets.brimstone.state import State

ENDINGS = {
    "enemies": "No enemy is left: the posse has won.",
    "heroes": "No hero stands: the fight is lost.",
    "darkness": "The darkness escapes: the fight is lost.",
    "fled": "The posse runs away: the fight is lost.",
    "cap": "The round cap is reached: a draw.",
}


def end_fight(s: State, at: Lanes, outcome: Outcome, cause: int) -> None:
    """BF-F1, BF-T10: the fight is over."""
    s.decide(at, outcome)
    s.cause[at] = cause
    s.just_ended[at] = True
    if s.tell and len(at):
        s.tell("BF-F1", "", ENDINGS[CAUSES[cause]], at)


def aftermath(s: State) -> None:
    """BF-F2: after a win breath, recovery and loot; once per turn for all fights that ended in it.

    A run that is over is left alone by every rule, so it can wait.
    """
    at = np.flatnonzero(s.just_ended)
    s.just_ended[at] = False
    for hero in range(s.heroes):
        s.hp_end[hero, at] = s.health_left(hero, at)
        s.mind_end[hero, at] = s.sanity_left(hero, at)
    at = at[s.outcome.take(at) == Outcome.WIN]
    if not len(at):
        return
    for hero in range(s.heroes):
        catch_breath(s, hero, at[s.standing[hero].take(at)])
    for hero in range(s.heroes):
        out = ~s.standing[hero].take(at) & ~s.removed[hero].take(at) & ~s.dead[hero].take(at)
        recover(s, hero, at[out])
    share_loot(s, at)


def check_win(s: State, at: Lanes) -> None:
    """BF-T10: with the last enemy removed the fight is won at once."""
    won = at[s.live.take(at) & ~s.alive.take(at, axis=1).any(axis=0)]
    if len(won):
        end_fight(s, won, Outcome.WIN, BY_ENEMIES)


def catch_breath(s: State, hero: int, at: Lanes) -> None:
    """BF-F3, BF-F4: D3 for who had a turn; for the others D6, or 1 Grit if unhurt."""
    if not len(at):
        return
    whole = s.facts.is_on("breath_window", "whole_fight")
    had_turn = (s.ever_acted if whole else s.acted)[hero].take(at)
    hurt = (s.wounds[hero].take(at) > 0) | (s.sdmg[hero].take(at) > 0)
    sides = np.where(had_turn, 3, 6)
    points = s.luck.die(sides, "BF-F3", s.round, hero, 0, at)
    mix(s, hero, at[hurt], points[hurt])
    if not s.facts.plot.heroes[hero].ally:
        gain_grit(s, hero, at[~hurt & ~had_turn])


def mix(s: State, hero: int, at: Lanes, points: NDArray[Any]) -> None:
    """BF-F5: healing in any mix, point by point on the smaller remaining track that is damaged (tie: Health)."""
    for point in range(int(points.max(initial=0))):
        more = at[points > point]
        wounds, damage = s.wounds[hero].take(more), s.sdmg[hero].take(more)
        body = (wounds > 0) & ((damage == 0) | (s.health_left(hero, more) <= s.sanity_left(hero, more)))
        mind = (damage > 0) & ~body
        s.wounds[hero, more] -= body
        s.sdmg[hero, more] -= mind
        s.healed[hero, more] += body | mind
    if s.tell and len(at):
        s.tell("BF-F5", hero, "heals", at, health=s.health_left(hero, at), sanity=s.sanity_left(hero, at))


def recover(s: State, hero: int, at: Lanes) -> None:
    """BF-F6: injury and madness are counted; 2D6 in any mix, both tracks first raised to 1; both gone: 2D6 on each."""
    if not len(at):
        return
    s.injuries[hero, at] += s.health_left(hero, at) <= 0
    s.madness[hero, at] += s.sanity_left(hero, at) <= 0
    dice = [s.luck.die(6, "BF-F6", s.round, hero, i, at) for i in range(4)]
    restore(s, hero, at, dice)


def restore(s: State, hero: int, at: Lanes, dice: list[Whole]) -> None:
    """BF-F6: the healing of a KO'd hero by four dice, of which the last two count if both tracks were gone."""
    body, mind = s.health_left(hero, at) <= 0, s.sanity_left(hero, at) <= 0
    first, second = dice[0] + dice[1], dice[2] + dice[3]
    both = body & mind
    if both.any():
        two = at[both]
        for track, amount in ((s.wounds, first[both]), (s.sdmg, second[both])):
            healed = np.minimum(amount, track[hero].take(two))
            track[hero, two] -= healed.astype(np.int16)
            s.healed[hero, two] += healed
    one = ~both
    some, points = at[one], first[one].copy()
    if len(some):
        s.wounds[hero, some] -= body[one]
        s.sdmg[hero, some] -= mind[one]
        raised = body[one] | mind[one]
        s.healed[hero, some] += raised
        mix(s, hero, some, points - raised)


def share_loot(s: State, at: Lanes) -> None:
    """BF-F7: one card per threat card and hero, at most `loot_cap`; none for allies and the dead."""
    cards = np.minimum(s.cards.take(at), s.facts.switches["loot_cap"])
    for hero, facts in enumerate(s.facts.plot.heroes):
        if not facts.ally:
            s.loot[hero, at] = cards * ~s.dead[hero].take(at)
