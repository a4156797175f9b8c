"""Enemy turns: the decision list, movement, special enemies and bosses (section 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .attacks import can_strike, enemy_attack, usable_strike
from .build import EnemyStrike
from .harm import heal_enemy, hurt_enemy, settle
from .state import Enemy, Fight, Hero


def smallest(candidates: list[Hero], key: Callable[[Hero], Any]) -> list[Hero]:
    """Those with the smallest key, in roster order."""
    least = min(key(hero) for hero in candidates)
    return [hero for hero in candidates if key(hero) == least]


def by_lot(fight: Fight, tied: list[Hero], purpose: str, enemy: Enemy, index: int = 0) -> Hero:
    return tied[fight.lot(len(tied), purpose, enemy.actor, index)]


# ---------------------------------------------------------------------------------------------------------------------
# The turn
# ---------------------------------------------------------------------------------------------------------------------


def enemy_turn(fight: Fight, enemy: Enemy) -> None:
    """P52-T3, then the first rule of 6.1 that applies."""
    if enemy.burn:
        burn(fight, enemy)
        if enemy.gone or fight.outcome:
            return
    if enemy.frozen:
        lose_turn(fight, enemy)
        return
    wading, enemy.wade = enemy.wade, None  # only a move turn goes on wading (P52-U12)
    if flees_or_recovers(fight, enemy, wading) or attacks(fight, enemy):
        return
    if not moves(fight, enemy, wading) and not fight.outcome:
        idle(fight, enemy)


def burn(fight: Fight, enemy: Enemy) -> None:
    """P52-C25."""
    damage, enemy.burn = enemy.burn, 0
    hurt_enemy(fight, enemy, damage, enemy.burn_by, enemy.burn_item)
    settle(fight, enemy, enemy.burn_by)
    fight.check_end()


def lose_turn(fight: Fight, enemy: Enemy) -> None:
    """P52-E12."""
    enemy.lost_turns = max(0, enemy.lost_turns - 1)
    enemy.wade = None
    if fight.switches["frozen_recovers"] == "on":
        heal_enemy(enemy, 1)


def flees_or_recovers(fight: Fight, enemy: Enemy, wading: int | None) -> bool:
    """P52-E2, P52-E3, and what the bosses do instead (P52-E14, E16, E19)."""
    if not enemy.weak or enemy.sheet.when_weak == "fights_on":
        return False
    if enemy.sheet.when_weak == "heals":
        heal_enemy(enemy, fight.flip())
        return True
    if enemy.sheet.when_weak == "flees_and_heals":
        flee(fight, enemy, wading)
        heal_enemy(enemy, fight.flip())
        return True
    if enemy.sheet.movement >= 1:
        limit = fight.switches["flee_limit"]
        if limit != "none" and enemy.fled >= limit:
            return False
        if flee(fight, enemy, wading):
            enemy.fled += 1
            return True
        if fight.switches["cornered_enemy"] == "fight":
            return False
    heal_enemy(enemy, 1)
    return True


def idle(fight: Fight, enemy: Enemy) -> None:
    """P52-E8b."""
    rest = fight.switches["idle_enemy"]
    if rest == "heal" or (rest == "random" and fight.lot(2, "P52-E8b", enemy.actor) == 0):
        heal_enemy(enemy, 1)


# ---------------------------------------------------------------------------------------------------------------------
# Attack
# ---------------------------------------------------------------------------------------------------------------------


def attacks(fight: Fight, enemy: Enemy) -> bool:
    """P52-E4: one attack, if any hero is attackable."""
    target = choose_target(fight, enemy)
    if target is None:
        return False
    target.k += 1
    strike = usable_strike(fight, enemy, target)
    assert strike is not None
    others = beside(fight, enemy, target) if strike.spreads else []
    blow = enemy_attack(fight, enemy, strike, target)
    spread(fight, enemy, strike, others)
    if enemy.sheet.twice and blow.damage == 0:  # P52-E12c
        able = not (fight.outcome or enemy.gone or enemy.frozen or target.hp < 0)
        strike = usable_strike(fight, enemy, target) if able else None
        if strike is not None:
            enemy_attack(fight, enemy, strike, target)
    return True


def choose_target(fight: Fight, enemy: Enemy) -> Hero | None:
    """P52-E6, P52-E7, P52-E12a: whom it attacks; None if nobody is attackable."""
    found = [hero for hero in fight.living() if usable_strike(fight, enemy, hero) is not None]
    if fight.switches["attack_choice"] == "ranged_first":
        shots = [strike for strike in enemy.sheet.strikes if strike.kind != "melee"]
        far = [hero for hero in found if any(can_strike(fight, enemy, shot, hero) for shot in shots)]
        found = far or found
    if not found:
        return None
    own_order = enemy.sheet.target_order
    if own_order is None and fight.switches["distribute_attacks"] == "on":
        return distributed_target(fight, enemy, found)
    reach = fight.board.range[enemy.spot]
    if (own_order or fight.switches["target_order"]) == "weakest":
        tied = smallest(found, lambda hero: (hero.hp, -hero.max_hp))
    elif enemy.last_attacker in found:
        return enemy.last_attacker
    else:
        tied = smallest(found, lambda hero: (reach[hero.spot], hero.hp, hero.sheet.lift))
    return by_lot(fight, tied, "P52-E6", enemy)


def distributed_target(fight: Fight, enemy: Enemy, found: list[Hero]) -> Hero:
    """P52-E7."""
    weakest = smallest(found, lambda hero: (hero.hp, -hero.max_hp, hero.k))
    fewest = min(hero.k for hero in found)
    if weakest[0].k == fewest:
        return by_lot(fight, weakest, "P52-E7", enemy)
    spared = [hero for hero in found if hero.k == fewest]
    reach = fight.board.range[enemy.spot]
    tied = smallest(spared, lambda hero: (reach[hero.spot], hero.hp, -hero.max_hp))
    return by_lot(fight, tied, "P52-E7", enemy, 1)


def beside(fight: Fight, enemy: Enemy, target: Hero) -> list[Hero]:
    """P52-E19, P52-U14: who else is struck; the hidden are spared unless the enemy stands with them."""
    board = fight.board
    return [
        hero for hero in fight.living()
        if hero is not target and board.steps[target.spot][hero.spot] <= 1
        and (not board.hidden[hero.spot] or hero.spot == enemy.spot)
    ]  # fmt: skip


def spread(fight: Fight, enemy: Enemy, strike: EnemyStrike, others: list[Hero]) -> None:
    """P52-E19: one flip for every hero beside the chosen one."""
    for hero in others:
        if fight.outcome or enemy.gone or enemy.frozen:
            return
        if hero.hp >= 0:
            enemy_attack(fight, enemy, strike, hero)


# ---------------------------------------------------------------------------------------------------------------------
# Movement
# ---------------------------------------------------------------------------------------------------------------------


def walk(fight: Fight, enemy: Enemy, spot: int, cost: int) -> None:
    """P52-E10: enter the spot, or wade towards it; moving readies the bow (P52-E12g)."""
    if cost > enemy.sheet.movement:
        enemy.wade = spot
        if fight.trace is not None:
            fight.tell("enemy", enemy.number, "wades to", fight.board.spots[spot])
    else:
        enemy.spot = spot
        if fight.trace is not None:
            fight.tell("enemy", enemy.number, "walks to", fight.board.spots[spot])
    enemy.bow_ready = True


def nearest_hero(fight: Fight, enemy: Enemy) -> Hero:
    """P52-E9."""
    steps = fight.board.steps[enemy.spot]
    tied = smallest(fight.living(), lambda hero: (steps[hero.spot], hero.hp, hero.sheet.lift))
    return by_lot(fight, tied, "P52-E9", enemy)


def flee_spots(fight: Fight, enemy: Enemy, wading: int | None) -> list[int]:
    """P52-E9: the flee spots farthest from the nearest hero, in spot order."""
    sheet, board = enemy.sheet, fight.board
    heroes = fight.living()
    nearest = nearest_hero(fight, enemy)
    walks = board.walks(enemy.spot, sheet.movement, fight.hero_mask(), False, wading, sheet.floats)
    taken = {hero.spot for hero in heroes}
    now = board.steps[enemy.spot]
    good = [
        spot for spot, way in walks.items()
        if way.cost <= sheet.movement
        and spot not in taken
        and board.steps[spot][nearest.spot] > now[nearest.spot]
        and all(board.steps[spot][hero.spot] >= now[hero.spot] for hero in heroes)
    ]  # fmt: skip
    farthest = max((board.steps[spot][nearest.spot] for spot in good), default=0)
    return [spot for spot in good if board.steps[spot][nearest.spot] == farthest]


def flee(fight: Fight, enemy: Enemy, wading: int | None) -> bool:
    """P52-E2: away from the nearest hero; the players choose among equals."""
    if enemy.sheet.movement < 1:
        return False
    spots = flee_spots(fight, enemy, wading)
    if not spots:
        return False
    if fight.switches["party_choice"] == "best_for_party":
        steps = fight.board.steps
        spot = min(spots, key=lambda s: (sum(steps[s][hero.spot] for hero in fight.living()), s))
    else:
        spot = spots[fight.lot(len(spots), "P52-E9", enemy.actor, 1)]
    walk(fight, enemy, spot, 1)
    return True


def moves(fight: Fight, enemy: Enemy, wading: int | None) -> bool:
    """P52-E8, P52-E12c, P52-E12d."""
    if enemy.sheet.retreats:
        steps = fight.board.steps[enemy.spot]
        if any(steps[hero.spot] <= 1 for hero in fight.living()):
            return flee(fight, enemy, wading)
    if enemy.sheet.beast is not None:
        return beast_and_advance(fight, enemy, wading)
    return enemy.sheet.movement >= 1 and advance(fight, enemy, hero_to_approach(fight, enemy), wading)


def hero_to_approach(fight: Fight, enemy: Enemy, index: int = 0) -> Hero:
    """P52-E8."""
    steps = fight.board.steps[enemy.spot]
    if fight.switches["move_order"] == "nearest_weakest":
        tied = smallest(fight.living(), lambda hero: (steps[hero.spot], hero.hp))
    elif enemy.last_attacker is not None:
        return enemy.last_attacker
    else:
        tied = smallest(fight.living(), lambda hero: (steps[hero.spot], hero.hp, hero.sheet.lift))
    return by_lot(fight, tied, "P52-E8", enemy, index)


def advance(fight: Fight, enemy: Enemy, hero: Hero, wading: int | None) -> bool:
    """P52-E10: towards one hero; False if no reachable spot is closer."""
    sheet, board = enemy.sheet, fight.board
    walks = board.walks(enemy.spot, sheet.movement, fight.hero_mask(), False, wading, sheet.floats)
    if fight.switches["enemy_advance"] == "stop_in_range":
        good = {s: way.cost for s, way in walks.items() if usable_strike(fight, enemy, hero, s, ready=True)}
        if good:
            cheapest = [spot for spot, cost in good.items() if cost == min(good.values())]
            spot = cheapest[fight.lot(len(cheapest), "P52-E10", enemy.actor)]
            walk(fight, enemy, spot, good[spot])
            return True
    to_go = (board.steps if sheet.floats else board.enemy_to_go)[hero.spot]
    left = {s: to_go[s] + (way.cost > sheet.movement) for s, way in walks.items()}
    least = min(left.values(), default=to_go[enemy.spot])
    if least >= to_go[enemy.spot]:
        return False
    closest = [spot for spot, cost in left.items() if cost == least]
    spot = closest[fight.lot(len(closest), "P52-E10", enemy.actor)]
    walk(fight, enemy, spot, walks[spot].cost)
    return True


# ---------------------------------------------------------------------------------------------------------------------
# The beast
# ---------------------------------------------------------------------------------------------------------------------


def beast_and_advance(fight: Fight, enemy: Enemy, wading: int | None) -> bool:
    """P52-E15 (b), (c): far away a beast attacks first; then its master comes nearer."""
    hero = hero_to_approach(fight, enemy)
    if fight.board.steps[enemy.spot][hero.spot] >= 6:
        send_beast(fight, enemy)
        if fight.outcome:
            return False
        if hero.hp < 0:
            hero = hero_to_approach(fight, enemy, 1)
    return enemy.sheet.movement >= 1 and advance(fight, enemy, hero, wading)


def send_beast(fight: Fight, enemy: Enemy) -> None:
    """P52-E15 (b): the healthiest hero, then the others within 1 step of it."""
    assert enemy.sheet.beast is not None
    heroes = fight.living()
    victim = by_lot(fight, smallest(heroes, lambda hero: -hero.hp), "P52-E15", enemy)
    victim.k += 1
    steps = fight.board.steps[victim.spot]
    others = [hero for hero in heroes if hero is not victim and steps[hero.spot] <= 1]
    others.sort(key=lambda hero: -hero.hp)
    for hero in [victim, *others]:
        enemy_attack(fight, enemy, enemy.sheet.beast, hero, beast=True)
        if fight.outcome:
            return
