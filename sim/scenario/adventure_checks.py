"""What is wrong with an adventure: with its scenes, with every fight with its party in it, and with their order."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sim.core.evening import LEVELS
from sim.core.evening_scenes import FightScene, askable, read_unless
from sim.core.ruleset import Ruleset
from sim.errors import SimError, did_you_mean
from sim.scenario.adventure_file import (
    BY_XP,
    MOST_SCENES,
    SCENES,
    WHAT,
    Entry,
    entries_of,
    fights_of,
    party_keys,
    table_of,
)
from sim.scenario.checks import Misfit, check
from sim.scenario.compiled import compiled
from sim.scenario.values import KeyPath, spell

_OF_THE_EVENING = ("preset", "switches", "monsters")  # what the adventure says of these goes before what a fight says


def scene_misfits(data: Mapping[str, Any], game: Ruleset[Any]) -> list[Misfit]:
    """What is wrong with the scenes themselves."""
    found: list[Misfit] = []
    for number, scene in enumerate(data[SCENES]):
        kinds = [kind for kind in (*WHAT, "random") if scene.get(kind)]
        if len(kinds) != 1:
            said = "fight, random, rest and level_up" if game.generators() else "fight, rest and level_up"
            found.append(Misfit((SCENES, number), f"expected one of {said}, found {_listed(kinds)}"))
        elif "unless" in scene and kinds != ["fight"]:
            found.append(Misfit((SCENES, number, "unless"), "only a fight can have one: write it with the next fight"))
        if "level_up" in kinds and game.one_level_up(_any_table(data, game)) is None:
            found.append(Misfit((SCENES, number, "level_up"), f"{game.title} knows no levels"))
        elif scene.get("level_up") == BY_XP and type(game).level_costs is Ruleset.level_costs:
            said = f"{game.title} counts no XP towards levels; write level_up = true"
            found.append(Misfit((SCENES, number, "level_up"), said))
    played = data.get("order") or []
    for place, wanted in enumerate(played):
        if isinstance(wanted, str) and wanted not in game.rests():
            nearest = did_you_mean(wanted, game.rests()) or f" (known: {', '.join(game.rests())})"
            found.append(Misfit(("order", place), f"unknown rest '{wanted}'{nearest}"))
        elif isinstance(wanted, int) and not 1 <= wanted <= len(data[SCENES]):
            found.append(Misfit(("order", place), f"expected a scene from 1 to {len(data[SCENES])}, found {wanted}"))
        elif wanted in played[:place] and not isinstance(wanted, str):
            found.append(Misfit(("order", place), f"scene {wanted} is played already; write it down a second time"))
    if not found and not any(entry.kind == "fight" for entry in entries_of(data)):
        found.append(Misfit((SCENES,), "there is no fight in it"))
    if not found and len(entries_of(data)) > MOST_SCENES:
        said = f"expected at most {MOST_SCENES} scenes, repeated ones counted each time, found {len(entries_of(data))}"
        found.append(Misfit((SCENES,), said))
    if not found and len(entries_of(data)) > 1 and not game.carries():
        second = entries_of(data)[1].number
        said = f"cannot follow: {game.title} does not say what a party takes along from scene to scene"
        found.append(Misfit((SCENES, second), said))
    return found


def _any_table(data: Mapping[str, Any], game: Ruleset[Any]) -> dict[str, Any]:
    return {key: copy.deepcopy(data[key]) for key in (*party_keys(game), *_OF_THE_EVENING) if key in data}


def _listed(kinds: Sequence[str]) -> str:
    return " and ".join(kinds) or "none of them"


def fight_misfits(data: Mapping[str, Any], game: Ruleset[Any]) -> list[Misfit]:
    """What is wrong with every fight, as it is with this party."""
    found: list[Misfit] = []
    raised: int | None = None  # the last level gained
    for entry in entries_of(data):
        if entry.kind == "level_up":
            raised = entry.number
        if entry.kind != "fight" or not _is_table(entry) or entry.turn:
            continue
        for misfit in _misfits(game, json.dumps(table_of(data, entry.table["fight"], game, entry))):
            found.append(_where(misfit, entry, raised, data, game))
    return found


@lru_cache(maxsize=256)  # where one scene is changed, the others have been looked at already
def _misfits(game: Ruleset[Any], content: str) -> tuple[Misfit, ...]:
    """What is wrong with a fight by what it says."""
    return tuple(check(game, json.loads(content))[1])


def _where(misfit: Misfit, entry: Entry, raised: int | None, data: Mapping[str, Any], game: Ruleset[Any]) -> Misfit:
    """Where in the adventure a value stands with which a fight is wrong."""
    key = misfit.path[0] if misfit.path else ""
    in_fight: KeyPath = (SCENES, entry.number, "fight")
    if key == "heroes" and misfit.path[-1] == game.place_key and entry.table.get("places"):
        return Misfit((SCENES, entry.number, "places"), misfit.message)
    if key in party_keys(game):
        if raised is not None and _stands(data, misfit.path) is False:
            return Misfit((SCENES, raised, "level_up"), f"{spell(misfit.path)}: {misfit.message}")
        if raised is not None and key in ("heroes", "level"):
            return Misfit((SCENES, raised, "level_up"), f"{spell(misfit.path)}: {misfit.message}")
        return Misfit(misfit.path, misfit.message)
    if key in _OF_THE_EVENING and _stands(data, misfit.path):
        return misfit
    return Misfit((*in_fight, *misfit.path), misfit.message)


def _stands(data: Any, path: KeyPath) -> bool:
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def unless_misfits(data: Mapping[str, Any], game: Ruleset[Any]) -> list[Misfit]:
    """What is wrong with the conditions under which the party turns back, if any fight can be played to ask them of."""
    fights = [entry for entry in entries_of(data) if entry.kind == "fight" and not entry.turn]
    conditions = [(place, entry) for place, entry in enumerate(fights) if entry.table.get("unless")]
    tables = [table_of(data, entry.table["fight"], game, entry) for entry in fights if _is_table(entry)]
    sound = next((table for table in tables if not _misfits(game, json.dumps(table))), None)
    if not conditions or sound is None:
        return []
    model = game.scenario_model.model_validate_json(json.dumps(sound))
    by_xp = any(scene.get("level_up") == BY_XP for scene in data[SCENES])
    asked = [*askable(game, FightScene(0, "", compiled(game, model), model)), *([LEVELS] if by_xp else [])]
    found: list[Misfit] = []
    for place, entry in conditions:
        where: KeyPath = (SCENES, entry.number, "unless")
        if not place:
            found.append(Misfit(where, "nothing has happened before the first fight: the party is fresh"))
            continue
        try:
            read_unless(entry.table["unless"], asked)
        except SimError as error:
            found.append(Misfit(where, str(error)))
    return found


def _is_table(entry: Entry) -> bool:
    """Whether its fight has been read: a name that is left stands for one that was not found."""
    return not isinstance(entry.table["fight"], str)


def order_misfits(data: Mapping[str, Any], game: Ruleset[Any]) -> list[Misfit]:
    """What can only be seen of the evening as a whole: names that change."""
    found: list[Misfit] = []
    names: list[str] | None = None
    for entry, model in fights_of(data, game):
        if entry.turn:
            continue
        cast = compiled(game, model).cast
        heroes = [cast.units[row].name for row in cast.party]
        if names is not None and heroes != names:
            said = f"cannot follow: the party is {', '.join(names)}, and {', '.join(heroes)} here"
            found.append(Misfit((SCENES, entry.number), said))
        names = names or heroes
    return found
