"""Aim, stance, healing, Threaten, Revive and items (sections 5 and 11.4)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Whole
from sim.rulesets.p52.attack_tables import MISS
from sim.rulesets.p52.bestiary import RANGED
from sim.rulesets.p52.rules.cards import ACE, card_and_flip, flip, give_card
from sim.rulesets.p52.rules.damage import (
    check_end,
    finished,
    heal_hero,
    hurt_enemy,
    hurt_hero,
    push_enemy,
    remove,
    return_to_life,
    settle,
)
from sim.rulesets.p52.state import NOWHERE, ROUTED, State, Support

HEALING = ("medicinal_herbs", "healing_potion", "reviving_potion", "dragons_blood")  # weakest first
BOOST = 5  # cards of a Stamina Boost


def set_down(s: State, hero: int, at: Lanes, aim: bool = True, stance: bool = True) -> None:
    """P52-H5, P52-H6, P52-U12: what a new action ends: aim, stance, wading."""
    if aim:
        s.aim[hero][at] = 0
    if stance:
        s.stance[hero][at] = 0
    s.wade[hero][at] = NOWHERE


def take_aim(s: State, hero: int, enemy: Whole, at: Lanes) -> None:
    """P52-H5: one more on the same enemy, up to 3; a new enemy begins at 1."""
    set_down(s, hero, at, aim=False)
    same = s.aim_at[hero].take(at) == enemy
    s.aim[hero][at] = np.where(same, np.minimum(s.aim[hero].take(at) + 1, 3), 1)
    s.aim_at[hero][at] = enemy
    if s.tell:
        s.tell("P52-H5", hero, "aims", at, aim=s.aim[hero].take(at))


def take_stance(s: State, hero: int, at: Lanes) -> None:
    """P52-H6: one more on every defence flip, up to 3."""
    set_down(s, hero, at, stance=False)
    s.stance[hero][at] = np.minimum(s.stance[hero].take(at) + 1, 3)
    if s.tell:
        s.tell("P52-H6", hero, "takes a defensive stance", at, stance=s.stance[hero].take(at))


# Abilities (P52-H8).


def attempt(
    s: State, hero: int, way: Support, param: Whole, at: Lanes, with_card: Mask | None = None
) -> NDArray[np.int64]:
    """P52-H8: (lanes,). The amount of a support ability, MISS where it failed. An Ace or King is an ordinary value."""
    set_down(s, hero, at)
    extra, value = card_and_flip(s, hero, at, with_card)
    totals = way.amount.shape[1]
    amount = way.amount.reshape(-1).take(param * totals + value + extra).astype(np.int64)
    success = amount != MISS
    s.ledger.uses[way.row][at] += 1
    s.ledger.hits[way.row][at] += success
    s.earned[hero][at] += success * s.facts.switches["other_ability_xp"]
    if s.tell:
        s.tell("P52-H8", hero, f"tries {way.name.replace('_', ' ')}", at, flip=value, card=extra, success=success)
    return amount


def heal(s: State, hero: int, friend: Whole, at: Lanes) -> None:
    """11.2 Heal: one living hero in sight."""
    way = s.facts.kits[hero].support["heal"]
    ground = s.space.ground
    distance = ground.hero_range.take(ground.near(s.spot[hero].take(at), s.spot[friend, at])).astype(np.int64)
    amount = attempt(s, hero, way, distance, at)
    for number in np.unique(friend).tolist():
        mine = (friend == number) & (amount != MISS)
        if mine.any():
            heal_hero(s, number, at[mine], amount[mine], hero)


def glow(s: State, hero: int, at: Lanes, alone: bool = False) -> None:
    """11.2 Healing Glow, P52-H11: every living hero; a stunned hero only itself."""
    way = s.facts.kits[hero].support["healing_glow"]
    amount = attempt(s, hero, way, np.zeros(len(at), dtype=np.int64), at)
    stunned = s.hp[hero].take(at) == 0
    for number in range(s.heroes):
        mine = (amount != MISS) & (s.hp[number].take(at) >= 0)
        if number != hero:
            mine &= ~stunned & (not alone)
        if mine.any():
            heal_hero(s, number, at[mine], amount[mine], hero)


def revive(s: State, hero: int, friend: Whole, at: Lanes, with_card: Mask | None) -> None:
    """11.2 Revive, P52-C22: a dead hero in sight returns."""
    for number in np.unique(friend).tolist():
        mine = np.flatnonzero(friend == number)
        lanes = at[mine]
        way = s.facts.kits[hero].support["revive"]
        param = np.full(len(lanes), number, dtype=np.int64)  # the amount depends on who is revived
        cards = None if with_card is None else with_card[mine]
        amount = attempt(s, hero, way, param, lanes, cards)
        back = amount != MISS
        if back.any():
            return_to_life(s, number, lanes[back], amount[back])


def routable(s: State, at: Lanes) -> Mask:
    """P52-E20: (slots, lanes). Enemies that Threaten works on."""
    there = s.standing_foes(at)[: s.space.slots]
    if s.facts.is_on("boss_rout"):
        return there
    kind = s.kind[: s.space.slots].take(at, axis=1).astype(np.int64)
    return there & ~s.facts.type_boss.take(kind)


def threaten(s: State, hero: int, spot: Whole, at: Lanes, with_card: Mask | None) -> None:
    """11.2 Threaten: all enemies on the spot but bosses are routed: no drop, no XP for defeating them."""
    way = s.facts.kits[hero].support["threaten"]
    hit = routable(s, at) & (s.foe_spot[: s.space.slots].take(at, axis=1) == spot)
    amount = attempt(s, hero, way, hit.sum(axis=0), at, with_card)
    for slot in range(s.space.slots):
        gone = at[hit[slot] & (amount != MISS)]
        if len(gone):
            s.count("routed", gone)
            remove(s, slot, gone, ROUTED)
    check_end(s, at)


# Items (P52-H7).


def healing_figures(s: State, hero: int, friend: int) -> list[tuple[int, int]]:
    """11.4: the healing items that a hero may use, weakest first: place in the stock, and what it gives to a friend."""
    kit = s.facts.kits[hero]
    mountain = s.facts.is_on("data_set", "mountain")
    level = kit.facts.level if mountain else s.facts.kits[friend].facts.level
    figures = []
    for name in HEALING:
        if name in kit.items and name in s.facts.stock_names:
            heals = kit.items[name]["heals"]
            amount = s.facts.kits[friend].facts.max_hp if heals == "all" else heals * level
            figures.append((s.facts.stock_names.index(name), amount))
    return figures


def has_healing(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). Whether the hero has a healing item that it may use."""
    has = np.zeros(len(at), dtype=bool)
    for place, _ in healing_figures(s, hero, hero):
        has |= s.stock[place, hero].take(at) > 0
    return has


def give_best(s: State, hero: int, friend: Whole, at: Lanes) -> None:
    """P52-Y8: the weakest item that heals fully, else the strongest."""
    for number in np.unique(friend).tolist():
        mine = friend == number
        lanes = at[mine]
        wound = s.facts.kits[number].facts.max_hp - s.hp[number].take(lanes)
        chosen = np.full(len(lanes), -1, dtype=np.int64)
        for place, amount in reversed(healing_figures(s, hero, number)):
            have = s.stock[place, hero].take(lanes) > 0
            chosen = np.where(have & ((chosen < 0) | (amount >= wound)), place, chosen)
        for place in np.unique(chosen[chosen >= 0]).tolist():
            give(s, hero, place, number, lanes[chosen == place])


def give_blood(s: State, hero: int, friend: Whole, at: Lanes) -> None:
    """P52-C22: Dragon's Blood for dead heroes on the same spot."""
    place = s.facts.stock_names.index("dragons_blood")
    for number in np.unique(friend).tolist():
        give(s, hero, place, number, at[friend == number])


def give(s: State, hero: int, place: int, friend: int, at: Lanes) -> None:
    """P52-H7, P52-I28: one healing item for a hero on the same spot; Dragon's Blood brings back the dead too."""
    set_down(s, hero, at)
    s.stock[place, hero][at] -= 1
    s.count("items_used", at)
    amount = dict(healing_figures(s, hero, friend))[place]
    if s.tell:
        s.tell("P52-H7", hero, f"uses {s.facts.stock_names[place].replace('_', ' ')}", at)
    dead = s.hp[friend].take(at) < 0
    if not dead.all():
        heal_hero(s, friend, at[~dead], amount, hero)
    if dead.any() and s.facts.stock_names[place] == "dragons_blood":
        return_to_life(s, friend, at[dead], 2 * s.facts.kits[friend].facts.max_hp // 3)


def boost(s: State, hero: int, at: Lanes) -> None:
    """11.4 Stamina Boost: five cards, beyond the maximum; not while more than the maximum are held."""
    set_down(s, hero, at)
    if s.tell:
        s.tell("P52-H7", hero, "drinks a stamina boost", at)
    s.stock[s.facts.stock_names.index("stamina_boost"), hero][at] -= 1
    s.count("items_used", at)
    for _ in range(BOOST):
        give_card(s, hero, at)


def throw(s: State, hero: int, name: str, spot: Whole, at: Lanes) -> None:
    """P52-H7, 11.4: an elixir on all enemies of a spot: fire burns, ice freezes, water hurts and pushes."""
    set_down(s, hero, at)
    item = s.facts.kits[hero].items[name]
    s.stock[s.facts.stock_names.index(name), hero][at] -= 1
    s.count("items_used", at)
    slots = s.space.slots
    hit = s.standing_foes(at)[:slots] & (s.foe_spot[:slots].take(at, axis=1) == spot)
    for slot in range(slots):
        lanes = at[hit[slot]]
        s.last[slot][lanes] = hero
        s.foes_met[hero][lanes] |= np.uint32(1 << slot)
    row = item["row"]
    s.ledger.uses[row][at] += 1
    if s.tell:
        s.tell("P52-H7", hero, f"throws {name.replace('_', ' ')}", at)
    if item["elixir"] == "ice":
        s.ledger.hits[row][at] += 1
        for slot in range(slots):
            lanes = at[hit[slot]]
            if item["freeze"] == "until attacked":
                s.iced[slot][lanes] = True
            else:
                s.frozen[slot][lanes] = np.maximum(s.frozen[slot].take(lanes), item["freeze"])
            if s.tell and len(lanes):
                s.tell("P52-E12", s.unit_of(slot, lanes), "freezes", lanes)
        return
    value = flip(s, at)
    spilt = (value == ACE) & (item["elixir"] == "fire") & s.facts.is_on("data_set", "calico")
    if spilt.any():
        if s.tell:
            s.tell("P52-H7", hero, "spills it", at[spilt], flip=value[spilt], damage=2)
        hurt_hero(s, hero, at[spilt], np.full(int(spilt.sum()), 2))
    landed = np.flatnonzero(~spilt)
    s.ledger.hits[row][at[landed]] += 1
    for slot in range(slots):
        some = landed[hit[slot, landed]]
        if len(some):
            drench(s, hero, item, slot, value[some], at[some])
    if item["elixir"] == "water":
        for slot in range(slots):
            some = landed[hit[slot, landed]]
            some = some[s.here(slot, at[some])]
            if len(some):
                push_enemy(s, slot, s.spot[hero].take(at[some]), hero, at[some], players_choose=False)
    if s.facts.ices:
        for slot in range(slots):
            s.iced[slot][at[hit[slot]]] = False
    check_end(s, at)


def drench(s: State, hero: int, item: dict[str, Any], slot: int, value: Whole, at: Lanes) -> None:
    """11.4, P52-E18: one enemy under a fire or water elixir; a tie halves, a full failure sets it alight."""
    damage = item["damages"].take(value).astype(np.int64)
    modifier = s.facts.type_defence[:, RANGED].take(s.kind[slot].take(at)).astype(np.int64)
    if item["elixir"] == "water" and s.facts.types[s.space.types[slot][0]].card == "calico":
        damage, modifier = damage * 3 // 2, np.full(len(at), -1, dtype=np.int64)
    awake = np.flatnonzero(~s.is_frozen(slot, at))
    tie = np.zeros(len(at), dtype=bool)
    saved = np.zeros(len(at), dtype=bool)
    if len(awake):
        answer = flip(s, at[awake])
        against = (value + modifier)[awake]
        saved[awake], tie[awake] = answer > against, answer == against
        s.count("enemy_defences", at[awake])
        s.count("enemy_defended", at[awake], answer > against)
    damage = np.where(tie, damage // 2, damage) * ~saved
    hurt_enemy(s, slot, at, damage, hero, item["row"])
    if s.tell:
        words = "defends fully" if saved[0] else "defends by half" if tie[0] else "is hit"
        s.tell("P52-H7", s.unit_of(slot, at), words, at, flip=value, damage=damage, hp=s.foe_hp[slot].take(at))
    if item.get("burn"):
        alight = at[~saved & ~tie & ~finished(s, slot, at)]
        s.burn[slot][alight] = np.maximum(s.burn[slot].take(alight), item["burn"])
        s.burner[slot][alight] = hero
        s.burn_row[slot][alight] = item["row"]
    settle(s, slot, at, hero)
