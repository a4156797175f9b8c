"""What a hero can do with a turn (section 5): move, attack, aim, stance, items, other abilities, pass."""

from __future__ import annotations

from .attacks import ACE, enemy_attack, hero_attack, mark, usable_strike
from .bestiary import CONSUMABLES, HEALING_ITEMS, HEALS_PER_LEVEL
from .board import Way
from .build import meets
from .expect import in_reach
from .harm import (
    enter,
    finished,
    freeze,
    heal_hero,
    hurt_enemy,
    hurt_hero,
    pick_up_knife,
    push,
    remove,
    return_to_life,
    settle,
)
from .kit import HeroAttack
from .state import Enemy, Fight, Hero

# ---------------------------------------------------------------------------------------------------------------------
# Moving, aiming, stance, passing
# ---------------------------------------------------------------------------------------------------------------------


def set_down(hero: Hero, aim: bool = True, stance: bool = True) -> None:
    """What a new action ends: the aim, the stance, wading."""
    if aim:
        hero.aim = 0
    if stance:
        hero.stance = 0
    hero.wade = None


def walks_of(fight: Fight, hero: Hero, through: bool = False) -> dict[int, Way]:
    """P52-Y5: where the hero can walk this turn."""
    return fight.board.walks(hero.spot, hero.sheet.movement, fight.enemy_mask(), through, hero.wade)


def move(fight: Fight, hero: Hero, spot: int, walks: dict[int, Way]) -> None:
    """P52-H2, P52-H3, P52-U12, P52-U13."""
    set_down(hero)
    if walks[spot].cost > hero.sheet.movement:
        hero.wade = spot
        if fight.trace is not None:
            fight.tell("hero", hero.number, "wades to", fight.board.spots[spot])
        return
    path = fight.board.path(walks, hero.spot, spot)
    if fight.trace is not None:
        fight.tell("hero", hero.number, "walks", [fight.board.spots[step] for step in path])
    for number, step in enumerate(path):
        if number > 0 and passing_attacks(fight, hero):
            break
        enter(fight, hero, step)
        if fight.outcome or hero.hp < 0:
            break
    pick_up_knife(hero)


def passing_attacks(fight: Fight, hero: Hero) -> bool:
    """P52-H3: the enemies on the spot attack before the hero leaves it; True if it must stop."""
    here, stops = hero.spot, False
    for unit in fight.order:
        if not isinstance(unit, Enemy) or unit.gone or unit.frozen or unit.spot != here:
            continue
        strike = usable_strike(fight, unit, hero)
        if strike is None:
            continue
        blow = enemy_attack(fight, unit, strike, hero, passing=1)
        stops = stops or blow.king or blow.countered
        if fight.outcome or hero.hp < 0 or hero.spot != here:
            return True
    return stops or hero.lost_turns > 0


def aim(fight: Fight, hero: Hero, enemy: Enemy) -> None:
    """P52-H5."""
    set_down(hero, aim=False)
    if fight.sees(hero.spot, enemy.spot):
        hero.aim = min(3, hero.aim + 1) if hero.aim_at is enemy else 1
        hero.aim_at = enemy


def take_stance(hero: Hero) -> None:
    """P52-H6."""
    set_down(hero, stance=False)
    hero.stance = min(3, hero.stance + 1)


def pass_turn(fight: Fight, hero: Hero) -> None:
    """P52-H9."""
    set_down(hero)
    draw_stamina(fight, hero)


def draw_stamina(fight: Fight, hero: Hero) -> None:
    """P52-U4: one card if below the maximum."""
    if len(hero.stamina) < fight.switches["stamina_max"]:
        fight.deck.give(hero)


# ---------------------------------------------------------------------------------------------------------------------
# Attacks of one's own turn
# ---------------------------------------------------------------------------------------------------------------------


def attack(fight: Fight, hero: Hero, chosen: HeroAttack, enemy: Enemy, stamina: bool) -> int:
    """P52-H4; returns the damage done to the primary target."""
    set_down(hero, aim=False)
    return hero_attack(fight, hero, chosen, enemy, stamina)


def charge_to(fight: Fight, hero: Hero, enemy: Enemy) -> bool:
    """P52-I35: onto the enemy's spot, whatever lies between; True if the hero can then attack."""
    set_down(hero, aim=False)
    enter(fight, hero, enemy.spot)
    pick_up_knife(hero)
    return hero.hp > 0 and not fight.outcome


def may_tap(fight: Fight, hero: Hero, first: HeroAttack, enemy: Enemy, dealt: int) -> bool:
    """11.2, P52-I36: is Double Tap legal after this attack?"""
    if hero.kit.double_tap is None or dealt <= 0 or fight.outcome or enemy.gone or not enemy.weak:
        return False
    return hero.hp > 0 and hero.lost_turns == 0 and in_reach(fight.board, first, hero.spot, enemy.spot)


# ---------------------------------------------------------------------------------------------------------------------
# Items (P52-H7, 11.4)
# ---------------------------------------------------------------------------------------------------------------------


def usable(hero: Hero, item: str) -> bool:
    """In stock, and the requirement met."""
    sheet = hero.sheet
    cores = [sheet.lift, sheet.think, sheet.balance, sheet.move, sheet.lead]
    return hero.stock.get(item, 0) > 0 and meets(cores, CONSUMABLES[hero.kit.data_set][item])


def take_from_stock(hero: Hero, item: str) -> None:
    hero.stock[item] -= 1
    hero.counts.items_used += 1


def healing_of(giver: Hero, item: str, treated: Hero) -> int:
    """What a healing item gives: by the level of the hero treated; mountain: of the giver."""
    if item == "dragons_blood":
        return treated.max_hp
    level = giver.sheet.level if giver.kit.data_set == "mountain" else treated.sheet.level
    return HEALS_PER_LEVEL[item] * level


def healing_item(giver: Hero, treated: Hero) -> str | None:
    """P52-Y8: the weakest item that heals fully, else the strongest."""
    found = [item for item in HEALING_ITEMS if item in giver.stock and usable(giver, item)]
    wound = treated.max_hp - treated.hp
    return next((item for item in found if healing_of(giver, item, treated) >= wound), found[-1] if found else None)


def give_item(fight: Fight, giver: Hero, item: str, treated: Hero) -> None:
    """A potion for a hero on the same spot; Dragon's Blood also brings back the dead (P52-C22)."""
    set_down(giver)
    take_from_stock(giver, item)
    if fight.trace is not None:
        fight.tell("hero", giver.number, item, "for", treated.number)
    if treated.hp >= 0:
        heal_hero(treated, healing_of(giver, item, treated), giver)
    elif item == "dragons_blood":
        return_to_life(treated, 2 * treated.max_hp // 3)


def boost_stamina(fight: Fight, hero: Hero) -> None:
    """Stamina Boost: five cards, beyond the maximum."""
    set_down(hero)
    take_from_stock(hero, "stamina_boost")
    for _ in range(5):
        fight.deck.give(hero)


def throw_range(hero: Hero) -> int:
    """P52-H7."""
    far = hero.sheet.lift // 3 + 1
    return max(2, far) if hero.kit.data_set == "mountain" else far


def throw_elixir(fight: Fight, hero: Hero, item: str, spot: int) -> None:
    """11.4: fire burns, ice freezes, water hurts and pushes all enemies on the spot."""
    set_down(hero)
    take_from_stock(hero, item)
    hit = fight.enemies_at(spot)
    for enemy in hit:
        mark(hero, enemy, "")
    row = hero.counts.ability(item)
    row[0] += 1
    if fight.trace is not None:
        fight.tell("hero", hero.number, "throws", item, "at", fight.board.spots[spot])
    if item.endswith("ice_elixir"):
        row[1] += 1
        for enemy in hit:
            if hero.kit.data_set == "mountain":
                enemy.iced = True
            else:
                freeze(enemy, 2 if item.startswith("strong") else 1)
        return
    value = fight.flip()
    if item.endswith("fire_elixir") and value == ACE and hero.kit.data_set == "calico":
        hurt_hero(fight, hero, 2)
    else:
        row[1] += 1
        for enemy in hit:
            splash(fight, hero, item, enemy, value)
        if item.endswith("water_elixir"):
            for enemy in hit:
                if not enemy.gone:
                    push(fight, enemy, hero)
    for enemy in hit:
        enemy.iced = False
    fight.check_end()


def elixir_damage(hero: Hero, item: str, value: int) -> int:
    strong = item.startswith("strong")
    if item.endswith("water_elixir"):
        return hero.sheet.think * hero.sheet.move if strong else hero.sheet.think + hero.sheet.move
    if hero.kit.data_set == "mountain":
        return 5 + value
    return value if strong else max(1, value - 4)


def splash(fight: Fight, hero: Hero, item: str, enemy: Enemy, value: int) -> None:
    """One enemy under a fire or water elixir."""
    water = item.endswith("water_elixir")
    damage = elixir_damage(hero, item, value)
    modifier = enemy.sheet.ranged_defence
    if water and enemy.sheet.fears_water:  # P52-E18
        damage, modifier = damage * 3 // 2, -1
    tied = False
    if not enemy.frozen:
        defence = fight.flip()
        enemy.counts.defences += 1
        if defence > value + modifier:
            enemy.counts.defended += 1
            return
        tied = defence == value + modifier
    hurt_enemy(fight, enemy, damage // 2 if tied else damage, hero, item)
    if not water and not tied and hero.kit.data_set == "calico" and not finished(fight, enemy):
        enemy.burn = max(enemy.burn, 4 if item.startswith("strong") else 2)  # P52-C25
        enemy.burn_by, enemy.burn_item = hero, item
    settle(fight, enemy, hero)


# ---------------------------------------------------------------------------------------------------------------------
# Other abilities (P52-H8)
# ---------------------------------------------------------------------------------------------------------------------


def attempt(fight: Fight, hero: Hero, ability: str, target: int, stamina: bool) -> int | None:
    """The flip of a support ability; O, or None if it failed."""
    set_down(hero)
    total = (fight.deck.play(hero) if stamina else 0) + fight.flip()
    row = hero.counts.ability(ability)
    row[0] += 1
    if fight.trace is not None:
        fight.tell("hero", hero.number, ability, "total", total, "target", target)
    if total < target + (fight.switches["hero_hit"] == "greater"):
        return None
    row[1] += 1
    hero.earned += fight.switches["other_ability_xp"]
    return total - target


def heal(fight: Fight, hero: Hero, other: Hero) -> None:
    r = fight.board.range[hero.spot][other.spot]
    o = attempt(fight, hero, "heal", hero.kit.support_target("heal", r), stamina=False)
    if o is not None:
        heal_hero(other, hero.sheet.abilities["heal"] + o, hero)


def healing_glow(fight: Fight, hero: Hero, only_self: bool = False) -> None:
    o = attempt(fight, hero, "healing_glow", hero.kit.support_target("healing_glow"), stamina=False)
    if o is None:
        return
    amount = o if hero.kit.data_set == "mountain" else hero.sheet.abilities["healing_glow"] + o
    for other in [hero] if only_self else fight.living():
        heal_hero(other, amount, hero)


def revive(fight: Fight, hero: Hero, dead: Hero, stamina: bool) -> None:
    o = attempt(fight, hero, "revive", hero.kit.support_target("revive"), stamina)
    if o is not None:
        return_to_life(dead, max(1, o) if hero.kit.data_set == "mountain" else dead.max_hp // 4 + o)


def routable(fight: Fight, spot: int) -> list[Enemy]:
    """P52-E20: the enemies that Threaten would drive away from a spot."""
    bosses_too = fight.switches["boss_rout"] == "on"
    return [enemy for enemy in fight.enemies_at(spot) if bosses_too or not enemy.sheet.boss]


def threaten(fight: Fight, hero: Hero, spot: int, stamina: bool) -> None:
    scared = routable(fight, spot)
    r = fight.board.range[hero.spot][spot]
    target = hero.kit.support_target("threaten", r, len(scared))
    if attempt(fight, hero, "threaten", target, stamina) is not None:
        for enemy in scared:
            remove(fight, enemy, "routed")
        fight.check_end()
