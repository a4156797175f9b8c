"""An adventure file with everything written out that it only names, and its scenes as they are played.

When a file is read, the party of another scenario, the fights by name or by file, and what each scene sets in them are
written out (`lay_out`). The scenario can then travel as it is.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sim.core.ruleset import Ruleset
from sim.core.schema import ScenarioModel
from sim.errors import SimError
from sim.scenario.checks import Misfit
from sim.scenario.overrides import apply, from_python
from sim.scenario.own_types import TABLES
from sim.scenario.values import KeyPath

SCENES = "scenes"
CLASSES, MONSTERS = TABLES[1], TABLES[0]  # types of one's own: heroes belong to the party, monsters to all fights
WHAT = ("fight", "rest", "level_up")  # a scene is one of these; `random` stands for a fight
BY_XP: Final = "xp"  # level_up = "xp"
MOST_TIMES, MOST_SCENES = 20, 60  # that a scene may be repeated; that an evening may have in all
ANEW = 1_000  # what the second time of a scene adds to the number by which it has its luck
HOUSE = "evening"  # the table of an adventure that changes the game's house values

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


# ------------------------------------------------------------------------------------------------------- writing it out


def lay_out(data: dict[str, Any], game: Ruleset[Any], load: Loader) -> list[Misfit]:
    """Write everything out that an adventure only names; what is wrong with the names."""
    found = _party(data, game, load)
    scenes = data.get(SCENES)
    for number, scene in enumerate(scenes if isinstance(scenes, list) else []):
        if isinstance(scene, dict) and "random" in scene and "fight" not in scene:
            _made_anew(scene, game)
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


def _made_anew(scene: dict[str, Any], game: Ruleset[Any]) -> None:
    """The fight that a generator of the rules makes; an unknown one is left for the model to find."""
    wanted = scene["random"]
    made = game.generators().get(wanted) if isinstance(wanted, str) else None
    if made is not None:
        del scene["random"]
        scene["fight"] = copy.deepcopy(made.fight if isinstance(made.fight, str) else dict(made.fight))
        scene.setdefault("name", str(wanted).replace("_", " "))


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
    levels: int  # that everybody has gained before it
    turn: int = 0  # of several times in a row

    @property
    def luck(self) -> int:
        """The number by which it has its luck."""
        return self.number + ANEW * self.turn

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
        for turn in range(table.get("times", 1)):
            entry = Entry(len(scenes) + place if extra else wanted - 1, table, levels, turn)
            levels += entry.kind == "level_up" and table["level_up"] != BY_XP
            found.append(entry)
    return found


def name_of(entry: Entry) -> str:
    """What a scene is called."""
    of_level = "levels by XP" if entry.table.get("level_up") == BY_XP else "a level gained"
    name = str(entry.table.get("name") or {"rest": f"{entry.table.get('rest')} rest"}.get(entry.kind, of_level))
    return f"{name} {entry.turn + 1}" if entry.table.get("times", 1) > 1 else name


def table_of(
    data: Mapping[str, Any], fight: Mapping[str, Any], game: Ruleset[Any], entry: Entry, gained: Sequence[int] = ()
) -> dict[str, Any]:
    """A fight with the evening's party, as a scenario file of the game would have it.

    Args:
        gained: how many levels each hero has gained by XP, besides those that everybody has.
    """
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
    house = data.get(HOUSE) or {}
    for _ in range(entry.levels):
        whole = game.one_level_up(whole, house) or whole
    for level in range(max(gained, default=0)):
        whole = _raised(whole, [hero for hero, number in enumerate(gained) if number > level], game, house)
    places = entry.table.get("places")
    if places and game.place_key:
        for hero, place in zip(whole["heroes"], [*places, *[[]] * len(whole["heroes"])], strict=False):
            hero.pop(game.place_key, None)
            if place:
                hero[game.place_key] = place
    return whole


def _raised(whole: dict[str, Any], who: Sequence[int], game: Ruleset[Any], house: Mapping[str, int]) -> dict[str, Any]:
    """The table with some of its heroes one level higher."""
    higher = game.one_level_up(whole, house) or whole
    if len(who) == len(whole["heroes"]):
        return higher
    heroes = []
    for hero, (entry, raised) in enumerate(zip(whole["heroes"], higher["heroes"], strict=True)):
        named = {"name": raised["name"]} if "name" in raised else {}  # two of a class keep the names they had together
        heroes.append(raised if hero in who else entry | named)
    return {**whole, "heroes": heroes}


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
