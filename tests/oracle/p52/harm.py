"""Damage, death, healing, pushing and traps (7.4, P52-U13, P52-E17 to E19)."""

from __future__ import annotations

from .state import Enemy, Fight, Hero


def go_down(fight: Fight, unit: Hero | Enemy) -> None:
    unit.counts.downs += 1
    if unit.counts.down_round < 0:
        unit.counts.down_round = fight.rounds_before + fight.round


def hurt_hero(fight: Fight, hero: Hero, amount: int, by: Enemy | None = None) -> None:
    """P52-C20, P52-C21."""
    if amount <= 0:
        return
    before = hero.hp
    hero.hp -= amount
    hero.counts.damage_taken += amount
    if before > 0 and hero.hp <= 0:
        go_down(fight, hero)
        hero.counts.stuns += hero.hp == 0
    if hero.hp < 0:
        die(fight, hero)
        if by is not None:
            by.counts.kills += 1


def die(fight: Fight, hero: Hero) -> None:
    """P52-C21, P52-E5: no more actions, no target; the memory of it as an attacker is gone."""
    if fight.trace is not None:
        fight.tell("hero", hero.number, "dies")
    hero.counts.deaths += 1
    hero.clear()
    for enemy in fight.enemies:
        if enemy.last_attacker is hero:
            enemy.last_attacker = None


def heal_hero(hero: Hero, amount: int, by: Hero) -> None:
    """P52-C23: up to max_hp, never the dead."""
    gain = max(0, min(amount, hero.max_hp - hero.hp))
    hero.hp += gain
    by.counts.healing += gain


def heal_enemy(enemy: Enemy, amount: int) -> None:
    gain = max(0, min(amount, enemy.max_hp - enemy.hp))
    enemy.hp += gain
    enemy.counts.healing += gain


def return_to_life(hero: Hero, hp: int) -> None:
    """P52-C22: a dead hero comes back on its spot."""
    hero.hp = min(hp, hero.max_hp)


def hurt_enemy(fight: Fight, enemy: Enemy, amount: int, hero: Hero | None, ability: str) -> None:
    """Hit points off; `settle` decides afterwards whether that was the end."""
    if amount <= 0:
        return
    enemy.hp -= amount
    enemy.counts.damage_taken += amount
    if hero is not None:
        hero.counts.damage_dealt += amount
        hero.counts.ability(ability)[2] += amount


def finished(fight: Fight, enemy: Enemy) -> bool:
    """P52-C7: `enemy_death`."""
    return enemy.hp < 0 or (enemy.hp == 0 and fight.switches["enemy_death"] == "at_zero")


def settle(fight: Fight, enemy: Enemy, hero: Hero | None) -> None:
    """P52-C7, P52-E17, P52-E19: an enemy at its end is removed, or comes back."""
    if enemy.gone or not finished(fight, enemy):
        return
    if enemy.sheet.when_fallen == "reappears" and reappears(fight, enemy):
        return
    if enemy.sheet.when_fallen == "rises" and rises(fight, enemy):
        return
    if fight.trace is not None:
        fight.tell("enemy", enemy.number, "defeated")
    remove(fight, enemy, "defeated")
    if hero is not None:
        hero.counts.kills += 1
        hero.earned += enemy.sheet.xp
    if not enemy.sheet.boss and fight.flip() >= 11 and hero is not None:
        hero.counts.drops += 1


def remove(fight: Fight, enemy: Enemy, how: str) -> None:
    enemy.gone = how
    go_down(fight, enemy)


def reappears(fight: Fight, enemy: Enemy) -> bool:
    """P52-E17."""
    value, fall = fight.flip(), enemy.falls
    enemy.falls += 1
    if value >= 6:
        return False
    board = fight.board
    if value == 1:
        spots = [board.entrance] if board.exit is None else [board.entrance, board.exit]
        enemy.hp = max(1, enemy.max_hp // 4)
    else:
        spots = [spot for spot in range(len(board.spots)) if board.steps[enemy.spot][spot] <= 2]
        enemy.hp = max(1, enemy.max_hp // 8)
    away = [steps_to_nearest_hero(fight, spot) for spot in spots]
    best = [spot for spot, steps in zip(spots, away, strict=True) if steps == max(away)]
    enemy.spot = best[fight.lot(len(best), "P52-E17", enemy.actor, fall)]
    enemy.wade = None
    if fight.trace is not None:
        fight.tell("enemy returns at", board.spots[enemy.spot], "with", enemy.hp)
    return True


def rises(fight: Fight, enemy: Enemy) -> bool:
    """P52-E19."""
    value = fight.flip()
    if value > 6:
        return False
    enemy.hp = min(value, enemy.max_hp)
    return True


def steps_to_nearest_hero(fight: Fight, spot: int) -> int:
    return min((fight.board.steps[spot][hero.spot] for hero in fight.living()), default=0)


def freeze(unit: Hero | Enemy, turns: int) -> None:
    """P52-C24."""
    unit.lost_turns = max(unit.lost_turns, turns)


def push(fight: Fight, unit: Hero | Enemy, pusher: Hero | Enemy, players_choose: bool = False) -> bool:
    """P52-C26: one spot away from the pusher; False if there is none."""
    index = fight.pushes
    fight.pushes += 1
    board = fight.board
    steps = board.steps[pusher.spot]
    spots = [spot for spot in board.next_to[unit.spot] if steps[spot] > steps[unit.spot]]
    if not spots:
        return False
    if players_choose and fight.switches["party_choice"] == "best_for_party":
        chosen = max(spots, key=lambda spot: (steps_to_nearest_hero(fight, spot), -spot))
    else:
        chosen = spots[fight.lot(len(spots), "P52-C26", pusher.actor, index)]
    unit.wade = None
    if isinstance(unit, Hero):
        enter(fight, unit, chosen)
        pick_up_knife(unit)
    else:
        unit.spot = chosen
    return True


def enter(fight: Fight, hero: Hero, spot: int) -> None:
    """P52-U13: every entry meets the trap."""
    hero.spot = spot
    if fight.board.trap[spot] and fight.flip() < 13 - (hero.sheet.balance + hero.sheet.move):
        if fight.trace is not None:
            fight.tell("hero", hero.number, "trapped")
        hurt_hero(fight, hero, 2)
        fight.check_end()


def pick_up_knife(hero: Hero) -> None:
    """P52-H10: where a move, charge or push ends."""
    if hero.hp >= 0 and hero.knife_at == hero.spot:
        hero.knife_at = None
