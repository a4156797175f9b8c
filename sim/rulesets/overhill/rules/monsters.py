"""The monster phase: whom monsters attack, defence rolls, touches (sections 6 and 7); and Shield Bash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import draw_lot, narrow, pick
from sim.core.dice import step
from sim.core.lanes import Lanes, Mask, Small, Whole, add, cut, each, which
from sim.core.luck import ENEMIES
from sim.rulesets.overhill.build import TOUCHES
from sim.rulesets.overhill.rules.attacks import weapon_defence
from sim.rulesets.overhill.rules.damage import wound
from sim.rulesets.overhill.rules.dice import hit_count, passes, roll
from sim.rulesets.overhill.state import NEUTRAL, QUICK, VIGOR, State

PARALYSIS, DRAIN = TOUCHES.index("paralysis"), TOUCHES.index("drain")
TOUCH_DIFFICULTY = 3
BASHED_BACK = 5000  # the m of the extra attack after a failed Shield Bash, plus the hero


def monster_phase(s: State) -> None:
    """OU-R6, OU-E1, OU-E2, OU-E10: groups act in list order; each living monster beyond `bashed` attacks once.

    Attacking is all they do: they never move, change guard, flee or heal.
    """
    left_in_front = np.full(s.size, s.facts.front_max, dtype=np.int64)
    everyone = np.arange(s.size)
    front_monsters = s.front_monsters(everyone)  # no monster falls in this phase
    for group in range(s.groups):
        attackers = np.maximum(s.n[group] - s.bashed[group], 0) * s.live
        if s.facts.narrow:
            in_front = ~s.rear_group[group]
            attackers = np.where(in_front, np.minimum(attackers, left_in_front), attackers)
            left_in_front -= attackers * in_front
        spread = None
        if s.facts.is_on("monster_targeting", "spread"):
            drawn = s.luck.order(s.heroes, "OU-E8", s.round, ENEMIES + group)
            spread = np.argsort(drawn, axis=0)  # (heroes, runs) each hero's place in the drawn order
        value = attack_value(s, group, everyone)
        for m in range(int(attackers.max(initial=0))):
            at = which((attackers > m) & s.live)
            if not len(at):
                break
            legal = legal_targets(s, group, at, cut(front_monsters, at))
            target = choose_target(s, group, m, at, legal, spread)
            monster_attack(s, group, target, at, cut(value, at), m)


# Whom.


def attack_value(s: State, group: int, at: Lanes) -> Small:
    """(lanes,). OU-E9: melee in front, range in the rear, smoke, and +1 by a leader aura; never below 0."""
    value = cut(s.attack[group], at)
    if s.facts.led and s.facts.is_on("leader_aura"):
        led = (cut(s.leader, at) & (cut(s.n, at) > 0)).any(axis=0)
        value = value + (led & cut(s.kin[group], at))
    return np.maximum(value + cut(s.attack_mod[group], at), 0) if s.facts.items else value


def legal_targets(s: State, group: int, at: Lanes, front_monsters: Small) -> Mask:
    """(heroes, lanes). OU-E3, OU-E4, OU-E5: whom this group may attack now.

    A rear monster: anybody who stands. A front monster: the front, and the rear too if the front is outnumbered (or,
    with `last_standing`, gone).
    """
    standing = s.standing(at)
    front = cut(s.front, at)
    if s.facts.is_on("rear_protection", "outnumbered"):
        weight = ((standing & front) * s.facts.weight).sum(axis=0, dtype=np.int16)
        exposed = front_monsters > weight
    else:
        exposed = ~(standing & front).any(axis=0)
    return standing & (front | exposed | cut(s.rear_group[group], at))


def choose_target(s: State, group: int, m: int, at: Lanes, legal: Mask, spread: Whole | None) -> Whole:
    """(lanes,). OU-E6, OU-E7, OU-E8: the legal hero with the highest score; in turn; or by lot."""
    lot = draw_lot(s.luck, "OU-E7", s.round, ENEMIES + group, m, at)
    if s.facts.is_on("monster_targeting", "random"):
        return pick(legal, lot=lot)
    score = threat_score(s, group, at)
    if spread is not None:
        return in_turn(legal, score, cut(spread, at), m)
    feared = narrow(legal, score, largest=True) if score.any() else legal
    if s.facts.is_on("party_choice", "best_for_party"):
        return pick(feared, by=(-cut(s.health, at),))
    return pick(feared, lot=lot)


def threat_score(s: State, group: int, at: Lanes) -> NDArray[np.int16]:
    """(heroes, lanes). OU-E6, OU-U7: kills of the own group or of all, in the previous round or in this one."""
    kills = s.kills_prev if s.facts.is_on("threat_window", "previous_round") else s.kills_now
    if s.facts.is_on("threat_scope", "group"):
        return cut(kills[:, group], at)
    return cut(kills, at).sum(axis=1, dtype=np.int16)


def in_turn(legal: Mask, score: NDArray[Any], drawn: Whole, m: int) -> Whole:
    """(lanes,). OU-E8 spread: legal heroes ranked by score, ties by the drawn order; monster m takes rank m in turn."""
    heroes = len(legal)
    key = np.where(legal, score.astype(np.int64) * heroes + (heroes - 1 - drawn), -1)  # distinct, highest first
    ranked = np.argsort(-key, axis=0, kind="stable")  # (heroes, lanes)
    rank = m % np.maximum(legal.sum(axis=0), 1)
    chosen = ranked[rank, np.arange(legal.shape[1])]
    return np.where(legal.any(axis=0), chosen, -1)


# The attack.


def monster_attack(s: State, group: int, target: Whole, at: Lanes, value: Small, m: int) -> None:
    """OU-D1, OU-D2, OU-D3, OU-D5, OU-D10: the hero rolls to dodge; a hit costs health and may bring a touch."""
    total, helpless = defence_total(s, group, target, at, m)
    dodged = total > value if s.facts.is_on("dodge_threshold", "exceed") else total >= value
    dodged &= ~helpless
    damage = hit_damage(value, total, helpless, s.facts.switches)
    add(s.ledger.uses, cut(s.deed[group], at), at, 1)
    s.dodged[at] += dodged
    if s.tell:
        attacker = int(s.unit[group, at[0]])
        result = "who dodges" if dodged[0] else "and hits"
        s.tell(
            "OU-D2",
            attacker,
            f"attacks {s.facts.heroes[int(target[0])].name} {result}",
            at,
            attack=value,
            defence=total if not helpless[0] else 0,
        )
    hit = ~dodged
    if hit.any():
        take_hit(s, group, target[hit], at[hit], damage[hit], value[hit], m)


def defence_total(s: State, group: int, target: Whole, at: Lanes, m: int) -> tuple[Whole, Mask]:
    """OU-D1, OU-D2, OU-D5, OU-D10: (lanes,) the defence total, and where the hero is helpless and rolls nothing."""
    facts = s.facts
    helpless = each(s.paralysed, target, at) > 0
    if facts.is_on("paralysed_defense", "roll"):
        helpless = np.zeros(len(at), dtype=bool)
    attribute, sides = defence_die(s, group, target, at)
    in_front = each(s.front, target, at)
    modifier = each(s.stance, target, at) * in_front
    np.negative(modifier, out=modifier)
    if facts.items:
        modifier += each(s.oil, target, at)
    if facts.is_on("rear_modifier", "defensive"):
        modifier += ~in_front
    if facts.is_on("level_bonus", "all"):
        modifier += np.array([hero.level for hero in facts.heroes], dtype=np.int16)[target]
    if not helpless.any():
        return roll(s, target, attribute, sides, "OU-D2", at, m, ENEMIES + group) + modifier, helpless
    die = np.zeros(len(at), dtype=np.int64)
    awake = ~helpless
    attribute = attribute[awake] if isinstance(attribute, np.ndarray) else attribute
    die[awake] = roll(s, target[awake], attribute, sides[awake], "OU-D2", at[awake], m, ENEMIES + group)
    return die + modifier, helpless


def defence_die(s: State, group: int, target: Whole, at: Lanes) -> tuple[int | Whole, NDArray[Any]]:
    """OU-D1: vigor against front monsters and quick against rear ones, always quick, or the larger (tie vigor)."""
    rule = s.facts.switches["defense_die"]
    if rule == "matching" and not s.facts.archers:
        return VIGOR, each(s.vigor, target, at)
    quick = s.facts.dice[QUICK].take(target)
    if rule == "quick":
        return QUICK, quick
    vigor = each(s.vigor, target, at)
    swift = cut(s.rear_group[group], at) if rule == "matching" else quick > vigor
    return np.where(swift, QUICK, VIGOR), np.where(swift, quick, vigor)


def hit_damage(value: Any, total: Any, helpless: Any, switches: Mapping[str, Any]) -> Any:
    """OU-D3, OU-D10: what a hit costs: the attack value, 1, or the margin; at least 1."""
    full = np.maximum(value, 1)
    if switches["monster_damage"] == "one":
        return np.ones_like(full)
    if switches["monster_damage"] == "attack":
        return full
    margin = value - total + (switches["dodge_threshold"] == "exceed")
    return np.where(helpless, full, np.maximum(margin, 1))


def take_hit(s: State, group: int, target: Whole, at: Lanes, damage: Whole, value: Small, m: int) -> None:
    """OU-D4, OU-D6, OU-F5: a warrior may take the blow; then the damage, then a touch if the hero still stands."""
    taker = accept_the_blade(s, group, target, at, damage, value, m)
    lost = wound(s, taker, at, damage, "OU-D3")
    deed = cut(s.deed[group], at)
    add(s.ledger.hits, deed, at, 1)
    add(s.ledger.damage, deed, at, lost)
    stands = each(s.health, taker, at) > 0
    if not stands.all():
        add(s.ledger.kills, cut(s.unit[group], at), at, ~stands)
    if s.facts.touches:
        touched = stands & (cut(s.touch[group], at) > 0)
        if touched.any():
            touch(s, group, taker[touched], at[touched], m)


def accept_the_blade(s: State, group: int, target: Whole, at: Lanes, damage: Whole, value: Small, m: int) -> Whole:
    """(lanes,). OU-F5: who takes the damage: the target, or the first warrior able and willing who rolls above it."""
    knights = [h for h, hero in enumerate(s.facts.heroes) if hero.knows("accept_the_blade")]
    if not knights:
        return target
    would_fall = s.health[target, at] <= damage
    taker = target.copy()
    asked = np.zeros(len(at), dtype=bool)  # only the first such warrior tries
    for hero in knights:
        able = (s.health[hero, at] > damage) & (s.paralysed[hero, at] == 0) & ~s.accepted[hero, at]
        tries = would_fall & ~asked & able & (target != hero)
        if not tries.any():
            continue
        asked |= tries
        trying = at[tries]
        s.accepted[hero, trying] = True
        s.ledger.uses[s.ability(hero, "accept_the_blade"), trying] += 1
        die = roll(s, hero, QUICK, s.facts.heroes[hero].quick, "OU-F5", trying, m, ENEMIES + group)
        takes = die > value[tries]
        s.ledger.hits[s.ability(hero, "accept_the_blade"), trying] += takes
        taker[np.flatnonzero(tries)[takes]] = hero
        if s.tell:
            s.tell("OU-F5", hero, "takes the blow" if takes[0] else "is too slow to take the blow", trying, roll=die)
    return taker


def touch(s: State, group: int, hero: Whole, at: Lanes, m: int) -> None:
    """OU-D6, OU-D7, OU-D8, OU-D9: a vigor check of difficulty 3, or paralysis for 1d4, or a smaller vigor die."""
    kind = s.touch[group, at]
    actor = ENEMIES + group
    for code, rule in ((PARALYSIS, "OU-D7"), (DRAIN, "OU-D8")):
        of_kind = kind == code
        if not of_kind.any():
            continue
        who, where = hero[of_kind], at[of_kind]
        die = roll(s, who, VIGOR, s.vigor[who, where], rule, where, m, actor)
        failed = ~passes(die, TOUCH_DIFFICULTY, s.facts.switches["difficulty_check"])
        who, where = who[failed], where[failed]
        if not len(where):
            continue
        if code == PARALYSIS:
            length = s.luck.die(4, rule, s.round, actor, m + 2000, where)
            s.paralysed[who, where] = np.maximum(s.paralysed[who, where], length)
            s.stance[who, where] = NEUTRAL
            if s.tell:
                s.tell(rule, int(who[0]), "is paralysed", where, phases=s.paralysed[who, where])
        else:
            s.vigor[who, where] = step(s.vigor[who, where], -1)
            if s.tell:
                s.tell(rule, int(who[0]), "is drained", where, vigor=s.vigor[who, where])


def shield_bash(s: State, hero: int, group: Whole, at: Lanes) -> None:
    """OU-F6: a bare quick roll; a hit keeps one monster from attacking, no hit brings an attack at once."""
    row = s.ability(hero, "bash")
    s.ledger.uses[row, at] += 1
    die = roll(s, hero, QUICK, s.facts.heroes[hero].quick, "OU-F6", at)
    defence = weapon_defence(s, group, at, blunt=False)
    works = hit_count(die, defence, s.facts.switches["melee_threshold"]) > 0
    s.bashed[group[works], at[works]] += 1
    s.ledger.hits[row, at] += works
    if s.tell:
        s.tell("OU-F6", hero, "bashes with the shield" if works[0] else "bashes and leaves an opening", at, roll=die)
    missed = ~works
    for struck in np.unique(group[missed]):
        where = at[missed & (group == struck)]
        target = np.full(len(where), hero, dtype=np.int64)
        value = attack_value(s, int(struck), where)
        monster_attack(s, int(struck), target, where, value, BASHED_BACK + hero)
