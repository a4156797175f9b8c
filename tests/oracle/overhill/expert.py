"""The scripted player `focus_expert`."""

from __future__ import annotations

from tests.oracle.overhill.actions import Action
from tests.oracle.overhill.data import STANCES
from tests.oracle.overhill.enemy_attacks import attack_value
from tests.oracle.overhill.enemy_turns import legal_targets
from tests.oracle.overhill.odds import safe_push
from tests.oracle.overhill.policies import rear_hero_without_option, wants_to_fall_back
from tests.oracle.overhill.prayers import may_pray, patients
from tests.oracle.overhill.state import Fight, Hero, living_groups, standing_heroes
from tests.oracle.overhill.worth import ALL_KINDS, TIE, best_option, expected_loss, largest_damage, threat_values


def expert_push(fight: Fight, hero: Hero) -> int:
    if hero.job != "magic_user" or hero.health <= 2:
        return 0
    return safe_push(hero.smart, hero.level, fight.rules.push_ladder)


def expert_stance(fight: Fight, hero: Hero) -> str:
    """4 x the best EK x TV, less the share of all attacks on this hero."""
    worth = threat_values(fight)
    push = expert_push(fight, hero)
    shares = [
        (group, group.n / len(legal), attack_value(fight, group))
        for group in living_groups(fight)
        for legal in [legal_targets(fight, group)]
        if hero in legal
    ]
    best_stance, best_score = "", 0.0
    for stance in STANCES:
        _, value = best_option(fight, hero, ALL_KINDS, stance, push, worth)
        loss = sum(share * expected_loss(fight, hero, group, stance, attack) for group, share, attack in shares)
        score = 4 * value - loss
        if not best_stance or score > best_score + TIE:
            best_stance, best_score = stance, score
    return best_stance


def expert_action(fight: Fight, hero: Hero) -> Action:
    danger = largest_damage(fight)
    if hero.items.get("healing_potion", 0) > 0 and in_danger(hero, danger):
        return ("item", "healing_potion", None)
    if may_pray(hero):
        hurt = [patient for patient in patients(fight) if in_danger(patient, danger)]
        if hurt:
            patient = min(hurt, key=lambda patient: patient.health)
            bump = fight.rules.bump_max >= 1 and patient.max_health - patient.health >= 7
            return ("heal", patient, 1 if bump else 0)
    if hero.health <= danger and wants_to_fall_back(fight, hero):
        return ("move",)
    best, value = best_option(fight, hero, ALL_KINDS, hero.stance, expert_push(fight, hero), threat_values(fight))
    if best is not None and value > TIE:
        return best
    if may_pray(hero):
        for friend in standing_heroes(fight):
            if friend.front and friend.job == "warrior" and "vigor" not in friend.blessed:
                return ("bless", friend, "vigor")
    return best if best is not None else rear_hero_without_option(fight, hero)


def in_danger(hero: Hero, danger: int) -> bool:
    """One more hit may bring the hero down, and a healing die would not be wasted."""
    return hero.health <= danger and hero.max_health - hero.health >= 3
