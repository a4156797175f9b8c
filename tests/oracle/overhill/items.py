"""Using items."""

from __future__ import annotations

from tests.oracle.overhill.damage import regain_health
from tests.oracle.overhill.state import Fight, Group, Hero, tell


def use_item(fight: Fight, hero: Hero, item: str, group: Group | None) -> None:
    """OU-A6: the item is used up and works."""
    hero.items[item] -= 1
    if fight.trace is not None:
        tell(fight, f"{hero.name} uses {item}")
    if item == "healing_potion":
        regain_health(fight, hero, fight.luck.die(6, "OU-A6", fight.round, hero.index))
    elif item == "war_tonic":
        hero.tonic += 1
    elif item == "stone_oil":
        hero.oil += 1
    elif item == "smoke_flask":
        group.attack_mod -= 1
    else:
        group.defence_mod -= 1
