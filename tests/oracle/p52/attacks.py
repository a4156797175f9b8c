"""Both attack procedures, defences and counter attacks (7.1 to 7.3, 7.5)."""

from __future__ import annotations

from typing import NamedTuple

from .build import EnemyStrike
from .expect import (
    arrow_bonus,
    best_attack,
    caught,
    defence_modifier,
    victim_damage,
    victims,
)
from .harm import finished, freeze, hurt_enemy, hurt_hero, push, settle
from .kit import HeroAttack
from .policy_defence import choose_defence
from .state import Enemy, Fight, Hero

KING, ACE = 13, 1


class Blow(NamedTuple):
    """What an enemy's attack came to."""

    damage: int
    king: bool
    countered: bool


# ---------------------------------------------------------------------------------------------------------------------
# Heroes attack
# ---------------------------------------------------------------------------------------------------------------------


def mark(hero: Hero, enemy: Enemy, ability: str) -> None:
    """P52-E5, P52-X2, P52-X4: this hero has attacked this enemy."""
    enemy.last_attacker = hero
    if enemy.number not in hero.foes:
        hero.foes.add(enemy.number)
        hero.earned += 1
    if ability:
        hero.foes_by_ability.setdefault(ability, set()).add(enemy.number)


def spend(fight: Fight, hero: Hero, attack: HeroAttack, enemy: Enemy) -> int:
    """The arrow shot or the knife thrown; returns what the arrow adds to I (P52-I38: gone hit or miss)."""
    if attack.needs == "arrow":
        extra = arrow_bonus(fight, hero)
        if fight.switches["arrows"] == "tracked":
            if hero.sharp_arrows:
                hero.sharp_arrows -= 1
            else:
                hero.arrows -= 1
        return extra
    if attack.name == "knife_throw" and attack.needs == "knife":
        hero.knife_at = enemy.spot
    return 0


def hero_attack(
    fight: Fight, hero: Hero, attack: HeroAttack, enemy: Enemy, stamina: bool, depth: int = 0,
    like: HeroAttack | None = None,
) -> int:  # fmt: skip
    """P52-C1 to C7; returns the damage done to the primary target. `like` is the first attack of a Double Tap."""
    r = fight.board.range[hero.spot][enemy.spot]
    hit = victims(fight, attack, enemy)
    for other, _ in hit:
        mark(hero, other, attack.name)
    extra = spend(fight, hero, attack, enemy)
    if depth > 0 and attack.item == "stiletto_knife":
        extra += 1
    played = fight.deck.play(hero) if stamina else 0
    value = fight.flip()
    total = value + played + hero.aim_on(enemy)
    hero.aim = 0
    hero.counts.attacks += 1
    row = hero.counts.ability(attack.name)
    row[0] += 1
    if fight.trace is not None:
        fight.tell("hero", hero.number, attack.name, "on", enemy.number, "flip", value, "total", total)
    kind = like or attack
    if value == ACE:
        concealed = kind.kind != "melee" and r >= 1 and fight.board.hidden[hero.spot]
        if attack.name == "charge":
            hurt_hero(fight, hero, fight.flip())
        elif not concealed:
            counter_by_enemy(fight, enemy, hero, depth + 1)
        thaw(hit)
        fight.check_end()
        return 0
    target = attack.target(r, len(hit))
    if total < target + attack.margin:
        thaw(hit)
        return 0
    hero.counts.hits += 1
    row[1] += 1
    base = attack.damage(total - target, r, extra)
    in_area = caught(fight, attack, enemy, hero, hero.spot)
    dealt = 0
    for other, share in hit:
        lost = strike_victim(fight, hero, attack, kind, other, share, base, value, total)
        if other is enemy:
            dealt = lost
    for other, share in in_area:
        harm_friend(fight, hero, attack, other, share, base * 2 if value == KING else base)
    thaw(hit)
    fight.check_end()
    return dealt


def strike_victim(
    fight: Fight, hero: Hero, attack: HeroAttack, kind: HeroAttack, enemy: Enemy, share: int, base: int, value: int,
    total: int,
) -> int:  # fmt: skip
    """P52-C4, C5, C7: one enemy defends, suffers, is frozen or pushed, and perhaps falls; returns its loss."""
    bar = total + defence_modifier(enemy, kind)
    if enemy.frozen:
        tied = False
    else:
        defence = fight.flip()
        enemy.counts.defences += 1
        if defence > bar:
            enemy.counts.defended += 1
            return 0
        tied = defence == bar
    weak = attack.water and enemy.sheet.fears_water
    damage = victim_damage(attack, base, value, tied, share, weak)
    hurt_enemy(fight, enemy, damage, hero, attack.name)
    if not finished(fight, enemy):
        if attack.freeze:
            freeze(enemy, attack.freeze)
        elif attack.area == "wave" and not push(fight, enemy, hero, players_choose=True):
            hurt_enemy(fight, enemy, 2 * fight.average, hero, attack.name)  # P52-I39
            damage += 2 * fight.average
    settle(fight, enemy, hero)
    return damage


def harm_friend(fight: Fight, caster: Hero, attack: HeroAttack, hero: Hero, share: int, doubled: int) -> None:
    """P52-C6: a hero in the area is hit as by magic; Ice Storm freezes unless the defence succeeds."""
    raw = doubled // share if share else 0
    damage, success, _ = hit_hero(fight, hero, raw, "magic", None)
    if hero is not caster and damage > 0:
        caster.counts.friendly_damage += damage
        caster.earned -= 3
    if attack.freeze and not success and hero.hp >= 0:
        freeze(hero, attack.freeze)


def thaw(hit: list[tuple[Enemy, int]]) -> None:
    """The mountain's Ice Elixir lasts until an attack has been resolved."""
    for enemy, _ in hit:
        enemy.iced = False


def counter_by_hero(fight: Fight, hero: Hero, enemy: Enemy, depth: int) -> bool:
    """P52-C8, P52-C10: best_attack without stamina; True if one was made."""
    if fight.check_end() or depth > fight.switches["counter_depth"]:
        return False
    if hero.hp <= 0 or hero.lost_turns > 0 or enemy.gone:
        return False
    best = best_attack(fight, hero, enemy, hero.kit.counters)
    if best is None:
        return False
    hero_attack(fight, hero, best[0], enemy, stamina=False, depth=depth)
    return True


# ---------------------------------------------------------------------------------------------------------------------
# Enemies attack
# ---------------------------------------------------------------------------------------------------------------------


def can_strike(
    fight: Fight, enemy: Enemy, strike: EnemyStrike, hero: Hero, spot: int | None = None, ready: bool = False
) -> bool:
    """P52-E4: is the hero attackable by this attack, from `spot` and perhaps with the bow counted as ready?"""
    here = enemy.spot if spot is None else spot
    r = fight.board.range[here][hero.spot]
    if not strike.least <= r <= strike.most or (strike.is_bow and not (enemy.bow_ready or ready)):
        return False
    if r == 0:
        return True
    return not fight.board.hidden[hero.spot] and (not strike.needs_sight or fight.board.sight[here][hero.spot])


def usable_strike(
    fight: Fight, enemy: Enemy, hero: Hero, spot: int | None = None, ready: bool = False
) -> EnemyStrike | None:
    """P52-E12a: the ranged attack if it is available at this R, else the melee one."""
    for strike in enemy.sheet.strikes:
        if can_strike(fight, enemy, strike, hero, spot, ready):
            return strike
    return None


def counter_by_enemy(fight: Fight, enemy: Enemy, hero: Hero, depth: int) -> None:
    """P52-C2, P52-C8."""
    if depth > fight.switches["counter_depth"] or enemy.gone or enemy.frozen or hero.hp < 0:
        return
    strike = usable_strike(fight, enemy, hero)
    if strike is not None:
        enemy_attack(fight, enemy, strike, hero, depth)


def enemy_attack(
    fight: Fight, enemy: Enemy, strike: EnemyStrike, hero: Hero, depth: int = 0, passing: int = 0,
    beast: bool = False,
) -> Blow:  # fmt: skip
    """P52-C9 to C14. A cave beast is never countered and is harder to defend against (P52-E15)."""
    switches, average = fight.switches, fight.average
    r = fight.board.range[enemy.spot][hero.spot]
    may_counter = not beast and not (strike.kind != "melee" and r >= 1 and fight.board.hidden[enemy.spot])
    if strike.is_bow:
        enemy.bow_ready = False
    value = fight.flip()
    bonus = switches["enemy_level_bonus"]
    total = value + (average // bonus if bonus else 0)
    enemy.counts.attacks += 1
    row = enemy.counts.ability(strike.name)
    row[0] += 1
    if fight.trace is not None:
        fight.tell("enemy", enemy.number, strike.name, "on", hero.number, "flip", value)
    if value == ACE:
        countered = may_counter and counter_by_hero(fight, hero, enemy, depth + 1)
        return Blow(0, False, countered)
    target = fight.prepared.bounded(strike.target(average, r, 0) + passing)
    if total < target or (total == target and switches["enemy_hit"] == "greater"):
        return Blow(0, value == KING, False)
    enemy.counts.hits += 1
    row[1] += 1
    raw = max(0, strike.damage(average, r, total - target))
    late = False
    if value == KING:
        late = switches["king_stage"] == "after_defence"
        raw = raw if late else king_damage(fight, raw)
    damage, success, grants = hit_hero(fight, hero, raw, strike.kind, enemy, late, 2 if beast else 0)
    enemy.counts.damage_dealt += damage
    row[2] += damage
    if hero.hp >= 0:
        if strike.freezes and not success:
            freeze(hero, 1)  # P52-E12e
        if strike.pushes:
            push(fight, hero, enemy)  # P52-E12f
    over = fight.check_end()
    countered = grants and may_counter and not over and counter_by_hero(fight, hero, enemy, depth + 1)
    return Blow(damage, value == KING, countered)


def king_damage(fight: Fight, damage: int) -> int:
    """P52-C12."""
    if fight.switches["enemy_king"] == "double":
        return damage * 2
    return damage + fight.prepared.king_extra


def hit_hero(
    fight: Fight, hero: Hero, raw: int, kind: str, by: Enemy | None, late_king: bool = False, harder: int = 0
) -> tuple[int, bool, bool]:
    """P52-C13 to C19: the hero defends or not; returns the damage, whether it defended, whether it may counter."""
    index = hero.hits_this_round
    hero.hits_this_round += 1
    defence, stamina = choose_defence(fight, hero, raw, kind, harder, index)
    armour = hero.armour(kind)
    success = grants = False
    loss = 0
    damage = max(0, raw - armour)
    if defence is None:
        hero.aim = max(0, hero.aim - 1) if fight.switches["aim_loss_on_hit"] == "one" else 0  # P52-H5
    else:
        hero.aim = 0  # P52-C19
        played = fight.deck.play(hero) if stamina else 0
        value = fight.flip()
        o = value + played + hero.stance - defence.target(harder)
        hero.counts.defences += 1
        row = hero.counts.ability(defence.name)
        row[0] += 1
        if o >= 0:
            success = True
            hero.counts.defended += 1
            row[1] += 1
            hero.earned += 1
            hero.parried[defence.name] = hero.parried.get(defence.name, 0) + 1
            shield = fight.flip() if defence.iron else 0
            loss = 2 if shield == ACE else 0
            damage = defence.taken(raw, o, armour, shield)
            grants = defence.grants_counter(o, value) or shield == KING
        if fight.trace is not None:
            fight.tell("hero", hero.number, defence.name, "flip", value, "O", o)
    if not success and fight.switches["stance_on_failed_defence"] == "reset":
        hero.stance = 0  # P52-H6
    if late_king:
        damage = king_damage(fight, damage)
    if fight.trace is not None:
        fight.tell("hero", hero.number, "raw", raw, "takes", damage + loss)
    hurt_hero(fight, hero, damage + loss, by)
    return damage, success, grants
