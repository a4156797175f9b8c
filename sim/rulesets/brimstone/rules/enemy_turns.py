"""A group's activation: targets and moves of every behaviour (section 6)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board import Bits
from sim.core.choose import count, narrow, nth
from sim.core.lanes import Lanes, Mask, Tiny, Whole, columns, each, lookup, put
from sim.rulesets.brimstone.data import IMMOBILE, MELEE, MELEE_OR_RANGED, RANGED, SHOOTOUT
from sim.rulesets.brimstone.rules.enemy_attacks import MELEE_AIM, RANGED_AIM, attack_phase, to_hit
from sim.rulesets.brimstone.rules.enemy_moves import Range, cheapest_of, go, nearest_to, toward_closest
from sim.rulesets.brimstone.rules.models import model_name
from sim.rulesets.brimstone.rules.places import adjacent_heroes, by_lot, heroes_in_range, near_heroes
from sim.rulesets.brimstone.rules.saves import Hits, take_batch
from sim.rulesets.brimstone.state import GROUP, MODEL, State

FREE_SHOT_RANGE, FREE_SHOT_DICE, FREE_SHOT_NUMBER = 5, 2, 5
ROW_BITS = np.uint64(8)


class Group:
    """A group while it acts: which models, and how heroes and models were counted at the start (BF-E3)."""

    def __init__(self, s: State, kind: int, at: Lanes) -> None:
        self.kind = kind
        models = columns(s.alive, at) & (columns(s.kind, at) == kind)
        heroes = columns(s.standing, at).sum(axis=0, dtype=np.int16)
        self.even = np.zeros(s.size, dtype=bool)  # (runs,) targets are spread evenly
        spread = s.facts.switches["targeting_spread"]
        if spread == "seed":
            self.even[at] = heroes > models.sum(axis=0, dtype=np.int16)
        else:
            self.even[at] = spread == "always_even"
        self.aim: Tiny = np.zeros((s.slots, s.size), dtype=np.int8)


def activate_group(s: State, kind: int, at: Lanes) -> None:
    """BF-E1: phase A, every model keeps or picks a target and moves; phase B, all attack."""
    group = Group(s, kind, at)
    behaviour = int(s.facts.figure["behaviour"][s.facts.plot.bestiary.first[kind]])
    if s.tell:
        s.tell("BF-E1", s.facts.plot.kinds[kind].name, "act", at)
    drop_targets(s, group, behaviour, at)
    phase = {
        MELEE: melee,
        RANGED: ranged,
        MELEE_OR_RANGED: melee_or_ranged,
        SHOOTOUT: shootout,
        IMMOBILE: immobile,
    }[behaviour]
    acting = columns(s.alive, at) & (columns(s.kind, at) == kind)
    shots = s.kind_may(kind, "free_shot")
    if behaviour == MELEE and not shots:
        keeps = columns(s.target, at) >= 0  # BF-E5.1: they do not move, so their place in the order does not matter
        group.aim[:, at] = (acting & keeps) * np.int8(MELEE_AIM)
        acting &= ~keeps
    for slot, lanes in in_order_of_distance(s, kind, acting, at):
        going = s.live.take(lanes)
        slot, lanes = slot[going], lanes[going]
        if not len(lanes):
            continue
        phase(s, group, slot, lanes)
        if shots:
            free_shot(s, kind, slot, lanes)
    at = at[s.live.take(at)]
    attack_phase(s, kind, at, group.aim)


def in_order_of_distance(s: State, kind: int, acting: Mask, at: Lanes) -> list[tuple[Whole, Lanes]]:
    """BF-E2: the acting models of every lane, nearest to a hero first, ties by lot: (slot, lanes) per place."""
    number = acting.sum(axis=0, dtype=np.int16)
    most = int(number.max(initial=0))
    if most == 0:
        return []
    if most == 1:
        some = np.flatnonzero(number)
        return [(acting[:, some].argmax(axis=0), at[some])]
    rows = np.flatnonzero(acting.any(axis=1))
    some = np.flatnonzero(number)
    lanes = at[some]
    keys = np.full((len(rows), len(some)), np.uint64(0xFFFFFFFFFFFFFFFF))
    heroes, standing = columns(s.cell, lanes), columns(s.standing, lanes)
    for row, slot in enumerate(rows):
        acts = acting[slot][some]
        key = s.luck.bits("BF-E2", s.round, GROUP + kind, int(slot), lanes)
        key >>= np.uint64(22)
        key <<= ROW_BITS
        key |= np.uint64(row)
        if s.ground is not None:
            steps = lookup(s.ground.steps, heroes, s.spot[slot].take(lanes))
            near = np.where(standing, steps, 16_000).min(axis=0).astype(np.uint64)
            key |= near << np.uint64(50)
        keys[row, acts] = key[acts]
    keys.sort(axis=0)
    order = rows[(keys & np.uint64(255)).astype(np.int64) % len(rows)]
    places = []
    for place in range(most):
        there = np.flatnonzero(number[some] > place)
        places.append((order[place, there], lanes[there]))
    return places


def drop_targets(s: State, group: Group, behaviour: int, at: Lanes) -> None:
    """BF-E4, BF-E5.1: KO'd and no longer adjacent targets are dropped; some kinds drop every target."""
    targets = columns(s.target, at)
    mine = columns(s.kind, at) == group.kind
    everything = behaviour in (RANGED, SHOOTOUT, IMMOBILE)
    everything |= behaviour == MELEE and s.facts.is_on("melee_stickiness", "retarget_each_turn")
    if everything:
        targets = np.where(mine, np.int8(-1), targets)
    else:
        held = np.maximum(targets, 0).astype(np.int64)
        keep = each(s.standing, held, at)
        if s.ground is not None:
            keep &= lookup(s.ground.adjacent, each(s.cell, held, at), columns(s.spot, at))
        if s.kind_may(group.kind, "flight"):
            keep &= np.asarray(s.of_kind("flight", group.kind, at)) == 0
        targets = np.where(mine & ~keep, np.int8(-1), targets)
    s.target[:, at] = targets


def pick_target(s: State, group: Group, slot: Whole, at: Lanes, eligible: Mask) -> NDArray[np.int64]:
    """(lanes,). BF-E3: a hero at random among the eligible, of those with the fewest holders where spread evenly."""
    even = group.even.take(at)
    if even.any() and len(eligible) > 1:
        holders = np.zeros(eligible.shape, dtype=np.int8)
        mine = columns(s.alive, at) & (columns(s.kind, at) == group.kind)
        targets = np.where(mine, columns(s.target, at), np.int8(-1))
        for hero in range(s.heroes):
            holders[hero] = (targets == hero).sum(axis=0, dtype=np.int8)
        holders *= even
        eligible = narrow(eligible, holders)
    number = count(eligible)
    return nth(eligible, s.luck.below(number, "BF-E3", s.round, MODEL + slot, 0, at))


def take_aim(s: State, group: Group, slot: Whole, at: Lanes, target: NDArray[Any], aim: int) -> None:
    """The model will attack this hero in phase B; -1 for nobody."""
    put(s.target, slot, at, target)
    put(group.aim, slot, at, (target >= 0) * np.int8(aim))
    if s.tell and len(at) and target[0] >= 0:
        who = s.facts.plot.heroes[int(target[0])].name
        s.tell("BF-E3", model_name(s, slot, at), f"targets {who}", at)


# Behaviours.


def melee(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E5.1, BF-E5.2, BF-E5.3, BF-E5.4, BF-E13: keep the target, or choose one in reach and go round it."""
    held = each(s.target, slot, at) >= 0
    if held.any():
        put(group.aim, slot[held], at[held], MELEE_AIM)
        slot, at = slot[~held], at[~held]
        if not len(at):
            return
    if s.ground is None:
        take_aim(s, group, slot, at, pick_target(s, group, slot, at, columns(s.standing, at)), MELEE_AIM)
        return
    bits = s.ground.bits
    area = Range(s, group.kind, slot, at)
    beside = [s.ground.beside.take(s.cell[hero].take(at), axis=1) & area.landing for hero in range(s.heroes)]
    eligible = np.stack([bits.any(squares) for squares in beside]) & columns(s.standing, at)
    within = eligible.any(axis=0)
    target = pick_target(s, group, slot, at, eligible)
    squares = bits.none(len(at))
    for hero in range(s.heroes):
        squares |= beside[hero] & np.where(target == hero, ALL, NONE)
    squares = area.fill.farthest(squares)[0]
    if s.facts.is_on("party_choice", "best_for_party"):
        squares = fewest_heroes(s, at, squares)
    cell = by_lot(s, squares, "BF-E5.3", MODEL + slot, 0, at)
    moving = within
    if s.facts.is_on("reposition_when_adjacent", "off"):
        goal = each(s.cell, np.maximum(target, 0), at)
        moving = within & ~lookup(s.ground.adjacent, goal, area.spot)
    go(s, slot, at, cell, area, moving)
    take_aim(s, group, slot, at, np.where(within, target, -1), MELEE_AIM)
    toward_closest(s, slot, at, area, ~within)


def fewest_heroes(s: State, at: Lanes, squares: Bits) -> Bits:
    """(words, lanes). BF-E14: of the squares those next to the fewest standing heroes."""
    assert s.ground is not None
    bits = s.ground.bits
    more: list[Bits] = []
    for hero in range(s.heroes):
        carry = s.ground.beside.take(np.where(s.standing[hero].take(at), s.cell[hero].take(at), -1), axis=1)
        for level in more:
            both = level & carry
            level |= carry
            carry = both
        more.append(carry)
    left = squares
    for level in reversed(more):
        fewer = left & ~level
        left = np.where(bits.any(fewer), fewer, left)
    return left


ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
NONE = np.uint64(0)


def move_for_a_shot(s: State, group: Group, slot: Whole, at: Lanes, shy: bool) -> None:
    """BF-E6.2, BF-E7.2: the fewest steps to a square with a shot, nearest to a hero; else toward the closest hero.

    `shy` models use squares next to a hero only if no other gives a shot.
    """
    assert s.ground is not None
    if not len(at):
        return
    bits = s.ground.bits
    area = Range(s, group.kind, slot, at)
    shots = shot_squares(s, group.kind, at) & area.landing
    if shy:
        apart = shots & ~near_heroes(s, at)
        shots = np.where(bits.any(apart), apart, shots)
    found = bits.any(shots)
    squares = area.fill.nearest(shots)[0]
    away = s.ground.board.reach(columns(s.hero_bits, at)).nearest(squares)[0]
    squares = np.where(bits.any(away), away, squares)
    cell = by_lot(s, squares, "BF-E6.2", MODEL + slot, 0, at)
    go(s, slot, at, cell, area, found)
    toward_closest(s, slot, at, area, ~found)


def shot_squares(s: State, kind: int, at: Lanes) -> Bits:
    """(words, lanes). The squares from which some standing hero is in range of the kind's weapon."""
    assert s.ground is not None
    squares = s.ground.bits.none(len(at))
    for hero in range(s.heroes):
        squares |= squares_seeing(s, kind, hero, at)
    return squares


def squares_seeing(s: State, kind: int, hero: int, at: Lanes) -> Bits:
    """(words, lanes). The squares from which one standing hero is in range of the kind's weapon."""
    assert s.ground is not None
    reach = int(s.facts.figure["range"][s.facts.plot.bestiary.first[kind]])  # no Elite result changes a Range
    cell = np.where(s.standing[hero].take(at), s.cell[hero].take(at), -1)
    return s.ground.in_range(reach if reach else -1).take(cell, axis=1)


def weapon_sees(s: State, kind: int, slot: Whole, at: Lanes) -> Mask:
    """(heroes, lanes). Standing heroes in range of the model's weapon."""
    reach = int(s.facts.figure["range"][s.facts.plot.bestiary.first[kind]])
    if not reach:
        return np.zeros((s.heroes, len(at)), dtype=bool)
    return heroes_in_range(s, each(s.spot, slot, at), at, reach)


def shoot_somebody(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E6.3: at random an adjacent hero, else one in range; always a ranged attack."""
    if not len(at):
        return
    near = adjacent_heroes(s, each(s.spot, slot, at), at)
    seen = weapon_sees(s, group.kind, slot, at)
    eligible = np.where(near.any(axis=0), near, seen)
    take_aim(s, group, slot, at, pick_target(s, group, slot, at, eligible), RANGED_AIM)


def ranged(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E6.1 to BF-E6.3: stay with a hero in range, else move until there is one; shoot."""
    if s.ground is not None:
        blind = ~weapon_sees(s, group.kind, slot, at).any(axis=0)
        move_for_a_shot(s, group, slot[blind], at[blind], shy=False)
    sees = weapon_sees(s, group.kind, slot, at).any(axis=0)
    shoot_somebody(s, group, slot[sees], at[sees])


def melee_or_ranged(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E7.1, BF-E7.2, BF-E7.3, BF-E7.4: melee if somebody is adjacent, else a shot, keeping away where possible."""
    near = adjacent_heroes(s, each(s.spot, slot, at), at).any(axis=0)
    if s.ground is not None:
        blind = ~near & ~weapon_sees(s, group.kind, slot, at).any(axis=0)
        move_for_a_shot(s, group, slot[blind], at[blind], shy=True)
    adjacent = adjacent_heroes(s, each(s.spot, slot, at), at)
    near = adjacent.any(axis=0)
    held = each(s.target, slot, at) >= 0
    keeps = near & held
    put(group.aim, slot[keeps], at[keeps], MELEE_AIM)
    some = np.flatnonzero(near & ~held)
    if len(some):
        target = pick_target(s, group, slot[some], at[some], adjacent[:, some])
        take_aim(s, group, slot[some], at[some], target, MELEE_AIM)
    some = np.flatnonzero(~near)
    if len(some):
        seen = weapon_sees(s, group.kind, slot[some], at[some])
        take_aim(s, group, slot[some], at[some], pick_target(s, group, slot[some], at[some], seen), RANGED_AIM)


def immobile(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E12: shoots without moving; with Combat and no weapon it strikes an adjacent hero."""
    figure = s.facts.figure
    profile = s.facts.plot.bestiary.first[group.kind]
    if figure["range"][profile]:
        sees = weapon_sees(s, group.kind, slot, at).any(axis=0)
        shoot_somebody(s, group, slot[sees], at[sees])
    else:
        near = adjacent_heroes(s, each(s.spot, slot, at), at)
        take_aim(s, group, slot, at, pick_target(s, group, slot, at, near), MELEE_AIM)


def shootout(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E8.1, BF-E8.2: break away from adjacent heroes, then a shot at a hero with the fewest markers."""
    adjacent = adjacent_heroes(s, each(s.spot, slot, at), at)
    near = np.asarray(adjacent.any(axis=0))
    stuck = near.copy()
    if s.ground is not None and near.any():
        some = np.flatnonzero(near)
        die = s.luck.die(6, "BF-E8.1", s.round, MODEL + slot[some], 0, at[some])
        some = some[die >= 4]
        if len(some):
            area = Range(s, group.kind, slot[some], at[some], own_group=True)
            squares = area.fill.nearest(area.landing & ~near_heroes(s, at[some]))[0]
            free = s.ground.bits.any(squares)
            cell = by_lot(s, squares, "BF-E8.1", MODEL + slot[some], 1, at[some])
            go(s, slot[some], at[some], cell, area, free)
            stuck[some[free]] = False
    some = np.flatnonzero(stuck)
    if len(some):
        choice = adjacent[:, some]
        target = nth(choice, s.luck.below(count(choice), "BF-E8.2", s.round, MODEL + slot[some], 0, at[some]))
        take_aim(s, group, slot[some], at[some], target, MELEE_AIM)
    some = np.flatnonzero(~stuck)
    if len(some) and s.ground is not None:
        shoot_it_out(s, group, slot[some], at[some])


def shootout_markers(s: State, group: Group, at: Lanes) -> Tiny:
    """(heroes, lanes). BF-E8.3: models of the group that hold each hero as target of a ranged attack."""
    aiming = (columns(group.aim, at) == RANGED_AIM) & columns(s.alive, at)
    targets = np.where(aiming, columns(s.target, at), np.int8(-1))
    return np.stack([(targets == hero).sum(axis=0, dtype=np.int8) for hero in range(s.heroes)])


def shoot_it_out(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E8.3, BF-E8.4, BF-E8.5: a hero with the fewest markers; the fewest steps to a shot, apart from heroes."""
    assert s.ground is not None
    bits = s.ground.bits
    markers = shootout_markers(s, group, at)
    choice = narrow(columns(s.standing, at), markers)
    hero = nth(choice, s.luck.below(count(choice), "BF-E8.3", s.round, MODEL + slot, 0, at))
    area = Range(s, group.kind, slot, at, own_group=True)
    apart = area.landing & ~near_heroes(s, at)
    shots = bits.none(len(at))
    for number in range(s.heroes):
        shots |= squares_seeing(s, group.kind, number, at) & np.where(hero == number, ALL, NONE)
    squares = area.fill.nearest(apart & shots)[0]
    found = bits.any(squares)
    go(s, slot, at, by_lot(s, squares, "BF-E8.4", MODEL + slot, 0, at), area, found)
    take_aim(s, group, slot[found], at[found], hero[found], RANGED_AIM)
    some = np.flatnonzero(~found)
    if not len(some):
        return
    closer = nearest_to(s, each(s.cell, hero[some], at[some]), apart[:, some])
    closer = cheapest_of(area, closer, some)
    cell = np.zeros(len(at), dtype=np.int64)
    cell[some] = by_lot(s, closer, "BF-E8.5", MODEL + slot[some], 0, at[some])
    go(s, slot, at, cell, area, ~found & (cell >= 0))
    seen = narrow(weapon_sees(s, group.kind, slot[some], at[some]), markers[:, some])
    target = nth(seen, s.luck.below(count(seen), "BF-E8.5", s.round, MODEL + slot[some], 1, at[some]))
    take_aim(s, group, slot[some], at[some], target, RANGED_AIM)


def free_shot(s: State, kind: int, slot: Whole, at: Lanes) -> None:
    """Elite Drowned Dead, I45: at the end of its move two dice, D6 damage, at any hero within 5; a batch of its own."""
    able = np.broadcast_to(np.asarray(s.of_kind("free_shot", kind, at)) > 0, len(at))
    slot, at = slot[able], at[able]
    seen = heroes_in_range(s, each(s.spot, slot, at), at, FREE_SHOT_RANGE)
    target = nth(seen, s.luck.below(count(seen), "free_shot/target", s.round, MODEL + slot, 0, at))
    for row in np.unique(slot):
        some = np.flatnonzero((slot == row) & (target >= 0))
        lanes = at[some]
        needed = np.asarray(s.of_kind("th_ranged", kind, lanes))
        needed = needed + FREE_SHOT_NUMBER * (needed == 0)
        lane_parts, face_parts, who_parts = [], [], []
        for i in range(FREE_SHOT_DICE):
            face = to_hit(s, kind, int(row), lanes, i, "free_shot")
            hit = face >= needed
            lane_parts.append(lanes[hit])
            face_parts.append(face[hit])
            who_parts.append(target[some][hit])
        lane, face, who = np.concatenate(lane_parts), np.concatenate(face_parts), np.concatenate(who_parts)
        for hero in range(s.heroes):
            mine = np.flatnonzero(who == hero)
            if len(mine):
                n = len(mine)
                pierce = (face[mine] == 6) & (
                    np.broadcast_to(s.figure("six_pierces", s.profile[row].take(lane[mine])), n) > 0
                )
                no = np.zeros(n, dtype=bool)
                smash = (face[mine] == 6) & (s.figure("smash", s.profile[row].take(lane[mine])) > 0)
                hits = Hits(
                    lane[mine], np.zeros(n, np.int16), ~no, smash, no, pierce, np.zeros(n, np.int16), no
                )
                take_batch(s, hero, hits, "free_shot", int(row), kind)
