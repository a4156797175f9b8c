"""How each policy answers a hit (P52-Y3, P52-Y4, 10.2)."""

from __future__ import annotations

from .expect import best_defence, legal_defences
from .kit import Defence
from .state import Fight, Hero

SMART_DEFENDERS = ("guardian", "focus_fire")


def choose_defence(
    fight: Fight, hero: Hero, raw: int, kind: str, harder: int, index: int
) -> tuple[Defence | None, bool]:
    """The defence, and whether a stamina card goes with it; `index` counts the hits of this round."""
    policy = hero.sheet.policy
    if policy == "random_legal":
        return random_defence(fight, hero, kind, index)
    armour = hero.armour(kind)
    if policy == "sniper" and hero.aim >= 1 and 4 * (raw - armour) < hero.hp:
        return None, False
    stamina = bool(hero.stamina) and policy in SMART_DEFENDERS and 2 * (raw - armour) >= hero.hp
    defence = best_defence(hero, raw, kind, harder)
    return defence, stamina and defence is not None


def random_defence(fight: Fight, hero: Hero, kind: str, index: int) -> tuple[Defence | None, bool]:
    """P52-Y10."""
    found = legal_defences(hero, kind)
    if not found:
        return None, False
    chosen = found[fight.lot(len(found), "P52-Y10", hero.actor, 100 + 2 * index)]
    stamina = bool(hero.stamina) and fight.luck.below(4, "P52-Y10", fight.address, hero.actor, 101 + 2 * index) == 0
    return chosen, stamina
