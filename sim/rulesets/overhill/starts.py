"""Which key of a scenario file says in which guard somebody begins (OU-S4, OU-S6)."""

from __future__ import annotations

from sim.core.starts import Start
from sim.core.telling import Scene
from sim.rulesets.overhill.look import FRONT, REAR

GUARDS = {FRONT: "front", REAR: "rear"}
BY_VALUES = Start(
    why_not="Monsters take their guard by their values: in the rear if range is greater than melee, else in front."
)


def starts(opening: Scene) -> list[Start]:
    """By token: heroes are placed by their guard, groups of monsters by the rules."""
    heroes = sum(token.side == "party" for token in opening.tokens)
    placed = [Start(f"heroes[{hero}].guard", words=GUARDS) for hero in range(heroes)]
    return placed + [BY_VALUES] * (len(opening.tokens) - heroes)
