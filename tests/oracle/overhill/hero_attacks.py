"""Attacks with weapons, class abilities and feats."""

from __future__ import annotations

from tests.oracle.overhill.addresses import BASH_ATTACK
from tests.oracle.overhill.damage import remove_monsters
from tests.oracle.overhill.data import STANCE_ATTACK
from tests.oracle.overhill.dice import hit_count, roll_attribute
from tests.oracle.overhill.enemy_attacks import monster_attack
from tests.oracle.overhill.state import (
    Fight,
    Group,
    Hero,
    hero_front,
    hero_number,
    living_groups,
    monster_front,
    monster_number,
)


def attack_bonus(fight: Fight, hero: Hero, stance: str, level_bonus: int) -> int:
    """OU-A2: what is added to an attack die. `level_bonus` is what the ability grants under class_only."""
    position = STANCE_ATTACK[stance] if hero.front else -fight.rules.rear_shift
    level = hero.level if fight.rules.level_for_all else level_bonus
    return position + hero.tonic + level


def melee_level(hero: Hero, kind: str) -> int:
    """OU-A2, OU-C1, OU-C3, OU-F3, OU-F4: the level bonus of a melee attack of this kind."""
    if kind in ("sneak", "dual"):
        return hero.level // 2
    return hero.level if hero.job == "warrior" else 0


def melee_attribute(fight: Fight, hero: Hero) -> str:
    """OU-A3, OU-C2: vigor; quick for a rogue whose side has the greater number, if that die is larger."""
    if hero.job == "rogue" and hero.quick > hero.vigor and hero_number(fight) > monster_number(fight):
        return "quick"
    return "vigor"


def melee_targets(fight: Fight) -> list[Group]:
    """OU-A4: front groups; rear groups too if no front monster lives, or by `melee_reach` = outnumber."""
    living = living_groups(fight)
    front = [group for group in living if group.front]
    if not front:
        return living
    if fight.rules.melee_reach == "outnumber" and hero_front(fight) > monster_front(fight):
        return living
    return front


def strike(
    fight: Fight, hero: Hero, group: Group, attribute: str, level_bonus: int, index: int, disadvantage: bool = False
) -> None:
    """OU-A3: one melee attack, the `index`-th of the action."""
    face = roll_attribute(fight, hero, attribute, "OU-A3", hero.index, index, disadvantage)
    total = face + attack_bonus(fight, hero, hero.stance, level_bonus)
    hits = hit_count(total, group.defence_against(hero.melee_tag), fight.rules.hit_on_equal)
    remove_monsters(fight, hero, group, hits)


def opening_tag(fight: Fight, hero: Hero) -> str:
    """OU-C3, OU-F4: what the opening roll counts as; by `opening_defence` = weapon it is the weapon in the hand."""
    return hero.melee_tag if fight.rules.opening_defence == "weapon" else "opening"


def opening_hits(fight: Fight, hero: Hero, group: Group, tag: str, purpose: str) -> int:
    """OU-C3, OU-F4, OU-F6: the bare quick die against the group's defence."""
    face = roll_attribute(fight, hero, "quick", purpose, hero.index)
    return hit_count(face, group.defence_against(tag), fight.rules.hit_on_equal)


def melee(fight: Fight, hero: Hero, group: Group) -> None:
    """OU-A3."""
    strike(fight, hero, group, melee_attribute(fight, hero), melee_level(hero, "melee"), 0)


def sneak_attack(fight: Fight, hero: Hero, group: Group) -> None:
    """OU-C3."""
    attribute = melee_attribute(fight, hero)
    attacks = opening_hits(fight, hero, group, opening_tag(fight, hero), "OU-C3")
    strike_while_it_lasts(fight, hero, group, attribute, melee_level(hero, "sneak"), attacks)


def dual_wield(fight: Fight, hero: Hero, group: Group) -> None:
    """OU-F4."""
    attacks = opening_hits(fight, hero, group, opening_tag(fight, hero), "OU-F4")
    strike_while_it_lasts(fight, hero, group, "vigor", melee_level(hero, "dual"), attacks)


def strike_while_it_lasts(
    fight: Fight, hero: Hero, group: Group, attribute: str, level_bonus: int, attacks: int
) -> None:
    """OU-C3: attacks left when the group is empty are lost."""
    for index in range(attacks):
        if group.n == 0:
            return
        strike(fight, hero, group, attribute, level_bonus, index)


def frenzy(fight: Fight, hero: Hero, group: Group) -> None:
    """OU-F3: a second attack with disadvantage, on the first legal group if the chosen one is empty."""
    level_bonus = melee_level(hero, "frenzy")
    strike(fight, hero, group, "vigor", level_bonus, 0)
    if group.n == 0:
        targets = melee_targets(fight)
        if not targets:
            return
        group = targets[0]
    strike(fight, hero, group, "vigor", level_bonus, 1, disadvantage=True)


def shield_bash(fight: Fight, hero: Hero, group: Group) -> None:
    """OU-F6: a hit keeps one monster from attacking this round; a miss invites one extra attack at once.

    It is made with the shield, so the weapon never matters.
    """
    if opening_hits(fight, hero, group, "opening", "OU-F6") > 0:
        group.bashed += 1
    else:
        monster_attack(fight, group, hero, BASH_ATTACK + hero.index)


def ranged(fight: Fight, hero: Hero, group: Group) -> None:
    """OU-A5: quick, any living group; a blunt missile meets the blunt defence."""
    face = roll_attribute(fight, hero, "quick", "OU-A5", hero.index)
    total = face + attack_bonus(fight, hero, hero.stance, 0)
    hits = hit_count(total, group.defence_against(hero.ranged_tag), fight.rules.hit_on_equal)
    remove_monsters(fight, hero, group, hits)


def may_shoot(hero: Hero) -> bool:
    """OU-A5."""
    return not hero.front and hero.ranged_tag != "none"


def knows(fight: Fight, hero: Hero, kind: str) -> bool:
    """OU-C3, OU-C4, OU-F1: may this hero use this kind of melee action now?"""
    if kind == "melee":
        return True
    if kind == "sneak":
        return hero.job == "rogue" and (fight.rules.sneak_attack_use == "any_round" or fight.round == 1)
    if kind == "frenzy":
        return "frenzy" in hero.feats
    if kind == "dual":
        return "dual_wield" in hero.feats
    return "shield_bash" in hero.feats and hero.shield
