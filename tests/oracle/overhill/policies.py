"""The scripted players: plain, aggressive, cautious, prudent."""

from __future__ import annotations

from tests.oracle.overhill.actions import Action
from tests.oracle.overhill.hero_attacks import knows, may_shoot, melee_targets
from tests.oracle.overhill.hero_moves import may_move
from tests.oracle.overhill.magic import may_cast
from tests.oracle.overhill.prayers import may_pray, patients
from tests.oracle.overhill.state import Fight, Hero, living_groups
from tests.oracle.overhill.worth import ALL_KINDS, best_option

CAUTIOUS_KINDS = ("melee", "sneak", "ranged", "dart")


def rear_hero_without_option(fight: Fight, hero: Hero) -> Action:
    """Moves to the front if legal, unless only a cast block stands in the way of a spell; else passes."""
    if hero.front:
        return ("pass",)
    only_blocked = hero.job == "magic_user" and hero.blocked_round == fight.round and not hero.silenced
    if not only_blocked and may_move(fight, hero):
        return ("move",)
    return ("pass",)


def plain_stance(fight: Fight, hero: Hero) -> str:
    return fight.prepared.stance


def plain_action(fight: Fight, hero: Hero) -> Action:
    if may_cast(fight, hero):
        return ("dart", living_groups(fight)[0], 0)
    if may_shoot(hero):
        return ("ranged", living_groups(fight)[0])
    if not hero.front:
        return ("pass",)
    kind = "melee"
    if fight.prepared.rogue_sneak and knows(fight, hero, "sneak"):
        kind = "sneak"
    elif fight.prepared.warrior_frenzy and knows(fight, hero, "frenzy"):
        kind = "frenzy"
    return (kind, melee_targets(fight)[0])


def aggressive_stance(fight: Fight, hero: Hero) -> str:
    return "aggressive"


def aggressive_action(fight: Fight, hero: Hero) -> Action:
    best, _ = best_option(fight, hero, ALL_KINDS, hero.stance, hero.level // 2)
    return best if best is not None else rear_hero_without_option(fight, hero)


def cautious_stance(fight: Fight, hero: Hero) -> str:
    return "defensive" if 2 * hero.health <= hero.max_health else "neutral"


def cautious_action(fight: Fight, hero: Hero) -> Action:
    badly_hurt = 3 * hero.health <= hero.max_health
    if badly_hurt and hero.items.get("healing_potion", 0) > 0:
        return ("item", "healing_potion", None)
    if may_pray(hero):
        hurt = [patient for patient in patients(fight) if 2 * patient.health <= patient.max_health]
        if hurt:
            return ("heal", min(hurt, key=lambda patient: patient.health / patient.max_health), 0)
    if badly_hurt and wants_to_fall_back(fight, hero):
        return ("move",)
    best, _ = best_option(fight, hero, CAUTIOUS_KINDS, hero.stance, 0)
    return best if best is not None else rear_hero_without_option(fight, hero)


def wants_to_fall_back(fight: Fight, hero: Hero) -> bool:
    """Rule 3 of `cautious` and `focus_expert`, but for the health."""
    return hero.job != "warrior" and hero.front and hero.has_rear_attack and may_move(fight, hero)
