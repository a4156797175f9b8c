"""The monster phase: which monsters attack, and whom."""

from __future__ import annotations

import numpy as np

from sim.core.choose import draw_lot, narrow, order_by, pick
from sim.core.lanes import Lanes, Mask, Small, Whole, cut, each, is_still, which
from sim.core.luck import ENEMIES
from sim.rulesets.overhill.rules.enemy_attacks import Assault, attack_value, monster_attack
from sim.rulesets.overhill.state import State


def monster_phase(s: State) -> None:
    """OU-R6, OU-E1, OU-E2, OU-E10: groups act in list order; each living monster beyond `bashed` attacks once.

    Attacking is all they do: they never move, change guard, flee or heal.
    """
    left_in_front = np.full(s.size, s.facts.front_max, dtype=np.int64)
    front_monsters = s.front_monsters(s.everyone)  # no monster falls in this phase
    for group in range(s.groups):
        attackers = np.maximum(s.n[group] - s.bashed[group], 0) * s.live
        if s.facts.room.front_max is not None:
            in_front = ~s.rear_group[group]
            attackers = np.where(in_front, np.minimum(attackers, left_in_front), attackers)
            left_in_front -= attackers * in_front
        if s.tell and attackers[0]:
            s.tell.turn()
        drawn = drawn_places(s, group)
        score = threat_score(s, group)
        value = attack_value(s, group, s.everyone)
        for m in range(int(attackers.max(initial=0))):
            at = which((attackers > m) & s.live)
            if not len(at):
                break
            asked = s.everyone if s.most(at) else at
            legal = legal_targets(s, group, asked, cut(front_monsters, asked))
            target = choose_target(s, group, m, at, legal if asked is at else cut(legal, at), score, drawn)
            monster_attack(s, Assault(group, m, at, target, cut(value, at)))


# Whom.


def legal_targets(s: State, group: int, at: Lanes, front_monsters: Small) -> Mask:
    """(heroes, lanes). OU-E3, OU-E4, OU-E5: whom this group may attack now.

    A rear monster: anybody who stands. A front monster: the front, and the rear too if the front is outnumbered (or,
    with `last_standing`, gone).
    """
    standing = s.standing(at)
    front = cut(s.front, at)
    exposed = rear_exposed(s, standing & front, front_monsters)
    if s.facts.archers:
        exposed = exposed | cut(s.rear_group[group], at)
    return standing & (front | exposed)


def rear_exposed(s: State, in_front: Mask, front_monsters: Small) -> Mask:
    """(lanes,). OU-E3: whether front monsters may attack the rear guard behind those who stand in front."""
    if s.facts.is_on("rear_protection", "outnumbered"):
        weight: Small = (in_front * s.facts.weight).sum(axis=0, dtype=np.int16)
        return front_monsters > weight
    return np.logical_not(in_front.any(axis=0))


def choose_target(
    s: State, group: int, m: int, at: Lanes, legal: Mask, score: Small | None, drawn: Whole | None
) -> Whole:
    """(lanes,). OU-E6, OU-E7, OU-E8: the legal hero with the highest score; in turn; or by lot."""
    lot = draw_lot(s.luck, "OU-E7", s.round, ENEMIES + group, m, at)
    if s.facts.is_on("monster_targeting", "random"):
        return pick(legal, lot=lot)
    if drawn is not None:
        return in_turn(legal, np.zeros_like(legal, np.int16) if score is None else cut(score, at), cut(drawn, at), m)
    feared = legal if score is None else narrow(legal, cut(score, at), largest=True)
    if s.facts.is_on("party_choice", "best_for_party"):
        return pick(feared, by=(-cut(s.health, at),))
    return pick(feared, lot=lot)


def threat_score(s: State, group: int) -> Small | None:
    """(heroes, runs). OU-E6, OU-U7: kills of the own group or of all, in the previous round or in this one.

    None where nobody is to be feared in any run, as in round 1.
    """
    kills = s.kills_prev if s.facts.is_on("threat_window", "previous_round") else s.kills_now
    if is_still(kills):
        return None
    score: Small = kills[:, group] if s.facts.is_on("threat_scope", "group") else kills.sum(axis=1, dtype=np.int16)
    return score if score.any() else None


def drawn_places(s: State, group: int) -> Whole | None:
    """(heroes, runs). OU-E8: each hero's place in the random order of this group and phase; None unless `spread`."""
    if not s.facts.is_on("monster_targeting", "spread"):
        return None
    return np.argsort(s.luck.order(s.heroes, "OU-E8", s.round, ENEMIES + group), axis=0)


def in_turn(legal: Mask, score: Small, drawn: Whole, m: int) -> Whole:
    """(lanes,). OU-E8 spread: legal heroes ranked by score, ties by the drawn order; monster m takes rank m in turn."""
    ranked = order_by((np.where(legal, -score, 1), drawn))  # (heroes, lanes) the legal first: no score is below 0
    chosen = each(ranked, m % np.maximum(legal.sum(axis=0), 1), np.arange(legal.shape[1]))
    return np.where(legal.any(axis=0), chosen, -1)
