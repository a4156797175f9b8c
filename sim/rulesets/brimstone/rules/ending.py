"""The end of the encounter: breath, recovery, loot (BF-F1 to BF-F7)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Whole, anyone, columns, cut, either, keep, which
from sim.core.outcomes import Outcome
from sim.core.telling import dice
from sim.rulesets.brimstone.data import BY_ENEMIES, CAUSES
from sim.rulesets.brimstone.look import health_shown
from sim.rulesets.brimstone.rules.grit import gain_grit
from sim.rulesets.brimstone.state import State


def end_fight(s: State, at: Lanes, outcome: Outcome, cause: int) -> None:
    """BF-F1, BF-T10: the fight is over."""
    s.decide(at, outcome)
    s.cause[at] = cause
    s.just_ended[at] = True
    if s.tell:
        s.tell.event("BF-F1", "ends", at, cause=CAUSES[cause])


def check_win(s: State, at: Lanes) -> None:
    """BF-T10: with the last enemy removed the fight is won at once."""
    won = keep(at, cut(s.live, at) & ~anyone(cut(s.alive, at)))
    if len(won):
        end_fight(s, won, Outcome.WIN, BY_ENEMIES)


def aftermath(s: State) -> None:
    """BF-F2: after a win breath, recovery and loot; once per turn for all fights that ended in it.

    A run that is over is left alone by every rule, so it can wait.
    """
    over = which(s.just_ended)
    s.just_ended[over] = False
    for hero in range(s.heroes):
        s.hp_end[hero, over] = s.health_left(hero, over)
        s.mind_end[hero, over] = s.sanity_left(hero, over)
    at = keep(over, cut(s.outcome, over) == Outcome.WIN)
    if not len(at):
        return
    for hero in range(s.heroes):
        catch_breath(s, hero, keep(at, cut(s.standing[hero], at)))
    for hero in range(s.heroes):
        out = ~cut(s.standing[hero], at) & ~cut(s.removed[hero], at) & ~cut(s.dead[hero], at)
        recover(s, hero, keep(at, out))
    share_loot(s, at)


def catch_breath(s: State, hero: int, at: Lanes) -> None:
    """BF-F3, BF-F4: D3 for who had a turn; for the others D6, or 1 Grit if unhurt."""
    if not len(at):
        return
    acted = s.ever_acted if s.facts.is_on("breath_window", "whole_fight") else s.acted
    had_turn = cut(acted[hero], at)
    hurt = (cut(s.wounds[hero], at) > 0) | (cut(s.sdmg[hero], at) > 0)
    points = s.luck.die(either(had_turn, 3, 6), "BF-F3", s.round, hero, 0, at)
    before = health_shown(s, hero) if s.tell else 0
    mix(s, hero, keep(at, hurt), keep(points, hurt))
    if s.tell:
        healed = health_shown(s, hero) - before
        shown = [dice(points, np.where(had_turn, 3, 6), purpose="to heal")]
        s.tell.event("BF-F3", "catches_breath", keep(at, hurt), who=hero, rolls=shown, healed=healed)
    if not s.facts.plot.heroes[hero].ally:
        gain_grit(s, hero, keep(at, ~hurt & ~had_turn))


def mix(s: State, hero: int, at: Lanes, points: Whole) -> None:
    """BF-F5: healing in any mix, point by point on the smaller remaining track that is damaged (tie: Health)."""
    wounds, damage = columns(s.wounds[hero], at), columns(s.sdmg[hero], at)
    before = wounds + damage
    ahead = s.health_left(hero, at) - s.sanity_left(hero, at)  # by how much more Health is left than Sanity
    for point in range(int(points.max(initial=0))):
        more = points > point
        body = more & (wounds > 0) & ((damage == 0) | (ahead <= 0))
        mind = more & (damage > 0) & ~body
        wounds -= body
        damage -= mind
        ahead += body
        ahead -= mind
    s.wounds[hero, at] = wounds
    s.sdmg[hero, at] = damage
    s.healed[hero, at] += before - wounds - damage


def recover(s: State, hero: int, at: Lanes) -> None:
    """BF-F6: injury and madness are counted; 2D6 in any mix, both tracks first raised to 1; both gone: 2D6 on each."""
    if not len(at):
        return
    s.injuries[hero, at] += s.health_left(hero, at) <= 0
    s.madness[hero, at] += s.sanity_left(hero, at) <= 0
    rolled = [s.luck.die(6, "BF-F6", s.round, hero, i, at) for i in range(4)]
    before = health_shown(s, hero) if s.tell else 0
    both = s.injuries[hero] & s.madness[hero]
    restore(s, hero, at, rolled)
    if s.tell:
        healed = health_shown(s, hero) - before
        shown = [dice(np.array(rolled[: 4 if both[at[0]] else 2]), 6, purpose="to recover")]
        s.tell.event("BF-F6", "recovers", at, who=hero, rolls=shown, healed=healed)


def restore(s: State, hero: int, at: Lanes, dice: list[Whole]) -> None:
    """BF-F6: the healing of a KO'd hero by four dice, of which the last two count if both tracks were gone."""
    body, mind = s.health_left(hero, at) <= 0, s.sanity_left(hero, at) <= 0
    first, second = dice[0] + dice[1], dice[2] + dice[3]
    both = body & mind
    two = keep(at, both)
    for track, amount in ((s.wounds, keep(first, both)), (s.sdmg, keep(second, both))):
        healed = np.minimum(amount, cut(track[hero], two))
        track[hero, two] -= healed.astype(np.int16)
        s.healed[hero, two] += healed
    one = which(~both)
    if len(one):
        s.wounds[hero, at[one]] -= body[one]
        s.sdmg[hero, at[one]] -= mind[one]
        raised = body[one] | mind[one]
        s.healed[hero, at[one]] += raised
        mix(s, hero, at[one], first[one] - raised)


def share_loot(s: State, at: Lanes) -> None:
    """BF-F7: one card per threat card and hero, at most `loot_cap`; none for allies and the dead."""
    cards = np.minimum(cut(s.cards, at), s.facts.switches["loot_cap"])
    for hero, facts in enumerate(s.facts.plot.heroes):
        if not facts.ally:
            s.loot[hero, at] = cards * ~cut(s.dead[hero], at)
    if s.tell:
        s.tell.event("BF-F7", "is_rewarded", at, xp=s.xp[:, at].sum(axis=0), loot=s.loot[:, at].sum(axis=0))
