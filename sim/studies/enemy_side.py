"""What the enemies of a fight may do otherwise: the steps of a search for harder enemies.

Their behaviour is the rules', not a policy's. What can be changed of it is what the rules leave open: switches that say
whom enemies go for and where they go, the same of single enemies where a file can say it, and which of them stands on
which of the places that they have. How one plays is held as the values that differ from the fight: path -> value.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from sim.core.luck import Luck
from sim.errors import ScenarioError
from sim.scenario import Scenario
from sim.scenario.changes import value_now
from sim.scenario.toml_writer import to_toml, value_text
from sim.scenario.values import key_path
from sim.scenario.wording import NAMES, readable
from sim.studies.sides import Play

EnemyKind: TypeAlias = Literal["switch", "enemy", "places"]
KINDS: tuple[EnemyKind, ...] = ("switch", "enemy", "places")
MOST_ROOMS = 20  # whose enemies change places
SWITCHES = "switches"


@dataclass(frozen=True, slots=True)
class EnemyChange:
    """A value set otherwise, or the values of two enemies exchanged."""

    kind: EnemyKind
    paths: tuple[str, ...]  # of the value, or of the two places
    value: str  # as JSON: what it becomes; of no use where places are exchanged
    before: Mapping[str, Any] = field(compare=False)  # path -> what it is in the fight
    who: str  # whom it is about: 'draugr and scamp', 'monster targeting'

    @property
    def line(self) -> None:
        """It adds no line."""
        return

    def applied(self, play: Play) -> Play | None:
        """With these values, as far as they differ from those of the fight."""
        new = [json.loads(self.value)]
        if self.kind == "places":
            new = [play.get(path, self.before[path]) for path in reversed(self.paths)]
        changed = {**play, **dict(zip(self.paths, new, strict=True))}
        return {path: value for path, value in changed.items() if value != self.before[path]}

    def in_words(self, play: Play) -> str:
        """'monster targeting = "spread" instead of "focus"', 'draugr and scamp change places'."""
        if self.kind == "places":
            return f"{self.who} change places"
        path = self.paths[0]
        old = play.get(path, self.before[path])
        was = "" if old is None else f" instead of {value_text(old)}"
        what = self.who if self.kind == "switch" else f"{self.who}: {readable(str(key_path(path)[-1]))}"
        return f"{what} = {value_text(json.loads(self.value))}{was}"


@dataclass(frozen=True)
class EnemySide:
    """The enemies of a fight."""

    base: Scenario
    name = "the enemies as found"  # for tables
    now = "the enemies as they are"
    sign = -1

    @property
    def own(self) -> Play:
        """Nothing differs from the fight."""
        return {}

    @property
    def others(self) -> Mapping[str, Play]:
        """There are no other ways by name."""
        return {}

    @cached_property
    def choices(self) -> dict[str, tuple[Any, ...]]:
        """Path of every value that says how they behave -> what it may be."""
        board = self.base.ruleset.switchboard
        found = {
            f"{SWITCHES}.{one.name}": one.values for one in board.switches.values() if one.behaviour and one.values
        }
        return found | dict(self.base.ruleset.enemy_choices(self.base.model))

    @cached_property
    def places(self) -> list[dict[str, Any]]:
        """Room by room: the key that says where an enemy begins -> where it does."""
        if self.base.is_adventure:
            return []
        encounter = self.base.encounter()
        first, second = (encounter.openings(Luck.of(1, np.array([run]))) for run in (0, 1))
        if [scene.tokens for scene in first] != [scene.tokens for scene in second]:
            return []  # where they begin is drawn anew in every run
        rooms = []
        for number, scene in enumerate(first[:MOST_ROOMS]):
            starts = self.base.ruleset.starts(self.base.model, scene, number)
            room = {}
            for start, token in zip(starts, scene.tokens, strict=True):
                of_one = start.path and isinstance(key_path(start.path)[-1], str)  # not one of a list of places
                if token.side == "enemy" and of_one and token.place is not None and scene.board is not None:
                    room[start.path] = list(scene.board.coords[token.place])
            rooms.append(room)
        return rooms

    @cached_property
    def before(self) -> dict[str, Any]:
        """Everything that can be changed, as it is in the fight; None where the fight does not say it."""
        stand = {path: place for room in self.places for path, place in room.items()}
        return {path: value_now(self.base, path) for path in self.choices} | stand

    @property
    def has_choices(self) -> bool:
        """Whether the rules leave them anything to choose in this fight."""
        return any(self._all_changes({}))

    def changes(self, play: Play) -> dict[EnemyKind, Sequence[EnemyChange]]:
        """Every single change, by its kind."""
        found: dict[EnemyKind, list[EnemyChange]] = {kind: [] for kind in KINDS}
        for change in self._all_changes(play):
            found[change.kind].append(change)
        return dict(found)

    def _all_changes(self, play: Play) -> Iterator[EnemyChange]:
        for path, values in self.choices.items():
            now = play.get(path, self.before[path])
            switch = path.startswith(f"{SWITCHES}.")
            who = readable(str(key_path(path)[-1])) if switch else self._name(path)
            for value in values:
                if value != now:
                    kind: EnemyKind = "switch" if switch else "enemy"
                    yield EnemyChange(kind, (path,), json.dumps(value), self.before, who)
        for room in self.places:
            for one, other in itertools.combinations(room, 2):
                yield from self._exchanged(play, one, other)

    def _exchanged(self, play: Play, one: str, other: str) -> Iterator[EnemyChange]:
        """Two enemies on each other's places; those that are alike need not bother."""
        mine, theirs = (play.get(path, self.before[path]) for path in (one, other))
        if mine != theirs and self._alike(one) != self._alike(other):
            who = f"{self._name(one)} and {self._name(other)}"
            yield EnemyChange("places", (one, other), "null", self.before, who)

    def _entry(self, path: str) -> dict[str, Any]:
        """The enemy's table in the file to which a value belongs."""
        at: Any = self.base.data
        for step in key_path(path)[:-1]:
            at = at[step]
        return dict(at)

    def _alike(self, path: str) -> str:
        place = key_path(path)[-1]
        return json.dumps({key: value for key, value in self._entry(path).items() if key != place}, sort_keys=True)

    def _name(self, path: str) -> str:
        """As people call the enemy; with a number where several are called so."""
        called = {
            key_path(other)[:-1]: self._called(other) for other in self.before if not other.startswith(f"{SWITCHES}.")
        }
        name = self._called(path)
        several = [place for place, other in called.items() if other == name]
        number = f" {several.index(key_path(path)[:-1]) + 1}" if len(several) > 1 else ""
        return f"{readable(name)}{number}"

    def _called(self, path: str) -> str:
        entry = self._entry(path)
        return next(str(entry[key]) for key in NAMES if entry.get(key))

    def fight_of(self, play: Play) -> Scenario | None:
        """The fight with these values; None where the game refuses them."""
        if not play:
            return self.base
        try:
            return self.base.changed(values=play)
        except ScenarioError:
            return None

    def written(self, play: Play) -> str:
        """As one text."""
        return json.dumps(play, sort_keys=True)

    # --------------------------------------------------------------------------------------------------- for the file

    def table(self, play: Play) -> dict[str, Any]:
        """Everything that can be changed, as a scenario file takes it: switches, and lists of enemies as a whole."""
        fight = self.fight_of(play)
        assert fight is not None, play
        whole = fight.data
        keys = dict.fromkeys(str(key_path(path)[0]) for path in self.before)
        found = {key: whole[key] for key in keys if key != SWITCHES and key in whole}
        switches = [key_path(path)[1] for path in self.before if path.startswith(f"{SWITCHES}.")]
        if switches:
            found[SWITCHES] = {str(name): fight.settings[str(name)] for name in switches}
        return found

    def as_toml(self, play: Play) -> str:
        """What to write into the file: only what is new."""
        fight = self.fight_of(play)
        assert fight is not None, play
        new = dict.fromkeys(str(key_path(path)[0]) for path in play)
        found = {key: fight.data[key] for key in new}
        return f"# instead of what the file says there: {', '.join(new)}\n{to_toml(found)}"
