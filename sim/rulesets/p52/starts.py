"""Which key of a scenario file says on which spot somebody begins (P52-S2)."""

from __future__ import annotations

from sim.core.starts import Start
from sim.core.telling import Scene
from sim.rulesets.p52.schema import P52Scenario, encounters_of

AT_THE_ENTRANCE = Start(why_not="Heroes come into every room but the first by its entrance.")


def starts(scenario: P52Scenario, opening: Scene, room: int) -> list[Start]:
    """By token: heroes, the enemies that are listed, then the spots of the enemy deck."""
    part = encounters_of(scenario)[room]
    where = f"encounters[{room}]." if scenario.encounters else ""
    heroes = [AT_THE_ENTRANCE if room else Start(f"heroes[{hero}].spot") for hero in range(len(scenario.heroes))]
    listed = [Start(f"{where}enemies[{enemy}].spot") for enemy in range(len(part.enemies))]
    dealt = range(len(part.enemy_deck.spots) if part.enemy_deck else 0)
    drawn = [Start(f"{where}enemy_deck.spots[{spot}]") for spot in dealt]
    return [*heroes, *listed, *drawn][: len(opening.tokens)]
