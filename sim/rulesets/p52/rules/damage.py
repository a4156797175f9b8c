"""Damage, death, healing, pushes and traps, and the end of an encounter (sections 7.4 and 8)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import count, first, narrow, nth
from sim.core.lanes import Lanes, Mask, Whole, add, cut, each, keep, which
from sim.core.luck import ENEMIES
from sim.core.outcomes import Outcome
from sim.rulesets.p52.rules.cards import flip
from sim.rulesets.p52.state import DEFEATED, IN_HAND, NOWHERE, ROUTED, State

FROM_JACK = 11


# Player.


def hurt_hero(s: State, hero: int, at: Lanes, amount: NDArray[Any], by: Whole | None = None) -> None:
    """P52-C20, P52-C21: hit points off; exactly 0 stuns, less kills. `by` are the enemies who did it."""
    hurt = which(amount > 0)
    if len(hurt) < len(at):
        at, amount = at[hurt], amount[hurt]
        by = None if by is None else by[hurt]
    if not len(at):
        return
    before = s.hp[hero].take(at)
    after = (before - amount).astype(np.int16)
    s.hp[hero][at] = after
    s.ledger.damage_taken[hero][at] += amount
    down = after <= 0
    if not down.any():
        return
    fell = keep(at, down & (before > 0))
    if len(fell):
        s.ledger.fell(hero, fell, s.round)
        s.count("stuns", fell, s.hp[hero].take(fell) == 0)
        if s.tell:
            s.tell("P52-C20", hero, "is stunned" if s.hp[hero, fell[0]] == 0 else "falls", fell)
    dead = which(after < 0)
    if len(dead):
        die(s, hero, at[dead])
        if by is not None:
            killer = s.heroes + each(s.kind, by[dead], at[dead]).astype(np.int64)
            add(s.ledger.kills, killer, at[dead], 1)


def die(s: State, hero: int, at: Lanes) -> None:
    """P52-C21, P52-E5: no more actions and no target; enemies forget the hero as their last attacker."""
    s.count("deaths", at)
    s.alive[at] -= 1
    clear_hero(s, hero, at)
    last = cut(s.last, at)
    s.last[:, at] = np.where(last == hero, NOWHERE, last)
    if s.tell:
        s.tell("P52-C21", hero, "dies", at)


def clear_hero(s: State, hero: int, at: Lanes) -> None:
    """What death and a new encounter take away: aim, stance, frozen turns and wading."""
    for status in (s.aim, s.stance, s.lost):
        status[hero][at] = 0
    s.wade[hero][at] = NOWHERE


def return_to_life(s: State, hero: int, at: Lanes, hp: Any) -> None:
    """P52-C22: a dead hero comes back on its spot."""
    s.hp[hero][at] = np.minimum(hp, s.facts.kits[hero].facts.max_hp)
    s.alive[at] += 1
    if s.tell:
        s.tell("P52-C22", hero, "returns to life", at, hp=s.hp[hero][at])


def heal_hero(s: State, hero: int, at: Lanes, amount: Any, by: int) -> None:
    """P52-C23: up to the maximum, never the dead; ends the stun."""
    before = s.hp[hero].take(at)
    gain = np.maximum(0, np.minimum(amount, s.facts.kits[hero].facts.max_hp - before)) * (before >= 0)
    s.hp[hero][at] = before + gain
    s.ledger.healing[by][at] += gain.astype(np.int32)
    if s.tell:
        s.tell("P52-C23", hero, "is healed", at, healed=gain, hp=before + gain)


# Enemies.


def hurt_enemy(s: State, enemy: Any, at: Lanes, amount: NDArray[Any], hero: int, row: int | None) -> None:
    """Hit points off an enemy (one for all lanes, or one per lane); `settle` decides whether that was the end."""
    amount = np.maximum(amount, 0)
    add(s.foe_hp, enemy, at, -amount.astype(np.int16))
    amount = amount.astype(np.int32)
    add(s.ledger.damage_taken, s.heroes + each(s.kind, enemy, at).astype(np.int64), at, amount)
    s.ledger.damage_dealt[hero][at] += amount
    if row is not None:
        s.ledger.damage[row][at] += amount


def finished(s: State, enemy: Any, at: Lanes) -> Mask:
    """(lanes,). P52-C7: at its end by `enemy_death`."""
    return each(s.foe_hp, enemy, at) < (1 if s.facts.is_on("enemy_death", "at_zero") else 0)


def settle_each(s: State, enemy: Whole, at: Lanes, hero: int) -> None:
    """P52-C7: the same with one enemy per lane."""
    over = which(finished(s, enemy, at))
    if len(over):
        at, enemy = at[over], enemy[over]
        for slot in range(s.space.slots):
            settle(s, slot, keep(at, enemy == slot), hero)


def settle(s: State, enemy: int, at: Lanes, hero: int | Whole) -> None:
    """P52-C7, P52-X2: an enemy at its end is removed, or a boss comes back; then the flip for a drop.

    `hero` is who did the last damage: one for all lanes, or one per lane.
    """
    over = which(finished(s, enemy, at) & s.here(enemy, at))
    if not len(over):
        return
    at = at[over]
    by = np.full(len(at), hero, dtype=np.int64) if isinstance(hero, int) else hero[over]
    card = s.facts.types[s.space.types[enemy][0]].card
    if card in ("calico", "warlock"):
        from sim.rulesets.p52.rules.bosses import comes_back

        beaten = ~comes_back(s, enemy, card, at)
        at, by = at[beaten], by[beaten]
        if not len(at):
            return
    add(s.ledger.kills, by, at, 1)
    kind = s.kind[enemy].take(at)
    add(s.earned, by, at, s.facts.type_xp.take(kind))
    remove(s, enemy, at, DEFEATED)
    drops = keep(at, ~s.facts.type_boss.take(kind))
    if len(drops):
        value = flip(s, drops)
        s.count("drops", drops, value >= FROM_JACK)
        if s.tell:
            s.tell("P52-C7", "", "flips for a drop", drops, flip=value)


def remove(s: State, enemy: int, at: Lanes, how: int) -> None:
    """P52-C7: the enemy leaves the board."""
    s.gone[enemy][at] = how
    s.standing[at] -= 1
    unit = s.heroes + s.kind[enemy].take(at).astype(np.int64)
    s.ledger.fell(unit, at, s.round)
    if s.tell and len(at):
        s.tell("P52-C7", int(unit[0]), "is routed" if how == ROUTED else "is defeated", at)


def heal_enemy(s: State, enemy: int, at: Lanes, amount: Any, rule: str) -> None:
    """P52-E3, P52-E8b, P52-E12: never above the maximum."""
    before = s.foe_hp[enemy].take(at)
    kind = s.kind[enemy].take(at).astype(np.int64)
    gain = np.maximum(0, np.minimum(amount, s.facts.type_max_hp.take(kind) - before)).astype(np.int16)
    s.foe_hp[enemy][at] = before + gain
    add(s.ledger.healing, s.heroes + kind, at, gain)
    if s.tell and len(at):
        words = "recovers" if gain[0] else "rests, unhurt"
        s.tell(rule, int(s.heroes + kind[0]), words, at, healed=gain, hp=before + gain)


# The end.


def check_end(s: State, at: Lanes) -> None:
    """P52-T5, P52-X1, P52-I41: no enemy left is a win, no living hero a loss; both at once a win."""
    if not len(at):
        return
    nobody_left = s.standing.take(at) == 0
    none_alive = s.alive.take(at) == 0
    over = which((nobody_left | none_alive) & s.on.take(at))
    if not len(over):
        return
    ended = at[over]
    s.on[ended] = False
    s.outcome[ended] = np.where(nobody_left[over], Outcome.WIN, Outcome.LOSS)
    if s.tell:
        words = "No enemy is left: the party has won." if nobody_left[over][0] else "All heroes are dead."
        s.tell("P52-X1", "", words, ended)


# Forced movement.


def push_spot(
    s: State, where: NDArray[Any], away_from: NDArray[Any], actor: int | Whole, at: Lanes, players_choose: bool
) -> Whole:
    """P52-C26: (lanes,). The spot that a unit is pushed to, -1 if there is none; the push is counted."""
    ground = s.space.ground
    number = s.pushed.take(at)
    s.pushed[at] = number + 1
    where, away_from = where.astype(np.int64), away_from.astype(np.int64)
    now = ground.steps.take(ground.near(where, away_from))
    table = ground.steps.reshape(ground.size, ground.size)
    open_to = ground.board.adjacent.take(where, axis=1) & (table.take(away_from, axis=1) > now)  # (spots, lanes)
    if players_choose and s.facts.is_on("party_choice", "best_for_party"):
        return best_for_party(s, open_to, at)
    lot = s.luck.below(count(open_to), "P52-C26", s.when(at), actor, number.astype(np.int64), at)
    return nth(open_to, lot)


def best_for_party(s: State, open_to: Mask, at: Lanes) -> Whole:
    """P52-C26: the spot with most steps to the nearest hero, then the lowest number."""
    return first(narrow(open_to, steps_to_nearest(s, at), largest=True))


def steps_to_nearest(s: State, at: Lanes) -> NDArray[np.int16]:
    """(spots, lanes). Steps from every spot to the nearest living hero; 0 if there is none."""
    ground = s.space.ground
    table = ground.steps.reshape(ground.size, ground.size)
    living = s.living(at)
    least = np.full((ground.size, len(at)), 30_000, dtype=np.int16)
    for hero in range(s.heroes):
        steps = table.take(s.spot[hero].take(at), axis=1)
        least = np.minimum(least, np.where(living[hero], steps, 30_000)).astype(np.int16)
    return np.where(least == 30_000, 0, least).astype(np.int16)


def push_hero(s: State, hero: int, away_from: NDArray[Any], actor: Whole, at: Lanes) -> None:
    """P52-E12f, P52-C26: the hero is moved, meets a trap and finds its knife."""
    goal = push_spot(s, s.spot[hero].take(at), away_from, actor, at, players_choose=False)
    moved = which(goal >= 0)
    at, goal = at[moved], goal[moved]
    if not len(at):
        return
    s.spot[hero][at] = goal
    s.wade[hero][at] = NOWHERE
    if s.tell:
        s.tell("P52-C26", hero, f"is pushed to {s.space.ground.board.names[int(goal[0])]}", at)
    spring_traps(s, hero, at)
    find_knife(s, hero, at)


def push_enemy(s: State, enemy: int, away_from: NDArray[Any], actor: int, at: Lanes, players_choose: bool) -> Mask:
    """P52-C26: (lanes,). Moves the enemy where it can; says where it could."""
    goal = push_spot(s, s.foe_spot[enemy].take(at), away_from, actor, at, players_choose)
    moved = goal >= 0
    going = which(moved)
    s.foe_spot[enemy][at[going]] = goal[going]
    s.foe_wade[enemy][at[going]] = NOWHERE
    if s.tell and moved.any():
        unit = s.unit_of(enemy, at)
        s.tell("P52-C26", unit, f"is pushed to {s.space.ground.board.names[int(goal[moved][0])]}", at[moved])
    return moved


def spring_traps(s: State, hero: int, at: Lanes) -> None:
    """P52-U13: a hero who has entered a trap flips; 2 damage below 13 less Balance and Move."""
    ground = s.space.ground
    if not ground.any_trap:
        return
    caught = keep(at, ground.trap.take(s.spot[hero].take(at)))
    if not len(caught):
        return
    value = flip(s, caught)
    cores = s.facts.kits[hero].facts.cores
    hurt = value < 13 - (cores["Bc"] + cores["Mv"])
    if s.tell:
        s.tell("P52-U13", hero, "steps into a trap", caught, flip=value, damage=2 * hurt)
    hurt_hero(s, hero, caught, 2 * hurt)
    check_end(s, caught)


def find_knife(s: State, hero: int, at: Lanes) -> None:
    """P52-H10: a living hero picks up its thrown knife where it ends a move."""
    if s.facts.knives and s.facts.kits[hero].has_knife:
        lies_here = (s.knife_at[hero].take(at) == s.spot[hero].take(at)) & (s.hp[hero].take(at) >= 0)
        s.knife_at[hero][keep(at, lies_here)] = IN_HAND


def actor_of(enemy: NDArray[Any]) -> Whole:
    """The actor number of enemies."""
    return enemy.astype(np.int64) + ENEMIES
