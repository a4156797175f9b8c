"""Which key of an adventure says where somebody begins: that of a fight's own file, where the adventure has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sim.core.evening import Evening
from sim.core.evening_scenes import FightScene
from sim.core.luck import Luck
from sim.core.ruleset import Ruleset
from sim.core.starts import Start
from sim.core.telling import Scene
from sim.scenario.adventure_file import SCENES, party_keys
from sim.scenario.values import KeyPath, key_path, spell


def rooms_of(evening: Evening) -> list[tuple[FightScene, int]]:
    """For every table that is drawn of an evening: its fight, and the number of the room in it."""
    one_run = Luck.of(0, np.array([0]))
    fights = [scene for scene in evening.scenes if isinstance(scene, FightScene)]
    return [(fight, room) for fight in fights for room in range(len(fight.encounter.openings(one_run)))]


def starts_of(game: Ruleset[Any], evening: Evening, opening: Scene, number: int) -> list[Start]:
    """By token of one of the tables."""
    fight, room = rooms_of(evening)[number]
    stand = _where_heroes_stand(opening)
    return [_of_the_evening(start, fight, stand, game) for start in game.starts(fight.scenario, opening, room)]


def _of_the_evening(
    start: Start, fight: FightScene, stand: Sequence[tuple[int, int]], game: Ruleset[Any]
) -> Start:
    """The party is the evening's, where it stands is the scene's, and all else the fight's in it."""
    if not start.path:
        return start
    path: KeyPath = key_path(start.path)
    if path[0] == "heroes" and path[-1] == game.place_key:
        return replace(start, path=spell((SCENES, fight.number, "places", path[1])), line=tuple(stand))
    if path[0] in party_keys(game):
        return start
    return replace(start, path=spell((SCENES, fight.number, "fight", *path)))


def _where_heroes_stand(opening: Scene) -> list[tuple[int, int]]:
    if opening.board is None:
        return []
    party = [token for token in opening.tokens if token.side == "party" and token.place is not None]
    places = [opening.board.coords[token.place] for token in party if token.place is not None]
    return [(int(place[0]), int(place[1])) for place in places]
