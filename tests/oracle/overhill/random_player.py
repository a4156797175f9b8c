"""The player `random_legal`: anything legal, by lot."""

from __future__ import annotations

from tests.oracle.overhill.actions import Action
from tests.oracle.overhill.data import ATTRIBUTES, ITEMS, STANCES
from tests.oracle.overhill.hero_attacks import knows, may_shoot, melee_targets
from tests.oracle.overhill.hero_moves import may_move
from tests.oracle.overhill.magic import may_cast
from tests.oracle.overhill.prayers import may_pray, patients
from tests.oracle.overhill.state import Fight, Group, Hero, living_groups, standing_heroes

RANDOM_KINDS = ("melee", "sneak", "frenzy", "dual", "bash")


def random_stance(fight: Fight, hero: Hero) -> str:
    return STANCES[fight.luck.below(3, "stance", fight.round, hero.index)]


def random_choices(fight: Fight, hero: Hero) -> list[list[Action]]:
    """Every legal action, kind by kind; kinds without a choice are left out."""
    living = living_groups(fight)
    kinds: list[list[Action]] = []
    if hero.front:
        targets = melee_targets(fight)
        kinds += [[(kind, group) for group in targets] for kind in RANDOM_KINDS if knows(fight, hero, kind)]
    elif may_shoot(hero):
        kinds.append([("ranged", group) for group in living])
    if may_cast(fight, hero):
        kinds.append([("dart", group, push) for push in range(hero.level // 2 + 1) for group in living])
    if may_pray(hero):
        hurt = [patient for patient in patients(fight) if patient.health < patient.max_health]
        bumps = range(fight.rules.bump_max + 1)
        kinds.append([("heal", patient, bump) for patient in hurt for bump in bumps])
        kinds.append(
            [
                ("bless", friend, attribute)
                for friend in standing_heroes(fight)
                for attribute in ATTRIBUTES
                if attribute not in friend.blessed
            ]
        )
    kinds.append(item_choices(fight, hero, living))
    if may_move(fight, hero):
        kinds.append([("move",)])
    return [choices for choices in kinds if choices]


def item_choices(fight: Fight, hero: Hero, living: list[Group]) -> list[Action]:
    """Every useful item and target: a potion only below the maximum, the others always."""
    choices: list[Action] = []
    for item in ITEMS:
        if hero.items.get(item, 0) == 0:
            continue
        if item in ("smoke_flask", "acid_flask"):
            choices += [("item", item, group) for group in living]
        elif item != "healing_potion" or hero.health < hero.max_health:
            choices.append(("item", item, None))
    return choices


def random_action(fight: Fight, hero: Hero) -> Action:
    kinds = random_choices(fight, hero)
    if not kinds:
        return ("pass",)
    choices = kinds[fight.luck.below(len(kinds), "kind", fight.round, hero.index)]
    return choices[fight.luck.below(len(choices), "choice", fight.round, hero.index)]
