"""One attack of a monster: its value, the defence, the damage, Accept the Blade, touches."""

from __future__ import annotations

from tests.oracle.overhill.addresses import ENEMIES, PARALYSIS_LENGTH
from tests.oracle.overhill.build import Rules, step
from tests.oracle.overhill.damage import lose_health
from tests.oracle.overhill.data import STANCE_ATTACK
from tests.oracle.overhill.dice import roll_attribute
from tests.oracle.overhill.state import Fight, Group, Hero, tell


def attack_value(fight: Fight, group: Group) -> int:
    """OU-E9, with the aura of the leaders of its family."""
    value = group.sheet.attack + group.attack_mod
    family = group.sheet.gets_aura
    if family and any(other.sheet.leader == family and other.n > 0 for other in fight.groups):
        value += 1
    return max(0, value)


def defence_attribute(rules: Rules, hero: Hero, group: Group) -> str:
    """OU-D1."""
    if rules.defense_die == "matching":
        return "vigor" if group.front else "quick"
    if rules.defense_die == "quick":
        return "quick"
    return "quick" if hero.quick > hero.vigor else "vigor"


def defence_bonus(fight: Fight, hero: Hero, stance: str) -> int:
    """OU-D2, OU-D5: what is added to a defence die."""
    position = -STANCE_ATTACK[stance] if hero.front else fight.rules.rear_shift
    return position + hero.oil + (hero.level if fight.rules.level_for_all else 0)


def is_dodged(total: int, attack: int, dodge_on_equal: bool) -> bool:
    """OU-D2."""
    return total > attack or (total == attack and dodge_on_equal)


def damage_of_hit(attack: int, total: int, monster_damage: str, dodge_on_equal: bool) -> int:
    """OU-D3."""
    if monster_damage == "one":
        return 1
    if monster_damage == "margin":
        return max(1, attack - total + (0 if dodge_on_equal else 1))
    return max(1, attack)


def helpless_damage(attack: int, monster_damage: str) -> int:
    """OU-D10, and D* of `focus_expert`: a hit without a defence roll."""
    return 1 if monster_damage == "one" else max(1, attack)


def monster_attack(fight: Fight, group: Group, hero: Hero, m: int) -> None:
    """OU-D1 to OU-D10: one attack on a hero, the defence, the damage, the touch."""
    rules = fight.rules
    attack = attack_value(fight, group)
    if hero.paralysed > 0 and rules.paralysed_defense == "none":
        damage = helpless_damage(attack, rules.monster_damage)
    else:
        attribute = defence_attribute(rules, hero, group)
        face = roll_attribute(fight, hero, attribute, "OU-D2", ENEMIES + group.index, m)
        total = face + defence_bonus(fight, hero, hero.stance)
        if is_dodged(total, attack, rules.dodge_on_equal):
            hero.dodged += 1
            if fight.trace is not None:
                tell(fight, f"{hero.name} dodges {group.sheet.name}")
            return
        damage = damage_of_hit(attack, total, rules.monster_damage, rules.dodge_on_equal)
    if damage >= hero.health:
        hero = accept_the_blade(fight, group, hero, attack, damage, m)
    if fight.trace is not None:
        tell(fight, f"{group.sheet.name} hits {hero.name}")
    lose_health(fight, hero, damage)
    if hero.health > 0 and group.sheet.touches:
        touch(fight, group, hero, m)


def accept_the_blade(fight: Fight, group: Group, victim: Hero, attack: int, damage: int, m: int) -> Hero:
    """OU-F5: who takes the hit in the end: the first warrior who can try, if the try works, else the victim."""
    for hero in fight.heroes:
        able = hero.health > damage and hero.paralysed == 0 and not hero.accepted
        if hero is not victim and "accept_the_blade" in hero.feats and able:
            hero.accepted = True
            face = roll_attribute(fight, hero, "quick", "OU-F5", ENEMIES + group.index, m)
            return hero if face > attack else victim
    return victim


def touch(fight: Fight, group: Group, hero: Hero, m: int) -> None:
    """OU-D6 to OU-D9: a vigor check of difficulty 3 against paralysis, and one against life drain."""
    actor = ENEMIES + group.index

    def fails(rule: str) -> bool:
        return roll_attribute(fight, hero, "vigor", rule, actor, m) < fight.rules.check_target

    if "paralysis" in group.sheet.touches and fails("OU-D7"):
        length = fight.luck.die(4, "OU-D7", fight.round, actor, m + PARALYSIS_LENGTH)
        hero.paralysed = max(hero.paralysed, length)
        hero.stance = "neutral"
        if fight.trace is not None:
            tell(fight, f"{hero.name} is paralysed: {hero.paralysed}")
    if "drain" in group.sheet.touches and fails("OU-D8"):
        hero.vigor = step(hero.vigor, -1)
        if fight.trace is not None:
            tell(fight, f"{hero.name} is drained to d{hero.vigor}")
