"""Which key of a scenario file says on which spot somebody begins (P52-S2)."""

from __future__ import annotations

from sim.core.starts import Start
from sim.core.telling import Scene
from sim.rulesets.p52.schema import P52Scenario, encounters_of


def starts(scenario: P52Scenario, opening: Scene, room: int) -> list[Start]:
    """By token: heroes, the enemies that are listed, then the spots of the enemy deck.

    Into every room but the first the heroes come together, by the entrance of its board.
    """
    part = encounters_of(scenario)[room]
    where = f"encounters[{room}]." if scenario.encounters else ""
    entrance = Start("entrance" if part.board is None else f"{where}entrance")
    heroes = [entrance if room else Start(f"heroes[{hero}].spot") for hero in range(len(scenario.heroes))]
    listed = [Start(f"{where}enemies[{enemy}].spot") for enemy in range(len(part.enemies))]
    dealt = range(len(part.enemy_deck.spots) if part.enemy_deck else 0)
    drawn = [Start(f"{where}enemy_deck.spots[{spot}]") for spot in dealt]
    return [*heroes, *listed, *drawn][: len(opening.tokens)]
