"""Adventures: a party, and scenes that it plays one after the other.

A file with `scenes` is an adventure. It is a scenario like any other, of a ruleset that is made of the game's own: its
model has the game's party and a list of scenes, and what it compiles to is an `Evening`. So overrides, checks, studies,
reports and the workbench need to know nothing of it.

When a file is read, everything that it only names is written out (`lay_out`): the party of another scenario, the fights
by name or by file, and what each scene sets in them. The scenario can then travel as it is.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from pydantic import Field, create_model

from sim.core.engine import Encounter
from sim.core.evening import AnyScene, Evening, FightScene, LevelScene, RestScene, askable, read_unless
from sim.core.outcomes import Cast
from sim.core.policy import Vocabulary
from sim.core.registry import ruleset as find_ruleset
from sim.core.ruleset import Ruleset, Thing
from sim.core.schema import ScenarioModel, Strict, one_of
from sim.errors import NotSolvable, Problem, SimError, did_you_mean
from sim.scenario.checks import Misfit, check, once_per_key
from sim.scenario.overrides import apply, from_python
from sim.scenario.values import KeyPath, spell

SCENES = "scenes"
WHAT = ("fight", "rest", "level_up")  # a scene is one of these
_OF_THE_EVENING = ("preset", "switches")  # what the adventure says of these goes before what a fight says

Loader = Callable[
    [str], "tuple[str, dict[str, Any]]"
]  # the name of a scenario and its table; SimError if there is none


def is_adventure(data: Mapping[str, Any]) -> bool:
    """Whether a table is that of an adventure."""
    return SCENES in data


@cache
def adventures_of(game: Ruleset[Any]) -> Adventures:
    """The ruleset of a game's adventures."""
    return Adventures(game)


# ----------------------------------------------------------------------------------------------------------- the model


def model_of(game: Ruleset[Any]) -> type[ScenarioModel]:
    """What an adventure of a game may say: its party as in a scenario, and scenes."""
    theirs = game.scenario_model.model_fields
    party: dict[str, Any] = {key: (info.annotation, info) for key, info in theirs.items() if key in game.party_keys}
    place: dict[str, Any] = {
        key: (info.annotation, info)
        for key, info in theirs.items()
        if key not in game.party_keys and key not in ("ruleset", "title")
    }
    title = (str, Field("", description="One line for tables and reports."))
    fight: Any = create_model(f"{game.name}_fight", __base__=Strict, title=title, **place)
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
        rest=(one_of(game.rests(), "rest") | None, Field(None, description="What kind of rest.")),
        level_up=(bool, Field(False, description="Every hero gains a level.")),
    )
    scenes = (list[scene], Field(min_length=1, max_length=40, description="What the party goes through, in order."))
    order = (
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
            if key in game.party_keys:
                data.setdefault(key, value)
            else:
                found.append(Misfit(("party", key), f"unknown key (known: {', '.join(game.party_keys)})"))
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
    for key in game.party_keys:
        if key in theirs:
            data.setdefault(key, theirs[key] if key != "heroes" else _without_places(theirs[key], game))
    return found


def _without_places(heroes: Any, game: Ruleset[Any]) -> Any:
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
        for key in game.party_keys:
            if key in fight:
                said = "the party is the same all evening and stands at the top of the file; leave it out here"
                found.append(Misfit((*place, key), said))
        if fight.pop("ruleset", game.name) != game.name:
            return [Misfit((*place, "ruleset"), _other_game("this fight", wanted, game))]
        scene.setdefault("name", str(fight.get("title") or f"scene {number + 1}"))
    else:
        return []  # the model says what is wrong
    for key in ("ruleset", *game.party_keys):
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
        if path.split(".")[0].split("[")[0] in game.party_keys:
            found.append(Misfit(where, f"{path} is the party's, which is the same all evening; set it at the top"))
            continue
        whole = {
            "ruleset": game.name,
            "title": "",
            **fight,
            **{key: data[key] for key in game.party_keys if key in data},
        }
        _, problems = apply(whole, [from_python(path, value)], game)
        found += [Misfit(where, problem.message) for problem in problems]
        fight |= {key: value for key, value in whole.items() if key not in (*game.party_keys, "ruleset")}
        if not fight.get("title"):
            fight.pop("title", None)
    return found


def _other_game(name: str, data: Mapping[str, Any], game: Ruleset[Any]) -> str:
    return f"{name} belongs to {data.get('ruleset')}, and this is an adventure of {game.name}"


def _first_line(error: SimError) -> str:
    return " ".join(str(error).split("\n")[0].split())


# ------------------------------------------------------------------------------------------------ the scenes of a model


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
    party = {key: copy.deepcopy(data[key]) for key in game.party_keys if key in data}
    whole = {"ruleset": game.name, "title": entry.table.get("name") or "a scene", **copy.deepcopy(dict(fight)), **party}
    if not whole["title"]:
        whole["title"] = "a scene"
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


# --------------------------------------------------------------------------------------------------------- the ruleset


_SAME = ("name", "title", "about", "version", "folder", "coverage", "against_draws", "party_damage", "enemy_damage")
_SAME += ("a_hit", "hit_points_left", "party_keys", "place_key", "last_counts")


class Adventures(Ruleset[ScenarioModel]):
    """A game played evening by evening."""

    def __init__(self, game: Ruleset[Any]) -> None:
        self.game = game
        for name in _SAME:
            setattr(self, name, getattr(game, name))
        self.scenario_model = model_of(game)

    @property
    def things(self) -> Mapping[str, Mapping[str, Thing]]:
        """What designers choose from: that of the game."""
        return self.game.things

    @property
    def vocabulary(self) -> Vocabulary | None:
        """What the lines of a policy can ask and do."""
        return self.game.vocabulary

    def problems_of_policies(self, written: Mapping[str, Any]) -> list[Problem]:
        """What is wrong with the party's own policies."""
        return self.game.problems_of_policies(written)

    def problems(self, scenario: ScenarioModel) -> list[Problem]:
        """Everything that is wrong with the scenes, and with every fight with this party in it."""
        data = written(scenario)
        if any(isinstance(scene.get("fight"), str) for scene in data[SCENES]):
            return []  # one could not be found: that has been told
        misfits = scene_misfits(data, self.game) or fight_misfits(data, self.game) or order_misfits(data, self.game)
        return [Problem(spell(misfit.path), misfit.message) for misfit in once_per_key(misfits)]

    def remarks(self, scenario: ScenarioModel) -> list[str]:
        """What of a fight is not played as it is written."""
        fights = fights_of(written(scenario), self.game)
        return list(dict.fromkeys(said for _, model in fights for said in self.game.remarks(model)))

    def resolve(self, scenario: ScenarioModel) -> dict[str, Any]:
        """The adventure with every number of every fight written out."""
        return in_full(scenario, self.game, self.game.resolve)

    def in_full(self, scenario: ScenarioModel) -> dict[str, Any]:
        """The same with the numbers that a fight leaves unwritten."""
        return in_full(scenario, self.game, self.game.in_full)

    def as_played(self, scenario: ScenarioModel) -> dict[str, Any]:
        """The same as it stands on the table."""
        return in_full(scenario, self.game, self.game.as_played, for_reading=True)

    def compile(self, scenario: ScenarioModel) -> Encounter[Any]:
        """The evening ready to be played."""
        return _evening(self.game.name, json.dumps(written(scenario)))

    def can_be_missed(self, scenario: ScenarioModel, cast: Cast) -> list[str]:
        """What the party has whose worth a study asks for: that of its first fight."""
        model, encounter = self._first(scenario)
        return self.game.can_be_missed(model, encounter.cast)

    def forbid(self, scenario: ScenarioModel, ability: str) -> dict[str, Any] | None:
        """The values to set so that the party never uses an ability: they are the party's or switches."""
        return self.game.forbid(self._first(scenario)[0], ability)

    def exact(self, scenario: ScenarioModel) -> Any:
        """No solver knows what lies between two fights."""
        raise NotSolvable("An adventure has no exact solver; play it with `fairfight run`.")

    def _first(self, scenario: ScenarioModel) -> tuple[Any, Encounter[Any]]:
        evening = self.compile(scenario)
        assert isinstance(evening, Evening)
        fight = next(scene for scene in evening.scenes if isinstance(scene, FightScene))
        return fight.scenario, fight.encounter


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


@lru_cache(maxsize=64)
def _evening(name: str, content: str) -> Evening:
    """The evening; made once, as checks and runs both ask for it."""
    game = find_ruleset(name)
    data = json.loads(content)
    models = {entry.number: model for entry, model in fights_of(data, game)}
    encounters = {number: game.compile(model) for number, model in models.items()}
    entries = entries_of(data)
    party: dict[str, Any] = next(entry.table["fight"] for entry in entries if entry.kind == "fight")
    scenes: list[AnyScene] = []
    asked: list[str] | None = None

    def at_level(entry: Entry, more: int = 0) -> Any:
        whole = table_of(data, party, game, Entry(entry.number, {}, entry.levels + more))
        return game.scenario_model.model_validate_json(json.dumps(whole))

    for entry in entries:
        if entry.kind == "fight":
            fight = FightScene(entry.number, name_of(entry), encounters[entry.number], models[entry.number])
            if unless := entry.table.get("unless"):
                asked = asked if asked is not None else list(askable(game, fight))
                place = spell((SCENES, entry.number, "unless"))
                fight = FightScene(
                    fight.number, fight.name, fight.encounter, fight.scenario, read_unless(unless, asked, place)
                )
            scenes.append(fight)
        elif entry.kind == "rest":
            scenes.append(RestScene(entry.number, name_of(entry), entry.table["rest"], at_level(entry)))
        else:
            scenes.append(LevelScene(entry.number, name_of(entry), at_level(entry), at_level(entry, 1)))
    return Evening(game, scenes)


def in_full(
    scenario: ScenarioModel, game: Ruleset[Any], full: Callable[[Any], dict[str, Any]], for_reading: bool = False
) -> dict[str, Any]:
    """The adventure with every number written out: those of the party where all fights agree on them."""
    data = written(scenario)
    fights = fights_of(data, game)
    first = full(fights_of({**data, "order": [entry.number + 1 for entry, _ in fights]}, game)[0][1])
    party = {key: first[key] for key in game.party_keys if key in first}
    party["heroes"] = _without_places(party["heroes"], game)
    if not for_reading and not _same_fights({**data, **party}, data, game):
        party = {key: data[key] for key in game.party_keys if key in data}
    found = {key: value for key, value in data.items() if key not in (*game.party_keys, SCENES)} | party
    tables = {entry.number: full(model) for entry, model in fights}
    found[SCENES] = []
    for number, scene in enumerate(data[SCENES]):
        whole = dict(scene)
        if number in tables:
            left_out = (*game.party_keys, "ruleset", "title", "description")
            whole["fight"] = {key: value for key, value in tables[number].items() if key not in left_out}
        found[SCENES].append(whole)
    return found


def _same_fights(one: Mapping[str, Any], other: Mapping[str, Any], game: Ruleset[Any]) -> bool:
    """Whether two parties make the same of every fight, at every level."""
    try:
        mine, theirs = ([game.resolve(model) for _, model in fights_of(data, game)] for data in (one, other))
    except ValueError:
        return False
    return mine == theirs


# ------------------------------------------------------------------------------------------------------- what is wrong


def scene_misfits(data: Mapping[str, Any], game: Ruleset[Any]) -> list[Misfit]:
    """What is wrong with the scenes themselves."""
    found: list[Misfit] = []
    for number, scene in enumerate(data[SCENES]):
        kinds = [kind for kind in WHAT if scene.get(kind)]
        if len(kinds) != 1:
            found.append(Misfit((SCENES, number), f"expected one of fight, rest and level_up, found {_listed(kinds)}"))
        elif "unless" in scene and kinds != ["fight"]:
            found.append(Misfit((SCENES, number, "unless"), "only a fight can have one: write it with the next fight"))
        if "level_up" in kinds and game.one_level_up(_any_table(data, game)) is None:
            found.append(Misfit((SCENES, number, "level_up"), f"{game.title} knows no levels"))
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
    if not found and len(entries_of(data)) > 1 and not game.carries():
        second = entries_of(data)[1].number
        said = f"cannot follow: {game.title} does not say what a party takes along from scene to scene"
        found.append(Misfit((SCENES, second), said))
    return found


def _any_table(data: Mapping[str, Any], game: Ruleset[Any]) -> dict[str, Any]:
    return {key: copy.deepcopy(data[key]) for key in (*game.party_keys, *_OF_THE_EVENING) if key in data}


def _listed(kinds: Sequence[str]) -> str:
    return " and ".join(kinds) or "none of them"


def fight_misfits(data: Mapping[str, Any], game: Ruleset[Any]) -> list[Misfit]:
    """What is wrong with every fight, as it is with this party."""
    found: list[Misfit] = []
    raised: int | None = None  # the last level gained
    for entry in entries_of(data):
        if entry.kind == "level_up":
            raised = entry.number
        if entry.kind != "fight":
            continue
        for misfit in check(game, table_of(data, entry.table["fight"], game, entry))[1]:
            found.append(_where(misfit, entry, raised, data, game))
    return found


def _where(misfit: Misfit, entry: Entry, raised: int | None, data: Mapping[str, Any], game: Ruleset[Any]) -> Misfit:
    """Where in the adventure a value stands with which a fight is wrong."""
    key = misfit.path[0] if misfit.path else ""
    in_fight: KeyPath = (SCENES, entry.number, "fight")
    if key == "heroes" and misfit.path[-1] == game.place_key and entry.table.get("places"):
        return Misfit((SCENES, entry.number, "places"), misfit.message)
    if key in game.party_keys:
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


def order_misfits(data: Mapping[str, Any], game: Ruleset[Any]) -> list[Misfit]:
    """What can only be seen of the evening as a whole: names that change, and what `unless` asks."""
    found: list[Misfit] = []
    names: list[str] | None = None
    fights = fights_of(data, game)
    for place, (entry, model) in enumerate(fights):
        encounter = game.compile(model)
        cast = encounter.cast
        heroes = [cast.units[row].name for row in cast.party]
        if names is not None and heroes != names:
            said = f"cannot follow: the party is {', '.join(names)}, and {', '.join(heroes)} here"
            found.append(Misfit((SCENES, entry.number), said))
        names = names or heroes
        if unless := entry.table.get("unless"):
            where: KeyPath = (SCENES, entry.number, "unless")
            if not place:
                found.append(Misfit(where, "nothing has happened before the first fight: the party is fresh"))
                continue
            asked = list(askable(game, FightScene(entry.number, "", encounter, model)))
            try:
                read_unless(unless, asked)
            except SimError as error:
                found.append(Misfit(where, str(error)))
    return found
