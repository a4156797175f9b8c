"""Adventures: a party, and scenes that it plays one after the other.

A file with `scenes` is an adventure. It is a scenario like any other, of a ruleset that is made of the game's own: its
model has the game's party and a list of scenes, and what it compiles to is an `Evening`. So overrides, checks, studies,
reports and the workbench need to know nothing of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any

from sim.core.engine import Encounter
from sim.core.evening import AnyScene, Evening, FightScene, LevelScene, RestScene, askable, read_unless
from sim.core.outcomes import Cast
from sim.core.policy import Vocabulary
from sim.core.registry import ruleset as find_ruleset
from sim.core.ruleset import Ruleset, Thing
from sim.core.schema import ScenarioModel
from sim.core.starts import Start
from sim.core.telling import Scene
from sim.errors import NotSolvable, Problem
from sim.scenario.adventure_checks import fight_misfits, order_misfits, scene_misfits
from sim.scenario.adventure_file import (
    SCENES,
    Entry,
    entries_of,
    fights_of,
    model_of,
    name_of,
    party_keys,
    table_of,
    without_places,
    written,
)
from sim.scenario.adventure_starts import starts_of
from sim.scenario.checks import once_per_key
from sim.scenario.compiled import compiled
from sim.scenario.values import spell


@cache
def adventures_of(game: Ruleset[Any]) -> Adventures:
    """The ruleset of a game's adventures."""
    return Adventures(game)


_SAME: tuple[str, ...] = ("name", "title", "about", "version", "folder", "coverage", "against_draws", "party_damage")
_SAME += ("enemy_damage", "a_hit", "hit_points_left", "party_keys", "place_key", "last_counts")


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
        misfits = scene_misfits(data, self.game)
        if all(misfit.path[0] != "order" for misfit in misfits):
            misfits += fight_misfits(data, self.game)
        all_there = not any(isinstance(scene.get("fight"), str) for scene in data[SCENES])  # or that has been told
        if all_there and not misfits:
            misfits = order_misfits(data, self.game)
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

    def starts(self, scenario: ScenarioModel, opening: Scene, room: int) -> list[Start]:
        """Which key says where each token begins, by token of one of the evening's tables."""
        evening = self.compile(scenario)
        assert isinstance(evening, Evening)
        return starts_of(self.game, evening, opening, room)

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


@lru_cache(maxsize=64)
def _evening(name: str, content: str) -> Evening:
    """The evening; made once, as checks and runs both ask for it."""
    game = find_ruleset(name)
    data = json.loads(content)
    models = {entry.number: model for entry, model in fights_of(data, game)}
    encounters = {number: compiled(game, model) for number, model in models.items()}
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
    party = {key: first[key] for key in party_keys(game) if key in first}
    party["heroes"] = without_places(party["heroes"], game)
    if not for_reading and not _same_fights({**data, **party}, data, game):
        party = {key: data[key] for key in party_keys(game) if key in data}
    found = {key: value for key, value in data.items() if key not in (*party_keys(game), SCENES)} | party
    tables = {entry.number: full(model) for entry, model in fights}
    found[SCENES] = []
    for number, scene in enumerate(data[SCENES]):
        whole = dict(scene)
        if number in tables:
            left_out = (*party_keys(game), "ruleset", "title", "description")
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
