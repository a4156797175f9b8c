"""Dice of heroes, and hit counts."""

from __future__ import annotations

from tests.oracle.overhill.addresses import SECOND_DIE
from tests.oracle.overhill.state import Fight, Hero


def roll_attribute(
    fight: Fight,
    hero: Hero,
    attribute: str,
    purpose: str,
    actor: int,
    index: int = 0,
    disadvantage: bool = False,
) -> int:
    """OU-U8, OU-Y5: a die of a hero; a pending blessing on the attribute is used up and gives advantage."""
    sides = getattr(hero, attribute)
    first = fight.luck.die(sides, purpose, fight.round, actor, index)
    advantage = attribute in hero.blessed
    if advantage:
        hero.blessed.discard(attribute)
    if advantage == disadvantage:
        return first
    second = fight.luck.die(sides, purpose, fight.round, actor, index + SECOND_DIE)
    return max(first, second) if advantage else min(first, second)


def hit_count(total: int, defence: int, hit_on_equal: bool) -> int:
    """OU-A1: whole multiples of the defence reached; a total that only equals it needs `melee_threshold` = meet."""
    if total <= 0 or (total <= defence and not hit_on_equal):
        return 0
    return total // defence
