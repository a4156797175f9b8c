"""Adventures: a party, and scenes that it plays one after the other.

A file with `scenes` is an adventure. It is a scenario like any other, of a ruleset that is made of the game's own: its
model has the game's party and a list of scenes, and what it compiles to is an `Evening`. So overrides, checks, studies,
reports and the workbench need to know nothing of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Any

from pydantic import ValidationError

from sim.core.engine import Encounter
from sim.core.evening import LEVELS, Evening
from sim.core.evening_scenes import AnyScene, ByLevel, FightScene, Gained, LevelScene, RestScene, askable, read_unless
from sim.core.outcomes import Cast
from sim.core.policy import Vocabulary
from sim.core.registry import ruleset as find_ruleset
from sim.core.ruleset import Ruleset, Thing
from sim.core.schema import ScenarioModel
from sim.core.starts import Start
from sim.core.telling import Scene
from sim.errors import NotSolvable, Problem
from sim.scenario.adventure_checks import fight_misfits, order_misfits, scene_misfits, unless_misfits
from sim.scenario.adventure_file import (
    BY_XP,
    HOUSE,
    SCENES,
    Entry,
    entries_of,
    fights_of,
    name_of,
    party_keys,
    table_of,
    without_places,
    written,
)
from sim.scenario.adventure_model import model_of
from sim.scenario.adventure_starts import starts_of
from sim.scenario.checks import Misfit, once_per_key
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
            misfits += fight_misfits(data, self.game) + unless_misfits(data, self.game)
        all_there = not any(isinstance(scene.get("fight"), str) for scene in data[SCENES])  # or that has been told
        if all_there and not misfits:
            misfits = order_misfits(data, self.game)
        if all_there and not misfits:
            misfits = self._level_misfits(data)
        return [Problem(spell(misfit.path), misfit.message) for misfit in once_per_key(misfits)]

    def _level_misfits(self, data: dict[str, Any]) -> list[Misfit]:
        """Levels that cannot be had on top of those that heroes may have gained by XP."""
        last = max((entry.number for entry in entries_of(data) if entry.kind == "level_up"), default=-1)
        if not any(scene.get("level_up") == BY_XP for scene in data[SCENES]):
            return []
        try:
            _evening(self.game.name, json.dumps(data))
        except ValidationError:
            said = "heroes who have gained levels by XP before it would rise above the highest level; leave one out"
            return [Misfit((SCENES, last, "level_up"), said)]
        return []

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
    return _Making(find_ruleset(name), json.loads(content)).evening()


class _Making:
    """Makes an evening of what a file says."""

    def __init__(self, game: Ruleset[Any], data: dict[str, Any]) -> None:
        self.game, self.data = game, data
        self.entries = entries_of(data)
        self.first: dict[str, Any] = next(entry.table["fight"] for entry in self.entries if entry.kind == "fight")
        self.askable: list[str] | None = None

    def evening(self) -> Evening:
        """All scenes in the order in which they are played."""
        return Evening(self.game, [self.scene(entry) for entry in self.entries], self.data.get(HOUSE) or {})

    def scene(self, entry: Entry) -> AnyScene:
        """One of them."""
        if entry.kind == "fight":
            return self.fight(entry)
        if entry.kind == "rest":
            return RestScene(entry.luck, name_of(entry), entry.table["rest"], self.party(entry))
        by_xp = entry.table["level_up"] == BY_XP
        before = self.party(entry)
        return LevelScene(entry.luck, name_of(entry), before, before if by_xp else self.party(entry, 1), by_xp)

    def fight(self, entry: Entry, gained: Gained = ()) -> FightScene:
        """A fight, of heroes who have gained so many levels by XP."""
        whole = table_of(self.data, entry.table["fight"], self.game, entry, gained)
        model = self.game.scenario_model.model_validate_json(json.dumps(whole))
        plain = FightScene(entry.luck, name_of(entry), compiled(self.game, model), model)
        unless = None
        if text := entry.table.get("unless"):
            self.askable = self.askable if self.askable is not None else list(askable(self.game, plain))
            unless = read_unless(text, [*self.askable, LEVELS], spell((SCENES, entry.number, "unless")))
        return replace(plain, unless=unless, raised=cache(partial(self.fight, entry)))

    def party(self, entry: Entry, more: int = 0) -> ByLevel:
        """The party as it comes to a scene, in the evening's first fight."""

        def at_levels(gained: Gained) -> Any:
            there = Entry(entry.number, {}, entry.levels + more)
            whole = table_of(self.data, self.first, self.game, there, gained)
            return self.game.scenario_model.model_validate_json(json.dumps(whole))

        return cache(at_levels)


def in_full(
    scenario: ScenarioModel, game: Ruleset[Any], full: Callable[[Any], dict[str, Any]], for_reading: bool = False
) -> dict[str, Any]:
    """The adventure with every number written out: those of the party where all fights agree on them."""
    data = written(scenario)
    fights = fights_of(data, game)
    first = full(fights_of({**data, "order": list(dict.fromkeys(entry.number + 1 for entry, _ in fights))}, game)[0][1])
    party = {key: first[key] for key in party_keys(game) if key in first}
    party["heroes"] = without_places(party["heroes"], game)
    if not for_reading and not _same_fights({**data, **party}, data, game):
        party = {key: data[key] for key in party_keys(game) if key in data}
    found = {key: value for key, value in data.items() if key not in (*party_keys(game), SCENES)} | party
    if game.house_values():
        found[HOUSE] = game.house(data.get(HOUSE))
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
