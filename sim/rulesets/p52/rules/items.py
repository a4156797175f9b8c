"""Potions, Dragon's Blood, the Stamina Boost and elixirs (P52-H7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.core.lanes import Lanes, Mask, Whole, columns, cut, keep, lookup, which
from sim.core.telling import Roll
from sim.rulesets.p52 import faces
from sim.rulesets.p52.bestiary import RANGED
from sim.rulesets.p52.kits import HEALING, UNTIL_ATTACKED, Item
from sim.rulesets.p52.names import called
from sim.rulesets.p52.rules.cards import ACE, flip, give_card
from sim.rulesets.p52.rules.damage import finished, heal_hero, hurt_enemy, hurt_hero, return_to_life, settle
from sim.rulesets.p52.rules.ending import check_end
from sim.rulesets.p52.rules.hero_attacks import DEFENDED, FULL, HALF, NONE, answer_of, defence_of
from sim.rulesets.p52.rules.hero_turns import set_down
from sim.rulesets.p52.rules.pushes import push_enemy
from sim.rulesets.p52.state import State

BOOST = 5  # cards of a Stamina Boost
SPILT = 2  # hit points that a spilt fire elixir costs


def has_item(s: State, hero: int, name: str, at: Lanes) -> Mask:
    """(lanes,). Whether one is left of an item that the hero may use."""
    return cut(s.stock[s.facts.kits[hero].items[name].place, hero], at) > 0


def use(s: State, hero: int, item: Item, at: Lanes) -> None:
    """P52-H7: an item is used up, and takes the turn."""
    set_down(s, hero, at)
    s.stock[item.place, hero][at] -= 1
    s.count("items_used", at)


# Healing.


def healing_figures(s: State, hero: int, friend: int, at: Lanes) -> list[tuple[Item, int | Whole]]:
    """P52-H7: the healing items that a hero may use, weakest first, and what each gives to a friend."""
    kit, treated = s.facts.kits[hero], s.facts.kits[friend].facts
    level = s.own(kit.facts.level if s.facts.is_on("data_set", "mountain") else treated.level, at)
    figures: list[tuple[Item, int | Whole]] = []
    for item in (kit.items[name] for name in HEALING if name in kit.items):
        figures.append((item, item.heals * level if isinstance(item.heals, int) else s.own(treated.max_hp, at)))
    return figures


def has_healing(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). Whether the hero has a healing item that it may use."""
    has = np.zeros(len(at), dtype=bool)
    for item, _ in healing_figures(s, hero, hero, at):
        has |= has_item(s, hero, item.name, at)
    return has


def give_best(s: State, hero: int, friend: Whole, at: Lanes) -> None:
    """P52-Y8: the weakest item that heals fully, else the strongest."""
    for number in np.unique(friend).tolist():
        giving = keep(at, friend == number)
        wound = s.own(s.facts.kits[number].facts.max_hp, giving) - cut(s.hp[number], giving)
        figures = healing_figures(s, hero, number, giving)
        chosen = np.full(len(giving), -1, dtype=np.int64)
        for place in range(len(figures) - 1, -1, -1):  # the strongest first
            item, amount = figures[place]
            have = has_item(s, hero, item.name, giving)
            chosen = np.where(have & ((chosen < 0) | (amount >= wound)), place, chosen)
        for place, (item, _) in sorted(enumerate(figures), key=lambda figure: figure[1][0].place):
            using = keep(giving, chosen == place)
            if len(using):
                give(s, hero, item, number, using)


def give_blood(s: State, hero: int, friend: Whole, at: Lanes) -> None:
    """P52-C22: Dragon's Blood for dead heroes on the same spot."""
    for number in np.unique(friend).tolist():
        give(s, hero, s.facts.kits[hero].items["dragons_blood"], number, keep(at, friend == number))


def give(s: State, hero: int, item: Item, friend: int, at: Lanes) -> None:
    """P52-H7, P52-I28: one healing item for a hero on the same spot; Dragon's Blood brings back the dead too."""
    use(s, hero, item, at)
    amount = next(amount for other, amount in healing_figures(s, hero, friend, at) if other is item)
    if s.tell:
        whom = None if friend == hero else friend
        s.tell.event("P52-H7", "uses", at, who=hero, whom=whom, item=called(item.name))
    dead = cut(s.hp[friend], at) < 0
    if not dead.all():
        heal_hero(s, friend, keep(at, ~dead), amount if isinstance(amount, int) else keep(amount, ~dead), hero)
    if dead.any() and item.name == "dragons_blood":
        back = keep(at, dead)
        return_to_life(s, friend, back, 2 * s.own(s.facts.kits[friend].facts.max_hp, back) // 3)


def boost(s: State, hero: int, at: Lanes) -> None:
    """P52-H7: five stamina cards, beyond the maximum; not while more than the maximum are held."""
    held = columns(s.cards[hero], at) if s.tell else None
    use(s, hero, s.facts.kits[hero].items["stamina_boost"], at)
    for _ in range(BOOST):
        give_card(s, hero, at)
    if s.tell and held is not None:
        s.tell.event("P52-H7", "is_boosted", at, who=hero, cards=cut(s.cards[hero], at) - held)


# Elixirs.


@dataclass(slots=True)
class Throw:
    """An elixir on its way, in the lanes in which it is thrown."""

    hero: int
    item: Item
    at: Lanes
    hit: Mask  # (slots, lanes) the enemies on the spot


def throw_first(s: State, hero: int, spot: Whole, at: Lanes) -> None:
    """P52-H7: the first elixir in table order that is left."""
    for item in s.facts.kits[hero].elixirs:
        has = has_item(s, hero, item.name, at)
        if has.any():
            throw(s, hero, item.name, keep(spot, has), keep(at, has))
        at, spot = keep(at, ~has), keep(spot, ~has)


def throw(s: State, hero: int, name: str, spot: Whole, at: Lanes) -> None:
    """P52-H7: an elixir on all enemies of a spot: fire burns, ice freezes, water hurts and pushes."""
    item = s.facts.kits[hero].items[name]
    use(s, hero, item, at)
    thrown = Throw(hero, item, at, s.standing_foes(at) & (s.foe_spots(at) == spot))
    for slot in range(s.space.slots):  # P52-E5, P52-X2
        attacked = keep(at, thrown.hit[slot])
        s.last[slot][attacked] = hero
        s.foes_met[hero][attacked] |= np.uint32(1 << slot)
    s.ledger.uses[item.row][at] += 1
    if s.tell:
        whom = faces.units(s, which(thrown.hit[:, 0]).tolist())
        s.tell.event("P52-H7", "throws", at, who=hero, whom=whom, item=called(name))
    if item.elixir == "ice":
        freeze(s, thrown)
    else:
        burst(s, thrown)


def freeze(s: State, thrown: Throw) -> None:
    """P52-H7, P52-E12: ice needs no flip; turns to lose, or none until the enemy is attacked."""
    until = thrown.item.freeze
    s.ledger.hits[thrown.item.row][thrown.at] += 1
    for slot in range(s.space.slots):
        frozen = keep(thrown.at, thrown.hit[slot])
        if until == UNTIL_ATTACKED:
            s.iced[slot][frozen] = True
        else:
            s.frozen[slot][frozen] = np.maximum(cut(s.frozen[slot], frozen), int(until))
        if s.tell and len(frozen):
            turns = 0 if until == UNTIL_ATTACKED else int(until)
            s.tell.event("P52-E12", "freezes", frozen, whom=s.unit_of(slot, frozen), turns=turns)


def burst(s: State, thrown: Throw) -> None:
    """P52-H7: fire and water: one flip for all, unless an Ace spills the fire; then every enemy defends."""
    hero, item, at = thrown.hero, thrown.item, thrown.at
    value = flip(s, at, "P52-H7", hero)
    rolls = [faces.flipped(s, purpose="for the elixir")] if s.tell else []
    spilt = (value == ACE) & (item.elixir == "fire") & s.facts.is_on("data_set", "calico")
    if spilt.any():
        spill(s, hero, keep(at, spilt), rolls)
    landed = ~spilt
    if s.tell:
        s.tell.event("P52-H7", "bursts", keep(at, landed), who=hero, rolls=rolls, item=item.elixir)
    s.ledger.hits[item.row][keep(at, landed)] += 1
    for slot in range(s.space.slots):
        some = which(thrown.hit[slot] & landed)
        if len(some):
            drench(s, hero, item, slot, value[some], at[some])
    if item.elixir == "water":
        for slot in range(s.space.slots):
            washed = keep(at, thrown.hit[slot] & landed & s.here(slot, at))
            if len(washed):
                push_enemy(s, slot, cut(s.spot[hero], washed), hero, washed, players_choose=False)
    if s.facts.ices:
        for slot in range(s.space.slots):
            s.iced[slot][keep(at, thrown.hit[slot])] = False
    check_end(s, at)


def spill(s: State, hero: int, at: Lanes, rolls: list[Roll]) -> None:
    """P52-H7: an Ace costs the thrower 2 hit points, and nothing else happens."""

    def told() -> None:
        assert s.tell is not None
        s.tell.event("P52-H7", "spills", at, who=hero, rolls=rolls, damage=SPILT, left=s.left(hero, at))

    hurt_hero(s, hero, at, np.full(len(at), SPILT), told=told if s.tell else None)


def drench(s: State, hero: int, item: Item, slot: int, value: Whole, at: Lanes) -> None:
    """P52-H7, P52-E18: one enemy under a fire or water elixir; a tie halves, a full failure sets it alight."""
    assert item.damages is not None
    damage = s.find(item.damages, at, value).astype(np.int64)
    kind = cut(s.kind[slot], at)
    modifier = s.find(s.facts.type_defence, at, kind, RANGED)
    if item.elixir == "water" and s.facts.watery:
        weak = lookup(s.facts.type_fears_water, kind)
        damage, modifier = np.where(weak, damage * 3 // 2, damage), np.where(weak, np.int8(-1), modifier)
    grade = defence_of(s, slot, value + modifier, at)
    answer = answer_of(s, slot, value + modifier, at) if s.tell else []
    damage = (damage >> (grade == HALF)) * (grade != NONE)
    hurt_enemy(s, slot, at, damage, hero, item.row)
    if s.tell:
        s.tell.event(
            "P52-H7", "area_hurts", at, who=hero, whom=s.unit_of(slot, at), rolls=answer, weapon=called(item.name),
            defended=DEFENDED[int(grade[0])], doubled=False, damage=damage, left=s.foe_left(slot, at),
        )  # fmt: skip
    if item.burn:
        alight = keep(at, (grade == FULL) & ~finished(s, slot, at))
        s.burn[slot][alight] = np.maximum(cut(s.burn[slot], alight), item.burn)
        s.burner[slot][alight] = hero
        s.burn_row[slot][alight] = item.row
        if s.tell and len(alight):
            s.tell.event("P52-C25", "catches_fire", alight, whom=s.unit_of(slot, alight))
    settle(s, slot, at, hero)
