"""What an option is worth to a policy."""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracle.overhill.actions import Action
from tests.oracle.overhill.enemy_attacks import attack_value, defence_attribute, defence_bonus, helpless_damage
from tests.oracle.overhill.enemy_turns import legal_targets
from tests.oracle.overhill.hero_attacks import (
    attack_bonus,
    knows,
    may_shoot,
    melee_attribute,
    melee_level,
    melee_targets,
    opening_tag,
)
from tests.oracle.overhill.magic import casting_dice, casting_successes, may_cast
from tests.oracle.overhill.odds import dart_kills, frenzy_kills, mean_loss_value, melee_kills, series_kills
from tests.oracle.overhill.state import Fight, Group, Hero, living_groups

TIE = 1e-12  # two values of a policy that differ by no more are equal


def expected_kills(fight: Fight, hero: Hero, kind: str, group: Group, stance: str, push: int) -> float:
    """EK: exact expected kills, at most n; no blessings, no mishap effects, no second target."""
    rules = fight.rules
    meet = rules.hit_on_equal
    if kind == "dart":
        bonus = attack_bonus(fight, hero, stance, 0)
        dice = casting_dice(hero.smart, push, rules.push_ladder)
        successes = casting_successes(dice, rules)
        same_roll = rules.dart_roll == "same_roll"
        return dart_kills(dice, successes, same_roll, bonus, group.defence_against("magic"), meet, group.n)
    if kind == "ranged":
        bonus = attack_bonus(fight, hero, stance, 0)
        return melee_kills(hero.quick, bonus, group.defence_against(hero.ranged_tag), meet, group.n)
    bonus = attack_bonus(fight, hero, stance, melee_level(hero, kind))
    defence = group.defence_against(hero.melee_tag)
    die = getattr(hero, melee_attribute(fight, hero))
    if kind == "melee":
        return melee_kills(die, bonus, defence, meet, group.n)
    if kind == "frenzy":
        return frenzy_kills(die, bonus, defence, meet, group.n)
    return series_kills(hero.quick, group.defence_against(opening_tag(fight, hero)), die, bonus, defence, meet, group.n)


def expected_loss(fight: Fight, hero: Hero, group: Group, stance: str, attack: int) -> float:
    """e(h, g, s): health lost to one attack, `attack` being the group's attack value now."""
    rules = fight.rules
    die = getattr(hero, defence_attribute(rules, hero, group))
    bonus = defence_bonus(fight, hero, stance)
    return mean_loss_value(die, bonus, attack, rules.monster_damage, rules.dodge_on_equal)


MELEE_KINDS = ("melee", "sneak", "frenzy", "dual")
ALL_KINDS = (*MELEE_KINDS, "ranged", "dart")


def options(fight: Fight, hero: Hero, kinds: Sequence[str]) -> list[tuple[str, Group]]:
    """The legal attacks of a hero: kinds in the fixed order, groups in list order."""
    found: list[tuple[str, Group]] = []
    if hero.front:
        targets = melee_targets(fight)
        for kind in MELEE_KINDS:
            if kind in kinds and knows(fight, hero, kind):
                found += [(kind, group) for group in targets]
    elif may_shoot(hero):
        found += [("ranged", group) for group in living_groups(fight)]
    if may_cast(fight, hero):
        found += [("dart", group) for group in living_groups(fight)]
    return found


def best_option(
    fight: Fight,
    hero: Hero,
    kinds: Sequence[str],
    stance: str,
    push: int,
    worth: dict[int, float] | None = None,
) -> tuple[Action | None, float]:
    """Best by w: the largest EK x w; the earlier kind, then the earlier group among equals."""
    best: Action | None = None
    best_value = 0.0
    for kind, group in options(fight, hero, kinds):
        value = expected_kills(fight, hero, kind, group, stance, push)
        if worth is not None:
            value *= worth[group.index]
        if best is None or value > best_value + TIE:
            best = ("dart", group, push) if kind == "dart" else (kind, group)
            best_value = value
    return best, best_value


def threat_values(fight: Fight) -> dict[int, float]:
    """TV(g): the mean loss, in a neutral stance, of the heroes legal for g now."""
    values = {}
    for group in living_groups(fight):
        legal = legal_targets(fight, group)
        attack = attack_value(fight, group)
        values[group.index] = sum(expected_loss(fight, hero, group, "neutral", attack) for hero in legal) / len(legal)
    return values


def largest_damage(fight: Fight) -> int:
    """D*: the largest damage of one hit of any living group."""
    kind = fight.rules.monster_damage
    return max(helpless_damage(attack_value(fight, group), kind) for group in living_groups(fight))
