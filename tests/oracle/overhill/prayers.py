"""Heal and Bless."""

from __future__ import annotations

from tests.oracle.overhill.damage import regain_health
from tests.oracle.overhill.dice import roll_attribute
from tests.oracle.overhill.state import Fight, Hero, standing_heroes, tell


def may_pray(hero: Hero) -> bool:
    """OU-Y1."""
    return hero.job == "priest" and not hero.lapsed


def prayer_works(fight: Fight, hero: Hero, prayer_level: int, risk: int) -> bool:
    """OU-Y1 to OU-Y3: the risk first, then the prayer level."""
    face = roll_attribute(fight, hero, "wise", "OU-Y1", hero.index)
    total = face + hero.level
    tempted = face if fight.rules.risk_roll == "natural" else total
    if tempted < risk:
        hero.lapsed = True
        hero.lapses += 1
        if fight.trace is not None:
            tell(fight, f"{hero.name} lapses")
        return False
    return total > prayer_level


def heal(fight: Fight, hero: Hero, patient: Hero, bumps: int) -> None:
    """OU-Y4."""
    if prayer_works(fight, hero, 3 + bumps, 1 + bumps):
        amount = sum(fight.luck.die(6, "OU-Y4", fight.round, hero.index, i) for i in range(1 + bumps))
        regain_health(fight, patient, amount)


def bless(fight: Fight, hero: Hero, friend: Hero, attribute: str) -> None:
    """OU-Y5."""
    if prayer_works(fight, hero, 3, 2):
        friend.blessed.add(attribute)
        if fight.trace is not None:
            tell(fight, f"{friend.name} is blessed on {attribute}")


def patients(fight: Fight) -> list[Hero]:
    """OU-Y4: who may be healed at all: standing heroes, with `heal_downed` = yes down ones too."""
    return fight.heroes if fight.rules.heal_downed == "yes" else standing_heroes(fight)
