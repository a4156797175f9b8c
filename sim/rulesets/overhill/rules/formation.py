"""Who stands in front and who in the rear as the fight begins.

Everybody stands then, so it is the same in all runs unless it is drawn. A hero with a guard of its own in the scenario
stands there, and the formation is made around it.
"""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Mask
from sim.rulesets.overhill.facts import Facts
from sim.rulesets.overhill.state import State

REAR_FIRST = ("magic_user", "rogue", "priest")


def form_up(s: State, formation: str) -> None:
    """OU-S6, OU-P1: the policy chooses each hero's guard, unless the scenario does."""
    chosen = fixed_formation(s.facts, formation)
    s.front[:] = random_formation(s) if chosen is None else chosen[:, None]


def fixed_formation(facts: Facts, formation: str) -> Mask | None:
    """(heroes,). OU-S6: who stands in front; None where that is drawn anew in every run."""
    if formation == "random":
        return None
    return standard_formation(facts) if formation == "standard" else casters_rear(facts)


def standard_formation(facts: Facts) -> Mask:
    """(heroes,). OU-S6, OU-P2: who stands in front when everybody with a rear attack goes to the rear who may."""
    return _send_back(facts, REAR_FIRST)


def casters_rear(facts: Facts) -> Mask:
    """(heroes,). OU-S6: only magic users go to the rear."""
    return _send_back(facts, ("magic_user",))


def _send_back(facts: Facts, classes: tuple[str, ...]) -> Mask:
    """(heroes,). OU-P2, OU-P3: class by class those who can attack from the rear go there while it has room."""
    front = np.array([hero.guard != "rear" for hero in facts.heroes])
    for hero_class in classes:
        for h, hero in enumerate(facts.heroes):
            free = hero.guard == "policy" and hero.hero_class == hero_class
            if free and hero.rear_attack and _fits(facts, front, h):
                front[h] = False
    return fit_front(facts, front[:, None])[:, 0]


def _fits(facts: Facts, front: Mask, h: int) -> bool:
    """OU-P2: whether hero h may go to the rear too."""
    weight = sum(hero.weight for i, hero in enumerate(facts.heroes) if front[i] and i != h)
    in_rear = int((~front).sum()) + 1
    return in_rear <= facts.room.capacity(weight)


def random_formation(s: State) -> Mask:
    """(heroes, runs). OU-S6: in roster order each hero goes to the rear by the toss of a coin, if legal."""
    facts = s.facts
    front = np.ones((s.heroes, s.size), dtype=bool)
    front[[hero.guard == "rear" for hero in facts.heroes]] = False
    for h, hero in enumerate(facts.heroes):
        if hero.guard != "policy":
            continue
        wants = s.luck.below(2, "formation", 0, h) == 1
        others = front.copy()
        others[h] = False
        weight = (others * facts.weight).sum(axis=0, dtype=np.int16)
        fits = (~front).sum(axis=0) + 1 <= s.rear_capacity(weight)
        front[h] = ~(wants & fits)
    return fit_front(facts, front)


def fit_front(facts: Facts, front: Mask) -> Mask:
    """(heroes, runs). OU-P3: while the front exceeds `front_max`, heroes move to the rear, warriors last.

    Those whom the scenario has put in front stay there.
    """
    front = front.copy()
    for hero_class in (*REAR_FIRST, "warrior"):
        for h, hero in enumerate(facts.heroes):
            if hero.hero_class == hero_class and hero.guard == "policy":
                front[h] &= front.sum(axis=0) <= facts.front_max
    return front
