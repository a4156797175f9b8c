"""What an adventure file may say, and everything written out that it only names.

When a file is read, the party of another scenario, the fights by name or by file, and what each scene sets in them are
written out (`lay_out`). The scenario can then travel as it is.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field, create_model

from sim.core.ruleset import Ruleset
from sim.core.schema import ScenarioModel, Strict, one_of
from sim.errors import SimError
from sim.scenario.checks import Misfit
from sim.scenario.overrides import apply, from_python
from sim.scenario.own_types import TABLES
from sim.scenario.values import KeyPath

SCENES = "scenes"
CLASSES, MONSTERS = TABLES[1], TABLES[0]  # types of one's own: heroes belong to the party, monsters to all fights
WHAT = ("fight", "rest", "level_up")  # a scene is one of these

Loader = Callable[
    [str], "tuple[str, dict[str, Any]]"
]  # the name of a scenario and its table; SimError if there is none


def is_adventure(data: Mapping[str, Any]) -> bool:
    """Whether a table is that of an adventure."""
    return SCENES in data


def party_keys(game: Ruleset[Any]) -> tuple[str, ...]:
    """The keys of a file that are the party's, types of hero of one's own among them."""
    own = [CLASSES] if CLASSES in game.scenario_model.model_fields and CLASSES not in game.party_keys else []
    return (*game.party_keys, *own)


# ------------------------------------------------------------------------------------------------------------ the model


def model_of(game: Ruleset[Any]) -> type[ScenarioModel]:
    """What an adventure of a game may say: its party as in a scenario, and scenes."""
    theirs = game.scenario_model.model_fields
    ours = (*party_keys(game), MONSTERS)
    party: dict[str, Any] = {key: (info.annotation, info) for key, info in theirs.items() if key in ours}
    place: dict[str, Any] = {
        key: (info.annotation, info)
        for key, info in theirs.items()
        if key not in party_keys(game) and key not in ("ruleset", "title")
    }
    title = (str, Field("", description="One line for tables and reports."))
    fight: Any = create_model(f"{game.name}_fight", __base__=Strict, title=title, **place)
    rest: Any = (one_of(game.rests(), "rest") | None, Field(None, description="What kind of rest."))
    scene: Any = create_model(
        f"{game.name}_scene",
        __base__=Strict,
        name=(
            str | None,
            Field(None, min_length=1, description="For tables and replays; that of the fight if absent."),
        ),
        fight=(str | fight | None, Field(None, description="A scenario by name, a file beside this one, or a table.")),
        set=(
            dict[str, Any],
            Field(default_factory=dict, description='Changes of the fight: { "enemies.0.count" = 4 }.'),
        ),
        places=(list[Any], Field(default_factory=list, description="Where the heroes stand as the fight begins.")),
        unless=(str | None, Field(None, description="When the party turns back: 'party_hp < 0.3'.")),
        rest=rest,
        level_up=(bool, Field(False, description="Every hero gains a level.")),
    )
    scenes: Any = (list[scene], Field(min_length=1, max_length=40, description="What the party goes through."))
    order: Any = (
        list[int | str] | None,
        Field(None, description="Which scenes are played, by number from 1; a text is one rest more."),
    )
    model: type[ScenarioModel] = create_model(
        f"{game.name}_adventure", __base__=ScenarioModel, **party, scenes=scenes, order=order
    )
    return model


# ------------------------------------------------------------------------------------------------------- writing it out


def lay_out(data: dict[str, Any], game: Ruleset[Any], load: Loader) -> list[Misfit]:
    """Write everything out that an adventure only names; what is wrong with the names."""
    found = _party(data, game, load)
    scenes = data.get(SCENES)
    for number, scene in enumerate(scenes if isinstance(scenes, list) else []):
        if isinstance(scene, dict) and "fight" in scene:
            found += _fight(scene, number, data, game, load)
    return found


def _party(data: dict[str, Any], game: Ruleset[Any], load: Loader) -> list[Misfit]:
    """The party from its own table, or that of another scenario."""
    found: list[Misfit] = []
    own = data.get("party")
    if isinstance(own, dict):
        del data["party"]
        for key, value in own.items():
            if key in party_keys(game):
                data.setdefault(key, value)
            else:
                found.append(Misfit(("party", key), f"unknown key (known: {', '.join(party_keys(game))})"))
    whose = data.pop("party_of", None)
    if whose is None:
        return found
    if not isinstance(whose, str):
        return [*found, Misfit(("party_of",), 'expected the name of a scenario, as in party_of = "playtest-1"')]
    try:
        _, theirs = load(whose)
    except SimError as error:
        return [*found, Misfit(("party_of",), _first_line(error))]
    if theirs.get("ruleset") != game.name:
        return [*found, Misfit(("party_of",), _other_game(whose, theirs, game))]
    for key in party_keys(game):
        if key in theirs:
            data.setdefault(key, theirs[key] if key != "heroes" else without_places(theirs[key], game))
    return found


def without_places(heroes: Any, game: Ruleset[Any]) -> Any:
    """Heroes who stand nowhere yet: places are the scenes'."""
    return [{key: value for key, value in hero.items() if key != game.place_key} for hero in heroes]


def _fight(scene: dict[str, Any], number: int, data: dict[str, Any], game: Ruleset[Any], load: Loader) -> list[Misfit]:
    """One fight by name or as a table, with what the scene sets in it."""
    place: KeyPath = (SCENES, number, "fight")
    wanted = scene["fight"]
    found: list[Misfit] = []
    if isinstance(wanted, str):
        try:
            name, fight = load(wanted)
        except SimError as error:
            return [Misfit(place, _first_line(error))]
        if fight.get("ruleset") != game.name:
            return [Misfit(place, _other_game(wanted, fight, game))]
        if is_adventure(fight):
            return [Misfit(place, f"{wanted} is an adventure; expected a single fight")]
        scene.setdefault("name", name.rpartition("/")[2])
        heroes = fight.get("heroes", [])
        if game.place_key and "places" not in scene and any(game.place_key in hero for hero in heroes):
            scene["places"] = [hero.get(game.place_key, []) for hero in heroes]
    elif isinstance(wanted, dict):
        fight = copy.deepcopy(wanted)
        for key in party_keys(game):
            if key in fight:
                said = "the party is the same all evening and stands at the top of the file; leave it out here"
                found.append(Misfit((*place, key), said))
        if fight.pop("ruleset", game.name) != game.name:
            return [Misfit((*place, "ruleset"), _other_game("this fight", wanted, game))]
        scene.setdefault("name", str(fight.get("title") or f"scene {number + 1}"))
    else:
        return []  # the model says what is wrong
    for key in ("ruleset", *party_keys(game)):
        fight.pop(key, None)
    found += _set(scene, number, fight, data, game)
    scene["fight"] = fight
    return found


def _set(
    scene: dict[str, Any], number: int, fight: dict[str, Any], data: dict[str, Any], game: Ruleset[Any]
) -> list[Misfit]:
    """What a scene sets in its fight, as `--set` would."""
    wanted = scene.pop("set", {})
    if not isinstance(wanted, dict):
        return [Misfit((SCENES, number, "set"), 'expected a table such as { "enemies.skeleton.count" = 4 }')]
    found = []
    for path, value in wanted.items():
        where: KeyPath = (SCENES, number, "set")
        if path.split(".")[0].split("[")[0] in party_keys(game):
            found.append(Misfit(where, f"{path} is the party's, which is the same all evening; set it at the top"))
            continue
        whole = {
            "ruleset": game.name,
            "title": "",
            **fight,
            **{key: data[key] for key in party_keys(game) if key in data},
        }
        _, problems = apply(whole, [from_python(path, value)], game)
        found += [Misfit(where, problem.message) for problem in problems]
        fight |= {key: value for key, value in whole.items() if key not in (*party_keys(game), "ruleset")}
        if not fight.get("title"):
            fight.pop("title", None)
    return found


def _other_game(name: str, data: Mapping[str, Any], game: Ruleset[Any]) -> str:
    return f"{name} belongs to {data.get('ruleset')}, and this is an adventure of {game.name}"


def _first_line(error: SimError) -> str:
    return " ".join(str(error).split("\n")[0].split())


# ---------------------------------------------------------------------------------------- the scenes as they are played


@dataclass(frozen=True, slots=True)
class Entry:
    """One scene as it is played."""

    number: int  # in the file, from 0; behind the last one for a rest that `order` adds
    table: dict[str, Any]
    levels: int  # gained before it

    @property
    def kind(self) -> str:
        """Fight, rest or level_up."""
        return next((kind for kind in WHAT if self.table.get(kind)), "")


def entries_of(data: Mapping[str, Any]) -> list[Entry]:
    """The scenes in the order in which they are played."""
    scenes = data[SCENES]
    found: list[Entry] = []
    levels = 0
    for place, wanted in enumerate(data.get("order") or range(1, len(scenes) + 1)):
        extra = isinstance(wanted, str)
        table = {"rest": wanted} if extra else scenes[wanted - 1]
        entry = Entry(len(scenes) + place if extra else wanted - 1, table, levels)
        levels += entry.kind == "level_up"
        found.append(entry)
    return found


def name_of(entry: Entry) -> str:
    """What a scene is called."""
    return str(entry.table.get("name") or {"rest": f"{entry.table.get('rest')} rest"}.get(entry.kind, "a level gained"))


def table_of(data: Mapping[str, Any], fight: Mapping[str, Any], game: Ruleset[Any], entry: Entry) -> dict[str, Any]:
    """A fight with the evening's party, as a scenario file of the game would have it."""
    party = {key: copy.deepcopy(data[key]) for key in party_keys(game) if key in data}
    whole = {"ruleset": game.name, "title": entry.table.get("name") or "a scene", **copy.deepcopy(dict(fight)), **party}
    if not whole["title"]:
        whole["title"] = "a scene"
    if data.get(MONSTERS):
        whole[MONSTERS] = {**data[MONSTERS], **whole.get(MONSTERS, {})}
    if data.get("preset"):
        whole["preset"] = data["preset"]
    if data.get("switches"):
        whole["switches"] = {**whole.get("switches", {}), **data["switches"]}
    for _ in range(entry.levels):
        whole = game.one_level_up(whole) or whole
    places = entry.table.get("places")
    if places and game.place_key:
        for hero, place in zip(whole["heroes"], [*places, *[[]] * len(whole["heroes"])], strict=False):
            hero.pop(game.place_key, None)
            if place:
                hero[game.place_key] = place
    return whole


def written(scenario: ScenarioModel) -> dict[str, Any]:
    """What an adventure says, as plain data."""
    return scenario.model_dump(mode="json", by_alias=True, exclude_unset=True)


def fights_of(data: Mapping[str, Any], game: Ruleset[Any]) -> list[tuple[Entry, Any]]:
    """Every fight that is played, as the game's own model."""
    return [
        (entry, game.scenario_model.model_validate_json(json.dumps(table_of(data, entry.table["fight"], game, entry))))
        for entry in entries_of(data)
        if entry.kind == "fight"
    ]
